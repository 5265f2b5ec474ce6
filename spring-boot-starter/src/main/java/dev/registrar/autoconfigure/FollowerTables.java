package dev.registrar.autoconfigure;

import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.postgres.schema.StoreSchema;
import dev.registrar.eventstore.postgres.schema.StoreStartFailure;
import javax.sql.DataSource;

/** Checks that the tables for checkpoints of views and automations exist, if the application has its own store. */
final class FollowerTables {
    private FollowerTables() {}

    static void check(DataSource connections, String schema) {
        try {
            StoreSchema.check(connections, schema);
        } catch (EventStoreException failure) {
            throw new StoreStartFailure(
                    "The application's views and automations need the tables of the schema '%s' in the database of its"
                                    .formatted(schema)
                            + " DataSource, and the check for them failed: %s.".formatted(failure.getMessage()),
                    "Connect the DataSource to a PostgreSQL database with that schema (StoreSchema.migrate creates"
                            + " it), or remove the views and automations.",
                    failure);
        }
    }
}
