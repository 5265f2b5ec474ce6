package dev.registrar.eventstore.postgres.connection;

import com.zaxxer.hikari.HikariDataSource;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;

/** Access for tests to the internals of a database's connections. */
public final class PoolAccess {

    private PoolAccess() {}

    /** The pool of a database. */
    public static HikariDataSource poolOf(Database database) {
        if (database.connections() instanceof ConnectionSource.Pooled pooled
                && pooled.pool() instanceof HikariDataSource pool) {
            return pool;
        }
        throw new IllegalArgumentException("The database has no pool of its own");
    }

    /** The Resilience4j circuit breaker behind a circuit breaker of the store. */
    public static CircuitBreaker resilience4j(dev.registrar.eventstore.postgres.connection.CircuitBreaker breaker) {
        return ((Resilience4jCircuitBreaker) breaker).delegate();
    }
}
