package dev.registrar.security.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.security.AccessMode;
import dev.registrar.security.Caller;
import dev.registrar.security.CallerAuthentication;
import dev.registrar.security.RefusalLog;
import dev.registrar.security.Refusals;
import dev.registrar.security.RefusedRequests;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.catalina.session.TooManyActiveSessionsException;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.servlet.HandlerMapping;

/** A session ends between two filters of a request, by another request of the same browser. */
class EndedInRequestTest {
    private static final FilterChain READS_ATTRIBUTE = (request, response) -> {
        MockHttpSession session =
                (MockHttpSession) Objects.requireNonNull(((MockHttpServletRequest) request).getSession(false));
        session.invalidate();
        ((MockHttpServletRequest) request).setRequestedSessionIdValid(false);
        session.getAttribute("token");
    };

    private final MockHttpServletResponse response = new MockHttpServletResponse();
    private final SessionFilter filter = filter();

    private static SessionFilter filter() {
        RefusedRequests answers = (request, response, failure) ->
                response.setStatus(failure.getStatusCode().value());
        LoginOffer login = new LoginOffer(ConsolePaths.LOGIN);
        Refusals refusals = new Refusals(answers, new RefusalLog());
        return new SessionFilter(
                (request, response) -> Optional.of(request),
                new RefusedVisits(login, refusals),
                new SessionLimits(new SessionSettings(10), AccessMode.TOKENS),
                refusals,
                login);
    }

    private static MockHttpServletRequest request(String method) {
        MockHttpServletRequest request = new MockHttpServletRequest(method, "/console/courses");
        request.setQueryString("search=a");
        request.setSession(new MockHttpSession());
        request.addHeader("Sec-Fetch-Site", "same-origin");
        request.addHeader("Accept", "text/html");
        return request;
    }

    @Test
    void a_form_changes_nothing_and_its_input_is_shown() throws Exception {
        MockHttpServletRequest request = request("POST");
        request.setContentType("application/x-www-form-urlencoded");
        request.addParameter("note", "typed");

        filter.doFilter(request, response, READS_ATTRIBUTE);

        assertThat(response.getStatus()).isEqualTo(403);
        assertThat(request.getAttribute(LostForm.ATTRIBUTE))
                .isEqualTo(new LostForm(
                        "Your login had ended, so nothing was changed.", "/", Map.of("note", List.of("typed"))));
    }

    @Test
    void a_page_is_opened_again_without_the_session() throws Exception {
        filter.doFilter(request("GET"), response, READS_ATTRIBUTE);

        assertThat(response.getStatus()).isEqualTo(302);
        assertThat(response.getHeader("Location")).isEqualTo("/console/courses?search=a");
    }

    @Test
    void a_login_whose_token_has_expired_ends_with_its_session() throws Exception {
        MockHttpServletRequest request = request("GET");
        MockHttpSession session = (MockHttpSession) Objects.requireNonNull(request.getSession());
        SecurityContextHolder.getContext()
                .setAuthentication(CallerAuthentication.of(Caller.local(), Set.of(), Instant.now()));

        filter.doFilter(request, response, (passed, answer) -> {
            assertThat(SecurityContextHolder.getContext().getAuthentication()).isNull();
        });

        assertThat(session.isInvalid()).isTrue();
    }

    @Test
    void too_many_sessions_are_answered_with_503_and_when_to_try_again() throws Exception {
        filter.doFilter(request("GET"), response, (request, answer) -> {
            throw new ServletException(new TooManyActiveSessionsException("Too many", 10));
        });

        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getHeader("Retry-After")).isEqualTo("60");
    }

    /* The operation may have changed something: the form must not be offered again. */
    @Test
    void a_failure_of_the_operation_is_not_taken_for_the_end_of_the_session() {
        MockHttpServletRequest request = request("POST");
        request.setAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE, "operation");

        assertThatThrownBy(() -> filter.doFilter(request, response, READS_ATTRIBUTE))
                .isInstanceOf(IllegalStateException.class);
    }
}
