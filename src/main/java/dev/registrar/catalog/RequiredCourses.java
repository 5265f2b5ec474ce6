package dev.registrar.catalog;

import dev.registrar.enrollment.ChangePrerequisites;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.PrerequisiteFacts;
import dev.registrar.enrollment.Prerequisites;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.StateAt;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The courses that some prerequisites require in turn, according to the store. */
public final class RequiredCourses {
    private RequiredCourses() {}

    /** The command that changes the prerequisites of a course, with the courses that they currently require. */
    public static ChangePrerequisites change(
            EventStore store, EnrollmentEventCodec codec, CourseId course, Prerequisites prerequisites) {
        return new ChangePrerequisites(
                course, prerequisites, of(store, codec, prerequisites, ChangePrerequisites.MAX_REQUIRED));
    }

    /*
     * The prerequisites, their prerequisites, and so on, each once, the nearest first, up to a maximum. One read of the
     * store finds all courses of the next step.
     */
    private static Set<CourseId> of(
            EventStore store, EnrollmentEventCodec codec, Prerequisites prerequisites, int most) {
        Set<CourseId> required = new LinkedHashSet<>();
        Set<CourseId> next = prerequisites.courses();
        while (!next.isEmpty() && required.size() < most) {
            Set<CourseId> step =
                    next.stream().limit(most - required.size()).collect(Collectors.toCollection(LinkedHashSet::new));
            required.addAll(step);
            next = requiredFor(step, store, codec);
            next.removeAll(required);
        }
        return required;
    }

    private static Set<CourseId> requiredFor(Set<CourseId> courses, EventStore store, EnrollmentEventCodec codec) {
        List<Projection<PrerequisiteFacts.State>> states = courses.stream()
                .map(course -> PrerequisiteFacts.of(course).decodedBy(codec))
                .toList();
        Projected read = store.project(states.stream().map(StateAt::initial).toList());
        Set<CourseId> required = new LinkedHashSet<>();
        states.forEach(each -> required.addAll(read.state(each).prerequisites().courses()));
        return required;
    }
}
