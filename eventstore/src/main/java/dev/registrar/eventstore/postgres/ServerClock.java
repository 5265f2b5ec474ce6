package dev.registrar.eventstore.postgres;

import dev.registrar.concurrent.Throttle;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Parameters;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time of the database's server, which is the same for all instances: this machine's clock and its difference to
 * the server's, but not before the time of the last event. Both are measured every ten seconds while the clock is used.
 * Thread-safe.
 */
final class ServerClock implements InstantSource {
    private static final Logger LOG = LoggerFactory.getLogger(ServerClock.class);

    /** A difference of at least this is logged, once a minute. */
    private static final Duration LARGE = Duration.ofSeconds(1);

    private final Database database;
    private final InstantSource here;
    private final String measurement;
    private final Throttle measurements = new Throttle(Duration.ofSeconds(10));
    private final Throttle differenceLines = new Throttle(Duration.ofMinutes(1));
    private final Throttle behindLines = new Throttle(Duration.ofMinutes(1));

    /** The server's time less this machine's. */
    private volatile Duration difference = Duration.ZERO;
    /** The time of the last event. */
    private volatile Instant last = Instant.MIN;
    /** How far the server's clock is behind the time of the last event. */
    private volatile Duration behind = Duration.ZERO;

    /** @param here the clock of this machine */
    ServerClock(Database database, String schema, MeterRegistry metrics, InstantSource here) {
        this.database = database;
        this.here = here;
        this.measurement = """
                select
                    clock_timestamp(),
                    (
                        select event.recorded_at
                        from %s.events event
                        order by event.position desc
                        limit 1
                    )""".formatted(schema);
        Gauge.builder("registrar.store.clock.difference", () -> seconds(difference))
                .description("Time of the database's server less that of this machine")
                .baseUnit("seconds")
                .register(metrics);
        Gauge.builder("registrar.store.clock.behind", () -> seconds(behind))
                .description("Time by which the clock of the database's server is behind the last event")
                .baseUnit("seconds")
                .register(metrics);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    @Override
    public Instant instant() {
        if (measurements.tryAcquire()) {
            Thread.ofVirtual().name("event-store-clock").start(this::measure);
        }
        Instant server = here.instant().plus(difference);
        return server.isBefore(last) ? last : server;
    }

    /** Measures the difference now; without a database it stays as it was. */
    void measure() {
        try {
            database.run(measurement, this::read);
        } catch (EventStoreException unreachable) {
            LOG.debug("The difference to the clock of the database's server was not measured", unreachable);
        }
    }

    private boolean read(PreparedStatement statement) throws SQLException {
        Instant before = here.instant();
        return new Parameters(statement).only(row -> {
            Instant after = here.instant();
            Instant server = row.getObject(1, OffsetDateTime.class).toInstant();
            OffsetDateTime recorded = row.getObject(2, OffsetDateTime.class);
            // The server's time is that of a moment between the two: the difference changes only if it is impossible.
            Duration least = Duration.between(after, server);
            Duration most = Duration.between(before, server);
            // First the last event's time: with the new difference alone, the clock could step back.
            last = recorded == null ? Instant.MIN : recorded.toInstant();
            difference = longer(least, shorter(most, difference));
            behind = recorded == null ? Duration.ZERO : longer(Duration.ZERO, Duration.between(server, last));
            warn();
            return true;
        });
    }

    private void warn() {
        if (difference.abs().compareTo(LARGE) >= 0 && differenceLines.tryAcquire()) {
            LOG.warn(
                    "The clock of the database's server is {} this machine's by {}; decisions use the server's time",
                    difference.isNegative() ? "behind" : "ahead of",
                    difference.abs());
        }
        if (behind.compareTo(LARGE) > 0 && behindLines.tryAcquire()) {
            LOG.warn(
                    "The clock of the database's server is behind the time of the last event by {}; until it has caught up, events and decisions have that time",
                    behind);
        }
    }

    private static Duration longer(Duration some, Duration other) {
        return some.compareTo(other) > 0 ? some : other;
    }

    private static Duration shorter(Duration some, Duration other) {
        return some.compareTo(other) < 0 ? some : other;
    }
}
