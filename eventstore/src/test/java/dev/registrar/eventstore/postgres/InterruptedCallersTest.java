package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Callers that share groups, one of whom is interrupted every few milliseconds. An interrupt closes the socket that a
 * virtual thread waits for: the other callers of a group must not notice.
 */
class InterruptedCallersTest {
    private static final int CALLERS = 40;
    private static final int ROUNDS = 60;
    private static final long BETWEEN_INTERRUPTS_NANOS = 2_000_000;
    private static final long SEED = 20_261_126;

    private final StoreDatabase database = new StoreDatabase();
    private final PostgresEventStore store = database.newStore();
    private final Queue<Throwable> unexpected = new ConcurrentLinkedQueue<>();
    private final AtomicInteger expected = new AtomicInteger();

    @AfterEach
    void close() {
        store.close();
        database.close();
    }

    static Stream<Arguments> kindsOfThreads() {
        return Stream.of(
                Arguments.argumentSet("virtual threads", Thread.ofVirtual().factory()),
                Arguments.argumentSet("platform threads", Thread.ofPlatform().factory()));
    }

    @ParameterizedTest
    @MethodSource("kindsOfThreads")
    void the_interrupt_of_one_caller_fails_no_other(ThreadFactory threads) throws InterruptedException {
        RandomGenerator random = new SplittableRandom(SEED);
        List<Caller> callers = IntStream.range(0, CALLERS)
                .mapToObj(i -> new Caller("caller:" + i, threads))
                .toList();
        callers.forEach(caller -> caller.thread.start());

        while (callers.stream().anyMatch(caller -> caller.thread.isAlive())) {
            callers.get(random.nextInt(CALLERS)).interrupt();
            LockSupport.parkNanos(BETWEEN_INTERRUPTS_NANOS);
        }
        for (Caller caller : callers) {
            caller.thread.join();
        }

        assertThat(unexpected)
                .as("failures of callers that were not interrupted")
                .isEmpty();
        assertThat(expected).as("failures of interrupted callers").hasPositiveValue();
    }

    /** Appends and reads again and again, and notes each failure of a call during which it was not interrupted. */
    private final class Caller {
        private final String tag;
        private final Thread thread;
        private int interrupts;

        Caller(String tag, ThreadFactory threads) {
            this.tag = tag;
            this.thread = threads.newThread(this::run);
        }

        private synchronized void interrupt() {
            interrupts++;
            thread.interrupt();
        }

        /* Clears an interrupt that came between two calls. */
        private synchronized int begin() {
            Thread.interrupted();
            return interrupts;
        }

        private synchronized boolean wasInterruptedSince(int before) {
            return interrupts > before;
        }

        private void run() {
            for (int i = 0; i < ROUNDS; i++) {
                int before = begin();
                try {
                    store.append(Append.of(Event.of("Called", "{}", tag)));
                    store.read(
                                    Query.of(QueryItem.tags(tag)),
                                    ReadOptions.forwards().limit(1))
                            .close();
                } catch (RuntimeException | Error failure) {
                    if (wasInterruptedSince(before)) {
                        expected.incrementAndGet();
                    } else {
                        unexpected.add(failure);
                    }
                }
            }
        }
    }
}
