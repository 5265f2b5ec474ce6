package dev.registrar.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.testdatabase.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Clearing waits for transactions in progress, and they do not wait for it. */
class StoreClearingTest {
    /* As in a batch of a view: its checkpoint is read in its transaction, and its events on another connection. */
    @Test
    void a_transaction_that_has_read_added_tags_can_read_events_elsewhere_meanwhile() throws SQLException {
        try (StoreDatabase database = new StoreDatabase(TestDatabase.create());
                PostgresEventStore store = database.newStore();
                Connection batch = database.connect();
                Statement statement = batch.createStatement()) {
            store.append(List.of(Event.of("Noted", "{}", "note:1")));
            batch.setAutoCommit(false);
            statement.execute("select count(*) from registrar.retaggings, registrar.tag_additions");

            StoreClearing clearing = new StoreClearing(database.database().dataSource(), "registrar");
            CompletableFuture<Void> cleared = CompletableFuture.runAsync(clearing::clear);
            await().until(() -> cleared.isDone() || isWaiting(batch));

            assertThat(cleared).isNotDone();
            assertThat(store.count(Query.all())).isEqualTo(1);
            batch.commit();
            cleared.join();
            assertThat(store.count(Query.all())).isZero();
        }
    }

    private static boolean isWaiting(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("""
                        select exists (
                            select from pg_locks
                            where not granted
                            and database = (select oid from pg_database where datname = current_database())
                        )""")) {
            row.next();
            return row.getBoolean(1);
        }
    }
}
