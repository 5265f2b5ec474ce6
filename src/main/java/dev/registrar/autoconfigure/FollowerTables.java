package dev.registrar.autoconfigure;

import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.postgres.schema.StoreSchema;
import dev.registrar.eventstore.postgres.schema.StoreStartFailure;
import javax.sql.DataSource;

/** The tables that checkpoints of views and automations need, where the application brings its own store. */
final class FollowerTables {
    private FollowerTables() {}

    static void check(DataSource connections, String schema) {
        try {
            StoreSchema.check(connections, schema);
        } catch (EventStoreException failure) {
            throw new StoreStartFailure(
                    "The views and automations of the application need the tables of the schema '%s', and the application's"
                                    .formatted(schema)
                            + " DataSource could not be asked for them: %s.".formatted(failure.getMessage()),
                    "Let the DataSource connect to a PostgreSQL database with that schema (StoreSchema.migrate creates"
                            + " it), or leave the views and automations out.",
                    failure);
        }
    }
}
