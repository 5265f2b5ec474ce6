package dev.registrar.security.tokens;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fetches an issuer's key set over HTTP, from the address that the issuer's metadata or a setting names. */
final class IssuerEndpoints implements IssuerKeys.Reader {
    private static final String METADATA = "/.well-known/openid-configuration";
    private static final int MAX_BYTES = 1024 * 1024;

    private final String issuer;
    private final @Nullable String keySetUri;
    private final DefaultResourceRetriever http;

    /** @param keySetUri null to read it from the issuer's metadata */
    IssuerEndpoints(String issuer, @Nullable String keySetUri, Duration timeout) {
        this.issuer = issuer;
        this.keySetUri = keySetUri;
        int millis = Math.toIntExact(timeout.toMillis());
        this.http = new DefaultResourceRetriever(millis, millis, MAX_BYTES);
    }

    @Override
    public JWKSet read() throws IOException {
        String uri = keySetUri == null ? uriInMetadata() : keySetUri;
        try {
            JWKSet keys = JWKSet.parse(get(uri));
            if (keys.isEmpty()) {
                throw new IOException("%s has no keys".formatted(uri));
            }
            return keys;
        } catch (ParseException failure) {
            throw new IOException("%s is not a key set: %s".formatted(uri, failure.getMessage()), failure);
        }
    }

    private String uriInMetadata() throws IOException {
        String uri = (issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer) + METADATA;
        try {
            Map<String, Object> metadata = JSONObjectUtils.parse(get(uri));
            String named = JSONObjectUtils.getString(metadata, "issuer");
            if (!issuer.equals(named)) {
                throw new IOException(
                        "%s is the metadata of the issuer '%s', not of '%s'".formatted(uri, named, issuer));
            }
            @Nullable String keys = JSONObjectUtils.getString(metadata, "jwks_uri");
            if (keys == null) {
                throw new IOException("%s has no jwks_uri".formatted(uri));
            }
            return keys;
        } catch (ParseException failure) {
            throw new IOException(
                    "%s is not the metadata of an issuer: %s".formatted(uri, failure.getMessage()), failure);
        }
    }

    private String get(String uri) throws IOException {
        try {
            return http.retrieveResource(URI.create(uri).toURL()).getContent();
        } catch (IllegalArgumentException malformed) {
            throw new IOException("'%s' is not a URL".formatted(uri), malformed);
        } catch (IOException failure) {
            throw new IOException("%s: %s".formatted(uri, failure), failure);
        }
    }
}
