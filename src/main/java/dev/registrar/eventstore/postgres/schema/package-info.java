/** The schema of a store in PostgreSQL: its migrations, and whether this version of the store fits it. */
@NamedInterface("schema")
@NullMarked
package dev.registrar.eventstore.postgres.schema;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
