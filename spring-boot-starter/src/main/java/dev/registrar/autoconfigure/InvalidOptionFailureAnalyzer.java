package dev.registrar.autoconfigure;

import dev.registrar.options.InvalidOptionException;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains in one sentence that a setting of the library is out of its bounds. */
final class InvalidOptionFailureAnalyzer extends AbstractFailureAnalyzer<InvalidOptionException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidOptionException failure) {
        return new FailureAnalysis(
                "The setting registrar.%s must be %s but is %s."
                        .formatted(
                                DataObjectPropertyName.toDashedForm(failure.option()),
                                failure.requirement(),
                                failure.value()),
                null,
                failure);
    }
}
