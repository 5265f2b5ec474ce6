package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Rejected;
import dev.registrar.decision.Rooms.Refused;
import dev.registrar.decision.Rooms.SeatTaken;
import dev.registrar.decision.Rooms.TakeSeats;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.postgres.StoreDatabase;
import java.sql.Connection;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A loop has cached states when its database is set back to an older copy or a connection is lost. */
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

    /* The cached state has two taken seats. The restored copy has one, and then rivals take the other two seats. */
    @Test
    void events_written_after_the_restore_count() {
        take(3, "ann");
        take(3, "bob");
        database.setBackTo(1);
        append("rival");
        append("another");

        assertThat(take(3, "cid")).isEqualTo(new Rejected<>(Refused.ROOM_FULL));
        assertThat(guests()).containsExactly("ann", "rival", "another");
    }

    /* The copy has grown to the length of the cached history: only its last event shows that it is another history. */
    @Test
    void a_copy_of_the_same_length_invalidates_the_cached_state() {
        take(3, "ann");
        take(3, "bob");
        database.setBackTo(0);
        store.append(List.of(Event.of("Other", "{}"), Event.of("Other", "{}")));

        for (String guest : List.of("cid", "dan", "eve")) {
            assertThat(take(3, guest)).isInstanceOf(Accepted.class);
        }
        assertThat(take(3, "fay")).isEqualTo(new Rejected<>(Refused.ROOM_FULL));
    }

    @Test
    void after_a_failover_only_states_at_lost_heads_are_folded_again() {
        takeIn("B", "bob");
        takeIn("C", "cid");
        takeIn("A", "ann");
        database.setBackTo(2);
        codec.guestsRead();

        takeIn("A", "ada");
        takeIn("B", "bea");

        assertThat(codec.guestsRead()).isEmpty();
        assertThat(guests()).containsExactly("bob", "cid", "ada", "bea");
    }

    /* The connection is cut while the append waits for the store's lock, which another writer holds. */
    @Test
    void cached_states_survive_a_lost_connection() throws Exception {
        takeIn("A", "ann");
        takeIn("B", "bob");
        codec.guestsRead();
        try (Connection rival = database.connect();
                ExecutorService caller = Executors.newSingleThreadExecutor()) {
            rival.setAutoCommit(false);
            StoreDatabase.lockStore(rival);
            Future<?> lost = caller.submit(() -> takeIn("A", "lost"));
            await().until(() -> database.cutWaitingConnections() == 1);

            assertThatThrownBy(lost::get).hasCauseInstanceOf(OutcomeUnknownException.class);
            rival.rollback();
        }

        takeIn("A", "ada");
        takeIn("B", "bea");

        assertThat(codec.guestsRead()).isEmpty();
        assertThat(guests()).containsExactly("ann", "bob", "ada", "bea");
    }

    private void takeIn(String room, String guest) {
        assertThat(loop.execute(TakeSeats.of(room, 9, guest), Origin.UNKNOWN)).isInstanceOf(Accepted.class);
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
