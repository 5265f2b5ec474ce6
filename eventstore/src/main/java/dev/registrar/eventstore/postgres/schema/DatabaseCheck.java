package dev.registrar.eventstore.postgres.schema;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.postgres.connection.Failures;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import java.util.TimeZone;
import javax.sql.DataSource;

/** Checks, before anything is set or created, that a store can work in a database and on the way to it. */
final class DatabaseCheck {
    private static final int OLDEST_VERSION = 17;
    /** How often two connections are asked for their sessions: other clients of a pooler may take one in between. */
    private static final int ROUNDS = 3;

    private static final String INVALID_PARAMETER = "22023";

    /** Defaults of the role or the database do not end the transaction that holds the lock. */
    private static final String UNBOUNDED = """
            set local transaction_timeout = 0;
            set local idle_in_transaction_session_timeout = 0""";

    /** Takes a lock that no other session takes, and a transaction id. */
    private static final String HOLD = """
            select
                pg_backend_pid(),
                pg_current_xact_id()::text,
                pg_advisory_xact_lock(1145258560, pg_backend_pid())""";

    private DatabaseCheck() {}

    /**
     * Checks the database, that each connection has a session of its own, and what locks and snapshots promise.
     *
     * @param database at least two connections
     * @throws StoreStartFailure if a store cannot work in this way
     * @throws SQLException if the database failed or cannot be reached
     */
    static void run(DataSource database, String schema) throws SQLException {
        if (database.isWrapperFor(HikariDataSource.class)
                && database.unwrap(HikariDataSource.class).getMaximumPoolSize() == 1) {
            throw new StoreStartFailure(
                    "A migration needs a pool of at least 2 connections, but its maximum is 1.",
                    "Raise the maximum of the pool.",
                    null);
        }
        try (Connection one = connect(database);
                Statement statement = one.createStatement();
                ResultSet row = statement.executeQuery("""
                                select
                                    current_setting('server_version_num')::int / 10000,
                                    split_part(current_setting('server_version'), ' ', 1),
                                    current_database(),
                                    current_setting('server_encoding'),
                                    '%1$s' ~ '^(pg_|information_schema$)' or exists (
                                        select from pg_get_keywords() where word = '%1$s' and catcode <> 'U'
                                    )""".formatted(schema))) {
            row.next();
            check(new Facts(row.getInt(1), row.getString(2), row.getString(3), row.getString(4)));
            if (row.getBoolean(5)) {
                throw new StoreStartFailure(
                        "The schema of the store cannot be named '%s', which is a reserved word of SQL or a name of PostgreSQL's own."
                                .formatted(schema),
                        "Choose another name; in a Spring Boot application, that is registrar.store.schema.",
                        null);
            }
            try (Connection other = database.getConnection()) {
                checkSessions(one, other);
                checkLocks(one, other);
            }
        }
    }

    private static Connection connect(DataSource database) throws SQLException {
        try {
            return database.getConnection();
        } catch (SQLException failure) {
            if (INVALID_PARAMETER.equals(failure.getSQLState())) {
                throw new StoreStartFailure(
                        "The database refuses a parameter of the connection: %s.".formatted(failure.getMessage()),
                        "If it is the time zone, start Java with -Duser.timezone=UTC: the driver sends that of the JVM, which is %s."
                                .formatted(TimeZone.getDefault().getID()),
                        failure);
            }
            throw failure;
        }
    }

    /**
     * What a server says of itself and of a database.
     *
     * @param major the major version, such as 18
     * @param version the whole version, such as 18.1
     */
    record Facts(int major, String version, String database, String encoding) {}

    static void check(Facts facts) {
        if (facts.major() < OLDEST_VERSION) {
            throw new StoreStartFailure(
                    "The database is PostgreSQL %s; Registrar needs 17 or 18.".formatted(facts.version()),
                    "Upgrade the server, or connect to another one.",
                    null);
        }
        if (!facts.encoding().equals("UTF8")) {
            throw new StoreStartFailure(
                    "The database '%s' has the encoding %s; Registrar needs UTF8."
                            .formatted(facts.database(), facts.encoding()),
                    "Use a database that was created with: create database … template template0 encoding 'UTF8'.",
                    null);
        }
    }

    /*
     * In transaction mode a pooler may run each statement in another session, and two connections in the same one. So
     * settings, listeners and locks would reach the sessions of others. Prepared statements are no sign of this mode,
     * since some poolers carry them.
     */
    private static void checkSessions(Connection one, Connection other) throws SQLException {
        Set<Integer> ofOne = new HashSet<>();
        Set<Integer> ofOther = new HashSet<>();
        for (int round = 0; round < ROUNDS; round++) {
            ofOne.add(session(one));
            ofOther.add(session(other));
        }
        if (ofOne.size() > 1 || ofOther.size() > 1 || ofOne.equals(ofOther)) {
            throw new StoreStartFailure(
                    "A pooler in transaction mode is between Registrar and the database: its connections do not keep their sessions.",
                    "Connect to the database itself, or set the pooler to session mode (PgBouncer: pool_mode = session).",
                    null);
        }
    }

    private static int session(Connection connection) throws SQLException {
        // Outside a transaction, which would keep the session.
        connection.setAutoCommit(true);
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            row.next();
            return row.getInt(1);
        }
    }

    /*
     * Why no append misses another one: a session waits for the store's lock while another one holds it, and a snapshot
     * that is taken behind the other's commit sees that commit. Databases that only speak PostgreSQL's protocol, and
     * proxies with several servers, do not all keep both.
     */
    private static void checkLocks(Connection one, Connection other) throws SQLException {
        try (Statement holding = one.createStatement();
                Statement looking = other.createStatement()) {
            one.setAutoCommit(false);
            holding.execute(UNBOUNDED);
            String look;
            try (ResultSet held = holding.executeQuery(HOLD)) {
                held.next();
                // Whether another session can take that lock, and sees that transaction.
                look = """
                        select
                            pg_try_advisory_xact_lock(1145258560, %s),
                            pg_visible_in_snapshot('%s'::xid8, pg_current_snapshot())""".formatted(held.getString(1), held.getString(2));
            }
            require(looking, look, false, "a lock that one session holds", "an open transaction");
            one.commit();
            require(looking, look, true, "a lock that was released", "a transaction that has committed");
        } catch (SQLException failure) {
            if (Failures.category(failure) == FailureCategory.SYNTAX) {
                throw unsafe(String.valueOf(failure.getMessage()));
            }
            throw failure;
        }
    }

    private static void require(Statement looking, String look, boolean expected, String lock, String transaction)
            throws SQLException {
        try (ResultSet row = looking.executeQuery(look)) {
            row.next();
            if (row.getBoolean(1) != expected) {
                throw unsafe("%s is %s for another".formatted(lock, expected ? "not free" : "free"));
            }
            if (row.getBoolean(2) != expected) {
                throw unsafe(
                        "%s is %s for another session".formatted(transaction, expected ? "not visible" : "visible"));
            }
        }
    }

    private static StoreStartFailure unsafe(String finding) {
        return new StoreStartFailure(
                "The database does not lock and show transactions as the event store needs: %s.".formatted(finding),
                "Connect to one PostgreSQL server, without a proxy that spreads statements over several.",
                null);
    }
}
