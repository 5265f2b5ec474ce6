package dev.registrar.eventstore.postgres.schema;

import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.postgres.connection.Failures;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * Creates the tables and stored functions of a store, and checks that they match this version.
 *
 * <p>Before version 0.1.0, any number of instances of one version can use a schema, and a schema of another version is
 * refused.
 */
public final class StoreSchema {
    /**
     * The location of the SQL files on the class path: the tables in files whose names begin with V, then each stored
     * function in a file of its own, whose name begins with R, in any order and in one transaction.
     */
    public static final String LOCATION = "dev/registrar/eventstore/postgres/migration";

    /** The SQL file on the class path that grants a service's role its rights; {@link #grant} runs it. */
    public static final String SERVICE_ROLE = "dev/registrar/eventstore/postgres/service-role.sql";

    private static final String NO_RIGHT = "42501";
    private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private StoreSchema() {}

    /**
     * Creates the schema with its tables and functions. If it is there, only replaces functions that differ from those
     * of this version. Any number of instances may call this concurrently. Requires flyway-core and
     * flyway-database-postgresql on the class path. Flyway's history is the table {@code registrar_schema_history} of
     * the schema.
     *
     * @param database connections as the owner of the schema, or as a user that may create it
     * @param schema the name of the schema, 1 to 63 lower-case letters, digits and underscores
     * @throws StoreStartFailure if {@link #checkDatabase} fails, if the schema has the store of another development
     *     version, or if the user may not migrate it
     * @throws IllegalStateException if Flyway is not on the class path
     * @throws org.flywaydb.core.api.FlywayException if the database does not answer or a migration fails
     */
    public static void migrate(DataSource database, String schema) {
        migrate(database, database, schema, 0, LONGEST_PAUSE);
    }

    /**
     * Creates the schema. The database is checked before a connection with settings of its own is made. Retries to
     * connect if the database does not answer yet.
     *
     * @param checked connections to the database without any settings
     * @param retries the number of retries to connect, 0 to 100: after 1 s, 2 s, 4 s and so on
     * @param longestPause the upper bound of the pause between two attempts; above zero
     * @see #migrate(DataSource, String)
     */
    public static void migrate(
            DataSource checked, DataSource database, String schema, int retries, Duration longestPause) {
        requireName(schema);
        try {
            SchemaMigration.run(checked, database, schema, retries, longestPause);
        } catch (NoClassDefFoundError missing) {
            throw new IllegalStateException(
                    ("StoreSchema.migrate requires org.flywaydb:flyway-core and org.flywaydb:flyway-database-postgresql"
                                    + " on the class path; add them, or run the SQL files of %s by other means")
                            .formatted(LOCATION),
                    missing);
        }
    }

    /**
     * Grants a role what a service needs, so that the service need not own the schema: the role may insert events and
     * read them, but not change or remove them. It may also write idempotency keys and checkpoints, and create the
     * schemas of views if the owner of this schema owns the database, too. Call this after each migration. Repetitions
     * and concurrent calls are harmless.
     *
     * @param owner connections as the owner of the schema
     * @param role the name of the service's role, 1 to 63 characters without quotes
     * @throws StoreStartFailure if the role could change events in spite of the grants, if it does not own the tables
     *     of existing views, or if the database refuses the grants
     */
    public static void grant(DataSource owner, String schema, String role) {
        grant(owner, schema, role, false, false);
    }

    /**
     * Grants a role what a service needs, and if wanted, changes of events by the functions that record each call.
     *
     * @param erasure whether the role may overwrite what is personal in events
     * @param retagging whether the role may add tags to events
     * @see #grant(DataSource, String, String)
     */
    public static void grant(DataSource owner, String schema, String role, boolean erasure, boolean retagging) {
        requireName(schema);
        ServiceRole.grant(owner, schema, role, erasure, retagging);
    }

    /**
     * Checks that a store can work in a database and on the way to it, before anything is created or set.
     *
     * @param database connections to the database; two are used at a time
     * @throws StoreStartFailure if the server is older than PostgreSQL 17, the encoding of the database is not UTF8, a
     *     pooler in transaction mode is between, or the name of the schema is a reserved word
     * @throws dev.registrar.eventstore.EventStoreException if the database failed or cannot be reached
     */
    public static void checkDatabase(DataSource database, String schema) {
        requireName(schema);
        try {
            DatabaseCheck.run(database, schema);
        } catch (SQLException failure) {
            throw Failures.category(failure) == FailureCategory.TIMEOUT
                    ? Failures.of("The check of the database", failure)
                    : Failures.connect(failure);
        }
    }

    /**
     * Checks that the schema has a store and, by their names, the functions that this version calls.
     *
     * @throws StoreStartFailure if the schema has no store, or lacks one of these functions, or if the role of the
     *     connections may not use it
     */
    public static void check(DataSource database, String schema) {
        requireName(schema);
        try (Connection connection = database.getConnection()) {
            check(connection, schema);
        } catch (SQLException failure) {
            throw Failures.read(failure);
        }
    }

    /** Checks the schema on a given connection. */
    public static void check(Connection connection, String schema) throws SQLException {
        try {
            checkStore(connection, schema);
        } catch (SQLException failure) {
            if (NO_RIGHT.equals(failure.getSQLState())) {
                throw new StoreStartFailure(
                        "The role of the connections may not use the schema '%s': %s."
                                .formatted(schema, failure.getMessage()),
                        "Call StoreSchema.grant(…), or run %s, as the owner of the schema.".formatted(SERVICE_ROLE),
                        failure);
            }
            throw failure;
        }
    }

    private static void checkStore(Connection connection, String schema) throws SQLException {
        if (!holds(connection, "select to_regclass('%s.store') is not null".formatted(schema))) {
            throw new StoreStartFailure(
                    "The schema '%s' has no event store.".formatted(schema),
                    "Call StoreSchema.migrate(…), or run the SQL files of %s.".formatted(LOCATION),
                    null);
        }
        if (!holds(connection, "select exists (select from %s.store)".formatted(schema))) {
            throw new IllegalStateException("The table '%s.store' has no row; it must have one".formatted(schema));
        }
        // The functions that the store calls: another development version has others.
        if (!holds(connection, """
                select bool_and(to_regproc('%s.' || name) is not null)
                from unnest(array[
                    'append_event', 'append_events', 'check_conditions', 'erase_events', 'import_events', 'lock_resources',
                    'lock_store', 'positions_in_lists', 'retag_events'
                ]) name""".formatted(schema))) {
            throw StoreStartFailure.otherVersion(schema, null);
        }
    }

    private static boolean holds(Connection connection, String question) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(question)) {
            row.next();
            return row.getBoolean(1);
        }
    }

    private static void requireName(String schema) {
        if (!NAME.matcher(schema).matches()) {
            throw new IllegalArgumentException(
                    "The name of a schema must have 1 to 63 lower-case letters, digits and underscores, without a leading digit, but is '%s'"
                            .formatted(schema));
        }
    }
}
