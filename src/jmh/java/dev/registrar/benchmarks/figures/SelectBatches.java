package dev.registrar.benchmarks.figures;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.benchmarks.BarePool;
import dev.registrar.benchmarks.Callers;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.eventstore.postgres.GuardedSelects;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * So many {@code select 1} in a batch, so many at a time, batch after batch: through all that stands in front of the
 * store's database, or from a bare HikariCP pool with as many connections. The pool is full before the clock runs.
 */
final class SelectBatches {
    private SelectBatches() {}

    /**
     * Takes {@code bare} or another name, the batches of a run, the selects of a batch, the callers, and the deadline
     * of a select that is not bare.
     */
    public static void main(String[] arguments) throws IOException, ExecutionException, InterruptedException {
        RunSettings settings = RunSettings.ofThisProcess();
        int batches = Integer.parseInt(arguments[1]);
        int selects = Integer.parseInt(arguments[2]);
        int callers = Integer.parseInt(arguments[3]);
        MeasuredDatabase database = MeasuredDatabase.ofThisProcess();
        Duration deadline = Duration.parse(arguments[4]);
        if (arguments[0].equals("bare")) {
            try (HikariDataSource bare = BarePool.openAll(GuardedSelects.connections(callers))) {
                measure(settings, batches, selects, callers, () -> BarePool.select(bare));
            }
        } else {
            try (GuardedSelects guarded =
                    new GuardedSelects(database.url(), database.username(), database.password(), callers, deadline)) {
                measure(settings, batches, selects, callers, guarded::select);
            }
        }
    }

    private static void measure(RunSettings settings, int batches, int selects, int callers, IntSupplier select)
            throws IOException, ExecutionException, InterruptedException {
        long warmUpEnd = System.nanoTime() + settings.warmup().convertTo(TimeUnit.NANOSECONDS);
        do {
            batch(selects, callers, select);
        } while (System.nanoTime() < warmUpEnd);
        MeasuringProgram.awaitStart();
        long started = System.nanoTime();
        long measured = settings.measure().convertTo(TimeUnit.NANOSECONDS);
        long done = 0;
        do {
            for (int i = 0; i < batches; i++) {
                batch(selects, callers, select);
            }
            done += (long) batches * selects;
        } while (System.nanoTime() - started < measured);
        MeasuringProgram.tell("selects a second", done * 1e9 / (System.nanoTime() - started));
    }

    private static void batch(int selects, int callers, IntSupplier select)
            throws ExecutionException, InterruptedException {
        AtomicInteger taken = new AtomicInteger();
        Callers.run(callers, number -> {
            while (taken.getAndIncrement() < selects) {
                if (select.getAsInt() != 1) {
                    throw new IllegalStateException("A select of 1 did not give 1");
                }
            }
        });
    }
}
