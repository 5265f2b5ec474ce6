package dev.registrar.automation;

import static dev.registrar.enrollment.EnrollmentEventCodec.COURSE_CAPACITY_CHANGED;
import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_DROPPED_COURSE;
import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_JOINED_WAITING_LIST;
import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_LEFT_WAITING_LIST;
import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_TIER_CHANGED;

import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.Origin;
import dev.registrar.decision.Outcome;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.CourseCapacityChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseClosed;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.CoursePrerequisitesChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentJoinedWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.EnrollmentEvent.StudentTierChanged;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentSettings;
import dev.registrar.enrollment.PromoteFromWaitingList;
import dev.registrar.enrollment.PromoteFromWaitingList.Refused;
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
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StateAt;
import dev.registrar.projection.Automation;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.pcollections.OrderedPSet;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Assigns free seats to students on the waiting list, in the order of the list. */
final class WaitingListAutomation implements Automation {
    /*
     * Why every waiting student gets a free seat: a promotion is refused on facts at some head, which is not before the
     * event being handled. Each event that can reverse the refusal comes after that head, and is handled later:
     *   - a drop, which frees a seat, and lets its student take a seat in another course;
     *   - a change of tier, which may let its student take one seat more;
     *   - a change of capacity;
     *   - a student who joins the list, because all students before may be at their limit while a seat is free;
     *   - a student who leaves the list, which moves another student into the part that a promotion examines. A
     *     promotion is such an event, too: promotions beyond the bound for one event follow from the next.
     * A change of prerequisites is not in this list: a student who lacks a prerequisite loses the place when it is the
     * student's turn. Neither is time: a waiting student joined while the enrollment window was open, and it does not
     * open twice.
     *
     * Why no student gets a seat twice: each promotion is decided on facts that its append guards. The idempotency key
     * only makes a promotion count as done if its answer was lost.
     */
    private static final String NAME = "waiting-list";
    private static final Actor ACTOR = Actor.ofApplication(NAME);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int LOOKED_AT_FIRST = 4;
    private static final int PROMOTED_AT_ONCE = 100;
    /** The same as for requests over HTTP. */
    private static final Pattern CORRELATION_ID = Pattern.compile("[!-~]{1,128}");

    private final DecisionLoop<EnrollmentEvent> loop;
    private final EventStore store;
    private final EnrollmentEventCodec codec;
    private final int studentLimit;

    WaitingListAutomation(
            DecisionLoop<EnrollmentEvent> loop,
            EventStore store,
            EnrollmentEventCodec codec,
            EnrollmentSettings settings) {
        this.loop = loop;
        this.store = store;
        this.codec = codec;
        this.studentLimit = settings.coursesPerStudent();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Query query() {
        return Query.of(QueryItem.types(
                STUDENT_DROPPED_COURSE,
                STUDENT_TIER_CHANGED,
                COURSE_CAPACITY_CHANGED,
                STUDENT_JOINED_WAITING_LIST,
                STUDENT_LEFT_WAITING_LIST));
    }

    @Override
    public Optional<String> unreadable(SequencedEvent event) {
        return codec.unreadable(event.event());
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
        Origin origin = origin(event);
        for (CourseId course : concerned(event)) {
            if (hasSeatForWaitingStudent(course, origin)) {
                promote(course, event, origin);
            }
        }
    }

    private Set<CourseId> concerned(SequencedEvent event) {
        return switch (codec.decode(event.event())) {
            case StudentDroppedCourse out -> {
                Set<CourseId> courses = new LinkedHashSet<>();
                courses.add(out.course());
                courses.addAll(waitsFor(out.student()));
                yield courses;
            }
            case StudentTierChanged changed -> new LinkedHashSet<>(waitsFor(changed.student()));
            case CourseCapacityChanged changed -> Set.of(changed.course());
            case StudentJoinedWaitingList joined -> Set.of(joined.course());
            case StudentLeftWaitingList left -> Set.of(left.course());
            case CourseDefined noWaitingList -> Set.of();
            case CoursePrerequisitesChanged letsNobodyElseHaveSeat -> Set.of();
            case CourseClosed noMoreEnrollment -> Set.of();
            case StudentRegistered onNoWaitingList -> Set.of();
            case StudentEnrolledInCourse takesSeat -> Set.of();
        };
    }

    private List<CourseId> waitsFor(StudentId student) {
        Projection<List<CourseId>> courses = WaitingFacts.of(student).decodedBy(codec);
        return store.project(courses).state(courses);
    }

    /* Usually there is none; the check then costs one read of the new events. */
    private boolean hasSeatForWaitingStudent(CourseId course, Origin origin) {
        return refusal(course, List.of(), origin, null).equals(Optional.of(Refused.LINE_IS_LONGER));
    }

    /*
     * Examines few students first, because each one is a fact that other commands may change meanwhile. If all of them
     * are refused, it examines more. When it would examine the same students again, none of those that it may examine
     * can be promoted.
     */
    private void promote(CourseId course, SequencedEvent cause, Origin origin) {
        Projection<OrderedPSet<StudentId>> line = WaitingListFacts.of(course).decodedBy(codec);
        List<StateAt<?>> known = List.of(StateAt.initial(line));
        int mostLookedAt = LOOKED_AT_FIRST;
        @Nullable List<StudentId> refused = null;
        int number = 1;
        while (number <= PROMOTED_AT_ONCE) {
            Projected seen = store.project(known);
            known = seen.states();
            List<StudentId> first =
                    seen.state(line).stream().limit(mostLookedAt).toList();
            if (first.equals(refused)) {
                return;
            }
            Optional<Refused> refusal = refusal(course, first, origin, key(cause, course, number));
            if (refusal.isEmpty()) {
                number++;
                refused = null;
            } else if (refusal.get() == Refused.LINE_IS_LONGER) {
                mostLookedAt = Math.min(4 * mostLookedAt, PromoteFromWaitingList.MAX_CANDIDATES);
                refused = first;
            } else {
                return;
            }
        }
    }

    /* The reason why no student was promoted; empty if one was. */
    private Optional<Refused> refusal(
            CourseId course, List<StudentId> first, Origin origin, @Nullable IdempotencyKey key) {
        return switch (loop.execute(new PromoteFromWaitingList(course, first, studentLimit), origin, key)) {
            case Outcome.Accepted<EnrollmentEvent, Refused> promoted -> Optional.empty();
            case Outcome.Rejected<EnrollmentEvent, Refused> rejected -> Optional.of(rejected.reason());
            case Outcome.Contended<EnrollmentEvent, Refused>(int attempts) ->
                throw new OverloadedException("No student was promoted to a seat in '%s' after %d conflicting attempts"
                        .formatted(course, attempts));
        };
    }

    /* A client's key contains no space. The key leaves out the examined students: a retry may examine others. */
    private static IdempotencyKey key(SequencedEvent cause, CourseId course, int number) {
        return IdempotencyKey.of(
                "waiting-list %s %s %d".formatted(cause.position(), course, number),
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
