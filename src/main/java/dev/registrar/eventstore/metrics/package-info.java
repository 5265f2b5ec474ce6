/**
 * Where the library counts and times what it does: an interface, and Micrometer behind it where an application has it.
 */
@NamedInterface("metrics")
@NullMarked
package dev.registrar.eventstore.metrics;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
