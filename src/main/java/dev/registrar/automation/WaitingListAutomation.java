package dev.registrar.automation;

import dev.registrar.decision.Decision;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.Origin;
import dev.registrar.decision.Outcome;
import dev.registrar.enrollment.CourseFacts;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EndWaitingList;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.CourseCapacityChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseClosed;
import dev.registrar.enrollment.EnrollmentEvent.CourseTimesChanged;
import dev.registrar.enrollment.EnrollmentEvent.EnrollmentWindowChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentJoinedWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentTierChanged;
import dev.registrar.enrollment.EnrollmentEvent.WaitingListCause;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentSettings;
import dev.registrar.enrollment.OtherTimes;
import dev.registrar.enrollment.PromoteFromWaitingList;
import dev.registrar.enrollment.PromoteFromWaitingList.Refused;
import dev.registrar.enrollment.Refusal;
import dev.registrar.enrollment.StudentFacts;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.WaitingFacts;
import dev.registrar.enrollment.WaitingListFacts;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StateAt;
import dev.registrar.projection.Automation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashTreePSet;
import org.pcollections.OrderedPSet;
import org.pcollections.PSet;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Assigns free seats to students on the waiting list, in the order of the list, and ends the list of a closed course.
 */
final class WaitingListAutomation implements Automation {
    /*
     * Why every waiting student gets a free seat: each event after which a student may take a seat is handled, and the
     * walk for an event examines every student of the list, on facts that are not older than the event. These are:
     *   - a drop, which frees a seat, and lets its student take a seat in another course;
     *   - a change of tier, which may let its student take one seat more;
     *   - a change of capacity;
     *   - a change of the enrollment window, which may open it again;
     *   - a change of weekly times, which may let students take a seat in the course, and those of the course take one in
     *     another;
     *   - a student who joins the list, because all students before may be at their limit while a seat is free;
     *   - a student who leaves the list. A promotion is such an event: promotions beyond the bound for one event follow
     *     from the next.
     * Take the last of the events through which a student waits, may take a seat, and a seat is free. Its walk finds all
     * three. It ends when the course has no free seat, at the end of the list, or at its bound.
     * A change of prerequisites is not in this list: a student who lacks a prerequisite loses the place when it is the
     * student's turn. Neither is time: a waiting student joined while the enrollment window was open, and while
     * students wait, no change lets the window begin later (ChangeWindow). Neither is a definition: the office defines
     * a course once, before anyone waits. If another client defines it again, with more seats or another window, these
     * seats are given at the next event of the course.
     *
     * Who is first: the conditions of one append cannot guard 10,000 students. So a walk consists of decisions, each on
     * the next students of the list. The append of a promotion guards the course, the list and the students of its own
     * decision: none of them is passed over. A student of an earlier decision of the walk could not take the seat when
     * that decision read the facts. If a drop or a change of tier or times lets the student take it before the append of
     * a later decision, a student further back gets the seat all the same. The walk for that drop or change comes
     * afterwards: it gives the student another free seat, or leaves the student first in line for the next one.
     *
     * Events that come together share a walk for each course that they concern. It begins when all of them are stored.
     *
     * A closed course gives no seat. Its list ends after the event that closed it, and no student joins it any more.
     *
     * Why a step is bounded: a walk reads the list once, and examines each student on it once, 64 at a time. The join of
     * a later student has a later walk.
     *
     * Why no student gets a seat twice: each promotion is decided on facts that its append guards. The idempotency key
     * only makes a promotion count as done if its answer was lost.
     */
    private static final String NAME = "waiting-list";
    private static final Actor ACTOR = Actor.ofApplication(NAME);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int LOOKED_AT_FIRST = 4;
    private static final int PROMOTED_AT_ONCE = 100;
    private static final int READ_AT_ONCE = 64;
    /** Maximum number of repetitions of a walk's decisions because candidates' courses have changed. */
    private static final int MAX_OUTDATED = 20;
    /** Maximum number of places that one decision ends. */
    static final int ENDED_AT_ONCE = 500;
    /** Maximum number of events that are handled together. */
    private static final int BATCH = 1_000;
    /** Maximum number of courses whose lists are walked at the same time. */
    private static final int AT_ONCE = 32;
    /** The same as for requests over HTTP. */
    private static final Pattern CORRELATION_ID = Pattern.compile("[!-~]{1,128}");

