package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Rejected;
import dev.registrar.decision.Rooms.Refused;
import dev.registrar.decision.Rooms.SeatTaken;
import dev.registrar.decision.testkit.Scenario;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The policies for a command that was already executed: no-op, conflict, idempotent. */
class OnDuplicateTest {
    private static final OnDuplicate<Refused> CONFLICT = OnDuplicate.conflict(Refused.ROOM_FULL, "Booked already");

    private final Rooms.Codec codec = new Rooms.Codec();
    private final InMemoryEventStore store = new InMemoryEventStore();

    /** Books a whole room for the first guest. */
    private record Book(String room, String guest, OnDuplicate<Refused> policy)
            implements Decision<SeatTaken, Refused> {
        private Fact<SeatTaken, Optional<SeatTaken>> booking() {
            return Fact.last(
                    SeatTaken.class, Query.of(QueryItem.types("SeatTaken").tagged("room:" + room)));
        }

        @Override
        public List<? extends Fact<SeatTaken, ?>> facts() {
            return List.of(booking());
        }

        @Override
        public Verdict<SeatTaken, Refused> decide(Facts<SeatTaken> facts, Instant now) {
            return policy.verdict(facts.get(booking()), () -> Verdict.accept(new SeatTaken(room, guest)));
        }
    }

    @Test
    void a_first_command_is_executed_under_every_policy() {
        for (OnDuplicate<Refused> policy :
                List.of(OnDuplicate.<Refused>noOp(), CONFLICT, OnDuplicate.<Refused>idempotent())) {
            Scenario.of(codec).when(new Book("A", "ann", policy)).thenAccepted(new SeatTaken("A", "ann"));
        }
    }

    @Test
    void a_duplicate_is_ignored_or_refused_or_repeats_the_first_answer() {
        Scenario<SeatTaken> booked = Scenario.of(codec).given(new SeatTaken("A", "ann"));

        booked.when(new Book("A", "bob", OnDuplicate.noOp())).thenNothing();
        booked.when(new Book("A", "bob", CONFLICT)).thenRefused(Refused.ROOM_FULL);
        booked.when(new Book("A", "bob", OnDuplicate.idempotent())).thenRepeated(new SeatTaken("A", "ann"));
        assertThatThrownBy(() -> booked.when(new Book("A", "bob", OnDuplicate.idempotent()))
                        .thenAccepted(new SeatTaken("A", "ann")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("it repeated [SeatTaken[room=A, guest=ann]]");
    }

    @Test
    void a_refused_duplicate_gets_the_reason() {
        execute(new Book("A", "ann", CONFLICT), null);

        assertThat(execute(new Book("A", "bob", CONFLICT), null))
                .isEqualTo(new Rejected<>(Refused.ROOM_FULL, "Booked already"));
        assertThat(execute(new Book("A", "bob", OnDuplicate.conflict(Refused.ROOM_FULL)), null))
                .isEqualTo(new Rejected<>(Refused.ROOM_FULL, "ROOM_FULL"));
    }

    /* The client can ask a view for this position: it is the earlier event's or a later one. */
    @Test
    void a_repeated_command_returns_the_head_and_uses_up_no_key() {
        IdempotencyKey key = new IdempotencyKey("k1", "book");
        execute(new Book("A", "ann", OnDuplicate.idempotent()), null);
        execute(new Book("B", "bob", OnDuplicate.idempotent()), null);

        assertThat(execute(new Book("A", "cid", OnDuplicate.idempotent()), key))
                .isEqualTo(new Accepted<>(List.of(new SeatTaken("A", "ann")), Position.of(2), true));
        assertThat(execute(new Book("C", "cid", OnDuplicate.idempotent()), key))
                .isEqualTo(new Accepted<>(List.of(new SeatTaken("C", "cid")), Position.of(3), false));
        assertThat(store.count(Query.all())).isEqualTo(3);
    }

    /*
     * A loop has cached that Ann booked the room last. Then another loop books the room for Bob. A repetition appends
     * no events, so no append condition can reject the cached state: the loop must read before it decides.
     */
    @Test
    void a_repetition_is_not_decided_on_cached_state_alone() {
        DecisionLoop<SeatTaken> mine = loop();
        mine.execute(new Book("A", "ann", OnDuplicate.idempotent()));
        store.append(List.of(codec.encode(new SeatTaken("A", "bob")).event()));

        assertThat(mine.execute(new Book("A", "cid", OnDuplicate.idempotent())))
                .isEqualTo(new Accepted<>(List.of(new SeatTaken("A", "bob")), Position.of(2), true));
    }

    @Test
    void a_repetition_requires_an_earlier_event() {
        assertThatThrownBy(() -> new Verdict.Repeat<SeatTaken, Refused>(List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private Outcome<SeatTaken, Refused> execute(Decision<SeatTaken, Refused> decision, @Nullable IdempotencyKey key) {
        return loop().execute(decision, Origin.UNKNOWN, key);
    }

    private DecisionLoop<SeatTaken> loop() {
        return new DecisionLoop<>(store, codec, RetryBounds.DEFAULT, 100, () -> Instant.EPOCH);
    }
}
