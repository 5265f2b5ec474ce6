package dev.registrar.security.session;

import dev.registrar.security.CallerAuthentication;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseCookie;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;

/** What every login begins, and the logout ends. */
final class Logins {
    private Logins() {}

    static void add(ConsoleLogin login, HttpSecurity http) {
        login.addTo(http, Logins::welcome);
        http.sessionManagement(sessions ->
                        sessions.addSessionAuthenticationStrategy((person, request, response) -> endEarlierLogin()))
                .logout(logout -> logout.logoutRequestMatcher(
                                PathPatternRequestMatcher.pathPattern(HttpMethod.POST, ConsolePaths.LOGOUT))
                        // Requests of other tabs, which have passed the filters, share the context with this one.
                        .clearAuthentication(false)
                        .addLogoutHandler((request, response, person) -> forget(request, response))
                        .logoutSuccessHandler(
                                (request, response, person) -> redirect(ConsolePaths.FRONT, request, response)));
    }

    private static void endEarlierLogin() {
        if (SecurityContextHolder.getContext().getAuthentication() instanceof CallerAuthentication before) {
            before.endSession();
        }
    }

    private static void welcome(HttpServletRequest request, HttpServletResponse response, Authentication person) {
        SessionLimits.lengthen(request.getSession());
        redirect(WantedPage.take(request), request, response);
    }

    /* Otherwise the browser's button "back" may show pages as they were before the logout. */
    static void forget(HttpServletRequest request, HttpServletResponse response) {
        String name = request.getServletContext().getSessionCookieConfig().getName();
        String context = request.getContextPath();
        ResponseCookie ended = ResponseCookie.from(name == null ? "JSESSIONID" : name, "")
                .path(context.isEmpty() ? ConsolePaths.FRONT : context)
                .maxAge(0)
                .httpOnly(true)
                .sameSite("Lax")
                .secure(request.isSecure())
                .build();
        response.addHeader(HttpHeaders.SET_COOKIE, ended.toString());
        response.setHeader("Clear-Site-Data", "\"cache\"");
    }

    /* A path: a forged header Host leads nowhere. */
    static void redirect(String path, HttpServletRequest request, HttpServletResponse response) {
        response.setStatus(HttpStatus.FOUND.value());
        response.setHeader(HttpHeaders.LOCATION, request.getContextPath() + path);
    }
}