    private final DecisionLoop<EnrollmentEvent> loop;
    private final EventStore store;
    private final EnrollmentEventCodec codec;
    private final int studentLimit;
    private final int endedAtOnce;

    WaitingListAutomation(
            DecisionLoop<EnrollmentEvent> loop,
            EventStore store,
            EnrollmentEventCodec codec,
            EnrollmentSettings settings) {
        this.loop = loop;
        this.store = store;
        this.codec = codec;
        this.studentLimit = settings.coursesPerStudent();
        this.endedAtOnce = Math.min(ENDED_AT_ONCE, store.limits().maxEventsPerAppend());
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Query query() {
        return Query.of(EnrollmentEventCodec.types(WaitingListCause.class));
    }

    @Override
    public Optional<String> unreadable(SequencedEvent event) {
        return codec.unreadable(event.event());
    }

    @Override
    public int batch() {
        return BATCH;
    }

    /**
     * Promotes the students that can have a seat because of the event: up to 100 for a course. Handling the event of
     * the first promotion continues with the others.
     *
     * @throws OverloadedException if each attempt conflicted; promotions that were appended stay
     * @throws dev.registrar.eventstore.EventStoreException if the store could not answer; promotions that were appended
     *     stay
     */
    @Override
    public void react(SequencedEvent event) {
        concerned(event).forEach(course -> walk(course, event));
    }

    /** As for one event; one walk handles all events that concern a course, and courses do not wait for each other. */
    @Override
    public void react(List<SequencedEvent> events) {
        Map<CourseId, SequencedEvent> causes = new LinkedHashMap<>();
        List<Set<CourseId>> courses = together(events, this::concerned);
        for (int i = 0; i < events.size(); i++) {
            SequencedEvent event = events.get(i);
            courses.get(i).forEach(course -> causes.putIfAbsent(course, event));
        }
        together(causes.entrySet(), each -> {
            walk(each.getKey(), each.getValue());
            return each.getKey();
        });
    }

    /* The store and the decision loop group what arrives together. */
    private static <T, R> List<R> together(Collection<T> each, Function<T, R> work) {
        List<Callable<R>> tasks =
                each.stream().map(one -> (Callable<R>) () -> work.apply(one)).toList();
        try (ExecutorService threads = Executors.newFixedThreadPool(
                AT_ONCE, Thread.ofVirtual().name(NAME + "-", 0).factory())) {
            List<R> results = new ArrayList<>();
            for (Future<R> result : threads.invokeAll(tasks)) {
                results.add(result.get());
            }
            return results;
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException("A reaction has failed", failure.getCause());
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
            throw new OverloadedException("The waiting lists were not read to their ends: the thread was interrupted");
        }
    }

    private Set<CourseId> concerned(SequencedEvent event) {
        return switch ((WaitingListCause) codec.decode(event.event())) {
            case StudentDroppedCourse out -> {
                Set<CourseId> courses = new LinkedHashSet<>();
                courses.add(out.course());
                courses.addAll(waitsFor(out.student()));
                yield courses;
            }
            case StudentTierChanged changed -> waitsFor(changed.student());
            case CourseCapacityChanged changed -> Set.of(changed.course());
            case EnrollmentWindowChanged changed -> Set.of(changed.course());
            case CourseTimesChanged changed -> {
                Set<CourseId> courses = new LinkedHashSet<>();
                courses.add(changed.course());
                courses.addAll(waitedForFrom(changed.course()));
                yield courses;
            }
            case CourseClosed closed -> Set.of(closed.course());
            case StudentJoinedWaitingList joined -> Set.of(joined.course());
            case StudentLeftWaitingList left -> Set.of(left.course());
        };
    }

    private OrderedPSet<CourseId> waitsFor(StudentId student) {
        Projection<OrderedPSet<CourseId>> courses = WaitingFacts.of(student).decodedBy(codec);
        return store.project(courses).state(courses);
    }

    /** The courses that the students of a course wait for; one read for each {@value #READ_AT_ONCE} students. */
    private Set<CourseId> waitedForFrom(CourseId course) {
        Projection<CourseFacts.State> state = CourseFacts.of(course).decodedBy(codec);
        List<StudentId> students = store.project(state).state(state).students().stream()
                .map(StudentId::new)
                .toList();
        Set<CourseId> courses = new LinkedHashSet<>();
        for (int begin = 0; begin < students.size(); begin += READ_AT_ONCE) {
            List<Projection<OrderedPSet<CourseId>>> lists =
                    students.subList(begin, Math.min(begin + READ_AT_ONCE, students.size())).stream()
                            .map(student -> WaitingFacts.of(student).decodedBy(codec))
                            .toList();
            Projected read = store.project(lists.stream().map(StateAt::initial).toList());
            lists.forEach(list -> courses.addAll(read.state(list)));
        }
        return courses;
    }

    private void walk(CourseId course, SequencedEvent cause) {
        Origin origin = origin(cause);
        // Usually no student gets a seat; the check then costs one read of the new events.
        if (outcome(course, new PromoteFromWaitingList(course, List.of(), studentLimit), origin, null)
                instanceof Outcome.Rejected<EnrollmentEvent, PromoteFromWaitingList.Refused> rejected) {
            switch (rejected.reason()) {
                case LINE_IS_LONGER -> promote(course, cause, origin);
                // As promotions beyond the bound do, further ends follow from the departures.
                case COURSE_CLOSED -> outcome(course, new EndWaitingList(course, endedAtOnce), origin, null);
                case COURSE_UNKNOWN,
                        OUTSIDE_ENROLLMENT_WINDOW,
                        COURSE_FULL,
                        NOBODY_TO_PROMOTE,
                        OTHER_COURSES_CHANGED -> {}
            }
        }
    }

    /*
     * Examines few students first, because each one is a fact that other commands may change meanwhile, and more in each
     * later decision.
     */
    private void promote(CourseId course, SequencedEvent cause, Origin origin) {
        Projection<OrderedPSet<StudentId>> waiting = WaitingListFacts.of(course).decodedBy(codec);
        List<StudentId> line = List.copyOf(store.project(waiting).state(waiting));
        PSet<StudentId> passedOver = HashTreePSet.empty();
        int begin = 0;
        int most = LOOKED_AT_FIRST;
        int number = 1;
        int promoted = 0;
        int outdated = 0;
        boolean isTimed = false;
        while (begin < line.size() && promoted < PROMOTED_AT_ONCE) {
            int end = begin + Math.min(most, PROMOTED_AT_ONCE - promoted);
            List<StudentId> next = line.subList(begin, Math.min(end, line.size()));
            OtherTimes others = OtherTimes.UNREAD;
            if (isTimed) {
                List<PSet<CourseId>> courses = coursesOf(next);
                next = next.subList(0, comparable(courses));
                others = new OtherTimes(union(courses.subList(0, next.size())));
            }
            Outcome<EnrollmentEvent, Refused> outcome = outcome(
                    course,
                    new PromoteFromWaitingList(course, passedOver, next, studentLimit, others),
                    origin,
                    key(cause, course, number));
            int examined = next.size();
            if (outcome instanceof Outcome.Accepted<EnrollmentEvent, Refused> accepted) {
                examined = examined(next, accepted.events());
                promoted += promoted(accepted.events());
                number++;
            } else if (isRefused(outcome, Refused.OTHER_COURSES_CHANGED)) {
                isTimed = true;
                outdated++;
                if (outdated > MAX_OUTDATED) {
                    throw new OverloadedException(
                            "The courses of students who wait for '%s' change too often".formatted(course));
                }
                continue;
            } else if (!isRefused(outcome, Refused.LINE_IS_LONGER)) {
                return;
            }
            most = Math.min(4 * most, PromoteFromWaitingList.MAX_CANDIDATES);
            passedOver = passedOver.plusAll(next.subList(0, examined));
            begin += examined;
        }
    }

    /* Up to the last student who left the list; none if the events are those of an earlier reaction. */
    private static int examined(List<StudentId> next, List<EnrollmentEvent> events) {
        int examined = 0;
        for (EnrollmentEvent event : events) {
            if (event instanceof StudentLeftWaitingList left) {
                examined = Math.max(examined, 1 + next.indexOf(left.student()));
            }
        }
        return examined;
    }

    private static int promoted(List<EnrollmentEvent> events) {
        return Math.toIntExact(events.stream()
                .filter(StudentEnrolledInCourse.class::isInstance)
                .count());
    }

    private static boolean isRefused(Outcome<EnrollmentEvent, Refused> outcome, Refused reason) {
        return outcome instanceof Outcome.Rejected<EnrollmentEvent, Refused> rejected && rejected.reason() == reason;
    }

    private List<PSet<CourseId>> coursesOf(List<StudentId> students) {
        List<Projection<StudentFacts.State>> states = students.stream()
                .map(student -> StudentFacts.of(student).decodedBy(codec))
                .toList();
        Projected read = store.project(states.stream().map(StateAt::initial).toList());
        return states.stream().map(state -> read.state(state).courses()).toList();
    }

    /* How many of the students one append can guard with all of their courses, but one student at least. */
    private static int comparable(List<PSet<CourseId>> courses) {
        int students = 1;
        while (students < courses.size()
                && students + union(courses.subList(0, students + 1)).size() < OtherTimes.MAX) {
            students++;
        }
        return students;
    }

    private static Set<CourseId> union(List<PSet<CourseId>> courses) {
        return courses.stream()
                .filter(each -> each.size() <= OtherTimes.MAX)
                .flatMap(PSet::stream)
                .collect(Collectors.toSet());
    }

    private <R extends Refusal> Outcome<EnrollmentEvent, R> outcome(
            CourseId course, Decision<EnrollmentEvent, R> decision, Origin origin, @Nullable IdempotencyKey key) {
        Outcome<EnrollmentEvent, R> outcome = loop.execute(decision, origin, key);
        if (outcome instanceof Outcome.Contended<EnrollmentEvent, R>(int attempts)) {
            throw new OverloadedException("'%s' for '%s' was given up after %s conflicting attempts"
                    .formatted(decision.commandType(), course, attempts));
        }
        return outcome;
    }

    /* A client's key contains no space. The key leaves out the examined students: a retry may examine others. */
    private static IdempotencyKey key(SequencedEvent cause, CourseId course, int number) {
        return IdempotencyKey.of(
                "waiting-list %s %s %s".formatted(cause.position(), course, number),
                cause.event().id().toString().getBytes(StandardCharsets.UTF_8));
    }

    private static Origin origin(SequencedEvent cause) {
        return new Origin(correlationId(cause), cause.event().id().toString(), ACTOR);
    }

    /* Another client may have appended the event: its metadata need not be JSON, nor its correlation id be valid. */
    private static @Nullable String correlationId(SequencedEvent cause) {
        try {
            return JSON.readTree(cause.event().metadata())
                    .path("correlationId")
                    .stringValueOpt()
                    .filter(id -> CORRELATION_ID.matcher(id).matches())
                    .orElse(null);
        } catch (JacksonException noJson) {
            return null;
        }
    }
}
