package dev.registrar.console.explorer;

import dev.registrar.console.explorer.PastedCondition.UnreadableConditionException;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.postgres.read.EventPage;
import dev.registrar.eventstore.postgres.read.StoreExplorer;
import dev.registrar.eventstore.postgres.read.StoreExplorer.Range;
import dev.registrar.http.admission.ReadsPayloads;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
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

    /** The server refuses a request whose address and headers have more than 8 KiB. */
    private static final int LONGEST_LINK = 6_000;

    private final EventStore store;
    private final StoreExplorer explorer;
    private final SearchTime time;

    LabController(EventStore store, StoreExplorer explorer, SearchTime time) {
        this.store = store;
        this.explorer = explorer;
        this.time = time;
    }

    /**
     * What the page shows.
     *
     * @param after as it was typed
     * @param items the items of the query in words, in their order; empty without a query
     * @param pasted the text that was pasted; empty if none was
     * @param pasteError a sentence about that text; null if it is right
     * @param error a sentence about the form; null if it is right
     * @param verdict null if no condition was written yet
     * @param projected null unless it was asked for
     * @param links null without a verdict, and if they would be too long for a request
     */
    record LabPage(
            QueryForm form,
            String after,
            List<String> items,
            String pasted,
            @Nullable String pasteError,
            @Nullable String error,
            @Nullable Verdict verdict,
            @Nullable ProjectedEvents projected,
            @Nullable Links links) {}

    /**
     * The next steps.
     *
     * @param atHead the same query after the head
     * @param projection the same condition with its projection
     * @param events the matching events in the explorer
     * @param searchOn where an unfinished search continues; null if it is finished
     */
    record Links(
            String atHead,
            String projection,
            String events,
            @Nullable String searchOn) {}

    @ReadsPayloads
    @GetMapping
    String lab(@RequestParam MultiValueMap<String, String> sent, Model model, HttpServletResponse response) {
        QueryForm form = QueryForm.of(sent);
        boolean written = sent.containsKey("after");
        boolean edits = QueryForm.isEdited(sent);
        boolean projects = "on".equals(sent.getFirst("project"));
        String after = EventsRequest.text(sent, "after");
        return written && !edits
                ? decide(form, after, projects, "", model, response)
                : show(new LabPage(form, after, List.of(), "", null, null, null, null, null), model);
    }

    @ReadsPayloads
    @PostMapping
    String paste(@RequestParam(defaultValue = "") String condition, Model model, HttpServletResponse response) {
        try {
            PastedCondition pasted = PastedCondition.of(condition);
            return decide(pasted.form(), Long.toString(pasted.after()), false, condition, model, response);
        } catch (UnreadableConditionException unreadable) {
            response.setStatus(HttpStatus.UNPROCESSABLE_CONTENT.value());
            return show(
                    new LabPage(
                            new QueryForm(List.of()),
                            "",
                            List.of(),
                            condition,
                            unreadable.getMessage(),
                            null,
                            null,
                            null,
                            null),
                    model);
        }
    }

    private String decide(
            QueryForm form, String after, boolean projects, String pasted, Model model, HttpServletResponse response) {
        QueryForm.Parsed parsed = form.parse(store.limits());
        Position ignored = after.isEmpty() ? Position.START : Positions.parse(after);
        Query query = parsed.query();
        if (query == null || ignored == null) {
            response.setStatus(HttpStatus.UNPROCESSABLE_CONTENT.value());
            String error = parsed.error() == null ? Positions.wrong("After") : parsed.error();
            return show(new LabPage(form, after, List.of(), pasted, null, error, null, null, null), model);
        }
        EventPage<ItemMatch> found = explorer.page(
                query,
                new Range(ignored, Position.of(Long.MAX_VALUE), Direction.FORWARDS),
                Verdict.MOST,
                time.most(),
                event -> ItemMatch.of(query, event));
        Verdict verdict = Verdict.of(ignored, found);
        model.addAttribute("remarks", remarks(query));
        return show(
                new LabPage(
                        form,
                        ignored.toString(),
                        query.items().stream().map(ItemMatch::words).toList(),
                        pasted,
                        null,
                        null,
                        verdict,
                        projects ? project(query, ignored) : null,
                        links(form, ignored, verdict)),
                model);
    }

    private List<String> remarks(Query query) {
        List<String> remarks = new ArrayList<>();
        if (query.items().contains(QueryItem.any())) {
            remarks.add(
                    "Every event matches, because the condition has an item without a type and a tag. Fill in a type or a tag.");
        }
        remarks.addAll(MissingNames.of(query, explorer));
        return remarks;
    }

    private ProjectedEvents project(Query query, Position after) {
        List<ProjectedEvents.Seen> seen = new ArrayList<>();
        long started = System.nanoTime();
        Duration left = time.most();
        Position next = Position.of(Long.MAX_VALUE);
        while (next != null && seen.size() < ProjectedEvents.MOST && left.isPositive()) {
            EventPage<ProjectedEvents.Seen> page = explorer.page(
                    query,
                    new Range(Position.START, next, Direction.BACKWARDS),
                    Math.min(StoreExplorer.MOST_EVENTS, ProjectedEvents.MOST - seen.size()),
                    left,
                    ProjectedEvents.Seen::of);
            seen.addAll(page.events());
            next = page.next().orElse(null);
            left = time.left(started);
        }
        return ProjectedEvents.of(seen, after, next);
    }

    private static @Nullable Links links(QueryForm form, Position after, Verdict verdict) {
        Long searchOn = verdict.searchOn();
        if (at(form, after).toString().length() > LONGEST_LINK) {
            return null;
        }
        return new Links(
                at(form, verdict.head().position()).toString(),
                at(form, after).with("project", "on").toString(),
                form.in(new Address(EventsController.PATH)).toString(),
                searchOn == null ? null : at(form, Position.of(searchOn - 1)).toString());
    }

    private static Address at(QueryForm form, Position after) {
        return form.in(new Address(PATH)).with("after", after.toString());
    }

    private String show(LabPage page, Model model) {
        model.addAttribute("lab", page);
        model.addAttribute(
                "types", explorer.types("", NAMES).stream().map(FieldText::of).toList());
        model.addAttribute(
                "tags", explorer.kindsOfTags(NAMES).stream().map(FieldText::of).toList());
        return VIEW;
    }
}
