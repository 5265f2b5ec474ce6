package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Rejected;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.ChainingEventStore;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.postgres.StoreDatabase;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A room's bookings were stored as {@code Reserved} before their event was renamed: reads and appends see both. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RenamedEventsTest {
    private static final JsonEventCodec<Booking> CODEC = JsonEventCodec.of(
                    Booking.class, booking -> Set.of(Tag.of("room:" + booking.room())))
            .formerly(RoomBooked.class, "Reserved")
            .upcast(RoomBooked.class, 1, payload -> payload.put("guests", 1));

    sealed interface Booking {
        String room();
    }

    record RoomBooked(String room, int guests) implements Booking {}

    /** The guests in a room. Its query has the new name only. */
    record Guests(String room) implements Fact<Booking, Integer> {

        @Override
        public Query query() {
            return Query.of(QueryItem.types("RoomBooked").tagged("room:" + room));
        }

        @Override
        public Integer initial() {
            return 0;
        }

        @Override
        public Integer apply(Integer guests, Booking event) {
            return switch (event) {
                case RoomBooked booked -> guests + booked.guests();
            };
        }
    }

    /** Books a room for one guest while it has places. */
    record BookRoom(String room, int places) implements Decision<Booking, String> {

        @Override
        public List<Guests> facts() {
            return List.of(new Guests(room));
        }

        @Override
        public Verdict<Booking, String> decide(Facts<Booking> facts, Instant now) {
            return facts.get(new Guests(room)) < places
                    ? Verdict.accept(new RoomBooked(room, 1))
                    : Verdict.refuse("full");
        }
    }

    private StoreDatabase database;

    @BeforeAll
    void openDatabase() {
        database = new StoreDatabase();
    }

    @BeforeEach
    void clearDatabase() {
        database.clear();
    }

    @AfterAll
    void closeDatabase() {
        database.close();
    }

    List<ChainingEventStore> stores() {
        return List.of(new InMemoryEventStore(), database.newStore());
    }

    private static Event reserved() {
        return Event.of("Reserved", "{\"room\":\"A\"}", "room:A");
    }

    @ParameterizedTest
    @MethodSource("stores")
    void a_fact_over_the_new_name_finds_events_under_the_old_one(ChainingEventStore store) {
        store.append(List.of(reserved()));
        store.append(List.of(CODEC.encode(new RoomBooked("A", 2)).event()));
        Projection<Integer> guests = new Guests("A").decodedBy(CODEC);

        assertThat(store.project(guests).state(guests)).isEqualTo(3);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void an_append_condition_of_the_fact_conflicts_with_an_event_of_the_old_name(ChainingEventStore store) {
        Projected known = store.project(new Guests("A").decodedBy(CODEC));
        store.append(List.of(reserved()));

        List<AppendCondition> conditions = AppendCondition.guarding(known.states());

        assertThat(store.append(Append.of(Event.of("Any", "{}")).onConditions(conditions)))
                .isInstanceOfSatisfying(Conflict.class, conflict -> {
                    assertThat(conflict.position()).isEqualTo(Position.of(1));
                    assertThat(conflict.type()).isEqualTo("Reserved");
                });
    }

    /* An older version of the service books the last place between the read and the append of a newer one. */
    @ParameterizedTest
    @MethodSource("stores")
    void a_decision_that_loses_to_an_event_of_the_old_name_is_made_again(ChainingEventStore store) {
        boolean[] overtaken = {false};
        InterleavingStore overtaking = new InterleavingStore(store, () -> {
            if (!overtaken[0]) {
                overtaken[0] = true;
                store.append(List.of(reserved()));
            }
        });
        DecisionLoop<Booking> loop =
                new DecisionLoop<>(overtaking, CODEC, RetryBounds.DEFAULT, 100, InstantSource.system());

        assertThat(loop.execute(new BookRoom("A", 1), Origin.UNKNOWN)).isEqualTo(new Rejected<>("full"));
        assertThat(store.count(Query.all())).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void a_decision_fails_on_an_event_that_a_later_version_stored(ChainingEventStore store) {
        store.append(List.of(Event.of("RoomBooked", "{\"room\":\"A\",\"@version\":3}", "room:A")));
        DecisionLoop<Booking> loop = new DecisionLoop<>(store, CODEC);

        assertThatThrownBy(() -> loop.execute(new BookRoom("A", 9))).isInstanceOf(NewerEventException.class);
        assertThat(loop.execute(new BookRoom("B", 9))).isInstanceOf(Accepted.class);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void new_events_are_stored_under_the_new_name(ChainingEventStore store) {
        DecisionLoop<Booking> loop = new DecisionLoop<>(store, CODEC, RetryBounds.DEFAULT, 0, InstantSource.system());

        assertThat(loop.execute(new BookRoom("A", 1), Origin.UNKNOWN)).isInstanceOf(Accepted.class);

        assertThat(store.read(Query.all()).toList())
                .extracting(event -> event.event().type())
                .containsExactly("RoomBooked");
    }
}
