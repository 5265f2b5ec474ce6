package dev.registrar.eventstore.postgres.read;

import java.lang.StackWalker.StackFrame;
import java.lang.ref.Cleaner;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases the memory of streams that their callers have left open, when they are garbage, and logs who opened them.
 */
final class StreamsLeftOpen {
    private static final Logger LOG = LoggerFactory.getLogger(StreamsLeftOpen.class);

    private static final StackWalker CALLERS = StackWalker.getInstance();
    /** The classes between a caller and this one. */
    private static final Set<String> OWN = Set.of(
            StreamsLeftOpen.class.getName(),
            StoreReader.class.getName(),
            "dev.registrar.eventstore.postgres.PostgresEventStore",
            "dev.registrar.eventstore.EventStore");

    /** Its thread ends when the reader of the store is garbage. */
    private final Cleaner cleaner =
            Cleaner.create(Thread.ofVirtual().name("streams-left-open").factory());

    /** Watches a stream, unless it has no events and thus holds no memory. */
    void watch(ChunkedEventStream stream, ReadMemory.Held held) {
        if (!held.isEmpty()) {
            stream.watchedBy(cleaner.register(stream, new Forgotten(held, caller())));
        }
    }

    /* The frame alone: a whole trace would cost more than the rest of a small read in this process. */
    private static @Nullable StackFrame caller() {
        return CALLERS.walk(frames -> frames.dropWhile(frame -> OWN.contains(frame.getClassName()))
                .findFirst()
                .orElse(null));
    }

    /** Runs when the stream is closed, too: it holds nothing then. */
    private record Forgotten(ReadMemory.Held held, @Nullable StackFrame caller) implements Runnable {
        @Override
        public void run() {
            if (!held.isEmpty()) {
                held.end();
                LOG.warn(
                        "A stream of events was left open, and its memory is free for other reads only now: close the stream that is opened at {}",
                        caller);
            }
        }
    }
}
