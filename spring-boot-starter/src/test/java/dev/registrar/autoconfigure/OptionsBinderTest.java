package dev.registrar.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.registrar.concurrent.CpuOptions;
import dev.registrar.eventstore.StoreLimits;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import dev.registrar.projection.ProjectionOptions;
import dev.registrar.projection.ProjectionOptions.OnFailure;
import dev.registrar.subscription.LiveOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.io.ClassPathResource;

/** The settings of the library, which become its options. */
class OptionsBinderTest {
    /** Settings that choose beans, and are no options. */
    private static final List<String> SWITCHES =
            List.of("registrar.projections.notifications", "registrar.store.migrate");

    @Test
    void unset_settings_are_the_default_options() {
        OptionsBinder options = bound(Map.of());

        assertThat(options.store()).isEqualTo(StoreOptions.defaults());
        assertThat(options.projections(Integer.MAX_VALUE)).isEqualTo(ProjectionOptions.defaults());
        assertThat(options.live()).isEqualTo(LiveOptions.defaults());
        assertThat(options.cpu()).isEqualTo(CpuOptions.defaults());
    }

    @Test
    void each_setting_sets_the_option_of_its_name() {
        OptionsBinder options = bound(Map.of(
                "registrar.store.schema", "library",
                "registrar.store.page-size", "1MB",
                "registrar.store.group.max-wait", "7s",
                "registrar.store.retry.max-retries", "0",
                "registrar.store.max-tags-per-item", "3",
                "registrar.projections.longest-poll", "7s",
                "registrar.projections.on-failure", "skip",
                "registrar.projections.enabled", "false",
                "registrar.live.max-listeners", "3",
                "registrar.cpu.workers", "3"));

        StoreOptions store = options.store();
        assertThat(store.schema()).isEqualTo("library");
        assertThat(store.pageSize()).isEqualTo(1 << 20);
        assertThat(store.group().maxWait()).hasSeconds(7);
        assertThat(store.retry().maxRetries()).isZero();
        assertThat(store.limits()).isEqualTo(StoreLimits.with(limits -> limits.maxTagsPerItem = 3));
        assertThat(options.projections(Integer.MAX_VALUE)).isEqualTo(ProjectionOptions.with(expected -> {
            expected.longestPoll = Duration.ofSeconds(7);
            expected.onFailure = OnFailure.SKIP;
            expected.enabled = false;
        }));
        assertThat(options.live()).isEqualTo(new LiveOptions(3, 1_000));
        assertThat(options.cpu()).isEqualTo(new CpuOptions(3, 1_000, Duration.ofSeconds(10)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    store.schema                      | Library | a     | 1 to 63 lower-case letters, digits and underscores, without a leading digit, but is 'Library'
                    store.read-connections            | 0       | 1     | 1 to 1000 but is 0
                    store.max-projections             | 0       | 1     | 1 to 1000000 but is 0
                    store.page-size                   | 1KB     | 64KB  | 65536 to 67108864 but is 1024
                    store.connection-timeout          | 0s      | 250ms | 250ms to 10m but is 0ns
                    store.idempotency-retention       | 3651d   | 3650d | 1m to 3650d but is 3651d
                    store.group.in-flight             | 17      | 16    | 1 to 16 but is 17
                    store.read-group.max-reads        | 1001    | 1000  | 1 to 1000 but is 1001
                    store.check.max-checks            | 101     | 100   | 1 to 100 but is 101
                    store.breaker.failure-rate        | 101     | 100   | 1 to 100 but is 101
                    store.retry.multiplier            | 0.5     | 1     | 1.0 to 10.0 but is 0.5
                    store.retry.jitter                | 61s     | 1m    | 0ns to 1m but is 61s
                    store.max-tag-length              | 301     | 300   | 1 to 300 but is 301
                    store.max-events-per-append       | 0       | 1     | 1 to 100000 but is 0
                    projections.batch                 | 0       | 1     | 1 to 100000 but is 0
                    projections.batch                 | 100001  | 100000| 1 to 100000 but is 100001
                    projections.pause                 | -1ns    | 0ms   | 0ns to 10s but is -1ns
                    projections.pause                 | 10001ms | 10s   | 0ns to 10s but is 10001ms
                    projections.longest-poll          | 9ms     | 10ms  | 10ms to 10m but is 9ms
                    projections.longest-poll          | 601s    | 10m   | 10ms to 10m but is 601s
                    projections.max-rebuilds          | 0       | 1     | 1 to 100 but is 0
                    projections.max-rebuilds          | 101     | 100   | 1 to 100 but is 101
                    projections.attempts              | 0       | 1     | 1 to 1000 but is 0
                    projections.attempts              | 1001    | 1000  | 1 to 1000 but is 1001
                    projections.retry-after           | 0ms     | 1ms   | 1ms to 1m but is 0ns
                    projections.retry-after           | 61s     | 1m    | 1ms to 1m but is 61s
                    projections.longest-wait          | 0ms     | 1ms   | 1ms to 1m but is 0ns
                    projections.longest-wait          | 61s     | 1m    | 1ms to 1m but is 61s
                    projections.max-searches          | 0       | 1     | 1 to 1000 but is 0
                    projections.max-searches          | 1001    | 1000  | 1 to 1000 but is 1001
                    projections.longest-search        | 0ms     | 1ms   | 1ms to 10s but is 0ns
                    projections.longest-search        | 11s     | 10s   | 1ms to 10s but is 11s
                    projections.lease                 | 99ms    | 100ms | 100ms to 10m but is 99ms
                    projections.lease                 | 601s    | 10m   | 100ms to 10m but is 601s
                    projections.skip-unreadable-after | -1ns    | 0ms   | 0ns to 10m but is -1ns
                    projections.skip-unreadable-after | 601s    | 10m   | 0ns to 10m but is 601s
                    live.max-listeners                | 0       | 1     | 1 to 1000000 but is 0
                    live.max-listeners                | 1000001 |1000000| 1 to 1000000 but is 1000001
                    live.max-waiting                  | 0       | 1     | 1 to 100000 but is 0
                    live.max-waiting                  | 100001  | 100000| 1 to 100000 but is 100001
                    cpu.workers                       | 1001    | 1000  | 0 to 1000 but is 1001
                    cpu.max-waiting                   | 0       | 1     | 1 to 1000000 but is 0
                    cpu.drain                         | 601s    | 10m   | 0ns to 10m but is 601s
                    """)
    void a_setting_out_of_bounds_is_reported_in_one_sentence(
            String setting, String beyond, String bound, String sentence) {
        Throwable failure = catchThrowable(() -> bindAll(bound(Map.of("registrar." + setting, beyond))));

        assertThat(new InvalidOptionFailureAnalyzer().analyze(failure))
                .extracting(FailureAnalysis::getDescription)
                .isEqualTo("The setting registrar.%s must be %s.".formatted(setting, sentence));
        assertThatCode(() -> bindAll(bound(Map.of("registrar." + setting, bound))))
                .doesNotThrowAnyException();
    }

    @Test
    void a_small_pool_lowers_the_default_of_searches() {
        assertThat(bound(Map.of()).projections(1))
                .isEqualTo(ProjectionOptions.with(expected -> expected.maxSearches = 1));
    }

    /* The metadata, which editors show, is written by hand. */
    @Test
    void the_metadata_has_each_setting_with_its_default() throws IOException {
        TreeSet<String> settings = new TreeSet<>();
        bindAll(new OptionsBinder(new Binder(name -> {
            settings.add(name.toString());
            return null;
        })));
        // Spring Boot looks for the parts of a size, too.
        settings.removeIf(name -> name.endsWith(".bytes"));
        Map<String, Object> defaults = defaultsInMetadata();

        assertThat(defaults.keySet()).containsExactlyElementsOf(settings);
        OptionsBinder options = bound(defaults);
        assertThat(options.store()).isEqualTo(StoreOptions.defaults());
        assertThat(options.projections(Integer.MAX_VALUE)).isEqualTo(ProjectionOptions.defaults());
        assertThat(options.live()).isEqualTo(LiveOptions.defaults());
        assertThat(options.cpu()).isEqualTo(CpuOptions.defaults());
    }

    private static Map<String, Object> defaultsInMetadata() throws IOException {
        String metadata = new ClassPathResource("META-INF/additional-spring-configuration-metadata.json")
                .getContentAsString(StandardCharsets.UTF_8);
        Map<String, Object> defaults = new TreeMap<>();
        Map<String, Object> parsed = JsonParserFactory.getJsonParser().parseMap(metadata);
        for (Object property : (List<?>) requireNonNull(parsed.get("properties"))) {
            Map<?, ?> setting = (Map<?, ?>) property;
            String name = (String) requireNonNull(setting.get("name"));
            if (name.startsWith("registrar.") && !SWITCHES.contains(name)) {
                defaults.put(name, setting.get("defaultValue"));
            }
        }
        return defaults;
    }

    private static void bindAll(OptionsBinder options) {
        options.store();
        options.projections(Integer.MAX_VALUE);
        options.live();
        options.cpu();
    }

    private static OptionsBinder bound(Map<String, ?> settings) {
        return new OptionsBinder(new Binder(new MapConfigurationPropertySource(settings)));
    }
}
