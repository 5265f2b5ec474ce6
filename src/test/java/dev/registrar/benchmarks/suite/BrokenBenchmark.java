package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.eventstore.AppendResult.Appended;
import org.openjdk.jmh.annotations.Benchmark;

/** A benchmark with an expectation that cannot be met. */
public class BrokenBenchmark {

    @Benchmark
    public Appended expectsTwoEventsOfOne(BenchmarkStore store, Writer writer) {
        return Expected.appended(2, store.store.append(writer.events("broken", 1)));
    }
}
