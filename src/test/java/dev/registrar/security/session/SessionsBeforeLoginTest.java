package dev.registrar.security.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.registrar.security.AccessMode;
import jakarta.servlet.http.HttpSessionEvent;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpSession;

/** How long a session lasts whose person has not logged in. */
class SessionsBeforeLoginTest {
    private final SessionLimits limits = new SessionLimits(new SessionSettings(10), AccessMode.TOKENS);
    private final MockHttpSession session = new MockHttpSession();

    @Test
    void it_lasts_ten_minutes_and_after_the_login_as_the_setting_says() {
        limits.sessionCreated(new HttpSessionEvent(session));
        assertThat(session.getMaxInactiveInterval()).isEqualTo(600);

        limits.lengthen(session);
        assertThat(session.getMaxInactiveInterval()).isEqualTo(1800);
    }

    @Test
    void without_an_issuer_no_login_is_waited_for() {
        new SessionLimits(new SessionSettings(10), AccessMode.LOCAL).sessionCreated(new HttpSessionEvent(session));

        assertThat(session.getMaxInactiveInterval()).isEqualTo(1800);
    }

    @Test
    void a_session_that_another_request_has_ended_is_no_failure() {
        session.invalidate();

        assertThatCode(() -> SessionLimits.invalidate(session)).doesNotThrowAnyException();
    }

    /* A client without cookies begins a session with each page. It takes the room of its own kind only. */
    @Test
    void sessions_that_no_browser_uses_take_half_of_the_room_and_replace_each_other() {
        limits.sessionCreated(new HttpSessionEvent(session));
        limits.used(session);
        List<MockHttpSession> unused =
                Stream.generate(MockHttpSession::new).limit(6).toList();

        unused.forEach(each -> limits.sessionCreated(new HttpSessionEvent(each)));

        assertThat(unused).filteredOn(MockHttpSession::isInvalid).containsExactly(unused.getFirst());
        assertThat(session.isInvalid()).isFalse();
    }
}
