package dev.registrar.eventstore.postgres.append;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.ResourceLocks;
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

    /** Appends a group. A request whose resources another session holds is not appended. */
    public List<AppendAnswer> append(Connection connection, List<AppendEntry> group) throws SQLException {
        Instant now = now();
        if (group.size() == 1) {
            Optional<Appended> appended = oneFunction.call(connection, group.getFirst(), now);
            if (appended.isPresent()) {
                return List.of(new AppendAnswer.Judged(appended.get()));
            }
        }
        return function.call(connection, group, now);
    }

    /**
     * Waits for the resources of a request, appends it, and holds them until the commit, in one round trip. If this
     * process stops, the server does all of it or nothing.
     *
     * @throws dev.registrar.eventstore.EventStoreException if the locks were not acquired; nothing was appended
     */
    public AppendAnswer appendWaiting(Connection connection, AppendEntry entry, ResourceLocks locks)
            throws SQLException {
        return function.callWaiting(connection, entry, locks, Deadline.left(locks.timeout()), now());
    }

    /* Truncated to PostgreSQL's precision: the driver would round, possibly to a time in the future. */
    private @Nullable Instant now() {
        return clock == null ? null : clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
