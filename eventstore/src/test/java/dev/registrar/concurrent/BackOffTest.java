package dev.registrar.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The lengths of the pauses between attempts. */
class BackOffTest {
    private static final Duration HUNDRED = Duration.ofMillis(100);

    @Test
    void a_pause_doubles_up_to_the_maximum() {
        BackOff backOff = BackOff.doubling(HUNDRED, Duration.ofSeconds(1));

        assertThat(IntStream.rangeClosed(1, 6).mapToObj(backOff::after))
                .containsExactly(
                        HUNDRED,
                        Duration.ofMillis(200),
                        Duration.ofMillis(400),
                        Duration.ofMillis(800),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1));
        assertThat(backOff.after(Integer.MAX_VALUE)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void jitter_grows_with_the_pause_and_stays_between_minimum_and_maximum() {
        BackOff backOff = new BackOff(Duration.ofMillis(50), 3, Duration.ofMillis(25), Duration.ofMillis(500));
        long seed = 11;
        Random random = new Random(seed);

        for (int i = 0; i < 1_000; i++) {
            assertThat(backOff.after(1, random))
                    .as("seed %s", seed)
                    .isBetween(Duration.ofMillis(50), Duration.ofMillis(75));
            assertThat(backOff.after(2, random)).isBetween(Duration.ofMillis(75), Duration.ofMillis(225));
            assertThat(backOff.after(3, random)).isBetween(Duration.ofMillis(225), Duration.ofMillis(500));
        }
        assertThat(backOff.after(2, always(0))).isEqualTo(Duration.ofMillis(75));
        assertThat(backOff.after(2, always(Math.nextDown(1.0)))).isGreaterThan(Duration.ofMillis(224));
    }

    private static RandomGenerator always(double value) {
        return new RandomGenerator() {
            @Override
            public long nextLong() {
                throw new UnsupportedOperationException();
            }

            @Override
            public double nextDouble() {
                return value;
            }
        };
    }

    @Test
    void a_back_off_without_a_pause_is_refused() {
        assertThatThrownBy(() -> BackOff.doubling(Duration.ZERO, HUNDRED)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new BackOff(HUNDRED, 0.5, Duration.ZERO, HUNDRED))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> BackOff.doubling(HUNDRED, HUNDRED).after(0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
