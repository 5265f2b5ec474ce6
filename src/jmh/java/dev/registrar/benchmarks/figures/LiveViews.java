package dev.registrar.benchmarks.figures;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.catalog.CoursesView;
import dev.registrar.catalog.RostersView;
import dev.registrar.catalog.StudentsView;
import dev.registrar.catalog.WaitingListsView;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.Position;
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

    static final CoursesView COURSES = new CoursesView(CODEC);
    static final StudentsView STUDENTS = new StudentsView(CODEC);
    static final RostersView ROSTERS = new RostersView(CODEC);

    private static final List<View> ALL = List.of(COURSES, STUDENTS, ROSTERS, new WaitingListsView(CODEC));

    private final HikariDataSource connections;
    private final AppendSignals signals;
    private final Notifications notifications;
    final ProjectionRunner runner;

    /** Starts the views and waits until they have caught up. */
    LiveViews(MeasuredDatabase database, BenchmarkStore store) throws InterruptedException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setUsername(database.username());
        config.setPassword(database.password());
        config.setMaximumPoolSize(CONNECTIONS);
        connections = new HikariDataSource(config);
        signals = new AppendSignals(store.store);
        notifications = new Notifications(connections, signals, MeasuredDatabase.STORE_SCHEMA);
        runner = ProjectionRunner.builder(connections, store.store, ALL)
                .schema(MeasuredDatabase.STORE_SCHEMA)
                .signals(signals)
                .metrics(new SimpleMeterRegistry())
                .build();
        notifications.start();
        runner.start();
        await(store.store.head().position());
    }

    /** Waits until all views have reached a position. */
    void await(Position position) throws InterruptedException {
        for (View view : ALL) {
            await(view, position);
        }
    }

    void await(View view, Position position) throws InterruptedException {
        if (!runner.views().waitFor(view.name(), position, MAX_WAIT)) {
            throw new IllegalStateException("%s did not reach %s".formatted(view.name(), position));
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
