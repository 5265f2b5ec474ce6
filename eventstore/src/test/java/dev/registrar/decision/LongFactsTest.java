package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Rejected;
import dev.registrar.decision.Rooms.Refused;
import dev.registrar.decision.Rooms.SeatTaken;
import dev.registrar.decision.Rooms.TakeSeats;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.ForwardingEventStore;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.StateAt;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.postgres.StoreDatabase;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Facts with more events than one attempt can fold. Time is counted in chunks: after two chunks of an attempt, the
 * store reports a time-out.
 */
class LongFactsTest {
    private static final int CHUNKS_IN_TIME = 2;
    private static final int EVENTS = 5_000;

    private final Rooms.Codec codec = new Rooms.Codec();

    @ParameterizedTest
    @ValueSource(longs = {0, 100})
    void an_attempt_continues_the_fold_of_a_timed_out_attempt(long cachedStates) {
        EventStore store = new InMemoryEventStore();

        assertThat(attemptsUntilDecided(store, cachedStates)).isEqualTo(1 + EVENTS / (64 * CHUNKS_IN_TIME));
    }

    @Test
    void an_attempt_on_postgresql_continues_the_fold_of_a_timed_out_attempt() {
        try (StoreDatabase database = new StoreDatabase()) {
            assertThat(attemptsUntilDecided(database.newStore(), 100)).isBetween(2, 200);
        }
    }

    /*
     * All attempts together fold each event once, and the state that was folded in pieces counts the seats correctly.
     */
    private int attemptsUntilDecided(EventStore store, long cachedStates) {
        fill(store);
        DecisionLoop<SeatTaken> loop = new DecisionLoop<>(
                new HurriedStore(store), codec, RetryBounds.DEFAULT, cachedStates, InstantSource.system());
        Outcome<SeatTaken, Refused> outcome = null;
        int attempts = 0;
        while (outcome == null && attempts < EVENTS) {
            attempts++;
            try {
                outcome = loop.execute(TakeSeats.of("A", EVENTS + 1, "last"), Origin.UNKNOWN);
            } catch (StoreTimeoutException late) {
                assertThat(late).hasMessage("took too long");
            }
        }

        assertThat(outcome).isInstanceOf(Accepted.class);
        assertThat(codec.guestsRead()).hasSize(EVENTS);
        if (cachedStates > 0) {
            assertThat(loop.execute(TakeSeats.of("A", EVENTS + 1, "one too many"), Origin.UNKNOWN))
                    .isEqualTo(new Rejected<>(Refused.ROOM_FULL));
        }
        return attempts;
    }

    private void fill(EventStore store) {
        for (int from = 0; from < EVENTS; from += 1_000) {
            store.append(IntStream.range(from, from + 1_000)
                    .mapToObj(number -> codec.encode(new SeatTaken("A", "guest" + number)))
                    .map(encoded -> Event.of(encoded.type(), encoded.tags(), encoded.payload()))
                    .toList());
        }
    }

    private static final class HurriedStore extends ForwardingEventStore {
        private HurriedStore(EventStore store) {
            super(store);
        }

        @Override
        public Projected project(List<? extends StateAt<?>> states, Consumer<List<StateAt<?>>> progress) {
            int[] chunks = {0};
            return super.project(states, reached -> {
                progress.accept(reached);
                chunks[0]++;
                if (chunks[0] == CHUNKS_IN_TIME) {
                    throw new StoreTimeoutException("took too long");
                }
            });
        }
    }
}
