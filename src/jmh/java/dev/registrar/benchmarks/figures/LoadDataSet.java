package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.dataset.DataSet;
import dev.registrar.dataset.DataSetLoader;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.Query;
import java.io.IOException;

/**
 * Loads a data set into an empty store as the service does when it is started with one named, and tells how many
 * seconds it took, in a process that has not warmed up.
 *
 * <p>{@code mvn -q verify -Pfigures -Dfigures=row14}
 */
final class LoadDataSet {
    private LoadDataSet() {}

    /** Takes the data set's name. */
    public static void main(String[] arguments) throws IOException {
        DataSet dataSet = DataSet.valueOf(arguments[0]);
        try (BenchmarkStore store = BenchmarkStore.on(MeasuredDatabase.ofThisProcess())) {
            MeasuringProgram.awaitStart();
            long started = System.nanoTime();
            new DataSetLoader(store.store, new EnrollmentEventCodec()).load(dataSet, loaded -> {});
            double seconds = (System.nanoTime() - started) / 1e9;
            long events = store.store.count(Query.all());
            if (events != dataSet.size()) {
                throw new IllegalStateException(
                        "%d events were loaded instead of %d".formatted(events, dataSet.size()));
            }
            MeasuringProgram.tell("seconds", seconds);
        }
    }
}
