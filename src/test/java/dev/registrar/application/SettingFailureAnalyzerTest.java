package dev.registrar.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.registrar.dataset.DataSet;
import dev.registrar.projection.ProjectionOptions;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** A setting whose value has the wrong type is reported in one sentence. */
class SettingFailureAnalyzerTest {

    static Stream<Arguments> settings() {
        return Stream.of(
                Arguments.of(
                        "registrar.load",
                        "smal",
                        DataSet.class,
                        "The setting registrar.load must be one of tiny, small, medium, large but is 'smal'."),
                Arguments.of(
                        "registrar.projections.on-failure",
                        "ignore",
                        ProjectionOptions.OnFailure.class,
                        "The setting registrar.projections.on-failure must be one of stop, skip but is 'ignore'."),
                Arguments.of(
                        "registrar.http.retry-after",
                        "soon",
                        Duration.class,
                        "The setting registrar.http.retry-after must be of the type Duration but is 'soon'."),
                Arguments.of(
                        "registrar.enrollment.courses-per-student",
                        "ten",
                        Integer.class,
                        "The setting registrar.enrollment.courses-per-student must be of the type Integer but is"
                                + " 'ten'."));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void a_value_of_the_wrong_type_is_reported_in_one_sentence(
            String name, String value, Class<?> type, String sentence) {
        Binder settings = new Binder(new MapConfigurationPropertySource(Map.of(name, value)));
        BindException failure = catchThrowableOfType(BindException.class, () -> settings.bind(name, type));

        FailureAnalysis analysis = new SettingFailureAnalyzer().analyze(failure);

        assertThat(analysis).extracting(FailureAnalysis::getDescription).isEqualTo(sentence);
    }
}
