package dev.registrar.eventstore.postgres.append;

import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.postgres.connection.Failures;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/** The resource locks of one append, as parameters of the statement. */
public final class HeldResources {
    /** The SQLSTATE of the notice that lock_resources sends as soon as it holds the locks. */
    private static final String HELD = "00DCB";

    private final ResourceLocks locks;
    private final long[] keys;
    private final int milliseconds;

    /**
     * Describes the locks to take.
     *
     * @param keys the keys of the advisory locks, in ascending order
     * @param timeout how long the server may wait for the locks; raised to at least 1 ms
     */
    public HeldResources(ResourceLocks locks, long[] keys, Duration timeout) {
        this.locks = locks;
        this.keys = keys.clone();
        this.milliseconds = Math.toIntExact(Math.clamp(timeout.toMillis(), 1, Integer.MAX_VALUE));
    }

    ResourceLocks locks() {
        return locks;
    }

    /** How long the server may wait for the locks, in milliseconds. */
    public int milliseconds() {
        return milliseconds;
    }

    /** Binds the keys and the time to wait as two parameters, starting at the given index. */
    void bind(PreparedStatement statement, int first) throws SQLException {
        statement.setObject(first, keys);
        statement.setInt(first + 1, milliseconds);
    }

    /**
     * Whether a failure occurred during the wait for the locks. The server sends its messages in order, so an error
     * reported by the server without the notice came before the locks were held. A broken connection proves nothing.
     *
     * @param first the first of the server's messages before the failure
     */
    boolean isOfWait(SQLException failure, @Nullable SQLWarning first) {
        for (SQLWarning message = first; message != null; message = message.getNextWarning()) {
            if (HELD.equals(message.getSQLState())) {
                return false;
            }
        }
        return failure instanceof PSQLException reported
                && reported.getServerErrorMessage() != null
                // A value that cannot be stored is refused before the wait.
                && !Failures.isAboutData(failure);
    }
}
