package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.StoreSchema;
import javax.sql.DataSource;

/** Says that the store's schema fits this version. Whatever uses the schema's tables depends on this bean. */
record MigratedSchema(String name) {
    static MigratedSchema migrate(DataSource database, String schema, MigrationSettings settings) {
        StoreSchema.migrate(database, schema, settings.connectRetries(), settings.connectRetriesInterval());
        StoreSchema.check(database, schema);
        return new MigratedSchema(schema);
    }
}
