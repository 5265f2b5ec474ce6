package dev.registrar.security;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** How the service knows its callers. */
public enum AccessMode {
    /** It does not: every caller is the actor {@code local}, who may do everything. */
    LOCAL,
    /** By name and password of the demo login. For callers on this machine only. */
    DEMO,
    /** By an access token of the issuer. */
    TOKENS;

    static final String ISSUER = "spring.security.oauth2.resourceserver.jwt.issuer-uri";
    static final String DEMO_LOGIN = "registrar.demo-login";

    static AccessMode of(Environment environment) {
        Binder settings = Binder.get(environment);
        if (!settings.bind(ISSUER, String.class).orElse("").isBlank()) {
            return TOKENS;
        }
        return settings.bind(DEMO_LOGIN, Boolean.class).orElse(false) ? DEMO : LOCAL;
    }
}
