package dev.registrar.eventstore.postgres.schema;

import dev.registrar.eventstore.postgres.connection.Failures;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * The tables and stored functions of a store: creates and upgrades them, and checks that they fit this version.
 *
 * <p>The name of a stored function ends in the number of its contract. A migration adds the functions of a new contract
 * beside those of the one before and removes older ones, so the versions of two successive contracts can run side by
 * side on one schema.
 */
public final class StoreSchema {
    /** Where the SQL files are on the class path. They are numbered in the order in which they run. */
    public static final String LOCATION = "dev/registrar/eventstore/postgres/migration";

    /** The contract of the stored functions that this version calls. */
    static final int CONTRACT = 3;

    private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private StoreSchema() {}

    /**
     * Creates the schema with all that a store needs, or upgrades it in place. Does nothing if it is up to date or
     * newer. Any number of instances may call this at once. Needs flyway-core and flyway-database-postgresql on the
     * class path; Flyway's history is the schema's table {@code registrar_schema_history}.
     *
     * @param database as the owner of the schema, or as a user who may create it
     * @param schema its name: 1 to 63 lower-case letters, digits and underscores
     * @throws IllegalStateException if Flyway is not on the class path
     * @throws org.flywaydb.core.api.FlywayException if the database does not answer or a migration fails
     */
    public static void migrate(DataSource database, String schema) {
        migrate(database, schema, 0, LONGEST_PAUSE);
    }

    /**
     * Creates or upgrades the schema, and waits for a database that does not answer yet.
     *
     * @param retries how often to connect again: after 1 s, 2 s, 4 s and so on
     * @param longestPause between two attempts; counts in whole seconds
     * @see #migrate(DataSource, String)
     */
    public static void migrate(DataSource database, String schema, int retries, Duration longestPause) {
        requireName(schema);
        try {
            SchemaMigration.run(database, schema, retries, longestPause);
        } catch (NoClassDefFoundError missing) {
            throw new IllegalStateException(
                    ("StoreSchema.migrate needs org.flywaydb:flyway-core and org.flywaydb:flyway-database-postgresql on"
                                    + " the class path: add them, or run the SQL files of %s by other means")
                            .formatted(LOCATION),
                    missing);
        }
    }

    /**
     * Checks that this version can use the schema.
     *
     * @throws StoreStartFailure if the schema has no store, or does not have the stored functions that this version
     *     calls
     */
    public static void check(DataSource database, String schema) {
        requireName(schema);
        try (Connection connection = database.getConnection()) {
            check(connection, schema);
        } catch (SQLException failure) {
            throw Failures.read(failure);
        }
    }

    /** The same on a connection that is there. */
    public static void check(Connection connection, String schema) throws SQLException {
        if (!hasContracts(connection, schema)) {
            throw new StoreStartFailure(
                    "The schema '%s' has no event store, or one that is too old for this version.".formatted(schema),
                    "Call StoreSchema.migrate(…), or run the SQL files of %s.".formatted(LOCATION),
                    null);
        }
        checkContracts(connection, schema);
    }

    private static boolean hasContracts(Connection connection, String schema) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                select exists (
                    select
                    from pg_attribute
                    where attrelid = to_regclass(?)
                    and attname = 'newest_contract'
                )""")) {
            statement.setString(1, schema + ".store");
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    private static void checkContracts(Connection connection, String schema) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select oldest_contract, newest_contract from %s.store".formatted(schema))) {
            if (!row.next()) {
                throw new IllegalStateException("The table '%s.store' has lost its row".formatted(schema));
            }
            int oldest = row.getInt(1);
            int newest = row.getInt(2);
            if (CONTRACT > newest) {
                throw new StoreStartFailure(
                        "The schema '%s' has stored functions up to contract %d, but this version calls those of contract %d."
                                .formatted(schema, newest, CONTRACT),
                        "Call StoreSchema.migrate(…), or run the SQL files of %s that are new.".formatted(LOCATION),
                        null);
            }
            if (CONTRACT < oldest) {
                throw new StoreStartFailure(
                        ("This version is too old for the schema '%s': it calls the stored functions of contract %d, but the"
                                        + " schema has those from contract %d on.")
                                .formatted(schema, CONTRACT, oldest),
                        "Start a newer version.",
                        null);
            }
        }
    }

    private static void requireName(String schema) {
        if (!NAME.matcher(schema).matches()) {
            throw new IllegalArgumentException(
                    "A schema's name has 1 to 63 lower-case letters, digits and underscores, and no digit first, but was '%s'"
                            .formatted(schema));
        }
    }
}
