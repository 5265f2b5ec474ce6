package dev.registrar.autoconfigure;

import org.flywaydb.core.internal.exception.sqlExceptions.FlywaySqlUnableToConnectToDbException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows that no database answered, however often it was tried, as description and action. */
final class NoDatabaseFailureAnalyzer extends AbstractFailureAnalyzer<FlywaySqlUnableToConnectToDbException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, FlywaySqlUnableToConnectToDbException failure) {
        return new FailureAnalysis(
                "The database did not answer: %s.".formatted(rootFailure.getMessage()),
                "Start it, or correct spring.datasource.url, username and password; spring.flyway.connect-retries says how"
                        + " often it is tried at a start.",
                failure);
    }
}
