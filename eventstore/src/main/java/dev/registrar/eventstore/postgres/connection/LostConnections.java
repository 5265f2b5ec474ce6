package dev.registrar.eventstore.postgres.connection;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/**
 * Tells a Hikari pool to evict a connection after each failure that means a lost connection or server. A server that
 * became read-only after a failover keeps its connections open, so without eviction the pool would use them forever.
 * The pool creates this class by name.
 */
public final class LostConnections implements SQLExceptionOverride {

    @java.lang.Override
    public Override adjudicate(SQLException failure) {
        return SqlStates.category(failure.getSQLState()).isLoss() ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
    }
}
