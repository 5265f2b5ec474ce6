package dev.registrar.console.explorer;

import dev.registrar.console.Visitor;
import dev.registrar.console.explorer.EventPages.EventPage;
import dev.registrar.console.explorer.EventPages.Range;
import dev.registrar.console.live.PageChanges;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.http.admission.ReadsPayloads;
import dev.registrar.security.AccessMode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
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
    private final StoreNames names;
    private final EventPages pages;
    private final ExplorerReads reads;
    private final PageChanges changes;
    private final AccessMode mode;

    EventsController(
            EventStore store,
            StoreNames names,
            EventPages pages,
            ExplorerReads reads,
            PageChanges changes,
            AccessMode mode) {
        this.store = store;
        this.names = names;
        this.pages = pages;
        this.reads = reads;
        this.changes = changes;
        this.mode = mode;
    }

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
        model.addAttribute("asked", asked);
        model.addAttribute("showsTags", showsTags);
        model.addAttribute("types", names.types("", FIRST_NAMES));
        model.addAttribute("tags", showsTags ? names.kindsOfTags(FIRST_NAMES) : List.of());
        model.addAttribute("filters", asked.isFiltered() || QueryForm.isEdited(sent));
        boolean isQueryRight = false;
        try {
            Query query = asked.query(store.limits(), showsTags);
            isQueryRight = true;
            Range range = asked.range();
            model.addAttribute("missing", MissingNames.of(query, names));
            addResults(asked, query, range, showsTags, model, request);
        } catch (RefusedInputException refused) {
            response.setStatus(HttpStatus.UNPROCESSABLE_CONTENT.value());
            model.addAttribute("filters", true);
            model.addAttribute("error", refused.getMessage());
            model.addAttribute("wrongBounds", isQueryRight);
        }
        return "console/explorer/events";
    }

    private void addResults(
            EventsRequest asked, Query query, Range range, boolean showsTags, Model model, HttpServletRequest request) {
        EventPage<EventLine> page =
                pages.page(query, range, EVENTS, SEARCH_TIME, showsTags ? EventLine::withContent : EventLine::redacted);
        Snippets snippets = asked.snippets(query, page.events().size(), EVENTS, page.outOfTime());
        Position next = page.next().orElse(null);
        model.addAttribute("page", page);
        model.addAttribute("next", next == null ? null : asked.pageAt(next));
        if (next != null && page.outOfTime()) {
            model.addAttribute("searchedTo", asked.oldestFirst() ? next.value() - 1 : next.value() + 1);
        }
        model.addAttribute("mode", mode);
        model.addAttribute(
                "curl",
                snippets.curl(
                        ServletUriComponentsBuilder.fromContextPath(request).toUriString(), mode));
        model.addAttribute("java", snippets.java());
    }

    /** Tells a page that new events match its query. */
    @GetMapping("/live")
    void live(
            @RequestParam MultiValueMap<String, String> sent,
            Visitor visitor,
            HttpServletRequest request,
            HttpServletResponse response) {
        Query query = EventsRequest.of(sent).query(store.limits(), visitor.showsAuditors());
        changes.follow(query, reads::isUpTo, request, response);
    }

    @GetMapping("/types")
    String types(@RequestParam MultiValueMap<String, String> sent, Model model) {
        return names(sent, model, beginning -> names.types(beginning, NAMES).stream());
    }

    @ReadsPayloads
    @GetMapping("/tags")
    String tags(@RequestParam MultiValueMap<String, String> sent, Model model) {
        return names(
                sent,
                model,
                beginning -> Stream.concat(
                        names.kindsOfTags(FIRST_NAMES).stream()
                                .filter(kind -> kind.startsWith(beginning) && !kind.equals(beginning))
                                .limit(NAMES),
                        names.tags(beginning, NAMES).stream()));
    }

    /* The one parameter is the field that a person types in, whatever its name is. */
    private static String names(
            MultiValueMap<String, String> sent, Model model, Function<String, Stream<String>> beginningWith) {
        String beginning = sent.values().stream()
                .flatMap(List::stream)
                .filter(text -> !text.isEmpty())
                .findFirst()
                .map(FieldText::value)
                .orElse("");
        try {
            model.addAttribute(
                    "names", beginningWith.apply(beginning).distinct().sorted().toList());
        } catch (RefusedInputException noNameBeginsSo) {
            model.addAttribute("names", List.of());
        }
        return "console/explorer/names :: options";
    }
}
