/**
 * What callers that compete for one thing share: deadlines, the combining queue, and the executor of CPU-bound work. It
 * knows nothing of the rest.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.registrar.concurrent;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
