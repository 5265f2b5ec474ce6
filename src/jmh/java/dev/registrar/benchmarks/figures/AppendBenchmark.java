package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Caller;
import dev.registrar.benchmarks.NewPairs;
import dev.registrar.benchmarks.NewPairs.Pair;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult.Appended;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * How many events can be appended per second, one per append? Without a condition, and on condition that the whole
 * store has no such event (type and two tags). An append that is not accepted fails the trial.
 *
 * <p>{@code mvn -q process-test-classes exec:exec -Dprogram=figures.Figures -Dselect='row0[12]|row05|row1[123]'}
 */
public class AppendBenchmark {
    @Benchmark
    public Appended append(BenchmarkStore store, Caller caller) {
        return BenchmarkStore.appended(store.store.append(Append.of(caller.newStudentEnrolled())));
    }

    /** The course has events; the student has none. */
    @Benchmark
    public Appended appendIf(BenchmarkStore store, Caller caller) {
        return store.appendIfNew(caller.newStudentEnrolled());
    }

    /** The course has events and the student has events, but none has both tags. */
    @Benchmark
    public Appended appendIfKnownTags(BenchmarkStore store, NewPairs pairs) {
        Pair pair = pairs.next();
        return store.appendIfNew(
                Caller.enrolled(pair.courseId().value(), pair.studentId().value()));
    }
}
