package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Caller;
import dev.registrar.benchmarks.NewPairs;
import dev.registrar.benchmarks.NewPairs.Pair;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult.Appended;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * How many events can be appended a second, one per append: without a condition, and under the condition that no such
 * event exists (type and two tags, from the start of the store on). Whatever is not appended fails the trial.
 *
 * <p>{@code mvn -q verify -Pfigures -Dfigures='row0[12]|row05|row1[123]'}
 */
public class AppendBenchmark {
    @Benchmark
    public Appended append(BenchmarkStore store, Caller caller) {
        return BenchmarkStore.appended(store.store.append(Append.of(caller.newStudentEnrolled())));
    }

    /** The course has events, the student has none. */
    @Benchmark
    public Appended appendIf(BenchmarkStore store, Caller caller) {
        return store.appendIfNew(caller.newStudentEnrolled());
    }

    /** The course has events and so has the student, but none together. */
    @Benchmark
    public Appended appendIfKnownTags(BenchmarkStore store, NewPairs pairs) {
        Pair pair = pairs.next();
        return store.appendIfNew(
                Caller.enrolled(pair.courseId().value(), pair.studentId().value()));
    }
}
