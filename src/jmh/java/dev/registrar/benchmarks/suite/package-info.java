/** The benchmarks, by theme, under names that readers of other stores' documents recognise. */
@NullMarked
package dev.registrar.benchmarks.suite;

import org.jspecify.annotations.NullMarked;
