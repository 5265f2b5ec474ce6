package dev.registrar.console.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.LiveClient;
import dev.registrar.console.ConsoleClient;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.http.HostileValues;
import dev.registrar.http.ServiceTest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.util.HtmlUtils;
import tools.jackson.databind.JsonNode;

@ServiceTest
class EventsPageTest {
    private static final Pattern POSITION = Pattern.compile("<a href=\"/console/events/(\\d+)\">\\1</a>");
    private static final Pattern CURL_BODY = Pattern.compile("-d '(.*)'$", Pattern.DOTALL);

    private final int port;
    private final ConsoleClient client;
    private final Api api;

    @Autowired
    private EventStore store;

    EventsPageTest(@LocalServerPort int port) {
        this.port = port;
        this.client = new ConsoleClient(port);
        this.api = new Api(port);
    }

    @Test
    void events_are_found_by_type_and_tags_the_newest_first() {
        String room = Api.newId("room");
        long first = append(
                event("RoomBooked", room, "day:1"),
                event("RoomClosed", room, "day:1"),
                event("RoomBooked", room, "day:2"),
                event("RoomBooked", room, "day:1"));

        Page page = open("type0=RoomBooked&tag0=" + room + "&tag0=day:1");

        assertThat(positions(page)).containsExactly(first + 3, first);
        assertThat(page.text()).contains("2 events on this page, newest first", "RoomBooked", room, "day:1");
    }

    @Test
    void several_items_are_alternatives() {
        String room = Api.newId("room");
        long first = append(event("A", room, "x"), event("B", room), event("C", room), event("D", room, "x"));

        Page page = open("type0=B&tag0=%1$s&tag1=x&tag1=%1$s&order=oldest".formatted(room));

        assertThat(positions(page)).containsExactly(first, first + 1, first + 3);
        assertThat(page.text()).contains("Item 1: events with", "Item 2: or events with", "Remove item 2");
    }

    @Test
    void rows_for_items_come_and_go_without_scripts() {
        assertThat(open("type0=A&add=item").html()).contains("name=\"type1\"").doesNotContain("name=\"type2\"");
        Page removed = open("type0=AlphaType&type1=BetaType&remove=0");
        assertThat(removed.html()).contains("value=\"BetaType\"").doesNotContain("name=\"type1\"");
    }

    @Test
    void bounds_and_order_choose_a_part_of_the_log() {
        String room = Api.newId("room");
        long first = append(many(room, 6));

        assertThat(positions(open("tag0=%s&from=%d&to=%d".formatted(room, first + 1, first + 3))))
                .containsExactly(first + 3, first + 2, first + 1);
        assertThat(positions(open("tag0=%s&from=%d&order=oldest".formatted(room, first + 4))))
                .containsExactly(first + 4, first + 5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"newest", "oldest"})
    void pages_follow_each_other(String order) {
        String room = Api.newId("room");
        long first = append(many(room, 120));
        List<Long> expected = IntStream.range(0, 120).mapToObj(i -> first + i).toList();

        List<Long> found = new ArrayList<>();
        String next = "/console/events?tag0=%s&order=%s".formatted(room, order);
        int pages = 0;
        while (next != null) {
            Page page = client.open(next).expect(200);
            found.addAll(positions(page));
            next = link(page, order.equals("newest") ? "Earlier events" : "Later events");
            pages++;
        }

        assertThat(pages).isEqualTo(3);
        assertThat(found).isEqualTo(order.equals("oldest") ? expected : expected.reversed());
    }

    @ParameterizedTest
    @ValueSource(strings = {"from=x", "to=-1", "from=9&to=3", "from=1000000000000000000", "tag0=%5Cud800", "type0=%00"})
    void a_wrong_form_keeps_what_was_typed(String wrong) {
        Page page = client.open("/console/events?tag7=kept&" + wrong);

        assertThat(page.status()).isEqualTo(422);
        assertThat(page.text()).contains("Not searched.");
        assertThat(page.html()).contains("value=\"kept\"");
        assertThat(positions(page)).isEmpty();
    }

