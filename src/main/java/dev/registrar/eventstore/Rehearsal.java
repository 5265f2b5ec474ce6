package dev.registrar.eventstore;

import java.util.function.Consumer;

/**
 * Lets work be done with the store in earnest and takes all of it back: nobody ever sees an event of it. Once it has
 * appended, the work keeps all other appends waiting until it ends, so it is to take milliseconds. Appends with
 * resource locks are not for rehearsals: they end their transaction themselves.
 */
public interface Rehearsal {

    /**
     * Does the work once.
     *
     * @throws EventStoreException if the database failed
     */
    void once(Consumer<EventStore> work);

    /**
     * Does the work once on each of the store's connections, and opens those that are not open yet, as long as there is
     * time.
     *
     * @param end after which no other connection begins, as {@link System#nanoTime()}
     * @throws EventStoreException if the database failed
     */
    void onEachConnection(Consumer<EventStore> work, long end);
}
