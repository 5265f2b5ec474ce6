package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.postgres.connection.Failures;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * Empties the store of a schema, for load tests: positions begin at 1 again, and the store has a new incarnation. The
 * protection of the log is lifted in the one transaction that does so.
 */
public final class PostgresClearing {
    private static final int MOST_TRIES = 5;

    private final DataSource connections;
    private final String script;

    /**
     * Clears the store of a schema.
     *
     * @param connections of the tables' owner
     */
    public PostgresClearing(DataSource connections, String schema) {
        this.connections = connections;
        this.script = """
                set local lock_timeout = '30s';
                select ${schema}.lock_store();
                alter table ${schema}.events disable trigger events_are_append_only;
                alter table ${schema}.event_tags disable trigger event_tags_are_append_only;
                truncate ${schema}.events, ${schema}.event_tags, ${schema}.idempotency_keys;
                alter table ${schema}.events enable trigger events_are_append_only;
                alter table ${schema}.event_tags enable trigger event_tags_are_append_only;
                update ${schema}.store set incarnation = gen_random_uuid();
                """.replace("${schema}", schema);
    }

    /**
     * Removes every event and every idempotency key, after the appends under way have committed.
     *
     * @throws dev.registrar.eventstore.EventStoreException if the database failed; nothing is removed then
     */
    public void clear() {
        for (int tries = 1; ; tries++) {
            try {
                clearOnce();
                return;
            } catch (SQLException failure) {
                // A condition check before the lock can deadlock with the truncate; PostgreSQL aborts one of them.
                if (tries == MOST_TRIES || Failures.category(failure) != FailureCategory.DEADLOCK) {
                    throw Failures.append(failure);
                }
            }
        }
    }

    private void clearOnce() throws SQLException {
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(script);
            connection.commit();
        }
    }
}
