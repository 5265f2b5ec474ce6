package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Rejected;
import dev.registrar.decision.Rooms.Refused;
import dev.registrar.decision.Rooms.SeatTaken;
import dev.registrar.decision.Rooms.TakeSeats;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Exactly one of the callers that race for the last seat gets it. Without the append condition all of them do. */
class DecisionRacesTest extends DecisionFixture {
    private static final int RACERS = 16;

    /*
     * Sixteen guests start together for the last seat of a room. The store refuses each guest that read before the
     * winner appended. The guest then reads the winner's event, and the room refuses the guest.
     */
    @Test
    void one_of_sixteen_racers_gets_the_last_seat() throws Exception {
        for (int round = 0; round < 50; round++) {
            String room = "room" + round;
            assertOneWinner(race(racer -> take(store, TakeSeats.of(room, 1, "guest" + racer))));
        }
        assertThat(store.count(Query.all())).isEqualTo(50);
    }

    /* The worst case of the same race: no guest appends before all sixteen have read that the seat is free. */
    @Test
    void one_of_sixteen_racers_gets_the_last_seat_after_all_have_read_it() throws Exception {
        AtomicInteger appends = new AtomicInteger();
        CyclicBarrier allHaveRead = new CyclicBarrier(RACERS);
        InterleavingStore interleaved = new InterleavingStore(store, () -> {
            if (appends.incrementAndGet() <= RACERS) {
                await(allHaveRead);
            }
        });

        assertOneWinner(race(racer -> take(interleaved, TakeSeats.of("A", 1, "guest" + racer))));
        assertThat(guests()).hasSize(1);
    }

    @Test
    void without_the_condition_all_sixteen_racers_get_the_last_seat() throws Exception {
        CyclicBarrier allHaveRead = new CyclicBarrier(RACERS);
        InterleavingStore careless = new InterleavingStore(store, request -> {
            await(allHaveRead);
            return Append.of(request.events());
        });

        assertThat(race(racer -> take(careless, TakeSeats.of("A", 1, "guest" + racer))))
                .hasSize(RACERS)
                .allMatch(Accepted.class::isInstance);
        assertThat(guests()).hasSize(RACERS);
    }

    private interface Racer {
        Outcome<SeatTaken, Refused> run(int racer);
    }

    private static void assertOneWinner(List<Outcome<SeatTaken, Refused>> outcomes) {
        assertThat(outcomes).filteredOn(Accepted.class::isInstance).hasSize(1);
        assertThat(outcomes)
                .filteredOn(new Rejected<SeatTaken, Refused>(Refused.ROOM_FULL)::equals)
                .hasSize(RACERS - 1);
    }

    private static List<Outcome<SeatTaken, Refused>> race(Racer run) throws InterruptedException, ExecutionException {
        CyclicBarrier start = new CyclicBarrier(RACERS);
        List<Callable<Outcome<SeatTaken, Refused>>> tasks = new ArrayList<>();
        for (int i = 0; i < RACERS; i++) {
            int racer = i;
            tasks.add(() -> {
                await(start);
                return run.run(racer);
            });
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(RACERS)) {
            List<Outcome<SeatTaken, Refused>> outcomes = new ArrayList<>();
            for (Future<Outcome<SeatTaken, Refused>> future : threads.invokeAll(tasks)) {
                outcomes.add(future.get());
            }
            return outcomes;
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(2, TimeUnit.MINUTES);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException alone) {
            throw new IllegalStateException("Not all racers reached the barrier", alone);
        }
    }
}
