package dev.registrar.benchmarks;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.QueryItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Several tags and what they have in common, in events whose tags have several frequencies. */
public enum FrequentTags {
    TWO_FREQUENT("eleventh", "tenth"),
    THREE_FREQUENT("eleventh", "tenth", "half"),
    FREQUENT_AND_HALF("eleventh", "half"),
    NEVER_TOGETHER("even", "odd"),
    ON_1000_AND_HALF("on-1000", "half"),
    ON_200_AND_HALF("on-200", "half"),
    ON_200_AND_FREQUENT("on-200", "tenth"),
    ON_16_AND_HALF("on-16", "half"),
    /** The events with the first tag are those of a type of their own, and have the second tag. */
    RARE_TYPE("on-16", "even");

    private static final String RARE = "Rare";

    private static final long SEED = 20261125;

    @SuppressWarnings("ImmutableEnumChecker") // of List.of
    private final List<String> names;

    /** Takes the rarest tag first. */
    FrequentTags(String... names) {
        this.names = List.of(names);
    }

    /** The item of all tags, or of the rare type and the frequent tag. */
    public QueryItem all() {
        return this == RARE_TYPE
                ? QueryItem.types(RARE).tagged(names.getLast())
                : QueryItem.tags(names.toArray(String[]::new));
    }

    public QueryItem rarest() {
        return QueryItem.tags(names.getFirst());
    }

    /** An item that is searched as far as the given one, to its end, since no event matches it. */
    public QueryItem unmatched(QueryItem item) {
        return item.types().contains(RARE)
                ? QueryItem.types(RARE).tagged("odd")
                : new QueryItem(Set.of("Other"), item.tags());
    }

    /* The two frequent tags have the frequencies of 188 events each in a store of 2,000. */
    static Stream<Event> events(int count) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
        return IntStream.range(0, count).mapToObj(number -> {
            List<String> tags = new ArrayList<>();
            tags.add(number % 2 == 0 ? "even" : "odd");
            addIf(random.nextInt(2) == 0, "half", tags);
            addIf(random.nextInt(1_000) < 98, "tenth", tags);
            addIf(random.nextInt(1_000) < 94, "eleventh", tags);
            // An even distance, so that all of these events are even.
            boolean isRare = number % (count / 16 / 2 * 2) == 0;
            addIf(isRare, "on-16", tags);
            addIf(number % (count / 200) == 0, "on-200", tags);
            addIf(number % (count / 1_000) == 0, "on-1000", tags);
            return Event.of(isRare ? RARE : "Stored", "{}", tags.toArray(String[]::new));
        });
    }

    private static void addIf(boolean wanted, String tag, List<String> tags) {
        if (wanted) {
            tags.add(tag);
        }
    }
}
