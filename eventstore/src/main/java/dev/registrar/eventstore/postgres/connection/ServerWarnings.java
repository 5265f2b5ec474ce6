package dev.registrar.eventstore.postgres.connection;

import dev.registrar.concurrent.Throttle;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.OutcomeUnknownException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLWarning;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLWarning;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the warnings that the server sends with the answer to a statement. Thread-safe. */
public final class ServerWarnings {
    private static final Logger LOG = LoggerFactory.getLogger(ServerWarnings.class);

    /**
     * The routine of PostgreSQL in which a commit waits for a synchronous standby. The text of its warning depends on
     * the server's language, and the SQLSTATE is a general one.
     */
    private static final String WAIT_FOR_STANDBY = "SyncRepWaitForLSN";

    private final Counter warnings;
    private final Throttle lines = new Throttle(Duration.ofMinutes(1));

    public ServerWarnings(MeterRegistry metrics) {
        this.warnings = Counter.builder("registrar.store.warnings")
                .description("Warnings of the database's server with the answers to appends")
                .register(metrics);
    }

    /**
     * Checks that a commit did not end its wait for a synchronous standby early: the server then reports success and
     * warns that the transaction may not have been replicated. Other warnings say nothing about the commit. They are
     * counted, and at most one of them in a minute is logged. Messages of class 00 (successful completion), such as
     * notices, are not warnings.
     *
     * @param first the first message that came with the commit; null if there is none
     * @throws OutcomeUnknownException if a wait for a standby was cancelled: a failover may lose the commit
     */
    public void check(@Nullable SQLWarning first) {
        for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
            String state = warning.getSQLState();
            if (isCancelledWait(warning)) {
                throw new OutcomeUnknownException(
                        "The database committed but warned that a failover may lose the commit (SQLSTATE %s: %s)"
                                .formatted(state, warning.getMessage()),
                        warning,
                        FailureCategory.UNKNOWN);
            }
            if (state == null || !state.startsWith("00")) {
                warnings.increment();
                if (lines.tryAcquire()) {
                    LOG.warn(
                            "The database's server warns (SQLSTATE {}): {}; further warnings within a minute are only counted",
                            state,
                            warning.getMessage());
                }
            }
        }
    }

    private static boolean isCancelledWait(SQLWarning warning) {
        return warning instanceof PSQLWarning reported
                && WAIT_FOR_STANDBY.equals(reported.getServerErrorMessage().getRoutine());
    }
}
