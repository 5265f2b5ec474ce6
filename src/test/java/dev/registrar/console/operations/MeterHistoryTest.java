package dev.registrar.console.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.registrar.console.operations.MeterHistory.Measure;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MeterHistoryTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final MeterHistory history = new MeterHistory(meters);

    @Test
    void the_lags_of_the_last_five_minutes_are_kept_and_no_more() {
        AtomicInteger lag = new AtomicInteger();
        meters.gauge("registrar.projection.lag", Tags.of("name", "courses"), lag);

        for (int i = 0; i < 1_000; i++) {
            lag.set(i);
            history.sample(2L * i * SECOND);
        }

        assertThat(history.lags("courses"))
                .hasSize(MeterHistory.MOST_SAMPLES)
                .endsWith(998.0, 999.0)
                .doesNotContain(849.0);
        assertThat(history.lags("unknown")).isEmpty();
    }

    @Test
    void rates_are_those_of_the_last_ten_seconds() {
        var appended = meters.counter("registrar.store.verdicts", "verdict", "appended");
        var groups = meters.summary("registrar.store.group.size");
        var wait = meters.timer("registrar.store.queue.wait");
        assertThat(history.now()).isEmpty();
        for (int i = 0; i < 20; i++) {
            appended.increment(i < 10 ? 1_000 : 20);
            groups.record(4);
            wait.record(Duration.ofMillis(3));
            history.sample(2L * i * SECOND);
        }

        MeterHistory.Now now = history.now().orElseThrow();

        assertThat(now.over()).isEqualTo(Duration.ofSeconds(10));
        assertThat(now.rates())
                .containsEntry(Measure.APPENDS, 10.0)
                .containsEntry(Measure.GROUP_SIZE, 4.0)
                .containsEntry(Measure.CONFLICTS, 0.0)
                .hasEntrySatisfying(
                        Measure.QUEUE_WAIT, millis -> assertThat(millis).isCloseTo(3, offset(0.01)));
        assertThat(history.overTime(Measure.APPENDS))
                .hasSize(19)
                .startsWith(500.0)
                .endsWith(10.0);
    }
}
