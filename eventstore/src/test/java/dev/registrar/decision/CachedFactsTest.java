package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Rejected;
import dev.registrar.decision.Rooms.Refused;
import dev.registrar.decision.Rooms.SeatTaken;
import dev.registrar.decision.Rooms.SeatsTaken;
import dev.registrar.decision.Rooms.TakeSeats;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/**
 * Decisions whose facts are all cached do not read. An outcome that no append confirms rests on a read. Other writers
 * append directly to the store, unknown to the loop under test.
 */
class CachedFactsTest {
    private static final RetryBounds ONE_ATTEMPT =
            new RetryBounds(Duration.ofMinutes(1), 1, Duration.ofNanos(1), Duration.ofNanos(1));

    private final InMemoryEventStore events = new InMemoryEventStore();
    private final InterleavingStore store = new InterleavingStore(events, () -> {});
    private final Rooms.Codec codec = new Rooms.Codec();
    private final DecisionLoop<SeatTaken> loop = loop(100);

    @Test
    void cached_facts_are_not_read() {
        take("A", 3, "ann");
        take("A", 3, "bob");

        assertThat(take("A", 3, "cid")).isEqualTo(accepted("A", 3, "cid"));
        assertThat(store.reads()).isEqualTo(1);
        assertThat(store.appends()).isEqualTo(3);
    }

    @Test
    void without_a_cache_every_decision_reads() {
        DecisionLoop<SeatTaken> forgetful = loop(0);

        for (int i = 0; i < 3; i++) {
            forgetful.execute(TakeSeats.of("A", 3, "guest" + i), Origin.UNKNOWN);
        }

        assertThat(store.reads()).isEqualTo(3);
    }

    /* A conflict caused by a stale cached state does not count as an attempt: the single allowed attempt follows it. */
    @Test
    void a_decision_on_a_stale_state_is_made_again_after_a_read() {
        take("A", 3, "ann");
        append("A", "rival");

        assertThat(take("A", 3, "bob")).isEqualTo(accepted("A", 3, "bob"));
        assertThat(store.reads()).isEqualTo(2);
    }

    @Test
    void a_command_is_refused_if_the_stale_state_hid_a_full_room() {
        take("A", 2, "ann");
        append("A", "rival");

        assertThat(take("A", 2, "bob")).isEqualTo(new Rejected<>(Refused.ROOM_FULL));
        assertThat(guests()).containsExactly("ann", "rival");
    }

    @Test
    void a_refusal_rests_on_a_read() {
        take("A", 1, "ann");
        events.clear();

        assertThat(take("A", 1, "bob")).isEqualTo(accepted("A", 1, "bob"));
        assertThat(store.appends()).isEqualTo(2);
    }

    @Test
    void an_acceptance_without_events_rests_on_a_read() {
        take("A", 1, "ann");
        append("B", "elsewhere");

        assertThat(take("A", 1)).isEqualTo(new Accepted<>(List.of(), Position.of(2), false));
    }

    /* The cached state has one taken seat; the store has two. */
    @Test
    void a_decision_that_fails_on_a_cached_state_is_made_again() {
        take("A", 3, "ann");
        append("A", "rival");

        Outcome<SeatTaken, Refused> outcome = loop.execute(
                new Custom(List.of(new SeatsTaken("A")), (facts, now) -> {
                    if (facts.get(new SeatsTaken("A")) < 2) {
                        throw new IllegalStateException("too few");
                    }
                    return Verdict.accept(new SeatTaken("A", "bob"));
                }),
                Origin.UNKNOWN);

        assertThat(outcome).isEqualTo(accepted("A", 3, "bob"));
    }

    @Test
    void a_decision_that_fails_on_a_state_just_read_fails() {
        take("A", 3, "ann");
        Custom failing = new Custom(List.of(new SeatsTaken("A")), (facts, now) -> {
            throw new IllegalStateException("always");
        });

        assertThatThrownBy(() -> loop.execute(failing, Origin.UNKNOWN)).hasMessage("always");
    }

