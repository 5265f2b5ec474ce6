package dev.registrar.security;

import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * The person or machine that sent the request.
 *
 * @param issuer of the token, {@code demo} for the demo login, or {@value #LOCAL}
 * @param subject the caller's name at the issuer, or at the demo login
 * @param client the program that the caller uses, if the token names it
 * @param student the id of the caller's own student, if the token names one
 * @param roles none for a machine client
 */
public record Caller(
        String issuer,
        String subject,
        @Nullable String client,
        @Nullable String student,
        Set<Role> roles) {
    /** The issuer, and the subject, of the caller in the mode {@code local}. */
    public static final String LOCAL = "local";

    public Caller {
        roles = Set.copyOf(roles);
    }

    /** The only caller of the mode {@code local}: it has every role. */
    public static Caller local() {
        return new Caller(LOCAL, LOCAL, null, null, Set.copyOf(Arrays.asList(Role.values())));
    }

    /**
     * The caller of the request that this thread handles.
     *
     * @throws IllegalStateException if the thread handles no request, or one whose caller is not known
     */
    public static Caller current() {
        if (SecurityContextHolder.getContext().getAuthentication() instanceof CallerAuthentication known) {
            return known.getPrincipal();
        }
        throw new IllegalStateException("This thread handles no request of a known caller");
    }

    public boolean has(Role role) {
        return roles.contains(role);
    }

    /** Whether this is the caller of the mode {@code local}. No issuer of tokens has this name, since it is a URL. */
    public boolean isLocal() {
        return LOCAL.equals(issuer);
    }
}
