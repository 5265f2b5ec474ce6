/** The automations of the course office: commands that the service gives because of events. */
@ApplicationModule(allowedDependencies = {"eventstore", "decision", "enrollment", "projection"})
@NullMarked
package dev.registrar.automation;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
