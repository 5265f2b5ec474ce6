package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Appends in a transaction of the caller, which also changes a table of its own. */
@Timeout(120)
class JoiningAppenderTest {
    private static final Query OF_ROOM = Query.of(QueryItem.types("Booked").tagged("room:1"));
    private static final Append IF_FREE = Append.of(booked()).onCondition(AppendCondition.failIfEventsMatch(OF_ROOM));
    private static final IdempotencyKey KEY = new IdempotencyKey("booking:1", "of Ann");

    private static final Duration LONG = Duration.ofHours(1);

    private static final Executor THREADS = task -> Thread.ofVirtual().start(task);

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
    void clear() {
        database.clear();
        database.execute("truncate bookings");
    }

    @Test
    void events_and_the_callers_own_change_commit_together() throws SQLException {
        UUID id = UUID.randomUUID();
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            caller.book("1");
            Event event = Event.of(id, "Booked", List.of(), "{}", "{}");

            assertThat(caller.append(store, Append.of(event))).isEqualTo(at(1));
            assertThat(store.head().position()).isEqualTo(Position.START);

            caller.commit();
            assertThat(store.last(Query.all())).map(SequencedEvent::event).contains(event);
            assertThat(caller.bookings()).isEqualTo(1);
        }
    }

    @Test
    void events_of_one_transaction_keep_the_actors_of_their_appends() throws SQLException {
        Actor ann = Actor.of("issuer", "ann");
        Actor bob = Actor.of("issuer", "bob");
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            caller.append(store, Append.of(booked()).by(ann));
            caller.append(store, Append.of(booked(), booked()).by(bob));
            caller.commit();
        }

        assertThat(store.read(Query.all()).stream().map(SequencedEvent::actor)).containsExactly(ann, bob, bob);
    }

    @Test
    void a_rollback_leaves_no_events_and_no_key_and_frees_the_positions() throws SQLException {
        store.append(List.of(booked()));
        Head before = store.head();
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            caller.book("1");
            assertThat(caller.append(store, Append.of(booked(), booked()).under(KEY)))
                    .isEqualTo(new Appended(Position.of(2), Position.of(3), false));
            caller.rollback();

            assertThat(caller.bookings()).isZero();
        }
        assertThat(store.head()).isEqualTo(before);
        assertThat(store.appendedUnder(KEY)).isEmpty();
        assertThat(store.append(Append.of(booked())
                        .onCondition(AppendCondition.failIfEventsMatch(OF_ROOM).after(before))))
                .isEqualTo(at(2));
    }

    @Test
    void a_conflict_changes_no_transaction_and_blocks_no_other_append() throws SQLException {
        store.append(List.of(booked()));
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            caller.book("1");

            assertThat(caller.append(store, IF_FREE))
                    .isEqualTo(new Conflict(OF_ROOM.items().getFirst(), Position.of(1), "Booked"));

            assertThat(store.append(List.of(booked()))).isEqualTo(at(2));
            caller.book("2");
            caller.commit();
            assertThat(caller.bookings()).isEqualTo(2);
        }
        assertThat(store.head().position()).isEqualTo(Position.of(2));
    }

    @Test
    void a_condition_sees_the_events_that_its_own_transaction_has_appended() throws SQLException {
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            assertThat(caller.append(store, IF_FREE)).isEqualTo(at(1));
            assertThat(caller.append(store, IF_FREE)).isInstanceOf(Conflict.class);
            assertThat(store.joining(caller.connection()).append(List.of(booked())))
                    .isEqualTo(at(2));
            caller.commit();
        }
        assertThat(store.count(OF_ROOM)).isEqualTo(2);
    }

    @Test
    void a_condition_on_a_lost_history_is_reported() throws SQLException {
        store.append(List.of(booked()));
        Head lost = store.head();
        database.clear();
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            assertThat(store.joining(caller.connection())
                            .append(
                                    List.of(booked()),
                                    AppendCondition.failIfEventsMatch(OF_ROOM).after(lost)))
                    .isEqualTo(new StoreReplaced());
        }
    }

    /*
     * Tags that are frequent but have no event in common: the limited search under the lock ends without a result. The
     * store then checks the conditions on a connection of its own and sends the append again.
     */
    @Test
    void expensive_conditions_are_checked_and_then_judged_exactly() throws SQLException {
        store.append(IntStream.range(0, 400)
                .mapToObj(i -> Event.of("Happened", "{}", i % 2 == 0 ? "a" : "b"))
                .toList());
        AppendCondition noneOfBoth = AppendCondition.failIfEventsMatch(Query.of(QueryItem.tags("a", "b")));
        Append both = Append.of(Event.of("Happened", "{}", "a", "b")).onCondition(noneOfBoth);
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            assertThat(caller.append(store, both)).isEqualTo(at(401));
            assertThat(caller.append(store, both))
                    .isEqualTo(new Conflict(QueryItem.tags("a", "b"), Position.of(401), "Happened"));
            caller.commit();
        }
        assertThat(store.head().position()).isEqualTo(Position.of(401));
    }

    @Test
    void a_repetition_under_a_key_returns_the_positions_of_the_first_append() throws SQLException {
        store.append(Append.of(booked()).under(KEY));
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            assertThat(caller.append(store, Append.of(booked()).under(KEY)))
                    .isEqualTo(new Appended(Position.of(1), Position.of(1), true));

            Append other = Append.of(booked()).under(new IdempotencyKey(KEY.value(), "of Bob"));
            assertThatThrownBy(() -> caller.append(store, other)).isInstanceOf(IdempotencyKeyReusedException.class);

            caller.book("1");
            caller.commit();
            assertThat(caller.bookings()).isEqualTo(1);
        }
    }

    /*
     * The ordinary append waits for the lock that the open transaction holds. It is judged after the lock is released.
     */
    @Test
    void an_ordinary_append_waits_for_the_transaction_and_sees_its_events() throws SQLException {
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            caller.append(store, IF_FREE.under(KEY));
            CompletableFuture<AppendResult> conflicting = waiting(IF_FREE);
            CompletableFuture<AppendResult> repeating =
                    CompletableFuture.supplyAsync(() -> database.newStore().append(IF_FREE.under(KEY)), THREADS);
            await().until(() -> database.advisoryLocksWaitedFor() == 2);
            assertThat(conflicting).isNotDone();
            assertThat(repeating).isNotDone();

            caller.commit();

            assertThat(conflicting.join()).isInstanceOf(Conflict.class);
            assertThat(repeating.join()).isEqualTo(new Appended(Position.of(1), Position.of(1), true));
        }
    }

    @Test
    void an_ordinary_append_gets_the_positions_of_a_rolled_back_one() throws SQLException {
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            caller.append(store, IF_FREE);
            CompletableFuture<AppendResult> other = waiting(IF_FREE);

            caller.rollback();

            assertThat(other.join()).isEqualTo(at(1));
        }
    }

    private static CompletableFuture<AppendResult> waiting(Append request) throws SQLException {
        CompletableFuture<AppendResult> append = CompletableFuture.supplyAsync(() -> store.append(request), THREADS);
        await().until(() -> database.advisoryLocksWaitedFor() == 1);
        return append;
    }

    @Test
    void listeners_receive_no_events_of_an_uncommitted_transaction() throws SQLException {
        List<Event> received = new ArrayList<>();
        Runnable stop = store.listen(received::addAll);
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            caller.append(store, Append.of(booked()));
            caller.rollback();
        } finally {
            stop.run();
        }

        assertThat(received).isEmpty();
    }

    @Test
    void a_request_beyond_a_limit_is_refused_before_the_connection_is_used() throws SQLException {
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            caller.connection().setAutoCommit(true);
            Append tooLong = Append.of(Event.of("x".repeat(256), "{}"));

            assertThatThrownBy(() -> caller.append(store, tooLong)).isInstanceOf(RefusedInputException.class);
        }
    }

    @Test
    void a_wait_for_the_lock_times_out_and_the_transaction_continues() throws SQLException {
        PostgresEventStore hasty =
                database.newStore(InstantSource.system(), StoreDatabase.settings(Map.of("lock-timeout", "200ms")));
        assertTimesOut(hasty, "", LONG);
    }

    @Test
    void a_shorter_wait_of_the_callers_own_session_applies() throws SQLException {
        assertTimesOut(store, "set local lock_timeout = '200ms'", LONG);
    }

    @Test
    void a_deadline_of_the_caller_applies() throws SQLException {
        assertTimesOut(store, "", Duration.ofMillis(300));
    }

    private static void assertTimesOut(PostgresEventStore hasty, String setting, Duration deadline)
            throws SQLException {
        try (BorrowedTransaction holder = BorrowedTransaction.begin(database);
                BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            StoreDatabase.lockStore(holder.connection());
            caller.execute(setting);
            caller.book("1");

            assertThatThrownBy(() -> Deadline.runWithin(deadline, () -> caller.append(hasty, Append.of(booked()))))
                    .isInstanceOf(StoreTimeoutException.class)
                    .hasMessageContaining("nothing was appended");

            caller.book("2");
            caller.commit();
            assertThat(caller.bookings()).isEqualTo(2);
        }
        assertThat(store.head().position()).isEqualTo(Position.START);
        assertThat(store.append(List.of(booked()))).isEqualTo(at(1));
    }

    @Test
    void a_connection_lost_while_it_waits_leaves_no_events() throws SQLException {
        try (BorrowedTransaction holder = BorrowedTransaction.begin(database);
                BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            StoreDatabase.lockStore(holder.connection());
            caller.book("1");
            CompletableFuture<Void> append = CompletableFuture.runAsync(() -> caller.append(store, IF_FREE), THREADS);
            await().until(() -> database.cutWaitingConnections() == 1);

            assertThatThrownBy(append::join).hasCauseInstanceOf(StoreUnavailableException.class);
            holder.rollback();
            assertThat(holder.bookings()).isZero();
        }
        assertThat(store.append(IF_FREE)).isEqualTo(at(1));
    }

    private static Event booked() {
        return Event.of("Booked", "{}", "room:1");
    }

    private static Appended at(long position) {
        return new Appended(Position.of(position), Position.of(position), false);
    }
}
