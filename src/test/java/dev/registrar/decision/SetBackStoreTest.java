package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Rejected;
import dev.registrar.decision.Rooms.Refused;
import dev.registrar.decision.Rooms.SeatTaken;
import dev.registrar.decision.Rooms.TakeSeats;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.postgres.StoreDatabase;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The database is set back to an older copy while a loop runs that remembers what came after it. */
class SetBackStoreTest {
    private final StoreDatabase database = new StoreDatabase();
    private final EventStore store = database.newStore();
    private final Rooms.Codec codec = new Rooms.Codec();
    private final DecisionLoop<SeatTaken> loop =
            new DecisionLoop<>(store, codec, RetryBounds.DEFAULT, 100, InstantSource.system());

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void seats_taken_after_the_copy_are_free_again() {
        take(1, "ann");
        database.setBackTo(0);

        assertThat(take(1, "bob")).isInstanceOf(Accepted.class);
        assertThat(guests()).containsExactly("bob");
    }

    /* Two seats are remembered as taken; in the copy one is, and then a rival takes the other two. */
    @Test
    void what_was_written_on_the_copy_counts() {
        take(3, "ann");
        take(3, "bob");
        database.setBackTo(1);
        append("rival");
        append("another");

        assertThat(take(3, "cid")).isEqualTo(new Rejected<>(Refused.ROOM_FULL));
        assertThat(guests()).containsExactly("ann", "rival", "another");
    }

    /* The copy has grown as long as what is remembered: only the last event tells that it is another history. */
    @Test
    void a_copy_that_has_grown_as_long_is_not_taken_for_what_was_remembered() {
        take(3, "ann");
        take(3, "bob");
        database.setBackTo(0);
        store.append(List.of(Event.of("Other", "{}"), Event.of("Other", "{}")));

        for (String guest : List.of("cid", "dan", "eve")) {
            assertThat(take(3, guest)).isInstanceOf(Accepted.class);
        }
        assertThat(take(3, "fay")).isEqualTo(new Rejected<>(Refused.ROOM_FULL));
    }

    private Outcome<SeatTaken, Refused> take(int seats, String guest) {
        return loop.execute(TakeSeats.of("A", seats, guest), Origin.UNKNOWN);
    }

    private void append(String guest) {
        EventCodec.Encoded encoded = codec.encode(new SeatTaken("A", guest));
        store.append(List.of(Event.of(encoded.type(), encoded.tags(), encoded.payload())));
    }

    private List<String> guests() {
        return store.read(Query.all()).stream()
                .map(SequencedEvent::event)
                .map(event -> codec.decode(event.type(), event.payload()))
                .map(SeatTaken::guest)
                .toList();
    }
}
