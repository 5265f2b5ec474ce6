package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.FrequentTags;
import dev.registrar.benchmarks.Row;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * How much longer does a query by several tags, or by a rare type and a frequent tag, take than one by the rarest
 * alone? A read returns all events. A condition matches none, so it is searched to its end, and its append succeeds.
 */
@State(Scope.Benchmark)
public class SeveralTagsBenchmarks {
    private static final String PARAMETERS = " stored=2000,100000,1000000 only=rarest,all tags=two-frequent,"
            + "three-frequent,frequent-and-half,never-together,on-1000-and-half,on-200-and-half,on-200-and-frequent,"
            + "on-16-and-half,rare-type";
    private static final String TEMPLATE = "tagged-{stored}";

    /** The name of {@link FrequentTags}. */
    @Param("two-frequent")
    String tags = "";

    @Param("all")
    String only = "";

    @Param("forwards")
    String order = "";

    private Query query = Query.all();
    private Query forbidden = Query.all();
    private ReadOptions options;
    private long expected;

    @Setup
    public void count(BenchmarkStore store) {
        FrequentTags chosen = KebabCase.parse(FrequentTags.class, tags);
        QueryItem item = only.equals("all") ? chosen.all() : chosen.rarest();
        query = Query.of(item);
        forbidden = Query.of(chosen.unmatched(item));
        options = order.equals("forwards") ? ReadOptions.forwards() : ReadOptions.backwards();
        expected = store.store.count(query);
    }

    @Row(value = "several-tags/forwards" + PARAMETERS, on = TEMPLATE, by = "only=rarest", onRequest = true)
    @Row(
            value = "several-tags/backwards" + PARAMETERS,
            on = TEMPLATE,
            with = "order=backwards",
            by = "only=rarest",
            onRequest = true)
    @Benchmark
    public long read(BenchmarkStore store) {
        return Expected.events(expected, (long) store.read(query, options));
    }

    @Row(value = "several-tags/condition" + PARAMETERS, on = TEMPLATE, by = "only=rarest", onRequest = true)
    @Benchmark
    public Appended condition(BenchmarkStore store) {
        AppendCondition condition = AppendCondition.failIfEventsMatch(forbidden);
        return Expected.appended(
                1, store.store.append(Append.of(Event.of("Added", "{}")).onCondition(condition)));
    }
}
