package dev.registrar.security.session;

import org.springframework.security.oauth2.client.oidc.authentication.OidcIdTokenValidator;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;

/** Checks an ID token: as every token, and by the rules of OpenID Connect for its client. */
public final class IdTokens implements JwtDecoder {
    private final JwtDecoder tokens;
    private final OidcIdTokenValidator rules;

    /** @param tokens checks signature, issuer, audience and times */
    public IdTokens(JwtDecoder tokens, ClientRegistration client) {
        this.tokens = tokens;
        this.rules = new OidcIdTokenValidator(client);
    }

    @Override
    public Jwt decode(String token) {
        Jwt decoded = tokens.decode(token);
        OAuth2TokenValidatorResult result = rules.validate(decoded);
        if (result.hasErrors()) {
            throw new BadJwtException("The ID token breaks a rule: %s"
                    .formatted(result.getErrors().iterator().next().getDescription()));
        }
        return decoded;
    }
}
