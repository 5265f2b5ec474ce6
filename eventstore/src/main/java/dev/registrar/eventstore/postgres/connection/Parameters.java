package dev.registrar.eventstore.postgres.connection;

import dev.registrar.eventstore.Head;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGInterval;

/** Binds the parameters of a statement in order, and reads its rows. */
public final class Parameters {
    private final PreparedStatement statement;
    private int bound;

    public Parameters(PreparedStatement statement) {
        this.statement = statement;
    }

    /** What a row says. */
    @FunctionalInterface
    public interface Row<T extends @Nullable Object> {
        T of(ResultSet row) throws SQLException;
    }

    public Parameters add(@Nullable Object value) throws SQLException {
        statement.setObject(++bound, value);
        return this;
    }

    public Parameters add(@Nullable String text) throws SQLException {
        statement.setString(++bound, text);
        return this;
    }

    public Parameters add(@Nullable String[] texts) throws SQLException {
        statement.setArray(++bound, statement.getConnection().createArrayOf("text", texts));
        return this;
    }

    public Parameters add(@Nullable UUID[] ids) throws SQLException {
        statement.setArray(++bound, statement.getConnection().createArrayOf("uuid", ids));
        return this;
    }

    /* PGInterval is known to the driver; for other types it would ask the server, at the cost of a round trip. */
    public Parameters add(Duration duration) throws SQLException {
        statement.setObject(++bound, new PGInterval(0, 0, 0, 0, 0, duration.toMillis() / 1e3));
        return this;
    }

    public Parameters add(@Nullable Instant instant) throws SQLException {
        if (instant == null) {
            statement.setNull(++bound, Types.TIMESTAMP_WITH_TIMEZONE);
        } else {
            statement.setObject(++bound, instant.atOffset(ZoneOffset.UTC));
        }
        return this;
    }

    public Parameters addInteger(@Nullable Integer number) throws SQLException {
        statement.setObject(++bound, number, Types.INTEGER);
        return this;
    }

    public Parameters addNulls(int number) throws SQLException {
        for (int i = 0; i < number; i++) {
            statement.setNull(++bound, Types.NULL);
        }
        return this;
    }

    /** Binds heads as three arrays, in their order. */
    public Parameters add(Collection<Head> heads) throws SQLException {
        UUID[] incarnations = new UUID[heads.size()];
        long[] positions = new long[heads.size()];
        @Nullable UUID[] eventIds = new UUID[heads.size()];
        int n = 0;
        for (Head head : heads) {
            incarnations[n] = head.incarnation();
            positions[n] = head.position().value();
            eventIds[n] = head.lastEventId();
            n++;
        }
        return add(incarnations).add(positions).add(eventIds);
    }

    /** Runs the statement, which has one row. */
    public <T extends @Nullable Object> T only(Row<T> answer) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return answer.of(row);
        }
    }

    /** Runs the statement; empty if it has no row. */
    public <T> Optional<T> first(Row<T> answer) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            return row.next() ? Optional.of(answer.of(row)) : Optional.empty();
        }
    }

    /** Runs the statement, and reads all its rows. */
    public <T> List<T> all(Row<T> answer) throws SQLException {
        List<T> all = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                all.add(answer.of(row));
            }
        }
        return all;
    }
}
