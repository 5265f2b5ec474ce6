package dev.registrar.security.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.registrar.security.AccessMode;
import jakarta.servlet.http.HttpSessionEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.security.core.context.SecurityContextImpl;

/** How long a session lasts whose person has not logged in. */
class SessionsBeforeLoginTest {
    private final SessionLimits limits = new SessionLimits(new SessionSettings(10), AccessMode.TOKENS);
    private final MockHttpSession session = new MockHttpSession();

    private Instant after(Duration time) {
        return Instant.ofEpochMilli(session.getCreationTime()).plus(time);
    }

    @Test
    void requests_do_not_make_it_longer() {
        limits.used(session, after(Duration.ofMinutes(9)));
        assertThat(session.isInvalid()).isFalse();
        assertThat(session.getMaxInactiveInterval()).isEqualTo(60);

        limits.used(session, after(Duration.ofMinutes(10)));
        assertThat(session.isInvalid()).isTrue();
    }

    @Test
    void the_session_of_a_person_who_has_logged_in_goes_on() {
        session.setAttribute(SessionLimits.PERSON, new SecurityContextImpl());

        limits.used(session, after(Duration.ofHours(1)));

        assertThat(session.isInvalid()).isFalse();
    }

    @Test
    void without_an_issuer_no_login_is_waited_for() {
        new SessionLimits(new SessionSettings(10), AccessMode.LOCAL).used(session, after(Duration.ofHours(1)));

        assertThat(session.isInvalid()).isFalse();
    }

    @Test
    void a_session_that_another_request_has_ended_is_no_failure() {
        Instant late = after(Duration.ofMinutes(11));
        session.invalidate();

        assertThatCode(() -> limits.used(session, late)).doesNotThrowAnyException();
        assertThatCode(() -> SessionLimits.invalidate(session)).doesNotThrowAnyException();
    }

    /* A client without cookies begins a session with each page. It takes the room of its own kind only. */
    @Test
    void sessions_that_no_browser_uses_take_half_of_the_room_and_replace_each_other() {
        limits.sessionCreated(new HttpSessionEvent(session));
        limits.used(session, after(Duration.ZERO));
        List<MockHttpSession> unused =
                Stream.generate(MockHttpSession::new).limit(6).toList();

        unused.forEach(each -> limits.sessionCreated(new HttpSessionEvent(each)));

        assertThat(unused).filteredOn(MockHttpSession::isInvalid).containsExactly(unused.getFirst());
        assertThat(session.isInvalid()).isFalse();
    }

    @Test
    void a_logout_deletes_the_cookie_of_the_path_of_the_service() {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/registrar/console/logout");
        request.setContextPath("/registrar");
        MockHttpServletResponse response = new MockHttpServletResponse();

        Logins.forget(request, response);

        assertThat(response.getHeader("Set-Cookie")).contains("Path=/registrar;", "Max-Age=0");
    }
}
