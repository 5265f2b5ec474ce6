package dev.registrar.eventstore.postgres;

import dev.registrar.concurrent.CombiningQueue.Choice;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.postgres.GroupAppender.WaitingAppend;
import dev.registrar.eventstore.postgres.append.AppendAnswer;
import dev.registrar.eventstore.postgres.append.AppendEntry;
import dev.registrar.eventstore.postgres.options.GroupOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A group of requests that are sent together. No member's events match a condition of a later member. */
final class AppendGroup {
    /*
     * Why the database need not check the group's own events: if a condition of a request matches an earlier member's
     * events, the request is deferred to the next group. By then the earlier request has been evaluated. Without a
     * further rule, requests that race for one thing would take one group each. But once the winner is appended, the
     * deferred requests whose conditions its events match are known losers: the database will refuse them. A known
     * loser is sent without its events, so it defers no other request. The database still evaluates it, because an
     * earlier event may be the reason to report.
     */
    private static final int MAX_EXAMINED_PER_REQUEST = 4;
    /** Each tag is a row that is written under the store's lock; most events have fewer. */
    private static final int MAX_TAGS_PER_EVENT = 5;
    /** Resource locks that one transaction holds: the server's table of locks has room for 6,400 by default. */
    private static final int MAX_LOCKS = 256;

    private final GroupOptions bounds;
    private final List<WaitingAppend> members;
    private final List<AppendEntry> entries = new ArrayList<>();
    private final List<WaitingAppend> deferred = new ArrayList<>();
    private final Set<String> keys = new HashSet<>();
    /** The group's events, indexed by each of their tags. */
    private final Map<Tag, List<Event>> byTag = new HashMap<>();

    private final Map<String, List<Event>> byType = new HashMap<>();
    private boolean sent;
    private int examined;
    private int events;
    private int tags;
    private int probes;
    private int locks;
    private long bytes;

    /**
     * Creates an empty group.
     *
     * @param members a live view of the chosen requests
     */
    AppendGroup(GroupOptions bounds, List<WaitingAppend> members) {
        this.bounds = bounds;
        this.members = members;
    }

    List<WaitingAppend> members() {
        return members;
    }

    /** The entries sent to the database, in the order of the members. */
    List<AppendEntry> entries() {
        return entries;
    }

    /** The requests that were deferred because of a member. */
    List<WaitingAppend> deferred() {
        return deferred;
    }

    /** Marks the group as sent: from now on its events may be stored. */
    void send() {
        sent = true;
    }

    boolean isSent() {
        return sent;
    }

    /** Takes a request if the group has room and no member defers it. Meanwhile no other thread can take it. */
    Choice choose(WaitingAppend candidate) {
        if (examined == MAX_EXAMINED_PER_REQUEST * bounds.maxRequests() || !hasRoomFor(candidate)) {
            return Choice.STOP;
        }
        examined++;
        if (isDeferred(candidate)) {
            deferred.add(candidate);
            return Choice.SKIP;
        }
        admit(candidate);
        return Choice.TAKE;
    }

    private boolean hasRoomFor(WaitingAppend candidate) {
        return members.isEmpty()
                || (!candidate.isSentAlone()
                        && !members.getFirst().isSentAlone()
                        && entries.size() + candidate.chain().size() <= bounds.maxRequests()
                        && events + candidate.events() <= bounds.maxEvents()
                        && tags + candidate.tags() <= MAX_TAGS_PER_EVENT * bounds.maxEvents()
                        && probes + candidate.probes() <= bounds.maxProbes()
                        && locks + candidate.locks() <= MAX_LOCKS
                        && bytes + candidate.bytes() <= bounds.maxBytes());
    }

    private boolean isDeferred(WaitingAppend candidate) {
        return !members.isEmpty() && (sharesKey(candidate) || (!candidate.isKnownLoser() && isMatched(candidate)));
    }

    private void admit(WaitingAppend candidate) {
        candidate.joinGroup(this);
        probes += candidate.probes();
        locks += candidate.locks();
        List<Append> sentRequests = sentOf(candidate);
        for (int i = 0; i < sentRequests.size(); i++) {
            Append request = sentRequests.get(i);
            entries.add(new AppendEntry(request, i > 0, candidate.isKnownLoser(), candidate.checked(i)));
            IdempotencyKey key = request.idempotencyKey();
            if (key != null) {
                keys.add(key.value());
            }
        }
        if (!candidate.isKnownLoser()) {
            events += candidate.events();
            tags += candidate.tags();
            bytes += candidate.bytes();
            candidate.chain().forEach(request -> request.events().forEach(this::index));
        }
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

    private boolean isMatched(WaitingAppend candidate) {
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
     * Passes the database's answers to the members.
     *
     * @param answers one answer for each entry
     * @return the members to send again: known losers that were not refused after all
     */
    List<WaitingAppend> answer(List<AppendAnswer> answers) {
        List<WaitingAppend> again = new ArrayList<>(0);
        int from = 0;
        for (WaitingAppend member : members) {
            int to = from + sentOf(member).size();
            if (entries.get(from).verdictOnly() && isNewlyAppended(answers.get(from))) {
                member.setKnownLoser(false);
                again.add(member);
            } else {
                member.answer(judged(answers.subList(from, to)));
            }
            from = to;
        }
        return again;
    }

    /*
     * A chain has answers up to its first request that was not appended. If a chain is suspected, all its requests are.
     */
    private static List<AppendAnswer> judged(List<AppendAnswer> answers) {
        int judged = 0;
        while (judged < answers.size() && !(answers.get(judged) instanceof AppendAnswer.Superseded)) {
            judged++;
        }
        return List.copyOf(answers.subList(0, judged));
    }

    /** Marks a deferred request as a known loser if it is now certain to be refused. Called under the queue's lock. */
    void markIfLost(WaitingAppend request, List<AppendAnswer> answers) {
        if (!request.isKnownLoser()) {
            request.setKnownLoser(isRefused(request.chain().getFirst(), answers));
        }
    }

    private boolean isRefused(Append request, List<AppendAnswer> answers) {
        for (AppendCondition condition : request.conditions()) {
            if (fails(condition, answers)) {
                return true;
            }
        }
        return false;
    }

    private boolean fails(AppendCondition condition, List<AppendAnswer> answers) {
        for (int i = 0; i < entries.size(); i++) {
            if (answers.get(i) instanceof AppendAnswer.Judged judged) {
                boolean matched = switch (judged.result()) {
                    case Appended appended -> !appended.repeated() && matches(condition, entries.get(i), appended);
                    case Conflict conflict ->
                        conflict.position().isAfter(condition.after())
                                && condition.failIfEventsMatch().items().contains(conflict.item());
                    case StoreReplaced replaced -> false;
                };
                if (matched) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean matches(AppendCondition condition, AppendEntry entry, Appended appended) {
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

    private static boolean isNewlyAppended(AppendAnswer answer) {
        return answer instanceof AppendAnswer.Judged judged
                && judged.result() instanceof Appended appended
                && !appended.repeated();
    }
}
