package dev.registrar.benchmarks.suite;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Contents;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.benchmarks.Template;
import dev.registrar.catalog.CoursesView;
import dev.registrar.catalog.RostersView;
import dev.registrar.catalog.StudentsView;
import dev.registrar.catalog.WaitingListsView;
import dev.registrar.dataset.DataSet;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.Event;
import dev.registrar.projection.ProjectionOptions;
import dev.registrar.projection.ProjectionRunner;
import dev.registrar.projection.ProjectionStatus;
import dev.registrar.projection.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * How long does the rebuild of views take? It builds the next generation of a view from the first event, with its
 * tables and indexes, and replaces the current generation with it.
 */
public class RebuildBenchmarks {
    private static final EnrollmentEventCodec CODEC = new EnrollmentEventCodec();
    private static final List<View> VIEWS = List.of(
            new CoursesView(CODEC), new StudentsView(CODEC), new RostersView(CODEC), new WaitingListsView(CODEC));

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (int events : new int[] {50, 250, 500}) {
            rows.add(row("one-view", "oneView", events, VIEWS.subList(0, 1)));
            rows.add(row("four-views", "oneByOne", events, VIEWS).with("order", "one-by-one"));
            rows.add(row("four-views", "atOnce", events, VIEWS).with("order", "at-once"));
        }
        return rows;
    }

    private static Row row(String name, String method, int events, List<View> views) {
        List<Event> stored = events(events);
        long counted = views.stream()
                .mapToLong(view -> stored.stream().filter(view.query()::matches).count())
                .sum();
        return Row.of("rebuild/" + name, RebuildBenchmarks.class, method)
                .with("events", events)
                .events((double) counted)
                .on(Template.EMPTY);
    }

    /** Returns events of many courses and students, the same on every call. */
    private static List<Event> events(int count) {
        return new Contents(DataSet.TINY, 1 + count / 30, 0, 0)
                .events()
                .limit(count)
                .toList();
    }

    /** The service's views, live on a store. */
    @State(Scope.Benchmark)
    public static class Views {
        private static final Duration PATIENCE = Duration.ofMinutes(1);
        private static final int CONNECTIONS = 12;

        @Param("50")
        int events;

        private HikariDataSource connections;
        private ProjectionRunner runner;
        private BenchmarkStore store;

        /** Appends the events, outside the measurement, and waits until the views have them. */
        @Setup
        public void start(BenchmarkStore measured) throws InterruptedException {
            store = measured;
            StoredEvents.append(store, events(events));
            StoredEvents.analyze();
            MeasuredDatabase database = MeasuredDatabase.ofThisProcess();
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(database.url());
            config.setUsername(database.username());
            config.setPassword(database.password());
            config.setMaximumPoolSize(CONNECTIONS);
            connections = new HikariDataSource(config);
            runner = ProjectionRunner.builder(connections, store.store, VIEWS)
                    .schema(MeasuredDatabase.STORE_SCHEMA)
                    .options(fourRebuilds())
                    .build();
            runner.start();
            for (View view : VIEWS) {
                if (!runner.views().waitFor(view.name(), store.store.head().position(), PATIENCE)) {
                    throw new IllegalStateException("%s has not caught up".formatted(view.name()));
                }
            }
        }

        private static ProjectionOptions fourRebuilds() {
            return ProjectionOptions.with(options -> options.maxRebuilds = VIEWS.size());
        }

        void begin(View view) {
            runner.administration().rebuild(view.name());
        }

        /** Waits until a rebuild has ended, and returns the events of the view. */
        long end(View view) {
            ProjectionStatus status = status(view);
            while (status.rebuild().isPresent()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                status = status(view);
            }
            return Expected.events(store.store.count(view.query()), status.events());
        }

        private ProjectionStatus status(View view) {
            return runner.administration().status(view.name());
        }

        @TearDown
        public void stop() {
            runner.close();
            connections.close();
        }
    }

    /** The courses. */
    @Benchmark
    public long oneView(Views views) {
        views.begin(VIEWS.getFirst());
        return views.end(VIEWS.getFirst());
    }

    @Benchmark
    public long oneByOne(Views views) {
        long events = 0;
        for (View view : VIEWS) {
            views.begin(view);
            events += views.end(view);
        }
        return events;
    }

    @Benchmark
    public long atOnce(Views views) {
        VIEWS.forEach(views::begin);
        return VIEWS.stream().mapToLong(views::end).sum();
    }
}
