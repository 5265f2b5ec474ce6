package dev.registrar.judges;

import dev.registrar.judges.History.Condition;
import dev.registrar.judges.History.Item;
import dev.registrar.judges.History.NewEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/**
 * What the clients of a run have in common: they meet at few tags, which others replace as the run goes on, so that no
 * list of events becomes long.
 *
 * @param space begins each of its types and tags, so that its queries match no event of another run
 * @param attempts numbers all appends of all runs
 * @param courses of which the course office's students are enrolled; empty for a run without the course office
 */
record Workload(
        String space,
        Recorder recorder,
        AtomicLong attempts,
        AtomicLong lists,
        AtomicLong names,
        List<String> courses,
        List<String> students) {
    /** Begins each tag that Elle takes for the key of a list. */
    static final String LIST = "-list:";

    private static final long RUN = UUID.randomUUID().getMostSignificantBits();
    private static final int EVENTS_OF_AN_ATTEMPT = 256;
    private static final int ATTEMPTS_ON_THE_SAME_TAGS = 500;
    private static final int APPENDS_TO_THE_SAME_LISTS = 400;
    private static final int LISTS_AT_A_TIME = 4;
    private static final int CLAIMS_OF_A_NAME = 4;

    static Workload of(String space, Recorder recorder, AtomicLong attempts) {
        return withOffice(space, recorder, attempts, List.of(), List.of());
    }

    static Workload withOffice(
            String space, Recorder recorder, AtomicLong attempts, List<String> courses, List<String> students) {
        return new Workload(space, recorder, attempts, new AtomicLong(), new AtomicLong(), courses, students);
    }

    /** The attempt that an event is of, which is Elle's element. */
    static long attempt(long lowerHalfOfId) {
        return lowerHalfOfId / EVENTS_OF_AN_ATTEMPT;
    }

    private static UUID id(long attempt, int index) {
        return new UUID(RUN, attempt * EVENTS_OF_AN_ATTEMPT + index);
    }

    List<NewEvent> events(SplittableRandom random, int number) {
        long attempt = attempts.incrementAndGet();
        List<NewEvent> events = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            List<String> tags = new ArrayList<>();
            tags.add(tag(random));
            String other = tag(random);
            if (!tags.contains(other)) {
                tags.add(other);
            }
            events.add(new NewEvent(id(attempt, i), type(random), tags));
        }
        return events;
    }

    /** An event of all these tags. */
    List<NewEvent> event(String type, List<String> tags) {
        return List.of(new NewEvent(id(attempts.incrementAndGet(), 0), space + type, tags));
    }

    private String tag(SplittableRandom random) {
        return "%s-%s:%s".formatted(space, attempts.get() / ATTEMPTS_ON_THE_SAME_TAGS, random.nextInt(8));
    }

    private String type(SplittableRandom random) {
        return "%s-Type%s".formatted(space, random.nextInt(4));
    }

    /** One to three items, each with a tag. */
    List<Item> items(SplittableRandom random) {
        return LongStream.range(0, random.nextInt(1, 4))
                .mapToObj(ignored -> switch (random.nextInt(4)) {
                    case 0 -> new Item(List.of(), List.of(tag(random)));
                    case 1 -> new Item(List.of(type(random)), List.of(tag(random)));
                    case 2 -> new Item(List.of(type(random), space + "-Other"), List.of(tag(random)));
                    default ->
                        new Item(
                                List.of(),
                                List.of(tag(random), tag(random)).stream()
                                        .distinct()
                                        .toList());
                })
                .toList();
    }

    /** One or two types, without a tag. */
    List<Item> types(SplittableRandom random) {
        return random.nextBoolean()
                ? List.of(new Item(List.of(type(random)), List.of()))
                : List.of(new Item(
                        List.of(type(random), type(random)).stream().distinct().toList(), List.of()));
    }

    /** One or two lists. */
    List<String> lists(SplittableRandom random) {
        long first = lists.incrementAndGet() / APPENDS_TO_THE_SAME_LISTS * LISTS_AT_A_TIME;
        return random.ints(random.nextInt(1, 3), 0, LISTS_AT_A_TIME)
                .distinct()
                .mapToObj(list -> space + LIST + (first + list))
                .toList();
    }

    /** A name that only one event may have; several clients claim it. */
    String name() {
        return "%s-name:%s".formatted(space, names.incrementAndGet() / CLAIMS_OF_A_NAME);
    }

    static List<Item> tagged(List<String> tags) {
        return tags.stream().map(tag -> new Item(List.of(), List.of(tag))).toList();
    }

    static List<Condition> unless(List<Item> items, long after) {
        return List.of(new Condition(items, after));
    }
}
