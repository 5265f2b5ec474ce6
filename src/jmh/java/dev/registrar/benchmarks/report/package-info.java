/** The results of the benchmarks: files, comparisons and pages. Uses no other package of the benchmarks. */
@NullMarked
package dev.registrar.benchmarks.report;

import org.jspecify.annotations.NullMarked;
