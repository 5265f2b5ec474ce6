package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Caller;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.eventstore.Position;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How long after the acknowledgement of an enrollment do the rosters contain it? Under light load: a pause of 10 ms
 * between appends. The baseline is the time of the append.
 */
final class ViewDelay {
    static final String APPEND_MEDIAN = "append, median";
    static final String DELAY_MEDIAN = "commit to view, median";
    static final String DELAY_P99 = "commit to view, p99";

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

    private ViewDelay() {}

    /** Takes no arguments. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        RunSettings settings = RunSettings.ofThisProcess();
        MeasuredDatabase database = MeasuredDatabase.ofThisProcess();
        Caller caller = Caller.numbered(0);
        try (BenchmarkStore store = BenchmarkStore.on(database);
                LiveViews views = new LiveViews(database, store)) {
            measure(store, views, caller, settings.warmup().convertTo(TimeUnit.NANOSECONDS));
            MeasuringProgram.awaitStart();
            List<double[]> measured =
                    measure(store, views, caller, settings.measure().convertTo(TimeUnit.NANOSECONDS));
            MeasuringProgram.report(APPEND_MEDIAN, percentile(measured, 0, 0.5));
            MeasuringProgram.report(DELAY_MEDIAN, percentile(measured, 1, 0.5));
            MeasuringProgram.report(DELAY_P99, percentile(measured, 1, 0.99));
        }
    }

    private static List<double[]> measure(BenchmarkStore store, LiveViews views, Caller caller, long lasts)
            throws InterruptedException {
        List<double[]> microseconds = new ArrayList<>();
        long end = System.nanoTime() + lasts;
        do {
            long started = System.nanoTime();
            Position position = store.appendIfNew(caller.newStudentEnrolled()).last();
            long acknowledged = System.nanoTime();
            views.await(LiveViews.ROSTERS, position);
            microseconds.add(new double[] {(acknowledged - started) / 1e3, (System.nanoTime() - acknowledged) / 1e3});
            LockSupport.parkNanos(PAUSE);
        } while (System.nanoTime() < end);
        return microseconds;
    }

    private static double percentile(List<double[]> measured, int column, double part) {
        double[] sorted =
                measured.stream().mapToDouble(row -> row[column]).sorted().toArray();
        return sorted[(int) (sorted.length * part)];
    }
}
