package dev.registrar.enrollment;

import java.util.List;

/**
 * The reason of a refusal because other courses of the student meet at the same time.
 *
 * @param with these courses, sorted by id, at most {@value OtherTimes#MAX}, since no more are compared
 */
public record TimesClash(List<CourseId> with) implements Refusal {
    public TimesClash {
        with = List.copyOf(with);
    }

    @Override
    public String name() {
        return EnrollStudent.Refused.TIMES_CLASH.name();
    }

    /** The ids of the other courses that a refusal names; none if it has another reason. */
    public static List<String> courses(Refusal reason) {
        return reason instanceof TimesClash clash
                ? clash.with.stream().map(CourseId::value).toList()
                : List.of();
    }
}
