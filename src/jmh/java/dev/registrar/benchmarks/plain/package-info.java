/**
 * The baseline that users know: enrollments in plain tables with row locks, behind the service's own edge, and a
 * program that measures the service beside it.
 */
@NullMarked
package dev.registrar.benchmarks.plain;

import org.jspecify.annotations.NullMarked;
