package dev.registrar.enrollment;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.registrar.decision.EventCodec;
import dev.registrar.decision.IgnoringCodec;
import dev.registrar.decision.UnknownEventTypeException;
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
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The stored form of the events: the type is the event's name, the payload a flat JSON object. Unknown fields of a
 * payload are ignored, so that a later version may add fields. Texts and instants are read as they are stored, even if
 * the current commands would refuse them. Decisions ignore an event that cannot be read: clients of the store's own API
 * may append under the domain's types, and must not stop the decisions on a course.
 */
public final class EnrollmentEventCodec implements EventCodec<EnrollmentEvent> {
    public static final String COURSE_DEFINED = "CourseDefined";
    public static final String COURSE_CAPACITY_CHANGED = "CourseCapacityChanged";
    public static final String COURSE_PREREQUISITES_CHANGED = "CoursePrerequisitesChanged";
    public static final String COURSE_CLOSED = "CourseClosed";
    public static final String STUDENT_REGISTERED = "StudentRegistered";
    public static final String STUDENT_TIER_CHANGED = "StudentTierChanged";
    public static final String STUDENT_ENROLLED_IN_COURSE = "StudentEnrolledInCourse";
    public static final String STUDENT_DROPPED_COURSE = "StudentDroppedCourse";
    public static final String STUDENT_JOINED_WAITING_LIST = "StudentJoinedWaitingList";
    public static final String STUDENT_LEFT_WAITING_LIST = "StudentLeftWaitingList";

    /** The types of all events of the domain. Where callers have a login, only the domain itself appends them. */
    public static final Set<String> TYPES = Set.of(
            COURSE_DEFINED,
            COURSE_CAPACITY_CHANGED,
            COURSE_PREREQUISITES_CHANGED,
            COURSE_CLOSED,
            STUDENT_REGISTERED,
            STUDENT_TIER_CHANGED,
            STUDENT_ENROLLED_IN_COURSE,
            STUDENT_DROPPED_COURSE,
            STUDENT_JOINED_WAITING_LIST,
            STUDENT_LEFT_WAITING_LIST);

    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .withConfigOverride(
                    String.class, texts -> texts.setNullHandling(JsonSetter.Value.forValueNulls(Nulls.FAIL)))
            .build();

    private final EventCodec<EnrollmentEvent> ignoring;

    public EnrollmentEventCodec() {
        this(new CompositeMeterRegistry());
    }

    /** @param metrics counts the events that decisions ignore */
    public EnrollmentEventCodec(MeterRegistry metrics) {
        ignoring = new IgnoringCodec<>(this, metrics);
    }

    @Override
    public Optional<EnrollmentEvent> decodeForDecision(SequencedEvent stored) {
        return ignoring.decodeForDecision(stored);
    }

    @Override
    public Encoded encode(EnrollmentEvent event) {
        return switch (event) {
            case CourseDefined defined -> encoded(COURSE_DEFINED, event, DefinedJson.of(defined));
            case CourseCapacityChanged changed ->
                encoded(
                        COURSE_CAPACITY_CHANGED,
                        event,
                        new CapacityJson(
                                changed.course().value(), changed.capacity().seats()));
            case CoursePrerequisitesChanged changed ->
                encoded(
                        COURSE_PREREQUISITES_CHANGED,
                        event,
                        new PrerequisitesJson(
                                changed.course().value(),
                                changed.prerequisites().ids()));
            case CourseClosed closed ->
                encoded(COURSE_CLOSED, event, new CourseJson(closed.course().value()));
            case StudentRegistered registered ->
                encoded(
                        STUDENT_REGISTERED,
                        event,
                        new StudentJson(
                                registered.student().value(),
                                registered.name().value(),
                                registered.email().value()));
            case StudentTierChanged changed ->
                encoded(
                        STUDENT_TIER_CHANGED,
                        event,
                        new TierJson(changed.student().value(), changed.tier().code()));
            case StudentEnrolledInCourse in ->
                encoded(
                        STUDENT_ENROLLED_IN_COURSE,
                        event,
                        new PairJson(in.student().value(), in.course().value()));
            case StudentDroppedCourse out ->
                encoded(
                        STUDENT_DROPPED_COURSE,
                        event,
                        new PairJson(out.student().value(), out.course().value()));
            case StudentJoinedWaitingList joined ->
                encoded(
                        STUDENT_JOINED_WAITING_LIST,
                        event,
                        new PairJson(joined.student().value(), joined.course().value()));
            case StudentLeftWaitingList left ->
                encoded(
                        STUDENT_LEFT_WAITING_LIST,
                        event,
                        new PairJson(left.student().value(), left.course().value()));
        };
    }

