package dev.registrar.security;

import org.springframework.core.env.Environment;

/** How the service knows its callers. */
public enum AccessMode {
    /** It does not: every caller is the actor {@code local}, who may do everything. */
    LOCAL,
    /** By an access token of the issuer, or of the demo login. */
    TOKENS;

    static AccessMode of(Environment environment) {
        return IssuerSettings.hasIssuer(environment) || DemoSetting.isOn(environment) ? TOKENS : LOCAL;
    }
}
