/**
 * Every benchmark row of the published documents of other stores, under a name that their readers recognise.
 * {@link dev.registrar.benchmarks.suite.Suite} measures rows by name.
 */
@NullMarked
package dev.registrar.benchmarks.suite;

import org.jspecify.annotations.NullMarked;
