package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Reads chunks from PostgreSQL. Each is one statement, and so one snapshot, within the memory budget. */
final class Reader {
    private final Database database;
    private final ReadStatement forwards;
    private final ReadStatement backwards;
    private final GroupReadStatement group;
    private final ReadGroups groups;
    private final ReadMemory memory;
    private final ReadMemory clientMemory;
    private final long chunkBytes;
    private final long smallBytes;
    private final long largestChunk;

    Reader(Database database, StoreOptions settings, MeterRegistry metrics) {
        this.database = database;
        this.chunkBytes = settings.pageSize();
        this.smallBytes = Math.min(chunkBytes, GroupReadStatement.MOST_BYTES);
        this.forwards = new ReadStatement(settings.schema(), Direction.FORWARDS, smallBytes, chunkBytes);
        this.backwards = new ReadStatement(settings.schema(), Direction.BACKWARDS, smallBytes, chunkBytes);
        this.group = new GroupReadStatement(settings.schema(), smallBytes);
        this.groups = new ReadGroups(request -> alone(Direction.FORWARDS, request), this::together, settings, metrics);
        this.memory = new ReadMemory(
                "process", settings.readMemory(), settings.maxWaitingReads(), settings.connectionTimeout());
        // A client's read may wait longer, because the client already has a part of its answer.
        this.clientMemory = new ReadMemory(
                "client", settings.clientReadMemory(), settings.maxWaitingReads(), settings.statementTimeout());
        this.largestChunk = Math.max(chunkBytes, settings.limits().largestEvent());
        memory.metered(metrics);
        clientMemory.metered(metrics);
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

    /** The largest size of a chunk, in bytes. */
    long largestChunk() {
        return largestChunk;
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

    /** Reads a chunk in a statement of its own. */
    Chunk alone(Direction direction, ChunkRequest request) {
        Collection<Head> heads = request.heads();
        String text = statement(direction).chunk(!heads.isEmpty(), request.small(), request.probes());
        return database.run(text, statement -> {
            if (!heads.isEmpty()) {
                ReadStatement.bindHeads(statement, heads);
            }
            PositionSearch.of(request.probes())
                    .bind(statement, heads.isEmpty() ? 0 : ReadStatement.HEADS, request.probes(), request.most());
            try (ResultSet rows = statement.executeQuery()) {
                return chunk(rows, direction);
            }
        });
    }

    /** Reads a chunk for each request, all in one statement. */
    List<Chunk> together(List<ChunkRequest> requests) {
        return database.run(group.text(), statement -> {
            GroupReadStatement.bind(statement, requests);
            try (ResultSet rows = statement.executeQuery()) {
                return GroupReadStatement.chunks(rows, requests);
            }
        });
    }

    ReadStatement statement(Direction direction) {
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
