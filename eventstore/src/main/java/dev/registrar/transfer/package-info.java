/**
 * The move of a whole history from one store to another: exported to a file, and imported into an empty store or behind
 * other events.
 */
@ApplicationModule(
        allowedDependencies = {
            "eventstore",
            "eventstore :: connection",
            "eventstore :: options",
            "eventstore :: postgres"
        })
@NullMarked
package dev.registrar.transfer;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
