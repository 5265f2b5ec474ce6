package dev.registrar.security.tokens;

import com.nimbusds.jose.jwk.JWKSet;
import java.io.IOException;

/** Fetches the present key set of an issuer. */
@FunctionalInterface
interface KeySetReader {
    /**
     * The key set.
     *
     * @throws IOException if the issuer does not answer, or not with its key set
     */
    JWKSet read() throws IOException;
}
