package dev.registrar.enrollment;

import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The courses that a student must be enrolled in before enrolling in another one. Only the enrollment counts: the
 * course office does not record the completion of a course, and an enrollment in a closed course remains valid.
 *
 * @param courses at most {@value #MAX}, in the order of their ids
 */
public record Prerequisites(Set<CourseId> courses) {
    /** Maximum number of prerequisites of a course. */
    public static final int MAX = 16;

    public static final Prerequisites NONE = new Prerequisites(Set.of());

    public Prerequisites {
        if (courses.size() > MAX) {
            throw new IllegalArgumentException(
                    "A course has at most %s prerequisites but was given %s".formatted(MAX, courses.size()));
        }
        SequencedSet<CourseId> inOrder = courses.stream()
                .sorted(Comparator.comparing(CourseId::value))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        courses = Collections.unmodifiableSet(inOrder);
    }

    /**
     * The prerequisites of these ids; a repeated id counts once.
     *
     * @throws IllegalArgumentException if an id is invalid, or there are too many
     */
    public static Prerequisites of(List<String> ids) {
        return new Prerequisites(ids.stream().map(CourseId::new).collect(Collectors.toSet()));
    }

    public List<String> ids() {
        return courses.stream().map(CourseId::value).toList();
    }

    /** The prerequisites that a student who is enrolled in some courses lacks. */
    Prerequisites missing(Set<CourseId> enrolledIn) {
        Set<CourseId> missing = new HashSet<>(courses);
        missing.removeAll(enrolledIn);
        return missing.isEmpty() ? NONE : new Prerequisites(missing);
    }

    public boolean isEmpty() {
        return courses.isEmpty();
    }

    /** The ids with spaces between them. */
    @Override
    public String toString() {
        return String.join(" ", ids());
    }
}
