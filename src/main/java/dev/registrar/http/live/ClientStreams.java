package dev.registrar.http.live;

import dev.registrar.http.problem.TooManyRequestsException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.stereotype.Component;

/** Counts the open streams of each client, up to a limit. It remembers only clients that have a stream. */
@Component
final class ClientStreams {
    private final Map<String, Integer> open = new ConcurrentHashMap<>();
    private final int most;

    ClientStreams(LiveStreamSettings settings) {
        this.most = settings.maxStreamsPerClient();
    }

    /** An open stream that counts until it is closed. */
    final class Counted implements AutoCloseable {
        private final AtomicBoolean closed = new AtomicBoolean();
        private final String client;

        private Counted(String client) {
            this.client = client;
        }

        /** May be called several times. */
        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                open.computeIfPresent(client, (key, count) -> count == 1 ? null : count - 1);
            }
        }
    }

    /**
     * Counts a stream of a client.
     *
     * @throws TooManyRequestsException if the client has as many streams as it may have
     */
    Counted begin(String client) {
        open.merge(client, 1, (count, one) -> {
            if (count >= most) {
                throw TooManyRequestsException.ofStreams(most);
            }
            return count + one;
        });
        return new Counted(client);
    }

    /** The number of clients that have a stream. */
    int clients() {
        return open.size();
    }
}
