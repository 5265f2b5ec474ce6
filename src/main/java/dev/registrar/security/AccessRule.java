package dev.registrar.security;

import java.util.List;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;

/**
 * Who may send a request.
 *
 * @param pattern of the path
 * @param authorities one of which the caller needs
 */
record AccessRule(List<HttpMethod> methods, String pattern, List<String> authorities) {
    AccessRule {
        methods = List.copyOf(methods);
        authorities = List.copyOf(authorities);
    }

    /** Adds the rules to a chain. What none of them names is for the mode {@code local} alone. */
    static void addAll(List<AccessRule> rules, HttpSecurity http) {
        http.authorizeHttpRequests(requests -> {
            for (AccessRule rule : rules) {
                requests.requestMatchers(rule.matchers())
                        .hasAnyAuthority(rule.authorities().toArray(String[]::new));
            }
            requests.anyRequest().hasAuthority(CallerAuthentication.LOCAL);
        });
    }

    RequestMatcher[] matchers() {
        return methods.stream()
                .map(method -> PathPatternRequestMatcher.pathPattern(method, pattern))
                .toArray(RequestMatcher[]::new);
    }
}
