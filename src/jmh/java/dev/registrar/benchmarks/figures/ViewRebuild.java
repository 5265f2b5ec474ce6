package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Query;
import dev.registrar.projection.ProjectionStatus;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** How many events per second does a rebuild of the courses apply? The baseline is a read of the same events. */
final class ViewRebuild {
    static final String READ = "events read a second";
    static final String APPLIED = "events applied a second";

    private ViewRebuild() {}

    /** Takes no arguments. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        MeasuredDatabase database = MeasuredDatabase.ofThisProcess();
        try (BenchmarkStore store = BenchmarkStore.on(database);
                LiveViews views = new LiveViews(database, store)) {
            MeasuringProgram.awaitStart();
            long started = System.nanoTime();
            long read = read(store, LiveViews.COURSES.query());
            MeasuringProgram.report(READ, read * 1e9 / (System.nanoTime() - started));
            started = System.nanoTime();
            views.runner.administration().rebuild(LiveViews.COURSES.name());
            while (status(views).rebuild().isPresent()) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
            long rebuilt = System.nanoTime() - started;
            if (status(views).events() != read) {
                throw new IllegalStateException(
                        "Applied %s events, expected %s".formatted(status(views).events(), read));
            }
            MeasuringProgram.report(APPLIED, read * 1e9 / rebuilt);
        }
    }

    private static ProjectionStatus status(LiveViews views) {
        return views.runner.administration().status(LiveViews.COURSES.name());
    }

    private static long read(BenchmarkStore store, Query query) {
        long events = 0;
        try (EventStream stream = store.store.read(query)) {
            while (stream.hasNext()) {
                stream.next();
                events++;
            }
        }
        return events;
    }
}
