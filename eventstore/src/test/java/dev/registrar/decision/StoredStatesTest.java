package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Rejected;
import dev.registrar.decision.Rooms.Refused;
import dev.registrar.decision.Rooms.SeatTaken;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.ForwardingEventStore;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.StateStore;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fresh loops go on from stored states, and decide as if they had folded all events. A fresh loop is what another
 * instance has, or the same one after its start.
 */
class StoredStatesTest {
    private static final int EVENTS = 500;
    /** The events of a first chunk, after which a fold looks for a stored state, and a few new ones. */
    private static final int FEW = 100;

    private final StoreDatabase database = new StoreDatabase();
    private final PostgresEventStore store = database.newStore();
    private final MeterRegistry metrics = new SimpleMeterRegistry();
    private final Rooms.Codec codec = new Rooms.Codec();
    private final List<StoredStates> opened = new ArrayList<>();

    /** The guests of a room, of which a state is stored every ten events. */
    private record GuestsOf(String room, int version, QueryItem item) implements Fact<SeatTaken, List<String>> {
        GuestsOf(String room) {
            this(room, 1, QueryItem.types("SeatTaken").tagged("room:" + room));
        }

        @Override
        public Query query() {
            return Query.of(item);
        }

        @Override
        public List<String> initial() {
            return List.of();
        }

        @Override
        public List<String> apply(List<String> guests, SeatTaken event) {
            List<String> more = new ArrayList<>(guests);
            more.add(event.guest());
            return List.copyOf(more);
        }

        @Override
        public Optional<StoredForm<List<String>>> storedForm() {
            return Optional.of(new StoredForm<>(
                    "guests of " + room,
                    version,
                    10,
                    guests -> "guests\n" + String.join("\n", guests),
                    GuestsOf::read));
        }

        private static List<String> read(String text) {
            List<String> lines = text.lines().toList();
            if (!lines.getFirst().equals("guests")) {
                throw new IllegalArgumentException("Not a list of guests");
            }
            return lines.subList(1, lines.size());
        }
    }

    /** Takes a seat if one is free. */
    private record TakeSeat(Fact<SeatTaken, List<String>> fact, String room, int seats, String guest)
            implements Decision<SeatTaken, Refused> {
        TakeSeat(String room, int seats, String guest) {
            this(new GuestsOf(room), room, seats, guest);
        }

        @Override
        public List<? extends Fact<SeatTaken, ?>> facts() {
            return List.of(fact);
        }

        @Override
        public Verdict<SeatTaken, Refused> decide(Facts<SeatTaken> facts, Instant now) {
            return facts.get(fact).size() < seats
                    ? Verdict.accept(new SeatTaken(room, guest))
                    : Verdict.refuse(Refused.ROOM_FULL);
        }
    }

    @AfterEach
    void close() {
        opened.forEach(StoredStates::close);
        database.close();
    }

    @Test
    void a_fresh_loop_goes_on_from_the_stored_state() {
        givenStoredState();
        append("A", "late");

        assertThat(take(freshLoop(), EVENTS + 2, "last")).isInstanceOf(Accepted.class);
        assertThat(codec.guestsRead()).hasSizeLessThan(FEW).endsWith("late");
        assertThat(take(freshLoop(), EVENTS + 2, "one too many")).isEqualTo(full());
    }

    @Test
    void without_stored_states_a_fresh_loop_folds_all_events() {
        givenStoredState();
        DecisionLoop<SeatTaken> without = loop(store, StoredStates.off());

        assertThat(take(without, EVENTS + 1, "last")).isInstanceOf(Accepted.class);
        assertThat(codec.guestsRead()).hasSize(EVENTS);
        assertThat(count("loaded")).isZero();
    }

    /* With 500 events a state is stored every ten of them, whether they are read or appended. */
    @Test
    void a_state_that_grows_event_by_event_is_stored_again() {
        givenStoredState();
        DecisionLoop<SeatTaken> loop = freshLoop();
        for (int i = 0; i < 25; i++) {
            take(loop, 10 * EVENTS, "more" + i);
        }

        await().untilAsserted(() -> assertThat(count("stored")).isEqualTo(3));
        take(freshLoop(), 1, "nobody");
        assertThat(storedEvents()).isEqualTo(EVENTS + 20);
    }

