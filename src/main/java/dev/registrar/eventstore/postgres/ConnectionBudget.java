package dev.registrar.eventstore.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * The connections that one instance of the service may open, against what its server allows.
 *
 * @param wanted connections of all pools of this instance
 * @param allowed connections that the server keeps for ordinary users
 */
public record ConnectionBudget(int wanted, int allowed) {

    /**
     * Asks the server.
     *
     * @param others connections that the service opens beside the store's
     * @throws StoreStartFailure if the server allows fewer
     */
    public static ConnectionBudget checked(DataSource connections, StoreOptions settings, int others) {
        ConnectionBudget budget = new ConnectionBudget(settings.connections() + others, allowed(connections));
        if (budget.wanted > budget.allowed) {
            throw new StoreStartFailure(
                    ("This service may open %d connections (%d for groups of appends, %d for appends with resource locks, %d"
                                    + " for reads, %d for views, migrations and health), but the server allows %d.")
                            .formatted(
                                    budget.wanted,
                                    settings.group().inFlight(),
                                    settings.resourceLockConnections(),
                                    settings.readConnections(),
                                    others,
                                    budget.allowed),
                    "Raise max_connections of the server, or lower registrar.store.read-connections; each instance of the"
                            + " service needs as many.",
                    null);
        }
        return budget;
    }

    @SuppressWarnings("try") // the watch is only there to be closed
    private static int allowed(DataSource connections) {
        try (Connection connection = connections.getConnection();
                CallWatchdog.Watched watched = CallWatchdog.SHARED.watch(connection, Database.NETWORK_MARGIN);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("""
                        select current_setting('max_connections')::int
                            - current_setting('superuser_reserved_connections')::int
                            - coalesce(current_setting('reserved_connections', true), '0')::int""")) {
            row.next();
            return row.getInt(1);
        } catch (SQLException failure) {
            throw Failures.noConnection(failure, StoreConnections.reasonOf(connections));
        }
    }
}
