package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Events of one type and one tag among those of a data set, each with a unique number. */
@State(Scope.Benchmark)
public class TestEvents {
    static final String TYPE = "ConflictingEvent";

    private static final String TEST = "stored";

    @Param("1")
    int written;

    /** Appends the events, outside the measurement. */
    @Setup
    public void write(BenchmarkStore store) {
        StoredEvents.write(
                store,
                IntStream.range(0, written).mapToObj(number -> Caller.event(TYPE, TEST, Integer.toString(number))));
    }

    static Query all() {
        return Query.of(QueryItem.tags("test:" + TEST));
    }

    Query any(Caller caller) {
        return Query.of(QueryItem.types(TYPE).tagged("test:" + TEST, "unique_id:" + caller.random.nextInt(written)));
    }
}
