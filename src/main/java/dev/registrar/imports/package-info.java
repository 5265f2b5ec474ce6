/** Imports of courses from files: parsed and checked on a worker for CPU-bound work, then one decision per course. */
@ApplicationModule(allowedDependencies = {"concurrent", "enrollment", "decision", "eventstore"})
@NullMarked
package dev.registrar.imports;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
