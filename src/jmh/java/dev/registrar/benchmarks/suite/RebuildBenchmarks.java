package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Contents;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.benchmarks.Row;
import dev.registrar.benchmarks.Template;
import dev.registrar.dataset.DataSet;
import dev.registrar.eventstore.Event;
import dev.registrar.projection.ProjectionStatus;
import dev.registrar.projection.View;
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
    private static final List<View> VIEWS = LiveViews.ALL;

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
        @Param("50")
        int events;

        private LiveViews views;
        private BenchmarkStore store;

        /** Appends the events, outside the measurement, and waits until the views have them. */
        @Setup
        public void start(BenchmarkStore measured) {
            store = measured;
            MeasuredDatabase database = MeasuredDatabase.ofThisProcess();
            if (database.template() == Template.EMPTY) {
                StoredEvents.write(store, events(events));
            }
            views = new LiveViews(database, store);
        }

        void begin(View view) {
            views.runner.administration().rebuild(view.name());
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
            return views.runner.administration().status(view.name());
        }

        @TearDown
        public void stop() {
            views.close();
        }
    }

    /** The courses. */
    @Row(value = "rebuild/one-view events=50,250,500", on = "empty")
    @Row(value = "rebuild/one-view events=1000000", on = "large", calls = "{events}", length = Row.Length.ONE_CALL)
    @Benchmark
    public long oneView(Views views) {
        views.begin(VIEWS.getFirst());
        return views.end(VIEWS.getFirst());
    }

    @Row(value = "rebuild/four-views events=50,250,500 order=one-by-one", on = "empty")
    @Benchmark
    public long oneByOne(Views views) {
        long events = 0;
        for (View view : VIEWS) {
            views.begin(view);
            events += views.end(view);
        }
        return events;
    }

    @Row(value = "rebuild/four-views events=50,250,500 order=at-once", on = "empty")
    @Benchmark
    public long atOnce(Views views) {
        VIEWS.forEach(views::begin);
        return VIEWS.stream().mapToLong(views::end).sum();
    }
}
