/** The write loop: read the facts of a decision, decide, append under the condition that guards them, try again. */
@ApplicationModule(allowedDependencies = {"concurrent", "eventstore"})
@NullMarked
package dev.registrar.decision;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
