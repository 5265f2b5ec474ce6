/** The common parts of all measurements: prepared databases, the store as the service builds it, and callers. */
@NullMarked
package dev.registrar.benchmarks;

import org.jspecify.annotations.NullMarked;
