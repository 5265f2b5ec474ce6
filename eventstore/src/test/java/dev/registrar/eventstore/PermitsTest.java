package dev.registrar.eventstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** How many callers use a resource and wait for it at a time. */
class PermitsTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    private double refused(String name) {
        return registry.get(name).functionCounter().count();
    }

    @Test
    void one_projection_too_many_is_refused_at_once_and_counted() {
        Permits projections = Permits.ofProjections(2, registry);

        int carriedOut = projections.within(
                LONG,
                () -> projections.within(LONG, () -> {
                    assertThat(gauge("registrar.store.projections.used")).isEqualTo(2);
                    assertThatThrownBy(() -> projections.within(LONG, () -> 3))
                            .isInstanceOf(OverloadedException.class)
                            .hasMessage("Too many concurrent requests for a projection (limit 2)");
                    return 1;
                }));

        assertThat(carriedOut).isOne();
        assertThat(gauge("registrar.store.projections.used")).isZero();
        assertThat(refused("registrar.store.projections.refused")).isOne();
    }

    @Test
    void work_that_fails_returns_its_permit() {
        Permits projections = Permits.ofProjections(1, registry);
        assertThatThrownBy(() -> projections.within(LONG, () -> {
                    throw new IllegalStateException("a bug");
                }))
                .hasMessage("a bug");

        assertThat(projections.<Integer, RuntimeException>within(LONG, () -> 1)).isOne();
    }

    @Test
    void a_caller_waits_for_its_time_at_most() {
        Permits connections = Permits.ofConnections("read", 1, 1, registry);

        connections.within(
                LONG,
                () -> assertThatThrownBy(() -> connections.within(Duration.ofMillis(20), () -> 1))
                        .isInstanceOf(StoreTimeoutException.class)
                        .hasMessage("Timed out after PT0.02S while waiting for a connection (use: read)"));

        assertThat(refused("registrar.store.budget.refused")).isOne();
    }

    @Test
    void callers_wait_in_order_and_one_too_many_is_refused() throws Exception {
        Permits connections = Permits.ofConnections("read", 1, 2, registry);
        List<Integer> order = new CopyOnWriteArrayList<>();
        connections.acquire(1, LONG);
        Thread first = waiting(connections, order, 1);
        Thread second = waiting(connections, order, 2);

        assertThatThrownBy(() -> connections.acquire(1, LONG))
                .isInstanceOf(OverloadedException.class)
                .hasMessage("Too many requests wait for a connection (use: read, limit 2)");

        connections.release(1);
        first.join();
        second.join();
        assertThat(order).containsExactly(1, 2);
    }

    private Thread waiting(Permits connections, List<Integer> order, int number) {
        double before = gauge("registrar.store.budget.waiting");
        Thread caller = Thread.ofVirtual().start(() -> connections.within(LONG, () -> order.add(number)));
        await().until(() -> gauge("registrar.store.budget.waiting") == before + 1);
        return caller;
    }
}
