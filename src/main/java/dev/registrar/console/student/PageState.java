package dev.registrar.console.student;

import dev.registrar.console.Visitor;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.StudentId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a form or a link of a student's page says about the page, so that the next page shows the same courses. Each
 * part is null if it is absent.
 *
 * @param shownFor the id of the student for whom the page was made
 * @param page the page with the form: {@value #COURSE}, {@value #OWN}, or the catalogue
 * @param after the value in the sorted column of the last course of the previous page
 * @param afterId the id of that course
 */
record PageState(
        @Nullable String shownFor,
        @Nullable String page,
        @Nullable String search,
        @Nullable String filter,
        @Nullable String sort,
        @Nullable String after,
        @Nullable String afterId) {
    static final String COURSE = "course";
    static final String OWN = "my";

    private static final int LONGEST_ID_SHOWN = 64;

    public ShownCourses shownCourses() {
        return ShownCourses.of(search, filter, sort, after, afterId);
    }

    /** Why a form about a course changes nothing, whatever the state of the course; empty if it may. */
    Optional<String> mistake(Visitor visitor) {
        StudentId student = visitor.student();
        if (student == null) {
            return Optional.of(
                    visitor.isLocal()
                            ? "You have not chosen a student. Choose one first."
                            : "Your account has no student id. Ask the course office for help.");
        }
        return shownFor == null || shownFor.equals(student.value())
                ? Optional.empty()
                : Optional.of("This page was for the student %s, but you are %s now. Nothing was changed."
                        .formatted(shown(shownFor), student));
    }

    /** As {@link #mistake}; and a form says for which student its page was made, as every page of the console does. */
    Optional<String> mistakeOfForm(Visitor visitor) {
        return mistake(visitor)
                .or(() -> shownFor == null
                        ? Optional.of(
                                "The form does not say for which student its page was made. Nothing was changed. Open the page again.")
                        : Optional.empty());
    }

    private static String shown(String id) {
        return Words.typed(id.substring(0, Math.min(LONGEST_ID_SHOWN, id.length())));
    }

    /** Whether the page with the form is the catalogue, or a part of it. */
    public boolean isOfCatalogue() {
        return !COURSE.equals(page) && !OWN.equals(page);
    }

    /** The address of the page to show after a form about a course. */
    String addressAfter(CourseId course) {
        if (COURSE.equals(page)) {
            return ShownCourses.PATH + "/" + course;
        }
        return OWN.equals(page) ? StudentPages.OWN : shownCourses().address();
    }
}
