package dev.registrar.console.explorer;

import dev.registrar.console.Visitor;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.postgres.read.EventPage;
import dev.registrar.eventstore.postgres.read.StoreExplorer;
import dev.registrar.http.admission.ReadsPayloads;
import dev.registrar.security.AccessMode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** The list of events that match a query. */
@Controller
@RequestMapping(EventsController.PATH)
final class EventsController {
    static final String PATH = "/console/events";
    static final int EVENTS = 50;

    /** After this time, a search for tags that are rarely together ends, and the page offers to search on. */
    private static final Duration SEARCH_TIME = Duration.ofMillis(60);

    private static final int NAMES = 20;
    private static final int FIRST_NAMES = 100;

    private final EventStore store;
    private final StoreExplorer explorer;
    private final AccessMode mode;

    EventsController(EventStore store, StoreExplorer explorer, AccessMode mode) {
        this.store = store;
        this.explorer = explorer;
        this.mode = mode;
    }

    /**
     * What the page shows.
     *
     * @param error a sentence about the form; null if it is right, and then there are results
     */
    record EventsPage(
            EventsRequest asked,
            boolean showsTags,
            List<String> types,
            List<String> tags,
            @Nullable String error,
            @Nullable Results results) {}

    /**
     * The events of a page.
     *
     * @param next the address of the next page; null on the last
     * @param searchedTo the position up to which events were searched before the time was over; null if all were
     */
    record Results(
            List<EventLine> events,
            long head,
            @Nullable String next,
            @Nullable Long searchedTo,
            String curl,
            String java) {}

    @ReadsPayloads
    @GetMapping
    String events(
            @RequestParam MultiValueMap<String, String> sent,
            Visitor visitor,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response) {
        EventsRequest asked = EventsRequest.of(sent);
        boolean showsTags = visitor.showsAuditors();
        QueryForm.Parsed parsed = asked.parse(store.limits(), showsTags);
        Query query = parsed.query();
        if (query == null) {
            response.setStatus(HttpStatus.UNPROCESSABLE_CONTENT.value());
        }
        model.addAttribute(
                "wrongBounds", parsed.error() != null && parsed.error().equals(asked.wrongBounds()));
        model.addAttribute("filters", query == null || asked.isFiltered() || QueryForm.isEdited(sent));
        model.addAttribute("mode", mode);
        model.addAttribute("missing", query == null ? List.of() : MissingNames.of(query, explorer));
        model.addAttribute(
                "events",
                new EventsPage(
                        asked,
                        showsTags,
                        explorer.types("", FIRST_NAMES).stream()
                                .map(FieldText::of)
                                .toList(),
                        showsTags
                                ? explorer.kindsOfTags(FIRST_NAMES).stream()
                                        .map(FieldText::of)
                                        .toList()
                                : List.of(),
                        parsed.error(),
                        query == null ? null : results(asked, query, visitor, request)));
        return "console/explorer/events";
    }

    private Results results(EventsRequest asked, Query query, Visitor visitor, HttpServletRequest request) {
        Function<SequencedEvent, EventLine> line =
                visitor.showsAuditors() ? EventLine::withContent : EventLine::redacted;
        EventPage<EventLine> page = explorer.page(query, asked.range(), EVENTS, SEARCH_TIME, line);
        Snippets snippets = asked.snippets(query, page.events().size(), EVENTS, page.outOfTime());
        String base = ServletUriComponentsBuilder.fromContextPath(request).toUriString();
        Position next = page.next().orElse(null);
        return new Results(
                page.events(),
                page.head().position().value(),
                next == null ? null : asked.pageAt(next),
                page.outOfTime() && next != null ? searchedTo(asked, next) : null,
                snippets.curl(base, mode),
                snippets.java());
    }

    private static long searchedTo(EventsRequest asked, Position next) {
        return asked.oldestFirst() ? next.value() - 1 : next.value() + 1;
    }

    @GetMapping("/types")
    String types(@RequestParam MultiValueMap<String, String> sent, Model model) {
        return names(sent, model, beginning -> Set.copyOf(explorer.types(beginning, NAMES)));
    }

    @ReadsPayloads
    @GetMapping("/tags")
    String tags(@RequestParam MultiValueMap<String, String> sent, Model model) {
        return names(sent, model, beginning -> {
            Set<String> names = new LinkedHashSet<>();
            explorer.kindsOfTags(FIRST_NAMES).stream()
                    .filter(kind -> kind.startsWith(beginning) && !kind.equals(beginning))
                    .limit(NAMES)
                    .forEach(names::add);
            names.addAll(explorer.tags(beginning, NAMES));
            return names;
        });
    }

    /* The one parameter is the field that a person types in, whatever its name is. */
    private static String names(
            MultiValueMap<String, String> sent, Model model, Function<String, Set<String>> beginningWith) {
        String beginning = sent.values().stream()
                .flatMap(List::stream)
                .filter(text -> !text.isEmpty())
                .findFirst()
                .map(FieldText::value)
                .orElse("");
        UnaryOperator<String> field = FieldText::of;
        model.addAttribute(
                "names",
                namesOrNone(beginning, beginningWith).stream()
                        .map(field)
                        .sorted()
                        .toList());
        return "console/explorer/names :: options";
    }

    private static Set<String> namesOrNone(String beginning, Function<String, Set<String>> beginningWith) {
        try {
            return beginningWith.apply(beginning);
        } catch (RefusedInputException noNameBeginsSo) {
            return Set.of();
        }
    }
}
