package dev.registrar.eventstore.postgres.connection;

import java.time.Duration;

/**
 * The options of the store's connections. {@code StoreOptions} checks their bounds.
 *
 * @param connections the connections of the pool
 * @param readConnections the connections of the pool that reads may use
 * @param maxWaitingReads reads that may wait for a connection; further reads are refused as overload
 * @param connectionTimeout how long a caller waits for a free connection, and how long connecting may take
 * @param statementTimeout how long one statement may run
 * @param lockTimeout how long a statement waits for a lock
 * @param breaker the circuit breaker in front of the database
 * @param retry the retries of calls after transient failures
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
