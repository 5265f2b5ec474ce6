package dev.registrar.http.admission;

import dev.registrar.http.problem.TooManyRequestsException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;

/** Counts what each client has open, up to a limit. It remembers only clients that have something open. */
public final class ClientSlots {
    private final Map<String, Integer> open = new ConcurrentHashMap<>();
    private final int most;
    private final IntFunction<TooManyRequestsException> tooMany;

    /**
     * Creates slots that are all free.
     *
     * @param most number of slots of each client
     * @param tooMany the refusal of one more, made from that number
     */
    public ClientSlots(int most, IntFunction<TooManyRequestsException> tooMany) {
        this.most = most;
        this.tooMany = tooMany;
    }

    /** A slot that counts until it is closed. */
    public final class Slot implements AutoCloseable {
        private final AtomicBoolean closed = new AtomicBoolean();
        private final String client;

        private Slot(String client) {
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
     * Takes a slot of a client.
     *
     * @throws TooManyRequestsException if the client has taken all of its slots
     */
    public Slot take(String client) {
        open.merge(client, 1, (count, one) -> {
            if (count >= most) {
                throw tooMany.apply(most);
            }
            return count + one;
        });
        return new Slot(client);
    }

    /** The number of clients that have taken a slot. */
    int clients() {
        return open.size();
    }
}
