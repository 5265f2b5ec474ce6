/** The store's reads: the statements, the chunks of events, the groups of small reads, and the memory budgets. */
@NullMarked
package dev.registrar.eventstore.postgres.read;

import org.jspecify.annotations.NullMarked;
