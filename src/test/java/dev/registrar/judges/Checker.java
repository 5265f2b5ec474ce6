package dev.registrar.judges;

import dev.registrar.judges.History.Appending;
import dev.registrar.judges.History.Call;
import dev.registrar.judges.History.Condition;
import dev.registrar.judges.History.NewEvent;
import dev.registrar.judges.History.Outcome;
import dev.registrar.judges.History.Part;
import dev.registrar.judges.History.Stored;
import dev.registrar.judges.Timeline.Effect;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Judges a history in O(n log n). The positions of the log are the order in which appends took effect, so that nothing
 * has to be searched:
 *
 * <ol type="a">
 *   <li>no append was stored although an event matched between its condition's position and its own;
 *   <li>each refusal has a witness that can have been there when it returned;
 *   <li>the order of positions is the order of time: what had returned before a call was invoked has a lower position,
 *       and a read sees it;
 *   <li>a read has each match up to the head that it saw, so that no event appears later below a position that a reader
 *       has passed; and that head is not within an append or a chain, which become visible as a whole;
 *   <li>positions have no gaps;
 *   <li>what was acknowledged is stored once, as it was sent; what was refused is not stored; of what is unknown, all
 *       is stored or nothing, and another call under its key says which; each stored event was sent by a client.
 * </ol>
 */
final class Checker {
    private static final int MOST_VIOLATIONS = 100;

    private final History history;
    private final Log log;
    private final Timeline timeline;
    private final List<String> violations = new ArrayList<>();
    /** The positions of each append and each chain but the last ones. */
    private final BitSet inner = new BitSet();

    private Checker(History history) {
        this.history = history;
        this.log = new Log(history.start(), history.log());
        this.timeline = new Timeline(history);
    }

    /** Descriptions of the first hundred things that are wrong, each of which begins with the letter of the rule. */
    static List<String> violations(History history) {
        long expected = history.start();
        for (Stored event : history.log()) {
            expected++;
            if (event.position() != expected) {
                return List.of("(e) position %s follows %s".formatted(event.position(), expected - 1));
            }
        }
        Checker checker = new Checker(history);
        checker.checkLog();
        history.calls().forEach(checker::check);
        checker.checkKeys();
        return checker.violations;
    }

    private void checkLog() {
        Set<UUID> ids = new HashSet<>();
        for (Stored event : history.log()) {
            if (!ids.add(event.id())) {
                broken("f", "the event at %s is stored twice", event.position());
            }
            Effect effect = timeline.effect(event.position());
            if (effect == null) {
                // A round may have events of calls before it, whose outcome is unknown.
                if (history.start() == 0 && event.data() == null) {
                    broken("f", "no client sent the event at %s", event.position());
                }
            } else if (event.position() <= timeline.knownBefore(effect.invoked())) {
                broken(
                        "c",
                        "position %s was known before the append of %s was invoked",
                        timeline.knownBefore(effect.invoked()),
                        event.position());
            }
        }
        for (Call call : history.calls()) {
            if (call.append() != null) {
                noteInner(call.append());
            }
        }
    }

    private void noteInner(Appending append) {
        long[] positions = append.parts().stream()
                .flatMap(part -> part.events().stream())
                .map(event -> timeline.position(event.id()))
                .filter(Objects::nonNull)
                .mapToLong(Long::longValue)
                .sorted()
                .toArray();
        for (int i = 0; i < positions.length - 1; i++) {
            inner.set(Math.toIntExact(positions[i]));
        }
    }

    private void check(Call call) {
        Long head = Timeline.headOf(call);
        if (head != null) {
            checkHead(call, head);
        }
        if (call.append() != null) {
            checkAppend(call, call.append());
        } else if (call.read() != null) {
            List<Long> there = log.matches(
                    call.read().items(), call.read().after(), call.read().head());
            List<Long> ids = there.stream()
                    .map(position -> log.at(position).id().getLeastSignificantBits())
                    .toList();
            if (!there.equals(call.read().positions())
                    || !ids.equals(call.read().ids())) {
                broken("d", "there are %s: %s", there, call);
            }
        } else if (call.count() != null) {
            int there = log.matches(
                            call.count().items(),
                            call.count().after(),
                            call.count().head())
                    .size();
            if (there != call.count().number()) {
                broken("d", "there are %s: %s", there, call);
            }
        }
    }

    private void checkHead(Call call, long head) {
        if (head > log.head()) {
            broken("f", "the log ends at %s: %s", log.head(), call);
        }
        if (head < timeline.knownBefore(call.invoked())) {
            broken("c", "position %s was known before: %s", timeline.knownBefore(call.invoked()), call);
        }
        if (call.returned() != null && head > timeline.possibleAt(call.returned())) {
            broken("c", "only %s can have been there: %s", timeline.possibleAt(call.returned()), call);
        }
        if (inner.get(Math.toIntExact(head))) {
            broken("d", "the head %s is within an append: %s", head, call);
        }
    }

