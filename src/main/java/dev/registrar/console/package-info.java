/**
 * The web console: pages made at the server, for a person at a browser. This package has what all pages share; each
 * room of the console is a package below it. The console has no rules of its own: it gives commands and reads views.
 */
@ApplicationModule(
        allowedDependencies = {
            "catalog",
            "concurrent",
            "decision",
            "embedded",
            "enrollment",
            "erasure",
            "eventstore",
            "eventstore :: connection",
            "eventstore :: options",
            "eventstore :: postgres",
            "http :: admission",
            "http :: download",
            "http :: failure",
            "http :: live",
            "http :: problem",
            "imports",
            "projection",
            "projection :: commands",
            "security",
            "security :: session",
            "subscription"
        })
@NullMarked
package dev.registrar.console;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
