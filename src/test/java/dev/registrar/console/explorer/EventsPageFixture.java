package dev.registrar.console.explorer;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.web.util.HtmlUtils;

/** Appends events, and reads pages of the explorer. */
abstract class EventsPageFixture {
    private static final Pattern POSITION = Pattern.compile("<a href=\"/console/events/(\\d+)\">\\1</a>");

    final int port;
    final ConsoleClient client;
    final Api api;

    @Autowired
    EventStore store;

    EventsPageFixture(int port) {
        this.port = port;
        this.client = new ConsoleClient(port);
        this.api = new Api(port);
    }

    Page open(String query) {
        return client.open("/console/events?" + query).expect(200);
    }

    static List<Long> positions(Page page) {
        return POSITION.matcher(page.html())
                .results()
                .map(match -> Long.parseLong(match.group(1)))
                .distinct()
                .toList();
    }

    static List<String> links(Page page, String beginning) {
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

    static Event event(String type, String... tags) {
        return Event.of(type, "{}", tags);
    }

    static Event[] many(String tag, int count) {
        return IntStream.range(0, count).mapToObj(i -> event("Many", tag)).toArray(Event[]::new);
    }

    long append(Event... events) {
        return store.append(Append.of(List.of(events)).by(Actor.ofApplication("test")))
                        instanceof AppendResult.Appended appended
                ? appended.first().value()
                : 0;
    }
}
