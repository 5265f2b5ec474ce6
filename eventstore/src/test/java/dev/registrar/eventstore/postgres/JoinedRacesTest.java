package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.postgres.Rendezvous.Outcome;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transactions that append race each other and ordinary appends. */
@Timeout(180)
class JoinedRacesTest {
    private static final int RACERS = 8;
    private static final int ROUNDS = 30;
    private static final Duration LONG = Duration.ofSeconds(30);

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

    @AfterEach
    void clear() {
        Protection.restore(database);
        database.clear();
        database.execute("truncate bookings");
    }

    /*
     * All racers have begun their transactions and changed their own table before any of them appends. Half of them
     * append in that transaction and commit; the others append without a transaction.
     */
    @Test
    void one_of_racing_transactions_and_ordinary_appends_wins() {
        for (int round = 0; round < ROUNDS; round++) {
            assertThat(winners(Rendezvous.collide(RACERS, claim("name:" + round))))
                    .isEqualTo(1);
        }
        assertThat(positions()).isEqualTo(upTo(ROUNDS));
    }

    @Test
    void without_the_lock_several_racers_win() {
        Protection.drawPositionsFromSequence(database);
        long most = 0;
        for (int round = 0; round < 200 && most <= 1; round++) {
            most = winners(Rendezvous.collide(RACERS, claim("name:" + round)));
        }

        assertThat(most).isGreaterThan(1);
    }

