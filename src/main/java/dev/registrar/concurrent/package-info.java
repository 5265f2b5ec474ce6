/** What callers that compete for one thing share: deadlines and the combining queue. It knows nothing of the rest. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.registrar.concurrent;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
