/** The Spring Boot wiring of the library: beans, settings under {@code registrar}, health, and errors at a start. */
@ApplicationModule(
        allowedDependencies = {
            "concurrent",
            "decision",
            "eventstore",
            "eventstore :: postgres",
            "eventstore :: schema",
            "eventstore :: connection",
            "eventstore :: options",
            "options",
            "projection",
            "relay",
            "subscription"
        })
@NullMarked
package dev.registrar.autoconfigure;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
