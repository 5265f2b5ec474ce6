package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.read.ReadStatement.Probe;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Reads from PostgreSQL. Each read is one statement, and so one snapshot, within the memory budget. */
final class Reader {
    private static final Position LAST = Position.of(Long.MAX_VALUE);
    private static final List<Probe> NOTHING = List.of(new Probe(QueryItem.any(), Position.START, Position.START));

    private final Database database;
    private final ReadStatement forwards;
    private final ReadStatement backwards;
    private final GroupReadStatement group;
    private final ReadGroups groups;
    private final ReadMemory memory;
    private final ReadMemory clientMemory;
    private final long chunkBytes;
    private final long largestChunk;

    Reader(Database database, ReaderOptions settings, ReadMeters meters) {
        this.database = database;
        this.forwards = new ReadStatement(settings.schema(), Direction.FORWARDS);
        this.backwards = new ReadStatement(settings.schema(), Direction.BACKWARDS);
        this.group = new GroupReadStatement(settings.schema());
        this.groups = new ReadGroups(request -> alone(Direction.FORWARDS, request), this::together, settings, meters);
        this.memory = new ReadMemory(
                "process", settings.readMemory(), settings.maxWaitingReads(), settings.connectionTimeout());
        // A client's read may wait longer, because the client already has a part of its answer.
        this.clientMemory = new ReadMemory(
                "client", settings.clientReadMemory(), settings.maxWaitingReads(), settings.statementTimeout());
        this.chunkBytes = settings.pageSize();
        this.largestChunk = Math.max(chunkBytes, settings.largestEvent());
        meters.memory(memory);
        meters.memory(clientMemory);
    }

    /** The memory budget for reads whose events this process consumes without delay. */
    ReadMemory memory() {
        return memory;
    }

    /** The memory budget for reads whose events are sent to clients, which may be slow. */
    ReadMemory clientMemory() {
        return clientMemory;
    }

    /** The size in bytes at which a chunk is cut, but not before its first event. */
    long chunkBytes() {
        return chunkBytes;
    }

    Head head() {
        return alone(Direction.FORWARDS, new ChunkRequest(NOTHING, 0, List.of(), false))
                .head();
    }

    /** The given heads that the store no longer has. */
    Set<Head> lost(Collection<Head> heads) {
        List<Head> asked = List.copyOf(heads);
        List<Chunk> answers = together(asked.stream()
                .map(head -> new ChunkRequest(List.of(), 0, List.of(head), true))
                .toList());
        Set<Head> lost = new HashSet<>();
        for (int i = 0; i < asked.size(); i++) {
            Chunk answer = answers.get(i);
            if (answer.lostHeads()
                    || !answer.head().incarnation().equals(asked.get(i).incarnation())) {
                lost.add(asked.get(i));
            }
        }
        return lost;
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
                held.take(GroupReadStatement.MOST_BYTES);
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

    private Chunk alone(Direction direction, ChunkRequest request) {
        Collection<Head> heads = request.heads();
        return database.run(statement(direction).headAndEvents(!heads.isEmpty(), request.probes()), statement -> {
            if (!heads.isEmpty()) {
                HeadsParameter.bind(statement, heads);
            }
            int bound = ReadStatement.bind(statement, heads.isEmpty() ? 0 : 2, request.probes(), request.most());
            ReadStatement.bindRoom(
                    statement, bound, request.small() ? GroupReadStatement.MOST_BYTES : chunkBytes, !request.small());
            try (ResultSet rows = statement.executeQuery()) {
                return chunk(rows, direction);
            }
        });
    }

    private List<Chunk> together(List<ChunkRequest> requests) {
        return database.run(group.text(), statement -> {
            GroupReadStatement.bind(statement, requests);
            try (ResultSet rows = statement.executeQuery()) {
                return GroupReadStatement.chunks(rows, requests);
            }
        });
    }

    Optional<SequencedEvent> last(List<QueryItem> items) {
        List<Probe> probes = ReadStatement.probes(items, Position.START, LAST);
        ReadMemory.Held held = memory.nothing();
        try {
            held.take(largestChunk);
            return database.run(backwards.events(probes), statement -> {
                int bound = ReadStatement.bind(statement, 0, probes, 1);
                ReadStatement.bindRoom(statement, bound, chunkBytes, true);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? Optional.of(ReadStatement.event(row)) : Optional.empty();
                }
            });
        } finally {
            held.release();
        }
    }

    boolean exists(List<QueryItem> items) {
        List<Probe> probes = ReadStatement.probes(items, Position.START, LAST);
        return database.run(backwards.exists(probes), statement -> {
            ReadStatement.bind(statement, 0, probes, 1);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        });
    }

    long count(List<QueryItem> items) {
        List<Probe> probes = ReadStatement.probes(items, Position.START, LAST);
        return database.run(forwards.count(probes), statement -> {
            ReadStatement.bind(statement, 0, probes, Long.MAX_VALUE);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
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
        boolean lostHeads = rows.getLong(7) > 0;
        List<SequencedEvent> events = new ArrayList<>();
        boolean cut = false;
        while (rows.next()) {
            if (ReadStatement.isMore(rows)) {
                cut = true;
                break;
            }
            SequencedEvent event = ReadStatement.event(rows);
            if (!events.isEmpty()
                    && event.position().isAfter(events.getLast().position()) != (direction == Direction.FORWARDS)) {
                throw new IllegalStateException(
                        "The database returned events out of order at position " + event.position());
            }
            events.add(event);
        }
        return new Chunk(head, events, cut, lostHeads);
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
