package dev.registrar.http.live;

import dev.registrar.eventstore.EventStoreException;
import dev.registrar.http.dcb.DcbEvents;
import dev.registrar.subscription.FeedSignal;
import dev.registrar.subscription.Listener;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/** An answer that goes on until the client goes away, is too slow, or the service stops. */
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
     * Writes until it is closed, or has told why nothing more will come.
     *
     * @throws EventStoreException if the store fails; whoever is still there listens anew, after the last event that
     *     came
     */
    void write(OutputStream out) throws IOException, InterruptedException {
        FeedSignal heard = listener.next(Duration.ZERO);
        while (true) {
            switch (heard) {
                case FeedSignal.Delivery(var event) ->
                    format.event(event, listener.head().at(event), events, out);
                case FeedSignal.Idle() -> format.signOfLife(out);
                case FeedSignal.End(var reason) -> {
                    format.end(reason, out);
                    out.flush();
                    return;
                }
            }
            heard = nextOf(out);
        }
    }

    private FeedSignal nextOf(OutputStream out) throws IOException, InterruptedException {
        FeedSignal atOnce = listener.next(Duration.ZERO);
        if (!(atOnce instanceof FeedSignal.Idle)) {
            return atOnce;
        }
        out.flush();
        return listener.next(heartbeat);
    }

    /** Lets it end soon, whoever writes it; by whichever thread. */
    @Override
    public void close() {
        listener.close();
    }
}
