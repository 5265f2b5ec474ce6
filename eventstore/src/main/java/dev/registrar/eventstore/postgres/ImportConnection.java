package dev.registrar.eventstore.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.postgres.connection.ArrayText;
import dev.registrar.eventstore.postgres.connection.Failures;
import dev.registrar.eventstore.postgres.connection.Parameters;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.connection.StoreConnections;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * A connection, as the owner of the schema, that appends the events of another store's history. Each batch is one
 * transaction under the store's lock ({@code import_events}). For one thread.
 */
public final class ImportConnection implements AutoCloseable {
    /** What the stored function refuses: the store is not in the state that the caller expects. */
    private static final String REFUSED = "DCB06";

    private static final String TABLE = """
            create temporary table imported_events (
                number integer not null,
                recorded_at timestamptz not null,
                id uuid not null,
                type text not null,
                tags text not null,
                payload text not null,
                metadata text not null,
                actor text,
                original_time timestamptz
            )
            on commit delete rows""";

    private static final String COPY = "copy pg_temp.imported_events from stdin";

    private static final String RANGES = """
            select first_position, last_position, events, digest, keeps_positions
            from ${schema}.imported_ranges
            where history = ?
            order by first_position""";

    private static final String FIRST_EVENT = "select id from ${schema}.events where position = 1";

    private static final String IMPORT = """
            select first_position, last_position
            from ${schema}.import_events(?, ?, ?, ?)""";

    private static final String TAG_SECRET = """
            insert into ${schema}.tag_secret (check_value)
            values (?)
            on conflict do nothing""";

    private static final String KEYS = """
            insert into ${schema}.idempotency_keys (key, fingerprint, first_position, last_position, recorded_at)
            values (?, ?, ?, ?, ?)
            on conflict on constraint idempotency_keys_pk do nothing""";

    private final Connection connection;
    private final String schema;

    /**
     * An event of another store.
     *
     * @param recordedAt when that store recorded it
     * @param originalTime when a third store recorded it first; null if it was recorded in that store first
     */
    public record ImportedEvent(
            Event event,
            Instant recordedAt,
            @Nullable Instant originalTime,
            @Nullable Actor actor) {}

    /**
     * Consecutive positions with events of an imported history.
     *
     * @param events how many events of the history are imported up to the last position
     * @param digest the digest of these events
     * @param keepsPositions whether the events have the positions of the other store
     */
    public record ImportedRange(Position first, Position last, long events, String digest, boolean keepsPositions) {
        /** Whether one of the events was erased since, so that they are not those of the file any more. */
        public boolean isErased() {
            return digest.equals("erased");
        }
    }

    private ImportConnection(Connection connection, String schema) {
        this.connection = connection;
        this.schema = schema;
    }

    /**
     * Connects.
     *
     * @param owner the address for the owner of the schema
     * @throws dev.registrar.eventstore.EventStoreException if the database failed or cannot be reached
     */
    public static ImportConnection open(StoreAddress owner, StoreOptions options) {
        try {
            Connection connection =
                    StoreConnections.forMigrations(owner, options).getConnection();
            try (Statement statement = connection.createStatement()) {
                statement.execute(TABLE);
                connection.setAutoCommit(false);
                return new ImportConnection(connection, options.schema());
            } catch (SQLException failure) {
                connection.close();
                throw failure;
            }
        } catch (SQLException failure) {
            throw Failures.connect(failure);
        }
    }

    /** Where the events of a history are that were imported before, in the order of the positions. */
    public List<ImportedRange> ranges(UUID history) {
        return inTransaction(
                RANGES,
                statement -> new Parameters(statement)
                        .add(history)
                        .all(row -> new ImportedRange(
                                Position.of(row.getLong(1)),
                                Position.of(row.getLong(2)),
                                row.getLong(3),
                                row.getString(4),
                                row.getBoolean(5))));
    }

