package dev.registrar.http.live;

import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.http.dcb.DcbEvents;
import dev.registrar.security.LoginEnd;
import dev.registrar.subscription.FeedSignal;
import dev.registrar.subscription.Listener;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/**
 * An answer without an end of its own: it lasts until the client disconnects or reads too slowly, the caller's login
 * ends, or the service stops.
 */
final class LiveAnswer implements LiveBody {
    private final Listener listener;
    private final LiveFormat format;
    private final DcbEvents events;
    private final Duration heartbeat;
    private final LoginEnd login;

    LiveAnswer(Listener listener, LiveFormat format, DcbEvents events, Duration heartbeat, LoginEnd login) {
        this.listener = listener;
        this.format = format;
        this.events = events;
        this.heartbeat = heartbeat;
        this.login = login;
    }

    /**
     * Writes until the answer is closed, the login ends or the feed ends it, with the reason as its last line.
     *
     * @throws EventStoreException if the store fails; the client can listen again after the last event that it received
     */
    @Override
    public void write(OutputStream out) throws IOException, InterruptedException {
        FeedSignal signal = listener.next(Duration.ZERO);
        while (!login.isReached()) {
            switch (signal) {
                case FeedSignal.Delivery(var event) ->
                    format.event(event, listener.head().at(event), events, out);
                case FeedSignal.Idle() -> format.heartbeat(out);
                case FeedSignal.End(var reason) -> {
                    end(KebabCase.of(reason).replace('-', ' '), out);
                    return;
                }
            }
            signal = next(out);
        }
        end("the login has expired", out);
    }

    private void end(String reason, OutputStream out) throws IOException {
        format.end(reason, out);
        out.flush();
    }

    /* Flushes only if no event is ready. */
    private FeedSignal next(OutputStream out) throws IOException, InterruptedException {
        FeedSignal ready = listener.next(Duration.ZERO);
        if (!(ready instanceof FeedSignal.Idle)) {
            return ready;
        }
        out.flush();
        return listener.next(login.left(heartbeat));
    }

    @Override
    public void close() {
        listener.close();
    }
}
