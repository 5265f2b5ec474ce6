package dev.registrar.enrollment;

import static dev.registrar.enrollment.CourseOffice.ANN;
import static dev.registrar.enrollment.CourseOffice.BOB;
import static dev.registrar.enrollment.CourseOffice.CID;
import static dev.registrar.enrollment.CourseOffice.LATIN;
import static dev.registrar.enrollment.CourseOffice.MATHS;
import static dev.registrar.enrollment.CourseOffice.MUSIC;
import static dev.registrar.enrollment.CourseOffice.capacityChanged;
import static dev.registrar.enrollment.CourseOffice.courseClosed;
import static dev.registrar.enrollment.CourseOffice.courseDefined;
import static dev.registrar.enrollment.CourseOffice.email;
import static dev.registrar.enrollment.CourseOffice.given;
import static dev.registrar.enrollment.CourseOffice.prerequisitesChanged;
import static dev.registrar.enrollment.CourseOffice.seats;
import static dev.registrar.enrollment.CourseOffice.studentDropped;
import static dev.registrar.enrollment.CourseOffice.studentEnrolled;
import static dev.registrar.enrollment.CourseOffice.studentEnrolledByOverride;
import static dev.registrar.enrollment.CourseOffice.studentRegistered;
import static dev.registrar.enrollment.CourseOffice.studentTier;
import static dev.registrar.enrollment.CourseOffice.studentWaits;
import static dev.registrar.enrollment.CourseOffice.studentWaitsNoMore;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.registrar.decision.Fact;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Projection;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The facts of events in any order: other clients of the store may append events that no decision produces. A student
 * counts once, and an event that changes nothing does not count.
 */
class AnyEventsTest {
    private static final List<CourseId> COURSES = List.of(MATHS, MUSIC, LATIN);
    private static final List<StudentId> STUDENTS = List.of(ANN, BOB, CID);
    private static final int EVENTS = 80;
    private static final int FOLDED = 20_000;
    private static final long MOST_BYTES = 8_000;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void all_facts_have_the_same_students_after_each_event(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        InMemoryEventStore store = new InMemoryEventStore();
        EnrollmentEventCodec codec = new EnrollmentEventCodec();
        Set<List<Object>> enrolled = new LinkedHashSet<>();
        Set<List<Object>> waiting = new LinkedHashSet<>();
        Set<CourseId> defined = new LinkedHashSet<>();
        Set<CourseId> closed = new LinkedHashSet<>();

        for (int i = 0; i < EVENTS; i++) {
            EnrollmentEvent event = anyEvent(random);
            store.append(List.of(codec.encode(event).event()));
            switch (event) {
                case EnrollmentEvent.CourseDefined it -> defined.add(it.course());
                case EnrollmentEvent.CourseClosed it -> {
                    if (defined.contains(it.course())) {
                        closed.add(it.course());
                    }
                }
                case EnrollmentEvent.StudentEnrolledInCourse in -> enrolled.add(List.of(in.course(), in.student()));
                case EnrollmentEvent.StudentEnrolledByOverride in -> enrolled.add(List.of(in.course(), in.student()));
                case EnrollmentEvent.StudentDroppedCourse out -> enrolled.remove(List.of(out.course(), out.student()));
                case EnrollmentEvent.StudentJoinedWaitingList in -> waiting.add(List.of(in.course(), in.student()));
                case EnrollmentEvent.StudentLeftWaitingList out -> waiting.remove(List.of(out.course(), out.student()));
                case EnrollmentEvent.CourseTitleChanged it -> {}
                case EnrollmentEvent.CourseCapacityChanged it -> {}
                case EnrollmentEvent.EnrollmentWindowChanged it -> {}
                case EnrollmentEvent.CoursePrerequisitesChanged it -> {}
                case EnrollmentEvent.CourseTimesChanged it -> {}
                case EnrollmentEvent.StudentRegistered it -> {}
                case EnrollmentEvent.StudentNameChanged it -> {}
                case EnrollmentEvent.StudentEmailChanged it -> {}
                case EnrollmentEvent.StudentTierChanged it -> {}
                case EnrollmentEvent.StudentErased it -> {}
            }

            for (CourseId course : COURSES) {
                CourseFacts.State state = state(store, CourseFacts.of(course));
                assertThat(state.students()).containsExactlyInAnyOrderElementsOf(ids(enrolled, course));
                assertThat(state.line()).containsExactlyInAnyOrderElementsOf(ids(waiting, course));
                assertThat(state.closed()).isEqualTo(closed.contains(course));
                assertThat(StoredCourse.read(StoredCourse.write(state))).isEqualTo(state);
                assertThat(state(store, PrerequisiteFacts.of(course)).closed()).isEqualTo(state.closed());
                assertThat(state(store, WaitingListFacts.of(course)))
                        .extracting(StudentId::value)
                        .containsExactlyElementsOf(ids(waiting, course));
            }
            for (StudentId student : STUDENTS) {
                assertThat(state(store, StudentFacts.of(student)).courses())
                        .containsExactlyInAnyOrderElementsOf(courses(enrolled, student));
                assertThat(state(store, WaitingFacts.of(student))).containsExactlyElementsOf(courses(waiting, student));
            }
        }
    }

