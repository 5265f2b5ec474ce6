/** The options of the event store in PostgreSQL, each with its bounds and its default. */
@NamedInterface("options")
@NullMarked
package dev.registrar.eventstore.postgres.options;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
