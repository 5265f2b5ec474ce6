/**
 * How the store reaches its database: the pool, a bulkhead for each use of connections, the circuit breaker, the
 * repetition of failed calls, and what an SQLSTATE means to a caller. It knows nothing of the store's tables and
 * functions.
 */
@NamedInterface("connection")
@NullMarked
package dev.registrar.eventstore.postgres.connection;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
