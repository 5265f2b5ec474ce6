/** The read models: what the course office and its students look up, folded from the store and so always current. */
@ApplicationModule(allowedDependencies = {"eventstore", "enrollment"})
@NullMarked
package dev.registrar.catalog;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
