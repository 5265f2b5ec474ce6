/** Connects the library to the domain: wiring, the warm-up, and errors in settings. */
@ApplicationModule(
        allowedDependencies = {
            "catalog",
            "decision",
            "enrollment",
            "eventstore",
            "eventstore :: postgres",
            "http",
            "http :: dcb",
            "projection :: commands"
        })
@NullMarked
package dev.registrar.application;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
