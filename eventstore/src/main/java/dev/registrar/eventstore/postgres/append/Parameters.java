package dev.registrar.eventstore.postgres.append;

import dev.registrar.eventstore.Head;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PGInterval;

/** Binds the parameters of a statement in order. */
final class Parameters {
    private final PreparedStatement statement;
    private int bound;

    Parameters(PreparedStatement statement) {
        this.statement = statement;
    }

    void add(@Nullable Object value) throws SQLException {
        statement.setObject(++bound, value);
    }

    void add(@Nullable String text) throws SQLException {
        statement.setString(++bound, text);
    }

    void add(@Nullable String[] texts) throws SQLException {
        statement.setArray(++bound, statement.getConnection().createArrayOf("text", texts));
    }

    void add(@Nullable UUID[] ids) throws SQLException {
        statement.setArray(++bound, statement.getConnection().createArrayOf("uuid", ids));
    }

    /* PGInterval is known to the driver; for other types it would ask the server, at the cost of a round trip. */
    void add(Duration duration) throws SQLException {
        statement.setObject(++bound, new PGInterval(0, 0, 0, 0, 0, duration.toMillis() / 1e3));
    }

    void add(@Nullable Instant instant) throws SQLException {
        if (instant == null) {
            statement.setNull(++bound, Types.TIMESTAMP_WITH_TIMEZONE);
        } else {
            statement.setObject(++bound, instant.atOffset(ZoneOffset.UTC));
        }
    }

    void addInteger(@Nullable Integer number) throws SQLException {
        statement.setObject(++bound, number, Types.INTEGER);
    }

    void addNulls(int number) throws SQLException {
        for (int i = 0; i < number; i++) {
            statement.setNull(++bound, Types.NULL);
        }
    }

    /** Binds heads as three arrays, in their order. */
    void add(Collection<Head> heads) throws SQLException {
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
        add(incarnations);
        add(positions);
        add(eventIds);
    }
}
