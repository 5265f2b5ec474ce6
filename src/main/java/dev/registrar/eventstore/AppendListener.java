package dev.registrar.eventstore;

import java.util.List;

/**
 * Is told of what this process has just appended: a hint that there is something to read, and no delivery. Appends of
 * other processes are not told, nor is one whose outcome is unknown, so whoever listens looks by itself, too, now and
 * then.
 */
@FunctionalInterface
public interface AppendListener {

    /** Events that are committed by now. Called by the thread that appended them: returns at once and never throws. */
    void appended(List<Event> events);
}
