package dev.registrar.eventstore;

import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.StoreModel.Matching;
import dev.registrar.eventstore.StoreModel.Seen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Random operations, made out of random numbers that stand for choices: smaller numbers make simpler operations, and
 * missing ones are 0. The few texts and queries of a sequence are used again and again, so that they meet.
 */
final class RandomOperations {
    /** The random numbers are below this bound. */
    static final int BOUND = 10_000;

    /* Similar texts stand side by side, because a sequence uses neighbours. The first ones are the simplest. */
    private static final List<String> HOSTILE = Stream.concat(
                    Pattern.compile("\\s+").splitAsStream("""
            a b c d A B a\\s \\sa a\\n \\na a\\t course:1 course:10 course:1,course:10 , ; | { } {} {,} {a,b} () []
            (a|b) a&!b:* " "" ' '' \\\\' \\\\ \\\\\\\\ \\\\n \\n \\r\\n \\t % _ \\\\% %s a% a_ a ? ?? $1 $$ :name
            ${name} -- /* ';\\sdrop\\stable\\sregistrar.events;\\s-- \\\\N NULL null "NULL" \\\\0 \\\\u0000
            "\\\\u0000" {"a":1} {"a":1,"a":2} {"a":1.0} {"a":\\s1} \u00e9 e\u0301 \u00c9 E\u0301 \u0301 \uac00
            \u1100\u1161 \u00e5 \u212b \ufb01 fi stra\u00dfe STRASSE I \u0130 i\u0307 \u0131 \u202eabc abc abc\u200b
            \ufeffabc abc\u00a0 abc\u2066 \u0001 \u001f \u007f \uffff \ufffd \ud83c\udf93
            \ud83d\udc69\u200d\ud83c\udf93 \ud83d\udc69\ud83c\udf93 \ud83d\udc69 \udbff\udfff"""),
                    Stream.of("\ud83c\udf93", "\u20ac", "a", "\\\\", "'").map(text -> text.repeat(255)))
            .map(String::translateEscapes)
            .toList();

    /* Texts that no store keeps. */
    private static final List<String> REFUSED =
            List.of("\0", "abc\0", "\ud83c", "\udf93", "\udf93\ud83c", "abc\ud83c", StoreModel.TOO_LONG);

    private static final int NEIGHBOURS = 4;

    private final EventStore store;
    private final StoreModel model;
    private final List<String> texts = new ArrayList<>();
    private final List<Query> queries;
    private final List<Append> sent = new ArrayList<>();
    private final Map<Query, StateAt<?>> known = new HashMap<>();
    private Iterator<Integer> choices;
    private long events;

    /** Operations on an empty store and on its model. */
    RandomOperations(EventStore store, List<Integer> choices) {
        this.store = store;
        this.model = new StoreModel(store.head().incarnation());
        this.choices = choices.iterator();
        int first = below(HOSTILE.size() - NEIGHBOURS + 1);
        texts.addAll(HOSTILE.subList(first, first + NEIGHBOURS));
        String joined = pick(HOSTILE) + pick(HOSTILE);
        texts.add(joined.length() > 255 ? "joined" : joined);
        queries = some(2, 3, () -> new Query(some(1, 3, this::item)));
    }

    /** A call, as text, and what a caller sees when the model and the store carry it out. */
    record Operation(String call, Supplier<Object> inModel, Supplier<Object> inStore) {}

    Operation next(List<Integer> following) {
        choices = following.iterator();
        return switch (below(14)) {
            case 0, 1, 2, 3, 4, 5 -> append(request());
            case 6, 7, 8 -> read(query(), options());
            case 9, 10 -> project(some(1, 2, this::query), below(2) > 0);
            case 11 -> lookUp(query());
            case 12 -> appendedUnder(keyAgain());
            default ->
                store instanceof ChainingEventStore chaining
                        ? appendChain(chaining, some(1, 3, this::request))
                        : append(request());
        };
    }

    private Operation append(Append request) {
        return new Operation("append " + request, () -> model.append(request), () -> store.append(request));
    }

    private Operation appendChain(ChainingEventStore chaining, List<Append> requests) {
        return new Operation(
                "appendChain " + requests, () -> model.appendChain(requests), () -> chaining.appendChain(requests));
    }

    private Operation appendedUnder(IdempotencyKey key) {
        return new Operation("appendedUnder " + key, () -> model.appendedUnder(key), () -> store.appendedUnder(key));
    }

    /** The last operation of a sequence. */
    Operation readAll() {
        return read(Query.all(), ReadOptions.forwards());
    }

    private Operation read(Query query, ReadOptions options) {
        return new Operation(
                "read %s %s".formatted(query, options), () -> List.of(model.head(), model.read(query, options)), () -> {
                    try (EventStream read = store.read(query, options)) {
                        return List.of(read.head(), read.stream().map(Seen::new).toList());
                    }
                });
    }

