package dev.registrar.security;

import static org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher.pathPattern;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.security.web.firewall.StrictHttpFirewall;
import org.springframework.security.web.util.matcher.OrRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;

/**
 * A filter chain for each area of the service but the console, and a last one for all other requests. The areas are
 * stateless: each request has a token or a password, or the caller is the actor {@code local}. What no rule names is
 * denied.
 */
@Configuration(proxyBeanMethods = false)
class AccessConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(AccessConfiguration.class);

    private final AccessMode mode;
    private final @Nullable AuthenticationManager callers;
    private final Refusals refusals;

    /** There are tokens with an issuer, passwords with the demo login, and neither in the mode {@code local}. */
    AccessConfiguration(
            Environment environment,
            ObjectProvider<CheckedTokens> tokens,
            ObjectProvider<AuthenticationManager> passwords,
            Refusals refusals) {
        this.mode = AccessMode.of(environment);
        this.callers = mode == AccessMode.TOKENS ? bearers(tokens.getObject()) : passwords.getIfAvailable();
        this.refusals = refusals;
    }

    private static AuthenticationManager bearers(CheckedTokens tokens) {
        return request -> tokens.check(((BearerTokenAuthenticationToken) request).getToken());
    }

    @Bean
    static AccessMode accessMode(Environment environment) {
        return AccessMode.of(environment);
    }

    /**
     * Of every chain. Without an issuer, the service is for this machine, and web pages in its browsers must not use
     * it.
     */
    @Bean
    Customizer<HttpSecurity> localRequests(SecuritySettings settings, Environment environment) {
        if (mode == AccessMode.TOKENS) {
            return http -> {};
        }
        if (mode == AccessMode.LOCAL) {
            LOG.warn(
                    "Mode local: the service does not ask who is calling{}",
                    settings.allowNetworkWithoutLogin() ? ", and other machines may reach it" : "");
        }
        LocalRequestFilter filter =
                new LocalRequestFilter(AllowedHosts.of(settings.allowedHosts(), environment), mode, refusals);
        return http -> http.addFilterAfter(filter, SecurityContextHolderFilter.class);
    }

    @Bean
    @Order(100)
    SecurityFilterChain apiAccess(HttpSecurity http) {
        return area(http.securityMatcher("/api/**"), "api", AccessRules.API);
    }

    @Bean
    @Order(200)
    SecurityFilterChain storeAccess(HttpSecurity http, SecuritySettings settings) {
        RequestMatcher paths = new OrRequestMatcher(pathPattern("/dcb/**"), pathPattern("/go-crablet/**"));
        return mode == AccessMode.LOCAL || settings.dcbEnabled()
                ? area(http.securityMatcher(paths), "store", AccessRules.STORE)
                : absent(paths, "store");
    }

    /** The management endpoints. Bare health is open to everybody, so that probes need no token. */
    @Bean
    @Order(400)
    SecurityFilterChain managementAccess(HttpSecurity http, WebEndpointProperties endpoints) {
        RequestMatcher[] bareHealth = Stream.of("/health", "/health/liveness", "/health/readiness")
                .map(path -> pathPattern(endpoints.getBasePath() + path))
                .toArray(RequestMatcher[]::new);
        return stateless(http.securityMatcher(EndpointRequest.toAnyEndpoint()), "management")
                .authorizeHttpRequests(requests -> requests.requestMatchers(bareHealth)
                        .permitAll()
                        .anyRequest()
                        .hasAuthority(Role.OPERATOR.authority()))
                .build();
    }

    /** The API's description, and what nothing else names. */
    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    SecurityFilterChain otherAccess(HttpSecurity http) {
        return area(http, "other", AccessRules.DESCRIPTION);
    }

    private SecurityFilterChain area(HttpSecurity http, String area, List<AccessRule> rules) {
        AccessRule.addAll(rules, stateless(http, area).servletApi(AbstractHttpConfigurer::disable));
        return http.build();
    }

    /* The server adds the headers of all answers. Without sessions, there are no requests to forge. */
    private HttpSecurity stateless(HttpSecurity http, String area) {
        RefusedAccess refused = new RefusedAccess(area, mode, refusals);
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
            return http;
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

    /* An area that is turned off: as if it did not exist, for every caller. */
    private SecurityFilterChain absent(RequestMatcher paths, String area) {
        return new DefaultSecurityFilterChain(paths, (request, response, chain) -> {
            HttpServletRequest http = (HttpServletRequest) request;
            String detail = "No resource at %s".formatted(http.getRequestURI());
            refusals.refuse(http, (HttpServletResponse) response, HttpStatus.NOT_FOUND, area, "turned-off", detail);
        });
    }

    /** None for each filter and each decision: the observation of the request has its status. */
    @Bean
    static SecurityObservationSettings securityObservationSettings() {
        return SecurityObservationSettings.noObservations();
    }

    /**
     * Refuses targets that two components could read differently. Tomcat has checked method and headers, and operations
     * check their parameters.
     */
    @Bean
    static HttpFirewall httpFirewall() {
        StrictHttpFirewall firewall = new StrictHttpFirewall();
        firewall.setUnsafeAllowAnyHttpMethod(true);
        firewall.setAllowedHeaderNames(name -> true);
        firewall.setAllowedHeaderValues(value -> true);
        firewall.setAllowedParameterNames(name -> true);
        return firewall;
    }

    @Bean
    RequestRejectedHandler malformedTargets() {
        return (request, response, rejection) -> refusals.refuse(
                request,
                response,
                HttpStatus.BAD_REQUEST,
                "any",
                "malformed-target",
                "The path is malformed: it must not have a semicolon, a double slash, or an escaped slash, backslash, percent sign or control character");
    }
}
