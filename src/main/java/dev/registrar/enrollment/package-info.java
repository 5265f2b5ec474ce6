/**
 * The rules of enrollment: ids and values, events, facts, and one file per command. No SQL, no clock, and of frameworks
 * only Jackson's annotations.
 */
@ApplicationModule(allowedDependencies = {"decision", "eventstore"})
@NullMarked
package dev.registrar.enrollment;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
