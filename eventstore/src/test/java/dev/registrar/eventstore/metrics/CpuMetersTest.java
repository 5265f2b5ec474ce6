package dev.registrar.eventstore.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.concurrent.CpuExecutor;
import dev.registrar.concurrent.CpuOptions;
import dev.registrar.concurrent.CpuTask;
import dev.registrar.concurrent.TooManyTasksException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The meters of CPU-bound tasks. */
class CpuMetersTest {
    private final MeterRegistry registry = new SimpleMeterRegistry();

    private record Square(int number) implements CpuTask<Integer, RuntimeException> {
        @Override
        public Integer run() {
            return number * number;
        }
    }

    @Test
    void tasks_are_counted_and_timed_by_kind() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        try (CpuExecutor executor = CpuMeters.open(new CpuOptions("work", 1, 1, Duration.ofSeconds(10)), registry)) {
            executor.run(new Square(3));
            Future<Integer> blocked = executor.submit(() -> {
                running.countDown();
                released.await();
                return 0;
            });
            running.await();
            Future<Integer> waiting = executor.submit(new Square(4));
            assertThatThrownBy(() -> executor.submit(new Square(5))).isInstanceOf(TooManyTasksException.class);

            assertThat(gauge("registrar.cpu.running")).isOne();
            assertThat(gauge("registrar.cpu.waiting")).isOne();
            released.countDown();
            blocked.get();
            waiting.get();
        }

        assertThat(registry.get("registrar.cpu.task")
                        .tag("executor", "work")
                        .tag("task", "Square")
                        .tag("outcome", "succeeded")
                        .timer()
                        .count())
                .isEqualTo(2);
        assertThat(registry.get("registrar.cpu.wait").timer().count()).isEqualTo(3);
        assertThat(registry.get("registrar.cpu.refused").counter().count()).isOne();
    }

    private double gauge(String name) {
        return registry.get(name).tag("executor", "work").gauge().value();
    }
}
