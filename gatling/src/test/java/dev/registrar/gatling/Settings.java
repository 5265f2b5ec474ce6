package dev.registrar.gatling;

import java.time.Duration;
import java.util.Optional;

/** What a run is told by system properties; one that is blank was not told. */
final class Settings {
    private Settings() {}

    static Optional<String> text(String name) {
        return Optional.ofNullable(System.getProperty(name)).filter(value -> !value.isBlank());
    }

    static int number(String name, int usual) {
        return text(name).map(Integer::valueOf).orElse(usual);
    }

    /** How many users there are at a time, where the profile leaves that open. */
    static int users(int usual) {
        return number("users", usual);
    }

    /** Seconds for which users come, where the profile leaves that open. */
    static Duration duration(Duration usual) {
        return text("duration").map(Long::valueOf).map(Duration::ofSeconds).orElse(usual);
    }
}