    /*
     * The cached state of room A is older than that of room B, and a rival took a seat in A in between. A condition on
     * both rooms after B's head would miss that event.
     */
    @Test
    void each_fact_is_guarded_from_its_own_head() {
        take("A", 3, "ann");
        append("A", "rival");
        take("B", 3, "bob");
        List<Integer> seen = new ArrayList<>();
        Custom both = new Custom(List.of(new SeatsTaken("A"), new SeatsTaken("B")), (facts, now) -> {
            seen.add(facts.get(new SeatsTaken("A")) + facts.get(new SeatsTaken("B")));
            return Verdict.accept(new SeatTaken("C", "cid"));
        });

        assertThat(loop.execute(both, Origin.UNKNOWN)).isEqualTo(accepted("C", 4, "cid"));
        assertThat(seen).containsExactly(2, 3);
    }

    @Test
    void cached_facts_of_different_heads_are_valid_if_they_have_no_new_events() {
        take("A", 3, "ann");
        take("B", 3, "bob");
        append("elsewhere", "rival");
        int before = store.reads();
        Custom both = new Custom(
                List.of(new SeatsTaken("A"), new SeatsTaken("B")),
                (facts, now) -> Verdict.accept(new SeatTaken("A", "cid")));

        assertThat(loop.execute(both, Origin.UNKNOWN)).isEqualTo(accepted("A", 4, "cid"));
        assertThat(store.reads()).isEqualTo(before);
        assertThat(take("A", 2, "dan")).isEqualTo(new Rejected<>(Refused.ROOM_FULL));
    }

    @Test
    void a_cleared_store_invalidates_all_cached_states() {
        take("A", 2, "ann");
        events.clear();
        append("A", "rival");

        assertThat(take("A", 2, "bob")).isEqualTo(accepted("A", 2, "bob"));
        assertThat(take("A", 2, "cid")).isEqualTo(new Rejected<>(Refused.ROOM_FULL));
        assertThat(guests()).containsExactly("rival", "bob");
    }

    @Test
    void each_stale_fact_costs_one_append_and_one_read() {
        take("A", 9, "ann");
        take("B", 9, "bob");
        append("A", "rival");
        append("B", "rival");

        assertThat(take("A", 9, "cid")).isEqualTo(accepted("A", 5, "cid"));
        assertThat(take("B", 9, "dan")).isEqualTo(accepted("B", 6, "dan"));
        assertThat(store.reads()).isEqualTo(4);
        assertThat(store.appends()).isEqualTo(6);
    }

    private record Custom(
            List<SeatsTaken> facts, BiFunction<Facts<SeatTaken>, Instant, Verdict<SeatTaken, Refused>> rules)
            implements Decision<SeatTaken, Refused> {
        @Override
        public Verdict<SeatTaken, Refused> decide(Facts<SeatTaken> known, Instant now) {
            return rules.apply(known, now);
        }
    }

    private DecisionLoop<SeatTaken> loop(long cachedStates) {
        return new DecisionLoop<>(store, codec, ONE_ATTEMPT, cachedStates, Instant::now);
    }

    private Outcome<SeatTaken, Refused> take(String room, int seats, String... guests) {
        return loop.execute(TakeSeats.of(room, seats, guests), Origin.UNKNOWN);
    }

    private static Accepted<SeatTaken, Refused> accepted(String room, long position, String guest) {
        return new Accepted<>(List.of(new SeatTaken(room, guest)), Position.of(position), false);
    }

    private void append(String room, String guest) {
        EventCodec.Encoded encoded = codec.encode(new SeatTaken(room, guest));
        events.append(List.of(Event.of(encoded.type(), encoded.tags(), encoded.payload())));
    }

    private List<String> guests() {
        return events.read(Query.all()).stream()
                .map(stored ->
                        codec.decode(stored.event().type(), stored.event().payload()))
                .map(SeatTaken::guest)
                .toList();
    }
}
