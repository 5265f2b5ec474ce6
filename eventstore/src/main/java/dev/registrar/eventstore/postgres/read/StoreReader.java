package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Parameters;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * Reads and look-ups of the store in PostgreSQL. Each chunk of a read is one statement, and so one snapshot, within the
 * memory budget. Does not check the limits of queries.
 */
public final class StoreReader {
    static final Position UNBOUNDED = Position.of(Long.MAX_VALUE);
    private static final Duration LONGEST_WAIT_FOR_CLIENTS = Duration.ofMinutes(1);

    private static final List<Probe> NOTHING = List.of(new Probe(QueryItem.any(), Position.START, Position.START));

    private final Database database;
    private final ReadStatement forwards;
    private final ReadStatement backwards;
    private final GroupReadStatement group;
    private final ReadGroups groups;
    /** The budget for reads whose events this process consumes without delay. */
    private final ReadMemory memory;
    /** The budget for reads whose events are sent to clients, which may be slow. */
    private final ReadMemory clientMemory;

    private final long chunkBytes;
    private final long smallBytes;
    private final long largestChunk;
    private final TagAdditions additions;
    private final StreamsLeftOpen leftOpen = new StreamsLeftOpen();

    public StoreReader(Database database, StoreOptions options, MeterRegistry metrics) {
        this.database = database;
        this.chunkBytes = options.pageSize();
        this.smallBytes = Math.min(chunkBytes, GroupReadStatement.MOST_BYTES);
        this.forwards = new ReadStatement(options.schema(), Direction.FORWARDS, smallBytes, chunkBytes);
        this.backwards = new ReadStatement(options.schema(), Direction.BACKWARDS, smallBytes, chunkBytes);
        this.group = new GroupReadStatement(options.schema(), smallBytes);
        this.groups = new ReadGroups(request -> alone(Direction.FORWARDS, request), this::together, options, metrics);
        this.memory =
                new ReadMemory("process", options.readMemory(), options.maxWaitingReads(), options.connectionTimeout());
        // A client's read may wait longer, because the client already has a part of its answer.
        this.clientMemory = new ReadMemory(
                "client", options.clientReadMemory(), options.maxWaitingReads(), options.statementTimeout());
        this.largestChunk = Math.max(chunkBytes, options.limits().largestEvent());
        this.additions = new TagAdditions(database, options.schema());
        memory.metered(metrics);
        clientMemory.metered(metrics);
    }

    /**
     * Reads events, chunk by chunk.
     *
     * @throws StoreReplacedException if the store no longer has a head in the basis of the options, or tags were added
     *     since, if the options say so
     */
    public EventStream read(Query query, ReadOptions options) {
        Direction direction = options.direction();
        List<Probe> probes = Probe.all(query.items(), options.above(), options.upTo());
        long limit = Objects.requireNonNullElse(options.limit(), Long.MAX_VALUE);
        ReadMemory.Held held = options.forClient() ? clientMemory.nothing() : memory.nothing();
        ChunkedEventStream events = new ChunkedEventStream(
                this,
                direction,
                probes,
                limit,
                options.basis(),
                held,
                options.forClient() ? LONGEST_WAIT_FOR_CLIENTS : Duration.ZERO);
        try {
            Set<Head> lost = lost(options.basis(), events);
            if (!lost.isEmpty()) {
                throw new StoreReplacedException(
                        Collections.max(lost, Comparator.comparing(Head::position)), events.head());
            }
            if (options.sameTags()) {
                requireSameTags(query, options, events);
            }
            leftOpen.watch(events, held);
            return events;
        } catch (RuntimeException | Error failure) {
            events.close();
            throw failure;
        }
    }

    private void requireSameTags(Query query, ReadOptions options, ChunkedEventStream events) {
        Position upTo = options.direction() == Direction.FORWARDS ? options.above() : UNBOUNDED;
        List<Head> earlier = options.basis().stream()
                .filter(head -> events.tagged().isAfter(head.position()))
                .toList();
        if (!earlier.isEmpty()) {
            Set<Integer> lacking = additions.lacking(earlier.stream()
                    .map(head -> new TagAdditions.WasRead(query, head.position(), upTo))
                    .toList());
            if (!lacking.isEmpty()) {
                throw StoreReplacedException.retagged(
                        earlier.get(lacking.iterator().next()), events.head());
            }
        }
    }

    /* A read tells that the store has lost one of the heads, but not which one. */
    Set<Head> lost(Set<Head> heads, ChunkedEventStream events) {
        UUID incarnation = events.head().incarnation();
        if (!events.lostHeads()
                && heads.stream().allMatch(head -> head.incarnation().equals(incarnation))) {
            return Set.of();
        }
        Set<Head> lost = lost(heads);
        return lost.isEmpty() ? heads : lost;
    }

    /** The last event that matches a query. */
    public Optional<SequencedEvent> last(Query query) {
        ReadMemory.Held held = memory.nothing();
        try {
            held.take(largestChunk);
            return lookUp(
                    statement(Direction.BACKWARDS)::last,
                    query,
                    1,
                    row -> row.next() ? Optional.ofNullable(ReadStatement.event(row)) : Optional.empty());
        } finally {
            held.release();
        }
    }

    /** Whether an event matches a query. */
    public boolean exists(Query query) {
        return lookUp(statement(Direction.BACKWARDS)::exists, query, 1, row -> row.next() && row.getBoolean(1));
    }

