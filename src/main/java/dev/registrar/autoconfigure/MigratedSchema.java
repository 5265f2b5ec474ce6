package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.schema.StoreSchema;
import javax.sql.DataSource;

/** Says that the store's schema is migrated. Beans that use the schema's tables depend on this bean. */
record MigratedSchema(String name) {
    static MigratedSchema migrate(DataSource database, String schema, MigrationSettings settings) {
        StoreSchema.migrate(database, schema, settings.connectRetries(), settings.connectRetriesInterval());
        return new MigratedSchema(schema);
    }
}
