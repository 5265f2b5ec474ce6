package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;

/**
 * How much longer does a query by several tags, or by a frequent tag and a rare type, take than a query by the rarest of
 * them alone? One caller makes the two calls in turns. A read returns all events. A condition by tags names a type that
 * no event has, and one by a rare type names a tag that its events do not have. So it is searched to its end, and the
 * append that it belongs to succeeds.
 *
 * <p>{@code mvn -q process-test-classes exec:exec -Dprogram=figures.Figures -Dselect=several-tags}
 */
final class QueriesBySeveralTags {
    private static final long SEED = 20261125;
    private static final int BATCH = 1_000;
    private static final int LEAST_TURNS = 3;
    private static final int SMOKE = 2_000;

    private static final String RARE = "Rare";
    private static final String EVEN = "even";
    private static final String ODD = "odd";
    private static final String HALF = "half";
    private static final String TENTH = "tenth";
    private static final String ELEVENTH = "eleventh";
    private static final String ON_16 = "on-16";
    private static final String ON_200 = "on-200";
    private static final String ON_1000 = "on-1000";

    /** What several tags have in common; the first tag is the rarest. */
    enum Tags {
        TWO_FREQUENT("two frequent tags", ELEVENTH + " " + TENTH),
        THREE_FREQUENT("three frequent tags", ELEVENTH + " " + TENTH + " " + HALF),
        FREQUENT_AND_HALF("a frequent tag and one of half of the events", ELEVENTH + " " + HALF),
        NEVER_TOGETHER("two tags of half of the events that never meet", EVEN + " " + ODD),
        ON_1000_AND_HALF("a tag of 1,000 events and one of half of the events", ON_1000 + " " + HALF),
        ON_200_AND_HALF("a tag of 200 events and one of half of the events", ON_200 + " " + HALF),
        ON_200_AND_FREQUENT("a tag of 200 events and a frequent tag", ON_200 + " " + TENTH),
        ON_16_AND_HALF("a tag of 16 events and one of half of the events", ON_16 + " " + HALF),
        /** The events of the type are those of the rarest tag, and their other tag is {@link #EVEN}. */
        RARE_TYPE("a type of 16 events and a tag of half of the events", ON_16 + " " + EVEN);

        private final String words;
        private final String names;

        /** Takes the names of the tags with a space between them. */
        Tags(String words, String names) {
            this.words = words;
            this.names = names;
        }

        private String[] all() {
            return names.split(" ", -1);
        }

        private QueryItem rarest() {
            return QueryItem.tags(all()[0]);
        }

        private QueryItem together() {
            return this == RARE_TYPE ? QueryItem.types(RARE).tagged(EVEN) : QueryItem.tags(all());
        }

        /** An item that costs as much and that no event matches. */
        private QueryItem unmatched(QueryItem item) {
            return this == RARE_TYPE && item.types().contains(RARE)
                    ? QueryItem.types(RARE).tagged(ODD)
                    : new QueryItem(Set.of("Other"), item.tags());
        }
    }

    /** The kinds of calls. */
    enum Way {
        FORWARDS,
        BACKWARDS,
        CONDITION;

        String subject(Tags tags) {
            return "%s, %s".formatted(name().toLowerCase(Locale.ROOT), tags.words);
        }

        String baseline(Tags tags) {
            return subject(tags) + ": the rarest alone";
        }
    }

    private final BenchmarkStore store;
    private final int stored;

    private QueriesBySeveralTags(BenchmarkStore store, int stored) {
        this.store = store;
        this.stored = stored;
    }

    /** The names of the readings, in the order in which they are reported. */
    static List<String> readings() {
        List<String> names = new ArrayList<>();
        for (Tags tags : Tags.values()) {
            for (Way way : Way.values()) {
                names.add(way.subject(tags));
                names.add(way.baseline(tags));
            }
        }
        return names;
    }

