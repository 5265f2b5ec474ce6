package dev.registrar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.testdatabase.TestDatabase;
import dev.registrar.testdatabase.TestServer;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

class TestDatabaseTest {
    @Test
    void each_database_is_fresh_and_durable() {
        try (var one = TestDatabase.create();
                var other = TestDatabase.create()) {
            new JdbcTemplate(one.dataSource()).execute("create table note (content text)");

            var jdbc = new JdbcTemplate(other.dataSource());
            assertThat(jdbc.queryForObject("select to_regclass('note')::text", String.class))
                    .isNull();
            assertThat(jdbc.queryForObject("show synchronous_commit", String.class))
                    .isEqualTo("on");
        }
    }

    @Test
    void closing_a_database_drops_it_and_closes_its_pools() {
        var database = TestDatabase.create();
        var pool = database.pool(2);

        database.close();

        assertThat(pool.isClosed()).isTrue();
        assertThatThrownBy(() -> database.pool(1))
                .hasRootCauseInstanceOf(SQLException.class)
                .hasMessageContaining("does not exist");
    }

    @Test
    void the_database_name_is_replaced_and_parameters_stay() {
        assertThat(new TestServer("external", "jdbc:postgresql://db:5433/main?sslmode=require", "", "").urlOf("test_1"))
                .isEqualTo("jdbc:postgresql://db:5433/test_1?sslmode=require");
    }
}
