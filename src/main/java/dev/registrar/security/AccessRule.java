package dev.registrar.security;

import java.util.List;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.OrRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;

/**
 * Who may send a request.
 *
 * @param pattern of the path
 * @param authorities one of which the caller needs
 * @param requests which have one of the methods and a path of the pattern
 */
record AccessRule(List<HttpMethod> methods, String pattern, List<String> authorities, RequestMatcher requests) {
    AccessRule(List<HttpMethod> methods, String pattern, List<String> authorities) {
        this(List.copyOf(methods), pattern, List.copyOf(authorities), requests(methods, pattern));
    }

    private static RequestMatcher requests(List<HttpMethod> methods, String pattern) {
        return new OrRequestMatcher(methods.stream()
                .<RequestMatcher>map(method -> PathPatternRequestMatcher.pathPattern(method, pattern))
                .toList());
    }

    /** Adds the rules to a chain. What none of them names is for the mode {@code local} alone. */
    static void addAll(List<AccessRule> rules, HttpSecurity http) {
        http.authorizeHttpRequests(requests -> {
            for (AccessRule rule : rules) {
                requests.requestMatchers(rule.requests())
                        .hasAnyAuthority(rule.authorities().toArray(String[]::new));
            }
            requests.anyRequest().hasAuthority(CallerAuthentication.LOCAL);
        });
    }
}
