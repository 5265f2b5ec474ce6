package dev.registrar.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** CPU-bound work: where it runs, what bounds it, and how it ends. */
class CpuExecutorTest {
    private static final CpuOptions OPTIONS = options(2, 10);

    /** The latch that blocked tasks wait for. */
    private final CountDownLatch released = new CountDownLatch(1);

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final List<CpuExecutor> opened = new ArrayList<>();

    @AfterEach
    void close() {
        released.countDown();
        opened.forEach(CpuExecutor::close);
    }

    private static CpuOptions options(int workers, int maxWaiting) {
        return new CpuOptions(workers, maxWaiting, Duration.ofSeconds(10));
    }

    private CpuExecutor executor(CpuOptions options) {
        CpuExecutor executor = CpuExecutor.open("test", options, registry);
        opened.add(executor);
        return executor;
    }

    private long timed(String timer) {
        return registry.get(timer).tag("name", "test").timer().count();
    }

    private double gauge(String gauge) {
        return registry.get(gauge).tag("name", "test").gauge().value();
    }

    private double refused() {
        return registry.get("registrar.cpu.refused")
                .tag("name", "test")
                .counter()
                .count();
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
    private record Fibonacci(int number) implements Deadline.Work<Integer, RuntimeException> {
        @Override
        public Integer run() {
            return number < 2 ? number : new Fibonacci(number - 1).run() + new Fibonacci(number - 2).run();
        }
    }

    @Test
    void a_task_runs_on_a_worker_and_is_timed() throws Exception {
        CpuExecutor executor = executor(OPTIONS);

        assertThat(executor.run(new Fibonacci(20))).isEqualTo(6_765);
        String thread = executor.run(() -> Thread.currentThread().getName());

        assertThat(thread).startsWith("test-");
        await().until(() -> timed("registrar.cpu.executor") == 2);
        assertThat(timed("registrar.cpu.executor.idle")).isEqualTo(2);
    }

    @Test
    void a_closed_executor_leaves_no_meters() throws Exception {
        CpuExecutor executor = executor(OPTIONS);
        executor.run(() -> 1);
        assertThat(registry.getMeters()).isNotEmpty();

        executor.close();

        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void the_caller_receives_a_tasks_own_failure() {
        CpuExecutor executor = executor(OPTIONS);
        IOException failure = new IOException("no file");
        Deadline.Work<String, IOException> task = () -> {
            throw failure;
        };

        assertThatThrownBy(() -> executor.run(task)).isSameAs(failure);
        assertThatThrownBy(() -> executor.run(() -> {
                    throw new AssertionError("a bug");
                }))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void a_task_is_refused_at_once_when_the_queue_is_full() throws Exception {
        CpuExecutor executor = executor(options(1, 2));
        assertThat(block(executor)).isNotDone();
        Future<Integer> first = executor.submit(() -> 1);
        Future<Integer> second = executor.submit(() -> 2);

        assertThatThrownBy(() -> executor.run(() -> 3))
                .isInstanceOf(TooManyTasksException.class)
                .hasMessageContaining("'test' (limit 2)");
        assertThat(refused()).isOne();
        assertThat(executor.waiting()).isEqualTo(2);
        assertThat(gauge("registrar.cpu.executor.active")).isOne();
        assertThat(gauge("registrar.cpu.executor.queued")).isEqualTo(2);

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
    void a_task_that_waits_past_the_callers_deadline_releases_its_place() throws Exception {
        CpuExecutor executor = executor(options(1, 10));
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
        CpuExecutor executor = executor(options(1, 10));
        Duration day = Duration.ofDays(1);

        Duration left = Deadline.within(Duration.ofHours(1), () -> executor.run(() -> Deadline.left(day)));

        assertThat(left).isPositive().isLessThan(day);
        assertThat(executor.run(() -> Deadline.left(day))).isEqualTo(day);
    }

    @Test
    void cancelling_interrupts_the_running_task_but_not_the_next_one() throws Exception {
        CpuExecutor executor = executor(options(1, 10));
        Future<Boolean> running = block(executor);

        running.cancel(true);

        assertThat(executor.run(() -> Thread.currentThread().isInterrupted())).isFalse();
        assertThatThrownBy(() -> inTime(running)).isInstanceOf(CancellationException.class);
    }

    @Test
    void an_interrupted_caller_cancels_its_task() throws Exception {
        CpuExecutor executor = executor(options(1, 10));
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Thread caller = Thread.ofVirtual().start(() -> {
            try {
                executor.run(() -> {
                    running.countDown();
                    try {
                        released.await();
                    } catch (InterruptedException cancelled) {
                        interrupted.countDown();
                    }
                    return 0;
                });
            } catch (Exception failure) {
                ended.complete(failure);
            }
        });
        running.await();

        caller.interrupt();

        assertThat(inTime(ended)).isInstanceOf(InterruptedException.class);
        assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
    }

    /* A query before and after the computing, which runs while no connection is in use. */
    @Test
    void no_connection_is_held_while_a_worker_computes_between_two_calls() throws InterruptedException {
        CpuExecutor executor = executor(OPTIONS);
        Semaphore connections = new Semaphore(1);

        int row = query(connections, 1);
        List<Integer> computed = executor.run(() -> List.of(row, connections.availablePermits()));

        assertThat(computed).containsExactly(2, 1);
        assertThat(query(connections, computed.getFirst())).isEqualTo(3);
    }

    private static int query(Semaphore connections, int id) {
        connections.acquireUninterruptibly();
        try {
            return id + 1;
        } finally {
            connections.release();
        }
    }

    @Test
    void a_cancelled_task_leaves_the_queue() throws Exception {
        CpuExecutor executor = executor(options(1, 1));
        assertThat(block(executor)).isNotDone();
        Future<Integer> waiting = executor.submit(() -> 1);

        waiting.cancel(false);

        Future<Integer> next = executor.submit(() -> 2);
        released.countDown();
        assertThat(inTime(next)).isEqualTo(2);
    }

    @Test
    void a_task_that_uses_further_tasks_needs_no_second_worker() throws Exception {
        CpuExecutor executor = executor(options(1, 1));

        assertThat(inTime(executor.submit(() -> executor.run(() -> executor.run(() -> 6)))))
                .isEqualTo(6);
    }

    @Test
    void closing_lets_accepted_tasks_end_and_refuses_new_ones() throws Exception {
        CpuExecutor executor = executor(options(1, 10));
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
        CpuExecutor executor = executor(new CpuOptions(1, 10, Duration.ZERO));
        Future<Boolean> running = block(executor);
        Future<Integer> waiting = executor.submit(() -> 1);
        CompletableFuture<Throwable> caller = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                executor.run(() -> 1);
            } catch (Exception failure) {
                caller.complete(failure);
            }
        });
        await().until(() -> executor.waiting() == 2);

        executor.close();

        assertThatThrownBy(() -> inTime(running)).isInstanceOf(CancellationException.class);
        assertThatThrownBy(() -> inTime(waiting)).isInstanceOf(CancellationException.class);
        assertThat(inTime(caller)).isInstanceOf(CancellationException.class);
    }

    @Test
    void options_out_of_bounds_are_refused_by_name() {
        assertThatThrownBy(() -> options(-1, 1)).hasMessage("cpu.workers must be 0 to 1000 but is -1");
        assertThatThrownBy(() -> options(1, Integer.MAX_VALUE))
                .hasMessage("cpu.maxWaiting must be 1 to 1000000 but is 2147483647");
        assertThatThrownBy(() -> new CpuOptions(1, 1, Duration.ofMillis(-1)))
                .hasMessage("cpu.drain must be 0ns to 10m but is -1ms");
        assertThatThrownBy(() -> CpuExecutor.open("Ä", OPTIONS, registry)).hasMessageContaining("'Ä'");
    }
}
