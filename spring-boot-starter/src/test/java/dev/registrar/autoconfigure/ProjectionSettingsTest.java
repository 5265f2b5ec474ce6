package dev.registrar.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.concurrent.CpuOptions;
import dev.registrar.projection.ProjectionOptions;
import dev.registrar.subscription.LiveOptions;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import jakarta.validation.ValidatorFactory;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** The settings of Spring Boot and the options of the library have the same defaults and the same bounds. */
class ProjectionSettingsTest {

    @Test
    void the_default_settings_are_the_default_options() {
        assertThat(bound(ProjectionSettings.class, Map.of()).options()).isEqualTo(ProjectionOptions.defaults());
        assertThat(bound(LiveSettings.class, Map.of()).options()).isEqualTo(LiveOptions.defaults());
        assertThat(bound(CpuSettings.class, Map.of()).options()).isEqualTo(CpuOptions.defaults());
        assertThat(bound(CpuSettings.class, Map.of("workers", "3")).options().workers())
                .isEqualTo(3);
    }

    private static <T> T bound(Class<T> settings, Map<String, ?> values) {
        return new Binder(new MapConfigurationPropertySource(values)).bindOrCreate("", settings);
    }

    @ParameterizedTest
    @CsvSource({
        "batch, 0, 1",
        "batch, 100001, 100000",
        "pause, -1ns, 0ms",
        "pause, 10001ms, 10s",
        "longest-poll, 9ms, 10ms",
        "longest-poll, 601s, 10m",
        "max-rebuilds, 0, 1",
        "max-rebuilds, 101, 100",
        "attempts, 0, 1",
        "attempts, 1001, 1000",
        "retry-after, 0ms, 1ms",
        "retry-after, 61s, 1m",
        "longest-wait, 0ms, 1ms",
        "longest-wait, 61s, 1m",
        "lease, 99ms, 100ms",
        "lease, 601s, 10m",
        "skip-unreadable-after, -1ns, 0ms",
        "skip-unreadable-after, 601s, 10m"
    })
    void a_value_beyond_a_bound_is_refused_by_both(String name, String beyond, String bound) {
        ProjectionSettings refused = bound(ProjectionSettings.class, Map.of(name, beyond));
        ProjectionSettings allowed = bound(ProjectionSettings.class, Map.of(name, bound));

        try (ValidatorFactory validators = Validation.buildDefaultValidatorFactory()) {
            Validator validator = validators.getValidator();
            assertThat(validator.validate(refused)).hasSize(1);
            assertThat(validator.validate(allowed)).isEmpty();
        }
        assertThatThrownBy(refused::options).isInstanceOf(IllegalArgumentException.class);
        assertThatCode(allowed::options).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "max-listeners, 0, 1",
        "max-listeners, 1000001, 1000000",
        "max-waiting, 0, 1",
        "max-waiting, 100001, 100000"
    })
    void a_value_beyond_a_bound_of_the_live_feed_is_refused_by_both(String name, String beyond, String bound) {
        LiveSettings refused = bound(LiveSettings.class, Map.of(name, beyond));
        LiveSettings allowed = bound(LiveSettings.class, Map.of(name, bound));

        try (ValidatorFactory validators = Validation.buildDefaultValidatorFactory()) {
            assertThat(validators.getValidator().validate(refused)).hasSize(1);
            assertThat(validators.getValidator().validate(allowed)).isEmpty();
        }
        assertThatThrownBy(refused::options).isInstanceOf(IllegalArgumentException.class);
        assertThatCode(allowed::options).doesNotThrowAnyException();
    }
}
