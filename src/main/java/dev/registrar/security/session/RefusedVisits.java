package dev.registrar.security.session;

import dev.registrar.security.Caller;
import dev.registrar.security.CallerAuthentication;
import dev.registrar.security.Refusals;
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

/** Sends persons who are not logged in to the login, and answers those who may not see a page with a page. */
final class RefusedVisits implements AuthenticationEntryPoint, AccessDeniedHandler {
    static final String AREA = "console";

    private final LoginOffer login;
    private final Refusals refusals;

    RefusedVisits(LoginOffer login, Refusals refusals) {
        this.login = login;
        this.refusals = refusals;
    }

    @Override
    public void commence(
            HttpServletRequest request, HttpServletResponse response, AuthenticationException authentication) {
        String path = login.path();
        if (path == null) {
            refuse(
                    request,
                    response,
                    HttpStatus.FORBIDDEN,
                    "no-login",
                    "No login is configured for the console. Its operator registers it at the issuer, and sets spring.security.oauth2.client.registration.registrar.");
        } else if (isVisit(request)) {
            WantedPage.remember(request);
            refusals.redirect(request, response, HttpStatus.FOUND, AREA, "no-session", path);
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
        boolean isLogout = path.equals(ConsolePaths.LOGOUT);
        if (isOwn && path.equals(ConsolePaths.FORM_LOGIN)) {
            refusals.redirect(request, response, HttpStatus.SEE_OTHER, AREA, "no-form-token", ConsolePaths.FORM_LOGIN);
        } else if (isOwn && isLogout && caller().map(Caller::isLocal).orElse(true)) {
            refusals.redirect(request, response, HttpStatus.SEE_OTHER, AREA, "no-session", ConsolePaths.FRONT);
        } else if (isOwn && !isLogout && SessionFilter.isForm(request) && ConsolePaths.isPage(path)) {
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
        refusals.refuse(request, response, status, AREA, reason, detail);
    }
}
