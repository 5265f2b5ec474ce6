package dev.registrar.benchmarks.figures;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.benchmarks.BarePool;
import dev.registrar.benchmarks.Callers;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.eventstore.postgres.GuardedSelects;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * What is the cost of the store's guards in front of its database? Batches of {@code select 1} by concurrent callers
 * through the guards, and through a bare HikariCP pool with as many connections, take turns. All connections are open
 * before the measurement.
 */
final class SelectBatches {
    static final String GUARDED = "guarded";
    static final String BARE = "bare";

    private SelectBatches() {}

    /**
     * Takes the batches per turn, the selects per batch, the callers, and the deadline of a guarded select (ISO 8601).
     */
    public static void main(String[] arguments) throws IOException, ExecutionException, InterruptedException {
        int batches = Integer.parseInt(arguments[0]);
        int selects = Integer.parseInt(arguments[1]);
        int callers = Integer.parseInt(arguments[2]);
        Duration deadline = Duration.parse(arguments[3]);
        MeasuredDatabase database = MeasuredDatabase.ofThisProcess();
        try (HikariDataSource bare = BarePool.openAll(GuardedSelects.connections(callers));
                GuardedSelects guarded = new GuardedSelects(
                        database.url(), database.username(), database.password(), callers, deadline)) {
            Turn.measure(
                    RunSettings.ofThisProcess(),
                    new Turn(BARE, () -> turn(batches, selects, callers, () -> BarePool.select(bare))),
                    new Turn(GUARDED, () -> turn(batches, selects, callers, guarded::select)));
        }
    }

    private static long turn(int batches, int selects, int callers, IntSupplier select)
            throws ExecutionException, InterruptedException {
        for (int i = 0; i < batches; i++) {
            batch(selects, callers, select);
        }
        return (long) batches * selects;
    }

    private static void batch(int selects, int callers, IntSupplier select)
            throws ExecutionException, InterruptedException {
        AtomicInteger taken = new AtomicInteger();
        Callers.run(callers, number -> {
            while (taken.getAndIncrement() < selects) {
                if (select.getAsInt() != 1) {
                    throw new IllegalStateException("select 1 did not return 1");
                }
            }
        });
    }
}
