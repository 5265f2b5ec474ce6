/** The embedded PostgreSQL: started if no database is configured, durable, with its data in a folder. */
@NullMarked
@ApplicationModule(allowedDependencies = {})
package dev.registrar.embedded;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
