package dev.registrar.benchmarks.suite;

import static dev.registrar.benchmarks.suite.Expected.appended;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Row;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ResourceLocks;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * How fast are appends that hold the lock of a named resource until they commit? As in the service, four appends have a
 * connection at a time, and the others wait.
 */
@State(Scope.Benchmark)
public class LockBenchmarks {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** Whether all callers name the same resource, or each its own. */
    @Param("one")
    String key = "";

    /** The number of events per append. */
    @Param("1")
    int events;

    @Row("locks/one-key dataset=small callers=5,8,10,20")
    @Row(value = "locks/single dataset=tiny,small", with = "key=own")
    @Row(value = "locks/many-keys dataset=small callers=5,8,10,20", with = "key=own")
    @Row("locks/batch dataset=small events=10,100,1000")
    @Benchmark
    public Appended append(BenchmarkStore store, Caller caller) {
        String resource = key.equals("own") ? caller.name : "resource";
        return appended(events, store.store.append(locked(caller.events("lock", events), resource)));
    }

    @Row("locks/with-condition dataset=small")
    @Benchmark
    public Appended withCondition(BenchmarkStore store, Caller caller) {
        List<Event> event = caller.events("lock", 1);
        QueryItem same = new QueryItem(Set.of(), event.getFirst().tags());
        Append request = locked(event, "resource").onCondition(AppendCondition.failIfEventsMatch(Query.of(same)));
        return appended(1, store.store.append(request));
    }

    private static Append locked(List<Event> batch, String resource) {
        return Append.of(batch).holding(ResourceLocks.of(List.of(resource), TIMEOUT));
    }
}
