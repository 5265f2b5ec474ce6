package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Contended;
import dev.registrar.decision.Outcome.Rejected;
import dev.registrar.decision.Rooms.Refused;
import dev.registrar.decision.Rooms.SeatTaken;
import dev.registrar.decision.Rooms.SeatsTaken;
import dev.registrar.decision.Rooms.TakeSeats;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.EventMetadata;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.SequencedEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DecisionLoopTest extends DecisionFixture {
    private static final IdempotencyKey KEY = new IdempotencyKey("k1", "take a seat");

    @Test
    void an_accepted_decision_is_stored_with_its_origin() {
        Actor clerk = Actor.of("https://id.example.org", "clerk").onBehalfOf("ann");
        Outcome<SeatTaken, Refused> outcome =
                loop(store).execute(TakeSeats.of("A", 2, "ann", "bob"), new Origin("c-1", "cause", clerk));

        assertThat(outcome).isEqualTo(new Accepted<>(List.of(taken("ann"), taken("bob")), Position.of(2), false));
        SequencedEvent first = store.read(Query.all()).toList().getFirst();
        assertThat(first.event().metadata())
                .startsWith("{\"correlationId\":\"c-1\",\"causationId\":\"cause\",\"commandType\":");
        assertThat(store.read(Query.all()).stream().map(SequencedEvent::actor)).containsExactly(clerk, clerk);
        assertThat(first.event().id().version()).isEqualTo(7);
        assertThat(guests()).containsExactly("ann", "bob");
    }

    @Test
    void the_events_of_a_command_carry_its_type_and_a_new_id() {
        DecisionLoop<SeatTaken> loop = loop(store);
        loop.execute(TakeSeats.of("A", 3, "ann", "bob"));
        loop.execute(TakeSeats.of("A", 3, "cid"));

        List<EventMetadata> metadata = store.read(Query.all()).stream()
                .map(stored -> EventMetadata.parse(stored.event().metadata()).orElseThrow())
                .toList();
        assertThat(metadata)
                .extracting(EventMetadata::commandType)
                .containsExactly("TakeSeats", "TakeSeats", "TakeSeats");
        assertThat(metadata.get(0).commandId())
                .isEqualTo(metadata.get(1).commandId())
                .isNotEqualTo(metadata.get(2).commandId())
                .satisfies(id -> assertThat(UUID.fromString(id).version()).isEqualTo(7));
    }

    /** Books rooms whose seats it must all know. */
    private record TakeAll(List<String> rooms) implements Decision<SeatTaken, Refused> {
        @Override
        public List<? extends Fact<SeatTaken, ?>> facts() {
            return rooms.stream().map(SeatsTaken::new).toList();
        }

        @Override
        public Verdict<SeatTaken, Refused> decide(Facts<SeatTaken> facts, Instant now) {
            return new Verdict.Accept<>(List.of(new SeatTaken("R0", "ann")));
        }
    }

    @Test
    void a_decision_that_exceeds_a_limit_is_a_mistake_with_its_name_and_no_refused_input() {
        TakeAll decision =
                new TakeAll(IntStream.rangeClosed(0, 100).mapToObj(i -> "R" + i).toList());

        assertThatThrownBy(() -> take(store, decision))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "The facts of the decision TakeAll exceed a limit of the store: A query must have at most 100 items but has 101");
        // The name of a room is input.
        assertThatThrownBy(() -> take(store, TakeSeats.of("A".repeat(300), 1, "ann")))
                .isInstanceOf(RefusedInputException.class);
    }

    @Test
    void a_refused_decision_stores_nothing() {
        assertThat(take(store, TakeSeats.of("A", 0, "ann"))).isEqualTo(new Rejected<>(Refused.ROOM_FULL));
        assertThat(guests()).isEmpty();
    }

    @Test
    void a_decision_without_events_returns_the_head_of_its_facts() {
        append("ann");
        InterleavingStore counted = new InterleavingStore(store, () -> {});

        assertThat(take(counted, TakeSeats.of("A", 2))).isEqualTo(new Accepted<>(List.of(), Position.of(1), false));
        assertThat(counted.appends()).isZero();
    }

    /*
     * Ann's seat is taken before the decision reads. Between its read and its append Bob takes a seat, so the append
     * fails. The second attempt reads Bob's event but not Ann's, and gets the current time again.
     */
    @Test
    void after_a_conflict_the_loop_reads_only_new_events_and_decides_again() {
        append("ann");
        InterleavingStore interleaved = interleavedOnce(() -> append("bob"));
        List<Instant> times = new ArrayList<>();
        AtomicInteger ticks = new AtomicInteger();
        InstantSource clock = () -> NOON.plusSeconds(ticks.getAndIncrement());
        Decision<SeatTaken, Refused> decision = watched(TakeSeats.of("A", 3, "cid"), times);

        Outcome<SeatTaken, Refused> outcome =
                new DecisionLoop<>(interleaved, codec, FIVE_ATTEMPTS, 100, clock).execute(decision, Origin.UNKNOWN);

        assertThat(outcome).isEqualTo(new Accepted<>(List.of(taken("cid")), Position.of(3), false));
        assertThat(codec.guestsRead()).containsExactly("ann", "bob");
        assertThat(times).containsExactly(NOON, NOON.plusSeconds(1));
        assertThat(interleaved.appends()).isEqualTo(2);
    }

    /* The clock of an instance may be wrong; that of the store is the same for all. */
    @Test
    void a_loop_without_a_clock_of_its_own_decides_by_the_clock_of_the_store() {
        List<Instant> times = new ArrayList<>();

        new DecisionLoop<>(new InMemoryEventStore(() -> NOON), codec)
                .execute(watched(TakeSeats.of("A", 3, "cid"), times), Origin.UNKNOWN);

        assertThat(times).containsExactly(NOON);
    }

    @Test
    void after_a_conflict_the_domain_may_refuse() {
        InterleavingStore interleaved = interleavedOnce(() -> append("bob"));

        assertThat(take(interleaved, TakeSeats.of("A", 1, "ann"))).isEqualTo(new Rejected<>(Refused.ROOM_FULL));
        assertThat(guests()).containsExactly("bob");
    }

    @Test
    void an_event_outside_the_boundary_is_no_conflict() {
        InterleavingStore interleaved = interleavedOnce(() -> store.append(List.of(event("B", "bob"))));

        assertThat(take(interleaved, TakeSeats.of("A", 1, "ann"))).isInstanceOf(Accepted.class);
        assertThat(interleaved.appends()).isEqualTo(1);
    }

    @Test
    void a_decision_is_contended_after_the_maximum_of_attempts() {
        InterleavingStore interleaved = new InterleavingStore(store, () -> append("rival"));

        assertThat(take(interleaved, TakeSeats.of("A", 100, "ann"))).isEqualTo(new Contended<>(5));
        assertThat(guests()).containsOnly("rival").hasSize(5);
    }

    @Test
    void a_decision_is_contended_at_the_deadline() {
        InterleavingStore interleaved = new InterleavingStore(store, () -> append("rival"));
        RetryBounds bounds =
                new RetryBounds(Duration.ofMillis(50), Integer.MAX_VALUE, Duration.ofMillis(1), Duration.ofMinutes(1));

        Outcome<SeatTaken, Refused> outcome = new DecisionLoop<>(interleaved, codec, bounds, 100, () -> NOON)
                .execute(TakeSeats.of("A", 1_000_000, "ann"), Origin.UNKNOWN);

        assertThat(outcome).isInstanceOf(Contended.class);
        assertThat(guests()).doesNotContain("ann");
    }

    @Test
    void a_decision_ends_when_interrupted_and_the_thread_stays_interrupted() {
        InterleavingStore interleaved = new InterleavingStore(store, () -> append("rival"));

        Thread.currentThread().interrupt();

        assertThat(take(interleaved, TakeSeats.of("A", 100, "ann"))).isEqualTo(new Contended<>(1));
        assertThat(Thread.interrupted()).isTrue();
    }

    /*
     * Two seats are taken when the decision reads. Before it appends, the store is cleared and another guest takes a
     * seat. The state that was read is invalid: the second attempt must see one seat taken, not two or three.
     */
    @Test
    void in_a_replaced_store_a_decision_starts_from_the_initial_state() {
        append("ann");
        append("bob");
        InterleavingStore interleaved = interleavedOnce(() -> {
            store.clear();
            append("dan");
        });
        List<Integer> seen = new ArrayList<>();

        Outcome<SeatTaken, Refused> outcome = loop(interleaved).execute(counting(seen), Origin.UNKNOWN);

        assertThat(outcome).isEqualTo(new Accepted<>(List.of(taken("cid")), Position.of(2), false));
        assertThat(seen).containsExactly(2, 1);
        assertThat(guests()).containsExactly("dan", "cid");
    }

    /*
     * The loop looks up the key, then the first request commits, then the loop reads the facts. They contain the
     * command's own events.
     */
    @Test
    void a_repetition_that_overlaps_the_first_request_is_not_refused() {
        TakeSeats decision = TakeSeats.of("A", 1, "ann");
        InterleavingStore overlapped =
                InterleavingStore.afterLookup(store, () -> loop(store).execute(decision, Origin.UNKNOWN, KEY));

        assertThat(loop(overlapped).execute(decision, Origin.UNKNOWN, KEY))
                .isEqualTo(new Accepted<>(decided(decision), Position.of(1), true));
    }

    @Test
    void a_repetition_under_the_same_key_returns_the_first_events() {
        TakeSeats decision = TakeSeats.of("A", 2, "ann", "bob");
        append("B", "elsewhere");
        Outcome<SeatTaken, Refused> first = loop(store).execute(decision, Origin.UNKNOWN, KEY);
        append("B", "elsewhere");

        Outcome<SeatTaken, Refused> second = loop(store).execute(decision, Origin.UNKNOWN, KEY);

        assertThat(first).isEqualTo(new Accepted<>(decided(decision), Position.of(3), false));
        assertThat(second).isEqualTo(new Accepted<>(decided(decision), Position.of(3), true));
        assertThat(store.count(Query.all())).isEqualTo(4);
    }

    /*
     * The same command is sent twice at once. Both requests look up the key and find nothing. The other request appends
     * first. Ours returns the events of the other request.
     */
    @Test
    void the_later_of_two_requests_under_one_key_returns_the_first_events() {
        InterleavingStore interleaved = interleavedOnce(
                () -> store.append(Append.of(event("A", "ann from there")).under(KEY)));

        Outcome<SeatTaken, Refused> outcome =
                loop(interleaved).execute(TakeSeats.of("A", 1, "ann from here"), Origin.UNKNOWN, KEY);

        assertThat(outcome).isEqualTo(new Accepted<>(List.of(taken("ann from there")), Position.of(1), true));
        assertThat(guests()).containsExactly("ann from there");
    }

    @Test
    void a_key_belongs_to_one_command() {
        loop(store).execute(TakeSeats.of("A", 2, "ann"), Origin.UNKNOWN, KEY);

        assertThatThrownBy(() -> loop(store)
                        .execute(
                                TakeSeats.of("A", 2, "bob"),
                                Origin.UNKNOWN,
                                new IdempotencyKey(KEY.value(), "something else")))
                .isInstanceOf(IdempotencyKeyReusedException.class);
    }

    @Test
    void a_refusal_does_not_use_up_the_key() {
        loop(store).execute(TakeSeats.of("A", 0, "ann"), Origin.UNKNOWN, KEY);

        assertThat(loop(store).execute(TakeSeats.of("A", 1, "ann"), Origin.UNKNOWN, KEY))
                .isEqualTo(new Accepted<>(List.of(taken("ann")), Position.of(1), false));
    }

    @Test
    void a_failure_of_the_store_is_not_retried() {
        InterleavingStore interleaved = new InterleavingStore(store, () -> {
            throw new OutcomeUnknownException("the connection was lost");
        });

        assertThatThrownBy(() -> take(interleaved, TakeSeats.of("A", 1, "ann")))
                .isInstanceOf(OutcomeUnknownException.class);
        assertThat(interleaved.appends()).isEqualTo(1);
    }

    @Test
    void a_decision_sees_only_the_facts_it_names() {
        Decision<SeatTaken, Refused> decision = new Decision<>() {
            @Override
            public List<? extends Fact<SeatTaken, ?>> facts() {
                return List.of(new SeatsTaken("A"));
            }

            @Override
            public Verdict<SeatTaken, Refused> decide(Facts<SeatTaken> facts, Instant now) {
                facts.get(new SeatsTaken("B"));
                return Verdict.refuse(Refused.ROOM_FULL);
            }
        };

        assertThatThrownBy(() -> take(store, decision))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("room=B");
    }

    private static SeatTaken taken(String guest) {
        return new SeatTaken("A", guest);
    }

    private static List<SeatTaken> decided(TakeSeats decision) {
        return decision.guests().stream()
                .map(guest -> new SeatTaken(decision.room(), guest))
                .toList();
    }

    private static Decision<SeatTaken, Refused> watched(TakeSeats decision, List<Instant> times) {
        return new Decision<>() {
            @Override
            public List<? extends Fact<SeatTaken, ?>> facts() {
                return decision.facts();
            }

            @Override
            public Verdict<SeatTaken, Refused> decide(Facts<SeatTaken> facts, Instant now) {
                times.add(now);
                return decision.decide(facts, now);
            }
        };
    }

    /** Takes a seat for Cid regardless of the number of taken seats, and records that number. */
    private static Decision<SeatTaken, Refused> counting(List<Integer> seen) {
        return new Decision<>() {
            @Override
            public List<? extends Fact<SeatTaken, ?>> facts() {
                return List.of(new SeatsTaken("A"));
            }

            @Override
            public Verdict<SeatTaken, Refused> decide(Facts<SeatTaken> facts, Instant now) {
                seen.add(facts.get(new SeatsTaken("A")));
                return Verdict.accept(taken("cid"));
            }
        };
    }
}
