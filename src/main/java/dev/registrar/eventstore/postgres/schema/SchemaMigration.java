package dev.registrar.eventstore.postgres.schema;

import java.time.Duration;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** Runs the store's migrations with Flyway. Nothing else of the store refers to Flyway, which is optional. */
final class SchemaMigration {
    private SchemaMigration() {}

    static void run(DataSource database, String schema, int retries, Duration longestPause) {
        Flyway.configure(SchemaMigration.class.getClassLoader())
                .dataSource(new AdoptingDataSource(database, schema))
                .schemas(schema)
                .defaultSchema(schema)
                .table(AdoptingDataSource.HISTORY)
                .locations("classpath:" + StoreSchema.LOCATION)
                // The schema may hold tables of an application.
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .connectRetries(retries)
                .connectRetriesInterval(Math.toIntExact(longestPause.toSeconds()))
                .load()
                .migrate();
    }
}
