/** The event store in PostgreSQL. No other code of the library uses its tables and functions. */
@NamedInterface("postgres")
@NullMarked
package dev.registrar.eventstore.postgres;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
