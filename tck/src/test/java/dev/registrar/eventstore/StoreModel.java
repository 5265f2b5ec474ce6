package dev.registrar.eventstore;

import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** A small model of a store: a list of events, and loops over it. It shares only values with the stores. */
final class StoreModel {
    /** A text that is longer than any part of an event may be, in characters and in bytes. */
    static final String TOO_LONG = "\ud83c\udf93".repeat(256);

    private final UUID incarnation;
    private final List<Seen> log = new ArrayList<>();
    private final Map<IdempotencyKey, Appended> keys = new HashMap<>();

    StoreModel(UUID incarnation) {
        this.incarnation = incarnation;
    }

    /** What a caller sees of a stored event, except for its time. The order of its tags counts. */
    record Seen(Position position, Event event, List<Tag> tags) {
        Seen(Position position, Event event) {
            this(position, event, List.copyOf(event.tags()));
        }

        Seen(SequencedEvent stored) {
            this(stored.position(), stored.event());
        }
    }

    /** The events that match a query. */
    record Matching(Query query) implements Projection<List<Seen>> {
        @Override
        public List<Seen> initial() {
            return List.of();
        }

        @Override
        public List<Seen> apply(List<Seen> state, SequencedEvent event) {
            return Stream.concat(state.stream(), Stream.of(new Seen(event))).toList();
        }
    }

    AppendResult append(Append request) {
        check(request);
        return append(request, log.size());
    }

    private AppendResult append(Append request, int judged) {
        IdempotencyKey key = request.idempotencyKey();
        Optional<Appended> earlier = key == null ? Optional.empty() : appendedUnder(key);
        if (earlier.isPresent()) {
            return earlier.get();
        }
        for (AppendCondition condition : request.conditions()) {
            if (condition.basis() != null && !holds(condition.basis())) {
                return new StoreReplaced();
            }
        }
        for (AppendCondition condition : request.conditions()) {
            for (QueryItem item : condition.failIfEventsMatch().items()) {
                for (Seen seen : log.subList(0, judged)) {
                    if (seen.position().isAfter(condition.after()) && matches(item, seen.event())) {
                        return new Conflict(item, seen.position(), seen.event().type());
                    }
                }
            }
        }
        Position first = Position.of(log.size() + 1);
        request.events().forEach(event -> log.add(new Seen(Position.of(log.size() + 1), event)));
        if (key != null) {
            keys.put(key, new Appended(first, head().position(), true));
        }
        return new Appended(first, head().position(), false);
    }

    List<AppendResult> appendChain(List<Append> requests) {
        requests.forEach(StoreModel::check);
        List<String> used = requests.stream()
                .flatMap(request -> Stream.ofNullable(request.idempotencyKey()))
                .map(IdempotencyKey::value)
                .toList();
        if (Set.copyOf(used).size() < used.size()) {
            throw new RefusedInputException("A chain has a key twice");
        }
        int judged = log.size();
        List<AppendResult> results = new ArrayList<>();
        for (Append request : requests) {
            int before = log.size();
            try {
                results.add(append(request, judged));
            } catch (IdempotencyKeyReusedException reused) {
                if (results.isEmpty()) {
                    throw reused;
                }
            }
            if (log.size() == before) {
                break;
            }
        }
        return results;
    }

    Optional<Appended> appendedUnder(IdempotencyKey key) {
        check(key);
        for (IdempotencyKey used : keys.keySet()) {
            if (used.value().equals(key.value()) && !used.equals(key)) {
                throw new IdempotencyKeyReusedException(key);
            }
        }
        return Optional.ofNullable(keys.get(key));
    }

    List<Seen> read(Query query, ReadOptions options) {
        check(query);
        for (Head head : options.basis()) {
            if (!holds(head)) {
                throw new StoreReplacedException(head, head());
            }
        }
        int sign = options.direction() == ReadOptions.Direction.FORWARDS ? 1 : -1;
        List<Seen> events = new ArrayList<>();
        for (Seen seen : sign > 0 ? log : log.reversed()) {
            boolean isOutside = (options.from() != null
                            && sign * seen.position().compareTo(options.from()) < 0)
                    || (options.after() != null && sign * seen.position().compareTo(options.after()) <= 0)
                    || (options.to() != null && sign * seen.position().compareTo(options.to()) > 0)
                    || (options.limit() != null && events.size() == options.limit());
            if (!isOutside && query.items().stream().anyMatch(item -> matches(item, seen.event()))) {
                events.add(seen);
            }
        }
        return events;
    }

    Projected project(List<StateAt<?>> states) {
        List<StateAt<?>> folded = new ArrayList<>();
        Position lastRead = Position.START;
        for (StateAt<?> state : states) {
            Query query = state.projection().query();
            List<Seen> events = read(query, ReadOptions.forwards());
            folded.add(new StateAt<>(new Matching(query), events, head(), events.size()));
            for (Seen unread : read(query, ReadOptions.forwards().after(state.position()))) {
                lastRead = unread.position().isAfter(lastRead) ? unread.position() : lastRead;
            }
        }
        return new Projected(folded, head(), lastRead.equals(Position.START) ? null : lastRead);
    }

    Head head() {
        return head(log.size());
    }

    /** The head when the log had so many events. */
    Head head(int size) {
        UUID last = size == 0 ? null : log.get(size - 1).event().id();
        return new Head(Position.of(size), incarnation, last);
    }

    private boolean holds(Head head) {
        long size = head.position().value();
        return size <= log.size() && head.equals(head((int) size));
    }

    private static boolean matches(QueryItem item, Event event) {
        return (item.types().isEmpty() || item.types().stream().anyMatch(event.type()::equals))
                && item.tags().stream().allMatch(tag -> event.tags().stream().anyMatch(tag::equals));
    }

    /* The text of a value contains all texts in it. */
    private static void check(Record value) {
        String text = value.toString();
        if (text.indexOf('\0') >= 0
                || text.contains(TOO_LONG)
                || !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new RefusedInputException("A text cannot be stored");
        }
    }
}
