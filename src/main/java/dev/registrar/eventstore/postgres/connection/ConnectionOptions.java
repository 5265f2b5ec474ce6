package dev.registrar.eventstore.postgres.connection;

import java.time.Duration;

/**
 * How the store reaches its database. The options of the store check the bounds.
 *
 * @param connections of the pool
 * @param readConnections of these, for reads
 * @param maxWaitingReads reads that wait for a connection; one more is refused as overload
 * @param connectionTimeout how long a caller waits for a free connection, and for a new one
 * @param statementTimeout how long one statement may run
 * @param lockTimeout how long a statement waits for a lock
 * @param breaker in front of the database
 * @param retry of calls that failed in passing
 */
public record ConnectionOptions(
        int connections,
        int readConnections,
        int maxWaitingReads,
        Duration connectionTimeout,
        Duration statementTimeout,
        Duration lockTimeout,
        BreakerOptions breaker,
        RetryOptions retry) {}