    @Test
    void small_facts_and_facts_that_are_not_stored_cost_no_statement() {
        AtomicInteger statements = new AtomicInteger();
        StoredStates states = open(new Decorated(store) {
            @Override
            public Optional<StoredState> storedState(String key, String version, Query query) {
                statements.incrementAndGet();
                return super.storedState(key, version, query);
            }

            @Override
            public boolean store(StoredState state) {
                statements.incrementAndGet();
                return super.store(state);
            }
        });
        fill("A", EVENTS);
        fill("B", 9);
        DecisionLoop<SeatTaken> loop = loop(store, states);

        loop.execute(Rooms.TakeSeats.of("A", EVENTS + 1, "last"));
        loop.execute(new TakeSeat("B", 9, "nobody"));
        loop(store, states).execute(new TakeSeat("B", 9, "nobody"));
        assertThat(statements).hasValue(0);

        // The state of the cache is behind by fewer events than lie between two stored states.
        take(loop, EVENTS + 1, "nobody");
        await().untilAsserted(() -> assertThat(statements).hasValue(2));
        append("A", "late");
        take(loop, EVENTS + 1, "nobody");
        assertThat(statements).hasValue(2);
    }

    /* The stored state has the guests of a history that a restore has replaced. */
    @Test
    void a_stored_state_whose_head_is_lost_is_not_used() {
        givenStoredState();
        database.setBackTo(70);
        fill("A", EVENTS);

        assertThat(take(freshLoop(), EVENTS + 70, "nobody")).isEqualTo(full());
        assertThat(count("loaded")).isZero();
        assertThat(take(freshLoop(), EVENTS + 71, "last")).isInstanceOf(Accepted.class);
    }

    /* The events go between the look-up and the read that continues, so the look-up could not see it. */
    @Test
    void a_head_that_is_lost_after_the_look_up_is_folded_again() {
        givenStoredState();
        StoredStates states = open(new Decorated(store) {
            @Override
            public Optional<StoredState> storedState(String key, String version, Query query) {
                Optional<StoredState> found = super.storedState(key, version, query);
                database.setBackTo(70);
                fill("A", EVENTS);
                return found;
            }
        });
        DecisionLoop<SeatTaken> loop = loop(store, states);

        assertThat(take(loop, EVENTS + 70, "nobody")).isEqualTo(full());
        assertThat(take(loop, EVENTS + 71, "last")).isInstanceOf(Accepted.class);
    }

    @Test
    void a_state_of_a_lost_history_is_replaced_by_an_earlier_one() {
        givenStoredState();
        database.setBackTo(0);
        append("A", IntStream.range(0, 40).mapToObj(number -> "other" + number).toArray(String[]::new));

        take(freshLoop(), 1, "nobody");

        await().untilAsserted(() -> assertThat(storedEvents()).isEqualTo(40));
    }

