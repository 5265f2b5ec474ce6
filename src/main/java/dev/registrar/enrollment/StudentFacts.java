package dev.registrar.enrollment;

import dev.registrar.decision.Fact;
import dev.registrar.enrollment.EnrollmentEvent.CourseLoadEvent;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledByOverride;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.EnrollmentEvent.StudentTierChanged;
import dev.registrar.eventstore.Query;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import org.pcollections.PSet;
import org.pcollections.TreePSet;

/** The state of a student on which decisions depend. */
public record StudentFacts(StudentId student) implements Fact<EnrollmentEvent, StudentFacts.State> {
    private static final PSet<CourseId> NO_COURSES = TreePSet.empty(Comparator.comparing(CourseId::value));

    /**
     * A student after the events.
     *
     * @param courses the courses that the student is enrolled in now
     * @param tier null if none was ever set
     */
    public record State(
            boolean registered,
            PSet<CourseId> courses,
            @Nullable Tier tier) {
        public boolean isEnrolledIn(CourseId course) {
            return courses.contains(course);
        }

        /** The student after leaving a course. */
        State without(CourseId course) {
            return new State(registered, courses.minus(course), tier);
        }

        /**
         * Whether the student has reached or exceeded the limit of courses.
         *
         * @param limitWithoutTier maximum number of courses of a student without a tier
         */
        public boolean isAtLimit(int limitWithoutTier) {
            return courses.size() >= limit(limitWithoutTier);
        }

        private int limit(int limitWithoutTier) {
            return tier == null ? limitWithoutTier : tier.courses();
        }

        /** A phrase for the limit, which follows the number of courses. */
        String describedLimit(int limitWithoutTier) {
            return tier == null
                    ? "limit %s".formatted(limitWithoutTier)
                    : "limit %s of the tier '%s'".formatted(tier.courses(), tier.code());
        }
    }

    public static StudentFacts of(StudentId student) {
        return new StudentFacts(student);
    }

    @Override
    public Query query() {
        return Query.of(EnrollmentEventCodec.types(CourseLoadEvent.class)
                .tagged(student.tag().value()));
    }

    @Override
    public State initial() {
        return new State(false, NO_COURSES, null);
    }

    @Override
    public State apply(State state, EnrollmentEvent event) {
        return switch ((CourseLoadEvent) event) {
            case StudentRegistered registered -> new State(true, state.courses, state.tier);
            // As in the views, a tier before the registration belongs to no student.
            case StudentTierChanged changed ->
                state.registered ? new State(true, state.courses, changed.tier()) : state;
            case StudentEnrolledInCourse in -> new State(state.registered, state.courses.plus(in.course()), state.tier);
            case StudentEnrolledByOverride in ->
                new State(state.registered, state.courses.plus(in.course()), state.tier);
            case StudentDroppedCourse out -> state.without(out.course());
        };
    }

    @Override
    public int weight(State state) {
        return 1 + state.courses.size() / 8;
    }
}
