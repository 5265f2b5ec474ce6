package dev.registrar.security;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** The settings that name the issuer of the access tokens. They are Spring Boot's. */
final class IssuerSettings {
    static final String ISSUER = "spring.security.oauth2.resourceserver.jwt.issuer-uri";
    static final String AUDIENCES = "spring.security.oauth2.resourceserver.jwt.audiences";

    private static final String KEYS = "spring.security.oauth2.resourceserver.jwt.jwk-set-uri";

    private static final Pattern ON_THIS_MACHINE = Pattern.compile(
            "http://(([a-z0-9-]+\\.)*localhost|127(\\.[0-9]{1,3}){3}|\\[::1])\\.?([:/?#]|$)", Pattern.CASE_INSENSITIVE);

    /** Settings that mean tokens, but do not name who issued them. */
    private static final List<String> WITHOUT_ISSUER = List.of(
            KEYS,
            "spring.security.oauth2.resourceserver.jwt.public-key-location",
            "spring.security.oauth2.resourceserver.opaquetoken.introspection-uri",
            "spring.security.oauth2.client.registration.registrar.client-id");

    private IssuerSettings() {}

    static boolean hasIssuer(Environment environment) {
        return !text(Binder.get(environment), ISSUER).isBlank();
    }

    /**
     * Refuses an issuer without an audience, and keys without an issuer.
     *
     * @throws RefusedStartException if tokens for other services, or of other issuers, would be accepted
     */
    static void check(Environment environment) {
        Binder binder = Binder.get(environment);
        if (hasIssuer(environment)) {
            checkAudiences(binder);
            return;
        }
        for (String setting : WITHOUT_ISSUER) {
            if (!text(binder, setting).isBlank()) {
                throw new RefusedStartException(
                        "%s is set but %s is not: the service would not check who issued a token."
                                .formatted(setting, ISSUER),
                        "Set %s to the URL of the issuer and %s to the audience of this service's tokens."
                                .formatted(ISSUER, AUDIENCES));
            }
        }
    }

    /** Those of the URLs from which keys arrive unprotected: over plain HTTP, from another machine. */
    static List<String> unprotected(Environment environment) {
        Binder binder = Binder.get(environment);
        return Stream.of(ISSUER, KEYS)
                .filter(setting -> isPlainHttpElsewhere(text(binder, setting)))
                .toList();
    }

    /* A name is not looked up. Names below localhost are this machine, too (RFC 6761). */
    private static boolean isPlainHttpElsewhere(String url) {
        return url.regionMatches(true, 0, "http://", 0, 7)
                && !ON_THIS_MACHINE.matcher(url).lookingAt();
    }

    private static void checkAudiences(Binder binder) {
        List<String> audiences =
                binder.bind(AUDIENCES, Bindable.listOf(String.class)).orElse(List.of());
        if (audiences.stream().allMatch(String::isBlank)) {
            throw new RefusedStartException(
                    "%s is set but %s is not: tokens that the issuer made for other services would be accepted."
                            .formatted(ISSUER, AUDIENCES),
                    "Set %s to the audience that the issuer writes into the tokens for this service."
                            .formatted(AUDIENCES));
        }
    }

    private static String text(Binder binder, String setting) {
        return binder.bind(setting, String.class).orElse("");
    }
}
