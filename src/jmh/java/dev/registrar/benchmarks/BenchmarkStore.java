package dev.registrar.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.RetryBounds;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreConnections;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.eventstore.postgres.StoreSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.InstantSource;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The store under measurement, built as the service builds it and with the settings that nobody has set. */
@State(Scope.Benchmark)
public class BenchmarkStore implements AutoCloseable {
    private static final long CACHED_STATES = 50_000;

    PostgresEventStore store;
    DecisionLoop<EnrollmentEvent> loop;

    private HikariDataSource connections;

    /** Opens the store on the database that this process is to measure. */
    @Setup
    public void open() {
        open(MeasuredDatabase.ofThisProcess());
    }

    /** Opens the store on any database. */
    static BenchmarkStore on(MeasuredDatabase database) {
        BenchmarkStore opened = new BenchmarkStore();
        opened.open(database);
        return opened;
    }

    private void open(MeasuredDatabase database) {
        StoreSettings settings = settings();
        InstantSource clock = InstantSource.system();
        connections = StoreConnections.open(database.url(), database.username(), database.password(), settings);
        store = new PostgresEventStore(connections, settings, clock, new SimpleMeterRegistry());
        loop = new DecisionLoop<>(store, new EnrollmentEventCodec(), RetryBounds.DEFAULT, CACHED_STATES, clock);
    }

    StoreSettings settings() {
        return StoreDatabase.defaultSettings();
    }

    @TearDown
    @Override
    public void close() {
        store.close();
        connections.close();
    }
}
