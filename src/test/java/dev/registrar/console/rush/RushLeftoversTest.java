package dev.registrar.console.rush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.RegistrarApplication;
import dev.registrar.TestDatabase;
import dev.registrar.eventstore.postgres.StoreDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A service that is killed during a rush leaves schemas behind: no session holds their locks. */
class RushLeftoversTest {
    private static final Duration MAX_WAIT = Duration.ofMinutes(2);

    @AutoClose
    private final TestDatabase database = StoreDatabase.migrated();

    @Test
    void the_next_start_drops_what_a_killed_service_left() throws SQLException {
        execute("create schema rush_left; comment on schema rush_left is '%s'".formatted(Rushes.MARK));
        execute("create table rush_left.events (position bigint)");
        execute("create schema rush_of_others");
        execute("create schema other; comment on schema other is '%s'".formatted(Rushes.MARK));

        try (ConfigurableApplicationContext service = start()) {
            await().atMost(MAX_WAIT).until(() -> !schemas().contains("rush_left"));

            assertThat(service.isActive()).isTrue();
            assertThat(schemas()).contains("rush_of_others", "other", "registrar");
        }
    }

    private ConfigurableApplicationContext start() {
        return new SpringApplicationBuilder(RegistrarApplication.class)
                .run(
                        "--server.port=0",
                        "--spring.datasource.url=" + database.url(),
                        "--spring.datasource.username=" + database.username(),
                        "--spring.datasource.password=" + database.password());
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> schemas() throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select nspname from pg_namespace")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }
}
