package dev.registrar.eventstore;

import java.util.List;

/**
 * Receives the events that this process has just appended. This is a hint that there is something to read, not a
 * delivery. Appends of other processes, and appends with an unknown outcome, are not reported. A listener must
 * therefore also poll.
 */
@FunctionalInterface
public interface AppendListener {

    /** Receives committed events, on the thread that appended them. It must return at once and must not throw. */
    void appended(List<Event> events);
}
