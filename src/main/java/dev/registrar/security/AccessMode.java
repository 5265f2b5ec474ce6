package dev.registrar.security;

import org.springframework.core.env.Environment;

/** How the service knows its callers. */
public enum AccessMode {
    /** It does not: every caller is the actor {@code local}, who may do everything. */
    LOCAL,
    /** By name and password of the demo login. For callers on this machine only. */
    DEMO,
    /** By an access token of the issuer. */
    TOKENS;

    static AccessMode of(Environment environment) {
        if (IssuerSettings.hasIssuer(environment)) {
            return TOKENS;
        }
        return DemoSetting.isOn(environment) ? DEMO : LOCAL;
    }
}
