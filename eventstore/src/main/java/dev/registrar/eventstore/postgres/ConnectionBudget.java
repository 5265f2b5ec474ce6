package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Parameters;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import dev.registrar.eventstore.postgres.schema.StoreStartFailure;

/** Compares the connections that an application instance may open with the limit of its server. */
final class ConnectionBudget {
    private static final String ALLOWED = """
            select current_setting('max_connections')::int
                - current_setting('superuser_reserved_connections')::int
                - coalesce(current_setting('reserved_connections', true), '0')::int""";

    private ConnectionBudget() {}

    /**
     * Checks the limit of the server.
     *
     * @param others the connections that the application opens besides the store's
     * @throws StoreStartFailure if the server allows fewer connections to ordinary users
     */
    static void check(Database database, StoreOptions options, int others) {
        int wanted = options.connections() + others;
        int allowed = database.run(ALLOWED, statement -> new Parameters(statement).only(row -> row.getInt(1)));
        if (wanted > allowed) {
            throw new StoreStartFailure(
                    ("This service may open %s connections (%s for groups of appends, %s for appends with resource locks, %s"
                                    + " for reads, %s for views, migrations and health), but the server allows %s.")
                            .formatted(
                                    wanted,
                                    options.group().inFlight(),
                                    options.resourceLockConnections(),
                                    options.readConnections(),
                                    others,
                                    allowed),
                    "Raise max_connections of the server, or lower registrar.store.read-connections. Each instance of the"
                            + " service needs this number of connections.",
                    null);
        }
    }
}
