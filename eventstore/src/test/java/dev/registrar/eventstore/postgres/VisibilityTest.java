package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.postgres.append.AppendEntry;
import dev.registrar.eventstore.postgres.append.AppendFunction;
import dev.registrar.testdatabase.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Late low positions (R2) and split reads (R3): a reader that sees a position sees every lower one. */
class VisibilityTest {
    private static final Query SEATS = Query.of(QueryItem.types("Seat").tagged("course:1"));
    private static final AppendFunction FUNCTION =
            new AppendFunction("registrar", Duration.ofDays(7), InstantSource.system(), StoreDatabase.WARNINGS);

    /** A control ends with the first round that shows the violation. */
    private static final int CONTROL_ROUNDS = 50;

    private static final int SEATS_OF_EACH = 10;

    private static StoreDatabase database;
    private static EventStore store;

    @BeforeAll
    static void open() {
        database = new StoreDatabase();
        store = database.newStore();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @AfterEach
    void protect() {
        Protection.restore(database);
        database.clear();
    }

    /*
     * A has drawn its position and not committed. Then B appends. If B could commit first, a reader would see B's
     * position but not A's lower one. So B waits, the reader sees neither event, and later both in order.
     */
    @Test
    void an_append_waits_for_one_that_has_drawn_its_position() throws SQLException {
        CompletableFuture<AppendResult> later;
        try (Connection earlier = database.connect()) {
            earlier.setAutoCommit(false);
            appendSeat(earlier);
            later = CompletableFuture.supplyAsync(() -> store.append(List.of(seat())));
            await().until(() -> waitsForTheStore());
            assertThat(store.head().position()).isEqualTo(Position.START);
            assertThat(store.read(Query.all()).toList()).isEmpty();
            earlier.commit();
        }

        assertThat(later.join()).isEqualTo(new Appended(Position.of(2), Position.of(2), false));
        assertThat(positions(store)).containsExactly(1L, 2L);
    }

    /*
     * The control, as in stores with a sequence: A draws position 1 and is slow, B draws 2 and commits. A decision
     * reads head 2 without A's seat. A commits. The decision's condition checks only events after 2, and passes
     * although A's seat exists.
     */
    @Test
    void with_positions_from_a_sequence_a_condition_misses_a_late_low_position() throws SQLException {
        Protection.drawPositionsFromSequence(database);

        AppendCondition condition;
        try (Connection late = database.connect()) {
            late.setAutoCommit(false);
            appendSeat(late);
            store.append(List.of(Event.of("Other", "{}")));
            condition = store.project(new Seats()).appendCondition();
            late.commit();
        }

        assertThat(store.append(List.of(seat()), condition)).isInstanceOf(Appended.class);
        assertThat(store.count(SEATS)).isEqualTo(2);
    }

    /* A filter on the oldest running transaction would hide all later commits, in the whole cluster. */
    @Test
    void a_writing_transaction_held_open_in_another_database_hides_nothing() throws SQLException {
        try (TestDatabase elsewhere = TestDatabase.create();
                Connection other = elsewhere.dataSource().getConnection();
                Statement statement = other.createStatement()) {
            statement.execute("create table held (open int)");
            other.setAutoCommit(false);
            statement.execute("insert into held values (1)");

            store.append(List.of(seat()));

            assertThat(store.read(SEATS).toList()).hasSize(1);
            assertThat(store.append(List.of(seat()), AppendCondition.failIfEventsMatch(SEATS)))
                    .isInstanceOf(Conflict.class);
            other.rollback();
        }
    }

    /*
     * Each writer counts the seats and appends its count. If the events and the head of a decision came from two
     * snapshots, the decision would not count a seat committed in between, and its condition would not check for it.
     */
    @Test
    void no_decision_rests_on_a_split_read() {
        assertThat(countsAfter(() -> store.project(new Seats()))).isEqualTo(inOrder(8 * SEATS_OF_EACH));
    }

    @Test
    void a_split_read_miscounts() {
        boolean miscounted = false;
        for (int round = 0; round < CONTROL_ROUNDS && !miscounted; round++) {
            database.clear();
            miscounted = !countsAfter(() -> {
                        Projected events = store.project(new Seats());
                        Head head = store.head();
                        return new Projected(events.states(), head, events.lastRead());
                    })
                    .equals(inOrder(8 * SEATS_OF_EACH));
        }
        assertThat(miscounted).isTrue();
    }

    private static List<Long> countsAfter(Read read) {
        Rendezvous.collide(8, racer -> () -> {
            for (int seats = 0; seats < SEATS_OF_EACH; ) {
                Projected seen = read.seats();
                String count = Long.toString(seen.state(new Seats()));
                if (store.append(List.of(Event.of("Seat", count, "course:1")), seen.appendCondition())
                        instanceof Appended) {
                    seats++;
                }
            }
            return null;
        });
        return store.read(SEATS).stream()
                .map(event -> Long.valueOf(event.event().payload()))
                .toList();
    }

    private static List<Long> inOrder(long seats) {
        return LongStream.range(0, seats).boxed().toList();
    }

    private interface Read {
        Projected seats();
    }

    private static void appendSeat(Connection connection) throws SQLException {
        // The function append_event does not serve a key.
        Append keyed = Append.of(seat()).under(new IdempotencyKey("seat", "seat"));
        FUNCTION.append(connection, List.of(AppendEntry.of(keyed)));
    }

    private static boolean waitsForTheStore() throws SQLException {
        try (Connection connection = database.connect();
                var waiting = connection
                        .createStatement()
                        .executeQuery(
                                "select count(*) from pg_locks where locktype = 'advisory' and not granted and database ="
                                        + " (select oid from pg_database where datname = current_database())")) {
            waiting.next();
            return waiting.getLong(1) == 1;
        }
    }

    private static List<Long> positions(EventStore store) {
        return store.read(Query.all()).stream()
                .map(event -> event.position().value())
                .toList();
    }

    private static Event seat() {
        return Event.of("Seat", "{}", "course:1");
    }

    private record Seats() implements Projection<Long> {
        @Override
        public Query query() {
            return SEATS;
        }

        @Override
        public Long initial() {
            return 0L;
        }

        @Override
        public Long apply(Long state, SequencedEvent event) {
            return state + 1;
        }
    }
}
