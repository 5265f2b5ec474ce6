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
 * How long does an append take at a steady rate of enrollments, with all views live and without views, and how far is
 * the slowest view behind?
 */
final class SteadyEnrollments {
    static final String ALONE_P99 = "append p99, no views";
    static final String LIVE_P99 = "append p99, all views live";
    static final String LAG_P99 = "lag of the views, p99";
    static final String RATE = "enrollments a second reached";

    private static final int CALLERS = 100;
    private static final long SAMPLING_INTERVAL = TimeUnit.MILLISECONDS.toNanos(20);

    private SteadyEnrollments() {}

    /** Takes the enrollments per second. */
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
            MeasuringProgram.report(ALONE_P99, percentile99(enroll(store, callers, perSecond, lasts, last)));
            try (LiveViews views = new LiveViews(database, store)) {
                enroll(store, callers, perSecond, warmUp, last);
                Queue<Double> lags = new ConcurrentLinkedQueue<>();
                Thread sampler = Thread.ofVirtual().start(() -> sample(views, last, lags));
                long started = System.nanoTime();
                Queue<Double> appends = enroll(store, callers, perSecond, lasts, last);
                long took = System.nanoTime() - started;
                sampler.interrupt();
                sampler.join();
                MeasuringProgram.report(LIVE_P99, percentile99(appends));
                MeasuringProgram.report(LAG_P99, percentile99(lags));
                MeasuringProgram.report(RATE, appends.size() * 1e9 / took);
            }
        }
    }

    private static void sample(LiveViews views, AtomicLong last, Queue<Double> lags) {
        try {
            while (true) {
                long started = System.nanoTime();
                views.await(Position.of(last.get()));
                lags.add((System.nanoTime() - started) / 1e3);
                TimeUnit.NANOSECONDS.sleep(SAMPLING_INTERVAL);
            }
        } catch (InterruptedException over) {
            // The measurement has ended.
        }
    }

    private static Queue<Double> enroll(
            BenchmarkStore store, List<Caller> callers, int perSecond, long lasts, AtomicLong last)
            throws ExecutionException, InterruptedException {
        Queue<Double> microseconds = new ConcurrentLinkedQueue<>();
        long interval = TimeUnit.SECONDS.toNanos(1) * callers.size() / perSecond;
        long begin = System.nanoTime();
        Callers.run(callers.size(), number -> {
            long next = begin + interval * number / callers.size();
            while (next < begin + lasts) {
                LockSupport.parkNanos(next - System.nanoTime());
                // Measured from when it was due, so that time in the queue counts.
                long position = store.appendIfNew(callers.get(number).newStudentEnrolled())
                        .last()
                        .value();
                microseconds.add((System.nanoTime() - next) / 1e3);
                last.accumulateAndGet(position, Math::max);
                next += interval;
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
