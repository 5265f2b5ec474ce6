package dev.registrar.eventstore.postgres.schema;

import java.time.Duration;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.output.MigrateResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the store's migrations with Flyway. Flyway is optional, so no other class of the store refers to it. */
final class SchemaMigration {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaMigration.class);

    private SchemaMigration() {}

    static void run(DataSource database, String schema, int retries, Duration longestPause) {
        Flyway flyway = Flyway.configure(SchemaMigration.class.getClassLoader())
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
                .load();
        MigrateResult result = migrate(flyway);
        if (result.migrationsExecuted > 0) {
            LOG.info(
                    "Migrated the schema {} to version {} ({} migrations)",
                    schema,
                    result.targetSchemaVersion,
                    result.migrationsExecuted);
        }
    }

    /*
     * Of two instances that start at once on a new database, one may look at the schema after the other one has created
     * the table of the history and before its first row is there. Flyway then wants to create the history, too, and
     * fails. At a second attempt it finds the history and waits for its lock. Failures of the database and of a
     * migration have classes of their own.
     */
    private static MigrateResult migrate(Flyway flyway) {
        try {
            return flyway.migrate();
        } catch (FlywayException failure) {
            if (failure.getClass() != FlywayException.class) {
                throw failure;
            }
            LOG.debug("Another instance may have created the history of the schema", failure);
            return flyway.migrate();
        }
    }
}