    @Test
    void a_state_of_another_version_or_query_is_not_used() {
        givenStoredState();
        Fact<SeatTaken, List<String>> newer =
                new GuestsOf("A", 2, QueryItem.types("SeatTaken").tagged("room:A"));
        Fact<SeatTaken, List<String>> wider =
                new GuestsOf("A", 1, QueryItem.types("SeatTaken", "SeatLeft").tagged("room:A"));

        assertThat(freshLoop().execute(new TakeSeat(newer, "A", EVENTS, "nobody")))
                .isEqualTo(full());
        assertThat(codec.guestsRead()).hasSize(EVENTS);
        await().untilAsserted(() -> assertThat(count("stored")).isEqualTo(2));
        assertThat(freshLoop().execute(new TakeSeat(wider, "A", EVENTS, "nobody")))
                .isEqualTo(full());
        assertThat(codec.guestsRead()).hasSize(EVENTS);
        assertThat(count("loaded")).isZero();
        assertThat(count("missing")).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"guests\":", "guests of others"})
    void a_state_that_cannot_be_read_is_ignored_and_counted(String text) {
        givenStoredState();
        database.execute("update registrar.stored_states set state = '%s'".formatted(text));

        assertThat(take(freshLoop(), EVENTS, "nobody")).isEqualTo(full());
        assertThat(codec.guestsRead()).hasSize(EVENTS);
        assertThat(count("unreadable")).isOne();
    }

    @Test
    void failures_of_the_table_fail_no_decision_and_are_counted() {
        fill("A", EVENTS);
        StoredStates states = open(new Decorated(store) {
            @Override
            public Optional<StoredState> storedState(String key, String version, Query query) {
                throw new StoreTimeoutException("took too long");
            }

            @Override
            public boolean store(StoredState state) {
                throw new StoreTimeoutException("took too long");
            }
        });

        assertThat(take(loop(store, states), EVENTS + 1, "last")).isInstanceOf(Accepted.class);
        assertThat(take(loop(store, states), EVENTS + 1, "nobody")).isEqualTo(full());
        await().untilAsserted(() -> assertThat(count("failed")).isGreaterThanOrEqualTo(3));
    }

    @Test
    void states_that_do_not_fit_into_the_queue_are_dropped_and_decisions_go_on() {
        CountDownLatch stored = new CountDownLatch(1);
        StoredStates states = open(new Decorated(store) {
            @Override
            public boolean store(StoredState state) {
                try {
                    stored.await();
                } catch (InterruptedException closed) {
                    Thread.currentThread().interrupt();
                }
                return super.store(state);
            }
        });
        int rooms = 103;
        for (int room = 0; room < rooms; room++) {
            fill("room" + room, 10);
        }
        DecisionLoop<SeatTaken> loop = loop(store, states);

        for (int room = 0; room < rooms; room++) {
            assertThat(loop.execute(new TakeSeat("room" + room, 10, "nobody"))).isEqualTo(full());
        }
        // One is being written, or about to be.
        assertThat(count("dropped")).isBetween(2.0, 3.0);
        stored.countDown();
        await().untilAsserted(
                        () -> assertThat(count("stored") + count("dropped")).isEqualTo(rooms));

        for (int room = 0; room < rooms; room++) {
            assertThat(loop.execute(new TakeSeat("room" + room, 10, "nobody"))).isEqualTo(full());
        }
        await().untilAsserted(() -> assertThat(count("stored")).isEqualTo(rooms));
    }

    /*
     * A fresh loop goes on from the stored state, by which one seat is free. Before it appends, a rival takes that seat.
     * The append conflicts, and the loop decides again. The control appends without conditions.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_decision_on_a_stored_state_conflicts_with_a_rival(boolean guarded) {
        givenStoredState();
        AtomicInteger rivals = new AtomicInteger(1);
        UnaryOperator<Append> interleaving = request -> {
            if (rivals.getAndDecrement() > 0) {
                append("A", "rival");
            }
            return guarded ? request : Append.of(request.events());
        };

        Outcome<SeatTaken, Refused> outcome =
                take(loop(new InterleavingStore(store, interleaving), open(store)), EVENTS + 1, "ann");

        assertThat(count("loaded")).isOne();
        assertThat(outcome instanceof Rejected).isEqualTo(guarded);
        assertThat(store.count(new GuestsOf("A").query())).isEqualTo(guarded ? EVENTS + 1 : EVENTS + 2);
    }

    /*
     * Loops come and go, rivals append, and now and then the history is set back. Each decision must be that of a count
     * of all events.
     */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {20_261_127, 20_261_128, 20_261_129})
    void decisions_on_random_histories_are_those_of_a_fold_from_the_first_event(long seed) {
        Random random = new Random(seed);
        List<String> rooms = List.of("A", "B");
        List<DecisionLoop<SeatTaken>> loops = new ArrayList<>(List.of(freshLoop(), freshLoop()));
        for (int step = 0; step < 150; step++) {
            String room = rooms.get(random.nextInt(rooms.size()));
            switch (random.nextInt(8)) {
                case 0, 1 -> fill(room, 1 + random.nextInt(60));
                case 2, 3 -> loops.set(random.nextInt(loops.size()), freshLoop());
                case 4 -> {
                    if (random.nextInt(4) == 0) {
                        database.setBackTo(random.nextInt(1 + (int) store.count(Query.all())));
                    }
                }
                default -> {
                    int seats = (int) store.count(new GuestsOf(room).query()) + random.nextInt(2);
                    boolean isFree = seats > store.count(new GuestsOf(room).query());
                    Outcome<SeatTaken, Refused> outcome = loops.get(random.nextInt(loops.size()))
                            .execute(new TakeSeat(room, seats, "guest of step " + step));
                    assertThat(outcome instanceof Accepted).as("step %s", step).isEqualTo(isFree);
                }
            }
        }
        assertThat(count("loaded")).isGreaterThan(3);
        assertThat(count("stored")).isGreaterThan(3);
    }

    @Test
    void concurrent_writers_never_replace_a_later_state_by_an_earlier_one() throws InterruptedException {
        fill("A", 200);
        List<Head> heads = new ArrayList<>();
        try (EventStream events = store.read(Query.all())) {
            events.forEachRemaining(event -> heads.add(events.head().at(event)));
        }
        List<Thread> writers = IntStream.range(0, 4)
                .mapToObj(writer -> Thread.ofVirtual()
                        .start(() -> new Random(writer)
                                .ints(100, 0, heads.size())
                                .forEach(at -> store.store(stored(heads.get(at))))))
                .toList();
        store.store(stored(heads.getLast()));
        for (Thread writer : writers) {
            writer.join();
        }

        assertThat(store.store(stored(heads.get(100)))).isFalse();
        assertThat(store.storedState("k'%_\u202e", "1", Query.all()).orElseThrow())
                .isEqualTo(stored(heads.getLast()));
        assertThat(store.deleteStoredStates()).isOne();
        assertThat(store.storedState("k'%_\u202e", "1", Query.all())).isEmpty();
    }

    private static StateStore.StoredState stored(Head head) {
        return new StateStore.StoredState(
                "k'%_\u202e",
                "1", head, head.position().value(), "state '\u202e\ud83c\udf93' \\ " + head.position(), 0);
    }

    @Test
    void a_closed_store_of_states_writes_nothing_more() {
        fill("A", EVENTS);
        StoredStates states = open(store);
        states.close();

        assertThat(take(loop(store, states), EVENTS + 1, "last")).isInstanceOf(Accepted.class);
        assertThat(count("stored")).isZero();
        assertThat(count("failed")).isZero();
    }

    private void givenStoredState() {
        fill("A", EVENTS);
        take(freshLoop(), EVENTS, "nobody");
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(count("stored")).isOne());
        codec.guestsRead();
    }

    private DecisionLoop<SeatTaken> freshLoop() {
        return loop(store, open(store));
    }

    private StoredStates open(EventStore states) {
        StoredStates stored = StoredStates.in(states, metrics);
        opened.add(stored);
        return stored;
    }

    private DecisionLoop<SeatTaken> loop(EventStore on, StoredStates stored) {
        return new DecisionLoop<>(
                on, codec, RetryBounds.DEFAULT, 1_000, InstantSource.system(), ContentionRecorder.off(), stored);
    }

    private static Outcome<SeatTaken, Refused> take(DecisionLoop<SeatTaken> loop, int seats, String guest) {
        return loop.execute(new TakeSeat("A", seats, guest));
    }

    private static Rejected<SeatTaken, Refused> full() {
        return new Rejected<>(Refused.ROOM_FULL);
    }

    private void fill(String room, int events) {
        append(
                room,
                IntStream.range(0, events)
                        .mapToObj(number -> UUID.randomUUID().toString())
                        .toArray(String[]::new));
    }

    private void append(String room, String... guests) {
        store.append(List.of(guests).stream()
                .map(guest -> codec.encode(new SeatTaken(room, guest)).event())
                .toList());
    }

    private double count(String result) {
        return metrics.find("registrar.decisions.states").tag("result", result).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    private long storedEvents() {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var row = statement.executeQuery("select max(events) from registrar.stored_states")) {
            row.next();
            return row.getLong(1);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** A store whose stored states a test changes. */
    private abstract static class Decorated extends ForwardingEventStore implements StateStore {
        private final StateStore states;

        private Decorated(PostgresEventStore store) {
            super(store);
            this.states = store;
        }

        @Override
        public Optional<StoredState> storedState(String key, String version, Query query) {
            return states.storedState(key, version, query);
        }

        @Override
        public boolean store(StoredState state) {
            return states.store(state);
        }

        @Override
        public int deleteStoredStates() {
            return states.deleteStoredStates();
        }
    }
}
