package dev.registrar;

import dev.registrar.testdatabase.TestDatabase;
import dev.registrar.testdatabase.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * An empty database with the roles that {@code src/main/postgres/create-roles.sql} creates. The roles of a server are
 * those of all its databases, so they have names of their own here.
 */
public final class TwoRoles implements AutoCloseable {
    private static final Path SCRIPTS = Path.of("src/main/postgres");
    private static final Pattern COMMANDS_OF_PSQL = Pattern.compile("(?m)^\\\\.*$");
    private static final String PASSWORD = "secret";

    private final TestDatabase database;

    private TwoRoles(TestDatabase database) {
        this.database = database;
    }

    public static TwoRoles create() {
        TwoRoles roles = new TwoRoles(TestDatabase.create());
        roles.run("create-roles.sql");
        return roles;
    }

    /** Only the role of the service, in a database of the superuser: as before a store of one role is upgraded. */
    public static TwoRoles onlyOf(TestDatabase database) {
        TwoRoles roles = new TwoRoles(database);
        roles.execute("create role %s login password '%s'".formatted(roles.service(), PASSWORD));
        roles.execute("create role %s login password '%s'".formatted(roles.owner(), PASSWORD));
        roles.execute("alter database %s owner to %s".formatted(database.name(), roles.owner()));
        return roles;
    }

    public TestDatabase database() {
        return database;
    }

    public String owner() {
        return database.name() + "_owner";
    }

    public String service() {
        return database.name() + "_service";
    }

    /** Connections without a pool. */
    public DataSource as(String role) {
        PGSimpleDataSource connections = new PGSimpleDataSource();
        connections.setURL(database.url());
        connections.setUser(role);
        connections.setPassword(PASSWORD);
        return connections;
    }

    /** The settings of a service that works as the service's role. */
    public List<String> serviceSettings() {
        return List.of(
                "spring.datasource.url=" + database.url(),
                "spring.datasource.username=" + service(),
                "spring.datasource.password=" + PASSWORD);
    }

    /** The settings with which the schema is migrated as its owner. */
    public List<String> ownerSettings() {
        return List.of("spring.flyway.user=" + owner(), "spring.flyway.password=" + PASSWORD);
    }

    /** Runs a script of {@code src/main/postgres} as the superuser. */
    public void run(String script) {
        try {
            String text = COMMANDS_OF_PSQL
                    .matcher(Files.readString(SCRIPTS.resolve(script)))
                    .replaceAll("")
                    .replaceAll("(?m)^--.*$", "")
                    .replaceAll(":'\\w+'", "'%s'".formatted(PASSWORD))
                    // The database exists, and the names are those of this object.
                    .replace("create database registrar owner", "alter database registrar owner to")
                    .replace("database registrar", "database " + database.name())
                    .replace("registrar_owner", owner())
                    .replace("registrar_service", service());
            for (String statement : text.contains("$$") ? List.of(text) : List.of(text.split(";", -1))) {
                execute(statement);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void execute(String statement) {
        execute(database.dataSource(), statement);
    }

    /** Runs statements as a role. */
    public void execute(String role, String statements) {
        execute(as(role), statements);
    }

    private static void execute(DataSource connections, String statements) {
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(statements);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    public void close() {
        database.close();
        try (Connection connection = TestServer.shared().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("drop role if exists %s, %s".formatted(service(), owner()));
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
