package dev.registrar.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {
    @Test
    void the_time_left_is_estimated_from_the_steps_that_are_done() {
        AtomicLong clock = new AtomicLong(7);
        Progress progress = new Progress(4, clock::get);

        assertThat(progress.next()).isEqualTo("1 of 4");
        clock.addAndGet(Duration.ofSeconds(10).toNanos());
        assertThat(progress.next()).isEqualTo("2 of 4, about 30 s left");
        clock.addAndGet(Duration.ofSeconds(30).toNanos());
        assertThat(progress.next()).isEqualTo("3 of 4, about 40 s left");
        assertThat(progress.sinceStart()).isEqualTo(Duration.ofSeconds(40));
    }

    @Test
    void a_duration_has_two_units_at_most() {
        assertThat(Progress.text(Duration.ofSeconds(59))).isEqualTo("59 s");
        assertThat(Progress.text(Duration.ofSeconds(61))).isEqualTo("1 min 01 s");
        assertThat(Progress.text(Duration.ofMinutes(125))).isEqualTo("2 h 05 min");
    }
}
