package dev.registrar.console;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.catalina.session.TooManyActiveSessionsException;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Answers with the page of an error if a template fails: Spring asks no exception resolver about views. */
@Component
@Order(Ordered.LOWEST_PRECEDENCE)
final class BrokenPages extends OncePerRequestFilter {
    private final ConsoleErrors errors;

    BrokenPages(ConsoleErrors errors) {
        this.errors = errors;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !ConsoleErrors.isPage(request);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            chain.doFilter(request, response);
        } catch (ServletException | RuntimeException failure) {
            // A form in a template begins a session. The filter of sessions answers that there are too many.
            if (NestedExceptionUtils.getMostSpecificCause(failure) instanceof TooManyActiveSessionsException
                    || errors.resolveException(request, response, null, failure) == null) {
                throw failure;
            }
        }
    }
}
