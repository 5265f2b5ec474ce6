package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Caller;
import dev.registrar.benchmarks.Callers;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Tag;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Appends events that no view reads, on a condition. Two stores on the same database take turns: views listen to one of
 * them and not to the other.
 */
final class AppendsBesideViews {
    static final String WITHOUT = "append-if, no views";
    static final String WITH = "append-if, all views live";

    private static final long TURN = TimeUnit.MILLISECONDS.toNanos(300);

    private AppendsBesideViews() {}

    /** Takes the number of callers. */
    public static void main(String[] arguments) throws IOException, ExecutionException, InterruptedException {
        RunSettings settings = RunSettings.ofThisProcess();
        MeasuredDatabase database = MeasuredDatabase.ofThisProcess();
        List<Caller> callers = IntStream.range(0, settings.callers(Integer.parseInt(arguments[0])))
                .mapToObj(Caller::numbered)
                .toList();
        try (BenchmarkStore alone = BenchmarkStore.on(database);
                BenchmarkStore listenedTo = BenchmarkStore.on(database);
                LiveViews views = new LiveViews(database, listenedTo)) {
            Turn.measure(
                    settings,
                    new Turn(WITHOUT, () -> appends(callers, alone)),
                    new Turn(WITH, () -> appends(callers, listenedTo)));
            // The views are still live: they have passed the events that they do not read.
            views.await(alone.store.head().position());
        }
    }

    private static long appends(List<Caller> callers, BenchmarkStore store)
            throws ExecutionException, InterruptedException {
        long end = System.nanoTime() + TURN;
        AtomicLong appended = new AtomicLong();
        Callers.run(callers.size(), number -> {
            do {
                store.appendIfNew(
                        Event.of("Noted", List.of(new Tag(callers.get(number).newTag())), "{}"));
                appended.incrementAndGet();
            } while (System.nanoTime() < end);
        });
        return appended.get();
    }
}
