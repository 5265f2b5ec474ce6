package dev.registrar.console.explorer;

import java.time.Duration;

/**
 * How long a page looks through the store. A search ends after the part that it reads when its time is over, and the
 * page says how far it has come.
 *
 * @param most the time; a search reads one part at least, however short its time is
 */
record SearchTime(Duration most) {

    /**
     * The time that is left; negative after the end.
     *
     * @param started when the search began, as {@link System#nanoTime()} says it
     */
    Duration left(long started) {
        return most.minusNanos(System.nanoTime() - started);
    }
}
