package dev.registrar.http.dcb;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.http.admission.ClientSlots;
import dev.registrar.http.dcb.DcbEvents.StoredEvent;
import dev.registrar.http.problem.BrokenAnswerException;
import dev.registrar.http.problem.TooManyRequestsException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import tools.jackson.databind.SequenceWriter;

/**
 * The answers with many events. A client has a bounded number of them at a time, and has to take each at a minimum
 * rate: a slow answer holds a request's permit and a part of the memory for reads.
 */
@Component
final class LongReads {
    /** An answer is long from this number of bytes on. The response's buffer holds more, so nothing is sent before. */
    private static final int LONG_BYTES = 4 * 1024;
    /** How long the service waits for a client, in all, before it compares the rate. */
    private static final Duration COMPARED = Duration.ofMinutes(1);

    private final ClientSlots slots;
    private final long comparedNanos;
    private final long fewestBytes;

    @Autowired
    LongReads(DcbSettings settings) {
        this(settings, COMPARED);
    }

    LongReads(DcbSettings settings, Duration compared) {
        this.slots = new ClientSlots(settings.maxLongReadsPerClient(), TooManyRequestsException::ofLongReads);
        this.comparedNanos = compared.toNanos();
        this.fewestBytes = settings.minReadRate().toBytes() * compared.toMillis() / 1_000;
    }

    /** An answer that has begun. Not thread-safe. */
    final class Answer implements AutoCloseable {
        private final String client;
        private ClientSlots.@Nullable Slot slot;
        private long bytes;
        private long waitedNanos;

        private Answer(String client) {
            this.client = client;
        }

        /**
         * Writes an event.
         *
         * @throws TooManyRequestsException if the answer becomes long and the client has too many of them
         * @throws BrokenAnswerException if the client takes less than the minimum rate
         */
        void write(SequencedEvent event, SequenceWriter to) {
            bytes += bytes(event.event());
            if (slot == null && bytes > LONG_BYTES) {
                slot = slots.take(client);
            }
            long begun = System.nanoTime();
            to.write(StoredEvent.of(event));
            waitedNanos += System.nanoTime() - begun;
            if (waitedNanos >= comparedNanos) {
                checkRate();
            }
        }

        private static long bytes(Event event) {
            return (long) event.payload().length() + event.metadata().length();
        }

        private void checkRate() {
            if (bytes < fewestBytes) {
                throw new BrokenAnswerException(new IllegalStateException(
                        "The client took its answer too slowly: %d bytes in %d ms (minimum %d)"
                                .formatted(bytes, waitedNanos / 1_000_000, fewestBytes)));
            }
            bytes = 0;
            waitedNanos = 0;
        }

        @Override
        public void close() {
            if (slot != null) {
                slot.close();
            }
        }
    }

    /** Begins an answer to a client, which has to be closed. */
    Answer begin(String client) {
        return new Answer(client);
    }
}
