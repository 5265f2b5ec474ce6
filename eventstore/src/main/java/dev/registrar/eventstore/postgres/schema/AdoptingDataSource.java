package dev.registrar.eventstore.postgres.schema;

import dev.registrar.eventstore.postgres.connection.Failures;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * The connections of a migration. With the first connection, it creates the schema if necessary, and renames the Flyway
 * history of earlier versions from Flyway's default to the store's own name.
 */
final class AdoptingDataSource implements DataSource {
    static final String HISTORY = "registrar_schema_history";

    /*
     * Earlier versions defined functions in repeatable scripts. This version does not contain these scripts, and Flyway
     * would report them as missing. So their rows are deleted from the history; the functions stay for instances of the
     * earlier version.
     *
     * An advisory lock serializes the instances. Each statement sees what was committed during the wait for the lock.
     */
    private static final String ADOPT = """
            do $$
            declare
                history_owner regrole;
            begin
                -- Nothing but the system's own functions: the service may create schemas, and functions in them.
                perform set_config('search_path', '', true);
                perform pg_advisory_xact_lock(1145258562, hashtext('${schema}'));
                if to_regnamespace('${schema}') is null then
                    create schema ${schema};
                end if;
                if to_regclass('${schema}.${history}') is not null then
                    select relowner
                    into history_owner
                    from pg_class
                    where oid = to_regclass('${schema}.${history}')
                    and not pg_has_role(relowner, 'usage');
                    if found then
                        raise exception 'it belongs to the role %, and this connection is of the role %',
                            history_owner, quote_ident(current_user);
                    end if;
                    return;
                end if;
                if to_regclass('${schema}.flyway_schema_history') is not null then
                    if exists (
                        select
                        from ${schema}.flyway_schema_history
                        where script = 'V1__event_store.sql'
                    ) then
                        alter table ${schema}.flyway_schema_history rename to ${history};
                        alter table ${schema}.${history} rename constraint flyway_schema_history_pk to ${history}_pk;
                        alter index ${schema}.flyway_schema_history_s_idx rename to ${history}_s_idx;
                        delete from ${schema}.${history} where script like 'R\\_\\_%';
                        return;
                    end if;
                end if;
                if to_regclass('${schema}.events') is not null and to_regclass('${schema}.store') is not null then
                    raise exception 'it has an event store, but no history of migrations' using errcode = 'DCB03';
                end if;
            end
            $$""";

    private static final String NO_HISTORY = "DCB03";

    /** A server or a role that only reads: another connection would meet the same. */
    private static final String READ_ONLY = "25006";

    private final DataSource database;
    private final String schema;
    private boolean adopted;

    AdoptingDataSource(DataSource database, String schema) {
        this.database = database;
        this.schema = schema;
    }

    @Override
    public synchronized Connection getConnection() throws SQLException {
        Connection connection = database.getConnection();
        if (!adopted) {
            try {
                adopt(connection);
            } catch (SQLException | RuntimeException | Error failure) {
                connection.close();
                throw failure;
            }
            adopted = true;
        }
        return connection;
    }

    private void adopt(Connection connection) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(true);
        try (Statement statement = connection.createStatement()) {
            statement.execute(ADOPT.replace("${schema}", schema).replace("${history}", HISTORY));
        } catch (SQLException failure) {
            // Flyway takes an SQLException for a failure to connect, and tries again.
            if (Failures.category(failure).isLoss() && !READ_ONLY.equals(failure.getSQLState())) {
                throw failure;
            }
            throw new StoreStartFailure(
                    "The schema '%s' cannot be migrated: %s.".formatted(schema, failure.getMessage()),
                    NO_HISTORY.equals(failure.getSQLState())
                            ? "Run the new SQL files of %s.".formatted(StoreSchema.LOCATION)
                            : "Migrate as a role that owns the schema or may create it; in a Spring Boot application, that is"
                                    + " spring.flyway.user.",
                    failure);
        }
        connection.setAutoCommit(autoCommit);
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("Only the data source's own user is supported");
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return database.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter writer) throws SQLException {
        database.setLogWriter(writer);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return database.getLoginTimeout();
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        database.setLoginTimeout(seconds);
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return database.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return database.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return database.isWrapperFor(type);
    }
}
