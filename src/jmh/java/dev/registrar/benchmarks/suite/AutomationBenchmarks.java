package dev.registrar.benchmarks.suite;

import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.AwaitilityTimeouts;
import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Contents;
import dev.registrar.benchmarks.Row;
import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentJoinedWaitingList;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.Query;
import java.time.Duration;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** How soon does the automation of the waiting lists give many freed seats to those who wait? */
public class AutomationBenchmarks {
    /** Full courses, whose students have all dropped them while the automation was paused, and as many who wait. */
    @State(Scope.Benchmark)
    public static class FreedSeats {
        private static final String AUTOMATION = "/api/admin/projections/waiting-list";
        private static final int SEATS_OF_COURSE = 10;
        private static final Duration POLL = Duration.ofMillis(5);

        /** All freed seats, {@value #SEATS_OF_COURSE} in each course. */
        @Param("5000")
        int seats;

        private final EnrollmentEventCodec codec = new EnrollmentEventCodec();
        private BenchmarkStore store;
        private RunningRegistrar service;
        private int calls;

        @Setup
        public void start(BenchmarkStore measured) {
            store = measured;
            service = new RunningRegistrar();
        }

        /** Frees the seats of new courses, which takes longer than the call. */
        @Setup(Level.Invocation)
        public void free() {
            int first = calls * 2 * seats;
            calls++;
            IntFunction<CourseId> course =
                    seat -> new CourseId("course-%s".formatted((first + seat) / SEATS_OF_COURSE));
            IntFunction<StudentId> enrolled = seat -> Contents.freshman(first + seat);
            IntFunction<StudentId> waiting = seat -> Contents.freshman(first + seats + seat);
            write(Stream.of(
                            IntStream.range(first, first + 2 * seats).mapToObj(Contents::freshmanRegistered),
                            IntStream.iterate(0, seat -> seat < seats, seat -> seat + SEATS_OF_COURSE)
                                    .mapToObj(seat -> defined(course.apply(seat))),
                            seats(seat -> new StudentEnrolledInCourse(enrolled.apply(seat), course.apply(seat))),
                            seats(seat -> new StudentJoinedWaitingList(waiting.apply(seat), course.apply(seat))))
                    .flatMap(events -> events));
            awaitAutomation();
            service.api.post(AUTOMATION + "/pause", "").expect(200);
            write(seats(seat -> new StudentDroppedCourse(enrolled.apply(seat), course.apply(seat))));
        }

        private Stream<EnrollmentEvent> seats(IntFunction<EnrollmentEvent> event) {
            return IntStream.range(0, seats).mapToObj(event);
        }

        private static EnrollmentEvent defined(CourseId course) {
            return new CourseDefined(
                    course, new CourseTitle("Full"), new Capacity(SEATS_OF_COURSE), EnrollmentWindow.ALWAYS);
        }

        private void write(Stream<EnrollmentEvent> events) {
            StoredEvents.write(store, events.map(event -> codec.encode(event).event()));
        }

        Answer give() {
            Answer resumed = service.api.post(AUTOMATION + "/resume", "").expect(200);
            awaitAutomation();
            return resumed;
        }

        /* Its own events, which it handles in turn, move the head. */
        private void awaitAutomation() {
            await("the automation")
                    .atMost(AwaitilityTimeouts.MAX_WAIT)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(POLL)
                    .until(() -> service.api
                                    .get(AUTOMATION)
                                    .expect(200)
                                    .json()
                                    .path("lagEvents")
                                    .asLong()
                            == 0);
        }

        /** Each student of each call was enrolled: the first ones by the set-up, those who waited by the automation. */
        @TearDown(Level.Invocation)
        public void judge() {
            Query enrollments = Query.of(EnrollmentEventCodec.types(StudentEnrolledInCourse.class));
            Expected.events(2L * calls * seats, store.store.count(enrollments));
        }

        @TearDown
        public void stop() {
            service.close();
        }
    }

    @Row(value = "automation/freed-seats seats=5000", on = "empty", calls = "{seats}", length = Row.Length.FEW_CALLS)
    @Benchmark
    public Answer freedSeats(FreedSeats freed) {
        return freed.give();
    }
}
