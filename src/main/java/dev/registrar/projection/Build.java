package dev.registrar.projection;

import java.util.Locale;

/** Which of a follower's two builds: the one that is read, or the one that is made beside it. */
enum Build {
    LIVE,
    NEXT;

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Build of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
