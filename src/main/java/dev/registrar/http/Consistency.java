package dev.registrar.http;

import org.jspecify.annotations.Nullable;

/** The query parameter of a look-up: answer from a view, or fold the events of the store, which is slower. */
final class Consistency {
    static final String PATTERN = "strong|view";
    static final String DESCRIPTION = "strong: folded from the store now; view (the default): as the view has it";

    private Consistency() {}

    static boolean isStrong(@Nullable String asked) {
        return "strong".equals(asked);
    }
}
