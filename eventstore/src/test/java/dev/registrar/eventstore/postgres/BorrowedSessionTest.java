package dev.registrar.eventstore.postgres;

import static dev.registrar.eventstore.postgres.BorrowedTransaction.changed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.options.InvalidOptionException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The state of a borrowed connection after an append, and the connections that an append refuses. */
@Timeout(120)
class BorrowedSessionTest {
    private static final Append REQUEST = Append.of(Event.of("Booked", "{}", "room:1"));
    private static final Append REFUSED = REQUEST.onCondition(AppendCondition.failIfEventsMatch(Query.all()));
    private static final Append HOLDING = REQUEST.holding(ResourceLocks.of(List.of("room:1"), Duration.ofSeconds(8)));
    private static final String BOUND = "transaction_timeout";

    private static StoreDatabase database;
    private static PostgresEventStore store;

    @BeforeAll
    static void open() {
        database = new StoreDatabase();
        BorrowedTransaction.createTable(database);
        store = database.newStore();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @BeforeEach
    void fill() {
        database.clear();
        store.append(REQUEST);
    }

    enum Way {
        APPENDED,
        APPENDED_HOLDING_RESOURCES,
        CONFLICT,
        FAILED;

        /** Appends in this way. */
        private void run(BorrowedTransaction caller) throws SQLException {
            switch (this) {
                case APPENDED -> assertThat(caller.append(store, REQUEST)).isInstanceOf(Appended.class);
                case APPENDED_HOLDING_RESOURCES ->
                    assertThat(caller.append(store, HOLDING)).isInstanceOf(Appended.class);
                case CONFLICT -> assertThat(caller.append(store, REFUSED)).isInstanceOf(Conflict.class);
                case FAILED -> {
                    try (BorrowedTransaction holder = BorrowedTransaction.begin(database)) {
                        StoreDatabase.lockStore(holder.connection());
                        assertThatThrownBy(() -> caller.append(store, REQUEST))
                                .isInstanceOf(StoreTimeoutException.class);
                    }
                }
            }
        }

        private boolean isStored() {
            return this == APPENDED || this == APPENDED_HOLDING_RESOURCES;
        }
    }

    @ParameterizedTest
    @EnumSource
    void all_settings_of_the_session_are_as_before(Way way) throws SQLException {
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            caller.execute("set search_path = registrar, public");
            caller.execute("set statement_timeout = '50s'");
            caller.commit();
            Map<String, String> ofSession = caller.settings(true);
            caller.execute("set local lock_timeout = '300ms'");
            caller.execute("set local enable_seqscan = off");
            caller.execute("set local client_min_messages = error");
            caller.execute("set idle_in_transaction_session_timeout = '1h'");
            Map<String, String> ofTransaction = caller.settings(false);

            way.run(caller);

            assertThat(changed(ofTransaction, caller.settings(false)))
                    .isEqualTo(way.isStored() ? Map.of(BOUND, "0 -> 30000") : Map.of());
            caller.rollback();
            assertThat(changed(ofSession, caller.settings(true))).isEmpty();
        }
    }

