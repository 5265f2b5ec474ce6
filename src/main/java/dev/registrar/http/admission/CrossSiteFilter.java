package dev.registrar.http.admission;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;

/**
 * Refuses writes that a web page of another site makes a browser send. Such a browser may run on the machine whose
 * loopback address the service listens on, and the service does not authenticate its callers. Browsers tell the origin
 * in {@code Sec-Fetch-Site}; other clients do not send this header.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 3)
final class CrossSiteFilter extends OncePerRequestFilter {
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    private final HandlerExceptionResolver problems;

    CrossSiteFilter(@Qualifier("handlerExceptionResolver") HandlerExceptionResolver problems) {
        this.problems = problems;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!SAFE.contains(request.getMethod()) && "cross-site".equals(request.getHeader("Sec-Fetch-Site"))) {
            problems.resolveException(request, response, null, crossSite(request));
            return;
        }
        chain.doFilter(request, response);
    }

    private static ErrorResponseException crossSite(HttpServletRequest request) {
        ErrorResponseException refused = new ErrorResponseException(HttpStatus.FORBIDDEN);
        refused.setDetail("A browser may not send %s from a page of another site (Sec-Fetch-Site: cross-site)"
                .formatted(request.getMethod()));
        return refused;
    }
}
