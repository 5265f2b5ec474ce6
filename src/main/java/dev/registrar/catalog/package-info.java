/**
 * The read models: what the course office and its students look up, in tables that follow the log or folded from the
 * store.
 */
@ApplicationModule(allowedDependencies = {"eventstore", "enrollment", "projection"})
@NullMarked
package dev.registrar.catalog;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
