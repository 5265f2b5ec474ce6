package dev.registrar.console.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.http.ServiceTest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.util.HtmlUtils;
import tools.jackson.databind.JsonNode;

@ServiceTest
class LabPageTest {
    private final ConsoleClient client;
    private final Api api;

    LabPageTest(@LocalServerPort int port) {
        this.client = new ConsoleClient(port);
        this.api = new Api(port);
    }

    @Test
    void a_refusal_names_the_first_event_and_the_item_through_which_it_matches() {
        String room = Api.newId("room");
        long first = append(
                "[{'type': 'RoomBooked', 'tags': ['%1$s', 'day:1'], 'data': {}}, {'type': 'RoomClosed', 'tags': ['%1$s'], 'data': {}}]",
                room);

        Page page = open("type0=RoomOpened&tag0=%1$s&type1=RoomBooked&tag1=%1$s&tag1=day:1&tag2=%1$s&after=%2$s"
                .formatted(room, first - 1));

        assertThat(page.text())
                .contains(
                        "Refused: 2 events after position %s match. The first is %s, RoomBooked, through item 2 (type RoomBooked with the tags %s, day:1)."
                                .formatted(first - 1, first, room),
                        "items 2 and 3",
                        "item 3",
                        "All matching events after the position.");
        assertThat(page.text()).containsPattern("Read to head \\d+ and decide again");
    }

    @Test
    void the_lab_and_the_store_give_the_same_reason() {
        String room = Api.newId("room");
        append("[{'type': 'A', 'tags': ['%1$s'], 'data': {}}, {'type': 'B', 'tags': ['%1$s', 'x'], 'data': {}}]", room);
        String condition =
                "{\"failIfEventsMatch\": {\"items\": [{\"types\": [\"B\"], \"tags\": [\"%1$s\"]}, {\"tags\": [\"x\", \"%1$s\"]}]}, \"after\": 0}"
                        .formatted(room);
        String append = "{\"events\": [{\"type\": \"C\", \"tags\": [\"%s\"], \"data\": {}}], \"condition\": %s}"
                .formatted(room, condition);

        JsonNode conflict = api.post("/dcb/append", append).expect(200).json().path("conflict");
        Page page = client.submit("/console/lab", "/console/lab", "condition", append)
                .expect(200);

        assertThat(conflict.path("type").asString()).isEqualTo("B");
        assertThat(page.text())
                .contains("It is %s, B, through item 1 (type B with the tag %s)."
                        .formatted(conflict.path("position").asLong(), room));
        assertThat(page.html()).contains("name=\"after\" inputmode=\"numeric\" value=\"0\"");
        assertThat(page.html()).contains("value=\"" + room + "\"");
    }

    @Test
    void after_the_head_nothing_is_refused() {
        String room = Api.newId("room");
        append("[{'type': 'A', 'tags': ['%s'], 'data': {}}]", room);
        Page refused = open("tag0=%s&after=0".formatted(room));
        Matcher next = Pattern.compile("href=\"([^\"]*)\">Read to head").matcher(refused.html());
        assertThat(next.find()).isTrue();

        Page decided = client.open(HtmlUtils.htmlUnescape(next.group(1))).expect(200);

        assertThat(decided.text()).contains("Not refused: no event after position");
    }

    @Test
    void a_position_beyond_the_head_is_explained() {
        Page page = open("type0=A&after=999999999999");

        assertThat(page.text()).contains("ignores all events", "A decision cannot have read position 999999999999 yet");
    }

    @Test
    void a_text_that_is_no_position_is_kept_and_its_field_is_wrong() {
        Page page = client.open("/console/lab?type0=A&after=x");
        Page longType = client.open("/console/lab?type0=%s&after=x".formatted("A".repeat(2_000)));

        assertThat(page.status()).isEqualTo(422);
        assertThat(page.text()).contains("Not decided. After must be a position");
        assertThat(page.html()).contains("value=\"x\"", "aria-describedby=\"error after-hint\" aria-invalid=\"true\"");
        assertThat(longType.text()).contains("Not decided.");
        assertThat(longType.html()).contains("aria-describedby=\"after-hint\"").doesNotContain("aria-invalid");
    }

    @Test
    void a_projection_counts_by_type_and_over_time() {
        String room = Api.newId("room");
        long first = append(
                "[{'type': 'Aa', 'tags': ['%1$s'], 'data': {}}, {'type': 'Bb', 'tags': ['%1$s'], 'data': {}}, {'type': 'Aa', 'tags': ['%1$s'], 'data': {}}]",
                room);

        Page page = open("tag0=%s&after=%s&project=on".formatted(room, first));

        assertThat(page.text())
                .contains(
                        "The query, projected",
                        "3 events , from position " + first,
                        "Aa 1 1 Event " + (first + 2),
                        "Bb 0 1 Event " + (first + 1),
                        "Matching events over time");
    }

    @Test
    void types_and_tags_that_no_event_has_are_named() {
        String room = Api.newId("room");
        append("[{'type': 'Aa', 'tags': ['%s'], 'data': {}}]", room);

        Page lab = open("type0=Aa&type0=Missing%1$s&tag0=%1$s&tag1=%1$s-missing&after=0".formatted(room));
        Page events = client.open("/console/events?type0=Missing%1$s&tag0=%1$s".formatted(room))
                .expect(200);

        assertThat(lab.text())
                .contains(
                        "Refused: 1 event",
                        "No stored event has the type Missing%s.".formatted(room),
                        "No stored event has the tag %s-missing.".formatted(room))
                .doesNotContain("has the type Aa.", "has the tag %s.".formatted(room));
        assertThat(events.text()).contains("No stored event has the type Missing%s.".formatted(room));
    }

    private Page open(String query) {
        return client.open("/console/lab?" + query).expect(200);
    }

    private long append(String events, String room) {
        return api.post(
                        "/dcb/append",
                        "{\"events\": %s}".formatted(events.formatted(room).replace('\'', '"')))
                .expect(200)
                .json()
                .at("/positions/0")
                .asLong();
    }
}
