/**
 * Wires the library to the domain, checks and reports a start, warms the service up, explains errors in settings; and
 * the commands that move a history, which need no service.
 */
@ApplicationModule(
        allowedDependencies = {
            "autoconfigure",
            "dataset",
            "decision",
            "embedded",
            "enrollment",
            "eventstore",
            "eventstore :: connection",
            "eventstore :: options",
            "eventstore :: postgres",
            "eventstore :: schema",
            "http :: address",
            "projection :: commands",
            "security",
            "transfer"
        })
@NullMarked
package dev.registrar.application;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
