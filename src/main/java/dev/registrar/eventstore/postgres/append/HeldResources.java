package dev.registrar.eventstore.postgres.append;

import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.postgres.connection.Failures;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/** The resources that one append holds, as the server is asked for them. */
public final class HeldResources {
    /** The SQLSTATE of the notice that lock_resources_2 sends as soon as it holds the locks. */
    private static final String HELD = "00DCB";

    private final ResourceLocks locks;
    private final long[] keys;
    private final int milliseconds;

    /**
     * Resources that are yet to be obtained.
     *
     * @param keys of their advisory locks, in order
     * @param timeout how long the server may wait for them; taken as at least a millisecond
     */
    public HeldResources(ResourceLocks locks, long[] keys, Duration timeout) {
        this.locks = locks;
        this.keys = keys.clone();
        this.milliseconds = Math.toIntExact(Math.clamp(timeout.toMillis(), 1, Integer.MAX_VALUE));
    }

    ResourceLocks locks() {
        return locks;
    }

    /** How long the server may wait for them. */
    public int milliseconds() {
        return milliseconds;
    }

    /** Binds the keys and the time to wait as two parameters, from this one on. */
    void bind(PreparedStatement statement, int first) throws SQLException {
        statement.setObject(first, keys);
        statement.setInt(first + 1, milliseconds);
    }

    /**
     * Whether a failure is one of the wait for the locks. The server sends its messages in order, so an error that it
     * reports itself without the notice came before the locks were held. A connection that broke says nothing of it.
     *
     * @param first of the server's messages that came before the failure
     */
    boolean isOfWait(SQLException failure, @Nullable SQLWarning first) {
        for (SQLWarning told = first; told != null; told = told.getNextWarning()) {
            if (HELD.equals(told.getSQLState())) {
                return false;
            }
        }
        return failure instanceof PSQLException reported
                && reported.getServerErrorMessage() != null
                // Values that cannot be stored are refused before the wait begins.
                && !Failures.isAboutData(failure);
    }
}
