package dev.registrar.security;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Set;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.util.matcher.RequestMatcher;

/** Which roles the pages of the web console are for. */
public final class ConsoleAccess {
    private static final List<Entry> ENTRIES = AccessRules.CONSOLE.stream()
            .map(rule -> new Entry(List.of(rule.matchers()), rule.authorities()))
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

    /** Whether a request is for a page of one of these roles, or for a page that is not for certain roles. */
    public static boolean allows(Set<Role> roles, HttpServletRequest request) {
        return ENTRIES.stream()
                .filter(entry -> entry.matches(request))
                .findFirst()
                .map(entry -> roles.stream().map(Role::authority).anyMatch(entry.authorities()::contains))
                .orElse(true);
    }
}
