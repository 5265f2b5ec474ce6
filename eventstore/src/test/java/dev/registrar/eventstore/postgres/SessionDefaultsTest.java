package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.testdatabase.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The store's sessions rely on no default of the database or the role. */
class SessionDefaultsTest {
    private static final List<String> DEFAULTS = List.of(
            "default_transaction_isolation = 'serializable'",
            "statement_timeout = '150ms'",
            "lock_timeout = '1ms'",
            "transaction_timeout = '150ms'",
            "idle_in_transaction_session_timeout = '1ms'",
            "idle_session_timeout = '1s'",
            "client_min_messages = 'error'",
            "\"TimeZone\" = 'Asia/Kathmandu'",
            "jit = on");

    @Test
    void a_database_with_other_defaults_can_be_migrated_and_used() throws SQLException {
        try (TestDatabase database = TestDatabase.create()) {
            for (String setting : DEFAULTS) {
                execute(database, "alter database %s set %s".formatted(database.name(), setting));
            }
            PostgresEventStore.migrate(
                    database.url(), database.username(), database.password(), StoreDatabase.defaultSettings());

            try (PostgresEventStore store = PostgresEventStore.open(
                    database.url(), database.username(), database.password(), StoreDatabase.defaultSettings())) {
                assertThat(store.append(Append.of(Event.of("Happened", "{}", "thing:1"))))
                        .isInstanceOf(Appended.class);
                assertThat(store.count(Query.all())).isEqualTo(1);
                HikariDataSource pool = StoreDatabase.poolOf(store);
                assertThat(settings(pool))
                        .containsExactly("read committed", "UTC", "1min", "1min", "0", "1min", "0", "notice", "off");
            }
        }
    }

    private static void execute(TestDatabase database, String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> settings(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("""
                        select array_agg(current_setting(name) order by number)
                        from unnest(array[
                            'default_transaction_isolation', 'TimeZone', 'statement_timeout', 'lock_timeout',
                            'transaction_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout',
                            'client_min_messages', 'jit'
                        ]) with ordinality setting (name, number)""")) {
            row.next();
            return List.of((String[]) row.getArray(1).getArray());
        }
    }
}