    /**
     * Decodes a stored event. Its tags must name exactly the course and the student in its payload, so that queries by
     * tags and the payload agree.
     *
     * @throws IllegalArgumentException if the tags and the payload disagree, or the payload cannot be read
     */
    @Override
    public EnrollmentEvent decode(Event stored) {
        EnrollmentEvent event = decode(stored.type(), stored.payload());
        boolean fits = switch (event) {
            case CourseDefined defined -> isAbout(stored, defined.course(), null);
            case CourseCapacityChanged changed -> isAbout(stored, changed.course(), null);
            case CoursePrerequisitesChanged changed -> isAbout(stored, changed.course(), null);
            case CourseClosed closed -> isAbout(stored, closed.course(), null);
            case StudentRegistered registered -> isAbout(stored, null, registered.student());
            case StudentTierChanged changed -> isAbout(stored, null, changed.student());
            case StudentEnrolledInCourse in -> isAbout(stored, in.course(), in.student());
            case StudentDroppedCourse out -> isAbout(stored, out.course(), out.student());
            case StudentJoinedWaitingList joined -> isAbout(stored, joined.course(), joined.student());
            case StudentLeftWaitingList left -> isAbout(stored, left.course(), left.student());
        };
        if (!fits) {
            throw new IllegalArgumentException(
                    "The tags of a %s name another course or student than its payload".formatted(stored.type()));
        }
        return event;
    }

    private static boolean isAbout(Event stored, @Nullable CourseId course, @Nullable StudentId student) {
        return isOnlyTagged(stored, CourseId.KIND, course == null ? null : course.value())
                && isOnlyTagged(stored, StudentId.KIND, student == null ? null : student.value());
    }

    /* Compares without making a tag, because every fold does this for every event. */
    private static boolean isOnlyTagged(Event stored, String kind, @Nullable String id) {
        int tags = 0;
        for (Tag tag : stored.tags()) {
            String value = tag.value();
            if (value.startsWith(kind)) {
                if (id == null || value.length() != kind.length() + id.length() || !value.endsWith(id)) {
                    return false;
                }
                tags++;
            }
        }
        return id == null || tags == 1;
    }

