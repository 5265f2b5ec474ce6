package dev.registrar.security;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Set;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** Which roles the pages of the web console are for. */
public final class ConsoleAccess {
    private static final List<Entry> ENTRIES = AccessRules.CONSOLE.stream()
            .map(rule -> new Entry(List.of(rule.matchers()), rule.authorities()))
            .toList();

    private static final List<PathPattern> PAGES = AccessRules.CONSOLE.stream()
            .filter(rule -> rule.methods().contains(HttpMethod.GET))
            .map(rule -> PathPatternParser.defaultInstance.parse(rule.pattern()))
            .toList();

    private record Entry(List<RequestMatcher> matchers, List<String> authorities) {
        boolean matches(HttpServletRequest request) {
            return matchers.stream().anyMatch(matcher -> matcher.matches(request));
        }
    }

    private ConsoleAccess() {}

    /** Adds the rules to the chain of the console, and in the mode {@code local} the caller of its requests. */
    public static void addTo(HttpSecurity http, AccessMode mode) {
        if (mode == AccessMode.LOCAL) {
            http.securityContext(context -> context.securityContextRepository(new LocalContexts()));
        }
        http.authorizeHttpRequests(requests -> AccessRules.CONSOLE_OPEN.forEach(
                open -> requests.requestMatchers(open.matchers()).permitAll()));
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
        return ENTRIES.stream()
                .filter(entry -> entry.matches(request))
                .findFirst()
                .map(entry -> roles.stream().map(Role::authority).anyMatch(entry.authorities()::contains))
                .orElse(true);
    }
}
