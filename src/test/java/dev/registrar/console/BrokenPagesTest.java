package dev.registrar.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.http.ServiceTest;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.session.TooManyActiveSessionsException;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** A template that fails: the filter is given the exception as the dispatcher throws it. */
@ServiceTest
class BrokenPagesTest {
    private static final FilterChain BROKEN = (request, response) -> {
        throw new ServletException("Request processing failed", new IllegalStateException("<b>broken</b>"));
    };

    private final BrokenPages filter;
    private final MockHttpServletResponse response = new MockHttpServletResponse();
    private final ServletContext context;

    BrokenPagesTest(@Autowired BrokenPages filter, @Autowired ServletContext context) {
        this.filter = filter;
        this.context = context;
    }

    @Test
    void a_template_that_fails_is_answered_with_a_page() throws ServletException, IOException {
        filter.doFilter(new MockHttpServletRequest(context, "GET", "/console/courses"), response, BROKEN);

        assertThat(response.getStatus()).isEqualTo(500);
        assertThat(response.getContentAsString())
                .contains("<h1>Internal error</h1>")
                .doesNotContain("broken");
    }

    @Test
    void a_failure_of_the_api_is_left_to_the_api() {
        assertThatThrownBy(() ->
                        filter.doFilter(new MockHttpServletRequest(context, "GET", "/api/courses"), response, BROKEN))
                .isInstanceOf(ServletException.class);
    }

    @Test
    void too_many_sessions_are_left_to_the_filter_of_sessions() {
        FilterChain full = (request, sent) -> {
            throw new ServletException(new TooManyActiveSessionsException("Too many", 1));
        };

        assertThatThrownBy(() ->
                        filter.doFilter(new MockHttpServletRequest(context, "GET", "/console/courses"), response, full))
                .hasRootCauseInstanceOf(TooManyActiveSessionsException.class);
    }
}
