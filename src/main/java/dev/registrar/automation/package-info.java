/** What the service does by itself when something happened: commands that events cause. */
@ApplicationModule(allowedDependencies = {"eventstore", "decision", "enrollment", "projection"})
@NullMarked
package dev.registrar.automation;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
