/**
 * The rules of enrollment: its ids and values, its events, and one file per command. It knows no framework and no SQL.
 */
@ApplicationModule(allowedDependencies = {"decision", "eventstore"})
@NullMarked
package dev.registrar.enrollment;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
