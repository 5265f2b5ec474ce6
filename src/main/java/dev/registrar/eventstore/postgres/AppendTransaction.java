package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.postgres.AppendFunction.Entry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** One call of a stored function, on a connection that is there: the shorter one where that will do. */
final class AppendTransaction {
    private final AppendFunction function;
    private final AppendOneFunction oneFunction;
    private final IdempotencyKeys keys;
    private final InstantSource clock;

    AppendTransaction(String schema, IdempotencyKeys keys, InstantSource clock) {
        this.function = new AppendFunction(schema);
        this.oneFunction = new AppendOneFunction(schema);
        this.keys = keys;
        this.clock = clock;
    }

    List<AppendVerdict> append(Connection connection, List<Entry> group) throws SQLException {
        // The driver would round to what PostgreSQL keeps, and an event must not come from the future.
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        Entry first = group.getFirst();
        Append request = first.request();
        return group.size() == 1 && !first.asksOnly() && AppendOneFunction.serves(request)
                ? List.of(new AppendVerdict.Judged(oneFunction.call(connection, request, now)))
                : function.call(connection, group, now, keys.expiredAt(now));
    }
}
