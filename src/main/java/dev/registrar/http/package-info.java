/** The HTTP API: turns requests into commands and queries, and their results into responses. */
@ApplicationModule(
        allowedDependencies = {
            "catalog",
            "concurrent",
            "dataset",
            "decision",
            "enrollment",
            "erasure",
            "eventstore",
            "imports",
            "projection",
            "projection :: commands",
            "security",
            "subscription"
        })
@NullMarked
package dev.registrar.http;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
