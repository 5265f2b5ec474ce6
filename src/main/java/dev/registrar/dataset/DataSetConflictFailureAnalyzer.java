package dev.registrar.dataset;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows that a data set cannot be loaded as description and action, without a stack trace. */
final class DataSetConflictFailureAnalyzer extends AbstractFailureAnalyzer<DataSetConflictException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, DataSetConflictException failure) {
        return new FailureAnalysis(
                failure.getMessage() + ".",
                "Start without registrar.load, or set registrar.store.schema to a new name, which makes an empty store"
                        + " beside the current one.",
                failure);
    }
}
