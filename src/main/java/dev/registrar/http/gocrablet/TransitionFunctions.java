package dev.registrar.http.gocrablet;

import dev.registrar.http.dcb.DeclaredProjection;
import dev.registrar.http.problem.InvalidValueException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The predefined functions that a projector may name. The code in a request is never run. */
final class TransitionFunctions {
    private static final int SHOWN_CHARACTERS = 100;

    private TransitionFunctions() {}

    /**
     * Finds a function.
     *
     * @param pointer to the function in the request
     * @throws InvalidValueException if no function has the name
     */
    static DeclaredProjection.Kind kind(String pointer, @Nullable String given) {
        if (given == null || isSource(given)) {
            return DeclaredProjection.Kind.COUNT;
        }
        return Arrays.stream(DeclaredProjection.Kind.values())
                .filter(kind -> name(kind).equals(given))
                .findAny()
                .orElseThrow(() -> new InvalidValueException(
                        pointer,
                        "is '%s', but must be one of %s, or JavaScript, which counts events"
                                .formatted(given.substring(0, Math.min(given.length(), SHOWN_CHARACTERS)), names())));
    }

    /* JavaScript, as go-crablet's clients send it; go-crablet counts events whatever the code is. */
    private static boolean isSource(String given) {
        return given.stripLeading().startsWith("function") || given.contains("=>");
    }

    private static String names() {
        return Arrays.stream(DeclaredProjection.Kind.values())
                .map(TransitionFunctions::name)
                .collect(Collectors.joining(", "));
    }

    private static String name(DeclaredProjection.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
