package dev.registrar.console.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.eventstore.Event;
import dev.registrar.http.ServiceTest;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.util.HtmlUtils;
import tools.jackson.databind.JsonNode;

/** The list of events, its query and its pages. */
@ServiceTest
class EventsPageTest extends EventsPageFixture {
    private static final Pattern CURL_BODY = Pattern.compile("-d '(.*)'$", Pattern.DOTALL);

    EventsPageTest(@LocalServerPort int port) {
        super(port);
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
    void bounds_and_order_choose_a_part_of_the_log() {
        String room = Api.newId("room");
        long first = append(many(room, 6));

        assertThat(positions(open("tag0=%s&from=%s&to=%s".formatted(room, first + 1, first + 3))))
                .containsExactly(first + 3, first + 2, first + 1);
        assertThat(positions(open("tag0=%s&from=%s&order=oldest".formatted(room, first + 4))))
                .containsExactly(first + 4, first + 5);
    }

    @Test
    void pages_follow_each_other() {
        String room = Api.newId("room");
        long first = append(many(room, 120));
        List<Long> found = new ArrayList<>();
        String next = "/console/events?tag0=" + room;
        while (next != null) {
            Page page = client.open(next).expect(200);
            found.addAll(positions(page));
            next = link(page, "Earlier events");
        }

        assertThat(found)
                .isEqualTo(
                        IntStream.range(0, 120).mapToObj(i -> first + 119 - i).toList());
    }

    @Test
    void filters_are_folded_unless_they_are_in_use_or_wrong() {
        assertThat(open("").html()).contains("<details class=\"card\">");
        for (String used : List.of("type0=Any", "from=1", "order=oldest", "add=item")) {
            assertThat(open(used).html()).as(used).contains("<details class=\"card\" open=\"open\">");
        }
        assertThat(client.open("/console/events?from=x").html()).contains("<details class=\"card\" open=\"open\">");
    }

    @Test
    void a_long_tag_is_shortened_with_the_whole_in_its_title_and_link() {
        String tag = Api.newId("email") + ":" + "0123456789abcdef".repeat(4);
        append(event("RoomBookedAgain", tag));

        Page page = open("tag0=" + tag);

        assertThat(page.text()).contains("…89abcdef").contains("RoomBookedAgain");
        assertThat(page.html())
                .contains("title=\"%s\"".formatted(tag), "Room<wbr>Booked<wbr>Again")
                .contains("href=\"/console/events?tag0=" + tag)
                .doesNotContain(">" + tag + "<");
    }

    @Test
    void a_wrong_form_keeps_what_was_typed() {
        for (String wrong :
                List.of("from=x", "to=-1", "from=9&to=3", "from=1000000000000000000", "tag0=%5Cud800", "type0=%00")) {
            Page page = client.open("/console/events?tag7=kept&" + wrong);

            assertThat(page.status()).isEqualTo(422);
            assertThat(page.text()).contains("Not searched.");
            assertThat(page.html()).contains("value=\"kept\"");
            assertThat(positions(page)).isEmpty();
        }
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
    void the_command_line_reads_what_the_page_shows() {
        String room = Api.newId("room");
        long first = append(many(room + "'s \"<room>\"\n", 4));

        for (String bounds : List.of(
                "", "&order=oldest", "&from=%s".formatted(first + 1), "&to=%s&order=oldest".formatted(first + 2))) {
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

    private static @Nullable String link(Page page, String text) {
        Matcher link =
                Pattern.compile("<a href=\"([^\"]*)\"[^>]*>" + text + "</a>").matcher(page.html());
        return link.find() ? HtmlUtils.htmlUnescape(link.group(1)) : null;
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
}
