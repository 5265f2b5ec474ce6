package dev.registrar.automation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.decision.Decision;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.InterleavingStore;
import dev.registrar.decision.Origin;
import dev.registrar.decision.Outcome;
import dev.registrar.decision.RetryBounds;
import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.ChangeCapacity;
import dev.registrar.enrollment.ChangePrerequisites;
import dev.registrar.enrollment.ChangeTier;
import dev.registrar.enrollment.ChangeTimes;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.DropStudent;
import dev.registrar.enrollment.EmailAddress;
import dev.registrar.enrollment.EnrollByOverride;
import dev.registrar.enrollment.EnrollStudent;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentSettings;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.JoinWaitingList;
import dev.registrar.enrollment.LeaveWaitingList;
import dev.registrar.enrollment.MoreFacts;
import dev.registrar.enrollment.OverrideReason;
import dev.registrar.enrollment.Prerequisites;
import dev.registrar.enrollment.RegisterStudent;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.StudentName;
import dev.registrar.enrollment.Tier;
import dev.registrar.enrollment.WaitingListFacts;
import dev.registrar.enrollment.WeeklyTimes;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreUnavailableException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.pcollections.OrderedPSet;

/** A course office in memory whose automation reacts when a test calls it. */
final class Semester {
    static final String CORRELATION = "the-request";
    static final CourseId MATHS = new CourseId("maths");
    static final StudentId FIRST = new StudentId("first");

    private static final RetryBounds ONCE =
            new RetryBounds(Duration.ofMinutes(1), 1, Duration.ofMillis(1), Duration.ofMillis(1));

    private final EnrollmentEventCodec codec = new EnrollmentEventCodec();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final DecisionLoop<EnrollmentEvent> office = loop(store, RetryBounds.DEFAULT);
    private final int limit;
    private UnaryOperator<Append> beforeAppend = request -> request;
    private Position checkpoint = Position.START;

    /** A semester with a limit of courses per student. */
    Semester(int limit) {
        this.limit = limit;
    }

    EventStore store() {
        return store;
    }

    /** Runs an action before each append of the automation; the append throws what the action throws. */
    void beforeAppend(UnaryOperator<Append> action) {
        beforeAppend = action;
    }

    void appendUndisturbed() {
        beforeAppend = request -> request;
    }

    /** A new automation, as after a restart: it has no cached state. */
    WaitingListAutomation automation() {
        return automation(ONCE);
    }

    private WaitingListAutomation automation(RetryBounds bounds) {
        EventStore interleaving = new InterleavingStore(store, request -> beforeAppend.apply(request));
        return new WaitingListAutomation(
                loop(interleaving, bounds), interleaving, codec, new EnrollmentSettings(limit));
    }

    /** Reacts a number of times to each new event, including those that it causes; a failure ends it. */
    void react(int times) {
        WaitingListAutomation automation = automation();
        for (List<SequencedEvent> next = next(automation, 1); !next.isEmpty(); next = next(automation, 1)) {
            for (int time = 0; time < times; time++) {
                automation.react(next.getFirst());
            }
            checkpoint = next.getFirst().position();
        }
    }

    /** Reacts to all new events together, and then to those that this causes. */
    void reactTogether() {
        WaitingListAutomation automation = automation(RetryBounds.DEFAULT);
        int most = automation.batch();
        for (List<SequencedEvent> next = next(automation, most); !next.isEmpty(); next = next(automation, most)) {
            automation.react(next);
            checkpoint = next.getLast().position();
        }
    }

    /** Reacts to all new events, and tries again after each failure. */
    void reactUntilDone() {
        boolean done = false;
        while (!done) {
            try {
                react(1);
                done = true;
            } catch (StoreUnavailableException | OutcomeUnknownException failure) {
                // Like a runner, tries the same event again.
            }
        }
    }

    /** Reacts to one event alone. */
    void reactTo(SequencedEvent event) {
        automation().react(event);
    }

    /** Reacts again to all events from the first one. */
    void reactAgain() {
        Position last = store.head().position();
        checkpoint = Position.START;
        react(1);
        assertThat(checkpoint.value()).isLessThanOrEqualTo(last.value());
    }

    private List<SequencedEvent> next(WaitingListAutomation automation, int most) {
        return store.read(
                        automation.query(),
                        ReadOptions.forwards().after(checkpoint).limit(most))
                .toList();
    }

    SequencedEvent last() {
        return store.last(Query.all()).orElseThrow();
    }

    CourseId course(String id, int seats) {
        CourseId course = new CourseId(id);
        accept(new DefineCourse(course, new CourseTitle(id), new Capacity(seats), EnrollmentWindow.ALWAYS));
        return course;
    }

