package dev.registrar.http.dcb;

import dev.registrar.http.admission.ClientSlots;
import dev.registrar.http.problem.BrokenAnswerException;
import dev.registrar.http.problem.TooManyRequestsException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

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
    private final long fewestBytes;
    private final LongSupplier nanoTime;

    @Autowired
    LongReads(DcbSettings settings) {
        this(settings, System::nanoTime);
    }

    LongReads(DcbSettings settings, LongSupplier nanoTime) {
        this.slots = new ClientSlots(settings.maxLongReadsPerClient(), TooManyRequestsException::ofLongReads);
        this.fewestBytes = settings.minReadRate().toBytes() * COMPARED.toSeconds();
        this.nanoTime = nanoTime;
    }

    /** The bytes of an answer that has begun, on their way to the client. */
    final class Answer extends FilterOutputStream {
        private final String client;
        private ClientSlots.@Nullable Slot slot;
        private long total;
        private long bytes;
        private long waitedNanos;

        private Answer(String client, OutputStream to) {
            super(to);
            this.client = client;
        }

        @Override
        public void write(int single) throws IOException {
            write(new byte[] {(byte) single}, 0, 1);
        }

        /**
         * Writes bytes.
         *
         * @throws TooManyRequestsException if the answer becomes long and the client has too many of them
         * @throws BrokenAnswerException if the client takes less than the minimum rate
         */
        @Override
        public void write(byte[] buffer, int offset, int length) throws IOException {
            total += length;
            if (slot == null && total > LONG_BYTES) {
                slot = slots.take(client);
            }
            long begun = nanoTime.getAsLong();
            out.write(buffer, offset, length);
            waitedNanos += nanoTime.getAsLong() - begun;
            bytes += length;
            if (waitedNanos >= COMPARED.toNanos()) {
                checkRate();
            }
        }

        private void checkRate() {
            if (bytes < fewestBytes) {
                throw new BrokenAnswerException(new IllegalStateException(
                        "The client took its answer too slowly: %s bytes in %s ms of waiting for it (minimum %s)"
                                .formatted(bytes, waitedNanos / 1_000_000, fewestBytes)));
            }
            bytes = 0;
            waitedNanos = 0;
        }

        /** Ends the count; the response stays open. */
        @Override
        public void close() {
            if (slot != null) {
                slot.close();
            }
        }
    }

    /** Begins an answer to a client, which has to be closed. */
    Answer begin(String client, OutputStream to) {
        return new Answer(client, to);
    }
}
