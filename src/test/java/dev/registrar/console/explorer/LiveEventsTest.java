package dev.registrar.console.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.LiveClient;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.http.ServiceTest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.util.HtmlUtils;

/** Pages that follow their query. */
@ServiceTest
class LiveEventsTest extends EventsPageFixture {
    LiveEventsTest(@LocalServerPort int port) {
        super(port);
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

            await().untilAsserted(() -> assertThat(live.lines()).contains("event: changed", "data: " + last));
            assertThat(live.lines()).noneMatch(line -> line.contains("secret"));
        }
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
    @Tag("thorough")
    void a_page_of_another_history_or_far_behind_loads_its_list_once(String after) {
        String room = Api.newId("room");
        append(many(Api.newId("room"), 600));
        append(many(Api.newId("room"), 600));
        long head = store.head().position().value();

        try (LiveClient live = LiveClient.get(port, "/console/events/live?tag0=" + room + "&after=" + after)) {
            await().untilAsserted(() -> assertThat(live.lines()).contains("event: changed", "id: " + head));
            long last = append(event("After", room));

            await().untilAsserted(() -> assertThat(live.lines()).contains("id: " + last));
            assertThat(live.lines()).filteredOn("event: changed"::equals).hasSize(2);
        }
    }
}
