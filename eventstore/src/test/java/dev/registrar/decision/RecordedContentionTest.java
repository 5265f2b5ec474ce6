package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.decision.ItemContention.LostRaces;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Rooms.Refused;
import dev.registrar.decision.Rooms.SeatTaken;
import dev.registrar.decision.Rooms.SeatsTaken;
import dev.registrar.decision.Rooms.TakeSeats;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.QueryItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What the decision loop records of decisions that compete. */
class RecordedContentionTest extends ContentionFixture {
    private static final QueryItem ROOM_A = new SeatsTaken("A").query().items().getFirst();

    private DecisionLoop<SeatTaken> recorded(EventStore on, RetryBounds bounds) {
        return new DecisionLoop<>(
                on, codec, bounds, 0, () -> NOON, new ContentionRecorder(() -> NOON), StoredStates.off());
    }

    @Test
    void without_competition_nothing_is_recorded() {
        DecisionLoop<SeatTaken> loop = recorded(store, LONG_DEADLINE);

        take(loop, "ann");
        take(loop, "bob");

        assertThat(loop.contention()).isEmpty();
    }

    /* A rival appends before each of the first three attempts. */
    @Test
    void conflicts_and_the_retries_that_follow_are_recorded() {
        AtomicInteger rivals = new AtomicInteger();
        DecisionLoop<SeatTaken> loop = recorded(
                new InterleavingStore(store, () -> {
                    if (rivals.getAndIncrement() < 3) {
                        append("rival" + rivals);
                    }
                }),
                LONG_DEADLINE);

        take(loop, "ann");

        ItemContention room = only(loop);
        assertThat(room.item()).isEqualTo(ROOM_A);
        assertThat(room.conflicts()).isEqualTo(3);
        assertThat(room.retries()).isEqualTo(3);
        assertThat(room.gaveUp()).isZero();
        assertThat(room.lostRaces()).containsExactly(new LostRaces("TakeSeats", "SeatTaken", 3));
    }

    @Test
    void a_decision_that_gives_up_is_recorded() {
        RetryBounds twice = new RetryBounds(Duration.ofMinutes(1), 2, Duration.ofNanos(1), Duration.ofNanos(1));
        AtomicInteger rivals = new AtomicInteger();
        DecisionLoop<SeatTaken> loop =
                recorded(new InterleavingStore(store, () -> append("rival" + rivals.incrementAndGet())), twice);

        Outcome<SeatTaken, Refused> outcome = loop.execute(TakeSeats.of("A", 1_000, "ann"));

        assertThat(outcome).isEqualTo(new Outcome.Contended<>(2));
        ItemContention room = only(loop);
        assertThat(room.conflicts()).isEqualTo(2);
        assertThat(room.retries()).isEqualTo(1);
        assertThat(room.gaveUp()).isEqualTo(1);
    }

    /* The first append is held. Nine decisions wait meanwhile, and then share batches. */
    @Test
    void decisions_that_wait_are_shown_while_and_after_they_wait() throws Exception {
        CountDownLatch appending = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        DecisionLoop<SeatTaken> loop = recorded(
                new InterleavingStore(store, () -> {
                    appending.countDown();
                    await(free);
                }),
                LONG_DEADLINE);
        List<Future<Outcome<SeatTaken, Refused>>> answers = new ArrayList<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            answers.add(callers.submit(() -> loop.execute(TakeSeats.of("A", 1_000, "first"))));
            await(appending);
            for (int i = 0; i < 9; i++) {
                String guest = "g" + i;
                answers.add(callers.submit(() -> loop.execute(TakeSeats.of("A", 1_000, guest))));
            }
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> loop.contention().stream().anyMatch(room -> room.waiting() == 9));
            free.countDown();
        }

        for (Future<Outcome<SeatTaken, Refused>> answer : answers) {
            assertThat(answer.get()).isInstanceOf(Accepted.class);
        }
        ItemContention room = only(loop);
        assertThat(room.longestQueue()).isEqualTo(9);
        assertThat(room.waiting()).isZero();
        assertThat(room.conflicts()).isZero();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static ItemContention only(DecisionLoop<SeatTaken> loop) {
        List<ItemContention> contention = loop.contention();
        assertThat(contention).hasSize(1);
        return contention.getFirst();
    }
}
