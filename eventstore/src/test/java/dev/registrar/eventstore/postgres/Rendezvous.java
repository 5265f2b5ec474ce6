package dev.registrar.eventstore.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Racers that start together; the outcome of each is a value, even if it failed. */
final class Rendezvous {
    private Rendezvous() {}

    sealed interface Outcome<T> {
        record Returned<T>(T value) implements Outcome<T> {}

        record Threw<T>(Throwable failure) implements Outcome<T> {}
    }

    /** Runs the tasks at the same time, each on a thread of its own. */
    static <T> List<Outcome<T>> collide(int racers, IntFunction<Callable<T>> tasks) {
        CyclicBarrier start = new CyclicBarrier(racers);
        List<Future<T>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int racer = 0; racer < racers; racer++) {
                Callable<T> task = tasks.apply(racer);
                running.add(threads.submit(() -> {
                    meet(start);
                    return task.call();
                }));
            }
        }
        return running.stream().map(Rendezvous::outcome).toList();
    }

    /** Waits for the other racers with a time limit: a racer that failed earlier must not hang the build. */
    static void meet(CyclicBarrier barrier) throws Exception {
        barrier.await(2, TimeUnit.MINUTES);
    }

    private static <T> Outcome<T> outcome(Future<T> done) {
        try {
            return new Outcome.Returned<>(done.get());
        } catch (ExecutionException failed) {
            return new Outcome.Threw<>(failed);
        } catch (InterruptedException impossible) {
            throw new IllegalStateException("The executor waits for its tasks before it closes", impossible);
        }
    }
}
