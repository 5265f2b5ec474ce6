package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Rejected;
import dev.registrar.decision.Rooms.Refused;
import dev.registrar.decision.Rooms.SeatTaken;
import dev.registrar.decision.Rooms.TakeSeats;
import org.junit.jupiter.api.Test;

/** Decisions on states that are cached from one decision to the next. */
class CachedDecisionsTest extends ContentionFixture {
    @Test
    void cached_events_are_not_read_again() {
        DecisionLoop<SeatTaken> loop = loop(store);
        append("ann");
        take(loop, "bob");

        take(loop, "cid");
        take(loop, "dan");

        assertThat(codec.guestsRead()).containsExactly("ann");
    }

    @Test
    void events_of_other_instances_are_read_before_the_next_decision() {
        DecisionLoop<SeatTaken> here = loop(store);
        DecisionLoop<SeatTaken> there = loop(store);
        take(here, "ann");
        take(there, "bob");

        assertThat(here.execute(TakeSeats.of("A", 2, "cid"), Origin.UNKNOWN))
                .isEqualTo(new Rejected<>(Refused.ROOM_FULL));
    }

    @Test
    void a_state_of_a_cleared_store_is_discarded() {
        DecisionLoop<SeatTaken> loop = loop(store);
        take(loop, "ann");
        take(loop, "bob");

        store.clear();

        assertThat(loop.execute(TakeSeats.of("A", 1, "cid"), Origin.UNKNOWN)).isInstanceOf(Accepted.class);
        assertThat(guests()).containsExactly("cid");
    }

    @Test
    void without_room_in_the_cache_every_decision_reads() {
        DecisionLoop<SeatTaken> loop = new DecisionLoop<>(store, codec, LONG_DEADLINE, 0, () -> NOON);
        take(loop, "ann");
        take(loop, "bob");
        take(loop, "cid");

        assertThat(codec.guestsRead()).containsExactly("ann", "ann", "bob");
    }
}