    private Operation lookUp(Query query) {
        return new Operation(
                "last, exists, count, head " + query,
                () -> {
                    List<Seen> all = model.read(query, ReadOptions.forwards());
                    List<Seen> last = model.read(query, ReadOptions.backwards().limit(1));
                    return List.of(last.stream().findFirst(), !all.isEmpty(), (long) all.size(), model.head());
                },
                () -> List.of(store.last(query).map(Seen::new), store.exists(query), store.count(query), store.head()));
    }

    /* An earlier state is that of the last projection from initial states. */
    private Operation project(List<Query> all, boolean areFromEarlier) {
        List<StateAt<?>> states = new ArrayList<>();
        for (Query query : all) {
            StateAt<?> initial = StateAt.initial(new Matching(query));
            states.add(areFromEarlier ? known.getOrDefault(query, initial) : initial);
        }
        String call = "project from %s states of %s".formatted(areFromEarlier ? "earlier" : "initial", all);
        return new Operation(call, () -> model.project(states), () -> {
            Projected projected = store.project(states);
            if (!areFromEarlier) {
                projected.states().forEach(state -> known.put(state.projection().query(), state));
            }
            return projected;
        });
    }

    private Append request() {
        if (!sent.isEmpty() && oneIn(6)) {
            return pick(sent);
        }
        List<Event> some = some(1, 4, this::event);
        List<AppendCondition> conditions = oneIn(2) ? some(1, 3, this::condition) : List.of();
        sent.add(new Append(some, conditions, oneIn(2) ? key(some) : null, null, null));
        return sent.getLast();
    }

    private Event event() {
        UUID id = new UUID(~events, ++events);
        return Event.of(id, text(), some(0, 3, this::tag), data(), data());
    }

    /* With the fingerprint of its events, or one that comes again with other events. */
    private IdempotencyKey key(List<Event> some) {
        String text = text();
        String value = text.isBlank() ? "key" : text;
        return oneIn(3) ? IdempotencyKey.of(value, some) : new IdempotencyKey(value, text());
    }

    /* A key that was sent, if there is one. */
    private IdempotencyKey keyAgain() {
        IdempotencyKey sentKey = sent.isEmpty() ? null : pick(sent).idempotencyKey();
        return sentKey == null ? key(List.of(event())) : sentKey;
    }

    private AppendCondition condition() {
        return new AppendCondition(query(), position(), oneIn(5) ? head() : null);
    }

    private Query query() {
        return switch (below(6)) {
            case 0 -> Query.all();
            case 1, 2, 3 -> pick(queries);
            default -> new Query(some(1, 3, this::item));
        };
    }

    private QueryItem item() {
        int kind = below(3);
        return QueryItem.of(
                kind == 1 ? List.of() : some(1, 2, this::text), kind == 0 ? List.of() : some(1, 2, this::tag));
    }

    private ReadOptions options() {
        int start = below(3);
        return new ReadOptions(
                start == 1 ? position() : null,
                start == 2 ? position() : null,
                oneIn(4) ? position() : null,
                pick(List.of(Direction.values())),
                oneIn(2) ? Long.valueOf(below(5)) : null,
                oneIn(5) ? Set.of(head()) : Set.of(),
                oneIn(2),
                oneIn(4));
    }

    private Position position() {
        Position head = model.head().position();
        return switch (below(8)) {
            case 0, 1 -> Position.START;
            case 2, 3, 4 -> head;
            case 5 -> Position.of(below(1 + (int) head.value()));
            case 6 -> Position.of(1 + head.value());
            default -> Position.of(Long.MAX_VALUE);
        };
    }

    /* A head of the store, or one of another incarnation, or one at an event that the store does not have. */
    private Head head() {
        Head head = model.head(below(1 + (int) model.head().position().value()));
        UUID other = new UUID(1, 1);
        return switch (below(8)) {
            case 6 -> new Head(head.position(), other, head.lastEventId());
            case 7 -> new Head(Position.of(1 + head.position().value()), head.incarnation(), other);
            default -> head;
        };
    }

    private String data() {
        return oneIn(4) ? "" : text();
    }

    private Tag tag() {
        return new Tag(text());
    }

    private String text() {
        return oneIn(100) ? pick(REFUSED) : pick(texts);
    }

    private boolean oneIn(int times) {
        return below(times) == times - 1;
    }

    private <T> T pick(List<T> from) {
        return from.get(below(from.size()));
    }

    private <T> List<T> some(int least, int most, Supplier<T> one) {
        return IntStream.rangeClosed(1, least + below(most - least + 1))
                .mapToObj(number -> one.get())
                .toList();
    }

    private int below(int bound) {
        return choices.hasNext() ? (int) ((long) choices.next() * bound / BOUND) : 0;
    }
}