    private static <S> S state(InMemoryEventStore store, Fact<EnrollmentEvent, S> fact) {
        Projection<S> projection = fact.decodedBy(new EnrollmentEventCodec());
        return store.project(projection).state(projection);
    }

    private static List<String> ids(Set<List<Object>> pairs, CourseId course) {
        return pairs.stream()
                .filter(pair -> pair.get(0).equals(course))
                .map(pair -> pair.get(1).toString())
                .toList();
    }

    private static List<CourseId> courses(Set<List<Object>> pairs, StudentId student) {
        return pairs.stream()
                .filter(pair -> pair.get(1).equals(student))
                .map(pair -> (CourseId) pair.get(0))
                .toList();
    }

    private static EnrollmentEvent anyEvent(SplittableRandom random) {
        CourseId course = COURSES.get(random.nextInt(COURSES.size()));
        StudentId student = STUDENTS.get(random.nextInt(STUDENTS.size()));
        return switch (random.nextInt(21)) {
            case 0 -> courseDefined(course, seats(random.nextInt(1, 5)));
            case 1 -> capacityChanged(course, seats(random.nextInt(1, 5)));
            case 2 -> prerequisitesChanged(course, MUSIC);
            case 3 -> courseClosed(course);
            case 4 -> studentRegistered(student);
            case 5 -> studentTier(student, Tier.BASIC);
            case 6, 7, 8 -> studentEnrolled(student, course);
            case 9, 10 -> studentDropped(student, course);
            case 11, 12, 13 -> studentWaits(student, course);
            case 14 -> new EnrollmentEvent.CourseTitleChanged(course, new CourseTitle("Sets"));
            case 15 -> new EnrollmentEvent.EnrollmentWindowChanged(course, EnrollmentWindow.ALWAYS);
            case 16 -> new EnrollmentEvent.StudentNameChanged(student, new StudentName("Ann"));
            case 17 -> new EnrollmentEvent.StudentEmailChanged(student, email(ANN), email(BOB));
            case 18 -> new EnrollmentEvent.CourseTimesChanged(course, WeeklyTimes.of("Mon 10:00-12:00"));
            case 19 -> studentEnrolledByOverride(student, course);
            default -> studentWaitsNoMore(student, course);
        };
    }

    @Test
    void a_drop_of_a_student_who_is_not_enrolled_frees_no_seat() {
        given(courseDefined(MATHS, seats(1)), studentRegistered(BOB), studentEnrolled(ANN, MATHS))
                .given(studentDropped(CID, MATHS), studentDropped(BOB, MATHS))
                .when(new EnrollStudent(BOB, MATHS, 10))
                .thenRefused(EnrollStudent.Refused.COURSE_FULL);
    }

