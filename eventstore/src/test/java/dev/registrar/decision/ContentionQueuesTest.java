package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.concurrent.CombiningQueue;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Rejected;
import dev.registrar.decision.Rooms.Refused;
import dev.registrar.decision.Rooms.SeatTaken;
import dev.registrar.decision.Rooms.SeatsTaken;
import dev.registrar.decision.Rooms.TakeSeats;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decisions that wait in the queue of the same query item. */
class ContentionQueuesTest extends ContentionFixture {
    private static final int CALLERS = 100;
    private final Set<Thread> callers = ConcurrentHashMap.newKeySet();

    /* Decisions that arrive during the first decision's append wait for it instead of conflicting with it. */
    @Test
    void decisions_that_arrive_during_an_append_share_one_batch() throws Exception {
        InterleavingStore held = heldUntilAllOthers(Thread.State.TIMED_WAITING, () -> {});
        DecisionLoop<SeatTaken> loop = loop(held);
        take(loop, "ann");

        List<Outcome<SeatTaken, Refused>> outcomes = run(loop, CALLERS, i -> TakeSeats.of("A", 1_000, "g" + i));

        assertThat(outcomes).hasSize(CALLERS).allMatch(Accepted.class::isInstance);
        assertThat(guests()).hasSize(1 + CALLERS).doesNotHaveDuplicates();
        assertThat(held.appends()).isEqualTo(1 + 2);
        assertThat(held.reads()).isEqualTo(1);
    }

    @Test
    void decisions_that_waited_for_a_failed_append_continue_without_it() {
        InterleavingStore failing = heldUntilAllOthers(Thread.State.TIMED_WAITING, () -> {
            throw new StoreTimeoutException("too slow");
        });

        assertThatThrownBy(() -> run(loop(failing), CALLERS, i -> TakeSeats.of("A", CALLERS, "g" + i)))
                .rootCause()
                .hasMessage("too slow");

        assertThat(guests()).hasSize(CALLERS - 1).doesNotHaveDuplicates();
    }

    @Test
    void decisions_that_wait_past_the_deadline_are_contended() throws Exception {
        RetryBounds shortDeadline = new RetryBounds(Duration.ofMillis(50), 5, Duration.ofNanos(1), Duration.ofNanos(1));
        InterleavingStore held = heldUntilAllOthers(Thread.State.TERMINATED, () -> {});
        DecisionLoop<SeatTaken> loop = new DecisionLoop<>(held, codec, shortDeadline, 1_000, () -> NOON);

        List<Outcome<SeatTaken, Refused>> outcomes = run(loop, CALLERS, i -> TakeSeats.of("A", CALLERS, "g" + i));

        assertThat(outcomes).filteredOn(Accepted.class::isInstance).hasSize(1);
        assertThat(outcomes)
                .filteredOn(outcome -> outcome.equals(new Outcome.Contended<>(0)))
                .hasSize(CALLERS - 1);
        assertThat(guests()).hasSize(1);
        assertThat(take(loop(held), "late")).isEqualTo(Position.of(2));
    }

