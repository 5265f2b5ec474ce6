package dev.registrar.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Steps that alternate between workers and the caller's thread. */
class PipelineTest {
    private static final CpuOptions OPTIONS = new CpuOptions("steps", 1, 10, Duration.ofSeconds(10));

    @Test
    void computing_steps_run_on_workers_and_calls_on_the_callers_thread() throws InterruptedException {
        try (CpuExecutor executor = CpuExecutor.open(OPTIONS)) {
            String caller = Thread.currentThread().getName();
            Pipeline<String, String> steps = Pipeline.<String>on(executor)
                    .compute(text -> text + threadOf("a"))
                    .call(text -> text + threadOf("b"))
                    .compute(text -> text + threadOf("c"));

            assertThat(steps.run("")).isEqualTo("[a steps-1][b %s][c steps-1]".formatted(caller));
            assertThat(steps.run("again ")).startsWith("again [a steps-");
        }
    }

    private static String threadOf(String step) {
        return "[%s %s]".formatted(step, Thread.currentThread().getName());
    }

    @Test
    void no_connection_is_held_while_a_step_computes() throws InterruptedException {
        Semaphore connections = new Semaphore(1);
        try (CpuExecutor executor = CpuExecutor.open(OPTIONS)) {
            Pipeline<Integer, List<Integer>> steps = Pipeline.<Integer>on(executor)
                    .call(id -> query(connections, id))
                    .compute(row -> List.of(row, connections.availablePermits()))
                    .call(found -> List.of(query(connections, found.getFirst()), found.getLast()));

            assertThat(steps.run(1)).containsExactly(3, 1);
        }
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
    void a_computing_step_refuses_a_caller_that_holds_a_connection() throws InterruptedException {
        AtomicBoolean inTransaction = new AtomicBoolean(true);
        try (CpuExecutor executor = CpuExecutor.open(OPTIONS)) {
            Pipeline<Integer, Integer> steps = Pipeline.<Integer>on(executor, inTransaction::get)
                    .call(number -> number + 1)
                    .compute(number -> number * 2);

            assertThatThrownBy(() -> steps.run(1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("holds a connection");
            inTransaction.set(false);
            assertThat(steps.run(1)).isEqualTo(4);
        }
    }

    @Test
    void a_failed_step_ends_the_run() {
        AtomicBoolean later = new AtomicBoolean();
        try (CpuExecutor executor = CpuExecutor.open(OPTIONS)) {
            Pipeline<Integer, Integer> steps = Pipeline.<Integer>on(executor)
                    .compute(number -> 10 / number)
                    .call(number -> {
                        later.set(true);
                        return number;
                    });

            assertThatThrownBy(() -> steps.run(0)).isInstanceOf(ArithmeticException.class);
            assertThat(later).isFalse();
        }
    }
}
