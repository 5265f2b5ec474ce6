package dev.registrar.eventstore.postgres.append;

import dev.registrar.eventstore.AppendResult.Appended;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** One group's way into the database, on a connection that is there: by the quick functions where they will do. */
public final class AppendTransaction {
    private final AppendFunction function;
    private final AppendOneFunction oneFunction;
    private final InstantSource clock;

    public AppendTransaction(String schema, Duration idempotencyRetention, InstantSource clock) {
        this.function = new AppendFunction(schema, idempotencyRetention);
        this.oneFunction = new AppendOneFunction(schema);
        this.clock = clock;
    }

    public List<AppendAnswer> append(Connection connection, List<AppendEntry> group) throws SQLException {
        Instant now = now();
        AppendEntry first = group.getFirst();
        if (group.size() == 1 && AppendOneFunction.serves(first)) {
            Optional<Appended> appended = oneFunction.call(connection, first.request(), now);
            if (appended.isPresent()) {
                return List.of(new AppendAnswer.Judged(appended.get()));
            }
        }
        return function.call(connection, group, now);
    }

    /** Appends a request that holds resources until its commit, in one round trip. */
    public AppendAnswer appendHolding(
            Connection connection, HeldResources resources, Duration timeout, AppendEntry entry) throws SQLException {
        return function.callHolding(connection, resources, timeout, entry, now());
    }

    /* The driver would round to what PostgreSQL keeps, and an event must not come from the future. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
