package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Caller;
import dev.registrar.benchmarks.Contents;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * What is the cost of a condition on two tags, one of 500,000 events and one of 10, in either order? The baseline is
 * the rare tag alone. No condition matches, because the rare tag's events have another type. Each condition covers the
 * whole store.
 *
 * <p>{@code mvn -q process-test-classes exec:exec -Dprogram=figures.Figures -Dselect=row06}
 */
public class ConditionBenchmark {

    @Benchmark
    public Appended rareTag(BenchmarkStore store, Caller caller) {
        return appendUnlessTagged(store, caller, Contents.RARE_TAG);
    }

    @Benchmark
    public Appended rareTagThenHotTag(BenchmarkStore store, Caller caller) {
        return appendUnlessTagged(store, caller, Contents.RARE_TAG, Contents.HOT_TAG);
    }

    @Benchmark
    public Appended hotTagThenRareTag(BenchmarkStore store, Caller caller) {
        return appendUnlessTagged(store, caller, Contents.HOT_TAG, Contents.RARE_TAG);
    }

    /** Two tags with 500,000 events each; no event has both. */
    @Benchmark
    public Appended twoHotTags(BenchmarkStore store, Caller caller) {
        return appendUnlessTagged(store, caller, Contents.HOT_TAG, Contents.OTHER_HOT_TAG);
    }

    private static Appended appendUnlessTagged(BenchmarkStore store, Caller caller, String... tags) {
        Query forbidden = Query.of(QueryItem.types(Contents.HOT_TYPE).tagged(tags));
        Event event = Event.of(Contents.HOT_TYPE, "{}", caller.newTag());
        return BenchmarkStore.appended(
                store.store.append(Append.of(event).onCondition(AppendCondition.failIfEventsMatch(forbidden))));
    }
}
