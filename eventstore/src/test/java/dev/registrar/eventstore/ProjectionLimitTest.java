package dev.registrar.eventstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

/** The limit of concurrent in-memory projections. */
class ProjectionLimitTest {

    @Test
    void one_projection_too_many_is_refused_at_once_and_counted() {
        MeterRegistry registry = new SimpleMeterRegistry();
        ProjectionLimit limit = ProjectionLimit.of(2, registry);

        int carriedOut = limit.within(() -> limit.within(() -> {
            assertThat(registry.get("registrar.store.projections").gauge().value())
                    .isEqualTo(2);
            assertThatThrownBy(() -> limit.within(() -> 3))
                    .isInstanceOf(OverloadedException.class)
                    .hasMessage("Too many concurrent projections (limit 2)");
            return 1;
        }));

        assertThat(carriedOut).isOne();
        assertThat(registry.get("registrar.store.projections").gauge().value()).isZero();
        assertThat(registry.get("registrar.store.projections.refused")
                        .functionCounter()
                        .count())
                .isOne();
    }

    @Test
    void a_failed_projection_releases_its_place() {
        ProjectionLimit limit = ProjectionLimit.of(1, new CompositeMeterRegistry());
        assertThatThrownBy(() -> limit.within(() -> {
                    throw new IllegalStateException("a bug");
                }))
                .hasMessage("a bug");

        assertThat(limit.<Integer>within(() -> 1)).isOne();
        assertThatThrownBy(() -> ProjectionLimit.of(0, new CompositeMeterRegistry()))
                .hasMessageContaining("at least 1 but is 0");
    }
}
