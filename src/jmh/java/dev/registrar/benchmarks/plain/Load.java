package dev.registrar.benchmarks.plain;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Sends requests from a fixed number of connections, with a thread for each. */
final class Load implements AutoCloseable {
    private static final long SEED = 20_261_127L;

    private final List<HttpConnection> connections = new ArrayList<>();
    private final ExecutorService threads;

    Load(int port, int connections) throws IOException {
        for (int i = 0; i < connections; i++) {
            this.connections.add(new HttpConnection(port));
        }
        threads = Executors.newFixedThreadPool(connections);
    }

    /**
     * The answers of a load.
     *
     * @param statuses the number of answers by status
     * @param seconds from the first request to the last answer
     */
    record Answers(Map<Integer, Integer> statuses, double seconds) {
        int count() {
            return statuses.values().stream().mapToInt(Integer::intValue).sum();
        }

        double perSecond() {
            return count() / seconds;
        }
    }

    /** Sends a request from each connection as soon as the one before is answered. */
    Answers closed(Supplier<byte[]> requests, long nanoseconds) {
        long end = System.nanoTime() + nanoseconds;
        return onEach(connection -> {
            Map<Integer, Integer> statuses = new TreeMap<>();
            do {
                statuses.merge(connection.send(requests.get()), 1, Integer::sum);
            } while (System.nanoTime() < end);
            return statuses;
        });
    }

    /**
     * Sends requests at random times, whether the ones before are answered or not, as long as a connection is free.
     *
     * @param delays receives the time of each answer since its request was due, in nanoseconds
     */
    Answers open(Supplier<byte[]> requests, double perSecond, long[] delays) {
        long[] due = new long[delays.length];
        SplittableRandom random = new SplittableRandom(SEED);
        double at = 0;
        for (int i = 0; i < due.length; i++) {
            at += -Math.log(1 - random.nextDouble()) / perSecond * 1e9;
            due[i] = (long) at;
        }
        AtomicInteger next = new AtomicInteger();
        long started = System.nanoTime();
        return onEach(connection -> {
            Map<Integer, Integer> statuses = new TreeMap<>();
            for (int i = next.getAndIncrement(); i < due.length; i = next.getAndIncrement()) {
                byte[] request = requests.get();
                for (long early = due[i] - (System.nanoTime() - started);
                        early > 0;
                        early = due[i] - (System.nanoTime() - started)) {
                    LockSupport.parkNanos(early);
                }
                statuses.merge(connection.send(request), 1, Integer::sum);
                delays[i] = System.nanoTime() - started - due[i];
            }
            return statuses;
        });
    }

    /** The percentile of times, in milliseconds. */
    static double percentile(long[] nanoseconds, double share) {
        long[] sorted = nanoseconds.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] / 1e6;
    }

    private interface Work {
        Map<Integer, Integer> with(HttpConnection connection) throws IOException;
    }

    private Answers onEach(Work work) {
        long started = System.nanoTime();
        try {
            List<Callable<Map<Integer, Integer>>> calls = connections.stream()
                    .<Callable<Map<Integer, Integer>>>map(connection -> () -> work.with(connection))
                    .toList();
            Map<Integer, Integer> statuses = new TreeMap<>();
            for (Future<Map<Integer, Integer>> done : threads.invokeAll(calls)) {
                done.get().forEach((status, count) -> statuses.merge(status, count, Integer::sum));
            }
            return new Answers(statuses, (System.nanoTime() - started) / 1e9);
        } catch (ExecutionException failure) {
            throw new IllegalStateException("A request was not answered", failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    @Override
    public void close() throws IOException {
        threads.shutdown();
        for (HttpConnection connection : connections) {
            connection.close();
        }
        try {
            threads.awaitTermination(1, TimeUnit.MINUTES);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
