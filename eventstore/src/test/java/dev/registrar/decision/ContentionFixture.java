package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Rooms.Refused;
import dev.registrar.decision.Rooms.SeatTaken;
import dev.registrar.decision.Rooms.TakeSeats;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Decisions of callers that compete for the seats of rooms. */
abstract class ContentionFixture {
    static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    static final RetryBounds LONG_DEADLINE =
            new RetryBounds(Duration.ofMinutes(1), 1_000, Duration.ofNanos(1), Duration.ofMillis(1));
    final InMemoryEventStore store = new InMemoryEventStore();
    final Rooms.Codec codec = new Rooms.Codec();

    DecisionLoop<SeatTaken> loop(EventStore on) {
        return new DecisionLoop<>(on, codec, LONG_DEADLINE, 1_000, () -> NOON);
    }

    @CanIgnoreReturnValue
    static Position take(DecisionLoop<SeatTaken> loop, String guest) {
        return take(loop, "A", guest);
    }

    @CanIgnoreReturnValue
    static Position take(DecisionLoop<SeatTaken> loop, String room, String guest) {
        Outcome<SeatTaken, Refused> outcome = loop.execute(TakeSeats.of(room, 1_000, guest), Origin.UNKNOWN);
        assertThat(outcome).isInstanceOf(Accepted.class);
        return ((Accepted<SeatTaken, Refused>) outcome).position();
    }

    void append(String guest) {
        append("A", guest);
    }

    void append(String room, String guest) {
        EventCodec.Encoded encoded = codec.encode(new SeatTaken(room, guest));
        store.append(Append.of(Event.of(encoded.type(), encoded.tags(), encoded.payload())));
    }

    List<String> guests() {
        return store.read(Query.all()).toList().stream()
                .map(event -> event.event().payload())
                .map(payload -> payload.substring(payload.indexOf('/') + 1, payload.length() - 1))
                .toList();
    }
}
