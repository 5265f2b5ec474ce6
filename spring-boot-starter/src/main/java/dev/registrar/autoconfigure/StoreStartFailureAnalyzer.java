package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.schema.StoreStartFailure;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows the reason why the event store did not start as description and action, without a stack trace. */
final class StoreStartFailureAnalyzer extends AbstractFailureAnalyzer<StoreStartFailure> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StoreStartFailure failure) {
        return new FailureAnalysis(failure.description(), failure.action(), failure);
    }
}
