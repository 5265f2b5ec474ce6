package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.benchmarks.Row;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.StoreDatabase;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * How long does a circuit breaker take from fault to recovery, and does the store leak resources within ten minutes?
 */
public class ResilienceBenchmarks {
    private static final int FAILING = 20;
    private static final int BLOCKED = 10;
    private static final int RECOVERING = 10;

    /** A database behind a circuit breaker that opens for 100 ms, and a function that fails like a full server. */
    @org.openjdk.jmh.annotations.State(Scope.Benchmark)
    public static class FaultyDatabase {
        private static final String FAIL = "select benchmarks.fail()";
        private static final String OUT_OF_RESOURCES = """
                create function benchmarks.fail() returns integer language plpgsql as $$
                begin
                    raise exception 'A fault of the benchmark' using errcode = '53000';
                end $$""";

        private GuardedSelects selects;

        @Setup
        public void open() {
            MeasuredDatabase.ofThisProcess().execute(OUT_OF_RESOURCES);
            selects = new GuardedSelects(
                    StoreDatabase.serviceSettings(Map.of("breaker.open-for", "100ms", "retry.max-retries", 0)),
                    Duration.ofSeconds(10));
        }

        State state() {
            return selects.circuit();
        }

        /** Returns whether the database answered. */
        boolean answers() {
            try {
                return selects.select("select 1") == 1;
            } catch (StoreUnavailableException rejected) {
                if (state() == State.OPEN) {
                    return false;
                }
                throw rejected;
            }
        }

        void fail() {
            try {
                selects.select(FAIL);
            } catch (EventStoreException expected) {
                return;
            }
            throw new IllegalStateException("The fault did not fail");
        }

        @TearDown
        public void close() {
            selects.close();
        }
    }

    /**
     * Closed, open, half-open, closed: 20 calls that fail, 10 calls that the open circuit rejects, then calls until the
     * first is permitted, and 10 calls that succeed. The circuit is open for 100 ms of this time.
     */
    @Row("resilience/breaker-cycle dataset=small")
    @Benchmark
    public State breakerCycle(FaultyDatabase faulty) {
        expect(State.CLOSED, faulty);
        for (int i = 0; i < FAILING; i++) {
            faulty.fail();
        }
        expect(State.OPEN, faulty);
        for (int i = 0; i < BLOCKED; i++) {
            if (faulty.answers()) {
                throw new IllegalStateException("The open circuit permitted call %s".formatted(i + 1));
            }
        }
        while (!faulty.answers()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        expect(State.HALF_OPEN, faulty);
        for (int i = 0; i < RECOVERING; i++) {
            if (!faulty.answers()) {
                throw new IllegalStateException("Call %s was rejected after the recovery".formatted(i + 1));
            }
        }
        return expect(State.CLOSED, faulty);
    }

    private static State expect(State expected, FaultyDatabase faulty) {
        State state = faulty.state();
        if (state != expected) {
            throw new IllegalStateException("Expected a circuit that is %s but was %s".formatted(expected, state));
        }
        return state;
    }

    /** An append-if, a refused one, a count and a read, in turns. */
    @Row(value = "resilience/stability dataset=small callers=10", length = Row.Length.TEN_MINUTES, onRequest = true)
    @Benchmark
    public Appended stability(BenchmarkStore store, Caller caller, Leaks leaks) {
        Event event = caller.newStudentEnrolled();
        Appended appended = store.appendIfNew(event);
        Query same = Query.of(new QueryItem(Set.of(event.type()), event.tags()));
        Expected.conflict(event.type(), store.store.append(List.of(event), AppendCondition.failIfEventsMatch(same)));
        Expected.events(1, store.store.count(same));
        try (EventStream stream = store.store.read(same, ReadOptions.backwards())) {
            if (!stream.next().position().equals(appended.last())) {
                throw new IllegalStateException("The last event is not the appended one");
            }
        }
        return appended;
    }
}
