/**
 * The store's access to its database: the pool, a bulkhead for each kind of calls, the circuit breaker, retries, and
 * the translation of SQLSTATEs. Independent of the store's tables and functions.
 */
@NamedInterface("connection")
@NullMarked
package dev.registrar.eventstore.postgres.connection;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
