/** Wires the library to the domain, checks and reports a start, warms the service up, explains errors in settings. */
@ApplicationModule(
        allowedDependencies = {
            "decision",
            "embedded",
            "enrollment",
            "eventstore",
            "eventstore :: options",
            "eventstore :: postgres",
            "http :: address",
            "projection :: commands",
            "security"
        })
@NullMarked
package dev.registrar.application;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