    @Test
    void a_query_without_events_says_what_to_do() {
        Page page = open("tag0=" + Api.newId("unknown"));

        assertThat(page.text()).contains("No event matches.", "Remove a tag or a type", "Show all events");
    }

    @Test
    void names_are_completed() {
        String kind = Api.newId("kind");
        append(event(kind + "Type", kind + ":b", kind + ":a"), event("Any", kind + ":c"));

        assertThat(options("types?type0=" + kind)).containsExactly(kind + "Type");
        assertThat(options("tags?tag3=" + kind + ":")).containsExactly(kind + ":a", kind + ":b", kind + ":c");
        assertThat(options("tags?tag0=" + kind)).contains(kind + ":");
        assertThat(options("tags?tag0=%5Cud800")).isEmpty();
        assertThat(options("tags?tag0=" + "x".repeat(300))).isEmpty();
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
            if (text.indexOf('\0') < 0 && text.codePoints().noneMatch(EventsPageTest::isSurrogate)) {
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
    void the_command_line_reads_what_the_page_shows() {
        String room = Api.newId("room");
        long first = append(many(room + "'s \"<room>\"\n", 4));

        for (String bounds : List.of(
                "", "&order=oldest", "&from=%d".formatted(first + 1), "&to=%d&order=oldest".formatted(first + 2))) {
            Page page = open("tag0=" + room + "'s+%22%3Croom%3E%22%5Cn" + bounds);
            Matcher body = CURL_BODY.matcher(text(page, "as-curl"));
            assertThat(body.find()).isTrue();
            List<Long> read = new ArrayList<>();
            JsonNode events = api.post("/dcb/read", body.group(1).replace("'\\''", "'"))
                    .expect(200)
                    .json();
            events.forEach(event -> read.add(event.path("position").asLong()));

            assertThat(read).isEqualTo(positions(page)).isNotEmpty();
        }
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
    void a_page_that_follows_its_query_learns_of_new_events() {
        String room = Api.newId("room");
        append(event("Before", room));
        Page page = open("tag0=" + room + "&live=on");
        assertThat(page.text()).contains("Following new events", "Stop following");
        Matcher stream = Pattern.compile("sse-connect=\"([^\"]*)\"").matcher(page.html());
        assertThat(stream.find()).isTrue();

        try (LiveClient live = LiveClient.get(port, HtmlUtils.htmlUnescape(stream.group(1)))) {
            append(event("Other", Api.newId("room")));
            long last = append(event("After", room, "secret:tag"));

            await().untilAsserted(() -> assertThat(live.lines()).contains("event: matched", "data: " + last));
            assertThat(live.lines()).noneMatch(line -> line.contains("secret"));
        }
    }

    @Test
    void a_position_beyond_the_head_is_not_found_and_the_head_is_named() {
        append(event("A", Api.newId("room")));

        Page page = client.open("/console/events/999999999");

        assertThat(page.status()).isEqualTo(404);
        assertThat(page.text()).containsPattern("no event 999999999 yet: the store's head is at position \\d+");
    }

    @Test
    void a_page_that_connects_again_learns_only_of_later_events() {
        String room = Api.newId("room");
        long seen = append(event("Before", room));
        String address = "/console/events/live?tag0=" + room + "&after=" + (seen - 1);
        try (LiveClient live = LiveClient.get(port, address)) {
            await().untilAsserted(() -> assertThat(live.lines()).contains("id: " + seen, "data: " + seen));
        }

        try (LiveClient again = LiveClient.get(port, address, "Last-Event-ID", Long.toString(seen))) {
            long last = append(event("After", room));

            await().untilAsserted(() -> assertThat(again.lines()).contains("id: " + last));
            assertThat(again.lines()).doesNotContain("id: " + seen);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"999999999999999", "0"})
    void a_page_of_another_history_or_far_behind_loads_its_list_once(String after) {
        String room = Api.newId("room");
        append(many(Api.newId("room"), 600));
        append(many(Api.newId("room"), 600));
        long head = store.head().position().value();

        try (LiveClient live = LiveClient.get(port, "/console/events/live?tag0=" + room + "&after=" + after)) {
            await().untilAsserted(() -> assertThat(live.lines()).contains("event: matched", "id: " + head));
            long last = append(event("After", room));

            await().untilAsserted(() -> assertThat(live.lines()).contains("id: " + last));
            assertThat(live.lines()).filteredOn("event: matched"::equals).hasSize(2);
        }
    }

    @Test
    void an_operator_sees_positions_types_and_times_only() {
        String room = Api.newId("room");
        long position = append(Event.of(room + "Type", "{\"secret\": \"payload\"}", room));
        client.submit("/", "/console/role", "role", "operator").expect(200);

        Page list = open("type0=" + room + "Type");
        Page event = client.open("/console/events/" + position).expect(200);
        Page withTag = client.open("/console/events?tag0=" + room);

        assertThat(positions(list)).containsExactly(position);
        assertThat(list.html())
                .doesNotContain(
                        "secret", "\"" + room + "\"", ">" + room + "<", "tag0=" + room, "name=\"tag0\"", "tag-names");
        assertThat(event.text()).contains(room + "Type", "shown to auditors only");
        assertThat(event.html()).doesNotContain("secret", ">" + room + "<", "tag0=" + room);
        assertThat(withTag.status()).isEqualTo(422);
        assertThat(withTag.text()).contains("Tags are shown to auditors only");
        assertThat(withTag.text()).contains("The next search is without them");
        assertThat(withTag.html()).doesNotContain("\"" + room + "\"", ">" + room + "<", "tag0=" + room);
        assertThat(positions(withTag)).isEmpty();
        assertThat(client.open("/console/events/live?tag0=" + room).status()).isEqualTo(422);
    }

    private Page open(String query) {
        return client.open("/console/events?" + query).expect(200);
    }

    private static List<Long> positions(Page page) {
        return POSITION.matcher(page.html())
                .results()
                .map(match -> Long.parseLong(match.group(1)))
                .distinct()
                .toList();
    }

    private static @Nullable String link(Page page, String text) {
        Matcher link =
                Pattern.compile("<a href=\"([^\"]*)\"[^>]*>" + text + "</a>").matcher(page.html());
        return link.find() ? HtmlUtils.htmlUnescape(link.group(1)) : null;
    }

    private static List<String> links(Page page, String beginning) {
        Set<String> links = new LinkedHashSet<>();
        Matcher link = Pattern.compile("href=\"([^\"]*)\"").matcher(page.html());
        while (link.find()) {
            String href = HtmlUtils.htmlUnescape(link.group(1));
            if (href.startsWith(beginning)
                    && (href.contains("tag0=") || href.contains("type0=") || href.contains("id="))) {
                links.add(href);
            }
        }
        return List.copyOf(links);
    }

    private static String text(Page page, String id) {
        Matcher element =
                Pattern.compile("id=\"%s\"[^>]*>([^<]*)<".formatted(id)).matcher(page.html());
        assertThat(element.find()).isTrue();
        return HtmlUtils.htmlUnescape(element.group(1));
    }

    private List<String> options(String path) {
        Page page = client.open("/console/events/" + path).expect(200);
        return Pattern.compile("value=\"([^\"]*)\"")
                .matcher(page.html())
                .results()
                .map(match -> HtmlUtils.htmlUnescape(match.group(1)))
                .toList();
    }

    private static Event event(String type, String... tags) {
        return Event.of(type, "{}", tags);
    }

    private static Event[] many(String tag, int count) {
        return IntStream.range(0, count).mapToObj(i -> event("Many", tag)).toArray(Event[]::new);
    }

    private long append(Event... events) {
        return store.append(Append.of(List.of(events)).by(Actor.ofApplication("test")))
                        instanceof AppendResult.Appended appended
                ? appended.first().value()
                : 0;
    }
}
