package dev.registrar.projection;

import dev.registrar.eventstore.KebabCase;

/**
 * The generations of a follower: the live one, which look-ups read, and the next one of a view, which is built beside
 * it.
 */
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
