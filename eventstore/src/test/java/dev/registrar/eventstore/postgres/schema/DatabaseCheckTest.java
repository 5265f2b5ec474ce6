package dev.registrar.eventstore.postgres.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.testdatabase.TestDatabase;
import dev.registrar.testdatabase.TestServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.TimeZone;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** A start ends with one sentence if a store cannot work in a database, and leaves the database as it was. */
class DatabaseCheckTest {
    private static TestDatabase database;

    @BeforeAll
    static void create() {
        database = TestDatabase.create();
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    private static DataSource of(String name) {
        PGSimpleDataSource connections = new PGSimpleDataSource();
        connections.setURL(TestServer.shared().urlOf(name));
        connections.setUser(database.username());
        connections.setPassword(database.password());
        return connections;
    }

    private static void assertRefused(DataSource connections, String schema, String description) {
        assertThatThrownBy(() -> StoreSchema.migrate(connections, schema))
                .isInstanceOfSatisfying(StoreStartFailure.class, failure -> {
                    assertThat(failure.description()).isEqualTo(description);
                    assertThat(failure.action()).isNotEmpty();
                });
        assertThatThrownBy(() -> StoreSchema.checkDatabase(connections, schema))
                .isInstanceOf(StoreStartFailure.class)
                .hasMessage(description);
    }

    @ParameterizedTest
    @CsvSource({
        "15, 15.18, UTF8, The database is PostgreSQL 15.18; Registrar needs 17 or 18.",
        "16, 16.4, UTF8, The database is PostgreSQL 16.4; Registrar needs 17 or 18.",
        "17, 17.6, LATIN1, The database 'shop' has the encoding LATIN1; Registrar needs UTF8.",
        "18, 18.1, SQL_ASCII, The database 'shop' has the encoding SQL_ASCII; Registrar needs UTF8.",
        "18, 18.1, WIN1252, The database 'shop' has the encoding WIN1252; Registrar needs UTF8."
    })
    void an_older_server_and_another_encoding_are_refused(
            int major, String version, String encoding, String description) {
        assertThatThrownBy(() -> DatabaseCheck.check(new DatabaseCheck.Facts(major, version, "shop", encoding)))
                .isInstanceOf(StoreStartFailure.class)
                .hasMessage(description);
    }

    @ParameterizedTest
    @CsvSource({"17, 17.0", "18, 18.1", "19, 19beta1"})
    void a_supported_or_newer_server_is_accepted(int major, String version) {
        DatabaseCheck.check(new DatabaseCheck.Facts(major, version, "shop", "UTF8"));
    }

    @Test
    void a_database_in_latin_1_is_refused() throws SQLException {
        String latin = database.name() + "_latin";
        execute("create database %s template template0 encoding 'LATIN1' locale_provider libc locale 'C'"
                .formatted(latin));
        try {
            assertRefused(
                    of(latin),
                    "registrar",
                    "The database '%s' has the encoding LATIN1; Registrar needs UTF8.".formatted(latin));
        } finally {
            execute("drop database " + latin);
        }
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = TestServer.shared().connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"order", "user", "authorization", "values", "pg_store", "information_schema"})
    void a_schema_cannot_have_a_reserved_name(String name) {
        assertRefused(
                of(database.name()),
                name,
                "The schema of the store cannot be named '%s', which is a reserved word of SQL or a name of PostgreSQL's own."
                        .formatted(name));
    }

    /* As behind a pooler with one session for all, the next statement of each connection is run in the same session. */
    @Test
    void a_pooler_in_transaction_mode_is_refused() throws SQLException {
        try (Connection session = of(database.name()).getConnection()) {
            assertRefused(
                    new SingleConnectionDataSource(session, true),
                    "registrar",
                    "A pooler in transaction mode is between Registrar and the database: its connections do not keep their sessions.");
            try (Statement statement = session.createStatement();
                    ResultSet row = statement.executeQuery("select to_regnamespace('registrar')")) {
                row.next();
                assertThat(row.getString(1)).isNull();
            }
        }
    }

    /* Functions of the database that hide those of the server stand for a server that works otherwise. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            pg_try_advisory_xact_lock(int, int) returns boolean  | return true  | a lock that one session holds is free for another
            pg_try_advisory_xact_lock(int, int) returns boolean  | return false | a lock that was released is not free for another
            pg_visible_in_snapshot(xid8, pg_snapshot) returns boolean | return true | an open transaction is visible for another session
            pg_visible_in_snapshot(xid8, pg_snapshot) returns boolean | return false | a transaction that has committed is not visible for another session
            pg_current_xact_id() returns xid8 | raise sqlstate '42883' using message = 'no such function' | ERROR: no such function
            """)
    void a_server_whose_locks_or_snapshots_differ_is_refused(String function, String body, String finding) {
        try (TestDatabase other = TestDatabase.create()) {
            PGSimpleDataSource connections = (PGSimpleDataSource) of(other.name());
            connections.setOptions("-c search_path=public,pg_catalog");
            StoreSchema.checkDatabase(connections, "registrar");

            new JdbcTemplate(connections)
                    .execute("create function public.%s language plpgsql as $$ begin %s; end $$"
                            .formatted(function, body));

            assertThatThrownBy(() -> StoreSchema.checkDatabase(connections, "registrar"))
                    .isInstanceOf(StoreStartFailure.class)
                    .hasMessageStartingWith(
                            "The database does not lock and show transactions as the event store needs: " + finding);
        }
    }

    @Test
    void a_pool_of_one_connection_is_refused_at_once() {
        assertRefused(
                database.pool(1),
                "registrar",
                "A migration needs a pool of at least 2 connections, but its maximum is 1.");
    }

    @Test
    @SuppressWarnings("ThreeLetterTimeZoneID") // the server does not know it, which is the point
    void a_time_zone_that_only_java_knows_is_refused() {
        TimeZone usual = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("PST"));
        try {
            assertThatThrownBy(() -> StoreSchema.checkDatabase(of(database.name()), "registrar"))
                    .isInstanceOfSatisfying(StoreStartFailure.class, failure -> {
                        assertThat(failure.description()).contains("\"TimeZone\": \"PST\"");
                        assertThat(failure.action()).contains("-Duser.timezone=UTC", "PST");
                    });
        } finally {
            TimeZone.setDefault(usual);
        }
    }
}
