package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.Clearing;
import dev.registrar.eventstore.FailureCategory;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Lifts the protection of the log for the one transaction that empties it. */
public final class PostgresClearing implements Clearing {
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
                select pg_advisory_xact_lock(1145258561, '${schema}.events'::regclass::oid::int);
                alter table ${schema}.events disable trigger events_are_append_only;
                alter table ${schema}.event_tags disable trigger event_tags_are_append_only;
                truncate ${schema}.events, ${schema}.event_tags, ${schema}.idempotency_keys;
                alter table ${schema}.events enable trigger events_are_append_only;
                alter table ${schema}.event_tags enable trigger event_tags_are_append_only;
                update ${schema}.store set incarnation = gen_random_uuid();
                """.replace("${schema}", schema);
    }

    /* Whoever looks for conflicts before it waits for the lock can be in the way, and one of both has to give up. */
    @Override
    public void clear() {
        for (int tries = 1; ; tries++) {
            try {
                clearOnce();
                return;
            } catch (SQLException failure) {
                if (tries == MOST_TRIES
                        || FailureCategory.ofSqlState(failure.getSQLState()) != FailureCategory.DEADLOCK) {
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
