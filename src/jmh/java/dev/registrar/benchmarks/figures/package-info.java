/**
 * The performance targets of the store: {@link dev.registrar.benchmarks.figures.Figures} measures figures by name, each
 * in turns with its baseline, and compares them with their bars.
 */
@NullMarked
package dev.registrar.benchmarks.figures;

import org.jspecify.annotations.NullMarked;
