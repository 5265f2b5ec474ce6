/** The automations of the course office: commands that the service sends in reaction to events. */
@ApplicationModule(allowedDependencies = {"eventstore", "decision", "enrollment", "projection"})
@NullMarked
package dev.registrar.automation;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
