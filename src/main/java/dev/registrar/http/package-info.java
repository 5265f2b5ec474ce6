/** The edge: from a request to a command or a query, and from its outcome to a response. */
@ApplicationModule(
        allowedDependencies = {
            "catalog",
            "concurrent",
            "dataset",
            "decision",
            "enrollment",
            "eventstore",
            "imports",
            "projection",
            "subscription"
        })
@NullMarked
package dev.registrar.http;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
