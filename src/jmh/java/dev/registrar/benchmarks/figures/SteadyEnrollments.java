package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Caller;
import dev.registrar.benchmarks.Callers;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.eventstore.Position;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Enrollments at a steady rate: how long an append takes with all views live and without, and how far the slowest view
 * is behind.
 */
final class SteadyEnrollments {
    static final String ALONE_P99 = "append p99, no views";
    static final String LIVE_P99 = "append p99, all views live";
    static final String LAG_P99 = "lag of the views, p99";
    static final String RATE = "enrollments a second reached";

    private static final int CALLERS = 100;
    private static final long LOOKS_EVERY = TimeUnit.MILLISECONDS.toNanos(20);

    private SteadyEnrollments() {}

    /** Takes enrollments a second. */
    public static void main(String[] arguments) throws IOException, ExecutionException, InterruptedException {
        RunSettings settings = RunSettings.ofThisProcess();
        int perSecond = Integer.parseInt(arguments[0]);
        MeasuredDatabase database = MeasuredDatabase.ofThisProcess();
        List<Caller> callers =
                IntStream.range(0, CALLERS).mapToObj(Caller::numbered).toList();
        long warmUp = settings.warmup().convertTo(TimeUnit.NANOSECONDS);
        long lasts = settings.measure().convertTo(TimeUnit.NANOSECONDS);
        AtomicLong last = new AtomicLong();
        try (BenchmarkStore store = BenchmarkStore.on(database)) {
            enroll(store, callers, perSecond, warmUp, last);
            MeasuringProgram.awaitStart();
            MeasuringProgram.tell(ALONE_P99, percentile99(enroll(store, callers, perSecond, lasts, last)));
            try (LiveViews views = new LiveViews(database, store)) {
                enroll(store, callers, perSecond, warmUp, last);
                Queue<Double> lags = new ConcurrentLinkedQueue<>();
                Thread looks = Thread.ofVirtual().start(() -> look(views, last, lags));
                long started = System.nanoTime();
                Queue<Double> appends = enroll(store, callers, perSecond, lasts, last);
                long took = System.nanoTime() - started;
                looks.interrupt();
                looks.join();
                MeasuringProgram.tell(LIVE_P99, percentile99(appends));
                MeasuringProgram.tell(LAG_P99, percentile99(lags));
                MeasuringProgram.tell(RATE, appends.size() * 1e9 / took);
            }
        }
    }

    private static void look(LiveViews views, AtomicLong last, Queue<Double> lags) {
        try {
            while (true) {
                long started = System.nanoTime();
                views.await(Position.of(last.get()));
                lags.add((System.nanoTime() - started) / 1e3);
                TimeUnit.NANOSECONDS.sleep(LOOKS_EVERY);
            }
        } catch (InterruptedException over) {
            // Enough was seen.
        }
    }

    private static Queue<Double> enroll(
            BenchmarkStore store, List<Caller> callers, int perSecond, long lasts, AtomicLong last)
            throws ExecutionException, InterruptedException {
        Queue<Double> microseconds = new ConcurrentLinkedQueue<>();
        long between = TimeUnit.SECONDS.toNanos(1) * callers.size() / perSecond;
        long begin = System.nanoTime();
        Callers.run(callers.size(), number -> {
            long next = begin + between * number / callers.size();
            while (next < begin + lasts) {
                LockSupport.parkNanos(next - System.nanoTime());
                // From when it was due: who waits for those before is late, too.
                long position = store.appendIfNew(callers.get(number).newStudentEnrolled())
                        .last()
                        .value();
                microseconds.add((System.nanoTime() - next) / 1e3);
                last.accumulateAndGet(position, Math::max);
                next += between;
            }
        });
        return microseconds;
    }

    private static double percentile99(Queue<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalStateException("Nothing was measured");
        }
        return sorted[(int) (sorted.length * 0.99)];
    }
}
