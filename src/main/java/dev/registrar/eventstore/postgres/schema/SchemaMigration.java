package dev.registrar.eventstore.postgres.schema;

import java.time.Duration;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.output.MigrateResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the store's migrations with Flyway. Flyway is optional, so no other class of the store refers to it. */
final class SchemaMigration {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaMigration.class);

    private SchemaMigration() {}

    static void run(DataSource database, String schema, int retries, Duration longestPause) {
        MigrateResult result = Flyway.configure(SchemaMigration.class.getClassLoader())
                .dataSource(new AdoptingDataSource(database, schema))
                .schemas(schema)
                .defaultSchema(schema)
                .table(AdoptingDataSource.HISTORY)
                .locations("classpath:" + StoreSchema.LOCATION)
                // The schema may contain tables of the application.
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .connectRetries(retries)
                .connectRetriesInterval(Math.toIntExact(longestPause.toSeconds()))
                .load()
                .migrate();
        if (result.migrationsExecuted > 0) {
            LOG.info(
                    "Migrated the schema {} to version {} ({} migrations)",
                    schema,
                    result.targetSchemaVersion,
                    result.migrationsExecuted);
        }
    }
}
