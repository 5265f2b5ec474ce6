package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Caller;
import dev.registrar.benchmarks.Callers;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.benchmarks.UnprotectedStore;
import dev.registrar.eventstore.Event;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * What is the cost of deadline, circuit breaker and retry for an append with a condition? Appends with all of them,
 * like a request of the service, and with none of them take turns.
 */
final class ProtectedAppends {
    static final String PROTECTED = "append-if, protected";
    static final String UNPROTECTED = "append-if, unprotected";

    private static final long TURN = TimeUnit.MILLISECONDS.toNanos(300);

    private ProtectedAppends() {}

    /** Takes the number of callers. */
    public static void main(String[] arguments) throws IOException, ExecutionException, InterruptedException {
        RunSettings settings = RunSettings.ofThisProcess();
        List<Caller> callers = IntStream.range(0, settings.callers(Integer.parseInt(arguments[0])))
                .mapToObj(Caller::numbered)
                .toList();
        try (BenchmarkStore guarded = BenchmarkStore.on(MeasuredDatabase.ofThisProcess());
                BenchmarkStore bare = new UnprotectedStore()) {
            bare.open();
            Turn.measure(
                    settings,
                    new Turn(UNPROTECTED, () -> appends(callers, bare::appendIfNew)),
                    new Turn(PROTECTED, () -> appends(callers, guarded::appendIfNewInTime)));
        }
    }

    private static long appends(List<Caller> callers, Consumer<Event> append)
            throws ExecutionException, InterruptedException {
        long end = System.nanoTime() + TURN;
        AtomicLong appended = new AtomicLong();
        Callers.run(callers.size(), number -> {
            do {
                append.accept(callers.get(number).newStudentEnrolled());
                appended.incrementAndGet();
            } while (System.nanoTime() < end);
        });
        return appended.get();
    }
}
