package dev.registrar.security;

import org.springframework.security.core.AuthenticationException;

/** The check of access tokens, for requests that carry one and for a browser's login alike. */
public interface AccessTokens {
    /**
     * The caller that a token names.
     *
     * @throws AuthenticationException if the token is not valid, or cannot be checked now
     */
    CallerAuthentication check(String token);
}
