package dev.registrar.imports;

import dev.registrar.enrollment.DefineCourse;
import java.util.List;

/**
 * What was read from a file.
 *
 * @param courses of its lines, in their order; none if there are errors
 * @param errors the first of them, in the order of their lines
 * @param errorCount how many there are
 * @param lines that hold a course, right or wrong
 */
record CourseFile(List<CourseLine> courses, List<LineError> errors, int errorCount, int lines) {

    /** One line, counted from 1, and what it asks for. */
    record CourseLine(long number, DefineCourse command) {}
}
