package dev.registrar.autoconfigure;

import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.StoreUnavailableException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains that the store could not connect to its database, in an application that does not migrate it. */
final class UnreachableStoreFailureAnalyzer extends AbstractFailureAnalyzer<StoreUnavailableException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StoreUnavailableException failure) {
        return new FailureAnalysis(
                "%s: %s.".formatted(failure.getMessage(), rootFailure.getMessage()),
                failure.category()
                                .filter(FailureCategory.OUT_OF_RESOURCES::equals)
                                .isPresent()
                        ? NoDatabaseFailureAnalyzer.MORE_CONNECTIONS
                        : "Start the database, or correct spring.datasource.url, spring.datasource.username and"
                                + " spring.datasource.password.",
                failure);
    }
}
