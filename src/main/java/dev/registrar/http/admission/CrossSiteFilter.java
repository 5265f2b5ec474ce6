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
 * Refuses writes that a page of another site has a browser send: the service does not ask who is calling, and listens
 * where such a browser runs. Browsers say so in {@code Sec-Fetch-Site}; other clients send none.
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
