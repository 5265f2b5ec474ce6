package dev.registrar.security.session;

import dev.registrar.security.AccessMode;
import dev.registrar.security.CallerAuthentication;
import dev.registrar.security.ConsoleAccess;
import dev.registrar.security.FormBodies;
import dev.registrar.security.Refusals;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.DefaultRedirectStrategy;
import org.springframework.security.web.RedirectStrategy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;

/** The filter chain of the console: forms with tokens in every mode, and the login where the service asks for one. */
@Configuration(proxyBeanMethods = false)
class BrowserConfiguration {
    private static final Duration TLS_ONLY = Duration.ofDays(365);

    @Bean
    @Order(350)
    SecurityFilterChain consoleAccess(
            HttpSecurity http,
            AccessMode mode,
            FormBodies forms,
            SessionLimits limits,
            Refusals refusals,
            ObjectProvider<ConsoleLogin> logins,
            @Value("${server.servlet.session.cookie.name}") String cookie) {
        boolean asksForLogin = mode != AccessMode.LOCAL;
        ConsoleLogin login = asksForLogin ? logins.getIfAvailable() : null;
        LoginOffer offer = new LoginOffer(login == null ? null : login.path());
        RefusedVisits refused = new RefusedVisits(offer, refusals);
        http.securityMatcher(
                        ConsolePaths.FRONT,
                        "/console/**",
                        "/webjars/htmx.org/**",
                        "/webjars/htmx-ext-sse/**",
                        ConsolePaths.LOGIN,
                        ConsolePaths.CALLBACK)
                .requestCache(AbstractHttpConfigurer::disable)
                .anonymous(AbstractHttpConfigurer::disable)
                .servletApi(AbstractHttpConfigurer::disable)
                .headers(BrowserConfiguration::addHeaders)
                .exceptionHandling(
                        handling -> handling.authenticationEntryPoint(refused).accessDeniedHandler(refused))
                .addFilterBefore(
                        new SessionFilter(forms, refused, limits, refusals, asksForLogin ? offer : null),
                        CsrfFilter.class);
        if (login == null) {
            http.logout(AbstractHttpConfigurer::disable);
        } else {
            addLogin(http, login, limits, cookie);
        }
        ConsoleAccess.addTo(http);
        return http.build();
    }

    /* The server adds the headers of all answers. */
    private static void addHeaders(HeadersConfigurer<HttpSecurity> headers) {
        headers.defaultsDisabled()
                .addHeaderWriter((request, response) -> {
                    if (!ConsolePaths.isAsset(ConsolePaths.of(request))) {
                        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
                    }
                })
                // With the policy "no-referrer", browsers would not say that a form is from a page of the same origin.
                .referrerPolicy(referrer -> referrer.policy(ReferrerPolicy.SAME_ORIGIN))
                .httpStrictTransportSecurity(tls -> tls.requestMatcher(BrowserConfiguration::isEncryptedElsewhere)
                        .maxAgeInSeconds(TLS_ONLY.toSeconds())
                        .includeSubDomains(false));
    }

    /* Not for the name localhost: a browser would then refuse other programs on the machine, at any port, without TLS. */
    private static boolean isEncryptedElsewhere(HttpServletRequest request) {
        return request.isSecure() && !request.getServerName().equalsIgnoreCase("localhost");
    }

    private static void addLogin(HttpSecurity http, ConsoleLogin login, SessionLimits limits, String cookie) {
        RedirectStrategy redirects = new DefaultRedirectStrategy();
        login.addTo(http, (request, response, person) -> {
            limits.lengthen(request.getSession());
            redirects.sendRedirect(request, response, WantedPage.take(request));
        });
        http.sessionManagement(sessions ->
                        sessions.addSessionAuthenticationStrategy((person, request, response) -> endEarlierLogin()))
                .logout(logout -> logout.logoutUrl(ConsolePaths.LOGOUT)
                        // Requests of other tabs, which have passed the filters, share the context with this one.
                        .clearAuthentication(false)
                        .deleteCookies(cookie)
                        // Otherwise the browser's button "back" may show pages as they were before the logout.
                        .addLogoutHandler(
                                (request, response, person) -> response.setHeader("Clear-Site-Data", "\"cache\""))
                        .logoutSuccessUrl(ConsolePaths.FRONT));
    }

    private static void endEarlierLogin() {
        if (SecurityContextHolder.getContext().getAuthentication() instanceof CallerAuthentication before) {
            before.endSession();
        }
    }
}
