package dev.registrar.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.registrar.eventstore.InvalidOptionException;
import dev.registrar.eventstore.postgres.StoreOptions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** The settings below {@code registrar.store} and the options that they become. */
class StoreSettingsTest {

    @Test
    void unset_settings_are_the_default_options() {
        assertThat(options(Map.of())).isEqualTo(StoreOptions.defaults());
    }

    @Test
    void each_setting_sets_the_option_of_its_name() {
        StoreOptions options = options(Map.of(
                "schema", "library",
                "page-size", "1MB",
                "group.max-wait", "7s",
                "breaker.enabled", "false",
                "retry.max-retries", "0",
                "max-tags-per-item", "3"));

        assertThat(options.schema()).isEqualTo("library");
        assertThat(options.pageSize()).isEqualTo(1 << 20);
        assertThat(options.group().maxWait()).hasSeconds(7);
        assertThat(options.breaker().enabled()).isFalse();
        assertThat(options.retry().maxRetries()).isZero();
        assertThat(options.limits().tagsPerItem()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    schema                 | Library | 1 to 63 lower-case letters, digits and underscores, without a leading digit, but is 'Library'
                    read-connections       | 0       | 1 to 1000 but is 0
                    max-projections        | 0       | 1 to 1000000 but is 0
                    page-size              | 1KB     | 65536 to 67108864 but is 1024
                    connection-timeout     | 0s      | 250ms to 10m but is 0ns
                    idempotency-retention  | 3651d   | 1m to 3650d but is 3651d
                    group.in-flight        | 17      | 1 to 16 but is 17
                    read-group.max-reads   | 1001    | 1 to 1000 but is 1001
                    check.max-checks       | 101     | 1 to 100 but is 101
                    breaker.failure-rate   | 101     | 1 to 100 but is 101
                    retry.multiplier       | 0.5     | 1.0 to 10.0 but is 0.5
                    retry.jitter           | 61s     | 0ns to 1m but is 61s
                    max-tag-length         | 301     | 1 to 300 but is 301
                    """)
    void a_setting_out_of_bounds_is_reported_in_one_sentence(String setting, String value, String sentence) {
        InvalidOptionException failure =
                catchThrowableOfType(InvalidOptionException.class, () -> options(Map.of(setting, value)));

        FailureAnalysis analysis = new InvalidOptionFailureAnalyzer().analyze(failure);

        assertThat(analysis)
                .extracting(FailureAnalysis::getDescription)
                .isEqualTo("The setting registrar.store.%s must be %s.".formatted(setting, sentence));
    }

    private static StoreOptions options(Map<String, String> settings) {
        return new Binder(new MapConfigurationPropertySource(settings))
                .bindOrCreate("", StoreSettings.class)
                .options();
    }
}
