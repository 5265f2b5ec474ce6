package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Caller;
import dev.registrar.benchmarks.Callers;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.eventstore.Append;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Appends as fast as possible and reports the events per second, as one of several instances of the service. All
 * instances warm up together, after the common start.
 *
 * <p>{@code mvn -q process-test-classes exec:exec -Dprogram=figures.Figures -Dselect=row10}
 */
final class AppendingProgram {
    private static final int MOST_CALLERS = 1_000;

    private AppendingProgram() {}

    /** Takes {@code append} or {@code append-if}, the number of callers, and the number of this process. */
    public static void main(String[] arguments) throws IOException, ExecutionException, InterruptedException {
        RunSettings settings = RunSettings.ofThisProcess();
        int process = Integer.parseInt(arguments[2]);
        List<Caller> callers = IntStream.range(0, settings.callers(Integer.parseInt(arguments[1])))
                .mapToObj(number -> Caller.numbered(process * MOST_CALLERS + number))
                .toList();
        try (BenchmarkStore store = BenchmarkStore.on(MeasuredDatabase.ofThisProcess())) {
            Consumer<Caller> append = arguments[0].equals("append-if")
                    ? caller -> store.appendIfNew(caller.newStudentEnrolled())
                    : caller -> BenchmarkStore.appended(store.store.append(Append.of(caller.newStudentEnrolled())));
            // Opens the connections before the measurement.
            Callers.run(callers.size(), number -> append.accept(callers.get(number)));
            MeasuringProgram.awaitStart();
            MeasuringProgram.report("events a second", appendedPerSecond(callers, append, settings));
        }
    }

    private static double appendedPerSecond(List<Caller> callers, Consumer<Caller> append, RunSettings settings)
            throws ExecutionException, InterruptedException {
        long warmUp = settings.warmup().convertTo(TimeUnit.NANOSECONDS);
        long measured = settings.measure().convertTo(TimeUnit.NANOSECONDS);
        LongAdder appended = new LongAdder();
        long started = System.nanoTime();
        Callers.run(callers.size(), number -> {
            long elapsed = 0;
            while (elapsed < warmUp + measured) {
                append.accept(callers.get(number));
                elapsed = System.nanoTime() - started;
                if (elapsed >= warmUp && elapsed < warmUp + measured) {
                    appended.increment();
                }
            }
        });
        return appended.sum() * 1e9 / measured;
    }
}
