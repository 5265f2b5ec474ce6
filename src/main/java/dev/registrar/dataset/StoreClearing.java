package dev.registrar.dataset;

import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.postgres.connection.Failures;
import dev.registrar.eventstore.postgres.schema.StoreStartFailure;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Clears the store of a schema, for load tests: positions start at 1 again, and the store gets a new incarnation. The
 * triggers that protect the log are disabled only within this transaction.
 */
public final class StoreClearing {
    private static final int MAX_ATTEMPTS = 6;
    private static final Set<FailureCategory> CAN_PASS =
            EnumSet.of(FailureCategory.DEADLOCK, FailureCategory.LOCK_TIMEOUT);

    private static final String IS_OWNER = """
            select pg_has_role(relowner, 'usage'), current_user
            from pg_class
            where oid = '${schema}.events'::regclass""";

    private final DataSource connections;
    private final String schema;
    private final String script;

    /**
     * Prepares to clear the store of a schema.
     *
     * @param connections connections as the owner of the tables
     */
    StoreClearing(DataSource connections, String schema) {
        this.connections = connections;
        this.schema = schema;
        this.script = """
                set local lock_timeout = '5s';
                select ${schema}.lock_store();
                -- These first: the transaction of a batch has read them when it reads events on another connection.
                lock table ${schema}.retaggings, ${schema}.tag_additions in access exclusive mode;
                alter table ${schema}.retaggings disable trigger retaggings_are_append_only;
                alter table ${schema}.tag_additions disable trigger tag_additions_are_append_only;
                alter table ${schema}.events disable trigger events_are_append_only;
                alter table ${schema}.event_tags disable trigger event_tags_are_append_only;
                truncate ${schema}.events, ${schema}.event_tags, ${schema}.idempotency_keys,
                    ${schema}.stored_states, ${schema}.imported_ranges, ${schema}.retaggings, ${schema}.tag_additions;
                alter table ${schema}.events enable trigger events_are_append_only;
                alter table ${schema}.event_tags enable trigger event_tags_are_append_only;
                alter table ${schema}.retaggings enable trigger retaggings_are_append_only;
                alter table ${schema}.tag_additions enable trigger tag_additions_are_append_only;
                update ${schema}.store set incarnation = gen_random_uuid();
                """.replace("${schema}", schema);
    }

    /**
     * Checks that the connections may clear the store.
     *
     * @throws StoreStartFailure if they are not those of the owner of the tables
     * @throws dev.registrar.eventstore.EventStoreException if the database failed
     */
    void requireOwner() {
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(IS_OWNER.replace("${schema}", schema))) {
            row.next();
            if (!row.getBoolean(1)) {
                throw new StoreStartFailure(
                        "Only the owner of the schema '%s' can clear its store, and the role '%s' is not the owner."
                                .formatted(schema, row.getString(2)),
                        "Do not enable load tests here, or connect as the owner, that is spring.flyway.user.",
                        null);
            }
        } catch (SQLException failure) {
            throw Failures.read(failure);
        }
    }

    /**
     * Removes all events, idempotency keys and stored states, after the appends in progress have committed.
     *
     * @throws dev.registrar.eventstore.EventStoreException if the database failed; nothing was removed
     */
    public void clear() {
        for (int attempt = 1; ; attempt++) {
            try {
                clearOnce();
                return;
            } catch (SQLException failure) {
                // A transaction whose caller reads on another connection meanwhile waits for the truncate, and that
                // for the transaction: a deadlock that PostgreSQL does not see.
                if (attempt == MAX_ATTEMPTS || !CAN_PASS.contains(Failures.category(failure))) {
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
