package dev.registrar.security.demo;

import static java.util.Objects.requireNonNull;

import dev.registrar.security.SecuritySettings;
import java.util.List;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;

/** The claims of the demo's tokens, under the names that the service reads. */
final class DemoClaims {
    private DemoClaims() {}

    static void add(JwtEncodingContext context, SecuritySettings settings) {
        JwtClaimsSet.Builder claims = context.getClaims();
        if (OAuth2TokenType.ACCESS_TOKEN.equals(context.getTokenType())) {
            claims.audience(List.of(DemoLogin.AUDIENCE));
            claims.claim("client_id", context.getRegisteredClient().getClientId());
        }
        Authentication caller = requireNonNull(context.getPrincipal());
        DemoActor.of(caller.getName()).ifPresent(actor -> {
            claims.claim(settings.rolesClaim(), List.of(actor.role().claim()));
            if (actor.student() != null) {
                claims.claim(settings.studentClaim(), actor.student());
            }
        });
    }
}
