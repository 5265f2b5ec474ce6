package dev.registrar.security.session;

import dev.registrar.security.CallerAuthentication;
import dev.registrar.security.RefusedRequests;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.time.Instant;
import java.util.Set;
import org.apache.catalina.session.TooManyActiveSessionsException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerMapping;

/**
 * The rules of sessions: a session ends with the token of its login, a request that changes something needs one, and
 * their number is limited.
 */
final class SessionFilter extends OncePerRequestFilter {
    private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");
    private static final String RETRY_AFTER_SECONDS = "60";

    private final RefusedVisits refused;
    private final SessionLimits limits;
    private final RefusedRequests answers;
    private final @Nullable LoginOffer login;

    /** @param login null if pages need none */
    SessionFilter(RefusedVisits refused, SessionLimits limits, RefusedRequests answers, @Nullable LoginOffer login) {
        this.refused = refused;
        this.limits = limits;
        this.answers = answers;
        this.login = login;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (login != null) {
            request.setAttribute(LoginOffer.ATTRIBUTE, login);
        }
        HttpSession session = request.getSession(false);
        try {
            if (session != null) {
                limits.used(session, Instant.now());
            }
            endExpiredLogin(session);
            // Not later: the check of the token would begin a session for any such request.
            if (!READS.contains(request.getMethod()) && request.getSession(false) == null) {
                refused.refuseForm(request, response);
                return;
            }
            chain.doFilter(request, response);
        } catch (ServletException | RuntimeException failure) {
            if (response.isCommitted()) {
                throw failure;
            }
            if (isTooManySessions(failure)) {
                refuse(request, response);
            } else if (session != null && hasEnded(session) && isOfEndedSession(failure) && !isBegun(request)) {
                answerWithoutSession(request, response);
            } else {
                throw failure;
            }
        }
    }

    /*
     * Another request of the browser, such as a logout in another tab, may end the session at any moment. Then its attributes
     * cannot be read any more. Before the operation nothing has been changed, so the request is answered as if the session
     * had ended before it: a page leads to the login, and a form is refused.
     */
    private void answerWithoutSession(HttpServletRequest request, HttpServletResponse response) {
        SecurityContextHolder.clearContext();
        if (READS.contains(request.getMethod())) {
            String query = request.getQueryString();
            response.setStatus(HttpStatus.FOUND.value());
            response.setHeader(HttpHeaders.LOCATION, request.getRequestURI() + (query == null ? "" : "?" + query));
        } else {
            refused.refuseForm(request, response);
        }
    }

    private static boolean hasEnded(HttpSession session) {
        try {
            session.getCreationTime();
            return false;
        } catch (IllegalStateException ended) {
            return true;
        }
    }

    private static boolean isOfEndedSession(Exception failure) {
        return NestedExceptionUtils.getMostSpecificCause(failure) instanceof IllegalStateException;
    }

    private static boolean isBegun(HttpServletRequest request) {
        return request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE) != null;
    }

    private static void endExpiredLogin(@Nullable HttpSession session) {
        if (SecurityContextHolder.getContext().getAuthentication() instanceof CallerAuthentication known
                && known.end().isReached()) {
            SecurityContextHolder.clearContext();
            if (session != null) {
                SessionLimits.invalidate(session);
            }
        }
    }

    private static boolean isTooManySessions(Exception failure) {
        return NestedExceptionUtils.getMostSpecificCause(failure) instanceof TooManyActiveSessionsException;
    }

    private void refuse(HttpServletRequest request, HttpServletResponse response) {
        ErrorResponseException refused = new ErrorResponseException(HttpStatus.SERVICE_UNAVAILABLE);
        refused.setDetail("Too many people use the console right now. Nothing was changed: try again in some minutes.");
        refused.getHeaders().set(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        answers.answer(request, response, refused);
    }
}
