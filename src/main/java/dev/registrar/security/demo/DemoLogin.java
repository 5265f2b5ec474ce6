package dev.registrar.security.demo;

import dev.registrar.security.LoginHint;
import dev.registrar.security.OwnCertificate;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.core.env.Environment;

/**
 * The names of the demo login, and the password that is new at each start.
 *
 * @param issuer of the tokens
 * @param password of all users and clients
 */
record DemoLogin(String issuer, String password) implements LoginHint {
    /** The audience of the demo's access tokens. */
    static final String AUDIENCE = "registrar-demo";

    /** The client with the scopes of the store's own API, and no role. */
    static final String MACHINE = "machine";

    private static final int PASSWORD_BYTES = 12;

    static DemoLogin generate(Environment environment) {
        byte[] password = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(password);
        return new DemoLogin(issuer(environment), HexFormat.of().formatHex(password));
    }

    /* The issuer is the same by whatever name a caller reaches the service, since events record it. */
    private static String issuer(Environment environment) {
        int port = environment.getProperty("server.port", Integer.class, 8080);
        String host = scheme(environment) + "://localhost";
        return port == 0 ? host : host + ":" + port;
    }

    /** The scheme of the service's port. */
    static String scheme(Environment environment) {
        return OwnCertificate.tls(environment).isPresent() ? "https" : "http";
    }

    @Override
    public List<String> lines(String url) {
        String actors = Arrays.stream(DemoActor.values()).map(DemoActor::login).collect(Collectors.joining(", "));
        return List.of(
                "%s; %s for /dcb. The password of all: %s".formatted(actors, MACHINE, password),
                "curl -s -u office:%s %s/oauth2/token -d grant_type=client_credentials".formatted(password, url),
                "Send the access_token of the answer in the header Authorization: Bearer TOKEN",
                "Or log in with a browser at %s/".formatted(url));
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "DemoLogin[issuer=%s]".formatted(issuer);
    }
}
