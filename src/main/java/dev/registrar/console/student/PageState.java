package dev.registrar.console.student;

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

    ShownCourses shownCourses() {
        return ShownCourses.of(search, filter, sort, after, afterId);
    }

    /** The address of the page to show after a form about a course. */
    String addressAfter(String course) {
        if (COURSE.equals(page)) {
            return ShownCourses.PATH + "/" + course;
        }
        return OWN.equals(page) ? OwnCoursesPage.PATH : shownCourses().address();
    }
}
