/**
 * The results of the benchmarks: as a file, a page, sections of a document and a comparison. Uses no other package of
 * the project.
 */
@NullMarked
package dev.registrar.benchmarks.report;

import org.jspecify.annotations.NullMarked;
