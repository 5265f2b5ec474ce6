package dev.registrar.imports;

import dev.registrar.enrollment.DefineCourse;
import java.util.List;

/**
 * The parsed contents of a file.
 *
 * @param courses the courses, in the order of their lines; empty if there are errors
 * @param errors the first errors, in the order of their lines
 * @param errorCount total number of errors
 * @param lines number of lines with a course, valid or not
 */
record CourseFile(List<CourseLine> courses, List<LineError> errors, int errorCount, int lines) {

    /** A line, counted from 1, and its command. */
    record CourseLine(long number, DefineCourse command) {}
}
