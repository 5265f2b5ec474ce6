package dev.registrar.security.demo;

import dev.registrar.security.LoginHint;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The password of the demo login, which is new at each start.
 *
 * @param password of all actors
 */
record DemoLogin(String password) implements LoginHint {
    static DemoLogin generate() {
        return new DemoLogin(UUID.randomUUID().toString());
    }

    @Override
    public List<String> lines(String url) {
        String persons = Arrays.stream(DemoActor.values())
                .filter(DemoActor::isPerson)
                .map(DemoActor::login)
                .collect(Collectors.joining(", "));
        return List.of(
                "%s; %s for /dcb. The password of all: %s".formatted(persons, DemoActor.MACHINE.login(), password),
                "curl -s -u office:%s %s/api/students".formatted(password, url),
                "Or log in with a browser at %s/".formatted(url));
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "DemoLogin";
    }
}
