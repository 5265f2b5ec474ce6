package dev.registrar.eventstore;

import java.util.List;

/**
 * Receives the events that this process has just appended: a hint that there is something to read, not a delivery.
 * Appends of other processes are not reported, nor is an append whose outcome is unknown, so a listener also polls.
 */
@FunctionalInterface
public interface AppendListener {

    /** Receives committed events, on the thread that appended them. It must return at once and must not throw. */
    void appended(List<Event> events);
}
