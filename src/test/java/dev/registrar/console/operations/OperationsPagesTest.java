package dev.registrar.console.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.http.ServiceTest;
import dev.registrar.projection.ProjectionAdministration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The operator's pages of a service in the mode local. */
@ServiceTest
class OperationsPagesTest {
    private static final String COURSES = "/console/projections/courses";

    private final ConsoleClient client;
    private final Api api;
    private final ProjectionAdministration administration;

    OperationsPagesTest(@LocalServerPort int port, @Autowired ProjectionAdministration administration) {
        this.client = new ConsoleClient(port);
        this.api = new Api(port);
        this.administration = administration;
    }

    /* Other tests share the service. */
    @AfterEach
    void resume() {
        administration.resume("courses");
        await().until(() -> administration.status("courses").rebuild().isEmpty());
    }

    private String state() {
        return administration.status("courses").state();
    }

    @Test
    void a_view_is_paused_after_a_page_has_said_what_will_happen() {
        Page detail = client.open(COURSES).expect(200);
        assertThat(detail.text()).contains("Pause", "Rebuild", "Reset").doesNotContain("Resume", "Skip the failed");

        Page confirm = client.open(COURSES + "/pause/confirm").expect(200);
        assertThat(confirm.text()).contains("All instances stop updating 'courses'", "Cancel");
        assertThat(state()).isEqualTo("running");

        Page done = client.submit(confirm, COURSES + "/pause").expect(200);

        assertThat(done.text()).contains("Done. 'courses' is paused.", "Resume");
        assertThat(state()).isEqualTo("paused");

        Page resumed =
                client.submit(COURSES + "/resume/confirm", COURSES + "/resume").expect(200);

        assertThat(resumed.text()).contains("'courses' continues.");
        assertThat(state()).isEqualTo("running");
    }

    @Test
    void a_view_is_rebuilt_to_the_end() {
        api.course(3);
        long before = administration.status("courses").events();

        Page done = client.submit(COURSES + "/rebuild/confirm", COURSES + "/rebuild")
                .expect(200);

        assertThat(done.text()).contains("Rebuild of 'courses' started.");
        await().until(() -> administration.status("courses").rebuild().isEmpty());
        await().until(() -> administration.status("courses").events() >= before);
        assertThat(client.open(COURSES).expect(200).text()).contains("running");
    }

    @Test
    void a_view_is_reset_after_a_page_has_said_that_its_tables_are_emptied() {
        api.course(3);

        Page confirm = client.open(COURSES + "/reset/confirm").expect(200);
        assertThat(confirm.text()).contains("are emptied and filled again from the first event");
        Page done = client.submit(confirm, COURSES + "/reset").expect(200);

        assertThat(done.text()).contains("'courses' is being filled again.");
        await().until(() -> administration.status("courses").lagEvents() == 0);
    }

    @Test
    void the_page_of_an_automation_says_why_it_cannot_be_rebuilt() {
        String automation = "/console/projections/waiting-list";
        assertThat(client.open(automation).expect(200).text())
                .contains("Only a view can be rebuilt: this would send its commands or events again")
                .doesNotContain("Reset");
        Page confirm = client.open(automation + "/rebuild/confirm").expect(200);
        assertThat(confirm.text()).contains("is no view and cannot be rebuilt");
        assertThat(confirm.html()).doesNotContain("<button");

        Page forced =
                client.submit(COURSES + "/pause/confirm", automation + "/reset").expect(200);

        assertThat(forced.text()).contains("Not done.", "only views can be rebuilt");
    }

    @Test
    void a_skip_of_no_failed_event_is_refused_with_a_page() {
        Page confirm = client.open(COURSES + "/pause/confirm").expect(200);
        for (String position : List.of("", "-5", "99999999999", "abc", "1")) {
            Page page = client.submit(confirm, COURSES + "/skip", "position", position);

            assertThat(page.status()).isIn(200, 422);
            assertThat(page.html()).contains("<h1");
        }
        assertThat(state()).isEqualTo("running");
    }

    @Test
    void the_store_shows_its_types_and_kinds_of_tags_and_rates_as_charts() {
        api.course(3);

        await().untilAsserted(() -> assertThat(
                        client.open("/console/store").expect(200).html())
                .contains("aria-label=\"Appends per second over the last 5 minutes: at most"));
        Page page = client.open("/console/store");
        assertThat(page.text()).contains("Events by type", "CourseDefined", "Tags by kind", "course:");
        assertThat(page.html()).contains("href=\"/console/events?type0=CourseDefined\"");
        assertThat(client.open("/console/store", "HX-Request", "true")
                        .expect(200)
                        .text())
                .contains("Head")
                .doesNotContain("Events by type");
        client.submit("/", "/console/role", "role", "operator").expect(200);
        assertThat(client.open("/console/store").expect(200).text())
                .contains("Events by type")
                .doesNotContain("Tags by kind");
    }

    @Test
    void the_store_shows_its_head_its_database_and_its_settings() {
        api.course(3);

        Page page = client.open("/console/store").expect(200);

        assertThat(page.text())
                .contains(
                        "Head",
                        "closed",
                        "event-store",
                        "service",
                        "PostgreSQL 18",
                        "Incarnation",
                        "group.max-requests 256",
                        "docs/grafana/registrar.json")
                .doesNotContain("password", "PGPASSFILE", "unavailable");
    }
}