    @Test
    void a_repeated_enrollment_takes_no_second_seat() {
        given(courseDefined(MATHS, seats(2)), studentRegistered(BOB), studentEnrolled(ANN, MATHS))
                .given(studentEnrolled(ANN, MATHS))
                .when(new EnrollStudent(BOB, MATHS, 10))
                .thenAccepted(studentEnrolled(BOB, MATHS));
    }

    @Test
    void a_student_who_leaves_twice_leaves_no_one_behind_on_the_list() {
        given(courseDefined(MATHS, seats(1)), studentRegistered(BOB), studentWaits(ANN, MATHS))
                .given(studentWaits(ANN, MATHS), studentWaitsNoMore(ANN, MATHS))
                .when(new EnrollStudent(BOB, MATHS, 10))
                .thenAccepted(studentEnrolled(BOB, MATHS));
    }

    /* A state is kept for each of a hundred thousand students, so a fold must not copy the others. */
    @Test
    void states_of_a_large_course_share_what_did_not_change() {
        CourseFacts facts = CourseFacts.of(MATHS);
        CourseFacts.State state = facts.apply(facts.initial(), courseDefined(MATHS, seats(Capacity.MAX)));
        List<CourseFacts.State> states = new ArrayList<>();
        for (int i = 0; i < Capacity.MAX; i++) {
            state = facts.apply(state, studentEnrolled(new StudentId("student-" + i), MATHS));
            states.add(state);
        }

        assertThat(state.enrolled()).isEqualTo(Capacity.MAX);
        assertThat(IntStream.range(0, states.size()).allMatch(i -> states.get(i).enrolled() == i + 1))
                .isTrue();
        // Ids of 9 to 13 characters, a line feed after each, and less than a third for the pages.
        int characters = 1_388_890;
        assertThat(facts.weight(state)).isBetween(characters / 1_024, characters / 3 * 4 / 1_024);
    }

    /* A fold that copied a list of 10,000 ids for each event would allocate 40 KB an event. */
    @Test
    void a_fold_does_not_copy_its_state_for_each_event() {
        assertThat(bytesOfFold(CourseFacts.of(MATHS), i -> studentEnrolled(student(i), MATHS)))
                .isLessThan(MOST_BYTES);
        assertThat(bytesOfFold(CourseFacts.of(MATHS), i -> studentWaits(student(i), MATHS)))
                .isLessThan(MOST_BYTES);
        assertThat(bytesOfFold(WaitingListFacts.of(MATHS), i -> studentWaits(student(i), MATHS)))
                .isLessThan(MOST_BYTES);
        assertThat(bytesOfFold(WaitingFacts.of(ANN), i -> studentWaits(ANN, course(i))))
                .isLessThan(MOST_BYTES);
        assertThat(bytesOfFold(StudentFacts.of(ANN), i -> studentEnrolled(ANN, course(i))))
                .isLessThan(MOST_BYTES);
    }

    private static StudentId student(int number) {
        return new StudentId("student-" + number);
    }

    private static CourseId course(int number) {
        return new CourseId("course-" + number);
    }

    /* The bytes that the fold of each event allocates on average. */
    private static <S> long bytesOfFold(Fact<EnrollmentEvent, S> fact, IntFunction<EnrollmentEvent> event) {
        List<EnrollmentEvent> events =
                IntStream.range(0, FOLDED).mapToObj(event).toList();
        ThreadMXBean memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = memory.getCurrentThreadAllocatedBytes();
        S state = fact.initial();
        for (EnrollmentEvent each : events) {
            state = fact.apply(state, each);
        }
        return (memory.getCurrentThreadAllocatedBytes() - before) / FOLDED;
    }
}
