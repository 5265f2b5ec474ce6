package dev.registrar.gatling;

import java.time.Duration;
import java.util.Optional;

/** The options of a run, from system properties. A blank property counts as absent. */
final class Settings {
    private Settings() {}

    static Optional<String> text(String name) {
        return Optional.ofNullable(System.getProperty(name)).filter(value -> !value.isBlank());
    }

    static int number(String name, int usual) {
        return text(name).map(Integer::valueOf).orElse(usual);
    }

    /** The number of concurrent users, for profiles that do not fix it. */
    static int users(int usual) {
        return number("users", usual);
    }

    /** The time in which users arrive, in seconds, for profiles that do not fix it. */
    static Duration duration(Duration usual) {
        return text("duration").map(Long::valueOf).map(Duration::ofSeconds).orElse(usual);
    }
}
