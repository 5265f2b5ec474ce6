package dev.registrar.projection;

import dev.registrar.eventstore.KebabCase;

/** Which of a follower's two builds: the one that is read, or the one that is made beside it. */
enum Generation {
    LIVE,
    NEXT;

    String text() {
        return KebabCase.of(this);
    }

    static Generation of(String text) {
        return KebabCase.parse(Generation.class, text);
    }
}
