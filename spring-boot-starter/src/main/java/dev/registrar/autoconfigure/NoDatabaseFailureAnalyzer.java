package dev.registrar.autoconfigure;

import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.postgres.connection.Failures;
import java.sql.SQLException;
import org.flywaydb.core.internal.exception.sqlExceptions.FlywaySqlUnableToConnectToDbException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains that the database did not answer any attempt to connect, or refused it. */
final class NoDatabaseFailureAnalyzer extends AbstractFailureAnalyzer<FlywaySqlUnableToConnectToDbException> {
    static final String MORE_CONNECTIONS =
            "Raise max_connections of the server, or close connections of other clients.";

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, FlywaySqlUnableToConnectToDbException failure) {
        FailureCategory category =
                rootFailure instanceof SQLException answer ? Failures.category(answer) : FailureCategory.CONNECTION;
        return new FailureAnalysis(
                "The database %s: %s."
                        .formatted(
                                category.isLoss() ? "did not answer" : "refuses the connection",
                                rootFailure.getMessage()),
                action(category) + " spring.flyway.connect-retries sets the number of further attempts at a start.",
                failure);
    }

    private static String action(FailureCategory category) {
        return category == FailureCategory.OUT_OF_RESOURCES
                ? MORE_CONNECTIONS
                : (category.isLoss() ? "Start the database, or correct" : "Correct")
                        + " spring.datasource.url, spring.datasource.username and spring.datasource.password, or"
                        + " spring.flyway.user and spring.flyway.password if another role migrates.";
    }
}
