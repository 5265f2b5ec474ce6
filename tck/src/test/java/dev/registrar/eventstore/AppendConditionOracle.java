package dev.registrar.eventstore;

import static java.util.stream.Collectors.joining;

import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.tck.Race;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * An oracle of append conditions: many writers decide on random queries and append under them, then the log shows
 * whether a condition was ever broken. The first event of each batch carries its writer's queries, the head at which
 * each was read, and the number of matching events up to that head. So one pass over the log can check every batch.
 * Writers cache their counts, so that a long run does not read its whole log for each batch.
 *
 * <p>After the concurrency test of bwaidelich/dcb-eventstore, which stores the last matching position in the same way.
 */
public final class AppendConditionOracle {
    private static final String SEED = "registrar.oracle.seed";
    private static final List<String> TYPES = List.of("One", "Two", "Three");
    private static final List<String> KEYS = List.of("color", "size");
    private static final List<String> VALUES = List.of("a", "b", "c");
    private static final int MOST_EVENTS = 5;
    private static final int MOST_ATTEMPTS = 2_000;

    private final List<? extends EventStore> instances;
    private final int writers;
    private final int batches;
    private final long seed;
    private final Map<Query, StateAt<Long>> counted = new ConcurrentHashMap<>();
    private final AtomicInteger appended = new AtomicInteger();
    private final AtomicInteger conflicts = new AtomicInteger();

    /**
     * An oracle with 40 writers. The system property {@code registrar.oracle.batches} sets the batches of each writer
     * (default 10), {@code registrar.oracle.seed} the seed.
     */
    public AppendConditionOracle(List<? extends EventStore> instances) {
        this(instances, 40, batches(), Long.getLong(SEED, new SplittableRandom().nextLong()));
    }

    /** The default number of batches of each writer. */
    public static int batches() {
        return Integer.getInteger("registrar.oracle.batches", 10);
    }

    /**
     * An oracle with the given number of writers and batches.
     *
     * @param instances the instances of one store, over which the writers are spread
     * @param batches the number of batches that each writer appends
     * @param seed the seed of all choices; the interleaving depends on the machine
     */
    public AppendConditionOracle(List<? extends EventStore> instances, int writers, int batches, long seed) {
        this.instances = List.copyOf(instances);
        this.writers = writers;
        this.batches = batches;
        this.seed = seed;
    }

    /**
     * The result of a run.
     *
     * @param appended the number of appended batches
     * @param conflicts the number of appends that conflicted and were retried
     * @param violations descriptions of the violations; empty if every condition was kept
     */
    public record Report(String name, int appended, int conflicts, List<String> violations) {
        /** Throws unless every batch was appended and every condition was kept. */
        public void assertSound() {
            if (!violations.isEmpty()) {
                throw new AssertionError("%s: %s violations, the first of them:%n%s"
                        .formatted(
                                name,
                                violations.size(),
                                violations.stream().limit(10).collect(joining(System.lineSeparator()))));
            }
        }

        @Override
        public String toString() {
            return "%s: %s batches, %s conflicts, %s violations"
                    .formatted(name, appended, conflicts, violations.size());
        }
    }

    /** Runs all writers on an empty store, then reads the log. */
    public Report run() {
        String name =
                "Append conditions of %s writers with %s batches, -D%s=%s".formatted(writers, batches, SEED, seed);
        System.out.println(name);
        Race.run(writers, writer -> {
            SplittableRandom random = new SplittableRandom(seed + writer);
            for (int batch = 0; batch < batches; batch++) {
                write(instances.get(writer % instances.size()), random, writer + "/" + batch);
            }
            return writer;
        });
        List<String> violations =
                new ArrayList<>(judge(instances.getFirst().read(Query.all()).toList()));
        if (appended.get() != writers * batches) {
            violations.add("%s of %s batches were appended".formatted(appended.get(), writers * batches));
        }
        return new Report(name, appended.get(), conflicts.get(), violations);
    }

