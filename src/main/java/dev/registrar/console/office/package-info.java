/** The pages of the course office: courses, students, imports, and the history of a course. They contain no rule. */
@NullMarked
package dev.registrar.console.office;

import org.jspecify.annotations.NullMarked;