    private void checkAppend(Call call, Appending append) {
        // The parts of a chain are stored together, and do not fail each other's conditions.
        long first = append.parts().stream()
                .map(part -> timeline.position(part.events().getFirst().id()))
                .filter(Objects::nonNull)
                .mapToLong(Long::longValue)
                .min()
                .orElse(Log.NONE);
        checkTogether(call, append, first);
        for (Part part : append.parts()) {
            switch (Objects.requireNonNull(part.outcome())) {
                case APPENDED -> {
                    checkStored(call, part);
                    checkHeld(call, part, first);
                }
                case REFUSED -> checkRefused(call, part, first);
                case UNKNOWN -> {
                    if (stored(part) > 0) {
                        checkHeld(call, part, first);
                    }
                    if (stored(part) % part.events().size() != 0) {
                        broken("f", "%s of its events are stored: %s", stored(part), call);
                    }
                }
                case UNTRIED, FAILED -> {}
            }
            boolean mayBeStored =
                    append.key() != null || part.outcome() == Outcome.APPENDED || part.outcome() == Outcome.UNKNOWN;
            if (!mayBeStored && stored(part) > 0) {
                broken("f", "it is stored: %s", call);
            }
        }
    }

    /* What is stored of a chain are its first parts, one after the other; the next one was refused. */
    private void checkTogether(Call call, Appending append, long first) {
        long next = first;
        Outcome before = Outcome.APPENDED;
        boolean isFirst = true;
        for (Part part : append.parts()) {
            Outcome outcome = Objects.requireNonNull(part.outcome());
            boolean isInOrder = switch (outcome) {
                case APPENDED ->
                    before == Outcome.APPENDED
                            && Objects.equals(
                                    timeline.position(part.events().getFirst().id()), next);
                case REFUSED -> before == Outcome.APPENDED;
                case UNTRIED -> before == Outcome.REFUSED || before == Outcome.UNTRIED;
                case UNKNOWN, FAILED -> isFirst || before == outcome;
            };
            if (!isInOrder) {
                broken("f", "its parts are not stored one after the other: %s", call);
            }
            next += part.events().size();
            before = outcome;
            isFirst = false;
        }
    }

    private long stored(Part part) {
        return part.events().stream()
                .filter(event -> timeline.position(event.id()) != null)
                .count();
    }

    private void checkStored(Call call, Part part) {
        long first = Objects.requireNonNull(part.first());
        if (Objects.requireNonNull(part.last()) - first + 1 != part.events().size()) {
            broken("f", "it has %s events: %s", part.events().size(), call);
        }
        for (int i = 0; i < part.events().size(); i++) {
            NewEvent sent = part.events().get(i);
            Stored stored = log.has(first + i) ? log.at(first + i) : null;
            if (stored == null
                    || !stored.id().equals(sent.id())
                    || !stored.type().equals(sent.type())
                    || !Set.copyOf(stored.tags()).equals(Set.copyOf(sent.tags()))) {
                broken("f", "at %s there is %s: %s", first + i, stored, call);
            }
        }
    }

    private void checkHeld(Call call, Part part, long first) {
        for (Condition condition : part.conditions()) {
            long match = log.firstMatch(condition.items(), condition.after());
            if (match < first) {
                broken("a", "it is stored at %s although %s matches: %s", first, match, call);
            }
        }
    }

    private void checkRefused(Call call, Part part, long first) {
        long match = part.conditions().stream()
                .mapToLong(each -> log.firstMatch(each.items(), each.after()))
                .min()
                .orElse(Log.NONE);
        long last = Math.min(first - 1, timeline.possibleAt(Objects.requireNonNull(call.returned())));
        if (match > last) {
            broken("b", "the first match is %s: %s", match == Log.NONE ? "nowhere" : match, call);
        }
        Long witness = part.witness();
        if (witness != null && (witness > last || part.conditions().stream().noneMatch(each -> fails(each, witness)))) {
            broken("b", "the event at %s was no witness: %s", witness, call);
        }
    }

    private boolean fails(Condition condition, long position) {
        return position > condition.after()
                && log.has(position)
                && (condition.items().isEmpty()
                        || condition.items().stream().anyMatch(item -> item.matches(log.at(position))));
    }

    private void checkKeys() {
        Map<String, List<Part>> byKey = new HashMap<>();
        for (Call call : history.calls()) {
            if (call.append() != null && call.append().key() != null) {
                byKey.computeIfAbsent(call.append().key(), absent -> new ArrayList<>())
                        .addAll(call.append().parts());
            }
        }
        byKey.forEach(this::checkKey);
    }

    private void checkKey(String key, List<Part> parts) {
        Set<Long> positions = new HashSet<>();
        Set<Outcome> outcomes = new HashSet<>();
        for (Part part : parts) {
            outcomes.add(Objects.requireNonNull(part.outcome()));
            if (part.first() != null) {
                positions.add(part.first());
            }
        }
        if (positions.size() > 1) {
            broken("f", "the positions %s were acknowledged under the key %s", positions, key);
        }
        if (positions.isEmpty() && stored(parts.getFirst()) > 0) {
            broken("f", "it is stored, but no answer says so: %s", parts);
        }
        if (outcomes.contains(Outcome.UNKNOWN)
                && !outcomes.contains(Outcome.APPENDED)
                && !outcomes.contains(Outcome.REFUSED)) {
            broken("f", "the outcome under the key %s was never settled", key);
        }
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is not on the class path of tests
    private void broken(String rule, String text, @Nullable Object... details) {
        if (violations.size() < MOST_VIOLATIONS) {
            violations.add("(%s) ".formatted(rule) + text.formatted(details));
        }
    }
}
