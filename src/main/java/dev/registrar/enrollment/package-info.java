/** The rules of enrollment: ids and values, events, facts, and one file per command. No framework, no SQL, no clock. */
@ApplicationModule(allowedDependencies = {"decision", "eventstore"})
@NullMarked
package dev.registrar.enrollment;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
