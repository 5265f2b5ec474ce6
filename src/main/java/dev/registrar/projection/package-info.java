/** The read loop, free of any domain: views and automations follow the log, each from a checkpoint of its own. */
@ApplicationModule(allowedDependencies = {"concurrent", "eventstore", "subscription"})
@NullMarked
package dev.registrar.projection;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
