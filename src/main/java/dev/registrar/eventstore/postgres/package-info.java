/** The event store in PostgreSQL: the only code that knows its tables and functions. */
@NamedInterface("postgres")
@NullMarked
package dev.registrar.eventstore.postgres;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
