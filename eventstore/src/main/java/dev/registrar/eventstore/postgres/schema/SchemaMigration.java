package dev.registrar.eventstore.postgres.schema;

import dev.registrar.concurrent.BackOff;
import dev.registrar.eventstore.postgres.connection.Failures;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.flywaydb.core.api.output.MigrateResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the store's migrations with Flyway. Flyway is optional, so no other class of the store refers to it. */
final class SchemaMigration {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaMigration.class);

    private static final String HISTORY = "registrar_schema_history";
    private static final String OTHER_VERSION = "DCB03";

    /** A server or a role that only reads: another connection would fail in the same way. */
    private static final String READ_ONLY = "25006";

    /* An advisory lock serializes the instances. Each statement sees what was committed during the wait for the lock. */
    private static final String PREPARE = """
            do $$
            declare
                history_owner regrole;
            begin
                -- Nothing but the system's own functions: the service may create schemas, and functions in them.
                perform set_config('search_path', '', true);
                perform pg_advisory_xact_lock(1145258562, hashtext('${schema}'));
                if to_regnamespace('${schema}') is null then
                    create schema ${schema};
                elsif to_regclass('${schema}.${history}') is not null then
                    select relowner
                    into history_owner
                    from pg_class
                    where oid = to_regclass('${schema}.${history}')
                    and not pg_has_role(relowner, 'usage');
                    if found then
                        raise exception 'it belongs to the role %, and this connection is of the role %',
                            history_owner, quote_ident(current_user);
                    end if;
                elsif to_regclass('${schema}.events') is not null and to_regclass('${schema}.store') is not null then
                    raise exception 'it has an event store, but no history of migrations' using errcode = 'DCB03';
                end if;
            end
            $$""";

    private final DataSource checked;
    private final DataSource database;
    private final String schema;

    private SchemaMigration(DataSource checked, DataSource database, String schema) {
        this.checked = checked;
        this.database = database;
        this.schema = schema;
    }

    static void run(DataSource checked, DataSource database, String schema, int retries, Duration longestPause) {
        new SchemaMigration(checked, database, schema).run(retries, longestPause);
    }

    private void run(int retries, Duration longestPause) {
        prepare(retries, longestPause);
        Flyway flyway = Flyway.configure(SchemaMigration.class.getClassLoader())
                .dataSource(database)
                .schemas(schema)
                .defaultSchema(schema)
                .table(HISTORY)
                .locations("classpath:" + StoreSchema.LOCATION)
                // The functions are replaced in one transaction: no append sees some of them new and others old.
                .group(true)
                // The function of a deleted file stays; nothing calls it.
                .ignoreMigrationPatterns("repeatable:missing")
                // The schema may contain tables of the application.
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load();
        try {
            MigrateResult result = migrate(flyway);
            if (result.migrationsExecuted > 0) {
                LOG.info("Migrated the schema {} ({} files)", schema, result.migrationsExecuted);
            }
        } catch (FlywayValidateException failure) {
            throw StoreStartFailure.otherVersion(schema, failure);
        }
    }

    /* If no connection is made, Flyway reports the failure. */
    private void prepare(int retries, Duration longestPause) {
        try {
            BackOff.doubling(Duration.ofSeconds(1), longestPause)
                    .retry(retries, SQLException.class::isInstance, this::prepareOnce);
        } catch (SQLException failure) {
            LOG.debug("The schema {} could not be prepared", schema, failure);
        }
    }

    private @Nullable Void prepareOnce() throws SQLException {
        try {
            DatabaseCheck.run(checked, schema);
            try (Connection connection = database.getConnection()) {
                prepare(connection);
                return null;
            }
        } catch (SQLException failure) {
            LOG.warn(
                    "The database {}: {}",
                    Failures.category(failure).isLoss() ? "did not answer" : "refused the connection",
                    failure.getMessage());
            throw failure;
        }
    }

    private void prepare(Connection connection) throws SQLException {
        try {
            connection.setAutoCommit(true);
            try (Statement statement = connection.createStatement()) {
                statement.execute(PREPARE.replace("${schema}", schema).replace("${history}", HISTORY));
            }
        } catch (SQLException failure) {
            if (Failures.category(failure).isLoss() && !READ_ONLY.equals(failure.getSQLState())) {
                throw failure;
            }
            throw refused(failure);
        }
    }

    private StoreStartFailure refused(SQLException failure) {
        return OTHER_VERSION.equals(failure.getSQLState())
                ? StoreStartFailure.otherVersion(schema, failure)
                : new StoreStartFailure(
                        "The schema '%s' cannot be migrated: %s.".formatted(schema, failure.getMessage()),
                        "Migrate as a role that owns the schema or may create it; in a Spring Boot application, that is"
                                + " spring.flyway.user.",
                        failure);
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
