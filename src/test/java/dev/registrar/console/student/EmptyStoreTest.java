package dev.registrar.console.student;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.console.ConsoleClient;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.http.ServiceTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** The first look of a person at a service without a student or a course. */
@ServiceTest
@DirtiesContext
@TestPropertySource(properties = "registrar.live.heartbeat=20s")
@Tag("thorough")
class EmptyStoreTest {
    private final ConsoleClient client;

    EmptyStoreTest(@LocalServerPort int port) {
        this.client = new ConsoleClient(port);
    }

    @Test
    void each_page_of_a_student_says_what_to_do_first() {
        Page catalogue = client.open("/console/courses").expect(200);
        Page own = client.open("/console/my").expect(200);

        assertThat(catalogue.text())
                .contains("There are no courses yet.", "Define a course", "No student is registered yet.");
        assertThat(own.text()).contains("No student is registered yet.", "Register a student");
        assertThat(catalogue.html()).contains("href=\"/console/office/define\"", "href=\"/console/office/register\"");
        client.open("/console/office/define").expect(200);
        client.open("/console/office/register").expect(200);
    }
}
