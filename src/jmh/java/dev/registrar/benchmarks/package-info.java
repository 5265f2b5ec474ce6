/**
 * The program that measures rows of benchmarks, and what all benchmarks share: prepared databases, the store as the
 * service builds it, and callers.
 */
@NullMarked
package dev.registrar.benchmarks;

import org.jspecify.annotations.NullMarked;