    /** The number of events that match a query. */
    public long count(Query query) {
        return lookUp(
                statement(Direction.FORWARDS)::count, query, Long.MAX_VALUE, row -> row.next() ? row.getLong(1) : 0);
    }

    private interface Answer<T> {
        T of(ResultSet row) throws SQLException;
    }

    private <T> T lookUp(Function<List<Probe>, String> text, Query query, long most, Answer<T> answer) {
        List<Probe> probes = Probe.all(query.items(), Position.START, UNBOUNDED);
        return database.run(text.apply(probes), statement -> {
            PositionSearch.of(probes).bind(new Parameters(statement), probes, most);
            try (ResultSet row = statement.executeQuery()) {
                return answer.of(row);
            }
        });
    }

    /** The given heads that the store no longer has, checked in one statement. */
    public Set<Head> lost(Collection<Head> heads) {
        List<Head> asked = List.copyOf(heads);
        List<Chunk> answers = together(asked.stream()
                .map(head -> new ChunkRequest(List.of(), 0, List.of(head), true))
                .toList());
        Set<Head> lost = new HashSet<>();
        for (int i = 0; i < asked.size(); i++) {
            Head head = asked.get(i);
            Chunk answer = answers.get(i);
            if (answer.lostHeads() || !answer.head().incarnation().equals(head.incarnation())) {
                lost.add(head);
            }
        }
        return lost;
    }

    /** The store's head. */
    public Head head() {
        return alone(Direction.FORWARDS, new ChunkRequest(NOTHING, 0, List.of(), true))
                .head();
    }

    /** An empty reservation for a read whose events this process consumes without delay. */
    ReadMemory.Held nothingHeld() {
        return memory.nothing();
    }

    TagAdditions additions() {
        return additions;
    }

    /** The size in bytes at which a chunk is cut, but not before its first event. */
    long chunkBytes() {
        return chunkBytes;
    }

    /**
     * Reads a chunk, which is not empty if there are matching events.
     *
     * @param held the reservation that the chunk uses; empty after a failure
     */
    Chunk chunk(Direction direction, ChunkRequest request, ReadMemory.Held held) {
        try {
            // A caller with little time left sets a shorter time-out on the server, which must not affect a group.
            if (direction == Direction.FORWARDS && GroupReadStatement.serves(request) && !database.isHurried()) {
                held.take(smallBytes);
                Chunk chunk = groups.chunk(request);
                if (!chunk.cut() || !chunk.events().isEmpty()) {
                    held.keep(chunk.bytes());
                    return chunk;
                }
            }
            held.take(largestChunk);
            Chunk chunk = alone(direction, request.large());
            held.keep(chunk.bytes());
            return chunk;
        } catch (RuntimeException | Error failure) {
            held.release();
            throw failure;
        }
    }

    /* Reads a chunk in a statement of its own. */
    private Chunk alone(Direction direction, ChunkRequest request) {
        Collection<Head> heads = request.heads();
        String text = statement(direction).chunk(!heads.isEmpty(), request.small(), request.probes());
        return database.run(text, statement -> {
            Parameters parameters = new Parameters(statement);
            if (!heads.isEmpty()) {
                ReadStatement.bindHeads(parameters, heads);
            }
            PositionSearch.of(request.probes()).bind(parameters, request.probes(), request.most());
            try (ResultSet rows = statement.executeQuery()) {
                return chunk(rows, direction);
            }
        });
    }

    /* Reads a chunk for each request, all in one statement. */
    private List<Chunk> together(List<ChunkRequest> requests) {
        return database.run(group.text(), statement -> {
            GroupReadStatement.bind(statement, requests);
            try (ResultSet rows = statement.executeQuery()) {
                return GroupReadStatement.chunks(rows, requests);
            }
        });
    }

    private ReadStatement statement(Direction direction) {
        return switch (direction) {
            case FORWARDS -> forwards;
            case BACKWARDS -> backwards;
        };
    }

    private static Chunk chunk(ResultSet rows, Direction direction) throws SQLException {
        Head head = head(rows);
        Position tagged = tagged(rows);
        boolean lostHeads = rows.getLong(7) > 0;
        List<SequencedEvent> events = new ArrayList<>();
        boolean cut = false;
        while (rows.next()) {
            SequencedEvent event = ReadStatement.event(rows);
            if (event == null) {
                cut = true;
                break;
            }
            if (!events.isEmpty()
                    && event.position().isAfter(events.getLast().position()) != (direction == Direction.FORWARDS)) {
                throw new IllegalStateException(
                        "The database returned events out of order at position " + event.position());
            }
            events.add(event);
        }
        return new Chunk(head, events, cut, lostHeads, tagged);
    }

    /** Where tags were last added to stored events, from the row of the head, which is the current one. */
    static Position tagged(ResultSet rows) throws SQLException {
        return Position.of(rows.getLong(5));
    }

    /** Reads the head from the first row. */
    static Head head(ResultSet rows) throws SQLException {
        if (!rows.next()) {
            throw new IllegalStateException("The event store's table 'store' has no row; it must have one");
        }
        if (rows.getString(4) != null) {
            throw new IllegalStateException("The database returned events before the head");
        }
        return new Head(
                Position.of(rows.getLong(1)), UUID.fromString(rows.getString(6)), rows.getObject(3, UUID.class));
    }
}