    StudentId student(String id) {
        StudentId student = new StudentId(id);
        accept(new RegisterStudent(student, new StudentName(id), new EmailAddress(id + "@example.org")));
        return student;
    }

    List<StudentId> students(int count) {
        return IntStream.range(0, count).mapToObj(i -> student("student-" + i)).toList();
    }

    void enroll(StudentId student, CourseId course) {
        accept(new EnrollStudent(student, course, limit));
    }

    void override(StudentId student, CourseId course) {
        accept(new EnrollByOverride(student, course, new OverrideReason("Retakes the course")));
    }

    void drop(StudentId student, CourseId course) {
        accept(new DropStudent(student, course));
    }

    void join(StudentId student, CourseId course) {
        accept(new JoinWaitingList(student, course));
    }

    void tier(StudentId student, Tier tier) {
        accept(new ChangeTier(student, tier));
    }

    void require(CourseId course, CourseId... prerequisites) {
        Prerequisites all = new Prerequisites(Set.of(prerequisites));
        accept(new ChangePrerequisites(course, all, all.courses()));
    }

    void times(CourseId course, String times) {
        accept(new ChangeTimes(course, WeeklyTimes.of(times)));
    }

    void leave(StudentId student, CourseId course) {
        accept(new LeaveWaitingList(student, course));
    }

    void seats(CourseId course, int seats) {
        accept(new ChangeCapacity(course, new Capacity(seats)));
    }

    /** Executes a command that must be accepted. */
    void accept(Decision<EnrollmentEvent, ?> command) {
        assertThat(give(command)).isInstanceOf(Outcome.Accepted.class);
    }

    /** Executes a command, once more if it needs facts that its first ones led to. */
    Outcome<EnrollmentEvent, ?> give(Decision<EnrollmentEvent, ?> command) {
        Outcome<EnrollmentEvent, ?> outcome = office.execute(command, Origin.correlatedBy(CORRELATION));
        return outcome instanceof Outcome.Rejected<EnrollmentEvent, ?> rejected
                        && rejected.reason() instanceof MoreFacts more
                ? give(more.decision())
                : outcome;
    }

    List<EnrollmentEvent> log() {
        return store.read(Query.all()).stream()
                .map(event -> codec.decode(event.event().type(), event.event().payload()))
                .toList();
    }

    /** All students ever enrolled in a course, in the order of enrollment. */
    List<StudentId> enrolledIn(CourseId course) {
        return log().stream()
                .filter(StudentEnrolledInCourse.class::isInstance)
                .map(StudentEnrolledInCourse.class::cast)
                .filter(enrolled -> enrolled.course().equals(course))
                .map(StudentEnrolledInCourse::student)
                .toList();
    }

    /** All students who have ever left the waiting list of a course, in this order. */
    List<StudentId> left(CourseId course) {
        return log().stream()
                .filter(StudentLeftWaitingList.class::isInstance)
                .map(StudentLeftWaitingList.class::cast)
                .filter(left -> left.course().equals(course))
                .map(StudentLeftWaitingList::student)
                .toList();
    }

    /** Opens maths with one seat, which is taken, and lets students wait for it. */
    List<StudentId> line(int length) {
        course("maths", 1);
        enroll(student("first"), MATHS);
        List<StudentId> line = students(length);
        line.forEach(student -> join(student, MATHS));
        return line;
    }

    /** As {@link #line}, for students who are each in as many courses as they may be: in music. */
    List<StudentId> lineAtLimit(int length) {
        List<StudentId> line = line(length);
        CourseId music = course("music", length);
        line.forEach(student -> enroll(student, music));
        return line;
    }

    /** The students on the waiting list of a course, in its order. */
    List<StudentId> waitingFor(CourseId course) {
        Projection<OrderedPSet<StudentId>> line = WaitingListFacts.of(course).decodedBy(codec);
        return List.copyOf(store.project(line).state(line));
    }

    /** Appends an event that no decision has produced. */
    void append(EnrollmentEvent event) {
        store.append(List.of(codec.encode(event).event()));
    }

    /** The students who got a seat and left the waiting list in one append, in append order. */
    List<StudentId> promoted() {
        List<EnrollmentEvent> log = log();
        return log.stream()
                .flatMap(event -> event instanceof StudentLeftWaitingList left
                                && log.contains(new StudentEnrolledInCourse(left.student(), left.course()))
                        ? Stream.of(left.student())
                        : Stream.empty())
                .toList();
    }

    private DecisionLoop<EnrollmentEvent> loop(EventStore on, RetryBounds bounds) {
        return new DecisionLoop<>(on, codec, bounds, 1_000, InstantSource.system());
    }
}
