package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.StoreLimits;
import dev.registrar.eventstore.postgres.options.BreakerOptions;
import dev.registrar.eventstore.postgres.options.CheckOptions;
import dev.registrar.eventstore.postgres.options.GroupOptions;
import dev.registrar.eventstore.postgres.options.ReadGroupOptions;
import dev.registrar.eventstore.postgres.options.RetryOptions;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import dev.registrar.options.InvalidOptionException;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The options of a store that an application builds in plain Java. */
class StoreOptionsTest {
    private static final Map<String, Object> OTHERS = Map.ofEntries(
            Map.entry("schema", "other"),
            Map.entry("readConnections", 3),
            Map.entry("resourceLockConnections", 2),
            Map.entry("maxWaitingReads", 7),
            Map.entry("maxProjections", 7),
            Map.entry("requireActor", true),
            Map.entry("pageSize", 1L << 20),
            Map.entry("readMemory", 64L << 20),
            Map.entry("clientReadMemory", 128L << 20),
            Map.entry("connectionTimeout", Duration.ofSeconds(21)),
            Map.entry("statementTimeout", Duration.ofSeconds(22)),
            Map.entry("lockTimeout", Duration.ofSeconds(23)),
            Map.entry("idempotencyRetention", Duration.ofHours(24)),
            Map.entry("group", new GroupOptions(1, 2, 3, 4, 5, 6, Duration.ofSeconds(7))),
            Map.entry("readGroup", new ReadGroupOptions(2, 1)),
            Map.entry("check", new CheckOptions(1, 2, Duration.ofSeconds(3), Duration.ofSeconds(4), 5)),
            Map.entry("breaker", new BreakerOptions(false, 1, 2, Duration.ofSeconds(3), Duration.ofSeconds(4), 5)),
            Map.entry(
                    "retry", new RetryOptions(1, Duration.ofMillis(2), 3, Duration.ofMillis(1), Duration.ofMillis(5))),
            Map.entry("limits", StoreLimits.with(limits -> limits.maxTagsPerEvent = 14)));

    static Stream<RecordComponent> options() {
        return Arrays.stream(StoreOptions.class.getRecordComponents());
    }

    @ParameterizedTest
    @MethodSource("options")
    void an_assignment_changes_only_the_option_of_its_name(RecordComponent option) throws Exception {
        Object other = OTHERS.get(option.getName());
        Field assigned = StoreOptions.Builder.class.getField(option.getName());

        StoreOptions built = StoreOptions.with(options -> assign(assigned, options, other));

        for (RecordComponent each : StoreOptions.class.getRecordComponents()) {
            Object expected = each.getName().equals(option.getName())
                    ? other
                    : each.getAccessor().invoke(StoreOptions.defaults());
            assertThat(each.getAccessor().invoke(built)).as(each.getName()).isEqualTo(expected);
        }
        assertThat(built).isNotEqualTo(StoreOptions.defaults());
    }

    private static void assign(Field field, StoreOptions.Builder options, @Nullable Object value) {
        try {
            field.set(options, value);
        } catch (IllegalAccessException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Test
    void an_option_out_of_bounds_is_reported_with_its_value() {
        assertThatThrownBy(() -> StoreOptions.with(options -> options.readConnections = 0))
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageContaining("readConnections")
                .hasMessageContaining("0");
    }
}
