package dev.registrar.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtDecoderInitializationException;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;

/**
 * Checks access tokens, of requests that carry one and of browsers' logins alike. The result of a successful check is
 * kept for at most {@value #KEPT_SECONDS} s and never beyond the token's expiry. So a key that the issuer withdraws
 * ends access to the service after that time.
 */
public final class CheckedTokens {
    private static final int KEPT_SECONDS = 30;
    private static final int MAX_TOKENS = 10_000;

    private final JwtDecoder decoder;
    private final TokenCallers callers;

    /** By the token's digest, so that the heap holds no token. */
    private final Cache<String, CallerAuthentication> checked = Caffeine.newBuilder()
            .maximumSize(MAX_TOKENS)
            .expireAfterWrite(Duration.ofSeconds(KEPT_SECONDS))
            .executor(Runnable::run)
            .build();

    CheckedTokens(JwtDecoder decoder, TokenCallers callers) {
        this.decoder = decoder;
        this.callers = callers;
    }

    /**
     * The caller that a token names.
     *
     * @throws AuthenticationException if the token is not valid, or cannot be checked now
     */
    public CallerAuthentication check(String token) {
        String digest = digest(token);
        CallerAuthentication known = checked.getIfPresent(digest);
        if (known != null && !known.end().isReached()) {
            return known;
        }
        CallerAuthentication caller = callers.convert(decoded(token));
        checked.put(digest, caller);
        return caller;
    }

    private Jwt decoded(String token) {
        try {
            return decoder.decode(token);
        } catch (BadJwtException bad) {
            throw new InvalidBearerTokenException("The token is not valid", bad);
        } catch (JwtException | JwtDecoderInitializationException unavailable) {
            throw new AuthenticationServiceException("The issuer's keys cannot be read", unavailable);
        }
    }

    private static String digest(String token) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
