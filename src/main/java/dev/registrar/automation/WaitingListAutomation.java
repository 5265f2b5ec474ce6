package dev.registrar.automation;

import static dev.registrar.enrollment.EnrollmentEventCodec.COURSE_CAPACITY_CHANGED;
import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_DROPPED_COURSE;
import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_JOINED_WAITING_LIST;
import static dev.registrar.enrollment.EnrollmentEventCodec.STUDENT_LEFT_WAITING_LIST;

import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.Origin;
import dev.registrar.decision.Outcome;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.CourseCapacityChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseClosed;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentJoinedWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentSettings;
import dev.registrar.enrollment.PromoteFromWaitingList;
import dev.registrar.enrollment.PromoteFromWaitingList.Refused;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.WaitingFacts;
import dev.registrar.enrollment.WaitingListFacts;
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
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Gives free seats to those who wait for them. */
final class WaitingListAutomation implements Automation {
    /*
     * Why nobody is forgotten: a promotion is refused on facts at some head, which is not before the event that is being
     * reacted to. Each event that can turn the refusal round comes after that head, and is reacted to in its turn:
     *   - a drop, for it frees a seat, and lets its student take one elsewhere;
     *   - another capacity;
     *   - somebody who joins, for all before them may be at their limit while a seat is free;
     *   - somebody who leaves, for that brings another one to the front, where as many as may be looked at were at their
     *     limit. A promotion is such a leaving, too: so what is over the bound of one event is done for the next.
     * Time is none: who waits joined while the window was open, and it does not open twice.
     *
     * Why nobody gets a seat twice: each promotion is decided on facts that its append guards. The keys only let one whose
     * outcome got lost count as done.
     */
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int LOOKED_AT_FIRST = 4;
    private static final int PROMOTED_AT_ONCE = 100;
    /** As the service takes it from its own clients. */
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
        return "waiting-list";
    }

    @Override
    public Query query() {
        return Query.of(QueryItem.types(
                STUDENT_DROPPED_COURSE,
                COURSE_CAPACITY_CHANGED,
                STUDENT_JOINED_WAITING_LIST,
                STUDENT_LEFT_WAITING_LIST));
    }

    @Override
    public Optional<String> unreadable(SequencedEvent event) {
        return codec.unreadable(event.event());
    }

    /**
     * Promotes those who may be since this event: 100 for a course at most, the others when it is told of the first of
     * them.
     *
     * @throws OverloadedException if others were faster each time; what is done by then stays done
     * @throws dev.registrar.eventstore.EventStoreException if the store could not answer; likewise
     */
    @Override
    public void react(SequencedEvent event) {
        Origin origin = origin(event);
        for (CourseId course : concerned(event)) {
            if (hasSeatForSomebody(course, origin)) {
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
            case CourseCapacityChanged changed -> Set.of(changed.course());
            case StudentJoinedWaitingList joined -> Set.of(joined.course());
            case StudentLeftWaitingList left -> Set.of(left.course());
            case CourseDefined nobodyWaits -> Set.of();
            case CourseClosed nobodyMayEnroll -> Set.of();
            case StudentRegistered inNoLine -> Set.of();
            case StudentEnrolledInCourse takesSeat -> Set.of();
        };
    }

    private List<CourseId> waitsFor(StudentId student) {
        Projection<List<CourseId>> courses = WaitingFacts.of(student).decodedBy(codec);
        return store.project(courses).state(courses);
    }

    /* Most often there is none, which costs one read of what is new. */
    private boolean hasSeatForSomebody(CourseId course, Origin origin) {
        return refusal(course, List.of(), origin, null).equals(Optional.of(Refused.LINE_IS_LONGER));
    }

    /*
     * Few are looked at until that is too few, since others may do something about each of them meanwhile. When the same
     * ones would be looked at again there is nobody, or nobody among as many as may be looked at.
     */
    private void promote(CourseId course, SequencedEvent cause, Origin origin) {
        Projection<List<StudentId>> line = WaitingListFacts.of(course).decodedBy(codec);
        List<StateAt<?>> known = List.of(StateAt.initial(line));
        int mostLookedAt = LOOKED_AT_FIRST;
        @Nullable List<StudentId> refused = null;
        int number = 1;
        while (number <= PROMOTED_AT_ONCE) {
            Projected seen = store.project(known);
            known = seen.states();
            List<StudentId> first =
                    seen.state(line).stream().distinct().limit(mostLookedAt).toList();
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

    /* Why nobody was promoted; nothing if somebody was. */
    private Optional<Refused> refusal(
            CourseId course, List<StudentId> first, Origin origin, @Nullable IdempotencyKey key) {
        return switch (loop.execute(new PromoteFromWaitingList(course, first, studentLimit), origin, key)) {
            case Outcome.Accepted<EnrollmentEvent, Refused> promoted -> Optional.empty();
            case Outcome.Rejected<EnrollmentEvent, Refused> rejected -> Optional.of(rejected.reason());
            case Outcome.Contended<EnrollmentEvent, Refused>(int attempts) ->
                throw new OverloadedException("Nobody was promoted to a seat in '%s': others were faster %d times"
                        .formatted(course, attempts));
        };
    }

    /* No key that a client sends holds a space. It says nothing of who was looked at: that may differ the next time. */
    private static IdempotencyKey key(SequencedEvent cause, CourseId course, int number) {
        return IdempotencyKey.of(
                "waiting-list %s %s %d".formatted(cause.position(), course, number),
                cause.event().id().toString().getBytes(StandardCharsets.UTF_8));
    }

    private static Origin origin(SequencedEvent cause) {
        return new Origin(correlationId(cause), cause.event().id().toString(), null);
    }

    /* The metadata may be another client's: it need not be JSON, and its correlation id need not be one. */
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
