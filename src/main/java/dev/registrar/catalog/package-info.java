/** The read models of courses and students: tables that follow the log. */
@ApplicationModule(allowedDependencies = {"eventstore", "enrollment", "projection"})
@NullMarked
package dev.registrar.catalog;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
