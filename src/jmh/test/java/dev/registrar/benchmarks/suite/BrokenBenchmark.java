package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Row;
import dev.registrar.eventstore.AppendResult.Appended;
import org.openjdk.jmh.annotations.Benchmark;

/** A benchmark whose expectation always fails. */
public class BrokenBenchmark {
    static final String NAME = "test/broken";

    @Row(value = NAME, on = "empty", onRequest = true)
    @Benchmark
    public Appended expectsTwoEventsOfOne(BenchmarkStore store, Caller caller) {
        return Expected.appended(2, store.store.append(caller.events("broken", 1)));
    }
}
