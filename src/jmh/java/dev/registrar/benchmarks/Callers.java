package dev.registrar.benchmarks;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Virtual threads that all do the same, outside JMH. */
public final class Callers {
    private Callers() {}

    /**
     * Runs the action once in each of so many threads, and waits for all.
     *
     * @param action is told its thread's number, from 0 on
     * @throws ExecutionException if one of them failed
     */
    public static void run(int callers, IntConsumer action) throws ExecutionException, InterruptedException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<? extends Future<?>> running = IntStream.range(0, callers)
                    .mapToObj(number -> threads.submit(() -> action.accept(number)))
                    .toList();
            for (Future<?> caller : running) {
                caller.get();
            }
        }
    }
}
