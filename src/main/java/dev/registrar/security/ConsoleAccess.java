package dev.registrar.security;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Set;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** Which roles the pages of the web console are for. */
public final class ConsoleAccess {
    private static final List<PathPattern> PAGES = AccessRules.CONSOLE.stream()
            .filter(rule -> rule.methods().contains(HttpMethod.GET))
            .map(rule -> PathPatternParser.defaultInstance.parse(rule.pattern()))
            .toList();

    private ConsoleAccess() {}

    /** Adds the rules to the chain of the console. */
    public static void addTo(HttpSecurity http) {
        http.authorizeHttpRequests(requests -> AccessRules.CONSOLE_OPEN.forEach(
                open -> requests.requestMatchers(open.requests()).permitAll()));
        AccessRule.addAll(AccessRules.CONSOLE, http);
    }

    /**
     * Whether a browser can open a path of the console: one that takes forms only is no page.
     *
     * @param path encoded, and without the context path
     */
    public static boolean isPage(String path) {
        PathContainer segments = PathContainer.parsePath(path);
        return PAGES.stream().anyMatch(page -> page.matches(segments));
    }

    /** Whether a request is for a page of one of these roles, or for a page that is not for certain roles. */
    public static boolean allows(Set<Role> roles, HttpServletRequest request) {
        return AccessRules.CONSOLE.stream()
                .filter(rule -> rule.requests().matches(request))
                .findFirst()
                .map(rule -> roles.stream().map(Role::authority).anyMatch(rule.authorities()::contains))
                .orElse(true);
    }
}
