package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.postgres.AppendFunction.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Requests that leave together, such that none of them stands in the way of a later one. */
final class AppendGroup {
    /*
     * Why the database need not look at the group's own events: a request whose condition an earlier request's events
     * match is not let in; it waits for the next group, by when the earlier one has been judged. So that those who race for
     * one thing do not take a group each, the losers are then known: once the winner is in, whoever it matched is refused
     * for certain. Such a request brings no events to its group, stands in nobody's way, and only learns its verdict from the
     * database, which may know of an earlier reason.
     */
    private final GroupOptions bounds;
    private final List<WaitingAppend> members = new ArrayList<>();
    private final List<Entry> entries = new ArrayList<>();
    private final List<WaitingAppend> deferred = new ArrayList<>();
    private final Set<String> keys = new HashSet<>();
    /** The group's events by each of their tags and by their type, which cannot be mistaken for each other. */
    private final Map<Tag, List<Event>> byTag = new HashMap<>();

    private final Map<String, List<Event>> byType = new HashMap<>();
    private boolean sent;
    private int events;
    private int probes;
    private long bytes;

    AppendGroup(GroupOptions bounds) {
        this.bounds = bounds;
    }

    List<WaitingAppend> members() {
        return members;
    }

    /** What is sent to the database, member by member. */
    List<Entry> entries() {
        return entries;
    }

    /** The database gets the group: from now on its events may be stored. */
    void send() {
        sent = true;
    }

    /** Lets a member go that is in the queue again. */
    void release(WaitingAppend member) {
        members.remove(member);
    }

    /**
     * Answers the members that have no answer with a failure that was not foreseen.
     *
     * @return whether there was one
     */
    boolean abandon(@Nullable Throwable mistake) {
        boolean abandoned = false;
        for (int i = 0; i < members.size(); i++) {
            abandoned |= members.get(i).abandon(sent, mistake);
        }
        return abandoned;
    }

    boolean hasRoomFor(WaitingAppend candidate) {
        return members.isEmpty()
                || (!candidate.leavesAlone()
                        && !members.getFirst().leavesAlone()
                        && entries.size() + candidate.chain().size() <= bounds.maxRequests()
                        && events + candidate.events() <= bounds.maxEvents()
                        && probes + candidate.probes() <= bounds.maxProbes()
                        && bytes + candidate.bytes() <= bounds.maxBytes());
    }

    /** Takes a candidate in, unless a member stands in its way. */
    boolean admit(WaitingAppend candidate) {
        if (!members.isEmpty() && (sharesKey(candidate) || (!candidate.isKnownLoser() && isBlocked(candidate)))) {
            deferred.add(candidate);
            return false;
        }
        members.add(candidate);
        probes += candidate.probes();
        List<Append> sent = sentOf(candidate);
        for (int i = 0; i < sent.size(); i++) {
            Append request = sent.get(i);
            entries.add(new Entry(request, i > 0, candidate.isKnownLoser(), candidate.checked(i)));
            IdempotencyKey key = request.idempotencyKey();
            if (key != null) {
                keys.add(key.value());
            }
        }
        if (!candidate.isKnownLoser()) {
            events += candidate.events();
            bytes += candidate.bytes();
            candidate.chain().forEach(request -> request.events().forEach(this::index));
        }
        return true;
    }

    private static List<Append> sentOf(WaitingAppend member) {
        return member.isKnownLoser() ? member.chain().subList(0, 1) : member.chain();
    }

    private void index(Event event) {
        byType.computeIfAbsent(event.type(), type -> new ArrayList<>(4)).add(event);
        for (Tag tag : event.tags()) {
            byTag.computeIfAbsent(tag, each -> new ArrayList<>(2)).add(event);
        }
    }

    private boolean sharesKey(WaitingAppend candidate) {
        if (keys.isEmpty()) {
            return false;
        }
        for (Append request : sentOf(candidate)) {
            IdempotencyKey key = request.idempotencyKey();
            if (key != null && keys.contains(key.value())) {
                return true;
            }
        }
        return false;
    }

