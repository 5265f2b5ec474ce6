package dev.registrar.console.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.eventstore.Event;
import dev.registrar.http.ServiceTest;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.web.util.HtmlUtils;

/** Searches whose time is over after the first part that they read. */
@ServiceTest
@DirtiesContext
@Import(SearchTimeTest.ShortTime.class)
@Tag("thorough")
class SearchTimeTest extends EventsPageFixture {
    /** What the explorer reads at once when it looks for tags that are rarely together. */
    private static final int FIRST_WINDOW = 16_384;

    private static final int EVENTS_OF_APPEND = 1_000;

    /** What the search for a cause reads at once. */
    private static final int EVENTS_OF_PAGE = 500;

    SearchTimeTest(@LocalServerPort int port) {
        super(port);
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class ShortTime {
        @Bean
        @Primary
        SearchTime shortTime() {
            return new SearchTime(Duration.ofNanos(1));
        }
    }

    @Test
    void a_search_for_a_cause_says_how_far_it_has_come_and_goes_on_from_there() {
        String room = Api.newId("room");
        Event cause = event("Cause", room);
        long first = append(cause);
        append(many(room, EVENTS_OF_PAGE));
        long caused = append(event("Effect", room).withMetadata("{\"causationId\": \"%s\"}".formatted(cause.id())));

        Page unfinished = client.open("/console/events/%s/cause".formatted(caused));

        assertThat(unfinished.expect(200).text())
                .contains(
                        "Cause not found",
                        "the search is bounded",
                        "down to position %s .".formatted(caused - EVENTS_OF_PAGE));
        assertThat(follow(unfinished, "Search further back").path()).isEqualTo("/console/events/" + first);
    }

    @Test
    void the_lab_says_how_far_it_has_searched_and_goes_on_from_there() {
        String seldom = Api.newId("room");
        String often = Api.newId("room");
        append(event("Booked", seldom, often));
        for (int i = 0; i <= FIRST_WINDOW / EVENTS_OF_APPEND; i++) {
            append(many(often, EVENTS_OF_APPEND));
        }
        long last = append(event("Closed", seldom, often));
        long after = last - 1 - FIRST_WINDOW;

        Page unfinished =
                client.open("/console/lab?tag0=%s&tag0=%s&after=%s&project=on".formatted(seldom, often, after - 1));

        assertThat(unfinished.expect(200).text())
                .contains(
                        "Not decided: no event after position %s and before position %s matches, and then the time of the search was over."
                                .formatted(after - 1, last - 1),
                        "The store itself searches to the head, which is at position %s.".formatted(last),
                        "The time of the search was over. Events before position %s are not counted."
                                .formatted(last - FIRST_WINDOW + 1),
                        "1 event , from position " + last);
        assertThat(follow(unfinished, "Search on from there").text())
                .contains("Refused: 1 event after position %s matches. It is %s, Closed".formatted(last - 2, last));
    }

    private Page follow(Page page, String text) {
        Matcher link = Pattern.compile("href=\"([^\"]*)\"[^>]*>" + text).matcher(page.html());
        assertThat(link.find()).as(text).isTrue();
        return client.open(HtmlUtils.htmlUnescape(link.group(1))).expect(200);
    }
}
