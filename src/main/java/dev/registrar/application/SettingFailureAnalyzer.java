package dev.registrar.application;

import dev.registrar.eventstore.KebabCase;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.convert.ConversionFailedException;

/** Explains in one sentence that a setting's value has the wrong type. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SettingFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException failure) {
        ConfigurationProperty setting = failure.getProperty();
        ConversionFailedException conversion = findCause(failure, ConversionFailedException.class);
        if (setting == null || conversion == null) {
            return null;
        }
        return new FailureAnalysis(
                "The setting %s must be %s but is '%s'."
                        .formatted(
                                setting.getName(),
                                expected(conversion.getTargetType().getType()),
                                setting.getValue()),
                null,
                failure);
    }

    private static String expected(Class<?> type) {
        Object[] constants = type.getEnumConstants();
        return constants == null
                ? "of the type %s".formatted(type.getSimpleName())
                : Arrays.stream(constants)
                        .map(constant -> KebabCase.of((Enum<?>) constant))
                        .collect(Collectors.joining(", ", "one of ", ""));
    }
}
