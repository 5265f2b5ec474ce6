package dev.registrar.http.live;

import dev.registrar.eventstore.EventStoreException;
import dev.registrar.http.dcb.DcbEvents;
import dev.registrar.subscription.FeedSignal;
import dev.registrar.subscription.Listener;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/** An answer without an end: it lasts until the client disconnects or is too slow, or the service stops. */
final class LiveAnswer implements AutoCloseable {
    private final Listener listener;
    private final LiveFormat format;
    private final DcbEvents events;
    private final Duration heartbeat;

    LiveAnswer(Listener listener, LiveFormat format, DcbEvents events, Duration heartbeat) {
        this.listener = listener;
        this.format = format;
        this.events = events;
        this.heartbeat = heartbeat;
    }

    /**
     * Writes until the answer is closed or the feed ends it, with the reason as its last line.
     *
     * @throws EventStoreException if the store fails; the client can listen again after the last event that it received
     */
    void write(OutputStream out) throws IOException, InterruptedException {
        FeedSignal signal = listener.next(Duration.ZERO);
        while (true) {
            switch (signal) {
                case FeedSignal.Delivery(var event) ->
                    format.event(event, listener.head().at(event), events, out);
                case FeedSignal.Idle() -> format.heartbeat(out);
                case FeedSignal.End(var reason) -> {
                    format.end(reason, out);
                    out.flush();
                    return;
                }
            }
            signal = next(out);
        }
    }

    /* Flushes only if no event is ready. */
    private FeedSignal next(OutputStream out) throws IOException, InterruptedException {
        FeedSignal ready = listener.next(Duration.ZERO);
        if (!(ready instanceof FeedSignal.Idle)) {
            return ready;
        }
        out.flush();
        return listener.next(heartbeat);
    }

    /** Makes the writing thread end the answer soon. Any thread may call this. */
    @Override
    public void close() {
        listener.close();
    }
}
