package dev.registrar.projection;

import java.util.Locale;

/** Which of a follower's two builds: the one that is read, or the one that is made beside it. */
enum Generation {
    LIVE,
    NEXT;

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Generation of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
