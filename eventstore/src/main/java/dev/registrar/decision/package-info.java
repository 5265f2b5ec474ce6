/**
 * The decision loop: read the facts of a decision, decide, append on conditions that guard the facts, and retry after
 * conflicts.
 */
@ApplicationModule(allowedDependencies = {"concurrent", "eventstore"})
@NullMarked
package dev.registrar.decision;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
