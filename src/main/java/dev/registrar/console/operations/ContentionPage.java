package dev.registrar.console.operations;

import dev.registrar.console.Visitor;
import dev.registrar.decision.ContentionRecorder;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.ItemContention;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.util.UriComponentsBuilder;

/** The query items for whose events the decisions of this instance compete. Tags are data, and for auditors only. */
@Controller
final class ContentionPage {
    private static final List<String> REDACTED = List.of("…");
    /* A shortened text ends with an ellipsis, and the fields of the explorer have escapes for other characters. */
    private static final Pattern PLAIN = Pattern.compile("[\\w:.@~-]+");

    private static final int SLICES = Math.toIntExact(ContentionRecorder.WINDOW.dividedBy(ContentionRecorder.SLICE));

    private final DecisionLoop<EnrollmentEvent> loop;

    ContentionPage(DecisionLoop<EnrollmentEvent> loop) {
        this.loop = loop;
    }

    /**
     * A query item as the page shows it.
     *
     * @param tags empty for any tags; redacted unless the visitor is an auditor
     * @param events the address of the page with the events that match; null if the visitor may not see their tags, or
     *     if the item is not known exactly
     */
    record ShownItem(
            ItemContention contention,
            List<String> tags,
            @Nullable String events,
            Chart chart) {

        static ShownItem of(ItemContention contention, boolean isAuditor) {
            List<String> tags =
                    contention.item().tags().stream().map(Tag::value).toList();
            return new ShownItem(
                    contention,
                    isAuditor || tags.isEmpty() ? tags : REDACTED,
                    isAuditor ? addressOf(contention.item()) : null,
                    chart(contention));
        }

        private static Chart chart(ItemContention contention) {
            List<Double> conflicts = contention.conflictsOverTime().stream()
                    .map(Long::doubleValue)
                    .toList();
            double most =
                    conflicts.stream().mapToDouble(Double::doubleValue).max().orElse(0);
            return Chart.of(
                    conflicts,
                    SLICES,
                    "%s over the last 5 minutes, at most %s in %s s"
                            .formatted(
                                    Numbers.count(contention.conflicts(), "conflict"),
                                    (long) most,
                                    ContentionRecorder.SLICE.toSeconds()));
        }
    }

    static @Nullable String addressOf(QueryItem item) {
        List<String> tags = item.tags().stream().map(Tag::value).toList();
        if (!Stream.concat(item.types().stream(), tags.stream())
                .allMatch(text -> PLAIN.matcher(text).matches())) {
            return null;
        }
        return UriComponentsBuilder.fromPath("/console/events")
                .queryParamIfPresent("type0", Optional.of(item.types()).filter(types -> !types.isEmpty()))
                .queryParamIfPresent("tag0", Optional.of(tags).filter(all -> !all.isEmpty()))
                .encode()
                .toUriString();
    }

    @GetMapping("/console/contention")
    String show(Visitor visitor, Model model) {
        model.addAttribute(
                "items",
                loop.contention().stream()
                        .map(contention -> ShownItem.of(contention, visitor.showsAuditors()))
                        .toList());
        model.addAttribute("mostItems", ContentionRecorder.MOST_ITEMS);
        model.addAttribute("latestConflicts", ContentionRecorder.LATEST_CONFLICTS);
        return "console/operations/contention";
    }
}
