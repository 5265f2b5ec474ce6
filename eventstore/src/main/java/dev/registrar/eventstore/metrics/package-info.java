/** The meters of CPU-bound work. */
@NamedInterface("metrics")
@NullMarked
package dev.registrar.eventstore.metrics;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