    /* Each decision affects two of four rooms, in either order: queues that waited for each other would deadlock. */
    @Test
    void decisions_on_two_items_in_opposite_orders_all_end() throws Exception {
        DecisionLoop<SeatTaken> loop = loop(store);
        List<Future<Outcome<SeatTaken, Refused>>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 400; i++) {
                String one = "room" + i % 4;
                String other = "room" + (i + 1 + i / 4 % 3) % 4;
                answers.add(threads.submit(() -> loop.execute(inBoth(one, other), Origin.UNKNOWN)));
            }
        }

        for (Future<Outcome<SeatTaken, Refused>> answer : answers) {
            assertThat(answer.get()).isInstanceOf(Accepted.class);
        }
        assertThat(guests()).hasSize(800);
    }

    /*
     * Each caller has a room of its own, whose cached state is stale, and all callers want the hall. In the hall's
     * queue the first decision conflicts in its room. The other decisions then read all facts, so that they do not
     * conflict one after the other.
     */
    @Test
    void when_one_cached_state_of_a_batch_is_stale_all_facts_are_read() throws Exception {
        InterleavingStore held = heldUntilAllOthers(Thread.State.TIMED_WAITING, () -> {});
        DecisionLoop<SeatTaken> loop = loop(held);
        take(loop, "hall", "ann");
        for (int i = 0; i < CALLERS; i++) {
            take(loop, "room" + i, "ann");
            append("room" + i, "rival");
        }
        int before = held.appends();

        List<Future<Outcome<SeatTaken, Refused>>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CALLERS; i++) {
                Decision<SeatTaken, Refused> decision =
                        accepting(List.of("room" + i, "hall"), new SeatTaken("hall", "g" + i));
                answers.add(threads.submit(() -> {
                    callers.add(Thread.currentThread());
                    return loop.execute(decision, Origin.UNKNOWN);
                }));
            }
        }

        for (Future<Outcome<SeatTaken, Refused>> answer : answers) {
            assertThat(answer.get()).isInstanceOf(Accepted.class);
        }
        assertThat(held.appends() - before).isLessThan(CALLERS / 2);
    }

    private static Decision<SeatTaken, Refused> inBoth(String one, String other) {
        return accepting(List.of(one, other), new SeatTaken(one, "guest"), new SeatTaken(other, "guest"));
    }

    /** Accepts with the given events, regardless of the state of its rooms. */
    private static Decision<SeatTaken, Refused> accepting(List<String> rooms, SeatTaken... events) {
        return new Decision<>() {
            @Override
            public List<? extends Fact<SeatTaken, ?>> facts() {
                return rooms.stream().map(SeatsTaken::new).toList();
            }

            @Override
            public Verdict<SeatTaken, Refused> decide(Facts<SeatTaken> facts, Instant now) {
                return new Verdict.Accept<>(List.of(events));
            }
        };
    }

    /* The store fails after it has stored the first chain: the outcome is unknown. */
    @Test
    void a_chain_with_an_unknown_outcome_is_not_retried() {
        AtomicInteger chains = new AtomicInteger();
        InterleavingStore broken = heldUntilAllOthers(Thread.State.TIMED_WAITING, () -> {})
                .afterChain(() -> {
                    if (chains.getAndIncrement() == 0) {
                        throw new IllegalStateException("broken down");
                    }
                });

        assertThatThrownBy(() -> run(loop(broken), CALLERS, i -> TakeSeats.of("A", CALLERS, "g" + i)))
                .rootCause()
                .hasMessage("broken down");

        assertThat(guests()).hasSize(CALLERS).doesNotHaveDuplicates();
    }

    /* All callers are interrupted while their batch is made. A store's call fails on an interrupted thread. */
    @Test
    void an_interrupt_of_callers_fails_no_decision_of_their_batch() throws Exception {
        InterleavingStore held = heldUntilAllOthers(Thread.State.TIMED_WAITING, () -> {});
        InterleavingStore interruptible = new InterleavingStore(held, () -> {
            if (held.appends() > 0) {
                callers.forEach(Thread::interrupt);
                if (Thread.currentThread().isInterrupted()) {
                    throw new StoreUnavailableException("Interrupted");
                }
            }
        });

        List<Outcome<SeatTaken, Refused>> outcomes =
                run(loop(interruptible), CALLERS, i -> TakeSeats.of("A", CALLERS, "g" + i));

        assertThat(outcomes).hasSize(CALLERS).allMatch(Accepted.class::isInstance);
    }

    @Test
    void racing_guests_are_accepted_up_to_the_number_of_seats() throws Exception {
        List<Outcome<SeatTaken, Refused>> outcomes = run(loop(store), 300, i -> TakeSeats.of("A", 40, "g" + i));

        assertThat(outcomes).filteredOn(Accepted.class::isInstance).hasSize(40);
        assertThat(outcomes)
                .filteredOn(outcome -> outcome.equals(new Rejected<>(Refused.ROOM_FULL)))
                .hasSize(260);
        assertThat(guests()).hasSize(40);
    }

    /*
     * Commands of random sizes on three rooms, from two loops on one store. A replay of the events must accept exactly
     * the stored events, no room may exceed its seats, and every answer must agree with the events.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void the_outcomes_of_racing_commands_match_a_sequential_order(long seed) throws Exception {
        Random random = new Random(seed);
        List<TakeSeats> commands = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            List<String> guests = new ArrayList<>();
            for (int guest = 0; guest <= random.nextInt(3); guest++) {
                guests.add("g" + i + "-" + guest);
            }
            commands.add(new TakeSeats("room" + random.nextInt(3), 50 + random.nextInt(100), guests));
        }
        DecisionLoop<SeatTaken> here = loop(store);
        DecisionLoop<SeatTaken> there = loop(store);

        List<Outcome<SeatTaken, Refused>> outcomes =
                run(i -> i % 2 == 0 ? here : there, commands.size(), commands::get);

        Map<String, Integer> taken = new HashMap<>();
        Map<String, Integer> seatsAtStart = new HashMap<>();
        for (SequencedEvent event : store.read(Query.all()).toList()) {
            SeatTaken seat = codec.decode(event.event().type(), event.event().payload());
            seatsAtStart.put(seat.guest(), taken.merge(seat.room(), 1, Integer::sum) - 1);
        }
        for (int i = 0; i < commands.size(); i++) {
            TakeSeats command = commands.get(i);
            if (outcomes.get(i) instanceof Accepted<SeatTaken, Refused> accepted) {
                int before = seatsAtStart.getOrDefault(command.guests().getFirst(), -1);
                assertThat(before).isNotNegative();
                assertThat(accepted.events()).hasSameSizeAs(command.guests());
                assertThat(before + command.guests().size()).isLessThanOrEqualTo(command.seats());
                for (int guest = 0; guest < command.guests().size(); guest++) {
                    assertThat(seatsAtStart.get(command.guests().get(guest))).isEqualTo(before + guest);
                }
            } else {
                assertThat(outcomes.get(i)).isEqualTo(new Rejected<>(Refused.ROOM_FULL));
                assertThat(seatsAtStart).doesNotContainKeys(command.guests().toArray(String[]::new));
                assertThat(taken.getOrDefault(command.room(), 0)
                                + command.guests().size())
                        .isGreaterThan(command.seats());
            }
        }
    }

    @Test
    void a_decision_that_fails_in_a_batch_fails_alone() throws Exception {
        AtomicInteger mistakes = new AtomicInteger();
        List<Future<Outcome<SeatTaken, Refused>>> answers = new ArrayList<>();
        DecisionLoop<SeatTaken> loop = loop(store);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CALLERS; i++) {
                Decision<SeatTaken, Refused> decision = i % 10 == 0 ? mistaken() : TakeSeats.of("A", CALLERS, "g" + i);
                answers.add(callers.submit(() -> loop.execute(decision, Origin.UNKNOWN)));
            }
        }
        for (Future<Outcome<SeatTaken, Refused>> answer : answers) {
            try {
                assertThat(answer.get()).isInstanceOf(Accepted.class);
            } catch (ExecutionException failure) {
                assertThat(failure).cause().hasMessage("a mistake");
                mistakes.incrementAndGet();
            }
        }
        assertThat(mistakes).hasValue(10);
        assertThat(guests()).hasSize(90);
    }

    @Test
    void an_error_of_a_decision_reaches_its_caller() {
        DecisionLoop<SeatTaken> loop = loop(store);

        assertThatThrownBy(() -> loop.execute(mistaken(), Origin.UNKNOWN)).hasMessage("a mistake");
        assertThat(guests()).isEmpty();
    }

    private static Decision<SeatTaken, Refused> mistaken() {
        return new Decision<>() {
            @Override
            public List<? extends Fact<SeatTaken, ?>> facts() {
                return List.of(new SeatsTaken("A"));
            }

            @Override
            public Verdict<SeatTaken, Refused> decide(Facts<SeatTaken> facts, Instant now) {
                throw new IllegalStateException("a mistake");
            }
        };
    }

    /* Both queues are removed, so that later decisions find no queue without a holder. */
    @Test
    void if_no_thread_can_be_started_each_waiting_decision_goes_on_alone() throws Exception {
        Error unloggable = new OutOfMemoryError() {
            @Override
            public String getMessage() {
                throw new StackOverflowError("in the log");
            }
        };
        ContentionQueues<SeatTaken> queues =
                new ContentionQueues<>((item, decisions) -> decisions.forEach(PendingDecision::contended), work -> {
                    throw unloggable;
                });
        Map<QueryItem, PendingDecision<SeatTaken, Refused>> decisions = new HashMap<>();
        for (String room : List.of("A", "B")) {
            decisions.put(
                    new SeatsTaken(room).query().items().getFirst(),
                    new PendingDecision<>(
                            TakeSeats.of(room, 1, "ann"), codec, 0, Origin.UNKNOWN, null, RetryBounds.DEFAULT));
        }
        Collection<CombiningQueue<ContentionQueues.Waiting<SeatTaken>>> opened =
                queues.open(decisions.keySet()).values();
        List<FutureTask<Boolean>> waiting = new ArrayList<>();
        decisions.forEach((room, decision) -> {
            waiting.add(new FutureTask<>(() -> queues.await(room, decision)));
            Thread.ofVirtual().start(waiting.getLast());
            Awaitility.await().until(() -> queues.waiting(room) == 1);
        });

        opened.forEach(CombiningQueue::release);

        for (FutureTask<Boolean> each : waiting) {
            assertThat(each.get()).isTrue();
        }
        decisions.forEach((room, decision) -> {
            assertThat(decision.isOver()).isFalse();
            assertThat(queues.itemOf(decision)).isNull();
            assertThat(queues.await(room, decision)).isTrue();
            assertThat(decision.isContended()).isTrue();
        });
    }

    /**
     * A store whose first append by the callers lasts until all other callers are in a thread state. Then it runs an
     * action.
     */
    private InterleavingStore heldUntilAllOthers(Thread.State state, Runnable interleaving) {
        AtomicBoolean held = new AtomicBoolean();
        return new InterleavingStore(store, () -> {
            if (callers.contains(Thread.currentThread()) && held.compareAndSet(false, true)) {
                while (callers.size() < CALLERS || callers.stream().anyMatch(caller -> isElsewhereNot(state, caller))) {
                    sleep(Duration.ofMillis(1));
                }
                interleaving.run();
            }
        });
    }

    private static boolean isElsewhereNot(Thread.State state, Thread caller) {
        return !caller.equals(Thread.currentThread()) && caller.getState() != state;
    }

    private interface ByNumber<T> {
        T get(int number);
    }

    private List<Outcome<SeatTaken, Refused>> run(DecisionLoop<SeatTaken> loop, int times, ByNumber<TakeSeats> commands)
            throws Exception {
        return run(i -> loop, times, commands);
    }

    private List<Outcome<SeatTaken, Refused>> run(
            ByNumber<DecisionLoop<SeatTaken>> loops, int times, ByNumber<TakeSeats> commands) throws Exception {
        List<Future<Outcome<SeatTaken, Refused>>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < times; i++) {
                int number = i;
                answers.add(threads.submit(() -> {
                    callers.add(Thread.currentThread());
                    return loops.get(number).execute(commands.get(number), Origin.UNKNOWN);
                }));
            }
        }
        List<Outcome<SeatTaken, Refused>> outcomes = new ArrayList<>();
        for (Future<Outcome<SeatTaken, Refused>> answer : answers) {
            outcomes.add(answer.get());
        }
        return outcomes;
    }

    /* A thread's state can only be polled. Polling too fast would keep the other threads from running. */
    private static void sleep(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
