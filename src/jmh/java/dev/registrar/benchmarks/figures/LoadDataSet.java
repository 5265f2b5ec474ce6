package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.concurrent.CpuExecutor;
import dev.registrar.concurrent.CpuOptions;
import dev.registrar.dataset.DataSet;
import dev.registrar.dataset.DataSetLoader;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.Query;
import java.io.IOException;

/**
 * How long does it take to load a data set into an empty store? Loads it like the service on its first start, in a
 * process without warm-up, and reports the seconds.
 *
 * <p>{@code mvn -q process-test-classes exec:exec -Dprogram=figures.Figures -Dselect=row14}
 */
final class LoadDataSet {
    private LoadDataSet() {}

    /** Takes the name of the data set. */
    public static void main(String[] arguments) throws IOException {
        DataSet dataSet = DataSet.valueOf(arguments[0]);
        try (BenchmarkStore store = BenchmarkStore.on(MeasuredDatabase.ofThisProcess());
                CpuExecutor executor = CpuExecutor.open(CpuOptions.defaults())) {
            MeasuringProgram.awaitStart();
            long started = System.nanoTime();
            new DataSetLoader(store.store, new EnrollmentEventCodec(), executor).load(dataSet, loaded -> {});
            double seconds = (System.nanoTime() - started) / 1e9;
            long events = store.store.count(Query.all());
            if (events != dataSet.size()) {
                throw new IllegalStateException("Loaded %s events, expected %s".formatted(events, dataSet.size()));
            }
            MeasuringProgram.report("seconds", seconds);
        }
    }
}
