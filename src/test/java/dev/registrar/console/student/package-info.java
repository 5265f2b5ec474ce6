/** Tests of the pages of a student. */
@NullMarked
package dev.registrar.console.student;

import org.jspecify.annotations.NullMarked;
