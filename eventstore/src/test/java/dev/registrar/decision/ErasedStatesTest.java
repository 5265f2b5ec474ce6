package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Rooms.Refused;
import dev.registrar.decision.Rooms.SeatTaken;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventMetadata;
import dev.registrar.eventstore.Masking;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** After an erasure no instance decides on what it has cached before, and all decisions come out as before. */
class ErasedStatesTest {
    private static final Actor OFFICE = Actor.of("issuer", "office");

    private final StoreDatabase database = new StoreDatabase();
    private final PostgresEventStore store = database.newStore();
    private final Guests codec = new Guests();

    /** Guests are personal, and so is the tag with which a guest has at most one seat. */
    private static final class Guests implements EventCodec<SeatTaken> {
        private final Rooms.Codec rooms = new Rooms.Codec();

        @Override
        public Encoded encode(SeatTaken event) {
            Encoded room = rooms.encode(event);
            return new Encoded(
                    room.type(), Set.of(new Tag("room:" + event.room()), guest(event.guest())), room.payload());
        }

        @Override
        public SeatTaken decode(String type, String payload) {
            if (!type.equals("SeatTaken")) {
                throw new UnknownEventTypeException("rooms", type);
            }
            return rooms.decode(type, payload);
        }

        @Override
        public Masked<SeatTaken> masked(SeatTaken event) {
            return new Masked<>(new SeatTaken(event.room(), "(erased)"), Set.of(guest(event.guest())));
        }

        private static Tag guest(String name) {
            return new Tag("guest:" + name);
        }
    }

    /** The rooms in which a guest has a seat. */
    private record RoomsOf(String guest) implements Fact<SeatTaken, List<String>> {
        @Override
        public Query query() {
            return Query.of(QueryItem.types("SeatTaken").tagged("guest:" + guest));
        }

        @Override
        public List<String> initial() {
            return List.of();
        }

        @Override
        public List<String> apply(List<String> rooms, SeatTaken event) {
            return List.of(event.room());
        }
    }

    /** Takes a seat for a guest who has none anywhere, if the room has a free one. */
    private record TakeOneSeat(String room, int seats, String guest) implements Decision<SeatTaken, Refused> {
        @Override
        public List<? extends Fact<SeatTaken, ?>> facts() {
            return List.of(new Rooms.SeatsTaken(room), new RoomsOf(guest));
        }

        @Override
        public Verdict<SeatTaken, Refused> decide(Facts<SeatTaken> facts, Instant now) {
            return facts.get(new Rooms.SeatsTaken(room)) < seats
                            && facts.get(new RoomsOf(guest)).isEmpty()
                    ? Verdict.accept(new SeatTaken(room, guest))
                    : Verdict.refuse(Refused.ROOM_FULL);
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    private long eraseAnn() {
        return store.erase(Query.of(QueryItem.tags("guest:ann")), codec.masking(), OFFICE, "request 17");
    }

    @Test
    void the_seat_stays_taken_and_the_guest_is_unknown_on_all_instances() {
        PostgresEventStore other = database.newStore();
        DecisionLoop<SeatTaken> here = new DecisionLoop<>(store, codec);
        DecisionLoop<SeatTaken> there = new DecisionLoop<>(other, codec);
        here.execute(new TakeOneSeat("A", 1, "ann"));
        assertThat(there.execute(new TakeOneSeat("B", 9, "ann"))).isInstanceOf(Outcome.Rejected.class);

        assertThat(eraseAnn()).isEqualTo(1);

        assertThat(here.execute(new TakeOneSeat("A", 1, "bob"))).isInstanceOf(Outcome.Rejected.class);
        await().untilAsserted(() -> assertThat(other.erasures()).isEqualTo(1));
        assertThat(there.execute(new TakeOneSeat("A", 1, "bob"))).isInstanceOf(Outcome.Rejected.class);
        assertThat(there.execute(new TakeOneSeat("B", 9, "ann"))).isInstanceOf(Accepted.class);
        assertThat(here.execute(new TakeOneSeat("C", 9, "ann"))).isInstanceOf(Outcome.Rejected.class);
    }

    /*
     * A decision reads its facts, then the guest is erased, then the decision is made and its state cached. Without the
     * comparison of the erasures, the next decision on the guest would be made on that state.
     */
    @Test
    void a_state_that_was_read_before_an_erasure_is_not_kept_after_it() {
        DecisionLoop<SeatTaken> loop = new DecisionLoop<>(store, codec);
        loop.execute(new TakeOneSeat("A", 2, "ann"));
        codec.rooms.guestsRead();
        Decision<SeatTaken, Refused> slow = new Decision<>() {
            @Override
            public List<? extends Fact<SeatTaken, ?>> facts() {
                return new TakeOneSeat("A", 2, "ann").facts();
            }

            @Override
            public Verdict<SeatTaken, Refused> decide(Facts<SeatTaken> facts, Instant now) {
                eraseAnn();
                return Verdict.accept(new SeatTaken("A", "bob"));
            }
        };
        assertThat(loop.execute(slow)).isInstanceOf(Accepted.class);

        assertThat(loop.execute(new TakeOneSeat("B", 1, "ann"))).isInstanceOf(Accepted.class);
    }

    @Test
    void a_masking_keeps_the_command_and_nothing_that_a_client_has_chosen() {
        SeatTaken seat = new SeatTaken("A", "ann");
        EventMetadata known = new EventMetadata("ann's visit", "ann", "TakeSeat", "17");

        assertThat(codec.masking().mask(stored(codec.encode(seat).event().withMetadata(known.json()))))
                .extracting("payload", "metadata", "personalTags")
                .containsExactly(
                        "\"A/(erased)\"",
                        new EventMetadata(null, null, "TakeSeat", "17").json(),
                        Set.of(new Tag("guest:ann")));
        assertThat(codec.masking()
                        .mask(stored(codec.encode(seat).event().withMetadata("ann")))
                        .metadata())
                .isEqualTo("{}");
    }

    @Test
    void a_masking_leaves_events_of_other_domains() {
        SequencedEvent other =
                stored(Event.of("Other", "{\"guest\":\"ann\"}", "guest:ann").withMetadata("ann"));

        assertThat(codec.masking().mask(other)).isEqualTo(Masking.Masked.nothingOf(other));
    }

    private static SequencedEvent stored(Event event) {
        return new SequencedEvent(Position.of(1), event, Instant.EPOCH, OFFICE);
    }
}
