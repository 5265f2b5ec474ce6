package dev.registrar.imports;

import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.Prerequisites;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parsed contents of a file.
 *
 * @param courses the courses, in the order of their lines; empty if there are errors
 * @param named the lines with a valid id, without repetitions of an id; also those that have another error
 * @param allRead whether each line was read as far as its id; otherwise the file may have courses that are not named
 * @param errors the first errors, in the order of their lines
 * @param errorCount total number of errors
 * @param lines number of lines with a course, valid or not
 * @param note what a person should check, such as a guessed encoding; null if there is nothing
 */
record CourseFile(
        List<CourseLine> courses,
        List<NamedLine> named,
        boolean allRead,
        List<LineError> errors,
        int errorCount,
        int lines,
        @Nullable String note) {

    /** A line, counted from 1, and its command. */
    record CourseLine(long number, DefineCourse command) {}

    /**
     * What can be looked up of a line, whether or not it is valid.
     *
     * @param prerequisites those of the course; none if they are invalid
     */
    record NamedLine(long number, CourseId course, Prerequisites prerequisites) {}
}
