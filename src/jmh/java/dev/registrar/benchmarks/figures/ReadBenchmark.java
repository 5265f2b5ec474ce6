package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Caller;
import dev.registrar.dataset.DataSet;
import dev.registrar.enrollment.CourseFacts;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * How fast are the events of a query read, and does the direction matter? Each read compares the number of its events
 * with that of the data set.
 *
 * <p>{@code mvn -q process-test-classes exec:exec -Dprogram=figures.Figures -Dselect='row0[79]'}
 */
public class ReadBenchmark {

    /** The six events of a random student. */
    @Benchmark
    public int readStudent(BenchmarkStore store, Caller caller, ExpectedCounts expected) {
        int student = caller.student();
        Query query = Query.of(QueryItem.tags(DataSet.student(student).tag().value()));
        return read(store, query, ReadOptions.forwards(), expected.ofStudent(student));
    }

    /** The facts of a random course, folded from its 51 events on average, without a cache. */
    @Benchmark
    public CourseFacts.State foldCourse(BenchmarkStore store, Caller caller, ExpectedCounts expected) {
        int course = caller.course();
        CourseProjection projection = CourseProjection.of(DataSet.course(course));
        CourseFacts.State state = store.store.project(projection).state(projection);
        expect(expected.ofCourse(course) - 1, state.enrolled());
        return state;
    }

    @Benchmark
    public int courseForwards(BenchmarkStore store, Caller caller, ExpectedCounts expected) {
        return readCourse(store, caller, expected, ReadOptions.forwards());
    }

    @Benchmark
    public int courseBackwards(BenchmarkStore store, Caller caller, ExpectedCounts expected) {
        return readCourse(store, caller, expected, ReadOptions.backwards());
    }

    @Benchmark
    public int typeForwards(BenchmarkStore store, ExpectedCounts expected) {
        return readType(store, expected, ReadOptions.forwards());
    }

    @Benchmark
    public int typeBackwards(BenchmarkStore store, ExpectedCounts expected) {
        return readType(store, expected, ReadOptions.backwards());
    }

    private static int readCourse(BenchmarkStore store, Caller caller, ExpectedCounts expected, ReadOptions options) {
        int course = caller.course();
        Query query = Query.of(QueryItem.tags(DataSet.course(course).tag().value()));
        return read(store, query, options, expected.ofCourse(course));
    }

    private static int readType(BenchmarkStore store, ExpectedCounts expected, ReadOptions options) {
        Query query = Query.of(EnrollmentEventCodec.types(StudentRegistered.class));
        return read(store, query, options, expected.students());
    }

    private static int read(BenchmarkStore store, Query query, ReadOptions options, int expected) {
        int events = 0;
        try (EventStream stream = store.store.read(query, options)) {
            while (stream.hasNext()) {
                stream.next();
                events++;
            }
        }
        expect(expected, events);
        return events;
    }

    private static void expect(int expected, int actual) {
        if (actual != expected) {
            throw new IllegalStateException("Expected %s events but got %s".formatted(expected, actual));
        }
    }
}
