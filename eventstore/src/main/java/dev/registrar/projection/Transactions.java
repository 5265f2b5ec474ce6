package dev.registrar.projection;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Function;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The transactions of the projections. Each has its own connection, so none joins a transaction of a caller; if that
 * fails, it throws a {@link DataAccessResourceFailureException}.
 */
final class Transactions {
    /** Maximum time that the server may be silent before a transaction counts as lost. */
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(1);

    /** The time by which the server's limit of a statement comes before that. */
    private static final Duration MARGIN = Duration.ofSeconds(10);

    /**
     * The defaults of the database or the role are those of other work: with a short limit, no batch would ever end. A
     * transaction waits for others as long as a statement may take.
     */
    private static final String SETTINGS = """
            set transaction isolation level read committed;
            set local statement_timeout = %s;
            set local lock_timeout = 0;
            set local transaction_timeout = 0;
            set local idle_in_transaction_session_timeout = '30s'""";

    private static final String WITHOUT_WAITING_FOR_THE_DISK = SETTINGS + ";\nset local synchronous_commit = off";

    private final DataSource connections;

    Transactions(DataSource connections) {
        this.connections = connections;
    }

    /** Runs and commits a transaction. */
    <T> T run(Function<JdbcClient, T> work) {
        return run(LONGEST_SILENCE, SETTINGS, work);
    }

    /** Runs and commits a transaction that a crash of the server may undo. */
    <T> T runWithoutWaitingForTheDisk(Function<JdbcClient, T> work) {
        return run(LONGEST_SILENCE, WITHOUT_WAITING_FOR_THE_DISK, work);
    }

    /**
     * Runs and commits a transaction with statements that may take long.
     *
     * @param longestSilence maximum silence of the server before the transaction counts as lost
     */
    <T> T run(Duration longestSilence, Function<JdbcClient, T> work) {
        return run(longestSilence, SETTINGS, work);
    }

    private <T> T run(Duration longestSilence, String settings, Function<JdbcClient, T> work) {
        try (Connection connection = connections.getConnection()) {
            connection.setNetworkTimeout(Runnable::run, Math.toIntExact(longestSilence.toMillis()));
            connection.setAutoCommit(false);
            JdbcClient transaction = Checkpoints.on(connection);
            transaction
                    .sql(settings.formatted(longestSilence.minus(MARGIN).toMillis()))
                    .update();
            T result = work.apply(transaction);
            connection.commit();
            return result;
        } catch (SQLException failure) {
            throw new DataAccessResourceFailureException(
                    "A transaction of the projections failed: " + failure.getMessage(), failure);
        }
    }
}
