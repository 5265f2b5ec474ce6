package dev.registrar.security.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpSession;

/** The heap that kept forms take. */
class KeptFormLimitTest {
    private static final int FIELDS = 1_000;
    private static final int BYTES_OF_FORM = FIELDS * 128;

    private final List<MockHttpSession> sessions = new ArrayList<>();

    @AfterEach
    void end_the_sessions() {
        sessions.stream().filter(session -> !session.isInvalid()).forEach(MockHttpSession::invalidate);
    }

    private MockHttpSession begin() {
        MockHttpSession session = new MockHttpSession();
        sessions.add(session);
        return session;
    }

    /* Empty fields: they have next to no characters. */
    private static KeptForm form(int fields) {
        return form("10.0.0.1", fields);
    }

    private static KeptForm form(String address, int fields) {
        return new KeptForm(address, "/console/role", Collections.nCopies(fields, new KeptForm.Field("", "")), null);
    }

    private static Optional<KeptForm> kept(MockHttpSession session) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setSession(session);
        return KeptForm.of(request);
    }

    @Test
    void the_eldest_form_makes_room_for_a_new_one() {
        MockHttpSession eldest = begin();
        assertThat(form(FIELDS).keepIn(eldest)).isTrue();
        assertThat(kept(eldest)).isPresent();

        MockHttpSession latest = eldest;
        for (long bytes = 0; bytes <= KeptForm.MAX_BYTES_OF_ALL; bytes += BYTES_OF_FORM) {
            latest = begin();
            assertThat(form(FIELDS).keepIn(latest)).isTrue();
        }

        assertThat(kept(eldest)).isEmpty();
        assertThat(kept(latest)).map(form -> form.fields().size()).hasValue(FIELDS);
    }

    @Test
    void a_client_with_many_forms_discards_none_of_another_address() {
        MockHttpSession other = begin();
        assertThat(form("10.0.0.2", 3).keepIn(other)).isTrue();
        MockHttpSession first = begin();
        assertThat(form(FIELDS).keepIn(first)).isTrue();

        for (long bytes = 0; bytes <= 3 * KeptForm.MAX_BYTES_OF_ALL; bytes += BYTES_OF_FORM) {
            assertThat(form(FIELDS).keepIn(begin())).isTrue();
        }

        assertThat(kept(other)).map(form -> form.fields().size()).hasValue(3);
        assertThat(kept(first)).isEmpty();
    }

    @Test
    void a_session_that_has_ended_keeps_no_form_and_no_room() {
        MockHttpSession eldest = begin();
        assertThat(form(1).keepIn(eldest)).isTrue();
        MockHttpSession ended = begin();
        ended.invalidate();

        for (long bytes = 0; bytes <= 2 * KeptForm.MAX_BYTES_OF_ALL; bytes += BYTES_OF_FORM) {
            assertThat(form(FIELDS).keepIn(ended)).isFalse();
        }

        assertThat(kept(eldest)).isPresent();
    }
}
