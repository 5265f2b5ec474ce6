package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.postgres.connection.Failures;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.connection.StoreConnections;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Schemas for stores of a short life, such as those of a demonstration. A schema is dropped when it is closed. What a
 * killed process has left behind can be recognized and dropped later.
 */
public final class DisposableSchemas {
    /*
     * Three things say that a schema is a leftover of this kind: the prefix of its name, the mark in its comment, and
     * that no session holds its lock. The session that creates a schema holds the lock until the schema is dropped, and
     * PostgreSQL releases the lock when the process dies. So the schemas of another process that is alive stay.
     */
    private static final Logger LOG = LoggerFactory.getLogger(DisposableSchemas.class);

    /** The first key of the locks; other numbers are in use for other locks of a store. */
    private static final int LOCKS = 1145258563;

    private static final Pattern PREFIX = Pattern.compile("[a-z_][a-z0-9_]{0,29}");
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

    private final DataSource connections;
    private final String prefix;
    private final String mark;

    /**
     * Prepares to create schemas of one kind.
     *
     * @param prefix of their names: 1 to 30 lower-case letters, digits and underscores
     * @param mark their comment, without quotes
     */
    public DisposableSchemas(StoreAddress address, String prefix, String mark) {
        if (!PREFIX.matcher(prefix).matches() || mark.isBlank() || mark.indexOf('\'') >= 0) {
            throw new IllegalArgumentException(
                    "A prefix needs 1 to 30 of a-z 0-9 _, and a mark no quotes, but they are '%s' and '%s'"
                            .formatted(prefix, mark));
        }
        this.connections =
                StoreConnections.plain(address, StoreOptions.defaults().connection());
        this.prefix = prefix;
        this.mark = mark;
    }

    /** A schema with a session of its own. */
    public static final class Disposable implements AutoCloseable {
        private final String name;
        private final Connection session;

        private Disposable(String name, Connection session) {
            this.name = name;
            this.session = session;
        }

        public String name() {
            return name;
        }

        /** Drops the schema and everything in it. If the database fails, the schema is a leftover. */
        @Override
        public void close() {
            try (session) {
                drop(session, name);
            } catch (SQLException failure) {
                LOG.warn("The schema {} could not be dropped and stays until the next start", name, failure);
            }
        }
    }

    /**
     * Whether the role of the connections may create schemas in the database.
     *
     * @throws dev.registrar.eventstore.EventStoreException if the database failed
     */
    public boolean isPermitted() {
        try (Connection session = connect();
                Statement statement = session.createStatement();
                ResultSet row = statement.executeQuery("select has_database_privilege(current_database(), 'create')")) {
            row.next();
            return row.getBoolean(1);
        } catch (SQLException failure) {
            throw Failures.read(failure);
        }
    }

    /**
     * Creates a schema. The caller must close it.
     *
     * @throws dev.registrar.eventstore.EventStoreException if the database failed
     */
    public Disposable create() {
        String name = prefix + UUID.randomUUID().toString().replace("-", "");
        try {
            Connection session = connect();
            try {
                session.setAutoCommit(false);
                tryLock(session, name);
                try (Statement statement = session.createStatement()) {
                    statement.execute("create schema %s; comment on schema %s is '%s'".formatted(name, name, mark));
                }
                session.commit();
                session.setAutoCommit(true);
                return new Disposable(name, session);
            } catch (SQLException | RuntimeException failure) {
                session.close();
                throw failure;
            }
        } catch (SQLException failure) {
            throw Failures.read(failure);
        }
    }

    /**
     * Drops the schemas of this kind whose processes have ended without dropping them.
     *
     * @return their names
     * @throws dev.registrar.eventstore.EventStoreException if the database failed
     */
    public List<String> dropLeftovers() {
        List<String> dropped = new ArrayList<>();
        try (Connection session = connect()) {
            for (String name : marked(session)) {
                if (tryLock(session, name)) {
                    drop(session, name);
                    dropped.add(name);
                }
            }
            return List.copyOf(dropped);
        } catch (SQLException failure) {
            throw Failures.read(failure);
        }
    }

    private List<String> marked(Connection session) throws SQLException {
        List<String> names = new ArrayList<>();
        try (PreparedStatement statement = session.prepareStatement(LEFTOVERS)) {
            statement.setString(1, prefix);
            statement.setString(2, mark);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    names.add(rows.getString(1));
                }
            }
        }
        return names;
    }

    /* The lock belongs to the session, not to the transaction. */
    private static boolean tryLock(Connection session, String name) throws SQLException {
        try (PreparedStatement statement = session.prepareStatement("select pg_try_advisory_lock(?, hashtext(?))")) {
            statement.setInt(1, LOCKS);
            statement.setString(2, name);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    private static void drop(Connection session, String name) throws SQLException {
        try (Statement statement = session.createStatement()) {
            statement.execute("drop schema if exists \"%s\" cascade".formatted(name.replace("\"", "\"\"")));
        }
    }

    private Connection connect() throws SQLException {
        Connection session = connections.getConnection();
        try (Statement statement = session.createStatement()) {
            statement.execute(SESSION);
            return session;
        } catch (SQLException failure) {
            session.close();
            throw failure;
        }
    }
}
