package dev.registrar.eventstore.tck;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Tasks that start together, each on a thread of its own. */
public final class Race {
    private Race() {}

    /** The result of each racer, in the order of their numbers; a racer that throws fails the test. */
    public static <T> List<T> run(int racers, IntFunction<? extends T> task) {
        CyclicBarrier start = new CyclicBarrier(racers);
        List<Future<T>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < racers; i++) {
                int racer = i;
                running.add(threads.submit(() -> {
                    start.await();
                    return task.apply(racer);
                }));
            }
        }
        return running.stream().map(Race::answer).toList();
    }

    private static <T> T answer(Future<T> done) {
        try {
            return done.get();
        } catch (ExecutionException failed) {
            throw new AssertionError("A racer failed", failed.getCause());
        } catch (InterruptedException impossible) {
            throw new IllegalStateException("The executor waits for its tasks before it closes", impossible);
        }
    }
}
