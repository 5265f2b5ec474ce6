package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Row;
import dev.registrar.dataset.DataSet;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import java.util.List;
import java.util.UUID;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * The workloads of {@link dev.registrar.benchmarks.peers.Peers} on this store, as the clients of the others have them.
 */
public class PeerBenchmarks {
    private static final EnrollmentEventCodec CODEC = new EnrollmentEventCodec();

    /** The number of enrollments with a tag. The JSON of each event with the tag is decoded to its type. */
    private record Enrollments(Tag tag) implements Projection<Integer> {
        static Enrollments inAnyCourse(Caller caller) {
            return new Enrollments(DataSet.course(caller.course()).tag());
        }

        @Override
        public Query query() {
            return Query.of(QueryItem.tags(tag.value()));
        }

        @Override
        public Integer initial() {
            return 0;
        }

        @Override
        public Integer apply(Integer enrollments, SequencedEvent found) {
            Event event = found.event();
            return CODEC.decode(event.type(), event.payload()) instanceof StudentEnrolledInCourse
                    ? enrollments + 1
                    : enrollments;
        }
    }

    @Row(value = "peers/append callers=1,10,100", on = "peers", onRequest = true)
    @Benchmark
    public Appended append(BenchmarkStore store) {
        return BenchmarkStore.appended(store.store.append(List.of(userCreated())));
    }

    @Row(value = "peers/append-unless-exists callers=1,10,100", on = "peers", onRequest = true)
    @Benchmark
    public Appended appendUnlessExists(BenchmarkStore store) {
        return store.appendIfNew(userCreated());
    }

    private static Event userCreated() {
        return Event.of("UserCreated", "{}", "user:" + UUID.randomUUID());
    }

    /** Reads a course and a student, decides on an enrollment, and appends it unless there are newer events. */
    @Row(value = "peers/decide callers=1,10,100", on = "peers", onRequest = true)
    @Benchmark
    public Appended decide(BenchmarkStore store, Caller caller) {
        Enrollments inCourse = Enrollments.inAnyCourse(caller);
        Enrollments ofStudent =
                new Enrollments(DataSet.student(caller.student()).tag());
        Event enrolled = Event.of("StudentEnrolledInCourse", List.of(ofStudent.tag(), inCourse.tag()), """
                {"studentId": "%s", "courseId": "%s"}""".formatted(
                        id(ofStudent.tag()), id(inCourse.tag())));
        AppendResult result;
        do {
            Projected seen = store.store.project(inCourse, ofStudent);
            expect(seen.state(inCourse) > 0 && seen.state(ofStudent) > 0);
            result = store.store.append(List.of(enrolled), seen.appendCondition());
        } while (result instanceof Conflict);
        return BenchmarkStore.appended(result);
    }

    private static String id(Tag tag) {
        return tag.value().substring(tag.value().indexOf(':') + 1);
    }

    @Row(value = "peers/fold callers=1,10,100", on = "peers", onRequest = true)
    @Benchmark
    public int fold(BenchmarkStore store, Caller caller) {
        Enrollments inCourse = Enrollments.inAnyCourse(caller);
        int enrollments = store.store.project(inCourse).state(inCourse);
        expect(enrollments > 0);
        return enrollments;
    }

    private static void expect(boolean right) {
        if (!right) {
            throw new IllegalStateException("A course or a student has no enrollments");
        }
    }
}
