/**
 * What the store is to reach, and how it is measured: {@link dev.registrar.benchmarks.Figures} runs figures by name,
 * each beside its yardstick.
 */
@NullMarked
package dev.registrar.benchmarks;

import org.jspecify.annotations.NullMarked;