    @Override
    public EnrollmentEvent decode(String type, String payload) {
        return switch (type) {
            case COURSE_DEFINED -> read(type, payload, DefinedJson.class).event(type);
            case COURSE_CAPACITY_CHANGED -> {
                CapacityJson changed = read(type, payload, CapacityJson.class);
                yield new CourseCapacityChanged(new CourseId(changed.courseId()), new Capacity(changed.capacity()));
            }
            case COURSE_PREREQUISITES_CHANGED -> {
                PrerequisitesJson changed = read(type, payload, PrerequisitesJson.class);
                if (changed.prerequisites() == null) {
                    throw unreadable(type, null);
                }
                yield new CoursePrerequisitesChanged(
                        new CourseId(changed.courseId()), prerequisites(type, changed.prerequisites()));
            }
            case COURSE_CLOSED ->
                new CourseClosed(
                        new CourseId(read(type, payload, CourseJson.class).courseId()));
            case STUDENT_REGISTERED -> {
                StudentJson student = read(type, payload, StudentJson.class);
                yield new StudentRegistered(
                        new StudentId(student.studentId()),
                        StudentName.stored(student.name()),
                        EmailAddress.stored(student.email()));
            }
            case STUDENT_TIER_CHANGED -> {
                TierJson changed = read(type, payload, TierJson.class);
                yield new StudentTierChanged(new StudentId(changed.studentId()), Tier.of(changed.tier()));
            }
            case STUDENT_ENROLLED_IN_COURSE -> {
                PairJson pair = read(type, payload, PairJson.class);
                yield new StudentEnrolledInCourse(new StudentId(pair.studentId()), new CourseId(pair.courseId()));
            }
            case STUDENT_DROPPED_COURSE -> {
                PairJson pair = read(type, payload, PairJson.class);
                yield new StudentDroppedCourse(new StudentId(pair.studentId()), new CourseId(pair.courseId()));
            }
            case STUDENT_JOINED_WAITING_LIST -> {
                PairJson pair = read(type, payload, PairJson.class);
                yield new StudentJoinedWaitingList(new StudentId(pair.studentId()), new CourseId(pair.courseId()));
            }
            case STUDENT_LEFT_WAITING_LIST -> {
                PairJson pair = read(type, payload, PairJson.class);
                yield new StudentLeftWaitingList(new StudentId(pair.studentId()), new CourseId(pair.courseId()));
            }
            default -> throw new UnknownEventTypeException("enrollment", type);
        };
    }

    private static Encoded encoded(String type, EnrollmentEvent event, Record json) {
        return new Encoded(type, event.tags(), JSON.writeValueAsString(json));
    }

    private static <T> T read(String type, String payload, Class<T> json) {
        try {
            T read = JSON.readValue(payload, json);
            if (read == null) {
                throw unreadable(type, null);
            }
            return read;
        } catch (JacksonException | DateTimeException | ArithmeticException failure) {
            // A number in place of an instant causes one of the latter two.
            throw unreadable(type, failure);
        }
    }

    /* The error does not repeat the payload, which may be personal data; the cause names the field. */
    private static IllegalArgumentException unreadable(String type, @Nullable RuntimeException cause) {
        return new IllegalArgumentException("The payload of a %s cannot be read".formatted(type), cause);
    }

    /* A list in JSON may contain null, which Jackson keeps. */
    private static Prerequisites prerequisites(String type, List<String> ids) {
        if (ids.stream().anyMatch(Objects::isNull)) {
            throw unreadable(type, null);
        }
        return Prerequisites.of(ids);
    }

    private record DefinedJson(
            String courseId,
            String title,
            int capacity,
            @Nullable Instant opensAt,
            @Nullable Instant closesAt,

            // Absent if the course has no prerequisites, and from events that are older than prerequisites.
            @JsonInclude(JsonInclude.Include.NON_EMPTY) @Nullable List<String> prerequisites) {
        static DefinedJson of(CourseDefined defined) {
            return new DefinedJson(
                    defined.course().value(),
                    defined.title().value(),
                    defined.capacity().seats(),
                    defined.window().opensAt(),
                    defined.window().closesAt(),
                    defined.prerequisites().ids());
        }

        CourseDefined event(String type) {
            return new CourseDefined(
                    new CourseId(courseId),
                    CourseTitle.stored(title),
                    new Capacity(capacity),
                    EnrollmentWindow.stored(opensAt, closesAt),
                    prerequisites == null
                            ? Prerequisites.NONE
                            : EnrollmentEventCodec.prerequisites(type, prerequisites));
        }
    }

    private record CapacityJson(String courseId, int capacity) {}

    private record PrerequisitesJson(
            String courseId, @Nullable List<String> prerequisites) {}

    private record CourseJson(String courseId) {}

    private record StudentJson(String studentId, String name, String email) {}

    private record TierJson(String studentId, String tier) {}

    private record PairJson(String studentId, String courseId) {}
}
