package dev.registrar.eventstore.postgres.append;

import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.postgres.connection.ServerWarnings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Appends a group on a given connection, with the faster function for a single event where that is possible. */
public final class AppendTransaction {
    private final AppendFunction function;
    private final AppendOneFunction oneFunction;
    private final @Nullable InstantSource clock;

    /** @param clock stamps the events; null for the clock of the server */
    public AppendTransaction(
            String schema, Duration idempotencyRetention, @Nullable InstantSource clock, ServerWarnings warnings) {
        this.function = new AppendFunction(schema, idempotencyRetention, warnings);
        this.oneFunction = new AppendOneFunction(schema, warnings);
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

    /** Appends a request that holds resource locks until its commit, in one round trip. */
    public AppendAnswer appendHolding(
            Connection connection, HeldResources resources, Duration timeout, AppendEntry entry) throws SQLException {
        return function.callHolding(connection, resources, timeout, entry, now());
    }

    /**
     * Appends a group whose requests hold resource locks until the commit, in one round trip, unless another session
     * holds one of the locks. It never waits for a resource lock.
     *
     * @param resources the keys of the resource locks of each entry
     */
    public List<AppendAnswer> appendIfFree(Connection connection, List<AppendEntry> group, List<long[]> resources)
            throws SQLException {
        return function.callIfFree(connection, group, resources, now());
    }

    /* Truncated to PostgreSQL's precision: the driver would round, possibly to a time in the future. */
    private @Nullable Instant now() {
        return clock == null ? null : clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
