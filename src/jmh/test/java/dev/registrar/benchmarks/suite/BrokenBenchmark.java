package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.eventstore.AppendResult.Appended;
import org.openjdk.jmh.annotations.Benchmark;

/** A benchmark whose expectation always fails. */
public class BrokenBenchmark {

    @Benchmark
    public Appended expectsTwoEventsOfOne(BenchmarkStore store, Writer writer) {
        return Expected.appended(2, store.store.append(writer.events("broken", 1)));
    }
}
