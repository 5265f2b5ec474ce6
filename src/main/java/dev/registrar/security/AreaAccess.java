package dev.registrar.security;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.ErrorResponseException;

/**
 * Builds the filter chain of an area: stateless, with a token or a password in each request, or with the actor
 * {@code local}.
 */
final class AreaAccess {
    private static final List<HttpMethod> READS = List.of(HttpMethod.GET, HttpMethod.HEAD);
    private static final List<String> BARE_HEALTH = List.of("/health", "/health/liveness", "/health/readiness");

    private final AccessMode mode;
    private final @Nullable AuthenticationManager callers;
    private final RefusedRequests answers;
    private final RefusalLog log;

    /** @param callers null in the mode {@code local}, where the context has the caller already */
    AreaAccess(AccessMode mode, @Nullable AuthenticationManager callers, RefusedRequests answers, RefusalLog log) {
        this.mode = mode;
        this.callers = callers;
        this.answers = answers;
        this.log = log;
    }

    /** An area with one rule for each of its operations. */
    SecurityFilterChain of(HttpSecurity http, String area, List<AccessRule> rules) {
        AccessRule.addAll(rules, authenticated(http, area));
        return http.servletApi(AbstractHttpConfigurer::disable).build();
    }

    /** The management endpoints. Bare health is open to everybody, so that probes need no token. */
    SecurityFilterChain ofManagement(HttpSecurity http, String area, String basePath) {
        String base = basePath.endsWith("/") ? basePath.substring(0, basePath.length() - 1) : basePath;
        RequestMatcher[] bareHealth = BARE_HEALTH.stream()
                .map(path -> new AccessRule(READS, base + path, List.of()))
                .flatMap(rule -> Arrays.stream(rule.matchers()))
                .toArray(RequestMatcher[]::new);
        authenticated(http, area)
                .authorizeHttpRequests(requests -> requests.requestMatchers(bareHealth)
                        .permitAll()
                        .anyRequest()
                        .hasAuthority(Role.OPERATOR.authority()));
        return http.build();
    }

    /** An area that is turned off: as if it did not exist, for every caller. */
    SecurityFilterChain absent(RequestMatcher area) {
        Filter absent = (request, response, chain) -> {
            HttpServletRequest http = (HttpServletRequest) request;
            ErrorResponseException unknown = new ErrorResponseException(HttpStatus.NOT_FOUND);
            unknown.setDetail("No resource at %s".formatted(http.getRequestURI()));
            answers.answer(http, (HttpServletResponse) response, unknown);
        };
        return new DefaultSecurityFilterChain(area, absent);
    }

    /* The server adds the headers of all answers. Without sessions, there are no requests to forge. */
    private HttpSecurity authenticated(HttpSecurity http, String area) {
        RefusedAccess refused = new RefusedAccess(area, mode, answers, log);
        http.sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .requestCache(AbstractHttpConfigurer::disable)
                .anonymous(AbstractHttpConfigurer::disable)
                .csrf(AbstractHttpConfigurer::disable)
                .headers(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .exceptionHandling(
                        handling -> handling.authenticationEntryPoint(refused).accessDeniedHandler(refused));
        AuthenticationManager known = callers;
        if (known == null) {
            return http.securityContext(context -> context.securityContextRepository(new LocalContexts()));
        }
        if (mode == AccessMode.DEMO) {
            return http.authenticationManager(known).httpBasic(basic -> basic.authenticationEntryPoint(refused));
        }
        // Spring's resource server would answer 500 while the issuer's keys cannot be read.
        BearerTokenAuthenticationFilter bearer = new BearerTokenAuthenticationFilter(known);
        bearer.setAuthenticationEntryPoint(refused);
        bearer.setAuthenticationFailureHandler(refused::commence);
        return http.addFilter(bearer);
    }
}