    /** The id of the store's first event; null if the store is empty. */
    public @Nullable UUID firstEvent() {
        return inTransaction(
                FIRST_EVENT,
                statement -> new Parameters(statement)
                        .first(row -> row.getObject(1, UUID.class))
                        .orElse(null));
    }

    /**
     * Appends the next events of a history, all or none.
     *
     * @param history the id of its first event
     * @param imported how many of its events were imported before
     * @param digest the digest of the events up to the end of these
     * @param keepsPositions whether the events get the positions and times of the other store
     * @throws RefusedInputException if others have imported or appended events that the caller does not know of
     * @throws dev.registrar.eventstore.EventStoreException if the database failed
     */
    public void append(UUID history, long imported, String digest, boolean keepsPositions, List<ImportedEvent> events) {
        byte[] rows = rows(events).getBytes(UTF_8);
        inTransaction(IMPORT, statement -> {
            connection.unwrap(PGConnection.class).getCopyAPI().copyIn(COPY, new ByteArrayInputStream(rows));
            new Parameters(statement).add(history).add(imported).add(digest).add(keepsPositions);
            return statement.execute();
        });
    }

    /** Adds the check value of the secret of tags, unless there is one. */
    public void addTagSecret(String checkValue) {
        inTransaction(TAG_SECRET, statement -> {
            statement.setString(1, checkValue);
            return statement.executeUpdate();
        });
    }

    /** Adds idempotency keys, whose positions are those of the other store, unless they are there. */
    public void addKeys(List<StoredKey> keys) {
        inTransaction(KEYS, statement -> {
            for (StoredKey key : keys) {
                new Parameters(statement)
                        .add(key.key())
                        .add(key.fingerprint())
                        .add(key.first().value())
                        .add(key.last().value())
                        .add(key.recordedAt());
                statement.addBatch();
            }
            return statement.executeBatch();
        });
    }

    private static String rows(List<ImportedEvent> events) {
        StringBuilder rows = new StringBuilder(512 * events.size());
        for (int number = 1; number <= events.size(); number++) {
            ImportedEvent imported = events.get(number - 1);
            Event event = imported.event();
            rows.append(number);
            add(rows, imported.recordedAt().toString());
            add(rows, event.id().toString());
            add(rows, event.type());
            add(rows, ArrayText.of(event.tags().stream().map(Tag::value).toList()));
            add(rows, event.payload());
            add(rows, event.metadata());
            add(rows, imported.actor() == null ? null : imported.actor().json());
            add(
                    rows,
                    imported.originalTime() == null
                            ? null
                            : imported.originalTime().toString());
            rows.append('\n');
        }
        return rows.toString();
    }

    /* The text format of COPY. */
    private static void add(StringBuilder row, @Nullable String value) {
        row.append('\t');
        if (value == null) {
            row.append("\\N");
            return;
        }
        for (int i = 0; i < value.length(); i++) {
            char character = value.charAt(i);
            switch (character) {
                case '\\' -> row.append("\\\\");
                case '\t' -> row.append("\\t");
                case '\n' -> row.append("\\n");
                case '\r' -> row.append("\\r");
                default -> row.append(character);
            }
        }
    }

    private interface Call<T extends @Nullable Object> {
        T on(PreparedStatement statement) throws SQLException, IOException;
    }

    private <T extends @Nullable Object> T inTransaction(String sql, Call<T> call) {
        try (PreparedStatement statement = connection.prepareStatement(sql.replace("${schema}", schema))) {
            T result = call.on(statement);
            connection.commit();
            return result;
        } catch (SQLException failure) {
            rollBack(failure);
            if (REFUSED.equals(failure.getSQLState())) {
                throw new RefusedInputException("The import was refused: " + failure.getMessage());
            }
            throw Failures.append(failure);
        } catch (IOException bug) {
            throw new IllegalStateException("Rows in memory could not be read", bug);
        }
    }

    private void rollBack(SQLException cause) {
        try {
            connection.rollback();
        } catch (SQLException alsoLost) {
            cause.addSuppressed(alsoLost);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException failure) {
            throw Failures.read(failure);
        }
    }
}
