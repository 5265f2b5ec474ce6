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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
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
    void each_number_of_the_store_has_an_explanation_with_its_unit() {
        Page page = client.open("/console/store").expect(200);

        for (String word : List.of(
                "Head",
                "Append",
                "Conflict",
                "Small read",
                "Call",
                "Group",
                "Wait for a group",
                "Refused append",
                "Circuit breaker",
                "Pool",
                "Incarnation",
                "Size")) {
            assertThat(page.html()).contains("<dt><dfn>%s</dfn></dt><dd>".formatted(word));
        }
        assertThat(page.text()).contains("milliseconds (ms)", "1 KB is 1,024 bytes", "requests per second");
    }

    @Test
    void the_list_has_every_view_and_automation_with_its_state() {
        Page page = client.open("/console/projections").expect(200);

        assertThat(page.text())
                .contains("courses view running", "waiting-list automation", "Refresh")
                .doesNotContain("cannot be reached");
        assertThat(page.html()).contains("<svg class=\"chart small\"", "Lag of courses over the last 5 minutes");
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

    @ParameterizedTest
    @ValueSource(strings = {"rebuild", "reset"})
    void the_page_of_an_automation_says_why_it_cannot_be_rebuilt(String operation) {
        String automation = "/console/projections/waiting-list";

        assertThat(client.open(automation).expect(200).text())
                .contains("An automation cannot be rebuilt: it would send its commands again")
                .doesNotContain("Reset");
        Page confirm =
                client.open("%s/%s/confirm".formatted(automation, operation)).expect(200);
        assertThat(confirm.text()).contains("is an automation and cannot be rebuilt");
        assertThat(confirm.html()).doesNotContain("<button");

        Page forced = client.submit(COURSES + "/pause/confirm", "%s/%s".formatted(automation, operation))
                .expect(200);

        assertThat(forced.text()).contains("Not done.", "only views can be rebuilt");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pause", "resume", "skip", "rebuild", "reset"})
    void an_operation_without_the_token_of_its_page_does_nothing(String operation) {
        Page page = client.post("%s/%s".formatted(COURSES, operation), "position=1");

        assertThat(page.status()).isEqualTo(403);
        assertThat(state()).isEqualTo("running");
        assertThat(administration.status("courses").rebuild()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"resume, 'is running already'", "skip, 'has not stopped at an event'"})
    void an_operation_that_is_not_possible_now_is_not_offered(String operation, String why) {
        Page confirm =
                client.open("%s/%s/confirm".formatted(COURSES, operation)).expect(200);

        assertThat(confirm.text()).contains(why);
        assertThat(confirm.html()).doesNotContain("<button");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "position=", "position=-5", "position=99999999999", "position=abc", "position=1"})
    void a_skip_of_no_failed_event_is_refused_with_a_page(String field) {
        Page confirm = client.open(COURSES + "/pause/confirm").expect(200);
        String[] parts = field.split("=", 2);

        Page page = field.isEmpty()
                ? client.submit(confirm, COURSES + "/skip")
                : client.submit(confirm, COURSES + "/skip", parts[0], parts[1]);

        assertThat(page.status()).isIn(200, 400);
        assertThat(page.html()).contains("<h1");
        assertThat(state()).isEqualTo("running");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/console/projections/no-such", "/console/projections/no-such/pause/confirm"})
    void an_unknown_projection_is_answered_with_a_page(String path) {
        Page page = client.open(path);

        assertThat(page.status()).isEqualTo(404);
        assertThat(page.html()).contains("<h1");
    }

    @Test
    void an_unknown_operation_is_answered_with_a_page() {
        assertThat(client.open(COURSES + "/explode/confirm").status()).isEqualTo(404);
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

    @Test
    void rates_appear_as_soon_as_there_are_two_samples() {
        await().untilAsserted(() -> assertThat(client.open("/console/store").text())
                .contains("Appends per second", "Rates and means are those of the last"));
    }

    @Test
    void contention_says_that_nothing_happened_or_which_items_competed() {
        Page page = client.open("/console/contention").expect(200);

        assertThat(page.text()).containsAnyOf("No decision met another one", "Longest queue");
    }
}
