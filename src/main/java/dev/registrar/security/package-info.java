/** Who may call the service, and from where. */
@NullMarked
@ApplicationModule(allowedDependencies = {})
package dev.registrar.security;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
