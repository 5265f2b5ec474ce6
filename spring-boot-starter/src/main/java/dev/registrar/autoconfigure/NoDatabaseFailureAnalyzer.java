package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.connection.Failures;
import java.sql.SQLException;
import org.flywaydb.core.internal.exception.sqlExceptions.FlywaySqlUnableToConnectToDbException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains that the database did not answer any attempt to connect, or refused it. */
final class NoDatabaseFailureAnalyzer extends AbstractFailureAnalyzer<FlywaySqlUnableToConnectToDbException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, FlywaySqlUnableToConnectToDbException failure) {
        boolean refused = rootFailure instanceof SQLException answer
                && !Failures.category(answer).isLoss();
        return new FailureAnalysis(
                "The database %s: %s."
                        .formatted(refused ? "refuses the connection" : "did not answer", rootFailure.getMessage()),
                (refused ? "Correct" : "Start the database, or correct")
                        + " spring.datasource.url, spring.datasource.username and"
                        + " spring.datasource.password, or spring.flyway.user and spring.flyway.password if another"
                        + " role migrates. spring.flyway.connect-retries sets the number of further attempts at a start.",
                failure);
    }
}
