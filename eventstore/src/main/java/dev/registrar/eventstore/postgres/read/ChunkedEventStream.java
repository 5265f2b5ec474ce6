package dev.registrar.eventstore.postgres.read;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The events of one read, fetched chunk by chunk. Between two chunks it holds no connection and no snapshot, so a slow
 * reader does no harm. The chunks are consistent with each other, but for erasures and added tags, because positions
 * become visible in order, and all chunks end at the head of the first one.
 */
final class ChunkedEventStream implements EventStream {
    private static final int FIRST_CHUNK = 64;
    private static final int LARGEST_CHUNK = 4_096;
    /** Up to this number of events, few bytes are expected, unless the previous chunk was cut. */
    private static final int SMALL_CHUNK = 64;

    private final StoreReader reader;
    private final Direction direction;
    private final ReadMemory.Held held;
    private final Duration longestWait;
    private final Head head;
    private final boolean lostHeads;
    private final Position tagged;
    private List<Probe> probes;
    private Queue<SequencedEvent> chunk;
    /** The approximate memory of the events of the chunk that were not yet handed on, and of the last one that was. */
    private long bytes;

    private long lastBytes;
    private long left;
    private int chunkSize;
    private boolean cut;
    private boolean more;
    private volatile boolean closed;
    private Cleaner.@Nullable Cleanable watch;

    /**
     * Reads the first chunk.
     *
     * @param held the memory reserved for the current chunk
     * @param longestWait how long the stream waits again for its next chunk if there is no connection or no memory in
     *     time; zero: it does not
     */
    ChunkedEventStream(
            StoreReader reader,
            Direction direction,
            List<Probe> probes,
            long limit,
            Collection<Head> heads,
            ReadMemory.Held held,
            Duration longestWait) {
        this.reader = reader;
        this.direction = direction;
        this.held = held;
        this.longestWait = longestWait;
        this.probes = probes;
        this.left = limit;
        this.chunkSize = (int) Math.min(limit, FIRST_CHUNK);
        Chunk first = reader.chunk(direction, new ChunkRequest(probes, chunkSize, heads, true), held);
        this.head = first.head();
        this.lostHeads = first.lostHeads();
        this.tagged = first.tagged();
        try {
            this.chunk = accept(first);
        } catch (RuntimeException | Error failure) {
            held.end();
            throw failure;
        }
    }

    /** Sets what watches that the stream is closed. */
    void watchedBy(Cleaner.Cleanable cleanable) {
        watch = cleanable;
    }

    @Override
    public Head head() {
        return head;
    }

    /** Whether the store no longer has one of the heads given to the read. */
    boolean lostHeads() {
        return lostHeads;
    }

    /** The position at which tags were last added to stored events, in the snapshot of the head. */
    Position tagged() {
        return tagged;
    }

    /** Whether the current chunk is used up and there may be another one. */
    boolean isAtEndOfChunk() {
        return chunk.isEmpty() && more;
    }

    @Override
    public boolean hasNext() {
        if (closed) {
            throw new IllegalStateException("The stream is closed");
        }
        if (chunk.isEmpty()) {
            held.release();
            if (more) {
                chunk = accept(rest());
            }
        }
        return !chunk.isEmpty();
    }

    @Override
    public SequencedEvent next() {
        if (!hasNext()) {
            throw new NoSuchElementException("The stream has ended");
        }
        SequencedEvent next = chunk.remove();
        if (isForClient()) {
            // The caller has handed on the previous event.
            bytes -= lastBytes;
            held.keep(bytes);
            lastBytes = Chunk.bytes(next.event());
        }
        return next;
    }

    /* Other readers are done with a chunk at once: for them, the release of each event would only cost time. */
    private boolean isForClient() {
        return !longestWait.isZero();
    }

    /** Releases the memory, even while another thread reads the next chunk. */
    @Override
    public void close() {
        closed = true;
        held.end();
        if (watch != null) {
            watch.clean();
        }
    }

    /* The rest must be from the same history as the first chunk. */
    private Chunk rest() {
        Chunk rest = await(new ChunkRequest(probes, chunkSize, List.of(head()), chunkSize <= SMALL_CHUNK && !cut));
        if (rest.lostHeads() || !rest.head().incarnation().equals(head().incarnation())) {
            throw new StoreUnavailableException(
                    "The event store was cleared or restored from an older copy during a read; repeat the read");
        }
        return rest;
    }

    /*
     * A read that has not begun is refused while all connections are busy, and its caller repeats it. A client that has
     * received a part of its answer cannot repeat the rest. So its stream waits in line again after each time-out, until
     * the thread's deadline if there is one. A statement that timed out at the server is not sent again.
     */
    private Chunk await(ChunkRequest request) {
        long begun = System.nanoTime();
        while (true) {
            try {
                return reader.chunk(direction, request, held);
            } catch (StoreTimeoutException busy) {
                boolean wasSent =
                        busy.category().filter(FailureCategory.TIMEOUT::equals).isPresent();
                if (wasSent || closed || Deadline.isOver() || System.nanoTime() - begun > longestWait.toNanos()) {
                    throw busy;
                }
            }
        }
    }

    /* A chunk that is neither full nor cut is the last one. Otherwise the next chunk starts after its last event. */
    private Queue<SequencedEvent> accept(Chunk next) {
        List<SequencedEvent> events = next.events();
        if (events.size() > chunkSize) {
            throw new IllegalStateException(
                    "A chunk must have at most %s events but has %s".formatted(chunkSize, events.size()));
        }
        left -= events.size();
        cut = next.cut();
        more = left > 0 && (cut || events.size() == chunkSize);
        if (more) {
            Position last = events.getLast().position();
            probes = probes.stream().map(probe -> rest(probe, last)).toList();
            chunkSize = (int) Math.min(left, nextSize(next));
        }
        bytes = next.bytes();
        lastBytes = 0;
        return new ArrayDeque<>(events);
    }

    private Probe rest(Probe probe, Position last) {
        Position end = head().position();
        return switch (direction) {
            case FORWARDS ->
                new Probe(
                        probe.item(),
                        last.isAfter(probe.above()) ? last : probe.above(),
                        end.isAfter(probe.upTo()) ? probe.upTo() : end);
            case BACKWARDS -> new Probe(probe.item(), probe.above(), Position.of(last.value() - 1));
        };
    }

    /* Estimates how many events fit, so that the database does not measure many events that it does not send. */
    private long nextSize(Chunk last) {
        long fitting = reader.chunkBytes() * last.events().size() / last.bytes();
        return Math.clamp(fitting, 1, Math.min(2L * chunkSize, LARGEST_CHUNK));
    }
}
