package dev.registrar.eventstore.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.testdatabase.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The data source hides connection failures from the pool, which would otherwise pause longer after each failed
 * attempt.
 */
class ReconnectingDataSourceTest {
    private static TestDatabase database;

    private final AtomicInteger attempts = new AtomicInteger();
    private final ReconnectingDataSource reconnecting = new ReconnectingDataSource() {
        @Override
        Connection connect(@Nullable String user, @Nullable String password) throws SQLException {
            if (attempts.incrementAndGet() < 5) {
                throw new SQLException("refused");
            }
            return database.dataSource().getConnection();
        }
    };

    @BeforeAll
    static void open() {
        database = TestDatabase.create();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Test
    void the_pool_sees_no_failure_while_the_database_is_down() throws SQLException {
        reconnecting.getConnection().close();

        assertThat(attempts).hasValue(5);
        assertThat(reconnecting.reason()).isEmpty();
    }

    @Test
    void a_closed_pool_makes_no_more_connections() {
        reconnecting.retryWhile(() -> false);

        assertThatThrownBy(reconnecting::getConnection).hasMessage("refused");

        assertThat(attempts).hasValue(1);
        assertThat(reconnecting.reason()).isPresent();
    }
}
