package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Rooms.Refused;
import dev.registrar.decision.Rooms.SeatTaken;
import dev.registrar.decision.Rooms.TakeSeats;
import dev.registrar.eventstore.EventMetadata;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Commands that are found by the names of their types. */
class CommandRegistryTest {
    private static final CommandRegistry<SeatTaken, Object> COMMANDS = CommandRegistry.<SeatTaken, Object>empty()
            .with("TakeSeats", Booking.class, booking -> TakeSeats.of(booking.room(), 2, booking.guest()))
            .with(Announce.class);

    private final InMemoryEventStore store = new InMemoryEventStore();
    private final DecisionLoop<SeatTaken> loop = new DecisionLoop<>(store, new Rooms.Codec());

    /** The data that a client sends. The client does not know how many seats a room has. */
    private record Booking(String room, String guest) {}

    private record Announce(String room) implements CommutativeDecision<SeatTaken, Void> {
        @Override
        public Verdict<SeatTaken, Void> decide(Instant now) {
            return Verdict.accept(new SeatTaken(room, "everyone"));
        }
    }

    @Test
    void a_command_is_built_from_its_data_and_executed() {
        assertThat(send("TakeSeats", new Booking("A", "ann")))
                .isEqualTo(new Accepted<>(List.of(new SeatTaken("A", "ann")), Position.of(1), false));
        assertThat(send("TakeSeats", new Booking("A", "bob"))).isInstanceOf(Accepted.class);
        assertThat(send("TakeSeats", new Booking("A", "cid"))).isEqualTo(new Outcome.Rejected<>(Refused.ROOM_FULL));
        assertThat(send("Announce", new Announce("A"))).isInstanceOf(Accepted.class);

        assertThat(store.read(Query.all()).stream()
                        .map(stored -> EventMetadata.parse(stored.event().metadata())
                                .orElseThrow()
                                .commandType()))
                .containsExactly("TakeSeats", "TakeSeats", "Announce");
    }

    @Test
    void an_unknown_type_is_an_error_that_names_the_known_ones() {
        assertThat(COMMANDS.types()).containsExactly("TakeSeats", "Announce");
        assertThatThrownBy(() -> COMMANDS.entry("takeSeats"))
                .isInstanceOf(UnknownCommandException.class)
                .hasMessage("Unknown command 'takeSeats'; the known commands are TakeSeats, Announce");
        assertThatThrownBy(() -> COMMANDS.entry("x".repeat(1_000_000)))
                .isInstanceOf(UnknownCommandException.class)
                .hasMessageContaining("x…'")
                .message()
                .hasSizeLessThan(200);
    }

    @Test
    void data_of_another_shape_is_an_error() {
        assertThatThrownBy(() -> COMMANDS.entry("TakeSeats").decision("room A"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'TakeSeats'", "Booking", "java.lang.String");
    }

    @Test
    void a_name_is_unique_and_not_blank() {
        assertThatThrownBy(() -> COMMANDS.with(Announce.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'Announce' is already registered");
        assertThatThrownBy(() -> COMMANDS.with(" ", Announce.class, announce -> announce))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is ' '");
    }

    private Outcome<SeatTaken, ?> send(String type, Object data) {
        return loop.execute(COMMANDS.entry(type).decision(data));
    }
}
