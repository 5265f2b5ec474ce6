package dev.registrar.projection;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.StoreDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;

/** A look-up fails as a read of the store does, whatever Spring makes of the SQLSTATE. */
class DatabaseFailuresOfViewsTest {

    private static RuntimeException translated(String state) {
        return translated(spring(new SQLException("failed", state)));
    }

    private static RuntimeException translated(DataAccessException failure) {
        return DatabaseFailures.translated("A look-up in the view 'courses'", failure);
    }

    private static DataAccessException spring(SQLException failure) {
        return Objects.requireNonNullElseGet(
                new SQLExceptionSubclassTranslator().translate("look-up", "select 1", failure),
                () -> new DataAccessResourceFailureException("look-up", failure));
    }

    @ParameterizedTest
    @ValueSource(strings = {"08001", "08006", "57P01", "57P03", "25006"})
    void the_database_is_away(String state) {
        assertThat(translated(state))
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        away -> assertThat(away.category().filter(FailureCategory::isLoss))
                                .isPresent());
    }

    @ParameterizedTest
    @ValueSource(strings = {"57014", "55P03"})
    void a_query_took_too_long(String state) {
        assertThat(translated(state)).isInstanceOf(StoreTimeoutException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"40001", "40P01", "53100", "53200", "53300", "58030"})
    void the_database_is_busy(String state) {
        assertThat(translated(state))
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        busy -> assertThat(busy.category())
                                .hasValueSatisfying(category -> assertThat(category.isLoss() || category.isMistake())
                                        .isFalse()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"22021", "22P05", "22003", "22008", "22P02"})
    void the_database_refuses_a_value(String state) {
        assertThat(translated(state)).isInstanceOf(RefusedInputException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"42601", "42P01", "42501", "22012", "23505", "XX000"})
    void a_bug_of_a_view_stays_what_it_is(String state) {
        DataAccessException bug = spring(new SQLException("failed", state));

        assertThat(translated(bug)).isSameAs(bug);
    }

    @Test
    void a_pool_whose_connections_are_all_in_use_is_busy() throws SQLException {
        try (StoreDatabase store = new StoreDatabase();
                HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(store.database().dataSource());
            pool.setMaximumPoolSize(1);
            pool.setConnectionTimeout(250);
            try (Connection held = pool.getConnection()) {
                assertThat(held.isValid(0)).isTrue();
                assertThat(failure(pool)).isInstanceOf(StoreTimeoutException.class);
            }
        }
    }

    /* The server knows no such database. HikariCP attempts to connect less and less often. */
    @Test
    void a_pool_that_cannot_connect_is_away_for_each_caller() {
        try (StoreDatabase store = new StoreDatabase();
                HikariDataSource nowhere = new HikariDataSource()) {
            nowhere.setJdbcUrl(store.database().url() + "_dropped");
            nowhere.setUsername(store.database().username());
            nowhere.setPassword(store.database().password());
            nowhere.setConnectionTimeout(250);
            nowhere.setInitializationFailTimeout(-1);
            for (int call = 0; call < 8; call++) {
                assertThat(failure(nowhere))
                        .isInstanceOfSatisfying(
                                StoreUnavailableException.class,
                                away -> assertThat(away.category()).contains(FailureCategory.CONNECTION));
            }
        }
    }

    private static RuntimeException failure(HikariDataSource pool) {
        try {
            throw new AssertionError(
                    JdbcClient.create(pool).sql("select 1").query(Integer.class).single());
        } catch (DataAccessException failure) {
            return translated(failure);
        }
    }
}