    @Test
    void a_commit_leaves_no_setting_either() throws SQLException {
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            Map<String, String> before = caller.settings(true);

            Way.APPENDED.run(caller);
            caller.commit();

            assertThat(changed(before, caller.settings(true))).isEmpty();
        }
    }

    /*
     * If pg_catalog is last in the search path, a function of the same name replaces PostgreSQL's own, as some
     * extensions do.
     */
    @Test
    void functions_on_the_callers_search_path_do_not_replace_postgresqls() throws SQLException {
        database.execute("""
                create schema hostile;
                create function hostile.cardinality(anyarray) returns int language plpgsql
                as 'begin raise exception ''called''; end'""");
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            caller.execute("set local search_path = hostile, pg_catalog");

            assertThat(caller.append(store, REFUSED)).isInstanceOf(Conflict.class);
            assertThatThrownBy(() -> caller.execute("select cardinality(array[1])"))
                    .hasMessageContaining("called");
        } finally {
            database.execute("drop schema hostile cascade");
        }
    }

    @Test
    void savepoints_of_the_driver_change_nothing() throws SQLException {
        String url =
                database.database().url() + (database.database().url().contains("?") ? "&" : "?") + "autosave=always";
        try (Connection connection = DriverManager.getConnection(
                        url, database.database().username(), database.database().password());
                BorrowedTransaction caller = BorrowedTransaction.on(connection)) {
            for (Way way : List.of(Way.CONFLICT, Way.APPENDED, Way.APPENDED)) {
                way.run(caller);
            }
            caller.commit();
        }
        assertThat(store.count(Query.all())).isEqualTo(3);
    }

    @Test
    void a_closed_connection_is_refused() throws SQLException {
        Connection closed = database.connect();
        closed.close();

        assertThatThrownBy(() -> store.joining(closed).append(REQUEST))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void a_connection_in_auto_commit_mode_is_refused() throws SQLException {
        try (Connection connection = database.connect()) {
            assertThatThrownBy(() -> store.joining(connection).append(REQUEST))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("auto-commit");
        }
        assertThat(store.count(Query.all())).isEqualTo(1);
    }

    @Test
    void an_aborted_transaction_is_refused() throws SQLException {
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            assertThatThrownBy(() -> caller.execute("select 1 / 0")).isInstanceOf(SQLException.class);

            assertThatThrownBy(() -> caller.append(store, REQUEST))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("aborted");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"REPEATABLE READ", "SERIALIZABLE"})
    void another_isolation_level_is_refused_and_the_transaction_continues(String level) throws SQLException {
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            caller.execute("set transaction isolation level " + level);
            caller.book(level);
            Map<String, String> before = caller.settings(false);

            assertThatThrownBy(() -> caller.append(store, REQUEST))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(level);

            assertThat(changed(before, caller.settings(false))).isEmpty();
            caller.commit();
        }
        assertThat(store.count(Query.all())).isEqualTo(1);
    }

    @Test
    void a_read_only_transaction_is_refused() throws SQLException {
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            caller.execute("set transaction read only");

            assertThatThrownBy(() -> caller.append(store, REQUEST))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("read-only");
        }
    }

    /* The other append waits up to a minute for the store's lock. The caller never commits. */
    @Test
    void the_server_ends_a_transaction_that_holds_the_stores_lock_too_long() throws SQLException {
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            store.joining(caller.connection())
                    .holdingLockAtMost(Duration.ofMillis(200))
                    .append(REQUEST);

            AppendResult other = store.append(REQUEST);

            assertThat(other).isInstanceOf(Appended.class);
            assertThatThrownBy(caller::commit).isInstanceOf(SQLException.class);
        }
        assertThat(store.count(Query.all())).isEqualTo(2);
    }

    /*
     * Each append takes far less than the maximum time to hold the lock: if each append restarted that time, the test
     * would not end.
     */
    @Test
    void further_appends_do_not_prolong_the_time() throws SQLException {
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            JoiningAppender appender = store.joining(caller.connection()).holdingLockAtMost(Duration.ofMillis(500));

            assertThatThrownBy(() -> {
                        while (true) {
                            appender.append(REQUEST);
                        }
                    })
                    .isInstanceOf(RuntimeException.class);
        }
        assertThat(store.count(Query.all())).isEqualTo(1);
    }

    @Test
    void a_shorter_bound_of_the_callers_own_stays_and_a_longer_one_is_shortened() throws SQLException {
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            caller.execute("set local transaction_timeout = '20s'");
            Way.APPENDED.run(caller);
            assertThat(caller.settings(false)).containsEntry(BOUND, "20000");
            caller.rollback();

            caller.execute("set local transaction_timeout = '1h'");
            Way.APPENDED.run(caller);
            assertThat(caller.settings(false)).containsEntry(BOUND, "30000");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 60_001})
    void the_time_to_hold_the_lock_has_bounds(long milliseconds) throws SQLException {
        try (Connection connection = database.connect()) {
            assertThatThrownBy(() -> store.joining(connection).holdingLockAtMost(Duration.ofMillis(milliseconds)))
                    .isInstanceOf(InvalidOptionException.class)
                    .hasMessageContaining("1ms to 1m");
        }
    }

    @Test
    void a_store_with_the_shortest_lock_time_out_can_be_joined() throws SQLException {
        PostgresEventStore hasty =
                database.newStore(InstantSource.system(), StoreDatabase.settings(Map.of("lock-timeout", "1ms")));
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            assertThat(hasty.joining(caller.connection())).isNotNull();
        }
    }
}
