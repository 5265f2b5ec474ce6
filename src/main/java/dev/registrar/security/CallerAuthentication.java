package dev.registrar.security;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
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
        return new CallerAuthentication(caller, expires, authorities(caller, scopes));
    }

    /** The caller of the mode {@code local}. */
    static CallerAuthentication local() {
        Caller local = Caller.local();
        List<GrantedAuthority> all = authorities(local, Set.of(Scope.values()));
        all.add(new SimpleGrantedAuthority(LOCAL));
        return new CallerAuthentication(local, null, all);
    }

    private static List<GrantedAuthority> authorities(Caller caller, Set<Scope> scopes) {
        List<GrantedAuthority> authorities = new ArrayList<>();
        caller.roles().forEach(role -> authorities.add(new SimpleGrantedAuthority(role.authority())));
        scopes.forEach(scope -> authorities.add(new SimpleGrantedAuthority(scope.authority())));
        return authorities;
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
