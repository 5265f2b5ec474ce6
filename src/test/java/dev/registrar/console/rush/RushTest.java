package dev.registrar.console.rush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.console.ConsoleClient;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.http.ServiceTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

@ServiceTest
class RushTest {
    private final ConsoleClient client;
    private final JdbcClient jdbc;

    RushTest(@LocalServerPort int port, @Autowired JdbcClient jdbc) {
        this.client = new ConsoleClient(port);
        this.jdbc = jdbc;
    }

    private Page start() {
        return client.submit("/", "/console/rush").expect(200);
    }

    @Test
    void a_rush_is_drawn_live_and_ends_with_ten_students_with_the_condition_and_too_many_without() {
        String path = start().path();
        assertThat(start().path()).as("a second press shows the rush that runs").isEqualTo(path);
        assertThat(client.open(path).expect(200).html()).contains("hx-trigger=\"every 200ms\"");
        await().until(() -> client.open(path).expect(200).text().contains("The rush is over"));

        Page over = client.open(path).expect(200);
        assertThat(over.html()).doesNotContain("every 200ms");
        assertThat(over.text())
                .contains("With the condition: 10 enrolled in 10 seats. 90 told “full”.")
                .contains("Without it: 40 enrolled in 10 seats: overbooked by 30. 60 told “full”.")
                .contains("The store has 10 enrollments of this course")
                .contains("The store has 40 enrollments of this course");
        assertThat(client.open("/").expect(200).text())
                .contains("The last rush", "10 enrolled in 10 seats", "overbooked by 30");
        assertThat(jdbc.sql("select count(*) from pg_namespace where nspname like 'rush\\_%'")
                        .query(Long.class)
                        .single())
                .isZero();
    }

    @Test
    void a_forgotten_rush_leads_back_to_the_front_page() {
        Page page = client.open("/console/rush/no-such-rush").expect(200);

        assertThat(page.path()).isEqualTo("/");
        assertThat(page.text()).contains("or it is no longer kept");
    }
}