    /** Takes the number of events to store; a smoke run stores few. */
    public static void main(String[] arguments) throws IOException, SQLException {
        RunSettings settings = RunSettings.ofThisProcess();
        MeasuredDatabase database = MeasuredDatabase.ofThisProcess();
        int pairs = Tags.values().length * Way.values().length;
        try (BenchmarkStore store = BenchmarkStore.on(database)) {
            QueriesBySeveralTags queries =
                    new QueriesBySeveralTags(store, settings.smoke() ? SMOKE : Integer.parseInt(arguments[0]));
            queries.fill();
            vacuum(database);
            queries.measure(settings.warmup().convertTo(TimeUnit.NANOSECONDS) / pairs, false);
            MeasuringProgram.awaitStart();
            queries.measure(settings.measure().convertTo(TimeUnit.NANOSECONDS) / pairs, true);
        }
    }

    private void fill() {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
        for (int first = 0; first < stored; first += BATCH) {
            BenchmarkStore.appended(store.store.append(IntStream.range(first, Math.min(stored, first + BATCH))
                    .mapToObj(number -> Event.of(isOn16(number) ? RARE : "Stored", "{}", tags(number, random)))
                    .toList()));
        }
    }

    /* The two frequent tags have the frequencies of 188 events each in a store of 2,000. */
    private String[] tags(int number, RandomGenerator random) {
        List<String> tags = new ArrayList<>();
        tags.add(number % 2 == 0 ? EVEN : ODD);
        addIf(random.nextInt(2) == 0, HALF, tags);
        addIf(random.nextInt(1_000) < 98, TENTH, tags);
        addIf(random.nextInt(1_000) < 94, ELEVENTH, tags);
        addIf(isOn16(number), ON_16, tags);
        addIf(number % (stored / 200) == 0, ON_200, tags);
        addIf(number % (stored / 1_000) == 0, ON_1000, tags);
        return tags.toArray(String[]::new);
    }

    /* An even distance, so that all of these events are even. */
    private boolean isOn16(int number) {
        return number % (stored / 16 / 2 * 2) == 0;
    }

    private static void addIf(boolean wanted, String tag, List<String> tags) {
        if (wanted) {
            tags.add(tag);
        }
    }

    private static void vacuum(MeasuredDatabase database) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("vacuum analyze");
        }
    }

    private void measure(long nanosecondsEach, boolean report) {
        for (Tags tags : Tags.values()) {
            long together = store.store.count(Query.of(tags.together()));
            long rarest = store.store.count(Query.of(tags.rarest()));
            for (Way way : Way.values()) {
                List<Double> subject = new ArrayList<>();
                List<Double> baseline = new ArrayList<>();
                long end = System.nanoTime() + nanosecondsEach;
                while (subject.size() < LEAST_TURNS || System.nanoTime() < end) {
                    subject.add(microseconds(way, tags, tags.together(), together));
                    baseline.add(microseconds(way, tags, tags.rarest(), rarest));
                }
                if (report) {
                    MeasuringProgram.report(way.subject(tags), Spread.median(subject));
                    MeasuringProgram.report(way.baseline(tags), Spread.median(baseline));
                }
            }
        }
    }

    private double microseconds(Way way, Tags tags, QueryItem item, long expected) {
        long started = System.nanoTime();
        switch (way) {
            case FORWARDS -> read(item, ReadOptions.forwards(), expected);
            case BACKWARDS -> read(item, ReadOptions.backwards(), expected);
            case CONDITION -> appendUnless(tags.unmatched(item));
        }
        return (System.nanoTime() - started) / 1e3;
    }

    private void read(QueryItem item, ReadOptions options, long expected) {
        long events = 0;
        try (EventStream stream = store.store.read(Query.of(item), options)) {
            while (stream.hasNext()) {
                stream.next();
                events++;
            }
        }
        if (events != expected) {
            throw new IllegalStateException("Read %s events, expected %s".formatted(events, expected));
        }
    }

    private void appendUnless(QueryItem forbidden) {
        AppendCondition condition = AppendCondition.failIfEventsMatch(Query.of(forbidden));
        BenchmarkStore.appended(
                store.store.append(Append.of(Event.of("Added", "{}")).onCondition(condition)));
    }
}
