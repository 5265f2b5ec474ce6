package dev.registrar.console.explorer;

import dev.registrar.console.explorer.EventPages.EventPage;
import dev.registrar.console.explorer.EventPages.Range;
import dev.registrar.console.explorer.PastedCondition.UnreadableConditionException;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.http.admission.ReadsPayloads;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The condition lab: would an append on a condition be refused, and why? It only reads. */
@Controller
@RequestMapping(LabController.PATH)
final class LabController {
    static final String PATH = "/console/lab";

    private static final String VIEW = "console/explorer/lab";
    private static final int NAMES = 100;

    /** Maximum number of matches that are listed. */
    private static final int MATCHES = 100;

    /** The server refuses a request whose address and headers have more than 8 KiB. */
    private static final int LONGEST_LINK = 6_000;

    private final EventStore store;
    private final StoreNames names;
    private final EventPages pages;
    private final SearchTime time;

    LabController(EventStore store, StoreNames names, EventPages pages, SearchTime time) {
        this.store = store;
        this.names = names;
        this.pages = pages;
        this.time = time;
    }

    @ReadsPayloads
    @GetMapping
    String lab(@RequestParam MultiValueMap<String, String> sent, Model model, HttpServletResponse response) {
        QueryForm form = QueryForm.of(sent);
        String after = EventsRequest.text(sent, "after");
        addForm(form, after, model);
        if (sent.containsKey("after") && !QueryForm.isEdited(sent)) {
            decide(form, after, "on".equals(sent.getFirst("project")), model, response);
        }
        return VIEW;
    }

    @ReadsPayloads
    @PostMapping
    String paste(@RequestParam(defaultValue = "") String condition, Model model, HttpServletResponse response) {
        model.addAttribute("pasted", condition);
        try {
            PastedCondition pasted = PastedCondition.of(condition);
            String after = Long.toString(pasted.after());
            addForm(pasted.form(), after, model);
            decide(pasted.form(), after, false, model, response);
        } catch (UnreadableConditionException unreadable) {
            response.setStatus(HttpStatus.UNPROCESSABLE_CONTENT.value());
            addForm(new QueryForm(List.of()), "", model);
            model.addAttribute("pasteError", unreadable.getMessage());
        }
        return VIEW;
    }

    private void addForm(QueryForm form, String after, Model model) {
        model.addAttribute("form", form);
        model.addAttribute("after", after);
        model.addAttribute("types", names.types("", NAMES));
        model.addAttribute("tags", names.kindsOfTags(NAMES));
    }

    private void decide(QueryForm form, String after, boolean projects, Model model, HttpServletResponse response) {
        boolean isQueryRight = false;
        try {
            Query query = form.query(store.limits());
            isQueryRight = true;
            Position typed = Positions.in("After", after);
            Position ignored = typed == null ? Position.START : typed;
            EventPage<ItemMatch> found = pages.page(
                    query,
                    new Range(ignored, Position.of(Long.MAX_VALUE), Direction.FORWARDS),
                    MATCHES,
                    time.most(),
                    event -> ItemMatch.of(query, event));
            model.addAttribute("found", found);
            model.addAttribute("next", found.next().orElse(null));
            model.addAttribute("after", ignored.value());
            model.addAttribute(
                    "items", query.items().stream().map(ItemMatch::words).toList());
            model.addAttribute("remarks", remarks(query));
            model.addAttribute("hasLinks", form.address(PATH).length() <= LONGEST_LINK);
            model.addAttribute("projected", projects ? project(query, ignored) : null);
        } catch (RefusedInputException refused) {
            response.setStatus(HttpStatus.UNPROCESSABLE_CONTENT.value());
            model.addAttribute("error", refused.getMessage());
            model.addAttribute("wrongAfter", isQueryRight);
        }
    }

    private List<String> remarks(Query query) {
        List<String> remarks = new ArrayList<>();
        if (query.items().contains(QueryItem.any())) {
            remarks.add(
                    "Every event matches, because the condition has an item without a type and a tag. Fill in a type or a tag.");
        }
        remarks.addAll(MissingNames.of(query, names));
        return remarks;
    }

    private ProjectedEvents project(Query query, Position after) {
        List<ProjectedEvents.Seen> seen = new ArrayList<>();
        long started = System.nanoTime();
        Duration left = time.most();
        Position next = Position.of(Long.MAX_VALUE);
        while (next != null && seen.size() < ProjectedEvents.MOST && left.isPositive()) {
            EventPage<ProjectedEvents.Seen> page = pages.page(
                    query,
                    new Range(Position.START, next, Direction.BACKWARDS),
                    Math.min(EventPages.MOST, ProjectedEvents.MOST - seen.size()),
                    left,
                    ProjectedEvents.Seen::of);
            seen.addAll(page.events());
            next = page.next().orElse(null);
            left = time.left(started);
        }
        return ProjectedEvents.of(seen, after, next);
    }
}