    private boolean isBlocked(WaitingAppend candidate) {
        for (Append request : candidate.chain()) {
            for (AppendCondition condition : request.conditions()) {
                for (QueryItem item : condition.failIfEventsMatch().items()) {
                    if (isMatched(item)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private boolean isMatched(QueryItem item) {
        if (!item.tags().isEmpty()) {
            return isMatched(item, eventsOfRarestTag(item));
        }
        if (item.types().isEmpty()) {
            return events > 0;
        }
        for (String type : item.types()) {
            if (byType.containsKey(type)) {
                return true;
            }
        }
        return false;
    }

    private List<Event> eventsOfRarestTag(QueryItem item) {
        List<Event> fewest = List.of();
        for (Tag tag : item.tags()) {
            List<Event> tagged = byTag.get(tag);
            if (tagged == null) {
                return List.of();
            }
            if (fewest.isEmpty() || tagged.size() < fewest.size()) {
                fewest = tagged;
            }
        }
        return fewest;
    }

    private static boolean isMatched(QueryItem item, List<Event> candidates) {
        for (Event event : candidates) {
            if (item.matches(event)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Answers the members.
     *
     * @param verdicts one for each entry
     * @return the members that are to be sent again: they were thought to be refused and are not
     */
    List<WaitingAppend> settle(List<AppendAnswer> verdicts) {
        List<WaitingAppend> again = new ArrayList<>(0);
        int from = 0;
        for (WaitingAppend member : members) {
            int to = from + sentOf(member).size();
            if (entries.get(from).verdictOnly() && isNewlyAppended(verdicts.get(from))) {
                member.setKnownLoser(false);
                again.add(member);
            } else {
                member.settle(judged(verdicts.subList(from, to)));
            }
            from = to;
        }
        return again;
    }

    /* A chain is judged up to the first of its requests that was not appended; where it is suspected, all of it is. */
    private static List<AppendAnswer> judged(List<AppendAnswer> verdicts) {
        int judged = 0;
        while (judged < verdicts.size() && !(verdicts.get(judged) instanceof AppendAnswer.Superseded)) {
            judged++;
        }
        return List.copyOf(verdicts.subList(0, judged));
    }

    /** Marks those whom a member stood in the way of, and who are sure to be refused now. Under the queue's lock. */
    void markKnownLosers(List<AppendAnswer> verdicts) {
        for (WaitingAppend loser : deferred) {
            if (!loser.isKnownLoser() && !loser.isSent()) {
                loser.setKnownLoser(isRefused(loser.chain().getFirst(), verdicts));
            }
        }
    }

    private boolean isRefused(Append request, List<AppendAnswer> verdicts) {
        for (AppendCondition condition : request.conditions()) {
            if (isBroken(condition, verdicts)) {
                return true;
            }
        }
        return false;
    }

    private boolean isBroken(AppendCondition condition, List<AppendAnswer> verdicts) {
        for (int i = 0; i < entries.size(); i++) {
            if (verdicts.get(i) instanceof AppendAnswer.Judged judged) {
                boolean breaks = switch (judged.result()) {
                    case Appended appended -> !appended.repeated() && matches(condition, entries.get(i), appended);
                    case Conflict conflict ->
                        conflict.position().isAfter(condition.after())
                                && condition.failIfEventsMatch().items().contains(conflict.item());
                    case StoreReplaced replaced -> false;
                };
                if (breaks) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean matches(AppendCondition condition, Entry entry, Appended appended) {
        if (entry.verdictOnly() || !appended.last().isAfter(condition.after())) {
            return false;
        }
        long position = appended.first().value();
        for (Event event : entry.request().events()) {
            if (position > condition.after().value()
                    && condition.failIfEventsMatch().matches(event)) {
                return true;
            }
            position++;
        }
        return false;
    }

    private static boolean isNewlyAppended(AppendAnswer verdict) {
        return verdict instanceof AppendAnswer.Judged judged
                && judged.result() instanceof Appended appended
                && !appended.repeated();
    }
}
