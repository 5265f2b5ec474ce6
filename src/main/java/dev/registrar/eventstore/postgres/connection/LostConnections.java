package dev.registrar.eventstore.postgres.connection;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/**
 * Tells a pool which failures end the use of a connection: all that say the connection or its server is lost. A server
 * that became read-only after a failover keeps its connections open, so a pool would hand them out for ever. Pools
 * create this class by its name.
 */
public final class LostConnections implements SQLExceptionOverride {

    @java.lang.Override
    public Override adjudicate(SQLException failure) {
        return SqlStates.category(failure.getSQLState()).isLoss() ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
    }
}
