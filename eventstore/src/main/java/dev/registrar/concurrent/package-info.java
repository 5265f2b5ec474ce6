/**
 * Concurrency tools: deadlines, the combining queue, back-off and retry, turns, and the executor of CPU-bound work.
 * Uses no other package.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.registrar.concurrent;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
