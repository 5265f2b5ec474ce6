/** Courses by the file: read and checked apart from the requests' own work, then defined one decision each. */
@ApplicationModule(allowedDependencies = {"enrollment", "decision", "eventstore"})
@NullMarked
package dev.registrar.imports;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
