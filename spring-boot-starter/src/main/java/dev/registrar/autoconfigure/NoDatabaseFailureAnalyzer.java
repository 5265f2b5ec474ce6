package dev.registrar.autoconfigure;

import org.flywaydb.core.internal.exception.sqlExceptions.FlywaySqlUnableToConnectToDbException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains that the database did not answer any attempt to connect. */
final class NoDatabaseFailureAnalyzer extends AbstractFailureAnalyzer<FlywaySqlUnableToConnectToDbException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, FlywaySqlUnableToConnectToDbException failure) {
        return new FailureAnalysis(
                "The database did not answer: %s.".formatted(rootFailure.getMessage()),
                "Start the database, or correct spring.datasource.url, spring.datasource.username and"
                        + " spring.datasource.password, or spring.flyway.user and spring.flyway.password if another"
                        + " role migrates. spring.flyway.connect-retries sets the number of further attempts at a start.",
                failure);
    }
}
