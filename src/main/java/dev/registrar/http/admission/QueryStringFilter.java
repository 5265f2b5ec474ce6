package dev.registrar.http.admission;

import dev.registrar.http.problem.MalformedQueryException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;

/**
 * Rejects a malformed query string. Tomcat parses the query string at the first access to a parameter, and throws from
 * there; this filter makes the first access.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 6)
final class QueryStringFilter extends OncePerRequestFilter {
    private final HandlerExceptionResolver problems;

    QueryStringFilter(@Qualifier("handlerExceptionResolver") HandlerExceptionResolver problems) {
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            request.getParameterMap();
        } catch (InvalidParameterException unreadable) {
            problems.resolveException(request, response, null, new MalformedQueryException());
            return;
        }
        chain.doFilter(request, response);
    }
}
