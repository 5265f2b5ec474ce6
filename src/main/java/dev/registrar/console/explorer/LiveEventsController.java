package dev.registrar.console.explorer;

import dev.registrar.console.Visitor;
import dev.registrar.console.live.ConsoleStreams;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.subscription.LiveFeed;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ResponseStatusException;

/** The stream that reports new events to a list of events. */
@Controller
final class LiveEventsController {
    /** A page loads its list at most this often, however fast events are appended. */
    private static final Duration PAUSE = Duration.ofSeconds(1);
    /** A page that is further behind the head loads its list again, instead of events that are delivered to it. */
    private static final long MOST_EVENTS_BEHIND = 1_000;

    private final EventStore store;
    private final LiveFeed feed;
    private final ConsoleStreams streams;

    LiveEventsController(EventStore store, LiveFeed feed, ConsoleStreams streams) {
        this.store = store;
        this.feed = feed;
        this.streams = streams;
    }

    @GetMapping(EventsController.PATH + "/live")
    void live(
            @RequestParam MultiValueMap<String, String> sent,
            @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String lastEventId,
            Visitor visitor,
            HttpServletRequest request,
            HttpServletResponse response) {
        Query query = EventsRequest.of(sent)
                .parse(store.limits(), visitor.showsAuditors())
                .query();
        if (query == null) {
            throw new ResponseStatusException(HttpStatus.UNPROCESSABLE_CONTENT, "The query is wrong");
        }
        Position shown = Positions.parse(lastEventId == null ? EventsRequest.text(sent, "after") : lastEventId);
        Position head = store.head().position();
        // A position beyond the head belongs to a history that was replaced.
        boolean loadsAgain =
                shown != null && (shown.isAfter(head) || head.value() - shown.value() > MOST_EVENTS_BEHIND);
        Position after = shown == null || loadsAgain ? head : shown;
        streams.open(
                request,
                response,
                () -> new MatchedEvents(feed.listen(query, after), PAUSE, loadsAgain ? head.value() : null));
    }
}