    /** Decides and appends until no condition fails. */
    @SuppressWarnings("ThreadPriorityCheck") // the yield only affects how often writers conflict
    private void write(EventStore store, SplittableRandom random, String batch) {
        Way way = pick(List.of(Way.values()), random);
        Query query = way == Way.CACHED ? cachedQuery(random) : randomQuery(random);
        Query another = cachedQuery(random);
        List<Event> followers = followers(random, batch);
        Event marker = randomEvent(random, "");
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            Decision decision = switch (way) {
                case PROJECTED -> projected(store, batch, query);
                case READ_FROM_THE_START ->
                    read(store, batch, attempt == 0 ? StateAt.initial(new Count(query)) : known(query));
                case READ -> read(store, batch, known(query));
                case CACHED ->
                    attempt == 0 ? cached(store, batch, query, another) : projected(store, batch, query, another);
            };
            Thread.yield(); // so that writers also conflict on a machine with few processors
            List<Event> events = Stream.concat(
                            Stream.of(new Event(
                                    marker.id(),
                                    marker.type(),
                                    marker.tags(),
                                    decision.payload(followers.size()),
                                    Event.NO_METADATA)),
                            followers.stream())
                    .toList();
            if (store.append(Append.of(events).onConditions(AppendCondition.guarding(decision.states())))
                    instanceof Appended) {
                appended.incrementAndGet();
                return;
            }
            conflicts.incrementAndGet();
        }
    }

    /** How a writer reads the state that it decides on. */
    private enum Way {
        PROJECTED,
        READ,
        READ_FROM_THE_START,
        /** Two queries with the counts of an earlier read, which may be stale. */
        CACHED
    }

    private Decision projected(EventStore store, String batch, Query... queries) {
        Projected projected =
                store.project(Stream.of(queries).distinct().map(this::known).toList());
        List<StateAt<Long>> states =
                projected.states().stream().map(AppendConditionOracle::count).toList();
        states.forEach(this::cache);
        return new Decision(batch, states);
    }

    private Decision read(EventStore store, String batch, StateAt<Long> known) {
        ReadOptions unread = ReadOptions.forwards().after(known.position());
        try (EventStream events = store.read(known.projection().query(), unread)) {
            long count = events.stream().count();
            StateAt<Long> state =
                    new StateAt<>(known.projection(), known.state() + count, events.head(), known.events() + count);
            cache(state);
            return new Decision(batch, List.of(state));
        }
    }

    private Decision cached(EventStore store, String batch, Query... queries) {
        List<StateAt<Long>> states =
                Stream.of(queries).distinct().map(this::known).toList();
        return states.stream().anyMatch(state -> state.head() == null)
                ? projected(store, batch, queries)
                : new Decision(batch, states);
    }

    private StateAt<Long> known(Query query) {
        return counted.getOrDefault(query, StateAt.initial(new Count(query)));
    }

    private void cache(StateAt<Long> state) {
        counted.merge(
                state.projection().query(),
                state,
                (one, other) -> one.position().isAfter(other.position()) ? one : other);
    }

    @SuppressWarnings("unchecked") // only counts are projected
    private static StateAt<Long> count(StateAt<?> state) {
        return (StateAt<Long>) state;
    }

    private record Count(Query query) implements Projection<Long> {
        @Override
        public Long initial() {
            return 0L;
        }

        @Override
        public Long apply(Long state, SequencedEvent event) {
            return state + 1;
        }
    }

    /** The state of a writer at its decision. */
    private record Decision(String batch, List<StateAt<Long>> states) {
        /** Text lines, so that the log can be checked without the state of this run. */
        String payload(int followers) {
            return "decision\n%s\n%s\n%s"
                    .formatted(
                            batch,
                            followers,
                            states.stream().map(Decision::text).collect(joining("\n")));
        }

        private static String text(StateAt<Long> state) {
            return "%s;%s;%s"
                    .formatted(
                            state.position().value(),
                            state.state(),
                            state.projection().query().items().stream()
                                    .map(Decision::text)
                                    .collect(joining(";")));
        }

        private static String text(QueryItem item) {
            return "%s|%s"
                    .formatted(
                            String.join(",", item.types()),
                            item.tags().stream().map(Tag::value).collect(joining(",")));
        }
    }

    /* One pass: the events read so far are all events that existed when the next batch was appended. */
    private static List<String> judge(List<SequencedEvent> log) {
        List<String> violations = new ArrayList<>();
        Map<String, Long> batches = new LinkedHashMap<>();
        for (int index = 0; index < log.size(); index++) {
            SequencedEvent event = log.get(index);
            if (event.position().value() != index + 1) {
                violations.add("Event %s of the log has position %s".formatted(index + 1, event.position()));
            }
            List<String> payload = event.event().payload().lines().toList();
            if (!payload.getFirst().equals("decision")) {
                continue;
            }
            String batch = payload.get(1);
            Long before = batches.put(batch, event.position().value());
            if (before != null) {
                violations.add("Batch %s is at %s and at %s".formatted(batch, before, event.position()));
            }
            judge(log, index, payload).forEach(violation -> violations.add("Batch " + batch + violation));
        }
        return violations;
    }

    private static List<String> judge(List<SequencedEvent> log, int index, List<String> payload) {
        int followers = Integer.parseInt(payload.get(2));
        List<String> violations = new ArrayList<>();
        for (String known : payload.subList(3, payload.size())) {
            violations.addAll(judge(log, index, known));
        }
        for (int follower = 1; follower <= followers; follower++) {
            int at = index + follower;
            String expected = payload.get(1) + "+" + follower;
            if (at >= log.size() || !log.get(at).event().payload().equals(expected)) {
                violations.add(" at %s is not followed by its event %s".formatted(index + 1, follower));
            }
        }
        return violations;
    }

    private static List<String> judge(List<SequencedEvent> log, int index, String known) {
        List<String> parts = List.of(known.split(";"));
        long after = Long.parseLong(parts.get(0));
        long seen = Long.parseLong(parts.get(1));
        Query query = new Query(
                parts.stream().skip(2).map(AppendConditionOracle::item).toList());
        List<String> violations = new ArrayList<>();
        long there = 0;
        for (SequencedEvent earlier : log.subList(0, index)) {
            if (query.matches(earlier.event())) {
                if (earlier.position().value() <= after) {
                    there++;
                } else {
                    violations.add(" at %s decided after %s, but %s matches %s"
                            .formatted(index + 1, after, earlier.position(), query));
                }
            }
        }
        if (there != seen) {
            violations.add(" at %s saw %s events up to %s, but there were %s".formatted(index + 1, seen, after, there));
        }
        return violations;
    }

    private static QueryItem item(String text) {
        int bar = text.indexOf('|');
        return QueryItem.of(
                words(text.substring(0, bar)).toList(),
                words(text.substring(bar + 1)).map(Tag::new).toList());
    }

    private static Stream<String> words(String text) {
        return Arrays.stream(text.split(",", -1)).filter(word -> !word.isEmpty());
    }

    private static List<Event> followers(SplittableRandom random, String batch) {
        return IntStream.range(1, random.nextInt(1, MOST_EVENTS + 1))
                .mapToObj(follower -> randomEvent(random, batch + "+" + follower))
                .toList();
    }

    private static Event randomEvent(SplittableRandom random, String payload) {
        List<Tag> tags = KEYS.stream()
                .filter(key -> random.nextInt(3) > 0)
                .map(key -> Tag.of(key + ":" + pick(VALUES, random)))
                .toList();
        return Event.of(pick(TYPES, random), tags, payload);
    }

    private Query cachedQuery(SplittableRandom random) {
        List<Query> known = List.copyOf(counted.keySet());
        return known.isEmpty() ? randomQuery(random) : pick(known, random);
    }

    private static Query randomQuery(SplittableRandom random) {
        return switch (random.nextInt(5)) {
            case 0 -> Query.all();
            case 1 -> Query.of(tags(random));
            case 2 -> Query.of(types(random));
            case 3 -> Query.of(typesAndTags(random));
            default -> Query.of(typesAndTags(random), random.nextBoolean() ? tags(random) : typesAndTags(random));
        };
    }

    private static QueryItem tags(SplittableRandom random) {
        QueryItem one = QueryItem.tags(KEYS.getFirst() + ":" + pick(VALUES, random));
        String other = KEYS.getLast() + ":" + pick(VALUES, random);
        return switch (random.nextInt(3)) {
            case 0 -> one;
            case 1 -> QueryItem.tags(other);
            default -> one.tagged(other);
        };
    }

    private static QueryItem types(SplittableRandom random) {
        return random.nextBoolean()
                ? QueryItem.types(pick(TYPES, random))
                : QueryItem.types(pick(TYPES, random), pick(TYPES, random));
    }

    private static QueryItem typesAndTags(SplittableRandom random) {
        return QueryItem.of(types(random).types(), tags(random).tags());
    }

    private static <T> T pick(List<T> from, SplittableRandom random) {
        return from.get(random.nextInt(from.size()));
    }
}
