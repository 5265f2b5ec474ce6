package dev.registrar.security.session;

import dev.registrar.security.AccessMode;
import dev.registrar.security.BrowserAccess;
import dev.registrar.security.FormBodies;
import dev.registrar.security.RefusalLog;
import dev.registrar.security.RefusedRequests;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.csrf.CsrfFilter;

/** The console's part of the security: forms with tokens in every mode, and the login where the service asks for one. */
@Configuration(proxyBeanMethods = false)
class BrowserConfiguration {

    @Bean
    BrowserAccess browserAccess(
            AccessMode mode,
            FormBodies forms,
            SessionLimits limits,
            RefusedRequests answers,
            RefusalLog log,
            ObjectProvider<ConsoleLogin> logins) {
        boolean asksForLogin = mode != AccessMode.LOCAL;
        ConsoleLogin login = asksForLogin ? logins.getIfAvailable() : null;
        LoginOffer offer = new LoginOffer(login == null ? null : login.path());
        return http -> {
            RefusedVisits refused = new RefusedVisits(offer, answers, log);
            SessionFilter sessions = new SessionFilter(refused, limits, answers, asksForLogin ? offer : null);
            http.headers(AbstractHttpConfigurer::disable)
                    .csrf(tokens -> tokens.csrfTokenRequestHandler(new FormTokens()))
                    .exceptionHandling(
                            handling -> handling.authenticationEntryPoint(refused).accessDeniedHandler(refused))
                    .addFilterAfter(new FormFilter(forms), SecurityContextHolderFilter.class)
                    .addFilterBefore(sessions, CsrfFilter.class);
            if (login == null) {
                http.logout(AbstractHttpConfigurer::disable);
            } else {
                Logins.add(login, http);
            }
        };
    }
}