    private static IntFunction<Callable<AppendResult>> claim(String name) {
        Query claims = Query.of(QueryItem.types("Claimed").tagged(name));
        Append request =
                Append.of(Event.of("Claimed", "{}", name)).onCondition(AppendCondition.failIfEventsMatch(claims));
        CyclicBarrier begun = new CyclicBarrier(RACERS);
        return racer -> () -> {
            if (racer % 2 == 0) {
                Rendezvous.meet(begun);
                return store.append(request);
            }
            try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
                caller.book(name + "/" + racer);
                Rendezvous.meet(begun);
                AppendResult result = caller.append(store, request);
                caller.commit();
                return result;
            }
        };
    }

    private static long winners(List<Outcome<AppendResult>> outcomes) {
        assertThat(outcomes)
                .allSatisfy(outcome -> assertThat(outcome)
                        .isInstanceOfSatisfying(
                                Outcome.Returned.class,
                                returned ->
                                        assertThat(returned.value()).isInstanceOfAny(Appended.class, Conflict.class)));
        return outcomes.stream()
                .filter(outcome -> outcome instanceof Outcome.Returned<AppendResult>(Appended appended))
                .count();
    }

    @Test
    void positions_have_no_gaps_or_duplicates_after_rollbacks() {
        long seed = new Random().nextLong();
        List<Outcome<Integer>> outcomes = Rendezvous.collide(RACERS, racer -> {
            Random random = new Random(seed + racer);
            return () -> {
                int kept = 0;
                for (int i = 0; i < 40; i++) {
                    Append request = Append.of(Event.of("Happened", "{}", "racer:" + racer));
                    if (racer % 2 == 0) {
                        store.append(request);
                        kept++;
                        continue;
                    }
                    try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
                        caller.append(store, request);
                        if (random.nextBoolean()) {
                            caller.commit();
                            kept++;
                        }
                    }
                }
                return kept;
            };
        });

        long kept = 0;
        for (Outcome<Integer> outcome : outcomes) {
            assertThat(outcome).as("seed %s", seed).isInstanceOf(Outcome.Returned.class);
            kept += ((Outcome.Returned<Integer>) outcome).value();
        }
        assertThat(positions()).as("seed %s", seed).isEqualTo(upTo(kept));
    }

    /*
     * The first transaction holds the store's lock and requests the row of the room. The second transaction holds the
     * row and requests the store's lock. PostgreSQL aborts a statement of one transaction, which is rolled back; the
     * other transaction commits.
     */
    @Test
    void locking_a_row_after_an_append_can_deadlock_and_one_transaction_commits() throws SQLException {
        database.execute("insert into bookings values ('1', 'Ann')");
        String update = "update bookings set guest = guest || '!' where room = '1'";
        Append request = Append.of(Event.of("Booked", "{}", "room:1"));
        try (BorrowedTransaction appendsFirst = BorrowedTransaction.begin(database);
                BorrowedTransaction updatesFirst = BorrowedTransaction.begin(database)) {
            appendsFirst.append(store, request);
            updatesFirst.execute(update);
            CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(
                    () -> commits(updatesFirst, () -> updatesFirst.append(store, request)), THREADS);
            await().until(() -> database.advisoryLocksWaitedFor() == 1);

            boolean first = commits(appendsFirst, () -> {
                appendsFirst.execute(update);
                return true;
            });

            assertThat(List.of(first, other.join())).containsExactlyInAnyOrder(true, false);
        }
        assertThat(store.count(Query.all())).isEqualTo(1);
    }

    /* Whether the work was committed. Otherwise it was rolled back after a deadlock. */
    private static boolean commits(BorrowedTransaction transaction, Callable<?> work) {
        try {
            try {
                work.call();
                transaction.commit();
                return true;
            } catch (EventStoreException failure) {
                assertThat(failure.category()).contains(FailureCategory.DEADLOCK);
            } catch (SQLException failure) {
                assertThat(failure.getSQLState()).isEqualTo("40P01");
            }
            transaction.rollback();
            return false;
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Test
    void resources_are_held_until_the_caller_commits() throws SQLException {
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            caller.append(store, holding("room:1"));
            CompletableFuture<AppendResult> other =
                    CompletableFuture.supplyAsync(() -> store.append(holding("room:1")), THREADS);
            await().until(() -> database.advisoryLocksWaitedFor() == 1);
            assertThat(other).isNotDone();

            caller.commit();

            assertThat(other.join()).isInstanceOf(Appended.class);
        }
    }

    @Test
    void a_transaction_that_has_appended_names_no_further_resources() throws SQLException {
        try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
            caller.append(store, holding("room:1"));

            assertThatThrownBy(() -> caller.append(store, holding("room:2")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("room:2");

            caller.commit();
        }
        assertThat(store.count(Query.all())).isEqualTo(1);
        assertThat(store.append(holding("room:1", "room:2"))).isInstanceOf(Appended.class);
    }

    /* Each request names its resources in its own order, some in a transaction of the caller, some without. */
    @Test
    void requests_that_name_the_same_resources_do_not_deadlock() {
        long seed = new Random().nextLong();
        for (int round = 0; round < 20; round++) {
            int number = round;
            List<Outcome<AppendResult>> outcomes = Rendezvous.collide(RACERS, racer -> {
                Random random = new Random(seed + (long) number * RACERS + racer);
                Append request =
                        holding(random.ints(3, 0, 5).mapToObj(i -> "room:" + i).toArray(String[]::new));
                return () -> {
                    if (racer % 2 == 0) {
                        return store.append(request);
                    }
                    try (BorrowedTransaction caller = BorrowedTransaction.begin(database)) {
                        AppendResult result = caller.append(store, request);
                        caller.commit();
                        return result;
                    }
                };
            });

            assertThat(winners(outcomes)).as("seed %s", seed).isEqualTo(RACERS);
        }
    }

    private static Append holding(String... names) {
        return Append.of(Event.of("Booked", "{}", "desk:1")).holding(ResourceLocks.of(List.of(names), LONG));
    }

    private static List<Long> positions() {
        List<Long> positions = new ArrayList<>();
        try (EventStream events = store.read(Query.all())) {
            while (events.hasNext()) {
                positions.add(events.next().position().value());
            }
        }
        return positions;
    }

    private static List<Long> upTo(long last) {
        return LongStream.rangeClosed(1, last).boxed().toList();
    }
}
