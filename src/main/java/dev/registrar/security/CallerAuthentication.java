package dev.registrar.security;

import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/**
 * A caller whose token or password was checked, or the caller of the mode {@code local}, as Spring Security's
 * authentication.
 */
public final class CallerAuthentication extends AbstractAuthenticationToken {
    private static final long serialVersionUID = 1L;

    /** The authority of the mode {@code local} alone: also what no rule names. */
    static final String LOCAL = "LOCAL";

    private final transient Caller caller;
    private final @Nullable Instant expires;
    private volatile boolean sessionEnded;

    private CallerAuthentication(
            Caller caller, @Nullable Instant expires, Collection<? extends GrantedAuthority> authorities) {
        super(authorities);
        this.caller = caller;
        this.expires = expires;
        super.setAuthenticated(true);
    }

    /**
     * A caller with their roles and the scopes of their token.
     *
     * @param expires when the token expires; null if there is none, so that the login does not end by itself
     */
    public static CallerAuthentication of(Caller caller, Set<Scope> scopes, @Nullable Instant expires) {
        return new CallerAuthentication(
                caller, expires, authorities(caller.roles(), scopes).toList());
    }

    /** The caller of the mode {@code local}. */
    static CallerAuthentication local() {
        Caller local = Caller.local();
        Set<Scope> scopes = new LinkedHashSet<>(Arrays.asList(Scope.values()));
        return new CallerAuthentication(
                local,
                null,
                Stream.concat(authorities(local.roles(), scopes), Stream.of(new SimpleGrantedAuthority(LOCAL)))
                        .toList());
    }

    private static Stream<SimpleGrantedAuthority> authorities(Set<Role> roles, Set<Scope> scopes) {
        return Stream.concat(
                        roles.stream().map(Role::authority), scopes.stream().map(Scope::authority))
                .map(SimpleGrantedAuthority::new);
    }

    @Override
    public Caller getPrincipal() {
        return caller;
    }

    /** When the caller's login ends. */
    public LoginEnd end() {
        return new LoginEnd(expires, () -> sessionEnded);
    }

    /** The same caller in a browser's session. */
    public CallerAuthentication inSession() {
        return new CallerAuthentication(caller, expires, getAuthorities());
    }

    /** Ends the answers that are written to the browser whose session this is. */
    public void endSession() {
        sessionEnded = true;
    }

    /** Nothing: neither a token nor a password is kept. */
    @Override
    public String getCredentials() {
        return "";
    }

    @Override
    public String getName() {
        return caller.subject();
    }
}
