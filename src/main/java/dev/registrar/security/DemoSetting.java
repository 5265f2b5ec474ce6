package dev.registrar.security;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * The setting {@code registrar.demo-login}: persons and a password that everybody may know, so on this machine only.
 */
final class DemoSetting {
    static final String NAME = "registrar.demo-login";

    private DemoSetting() {}

    static boolean isOn(Environment environment) {
        return Binder.get(environment).bind(NAME, Boolean.class).orElse(false);
    }

    /**
     * Refuses the demo login on an address that other machines can reach, and beside an issuer.
     *
     * @throws RefusedStartException if the demo login must not be used here
     */
    static void check(Environment environment) {
        if (!isOn(environment)) {
            return;
        }
        if (IssuerSettings.hasIssuer(environment)) {
            throw new RefusedStartException(
                    "%s=true has a login of its own, but %s is set as well.".formatted(NAME, IssuerSettings.ISSUER),
                    "Remove one of the two settings: the demo login is for trying the service without an issuer.");
        }
        ListeningAddresses.all(Binder.get(environment)).forEach((setting, address) -> {
            if (address == null || !address.isLoopbackAddress()) {
                throw new RefusedStartException(
                        "%s=true is for this machine only, but with %s=%s other machines could reach the service."
                                .formatted(NAME, setting, address == null ? "" : address.getHostAddress()),
                        "Set %s to a loopback address such as 127.0.0.1, or replace the demo login by an issuer: set %s and %s."
                                .formatted(setting, IssuerSettings.ISSUER, IssuerSettings.AUDIENCES));
            }
        });
    }
}
