package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.decision.Rooms.Refused;
import dev.registrar.decision.Rooms.SeatTaken;
import dev.registrar.decision.Rooms.SeatsTaken;
import dev.registrar.decision.Rooms.TakeSeats;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Decisions of one batch that fail, or whose facts fail, because of events of other decisions in the batch. */
class DecisionBatchTest extends DecisionFixture {
    /** The seats of each guest of room A. The fact has room for one guest. */
    private static final Fact<SeatTaken, Map<String, Integer>> GUESTS =
            Fact.grouped(new SeatsTaken("A"), event -> List.of(event.guest()), 1);

    private final ContentionQueues<SeatTaken> queues = new ContentionQueues<>((item, decisions) -> {});

    /** A decision with the guests as a fact. */
    private record LoneGuest() implements Decision<SeatTaken, Refused> {
        @Override
        public List<? extends Fact<SeatTaken, ?>> facts() {
            return List.of(GUESTS);
        }

        @Override
        public Verdict<SeatTaken, Refused> decide(Facts<SeatTaken> facts, Instant now) {
            facts.get(GUESTS);
            return Verdict.nothing();
        }
    }

    /** Fails if a seat of the room is taken. */
    private record Empty(String room) implements Decision<SeatTaken, Refused> {
        @Override
        public List<? extends Fact<SeatTaken, ?>> facts() {
            return List.of(new SeatsTaken(room));
        }

        @Override
        public Verdict<SeatTaken, Refused> decide(Facts<SeatTaken> facts, Instant now) {
            if (facts.get(new SeatsTaken(room)) > 0) {
                throw new IllegalStateException("A guest is in room " + room);
            }
            return Verdict.nothing();
        }
    }

    private PendingDecision<SeatTaken, Refused> pending(Decision<SeatTaken, Refused> decision) {
        return new PendingDecision<>(decision, codec, 0, Origin.UNKNOWN, null, FIVE_ATTEMPTS);
    }

    private void run(List<PendingDecision<SeatTaken, ?>> decisions) {
        new DecisionBatch<>(
                        store,
                        codec,
                        new StateCache<>(0),
                        StoredStates.off(),
                        queues,
                        ContentionRecorder.off(),
                        NOON,
                        false)
                .run(decisions);
    }

    @Test
    void events_that_the_fact_of_another_decision_cannot_fold_are_appended() {
        append("ann");
        PendingDecision<SeatTaken, Refused> taking = pending(TakeSeats.of("A", 5, "bob", "eve"));
        PendingDecision<SeatTaken, Refused> lone = pending(new LoneGuest());

        run(List.of(taking, lone));

        assertThat(guests()).containsExactly("ann", "bob", "eve");
        assertThat(taking.result()).isInstanceOf(PendingDecision.Result.Settled.class);
        assertThat(lone.isOver()).isFalse();
        run(List.of(lone));
        assertThat(lone.result()).isInstanceOf(PendingDecision.Result.Failed.class);
    }

    @Test
    void events_wait_for_the_next_batch_if_an_earlier_fact_cannot_fold_them() {
        append("ann");
        PendingDecision<SeatTaken, Refused> before = pending(TakeSeats.of("A", 5, "ann"));
        PendingDecision<SeatTaken, Refused> lone = pending(new LoneGuest());
        PendingDecision<SeatTaken, Refused> taking = pending(TakeSeats.of("A", 5, "bob"));

        run(List.of(before, lone, taking));

        assertThat(before.isOver()).isTrue();
        assertThat(taking.isOver()).isFalse();
        run(List.of(taking, lone));
        assertThat(guests()).containsExactly("ann", "ann", "bob");
        assertThat(taking.result()).isInstanceOf(PendingDecision.Result.Settled.class);
    }

    @Test
    void a_decision_fails_if_its_own_fact_cannot_fold_its_events() {
        append("ann");

        assertThatThrownBy(() -> take(store, new Crowd())).hasMessageContaining("Too many groups (limit 1)");
        assertThat(guests()).containsExactly("ann");
    }

    /** Adds a second guest although its fact has room for one. */
    private record Crowd() implements Decision<SeatTaken, Refused> {
        @Override
        public List<? extends Fact<SeatTaken, ?>> facts() {
            return List.of(GUESTS);
        }

        @Override
        public Verdict<SeatTaken, Refused> decide(Facts<SeatTaken> facts, Instant now) {
            return Verdict.accept(new SeatTaken("A", "bob"));
        }
    }

    @Test
    void a_failure_based_on_events_not_yet_appended_is_not_final() {
        PendingDecision<SeatTaken, Refused> taking = pending(TakeSeats.of("A", 5, "bob"));
        PendingDecision<SeatTaken, Refused> empty = pending(new Empty("A"));

        run(List.of(taking, empty));

        assertThat(taking.isOver()).isTrue();
        assertThat(empty.isOver()).isFalse();
        run(List.of(empty));
        assertThat(empty.result()).isInstanceOf(PendingDecision.Result.Failed.class);
    }
}
