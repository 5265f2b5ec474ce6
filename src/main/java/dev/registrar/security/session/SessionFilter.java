package dev.registrar.security.session;

import dev.registrar.security.CallerAuthentication;
import dev.registrar.security.FormBodies;
import dev.registrar.security.Refusals;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.catalina.session.TooManyActiveSessionsException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerMapping;

/**
 * The rules of sessions: a session ends with the token of its login, a request that changes something needs one, and
 * their number is limited. A form is read first, since it has the token of its session.
 */
final class SessionFilter extends OncePerRequestFilter {
    private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");
    private static final String RETRY_AFTER_SECONDS = "60";

    private final FormBodies forms;
    private final RefusedVisits refused;
    private final SessionLimits limits;
    private final Refusals refusals;
    private final @Nullable LoginOffer login;

    /** @param login null if pages need none */
    SessionFilter(
            FormBodies forms,
            RefusedVisits refused,
            SessionLimits limits,
            Refusals refusals,
            @Nullable LoginOffer login) {
        this.forms = forms;
        this.refused = refused;
        this.limits = limits;
        this.refusals = refusals;
        this.login = login;
    }

    static boolean isForm(HttpServletRequest request) {
        String type = request.getContentType();
        return request.getMethod().equals("POST")
                && type != null
                && type.toLowerCase(Locale.ROOT).startsWith(MediaType.APPLICATION_FORM_URLENCODED_VALUE);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<HttpServletRequest> read = isForm(request) ? forms.read(request, response) : Optional.of(request);
        if (read.isPresent()) {
            filterRead(read.get(), response, chain);
        }
    }

    private void filterRead(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (login != null) {
            request.setAttribute(LoginOffer.ATTRIBUTE, login);
        }
        HttpSession session = request.getSession(false);
        try {
            if (session != null) {
                limits.used(session);
            }
            endExpiredLogin(session);
            // Not later: the check of the token would begin a session for any such request.
            if (!READS.contains(request.getMethod()) && request.getSession(false) == null) {
                refused.refuseForm(request, response);
                return;
            }
            chain.doFilter(request, response);
        } catch (ServletException | RuntimeException failure) {
            Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
            if (response.isCommitted()) {
                throw failure;
            }
            if (cause instanceof TooManyActiveSessionsException) {
                response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
                refusals.refuse(
                        request,
                        response,
                        HttpStatus.SERVICE_UNAVAILABLE,
                        RefusedVisits.AREA,
                        "too-many-sessions",
                        "Too many people use the console right now. Nothing was changed: try again in some minutes.");
            } else if (cause instanceof CharacterCodingException && !isBegun(request)) {
                // Spring's check of a form's token fails at one that is no text once decoded.
                refused.refuseForm(request, response);
            } else if (session != null
                    && !request.isRequestedSessionIdValid()
                    && cause instanceof IllegalStateException
                    && !isBegun(request)) {
                answerWithoutSession(request, response);
            } else {
                throw failure;
            }
        }
    }

    /*
     * Another request of the browser, such as a logout in another tab, may end the session at any moment. Then its attributes
     * cannot be read any more. Before the operation nothing has been changed, so the request is answered as if the session
     * had ended before it: a page is opened again, and a form is refused.
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
}
