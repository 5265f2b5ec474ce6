/**
 * The baseline that users know: enrollments in plain tables with row locks, behind the service's own edge, and the
 * benchmarks that measure the service over HTTP beside it.
 */
@NullMarked
package dev.registrar.benchmarks.plain;

import org.jspecify.annotations.NullMarked;
