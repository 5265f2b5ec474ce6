package dev.registrar.benchmarks;

import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Virtual threads outside JMH, each of which performs an action with its number, from 0. */
public final class Callers implements AutoCloseable {
    private final CompletableFuture<Void> all;
    private volatile boolean stopped;

    private Callers(int callers, IntConsumer action) {
        all = started(callers, number -> {
            while (!stopped) {
                action.accept(number);
            }
        });
    }

    /** Performs the action once in each thread and waits for all of them. Fails if the action has failed in one. */
    public static void run(int callers, IntConsumer action) {
        started(callers, action).join();
    }

    /** Starts threads that perform the action again and again, beside a measurement. */
    public static Callers repeat(int callers, IntConsumer action) {
        return new Callers(callers, action);
    }

    private static CompletableFuture<Void> started(int callers, IntConsumer action) {
        return CompletableFuture.allOf(IntStream.range(0, callers)
                .mapToObj(number -> CompletableFuture.runAsync(
                        () -> action.accept(number), task -> Thread.ofVirtual().start(task)))
                .toArray(CompletableFuture<?>[]::new));
    }

    /** Waits for the last actions. Fails if the action has failed. */
    @Override
    public void close() {
        stopped = true;
        all.join();
    }
}
