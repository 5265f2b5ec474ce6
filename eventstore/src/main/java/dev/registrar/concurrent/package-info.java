/** Concurrency tools: deadlines, the combining queue, back-off with retries, and the executor of CPU-bound work. */
@ApplicationModule(allowedDependencies = {"options"})
@NullMarked
package dev.registrar.concurrent;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
