/** The schema of a store in PostgreSQL: its migrations, and the check that it matches this version. */
@NamedInterface("schema")
@NullMarked
package dev.registrar.eventstore.postgres.schema;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
