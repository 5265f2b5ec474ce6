package dev.registrar.benchmarks;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Runs an action in several virtual threads, outside JMH. */
public final class Callers {
    private Callers() {}

    /**
     * Runs the action once in each thread and waits for all of them.
     *
     * @param action receives the number of its thread, from 0
     * @throws ExecutionException if the action failed in a thread
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
