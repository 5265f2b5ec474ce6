package dev.registrar.console.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.decision.ContentionRecorder;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.http.ServiceTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

@ServiceTest
class ContentionPageTest {
    private final ConsoleClient client;
    private final Api api;
    private final ContentionRecorder recorder;

    ContentionPageTest(@LocalServerPort int port, @Autowired ContentionRecorder recorder) {
        this.client = new ConsoleClient(port);
        this.api = new Api(port);
        this.recorder = recorder;
    }

    @Test
    void an_auditor_sees_the_tags_of_contended_items() {
        String course = Api.newId("course");
        recorder.conflict(
                QueryItem.types("StudentEnrolledInCourse").tagged("course:" + course),
                "EnrollStudent",
                "StudentEnrolledInCourse");

        Page page = client.open("/console/contention").expect(200);

        assertThat(page.text()).contains("StudentEnrolledInCourse with course:" + course, "Conflicts", "Longest queue");
        assertThat(page.text()).contains("EnrollStudent lost to StudentEnrolledInCourse once");
        assertThat(page.html()).contains("1 conflict over the last 5 minutes");
    }

    @Test
    void an_operator_who_is_no_auditor_sees_types_without_tags() {
        String course = Api.newId("course");
        recorder.conflict(
                QueryItem.types("StudentEnrolledInCourse").tagged("course:" + course),
                "EnrollStudent",
                "StudentEnrolledInCourse");
        client.submit("/", "/console/role", "role", "operator").expect(200);

        Page page = client.open("/console/contention").expect(200);

        assertThat(page.text())
                .contains(
                        "StudentEnrolledInCourse with …",
                        "EnrollStudent lost to StudentEnrolledInCourse once",
                        "without their tags, which only an auditor sees");
        assertThat(page.html()).doesNotContain(course, "Its events");
    }

    @Test
    void a_conflict_of_a_client_of_the_store_is_counted() {
        String tag = Api.newId("seat");
        String body = """
                {"events": [{"type": "SeatTaken", "tags": ["%1$s"], "data": {}}],
                 "condition": {"failIfEventsMatch": {"items": [{"types": ["SeatTaken"], "tags": ["%1$s"]}]}}}""".formatted(tag);
        api.post("/dcb/append", body).expect(200);
        api.post("/dcb/append", body).expect(200);

        assertThat(client.open("/console/contention").expect(200).text())
                .containsPattern("SeatTaken with " + tag
                        + "( Its events)? 1 0 0 0 0 append of SeatTaken lost to SeatTaken once");
    }
}
