package dev.registrar.security;

import static org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher.pathPattern;

import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.security.web.firewall.StrictHttpFirewall;
import org.springframework.security.web.util.matcher.OrRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.ErrorResponseException;

/**
 * A filter chain for each area of the service but the console, and a last one for all other requests. What no rule
 * names is denied.
 */
@Configuration(proxyBeanMethods = false)
class AccessConfiguration {

    @Bean
    AccessMode accessMode(Environment environment) {
        return AccessMode.of(environment);
    }

    /** There are tokens with an issuer, passwords with the demo login, and neither in the mode {@code local}. */
    @Bean
    AreaAccess areaAccess(
            AccessMode mode,
            ObjectProvider<CheckedTokens> tokens,
            ObjectProvider<AuthenticationManager> passwords,
            RefusedRequests answers,
            RefusalLog log) {
        CheckedTokens checked = tokens.getIfAvailable();
        AuthenticationManager callers = checked == null
                ? passwords.getIfAvailable()
                : request -> checked.check(((BearerTokenAuthenticationToken) request).getToken());
        return new AreaAccess(mode, callers, answers, log);
    }

    @Bean
    @Order(100)
    SecurityFilterChain apiAccess(HttpSecurity http, AreaAccess access) {
        http.securityMatcher("/api/**");
        return access.of(http, "api", AccessRules.API);
    }

    @Bean
    @Order(200)
    SecurityFilterChain storeAccess(HttpSecurity http, AreaAccess access, AccessMode mode, SecuritySettings settings) {
        RequestMatcher paths = new OrRequestMatcher(pathPattern("/dcb/**"), pathPattern("/go-crablet/**"));
        return mode == AccessMode.LOCAL || settings.dcbEnabled()
                ? access.of(http.securityMatcher(paths), "store", AccessRules.STORE)
                : access.absent(paths);
    }

    @Bean
    @Order(300)
    SecurityFilterChain descriptionAccess(HttpSecurity http, AreaAccess access) {
        http.securityMatcher("/v3/api-docs", "/v3/api-docs.yaml", "/swagger-ui.html", "/swagger-ui/**");
        return access.of(http, "description", AccessRules.DESCRIPTION);
    }

    @Bean
    @Order(400)
    SecurityFilterChain managementAccess(
            HttpSecurity http,
            AreaAccess access,
            @Value("${management.endpoints.web.base-path:/actuator}") String basePath) {
        http.securityMatcher(EndpointRequest.toAnyEndpoint());
        return access.ofManagement(http, "management", basePath);
    }

    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    SecurityFilterChain noAccess(HttpSecurity http, AreaAccess access) {
        return access.of(http, "other", List.of());
    }

    /** None for each filter and each decision: the observation of the request has its status. */
    @Bean
    SecurityObservationSettings securityObservationSettings() {
        return SecurityObservationSettings.noObservations();
    }

    /**
     * Refuses targets that two components could read differently. Tomcat has checked method and headers, and operations
     * check their parameters.
     */
    @Bean
    HttpFirewall httpFirewall() {
        StrictHttpFirewall firewall = new StrictHttpFirewall();
        firewall.setUnsafeAllowAnyHttpMethod(true);
        firewall.setAllowedHeaderNames(name -> true);
        firewall.setAllowedHeaderValues(value -> true);
        firewall.setAllowedParameterNames(name -> true);
        return firewall;
    }

    @Bean
    RequestRejectedHandler malformedTargets(RefusedRequests answers, RefusalLog log) {
        return (request, response, rejection) -> {
            ErrorResponseException malformed = new ErrorResponseException(HttpStatus.BAD_REQUEST);
            malformed.setDetail(
                    "The path is malformed: it must not have a semicolon, a double slash, or an escaped slash, backslash, percent sign or control character");
            log.refused(request.getMethod(), "any", HttpStatus.BAD_REQUEST, "malformed-target");
            answers.answer(request, response, malformed);
        };
    }
}
