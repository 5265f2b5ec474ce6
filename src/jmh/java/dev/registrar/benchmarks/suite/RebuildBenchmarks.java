package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Contents;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.benchmarks.Row;
import dev.registrar.benchmarks.Template;
import dev.registrar.dataset.DataSet;
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
@State(Scope.Benchmark)
public class RebuildBenchmarks {
    private static final List<View> VIEWS = LiveViews.ALL;

    @Param("50")
    int events;

    private LiveViews views;
    private BenchmarkStore store;

    /** Appends events of many courses and students, outside the measurement, and waits until the views have them. */
    @Setup
    public void start(BenchmarkStore measured) {
        store = measured;
        MeasuredDatabase database = MeasuredDatabase.ofThisProcess();
        if (database.template() == Template.EMPTY) {
            StoredEvents.write(
                    store,
                    new Contents(DataSet.TINY, 1 + events / 30, 0, 0).events().limit(events));
        }
        views = new LiveViews(database, store);
    }

    private void begin(View view) {
        views.runner.administration().rebuild(view.name());
    }

    /** Waits until a rebuild has ended, and returns the events of the view. */
    private long end(View view) {
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

    /** The courses. */
    @Row(value = "rebuild/one-view events=50,250,500", on = "empty")
    @Row(value = "rebuild/one-view events=1000000", on = "large", calls = "{events}", length = Row.Length.ONE_CALL)
    @Benchmark
    public long oneView() {
        begin(VIEWS.getFirst());
        return end(VIEWS.getFirst());
    }

    @Row(value = "rebuild/four-views events=50,250,500 order=one-by-one", on = "empty")
    @Benchmark
    public long oneByOne() {
        long rebuilt = 0;
        for (View view : VIEWS) {
            begin(view);
            rebuilt += end(view);
        }
        return rebuilt;
    }

    @Row(value = "rebuild/four-views events=50,250,500 order=at-once", on = "empty")
    @Benchmark
    public long atOnce() {
        VIEWS.forEach(this::begin);
        return VIEWS.stream().mapToLong(this::end).sum();
    }
}
