package dev.registrar.console.live;

import java.time.Duration;

/** The events of one open page. */
public interface PageSource extends AutoCloseable {

    /**
     * The next event, or the end. Called by one thread.
     *
     * @param atMost how long to wait for a new event; not negative
     * @throws dev.registrar.eventstore.EventStoreException if the store fails; the stream ends, and the browser
     *     connects again
     */
    PageSignal next(Duration atMost) throws InterruptedException;

    /** Makes {@link #next} return the end soon. Any thread may call this method, several times. */
    @Override
    void close();
}
