/** The bounds of options, and the exception that names an option beyond them. Uses no other package. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.registrar.options;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
