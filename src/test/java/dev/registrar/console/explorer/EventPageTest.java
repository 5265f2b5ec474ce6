package dev.registrar.console.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.eventstore.Event;
import dev.registrar.http.HostileValues;
import dev.registrar.http.ServiceTest;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.util.HtmlUtils;

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
        assertThat(page.html()).contains("/console/events?tag0=course%3A" + course);
        assertThat(page.html()).contains("/console/events/correlation?id=");
    }

    @Test
    void a_payload_is_saved_byte_for_byte() {
        String payload = "{\"a\" : 1.50, \"b\":\"\u202E\u2028\"}";
        long position = append(Event.of("Any", payload, Api.newId("room")));

        assertThat(client.open("/console/events/%d/payload".formatted(position))
                        .expect(200)
                        .html())
                .isEqualTo(payload);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "999999999999", "x", "99999999999999999999"})
    void an_unknown_position_is_not_found(String position) {
        Page page = client.open("/console/events/" + position);

        assertThat(page.status()).isIn(400, 404);
        assertThat(page.html()).contains("<h1");
    }

    @Test
    void a_position_beyond_the_head_is_not_found_and_the_head_is_named() {
        append(event("A", Api.newId("room")));

        Page page = client.open("/console/events/999999999");

        assertThat(page.status()).isEqualTo(404);
        assertThat(page.text()).containsPattern("no event 999999999 yet: the store's head is at position \\d+");
    }

    @Test
    void hostile_events_are_shown_escaped() {
        HostileValues values = new HostileValues(new SplittableRandom(3));
        String room = Api.newId("room");
        String script = "<script>alert('%s')</script><img src=x onerror=alert(1)>".formatted(room);
        List<Event> hostile = new ArrayList<>(List.of(
                Event.of(script, script, room, script, "\"><b>" + room),
                Event.of("${7919*7907}", "[[${7919*7907}]] __${7919*7907}__", room, "@{/x}", "'\"`;--"),
                Event.of("Long", "x".repeat(100_000), room, "y".repeat(255)),
                Event.of("Deep", "[".repeat(50_000), room)));
        while (hostile.size() < 40) {
            String text = values.text();
            if (text.indexOf('\0') < 0 && text.codePoints().noneMatch(EventPageTest::isSurrogate)) {
                hostile.add(Event.of(text, text, room, text));
            }
        }
        long first = append(hostile.toArray(Event[]::new));

        Page list = open("tag0=" + room);

        assertHarmless(list, room);
        assertThat(positions(list)).hasSize(40);
        assertThat(list.html()).contains(HtmlUtils.htmlEscape("<script>alert(").replace("&#39;", "'"));
        assertThat(list.html()).doesNotContain("x".repeat(1_000), "\u202E", "\u2028");
        for (int i = 0; i < hostile.size(); i++) {
            Page page = client.open("/console/events/" + (first + i)).expect(200);
            assertHarmless(page, room);
            assertThat(page.html()).doesNotContain("\u202E", "\u2066");
            for (String followed : links(page, "/console/events?")) {
                assertThat(positions(client.open(followed).expect(200)))
                        .as(followed)
                        .contains(first + i);
            }
        }
    }

    private static boolean isSurrogate(int point) {
        return Character.getType(point) == Character.SURROGATE;
    }

    private static void assertHarmless(Page page, String room) {
        assertThat(page.html())
                .doesNotContain("<script>alert", "<img src=x", "<b>" + room, "onerror=alert(1)>")
                .doesNotContain("62615533");
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
        String cause = client.open("/console/events/%d/cause".formatted(promoted))
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

        assertThat(client.open("/console/events/%d/cause".formatted(caused))
                        .expect(200)
                        .path())
                .isEqualTo("/console/events/" + first);
        Page notFound = client.open("/console/events/%d/cause".formatted(lost)).expect(200);
        assertThat(notFound.text()).contains("Cause not found", "<b>missing</b>");
        assertThat(notFound.html()).doesNotContain("<b>missing");
    }

    @Test
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

        assertThat(client.open("/console/events/%d/cause?at=%d".formatted(caused, from))
                        .expect(200)
                        .path())
                .isEqualTo("/console/events/" + first);
    }
}
