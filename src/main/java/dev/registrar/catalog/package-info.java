/**
 * The read models of the course office and its students: tables that follow the log, and look-ups that are folded from
 * the store.
 */
@ApplicationModule(allowedDependencies = {"eventstore", "enrollment", "projection"})
@NullMarked
package dev.registrar.catalog;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
