/** The library's meters: an interface, and an implementation for applications that use Micrometer. */
@NamedInterface("metrics")
@NullMarked
package dev.registrar.eventstore.metrics;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
