package dev.registrar.security.session;

import dev.registrar.security.Caller;
import dev.registrar.security.CallerAuthentication;
import dev.registrar.security.RefusalLog;
import dev.registrar.security.RefusedRequests;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.csrf.CsrfException;
import org.springframework.web.ErrorResponseException;

/** Sends persons who are not logged in to the login, and answers those who may not see a page with a page. */
final class RefusedVisits implements AuthenticationEntryPoint, AccessDeniedHandler {
    private static final String AREA = "console";

    private final LoginOffer login;
    private final RefusedRequests answers;
    private final RefusalLog log;

    RefusedVisits(LoginOffer login, RefusedRequests answers, RefusalLog log) {
        this.login = login;
        this.answers = answers;
        this.log = log;
    }

    @Override
    public void commence(
            HttpServletRequest request, HttpServletResponse response, AuthenticationException authentication) {
        if (!login.isPossible()) {
            refuse(
                    request,
                    response,
                    HttpStatus.FORBIDDEN,
                    "no-login",
                    "No login is configured for the console. Its operator registers it at the issuer, and sets spring.security.oauth2.client.registration.registrar.");
        } else if (isVisit(request)) {
            WantedPage.remember(request);
            log.refused(request.getMethod(), AREA, HttpStatus.FOUND, "no-session");
            response.setStatus(HttpStatus.FOUND.value());
            response.setHeader(HttpHeaders.LOCATION, request.getContextPath() + login.path());
        } else {
            // Makes the script of the pages load the whole page again, which then leads to the login.
            response.setHeader("HX-Refresh", "true");
            refuse(
                    request,
                    response,
                    HttpStatus.UNAUTHORIZED,
                    "no-session",
                    "You are not logged in, or your login has ended. Log in to see this page.");
        }
    }

    /* A person opens a page. Parts of pages, live data and pages that a browser loads in advance lead to no login. */
    private static boolean isVisit(HttpServletRequest request) {
        String accept = request.getHeader(HttpHeaders.ACCEPT);
        String mode = request.getHeader("Sec-Fetch-Mode");
        return request.getMethod().equals("GET")
                && accept != null
                && accept.contains(MediaType.TEXT_HTML_VALUE)
                && (mode == null || mode.equals("navigate"))
                && request.getHeader("Sec-Purpose") == null
                && request.getHeader("HX-Request") == null;
    }

    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response, AccessDeniedException denied) {
        if (denied instanceof CsrfException) {
            refuseForm(request, response);
        } else {
            refuse(
                    request,
                    response,
                    HttpStatus.FORBIDDEN,
                    "not-allowed",
                    "Your roles do not allow this. Log out to log in as someone else, or ask who gives roles at your university.");
        }
    }

    /** Answers a form without the token of its session. */
    void refuseForm(HttpServletRequest request, HttpServletResponse response) {
        boolean isOwn = LostForm.isOfOwnPage(request);
        String path = ConsolePaths.of(request);
        boolean isLogin = path.equals(ConsolePaths.FORM_LOGIN);
        boolean isLogout = path.equals(ConsolePaths.LOGOUT);
        if (isOwn && (isLogin || (isLogout && caller().map(Caller::isLocal).orElse(true)))) {
            log.refused(request.getMethod(), AREA, HttpStatus.SEE_OTHER, isLogin ? "no-form-token" : "no-session");
            response.setStatus(HttpStatus.SEE_OTHER.value());
            response.setHeader(
                    HttpHeaders.LOCATION,
                    request.getContextPath() + (isLogin ? ConsolePaths.FORM_LOGIN : ConsolePaths.FRONT));
        } else if (isOwn && !isLogout && FormFilter.isForm(request) && ConsolePaths.isPage(path)) {
            String why = "%s, so nothing was changed."
                    .formatted(caller().isPresent() ? "The page was open for too long" : "Your login had ended");
            request.setAttribute(LostForm.ATTRIBUTE, LostForm.of(why, request));
            refuse(request, response, HttpStatus.FORBIDDEN, "form-lost", why);
        } else {
            refuse(
                    request,
                    response,
                    HttpStatus.FORBIDDEN,
                    "no-form-token",
                    "Nothing was changed: the form was not sent from a page of this console, or the page was open for too long. Open the page again.");
        }
    }

    /* In the mode local always. */
    private static Optional<Caller> caller() {
        return SecurityContextHolder.getContext().getAuthentication() instanceof CallerAuthentication known
                ? Optional.of(known.getPrincipal())
                : Optional.empty();
    }

    private void refuse(
            HttpServletRequest request, HttpServletResponse response, HttpStatus status, String reason, String detail) {
        ErrorResponseException refused = new ErrorResponseException(status);
        refused.setDetail(detail);
        log.refused(request.getMethod(), AREA, status, reason);
        answers.answer(request, response, refused);
    }
}
