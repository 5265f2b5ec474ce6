package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Rejected;
import dev.registrar.decision.Rooms.Refused;
import dev.registrar.decision.Rooms.SeatTaken;
import dev.registrar.decision.Rooms.TakeSeats;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.ForwardingEventStore;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Query;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The decision loop over a store without chains: decisions that wait together are appended one by one. */
class ChainlessStoreTest {
    private static final int CALLERS = 40;
    private static final int SEATS = 10;
    private static final RetryBounds LONG_DEADLINE =
            new RetryBounds(Duration.ofMinutes(1), 1_000, Duration.ofNanos(1), Duration.ofMillis(1));

    private final InMemoryEventStore memory = new InMemoryEventStore();
    private final Set<Thread> callers = ConcurrentHashMap.newKeySet();

    /* The first append lasts until all other callers wait in the queue behind it. */
    @Test
    void callers_that_wait_together_share_no_seat() throws Exception {
        EventStore held = new HeldStore(memory);
        DecisionLoop<SeatTaken> loop =
                new DecisionLoop<>(held, new Rooms.Codec(), LONG_DEADLINE, 100, InstantSource.system());
        List<Future<Outcome<SeatTaken, Refused>>> running = new ArrayList<>();
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            for (int i = 0; i < CALLERS; i++) {
                TakeSeats command = TakeSeats.of("A", SEATS, "guest" + i);
                running.add(threads.submit(() -> {
                    callers.add(Thread.currentThread());
                    return loop.execute(command, Origin.UNKNOWN);
                }));
            }
        }

        List<Outcome<SeatTaken, Refused>> outcomes = new ArrayList<>();
        for (Future<Outcome<SeatTaken, Refused>> answer : running) {
            outcomes.add(answer.get());
        }
        assertThat(outcomes).filteredOn(Accepted.class::isInstance).hasSize(SEATS);
        assertThat(outcomes)
                .filteredOn(Predicate.not(Accepted.class::isInstance))
                .hasSize(CALLERS - SEATS)
                .containsOnly(new Rejected<>(Refused.ROOM_FULL));
        assertThat(memory.count(Query.all())).isEqualTo(SEATS);
    }

    private final class HeldStore extends ForwardingEventStore {
        private final AtomicBoolean held = new AtomicBoolean();

        private HeldStore(EventStore store) {
            super(store);
        }

        @Override
        public AppendResult append(Append request) {
            if (held.compareAndSet(false, true)) {
                Thread leader = Thread.currentThread();
                await().until(() -> callers.size() == CALLERS
                        && callers.stream()
                                .allMatch(caller ->
                                        caller.equals(leader) || caller.getState() == Thread.State.TIMED_WAITING));
            }
            return super.append(request);
        }
    }
}
