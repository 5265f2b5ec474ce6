package dev.registrar.security.tokens;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fetches an issuer's public keys from the address that a setting or the issuer's metadata names. */
public final class IssuerKeys implements JWKSetSource<SecurityContext> {
    private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);
    private static final String METADATA = "/.well-known/openid-configuration";
    private static final int MAX_BYTES = 1024 * 1024;

    private final String issuer;
    private final @Nullable String keySetUri;
    private final DefaultResourceRetriever http;
    private volatile boolean available;

    private IssuerKeys(String issuer, @Nullable String keySetUri, int timeoutMillis) {
        this.issuer = issuer;
        this.keySetUri = keySetUri;
        this.http = new DefaultResourceRetriever(timeoutMillis, timeoutMillis, MAX_BYTES);
    }

    /**
     * The keys, fetched when a token needs them, and kept for a bounded time while the issuer is down. Neither a client
     * that sends tokens of invented keys nor an issuer that is down costs more than two attempts in each pause.
     *
     * @param keySetUri null to read it from the issuer's metadata
     * @throws IllegalArgumentException if the keys would be older than their refresh before they may be fetched again
     */
    public static JWKSource<SecurityContext> of(String issuer, @Nullable String keySetUri, TokenSettings settings) {
        if (settings.keyPause().compareTo(settings.keyRefresh()) >= 0) {
            throw new IllegalArgumentException(
                    "registrar.security.tokens.key-pause (%s ms) must be shorter than registrar.security.tokens.key-refresh (%s ms)"
                            .formatted(
                                    settings.keyPause().toMillis(),
                                    settings.keyRefresh().toMillis()));
        }
        long timeout = settings.keyTimeout().toMillis();
        IssuerKeys fetched = new IssuerKeys(issuer, keySetUri, Math.toIntExact(timeout));
        JWKSource<SecurityContext> kept = JWKSourceBuilder.create(fetched)
                // The others wait while one thread fetches: the metadata and the keys, each with two time-outs.
                .cache(settings.keyRefresh().toMillis(), 4 * timeout)
                .refreshAheadCache(false)
                .rateLimited(settings.keyPause().toMillis())
                .outageTolerant(settings.keyRetention().toMillis())
                .build();
        return (selector, context) -> {
            List<JWK> found = List.of();
            try {
                found = kept.get(selector, context);
            } catch (RateLimitReachedException tooSoon) {
                // The key is not among those that were fetched last.
            }
            // Invalid if the issuer has just said which keys it has. After a failed attempt, the key may be new.
            if (found.isEmpty() && !fetched.available) {
                throw new JWKSetUnavailableException("The issuer's keys cannot be fetched");
            }
            return found;
        };
    }

    /** @throws JWKSetUnavailableException if the issuer does not answer, or not with its key set */
    @Override
    public JWKSet getJWKSet(JWKSetCacheRefreshEvaluator evaluator, long now, @Nullable SecurityContext context)
            throws JWKSetUnavailableException {
        try {
            String uri = keySetUri == null ? uriInMetadata() : keySetUri;
            JWKSet keys = JWKSet.parse(get(uri));
            if (keys.isEmpty()) {
                throw new IOException("%s has no keys".formatted(uri));
            }
            available = true;
            return keys;
        } catch (IOException | ParseException | IllegalArgumentException failure) {
            available = false;
            LOG.warn("The keys of the issuer {} cannot be fetched: {}", issuer, failure.getMessage());
            throw new JWKSetUnavailableException("The issuer's keys cannot be fetched", failure);
        }
    }

    private String uriInMetadata() throws IOException, ParseException {
        String uri = (issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer) + METADATA;
        Map<String, Object> metadata = JSONObjectUtils.parse(get(uri));
        String named = JSONObjectUtils.getString(metadata, "issuer");
        @Nullable String keys = JSONObjectUtils.getString(metadata, "jwks_uri");
        if (!issuer.equals(named) || keys == null) {
            throw new IOException(
                    "%s is the metadata of the issuer '%s' with keys at '%s'".formatted(uri, named, keys));
        }
        return keys;
    }

    private String get(String uri) throws IOException {
        return http.retrieveResource(URI.create(uri).toURL()).getContent();
    }

    @Override
    public void close() {
        // Nothing is open between two attempts.
    }
}
