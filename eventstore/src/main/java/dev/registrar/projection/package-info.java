/**
 * Views and automations, free of any domain. They follow the log, each from its own checkpoint. Of Spring they need
 * only spring-jdbc, for the tables of views and checkpoints.
 */
@ApplicationModule(
        allowedDependencies = {
            "concurrent",
            "eventstore",
            "eventstore :: connection",
            "eventstore :: postgres",
            "options",
            "subscription"
        })
@NullMarked
package dev.registrar.projection;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
