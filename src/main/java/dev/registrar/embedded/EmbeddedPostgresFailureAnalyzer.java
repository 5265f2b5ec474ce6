package dev.registrar.embedded;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a failed start of the embedded PostgreSQL as description and action, without a stack trace. */
final class EmbeddedPostgresFailureAnalyzer extends AbstractFailureAnalyzer<EmbeddedPostgresFailure> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, EmbeddedPostgresFailure failure) {
        return new FailureAnalysis(failure.description(), failure.action(), failure);
    }
}
