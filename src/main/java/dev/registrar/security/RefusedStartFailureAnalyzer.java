package dev.registrar.security;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a refused start as description and action, without a stack trace. */
final class RefusedStartFailureAnalyzer extends AbstractFailureAnalyzer<RefusedStartException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, RefusedStartException refused) {
        return new FailureAnalysis(refused.getMessage(), refused.action(), refused);
    }
}
