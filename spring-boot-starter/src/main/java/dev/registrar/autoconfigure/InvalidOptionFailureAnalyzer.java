package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.connection.InvalidOptionException;
import java.util.Locale;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains in one sentence that a setting of the store is out of its bounds. */
final class InvalidOptionFailureAnalyzer extends AbstractFailureAnalyzer<InvalidOptionException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidOptionException failure) {
        return new FailureAnalysis(
                "The setting registrar.store.%s must be %s but is %s."
                        .formatted(kebabCase(failure.option()), failure.requirement(), failure.value()),
                null,
                failure);
    }

    private static String kebabCase(String option) {
        return option.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
