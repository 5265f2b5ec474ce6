/** The pages of a student: the catalogue, one course, and the student's own courses and waiting lists. */
@NullMarked
package dev.registrar.console.student;

import org.jspecify.annotations.NullMarked;
