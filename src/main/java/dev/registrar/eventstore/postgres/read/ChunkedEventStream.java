package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.read.ReadStatement.Probe;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;

/**
 * The events of one read, a page at a time. Between two pages it holds no connection and no snapshot, however slowly it
 * is walked: events never change and positions become visible in order, so pages up to the first one's head are of one
 * piece.
 */
final class ChunkedEventStream implements EventStream {
    private static final int FIRST_PAGE = 64;
    private static final int LARGEST_PAGE = 4_096;
    /** Up to here few bytes are expected, unless the page before was cut. */
    private static final int SMALL_PAGE = 64;

    private final Reader reader;
    private final Direction direction;
    private final ReadMemory.Held held;
    private final Head head;
    private final boolean lostHeads;
    private List<Probe> probes;
    private Queue<SequencedEvent> page;
    private long left;
    private int pageSize;
    private boolean cut;
    private boolean more;
    private volatile boolean closed;

    /** @param held the memory that its pages take, one after another */
    ChunkedEventStream(
            Reader reader,
            Direction direction,
            List<Probe> probes,
            long limit,
            Collection<Head> heads,
            ReadMemory.Held held) {
        this.reader = reader;
        this.direction = direction;
        this.held = held;
        this.probes = probes;
        this.left = limit;
        this.pageSize = (int) Math.min(limit, FIRST_PAGE);
        Chunk first = reader.page(direction, new ChunkRequest(probes, pageSize, heads, true), held);
        this.head = first.head();
        this.lostHeads = first.lostHeads();
        try {
            this.page = turn(first);
        } catch (RuntimeException | Error failure) {
            held.end();
            throw failure;
        }
    }

    @Override
    public Head head() {
        return head;
    }

    /** Whether the store no longer has one of the heads that the read was opened with. */
    boolean lostHeads() {
        return lostHeads;
    }

    /** Whether the next event, of which there may be one, has to be asked for. */
    boolean isAtEndOfPage() {
        return page.isEmpty() && more;
    }

    @Override
    public boolean hasNext() {
        if (closed) {
            throw new IllegalStateException("The stream is closed");
        }
        if (page.isEmpty()) {
            held.release();
            if (more) {
                page = turn(rest());
            }
        }
        return !page.isEmpty();
    }

    @Override
    public SequencedEvent next() {
        if (!hasNext()) {
            throw new NoSuchElementException("The stream has ended");
        }
        return page.remove();
    }

    /** Gives the memory back; also while another thread is about to turn the page. */
    @Override
    public void close() {
        closed = true;
        held.end();
    }

    /* The rest must be of the history that the first page came from. */
    private Chunk rest() {
        Chunk rest = reader.page(
                direction, new ChunkRequest(probes, pageSize, List.of(head()), pageSize <= SMALL_PAGE && !cut), held);
        if (rest.lostHeads() || !rest.head().incarnation().equals(head().incarnation())) {
            throw new StoreUnavailableException(
                    "The event store was cleared or set back while it was read: read it again");
        }
        return rest;
    }

    /* A page that is neither full nor cut is the last one. Else the next starts behind this one's last event. */
    private Queue<SequencedEvent> turn(Chunk turned) {
        List<SequencedEvent> events = turned.events();
        if (events.size() > pageSize) {
            throw new IllegalStateException("A page of at most %d events had %d".formatted(pageSize, events.size()));
        }
        left -= events.size();
        cut = turned.cut();
        more = left > 0 && (cut || events.size() == pageSize);
        if (more) {
            Position last = events.getLast().position();
            probes = probes.stream().map(probe -> rest(probe, last)).toList();
            pageSize = (int) Math.min(left, nextPageSize(turned));
        }
        return new ArrayDeque<>(events);
    }

    private Probe rest(Probe probe, Position last) {
        return switch (direction) {
            case FORWARDS ->
                new Probe(probe.item(), last.isAfter(probe.above()) ? last : probe.above(), head().position());
            case BACKWARDS -> new Probe(probe.item(), probe.above(), Position.of(last.value() - 1));
        };
    }

    /* About as many as there is room for, so that the database does not measure many that it does not send. */
    private long nextPageSize(Chunk turned) {
        long fitting = reader.pageBytes() * turned.events().size() / turned.bytes();
        return Math.clamp(fitting, 1, Math.min(2L * pageSize, LARGEST_PAGE));
    }
}
