package dev.registrar.http;

import org.jspecify.annotations.Nullable;

/** The query parameter of a look-up: read a view, or fold the stored events, which is slower. */
final class Consistency {
    static final String PATTERN = "strong|view";
    static final String DESCRIPTION =
            "strong: folds the stored events; view (the default): reads the view, which may lag behind";

    private Consistency() {}

    static boolean isStrong(@Nullable String asked) {
        return "strong".equals(asked);
    }
}
