package dev.registrar.security.session;

import dev.registrar.security.AccessMode;
import dev.registrar.security.AccessTokens;
import dev.registrar.security.BrowserAccess;
import dev.registrar.security.FormBodies;
import dev.registrar.security.RefusalLog;
import dev.registrar.security.RefusedRequests;
import dev.registrar.security.tokens.TokenSettings;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.csrf.HttpSessionCsrfTokenRepository;

/** The console's part of the security: forms with tokens in both modes, and the login where there is an issuer. */
@Configuration(proxyBeanMethods = false)
class BrowserConfiguration {

    @Bean
    BrowserAccess browserAccess(
            AccessMode mode,
            FormBodies forms,
            SessionLimits limits,
            RefusedRequests answers,
            RefusalLog log,
            TokenSettings settings,
            ObjectProvider<AccessTokens> tokens,
            ObjectProvider<ConsoleLogin> login) {
        ConsoleLogin configured = mode == AccessMode.TOKENS ? login.getIfAvailable() : null;
        return http -> {
            HttpSessionCsrfTokenRepository csrf = new HttpSessionCsrfTokenRepository();
            protect(http, csrf, mode, configured != null, forms, limits, answers, log);
            if (mode == AccessMode.TOKENS) {
                HttpSessionSecurityContextRepository persons = new HttpSessionSecurityContextRepository();
                persons.setSpringSecurityContextKey(SessionLimits.PERSON);
                http.securityContext(context -> context.securityContextRepository(persons));
                if (configured != null) {
                    new LoginFilters(configured, tokens.getObject(), settings, persons, csrf, answers, log).addTo(http);
                }
            }
        };
    }

    private static void protect(
            HttpSecurity http,
            HttpSessionCsrfTokenRepository csrf,
            AccessMode mode,
            boolean hasLogin,
            FormBodies forms,
            SessionLimits limits,
            RefusedRequests answers,
            RefusalLog log) {
        LostForms lost = new LostForms(answers, log);
        RefusedVisits refused = new RefusedVisits(lost, hasLogin, answers, log);
        SessionFilter sessions = new SessionFilter(lost, limits, answers, hasLogin, mode == AccessMode.TOKENS);
        http.csrf(tokens -> tokens.csrfTokenRepository(csrf).csrfTokenRequestHandler(new FormTokens()))
                .exceptionHandling(
                        handling -> handling.authenticationEntryPoint(refused).accessDeniedHandler(refused))
                .logout(AbstractHttpConfigurer::disable)
                .addFilterAfter(new FormFilter(forms), SecurityContextHolderFilter.class)
                .addFilterBefore(sessions, CsrfFilter.class);
    }
}
