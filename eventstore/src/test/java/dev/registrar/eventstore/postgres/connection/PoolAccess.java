package dev.registrar.eventstore.postgres.connection;

import com.zaxxer.hikari.HikariDataSource;

/** Access for tests to the internals of a database's connections. */
public final class PoolAccess {

    private PoolAccess() {}

    /** The pool of a database. */
    public static HikariDataSource poolOf(Database database) {
        if (database.pool() instanceof HikariDataSource pool) {
            return pool;
        }
        throw new IllegalArgumentException("The database has no pool of its own");
    }
}
