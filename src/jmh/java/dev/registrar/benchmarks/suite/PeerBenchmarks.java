package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Row;
import dev.registrar.dataset.DataSet;
import dev.registrar.decision.Fact;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import java.util.List;
import java.util.UUID;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * The workloads of {@link dev.registrar.benchmarks.peers.Peers} on this store, as the clients of the others have them.
 */
public class PeerBenchmarks {
    private static final EnrollmentEventCodec CODEC = new EnrollmentEventCodec();

    /** The number of enrollments among the events with a tag. The JSON of each event with the tag is decoded. */
    private static Projection<Long> enrollments(Tag tag) {
        return Fact.<EnrollmentEvent, StudentEnrolledInCourse>sum(
                        StudentEnrolledInCourse.class, Query.of(QueryItem.tags(tag.value())), enrolled -> 1)
                .decodedBy(CODEC);
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
        CourseId course = DataSet.course(caller.course());
        StudentId student = DataSet.student(caller.student());
        Projection<Long> inCourse = enrollments(course.tag());
        Projection<Long> ofStudent = enrollments(student.tag());
        Event enrolled = Event.of(
                "StudentEnrolledInCourse", List.of(student.tag(), course.tag()), """
                {"studentId": "%s", "courseId": "%s"}""".formatted(student, course));
        AppendResult result;
        do {
            Projected seen = store.store.project(inCourse, ofStudent);
            expect(seen.state(inCourse) > 0 && seen.state(ofStudent) > 0);
            result = store.store.append(List.of(enrolled), seen.appendCondition());
        } while (result instanceof Conflict);
        return BenchmarkStore.appended(result);
    }

    @Row(value = "peers/fold callers=1,10,100", on = "peers", onRequest = true)
    @Benchmark
    public long fold(BenchmarkStore store, Caller caller) {
        Projection<Long> inCourse = enrollments(DataSet.course(caller.course()).tag());
        long found = store.store.project(inCourse).state(inCourse);
        expect(found > 0);
        return found;
    }

    private static void expect(boolean right) {
        if (!right) {
            throw new IllegalStateException("A course or a student has no enrollments");
        }
    }
}
