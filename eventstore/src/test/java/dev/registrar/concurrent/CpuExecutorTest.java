package dev.registrar.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** CPU-bound work: where it runs, what bounds it, and how it ends. */
class CpuExecutorTest {
    private static final CpuOptions OPTIONS = new CpuOptions("test", 2, 10, Duration.ofSeconds(10));

    /** The latch that blocked tasks wait for. */
    private final CountDownLatch released = new CountDownLatch(1);

    private final Queue<String> observed = new ConcurrentLinkedQueue<>();
    private final List<CpuExecutor> opened = new ArrayList<>();

    @AfterEach
    void close() {
        released.countDown();
        opened.forEach(CpuExecutor::close);
    }

    private CpuExecutor executor(CpuOptions options) {
        CpuExecutor executor = CpuExecutor.open(options, new CpuObserver() {
            @Override
            public void refused() {
                observed.add("refused");
            }

            @Override
            public void ended(String task, Outcome outcome, long waited, long ran) {
                assertThat(List.of(waited, ran)).allMatch(time -> time >= 0);
                observed.add(task + " " + outcome);
            }
        });
        opened.add(executor);
        return executor;
    }

    /* Occupies a worker until it is released or interrupted. */
    private Future<Boolean> block(CpuExecutor executor) throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        Future<Boolean> blocked = executor.submit(() -> {
            running.countDown();
            released.await();
            return true;
        });
        running.await();
        return blocked;
    }

    private static <T> T inTime(Future<T> future) throws ExecutionException, InterruptedException, TimeoutException {
        return future.get(20, TimeUnit.SECONDS);
    }

    /** A task that is a class of its own. */
    private record Fibonacci(int number) implements CpuTask<Integer, RuntimeException> {
        @Override
        public Integer run() {
            return number < 2 ? number : new Fibonacci(number - 1).run() + new Fibonacci(number - 2).run();
        }
    }

    @Test
    void a_task_runs_on_a_worker_under_the_name_of_its_class() throws Exception {
        CpuExecutor executor = executor(OPTIONS);

        assertThat(executor.run(new Fibonacci(20))).isEqualTo(6_765);
        String thread = executor.run(() -> Thread.currentThread().getName());

        assertThat(thread).startsWith("test-");
        assertThat(observed).containsExactly("Fibonacci SUCCEEDED", "unnamed SUCCEEDED");
    }

    @Test
    void the_caller_receives_a_tasks_own_failure() {
        CpuExecutor executor = executor(OPTIONS);
        IOException failure = new IOException("no file");
        CpuTask<String, IOException> task = () -> {
            throw failure;
        };

        assertThatThrownBy(() -> executor.run(task)).isSameAs(failure);
        assertThatThrownBy(() -> executor.run(() -> {
                    throw new AssertionError("a bug");
                }))
                .isInstanceOf(AssertionError.class);
        assertThat(observed).containsExactly("unnamed FAILED", "unnamed FAILED");
    }

    @Test
    void a_task_is_refused_at_once_when_the_queue_is_full() throws Exception {
        CpuExecutor executor = executor(OPTIONS.withWorkers(1).withMaxWaiting(2));
        assertThat(block(executor)).isNotDone();
        Future<Integer> first = executor.submit(() -> 1);
        Future<Integer> second = executor.submit(() -> 2);

        assertThatThrownBy(() -> executor.run(() -> 3))
                .isInstanceOf(TooManyTasksException.class)
                .hasMessageContaining("'test' (limit 2)");
        assertThatThrownBy(() -> executor.map(List.of(3), number -> number)).isInstanceOf(TooManyTasksException.class);
        assertThat(observed).containsExactly("refused", "refused");
        assertThat(executor.running()).isOne();
        assertThat(executor.waiting()).isEqualTo(2);

        released.countDown();
        assertThat(inTime(first)).isOne();
        assertThat(inTime(second)).isEqualTo(2);
    }

    @Test
    void an_idle_worker_takes_the_tasks_that_wait_behind_a_long_one() throws Exception {
        CpuExecutor executor = executor(OPTIONS);
        Future<Boolean> longOne = block(executor);
        List<Future<String>> others = IntStream.range(0, 10)
                .mapToObj(i -> executor.submit(() -> Thread.currentThread().getName()))
                .toList();

        Set<String> workers = ConcurrentHashMap.newKeySet();
        for (Future<String> other : others) {
            workers.add(inTime(other));
        }

        assertThat(workers).hasSize(1);
        assertThat(longOne.isDone()).isFalse();
    }

    @Test
    void mapping_keeps_the_order_while_others_take_over_from_a_slow_element() throws Exception {
        CpuExecutor executor = executor(OPTIONS);
        List<Integer> numbers = IntStream.range(0, 1_000).boxed().toList();
        CountDownLatch others = new CountDownLatch(999);

        List<String> mapped = executor.map(numbers, number -> {
            if (number == 0) {
                // The first element ends last: every other is mapped by the other worker.
                awaitQuietly(others);
            } else {
                others.countDown();
            }
            return "n" + number;
        });

        assertThat(mapped).hasSize(1_000).startsWith("n0", "n1").endsWith("n998", "n999");
        assertThat(executor.map(List.of(), number -> number)).isEmpty();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException cancelled) {
            throw new CancellationException("interrupted");
        }
    }

    @Test
    void mapping_takes_only_the_remaining_places_of_the_queue() throws Exception {
        CpuExecutor executor = executor(OPTIONS.withMaxWaiting(1));
        assertThat(block(executor)).isNotDone();
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();

        List<Integer> mapped = executor.map(IntStream.range(0, 100).boxed().toList(), number -> {
            most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            atOnce.decrementAndGet();
            return -number;
        });

        assertThat(mapped).hasSize(100);
        assertThat(most).hasValue(1);
        assertThat(executor.waiting()).isZero();
    }

    @Test
    void the_first_failure_cancels_the_rest_of_a_mapping() throws Exception {
        CpuExecutor executor = executor(OPTIONS);
        CountDownLatch bothBegun = new CountDownLatch(2);
        CountDownLatch interrupted = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();

        assertThatThrownBy(() -> executor.map(IntStream.range(0, 1_000).boxed().toList(), number -> {
                    begun.incrementAndGet();
                    bothBegun.countDown();
                    if (number == 1) {
                        awaitQuietly(bothBegun);
                        throw new IllegalArgumentException("element 1");
                    }
                    try {
                        released.await();
                    } catch (InterruptedException cancelled) {
                        interrupted.countDown();
                    }
                    return number;
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("element 1");

        assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(begun).hasValue(2);
    }

    @Test
    void the_caller_of_a_mapping_receives_the_functions_own_failure() {
        CpuExecutor executor = executor(OPTIONS);

        for (RuntimeException own : List.of(
                new CompletionException(new IOException("no file")), new CancellationException("of another task"))) {
            assertThatThrownBy(() -> executor.map(List.of(1), number -> {
                        throw own;
                    }))
                    .isSameAs(own);
        }
    }

    @Test
    void a_task_that_waits_past_the_callers_deadline_releases_its_place() throws Exception {
        CpuExecutor executor = executor(OPTIONS.withWorkers(1));
        assertThat(block(executor)).isNotDone();
        AtomicInteger ran = new AtomicInteger();

        assertThatThrownBy(() -> Deadline.within(Duration.ofMillis(20), () -> executor.run(ran::incrementAndGet)))
                .isInstanceOf(TaskTimeoutException.class)
                .hasMessageContaining("deadline");

        assertThat(executor.waiting()).isZero();
        released.countDown();
        executor.run(() -> 0);
        assertThat(ran).hasValue(0);
    }

    @Test
    void a_callers_deadline_applies_to_its_own_task_alone() throws Exception {
        CpuExecutor executor = executor(OPTIONS.withWorkers(1));
        Duration day = Duration.ofDays(1);

        Duration left = Deadline.within(Duration.ofHours(1), () -> executor.run(() -> Deadline.left(day)));

        assertThat(left).isPositive().isLessThan(day);
        assertThat(executor.run(() -> Deadline.left(day))).isEqualTo(day);
    }

    @Test
    void cancelling_interrupts_the_running_task_but_not_the_next_one() throws Exception {
        CpuExecutor executor = executor(OPTIONS.withWorkers(1));
        Future<Boolean> running = block(executor);

        running.cancel(true);

        assertThat(executor.run(() -> Thread.currentThread().isInterrupted())).isFalse();
        assertThat(observed).first().isEqualTo("unnamed CANCELLED");
    }

    @Test
    void an_interrupted_caller_cancels_its_task() throws Exception {
        CpuExecutor executor = executor(OPTIONS.withWorkers(1));
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        CountDownLatch running = new CountDownLatch(1);
        Thread caller = Thread.ofVirtual().start(() -> {
            try {
                executor.run(() -> {
                    running.countDown();
                    released.await();
                    return 0;
                });
            } catch (Exception failure) {
                ended.complete(failure);
            }
        });
        running.await();

        caller.interrupt();

        assertThat(inTime(ended)).isInstanceOf(InterruptedException.class);
        await().untilAsserted(() -> assertThat(observed).containsExactly("unnamed CANCELLED"));
    }

    @Test
    void a_task_that_uses_further_tasks_needs_no_second_worker() throws Exception {
        CpuExecutor executor = executor(OPTIONS.withWorkers(1).withMaxWaiting(1));
        CpuTask<List<Integer>, InterruptedException> outer = () -> executor.map(List.of(1, 2, 3), number -> number * 2);

        assertThat(inTime(executor.submit(() -> executor.run(outer)))).containsExactly(2, 4, 6);
    }

    @Test
    void a_mapping_inside_a_task_ends_at_the_interrupt_of_the_task() throws Exception {
        CpuExecutor executor = executor(OPTIONS.withWorkers(1));
        AtomicInteger mapped = new AtomicInteger();
        CpuTask<List<Integer>, InterruptedException> outer = () -> executor.map(List.of(1, 2, 3), number -> {
            Thread.currentThread().interrupt();
            return mapped.incrementAndGet();
        });

        assertThatThrownBy(() -> executor.run(outer))
                .isInstanceOf(InterruptedException.class)
                .hasMessage("Interrupted after 1 of 3 elements");
        assertThat(mapped).hasValue(1);
    }

    @Test
    void a_mapping_inside_a_task_ends_at_the_deadline_of_the_task() throws Exception {
        CpuExecutor executor = executor(OPTIONS.withWorkers(1));
        AtomicInteger mapped = new AtomicInteger();
        CpuTask<List<Integer>, InterruptedException> late = () -> Deadline.within(
                Duration.ofMillis(20),
                () -> executor.map(List.of(1, 2, 3), number -> {
                    await().pollInSameThread().until(Deadline::isOver);
                    return mapped.incrementAndGet();
                }));

        assertThatThrownBy(() -> executor.run(late)).isInstanceOf(TaskTimeoutException.class);
        assertThat(mapped).hasValue(1);
    }

    @Test
    void closing_lets_accepted_tasks_end_and_refuses_new_ones() throws Exception {
        CpuExecutor executor = executor(OPTIONS.withWorkers(1));
        assertThat(block(executor)).isNotDone();
        Future<Integer> waiting = executor.submit(() -> 1);
        Thread closing = Thread.ofVirtual().start(executor::close);
        await().untilAsserted(() -> assertThatThrownBy(() -> executor.submit(() -> 2))
                .isExactlyInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("closed"));

        released.countDown();

        assertThat(inTime(waiting)).isOne();
        closing.join();
    }

    @Test
    void closing_cancels_tasks_that_have_not_ended_in_time() throws Exception {
        CpuExecutor executor = executor(OPTIONS.withWorkers(1).withDrain(Duration.ZERO));
        Future<Boolean> running = block(executor);
        Future<Integer> waiting = executor.submit(() -> 1);
        CompletableFuture<Throwable> mapping = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                executor.map(List.of(1), number -> number);
            } catch (Exception failure) {
                mapping.complete(failure);
            }
        });
        await().until(() -> executor.waiting() == 2);

        executor.close();

        assertThatThrownBy(() -> inTime(running)).isInstanceOf(CancellationException.class);
        assertThatThrownBy(() -> inTime(waiting)).isInstanceOf(CancellationException.class);
        assertThat(inTime(mapping)).isInstanceOf(CancellationException.class);
    }

    @Test
    void options_out_of_bounds_are_refused_by_name() {
        assertThatThrownBy(() -> OPTIONS.withWorkers(0)).hasMessage("workers must be 1 to 1000 but is 0");
        assertThatThrownBy(() -> OPTIONS.withMaxWaiting(Integer.MAX_VALUE))
                .hasMessage("maxWaiting must be 1 to 1000000 but is 2147483647");
        assertThatThrownBy(() -> OPTIONS.withDrain(Duration.ofMillis(-1))).hasMessageContaining("PT-0.001S");
        assertThatThrownBy(() -> new CpuOptions("Ä", 1, 1, Duration.ZERO)).hasMessageContaining("'Ä'");
    }
}
