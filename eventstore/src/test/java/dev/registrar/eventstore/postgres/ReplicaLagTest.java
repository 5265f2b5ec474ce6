package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.Position;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReplicaLagTest {
    private final ReplicaLag lag = new ReplicaLag();

    /** Clocks may be negative, and may overflow. */
    private final long start = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(10);

    private boolean isTooLong(long replica, long primary, long seconds) {
        return lag.isTooLong(Position.of(replica), Position.of(primary), start + TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    void a_replica_that_stopped_is_late_when_it_lacks_an_event_for_thirty_seconds() {
        assertThat(isTooLong(5, 5, 0)).isFalse();
        assertThat(isTooLong(5, 6, 50)).isFalse();
        assertThat(isTooLong(5, 7, 79)).isFalse();
        assertThat(isTooLong(5, 7, 80)).isTrue();
        assertThat(isTooLong(6, 7, 81)).isFalse();
        assertThat(isTooLong(6, 7, 109)).isTrue();
        assertThat(isTooLong(7, 7, 110)).isFalse();
    }

    @Test
    void a_replica_that_follows_at_a_constant_distance_is_late_if_that_is_thirty_seconds() {
        for (int second = 0; second <= 100; second++) {
            assertThat(isTooLong(Math.max(0, second - 29), second, second)).isFalse();
        }
        for (int second = 101; second <= 200; second++) {
            assertThat(isTooLong(second - 31, second, second)).isTrue();
        }
    }

    @Test
    void a_replica_is_not_late_because_the_history_before_was_longer() {
        assertThat(isTooLong(9, 9, 0)).isFalse();
        assertThat(isTooLong(1, 1, 40)).isFalse();
    }
}
