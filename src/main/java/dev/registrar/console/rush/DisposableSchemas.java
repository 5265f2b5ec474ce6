package dev.registrar.console.rush;

import dev.registrar.eventstore.postgres.connection.StoreAddress;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Schemas for the stores of a rush. A schema is dropped when it is closed. What a killed process has left behind can be
 * recognized and dropped later.
 */
final class DisposableSchemas {
    /*
     * Three things say that a schema is a leftover of this kind: the prefix of its name, the mark in its comment, and
     * that no session holds its lock. The session that creates a schema holds the lock until the schema is dropped, and
     * PostgreSQL releases the lock when the process dies. So the schemas of another process that is alive stay.
     */
    private static final Logger LOG = LoggerFactory.getLogger(DisposableSchemas.class);

    /** The first key of the locks; other numbers are in use for other locks of a store. */
    private static final int LOCKS = 1145258563;

    private static final String SESSION = """
            set statement_timeout = '30s';
            set lock_timeout = '10s';
            set transaction_timeout = 0;
            set idle_session_timeout = 0""";

    private static final String LEFTOVERS = """
            select nspname
            from pg_namespace
            where starts_with(nspname, ?)
            and obj_description(oid, 'pg_namespace') = ?
            and pg_has_role(nspowner, 'usage')
            order by nspname
            limit 1000""";

    private static final Map<String, String> PROPERTIES = Map.of(
            "targetServerType", "primary",
            "connectTimeout", "5",
            "tcpKeepAlive", "true",
            "prepareThreshold", "0",
            "ApplicationName", "registrar rush");

    private final DriverManagerDataSource connections = new DriverManagerDataSource();
    private final String prefix;
    private final String mark;

    /**
     * Prepares to create schemas of one kind.
     *
     * @param prefix of their names: lower-case letters, digits and underscores
     * @param mark their comment, without quotes
     */
    DisposableSchemas(StoreAddress address, String prefix, String mark) {
        connections.setUrl(address.url());
        connections.setUsername(address.username());
        connections.setPassword(address.password());
        Properties properties = new Properties();
        properties.putAll(PROPERTIES);
        connections.setConnectionProperties(properties);
        this.prefix = prefix;
        this.mark = mark;
    }

    /** A schema with a session of its own. */
    record Disposable(String name, SingleConnectionDataSource session) implements AutoCloseable {

        /** Drops the schema and everything in it. If the database fails, the schema is a leftover. */
        @Override
        public void close() {
            try (session) {
                drop(session, name);
            } catch (DataAccessException failure) {
                LOG.warn("The schema {} could not be dropped and stays until the next start", name, failure);
            }
        }
    }

    /** Whether the role of the connections may create schemas in the database. */
    boolean isPermitted() {
        try (SingleConnectionDataSource session = session()) {
            return JdbcClient.create(session)
                    .sql("select has_database_privilege(current_database(), 'create')")
                    .query(Boolean.class)
                    .single();
        }
    }

    /** Creates a schema. The caller must close it. */
    Disposable create() {
        String name = prefix + UUID.randomUUID().toString().replace("-", "");
        SingleConnectionDataSource session = session();
        try {
            tryLock(session, name);
            // Sent together, so that PostgreSQL carries out both or neither.
            execute(session, "create schema %s; comment on schema %s is '%s'".formatted(name, name, mark));
            return new Disposable(name, session);
        } catch (DataAccessException failure) {
            session.close();
            throw failure;
        }
    }

    /**
     * Drops the schemas of this kind whose processes have ended without dropping them.
     *
     * @return their names
     */
    List<String> dropLeftovers() {
        try (SingleConnectionDataSource session = session()) {
            List<String> dropped = JdbcClient.create(session)
                    .sql(LEFTOVERS)
                    .params(prefix, mark)
                    .query((row, number) -> row.getString("nspname"))
                    .list()
                    .stream()
                    .filter(name -> tryLock(session, name))
                    .toList();
            dropped.forEach(name -> drop(session, name));
            return dropped;
        }
    }

    /* The lock belongs to the session, not to the transaction. */
    private static boolean tryLock(DataSource session, String name) {
        return JdbcClient.create(session)
                .sql("select pg_try_advisory_lock(?, hashtext(?))")
                .params(LOCKS, name)
                .query(Boolean.class)
                .single();
    }

    private static void drop(DataSource session, String name) {
        execute(session, "drop schema if exists \"%s\" cascade".formatted(name.replace("\"", "\"\"")));
    }

    private static void execute(DataSource session, String sql) {
        new JdbcTemplate(session).execute(sql);
    }

    private SingleConnectionDataSource session() {
        SingleConnectionDataSource session =
                new SingleConnectionDataSource(DataSourceUtils.getConnection(connections), true);
        try {
            execute(session, SESSION);
            return session;
        } catch (DataAccessException failure) {
            session.close();
            throw failure;
        }
    }
}
