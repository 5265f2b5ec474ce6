package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.ReadStatement.Probe;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The events of one read, a page at a time. Between two pages it holds no connection and no snapshot, however slowly it
 * is walked: events never change and positions become visible in order, so pages up to the first one's head are of one
 * piece.
 */
final class PagedEventStream implements EventStream {
    private static final int FIRST_PAGE = 64;
    private static final int LARGEST_PAGE = 4_096;
    /**
     * Characters that a page should hold: it grows and shrinks towards that, so that memory does not follow payloads.
     */
    private static final long PAGE_CHARACTERS = 1 << 20;

    private final Reader reader;
    private final Direction direction;
    private final Page first;
    private List<Probe> probes;
    private Iterator<SequencedEvent> page;
    private long left;
    private int pageSize;
    private boolean more;
    private boolean closed;

    PagedEventStream(Reader reader, Direction direction, List<Probe> probes, long limit, Collection<Head> heads) {
        this.reader = reader;
        this.direction = direction;
        this.probes = probes;
        this.left = limit;
        this.pageSize = (int) Math.min(limit, FIRST_PAGE);
        this.first = reader.page(direction, new PageRequest(probes, pageSize, heads));
        this.page = turn(first.events());
    }

    @Override
    public Head head() {
        return first.head();
    }

    /** Whether the store no longer has one of the heads that the read was opened with. */
    boolean lostHeads() {
        return first.lostHeads();
    }

    @Override
    public boolean hasNext() {
        if (closed) {
            throw new IllegalStateException("The stream is closed");
        }
        if (!page.hasNext() && more) {
            page = turn(rest());
        }
        return page.hasNext();
    }

    @Override
    public SequencedEvent next() {
        if (!hasNext()) {
            throw new NoSuchElementException("The stream has ended");
        }
        return page.next();
    }

    @Override
    public void close() {
        closed = true;
        page = List.<SequencedEvent>of().iterator();
    }

    /* The rest must be of the history that the first page came from. */
    private List<SequencedEvent> rest() {
        Page rest = reader.page(direction, new PageRequest(probes, pageSize, List.of(head())));
        if (rest.lostHeads() || !rest.head().incarnation().equals(head().incarnation())) {
            throw new StoreUnavailableException(
                    "The event store was cleared or set back while it was read: read it again");
        }
        return rest.events();
    }

    /* A page that is not full is the last one. Else the next starts behind this one's last event. */
    private Iterator<SequencedEvent> turn(List<SequencedEvent> events) {
        if (events.size() > pageSize) {
            throw new IllegalStateException("A page of at most %d events had %d".formatted(pageSize, events.size()));
        }
        left -= events.size();
        more = left > 0 && events.size() == pageSize;
        if (more) {
            Position last = events.getLast().position();
            probes = probes.stream().map(probe -> rest(probe, last)).toList();
            pageSize = (int) Math.min(left, nextPageSize(events));
        }
        return events.iterator();
    }

    private Probe rest(Probe probe, Position last) {
        return switch (direction) {
            case FORWARDS ->
                new Probe(probe.item(), last.isAfter(probe.above()) ? last : probe.above(), head().position());
            case BACKWARDS -> new Probe(probe.item(), probe.above(), Position.of(last.value() - 1));
        };
    }

    private long nextPageSize(List<SequencedEvent> events) {
        long characters = 0;
        for (SequencedEvent event : events) {
            characters +=
                    event.event().payload().length() + event.event().metadata().length() + 1;
        }
        long fitting = Math.max(1, PAGE_CHARACTERS * events.size() / characters);
        return Math.min(Math.min(fitting, 2L * pageSize), LARGEST_PAGE);
    }
}
