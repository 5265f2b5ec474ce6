package dev.registrar.http;

import org.jspecify.annotations.Nullable;

/** How current a look-up is to be: as its view is, or folded from the store, which is slower. */
final class Consistency {
    static final String PATTERN = "strong|view";
    static final String DESCRIPTION = "strong: as the store has it now; view, the default: as its view has it";

    private Consistency() {}

    static boolean isStrong(@Nullable String asked) {
        return "strong".equals(asked);
    }
}
