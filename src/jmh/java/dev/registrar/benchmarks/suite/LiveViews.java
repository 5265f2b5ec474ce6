package dev.registrar.benchmarks.suite;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.catalog.CoursesView;
import dev.registrar.catalog.RostersView;
import dev.registrar.catalog.StudentsView;
import dev.registrar.catalog.WaitingListsView;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.Position;
import dev.registrar.projection.ProjectionOptions;
import dev.registrar.projection.ProjectionRunner;
import dev.registrar.projection.View;
import dev.registrar.subscription.AppendSignals;
import dev.registrar.subscription.Notifications;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;

/** The service's views, live on a store as in the service. */
final class LiveViews implements AutoCloseable {
    private static final Duration MAX_WAIT = Duration.ofMinutes(5);
    private static final int CONNECTIONS = 12;
    private static final EnrollmentEventCodec CODEC = new EnrollmentEventCodec();

    static final List<View> ALL = List.of(
            new CoursesView(CODEC), new StudentsView(CODEC), new RostersView(CODEC), new WaitingListsView(CODEC));

    private final HikariDataSource connections;
    private final AppendSignals signals;
    private final Notifications notifications;
    final ProjectionRunner runner;

    /** Starts the views and waits until they have caught up. */
    LiveViews(MeasuredDatabase database, BenchmarkStore store) {
        connections = new HikariDataSource(database.pool(CONNECTIONS));
        signals = new AppendSignals(store.store);
        notifications = new Notifications(connections, signals, MeasuredDatabase.STORE_SCHEMA);
        runner = ProjectionRunner.builder(connections, store.store, ALL)
                .schema(MeasuredDatabase.STORE_SCHEMA)
                .options(ProjectionOptions.with(options -> options.maxRebuilds = ALL.size()))
                .signals(signals)
                .metrics(new SimpleMeterRegistry())
                .build();
        notifications.start();
        runner.start();
        await(store.store.head().position());
    }

    /** Waits until all views have reached a position. */
    void await(Position position) {
        for (View view : ALL) {
            try {
                if (!runner.views().waitFor(view.name(), position, MAX_WAIT)) {
                    throw new IllegalStateException("%s did not reach %s".formatted(view.name(), position));
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(interrupted);
            }
        }
    }

    @Override
    public void close() {
        runner.close();
        notifications.close();
        signals.close();
        connections.close();
    }
}
