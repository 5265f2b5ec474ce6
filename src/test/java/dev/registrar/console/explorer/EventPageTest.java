package dev.registrar.console.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.eventstore.Event;
import dev.registrar.http.ServiceTest;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The page of one event, its correlation and its cause. */
@ServiceTest
class EventPageTest extends EventsPageFixture {
    EventPageTest(@LocalServerPort int port) {
        super(port);
    }

    @Test
    void an_event_shows_everything_about_it() {
        String course = api.course(3);
        String tag = "course:" + course;
        long position = positions(open("tag0=" + tag)).getFirst();

        Page page = client.open("/console/events/" + position).expect(200);

        assertThat(page.text())
                .contains(
                        "Event " + position, "CourseDefined", tag, "\"capacity\": 3", "local", "Command DefineCourse");
        assertThat(page.html()).contains("/console/events?tag0=course:" + course);
        assertThat(page.html()).contains("/console/events/correlation?id=");
    }

    @Test
    void a_payload_is_saved_byte_for_byte() {
        String payload = "{\"a\" : 1.50, \"b\":\"\u202E\u2028\"}";
        long position = append(Event.of("Any", payload, Api.newId("room")));

        assertThat(client.open("/console/events/%s/payload".formatted(position))
                        .expect(200)
                        .html())
                .isEqualTo(payload);
    }

    @Test
    void a_correlation_leads_to_its_commands_and_a_causation_to_its_event() {
        String correlation = Api.newId("correlation");
        String course = Api.newId("course");
        api.post(
                        "/api/courses",
                        "{\"id\": \"%s\", \"title\": \"T\", \"capacity\": 1}".formatted(course),
                        "X-Correlation-Id",
                        correlation)
                .expect(201);
        String ann = api.student();
        String bob = api.student();
        api.enroll(ann, course).expect(201);
        api.put("/api/courses/%s/waiting-list/%s".formatted(course, bob), "", "X-Correlation-Id", correlation)
                .expect(201);
        api.send("DELETE", "/api/courses/%s/students/%s".formatted(course, ann), "", "X-Correlation-Id", correlation)
                .expect(204);
        await().untilAsserted(() -> assertThat(positions(
                        open("type0=StudentEnrolledInCourse&tag0=course:%s&tag0=student:%s".formatted(course, bob))))
                .hasSize(1));
        long promoted = positions(
                        open("type0=StudentEnrolledInCourse&tag0=course:%s&tag0=student:%s".formatted(course, bob)))
                .getFirst();
        // The automation reacts to the event that it handles first.
        List<Long> causes =
                positions(open("type0=StudentDroppedCourse&type0=StudentJoinedWaitingList&tag0=course:" + course));

        Page event = client.open("/console/events/" + promoted).expect(200);
        assertThat(event.text()).contains("Caused by", "waiting-list of application");
        String cause = client.open("/console/events/%s/cause".formatted(promoted))
                .expect(200)
                .path();
        assertThat(causes).contains(Long.parseLong(cause.substring(cause.lastIndexOf('/') + 1)));

        String followed = links(event, "/console/events/correlation?").getFirst();
        await().untilAsserted(() -> assertThat(client.open(followed).expect(200).text())
                .contains("DefineCourse", "DropStudent", "PromoteFromWaitingList", "caused by"));
        assertThat(positions(client.open(followed).expect(200)))
                .containsAll(causes)
                .contains(promoted);
    }

    @Test
    void a_cause_outside_the_correlation_is_searched_in_a_bounded_part() {
        String room = Api.newId("room");
        Event cause = event("Cause", room);
        long first = append(cause);
        long caused = append(event("Effect", room).withMetadata("{\"causationId\": \"%s\"}".formatted(cause.id())));
        long lost = append(event("Effect", room).withMetadata("{\"causationId\": \"<b>missing</b>\"}"));

        assertThat(client.open("/console/events/%s/cause".formatted(caused))
                        .expect(200)
                        .path())
                .isEqualTo("/console/events/" + first);
        Page notFound = client.open("/console/events/%s/cause".formatted(lost)).expect(200);
        assertThat(notFound.text()).contains("Cause not found", "<b>missing</b>");
        assertThat(notFound.html()).doesNotContain("<b>missing");
    }

    @Test
    @Tag("thorough")
    void a_search_with_its_bound_inside_a_command_finds_the_first_event() {
        String room = Api.newId("room");
        String command = Api.newId("command");
        String metadata = "{\"commandId\": \"%s\"}".formatted(command);
        long first = append(
                event("Cause", room).withMetadata(metadata),
                event("Cause", room).withMetadata(metadata));
        long last = first + 1;
        while (last < first + CauseSearch.EVENTS) {
            last = append(many(room, 500)) + 499;
        }
        // The second event of the command is the last one within the bound.
        long from = first + CauseSearch.EVENTS;
        long caused = append(event("Effect", room).withMetadata("{\"causationId\": \"%s\"}".formatted(command)));

        assertThat(client.open("/console/events/%s/cause?at=%s".formatted(caused, from))
                        .expect(200)
                        .path())
                .isEqualTo("/console/events/" + first);
    }
}
