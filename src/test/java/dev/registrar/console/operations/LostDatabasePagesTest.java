package dev.registrar.console.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.RegistrarApplication;
import dev.registrar.console.ConsoleClient;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.testdatabase.TestDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The operator's pages while the database cannot be reached: that is when an operator looks at them. */
@Tag("thorough")
class LostDatabasePagesTest {
    private static final String SECRET = "in-the-url-only";

    /* The time-out is far above the bounds of the calls, and far below that of a client that waits for ever. */
    @Test
    @Timeout(120)
    void without_a_database_the_pages_say_what_they_cannot_show() {
        TestDatabase database = TestDatabase.create();
        try (ConfigurableApplicationContext service = new SpringApplicationBuilder(RegistrarApplication.class)
                .run(
                        "--server.port=0",
                        "--spring.datasource.url=%s?ApplicationName=%s".formatted(database.url(), SECRET),
                        "--spring.datasource.username=" + database.username(),
                        "--spring.datasource.password=" + database.password(),
                        "--registrar.console.grafana-url=https://grafana.example/d/registrar",
                        "--registrar.store.connection-timeout=500ms",
                        "--spring.datasource.hikari.connection-timeout=500")) {
            ConsoleClient client =
                    new ConsoleClient(service.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
            Page before = client.open("/console/store").expect(200);
            assertThat(before.text()).contains("PostgreSQL 18").doesNotContain("unavailable", SECRET);
            assertThat(before.html()).contains("href=\"https://grafana.example/d/registrar\"");
            Page confirm =
                    client.open("/console/projections/courses/pause/confirm").expect(200);

            database.close();

            for (int request = 0; request < 3; request++) {
                assertThat(client.open("/console/store").expect(200).text())
                        .contains(
                                "The database cannot be reached",
                                "Version unavailable",
                                "event-store",
                                "group.in-flight")
                        .doesNotContain("jdbc exception", "SQLException", SECRET);
                assertThat(client.open("/console/projections").text()).contains("The database cannot be reached");
                assertThat(client.open("/console/projections/courses").text())
                        .contains("The database cannot be reached");
                assertThat(client.open("/console/contention").expect(200).text())
                        .contains("Contention");
            }
            Page refused = client.submit(confirm, "/console/projections/courses/pause");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.text()).contains("nothing was changed: send the request again");
        }
    }
}
