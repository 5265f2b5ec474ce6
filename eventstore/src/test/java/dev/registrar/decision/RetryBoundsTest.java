package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryBoundsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MILLISECOND = Duration.ofMillis(1);

    @Test
    void bounds_out_of_range_are_refused() {
        assertRefused(Duration.ZERO, 1, MILLISECOND, MILLISECOND);
        assertRefused(SECOND, 0, MILLISECOND, MILLISECOND);
        assertRefused(SECOND, 1, Duration.ZERO, MILLISECOND);
        assertRefused(SECOND, 1, MILLISECOND, Duration.ofNanos(999_999));
    }

    private static void assertRefused(Duration deadline, int attempts, Duration shortest, Duration longest) {
        assertThatThrownBy(() -> new RetryBounds(deadline, attempts, shortest, longest))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("%s, %s, %s and %s".formatted(deadline, attempts, shortest, longest));
    }

    @Test
    void a_pause_is_a_random_part_of_a_growing_time() {
        RetryBounds bounds = new RetryBounds(Duration.ofSeconds(1), 5, Duration.ofNanos(1), Duration.ofNanos(3));

        assertThat(IntStream.range(0, 1_000).mapToObj(i -> bounds.pauseAfter(2)))
                .contains(Duration.ZERO, Duration.ofNanos(2))
                .allMatch(pause -> pause.compareTo(Duration.ofNanos(2)) <= 0);
    }
}
