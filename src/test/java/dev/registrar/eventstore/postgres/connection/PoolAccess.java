package dev.registrar.eventstore.postgres.connection;

import com.zaxxer.hikari.HikariDataSource;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;

/** What tests see of a database's connections, and callers do not. */
public final class PoolAccess {

    private PoolAccess() {}

    /** The pool that a database has opened. */
    public static HikariDataSource poolOf(Database database) {
        if (database.connections() instanceof ConnectionSource.Pooled pooled
                && pooled.pool() instanceof HikariDataSource pool) {
            return pool;
        }
        throw new IllegalArgumentException("The database has no pool of its own");
    }

    /** The circuit breaker of Resilience4j behind one of ours. */
    public static CircuitBreaker resilience4j(dev.registrar.eventstore.postgres.connection.CircuitBreaker breaker) {
        return ((Resilience4jCircuitBreaker) breaker).delegate();
    }
}
