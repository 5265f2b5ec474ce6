/** The embedded PostgreSQL of a first run: started when no database is configured, durable, kept in a folder. */
@NullMarked
@ApplicationModule(allowedDependencies = {})
package dev.registrar.embedded;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
