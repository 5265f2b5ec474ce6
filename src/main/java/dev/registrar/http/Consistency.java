package dev.registrar.http;

import org.jspecify.annotations.Nullable;

/** How current the view of a look-up must be. */
enum Consistency {
    /** As current as the request's header asks for. */
    VIEW,
    /** It has every event that was in the store when the request came. */
    STRONG;

    static final String PATTERN = "strong|view";
    static final String MESSAGE = "must be strong or view";
    static final String DESCRIPTION =
            "strong: waits until the view has every event that is stored now; view (the default): may lag behind";

    static Consistency of(@Nullable String asked) {
        return "strong".equals(asked) ? STRONG : VIEW;
    }
}
