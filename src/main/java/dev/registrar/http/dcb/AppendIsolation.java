package dev.registrar.http.dcb;

import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.http.problem.Problem;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The isolation level that a client requests with the header {@code X-Append-If-Isolation}. The store runs each append
 * at READ COMMITTED under its lock. That is at least as strong as each level, so the header changes nothing.
 */
public enum AppendIsolation {
    READ_COMMITTED,
    REPEATABLE_READ,
    SERIALIZABLE;

    public static final String HEADER = "X-Append-If-Isolation";
    static final String DESCRIPTION =
            "The isolation level that the client requests; also in lower case, or with a space. It changes nothing: every append is serializable";

    /**
     * Checks the value of the header.
     *
     * @param given in any case, with an underscore or a space between words; null if the request has no such header
     * @throws InvalidValueException if it names no level
     */
    public static void check(@Nullable String given) {
        if (given == null) {
            return;
        }
        String name = given.replace(' ', '_').toUpperCase(Locale.ROOT);
        if (Arrays.stream(values()).noneMatch(level -> level.name().equals(name))) {
            throw new InvalidValueException(
                    "/" + HEADER,
                    "must be one of %s, but was '%s'"
                            .formatted(
                                    Arrays.stream(values())
                                            .map(AppendIsolation::name)
                                            .collect(Collectors.joining(", ")),
                                    Problem.shown(given)));
        }
    }
}
