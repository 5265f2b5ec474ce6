package dev.registrar.catalog;

import dev.registrar.catalog.WaitingListsView.Place;
import dev.registrar.enrollment.EnrollmentSettings;
import dev.registrar.projection.Tables;
import dev.registrar.projection.View;
import dev.registrar.projection.ViewAt;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which students on waiting lists are at their limit of courses, so that a free seat goes to the next student. */
public final class CourseLimits {
    private final RostersView rosters;
    private final StudentsView students;
    private final EnrollmentSettings settings;

    CourseLimits(RostersView rosters, StudentsView students, EnrollmentSettings settings) {
        this.rosters = rosters;
        this.students = students;
        this.settings = settings;
    }

    /** How the caller reads views. */
    @FunctionalInterface
    public interface Reads {
        <T> ViewAt<T> read(View view, Function<Tables, T> query);
    }

    /** The ids of those students among some places who have reached or exceeded their limit. */
    public Set<String> reached(List<Place> places, Reads reads) {
        Set<String> waiting = places.stream().map(Place::studentId).collect(Collectors.toSet());
        if (waiting.isEmpty()) {
            return Set.of();
        }
        Map<String, Integer> numbers = reads.read(rosters, tables -> RostersView.numbers(tables, waiting))
                .found();
        int withoutTier = settings.coursesPerStudent();
        return numbers.isEmpty()
                ? Set.of()
                : reads.read(students, tables -> StudentsView.atLimit(tables, numbers, withoutTier))
                        .found();
    }
}
