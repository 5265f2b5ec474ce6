package dev.registrar.benchmarks;

import dev.registrar.benchmarks.NewPairs.Pair;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Deadline;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import java.time.Duration;
import java.util.Set;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * How many events can be appended a second, one per append: without a condition, and under the condition that no such
 * event exists (type and two tags, from the start of the store on). Whatever is not appended fails the trial.
 *
 * <p>{@code mvn -q verify -Pbenchmarks -Dbenchmarks='row0[12]|row05|row1[123]'}
 */
public class AppendBenchmark {
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    @Benchmark
    public Appended append(BenchmarkStore store, Caller caller) {
        return appended(store.store.append(Append.of(caller.newStudentEnrolled())));
    }

    /** The course has events, the student has none. */
    @Benchmark
    public Appended appendIf(BenchmarkStore store, Caller caller) {
        return appendIfNew(store, caller.newStudentEnrolled());
    }

    /** The same as a request with a deadline does it: a store as the service has it. */
    @Benchmark
    public Appended appendIfProtected(BenchmarkStore store, Caller caller) {
        Deadline.set(DEADLINE);
        try {
            return appendIfNew(store, caller.newStudentEnrolled());
        } finally {
            Deadline.clear();
        }
    }

    /** The same without deadline, circuit breaker and retry. */
    @Benchmark
    public Appended appendIfUnprotected(UnprotectedStore store, Caller caller) {
        return appendIfNew(store, caller.newStudentEnrolled());
    }

    /** The course has events and so has the student, but none together. */
    @Benchmark
    public Appended appendIfKnownTags(BenchmarkStore store, NewPairs pairs) {
        Pair pair = pairs.next();
        return appendIfNew(
                store, Caller.enrolled(pair.courseId().value(), pair.studentId().value()));
    }

    /** Appends an event unless there is one of its type with its tags. */
    static Appended appendIfNew(BenchmarkStore store, Event event) {
        QueryItem same = new QueryItem(Set.of(event.type()), event.tags());
        return appended(
                store.store.append(Append.of(event).onCondition(AppendCondition.failIfEventsMatch(Query.of(same)))));
    }

    static Appended appended(AppendResult result) {
        return switch (result) {
            case Appended appended -> appended;
            case Conflict conflict -> throw new IllegalStateException("Not appended: " + conflict);
            case StoreReplaced replaced -> throw new IllegalStateException("Not appended: " + replaced);
        };
    }
}
