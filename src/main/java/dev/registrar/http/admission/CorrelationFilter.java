package dev.registrar.http.admission;

import dev.registrar.eventstore.TimeOrderedId;
import dev.registrar.http.problem.Headers;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.regex.Pattern;
import org.slf4j.MDC;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Gives every request a correlation id: the caller's if it is valid (1 to 128 visible ASCII characters), otherwise a
 * new one. The response, the log and the metadata of the request's events carry it.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class CorrelationFilter extends OncePerRequestFilter {
    private static final String ATTRIBUTE = CorrelationFilter.class.getName();
    private static final String LOG_KEY = "correlationId";
    private static final Pattern VALID = Pattern.compile("[\\x21-\\x7e]{1,128}");

    public static String correlationId(HttpServletRequest request) {
        return String.valueOf(request.getAttribute(ATTRIBUTE));
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String given = request.getHeader(Headers.CORRELATION_ID);
        String id = given != null && VALID.matcher(given).matches()
                ? given
                : TimeOrderedId.next().toString();
        request.setAttribute(ATTRIBUTE, id);
        response.setHeader(Headers.CORRELATION_ID, id);
        MDC.put(LOG_KEY, id);
        try {
            chain.doFilter(request, response);
        } finally {
            MDC.remove(LOG_KEY);
        }
    }
}
