package dev.registrar.console.explorer;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.postgres.read.EventPage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a store would answer to an append on a condition, and why.
 *
 * @param kind whether the append would be refused
 * @param sentences the answer in words
 * @param matches the first events that the condition forbids
 * @param cut whether there are more of them than are listed
 * @param head the store's head when this was found out
 * @param searchOn where a search that is out of time continues; null otherwise
 */
record Verdict(
        Kind kind,
        List<String> sentences,
        List<ItemMatch> matches,
        boolean cut,
        Head head,
        @Nullable Long searchOn) {
    /** Maximum number of matches that are listed. */
    static final int MOST = 100;

    /** The answers to a condition. */
    enum Kind {
        REFUSED,
        NOT_REFUSED,
        UNDECIDED
    }

    static Verdict of(Position after, EventPage<ItemMatch> found) {
        List<ItemMatch> matches = found.events();
        long head = found.head().position().value();
        if (!matches.isEmpty()) {
            boolean more = found.next().isPresent();
            return new Verdict(
                    Kind.REFUSED,
                    List.of(refused(after, matches, more), next(head)),
                    matches,
                    more,
                    found.head(),
                    null);
        }
        if (found.outOfTime()) {
            long next = found.next().orElseThrow().value();
            return new Verdict(
                    Kind.UNDECIDED,
                    List.of(
                            "Not decided: no event after position %s and before position %d matches, and then the time of the search was over."
                                    .formatted(after, next),
                            "The store itself searches to the head, which is at position %d.".formatted(head)),
                    matches,
                    false,
                    found.head(),
                    next);
        }
        return new Verdict(Kind.NOT_REFUSED, accepted(after, head), matches, false, found.head(), null);
    }

    private static String refused(Position after, List<ItemMatch> matches, boolean more) {
        ItemMatch first = matches.getFirst();
        String count = matches.size() == 1 && !more
                ? "1 event after position %s matches. It is ".formatted(after)
                : "%s%d events after position %s match. The first is "
                        .formatted(more ? "More than " : "", matches.size(), after);
        return "Refused: %s%d, %s, through item %d (%s)."
                .formatted(
                        count,
                        first.event().position(),
                        first.event().type(),
                        first.items().getFirst(),
                        first.through());
    }

    private static String next(long head) {
        return "Next: read the events that match, up to the head at position %d, and decide again on what they say. Then append with 'after' %d."
                .formatted(head, head);
    }

    private static List<String> accepted(Position after, long head) {
        if (after.value() > head) {
            return List.of(
                    "Not refused: the condition ignores all events, because 'after' is %s and the head is at position %d."
                            .formatted(after, head),
                    "A decision cannot have read position %s yet. Check where the number comes from.".formatted(after));
        }
        return List.of(
                "Not refused: no event after position %s matches. The head is at position %d.".formatted(after, head));
    }
}
