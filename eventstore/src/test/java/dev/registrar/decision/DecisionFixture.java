package dev.registrar.decision;

import dev.registrar.decision.Rooms.Refused;
import dev.registrar.decision.Rooms.SeatTaken;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Decisions on the seats of rooms, and a store to which other callers write concurrently. */
abstract class DecisionFixture {
    static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    static final RetryBounds FIVE_ATTEMPTS =
            new RetryBounds(Duration.ofMinutes(1), 5, Duration.ofNanos(1), Duration.ofNanos(1));
    final InMemoryEventStore store = new InMemoryEventStore();
    final Rooms.Codec codec = new Rooms.Codec();

    DecisionLoop<SeatTaken> loop(EventStore on) {
        return new DecisionLoop<>(on, codec, FIVE_ATTEMPTS, 100, () -> NOON);
    }

    Outcome<SeatTaken, Refused> take(EventStore on, Decision<SeatTaken, Refused> decision) {
        return loop(on).execute(decision, Origin.UNKNOWN);
    }

    InterleavingStore interleavedOnce(Runnable interleaving) {
        AtomicInteger times = new AtomicInteger();
        return new InterleavingStore(store, () -> {
            if (times.getAndIncrement() == 0) {
                interleaving.run();
            }
        });
    }

    void append(String guest) {
        append("A", guest);
    }

    void append(String room, String guest) {
        store.append(List.of(event(room, guest)));
    }

    Event event(String room, String guest) {
        EventCodec.Encoded encoded = codec.encode(new SeatTaken(room, guest));
        return Event.of(encoded.type(), encoded.tags(), encoded.payload());
    }

    List<String> guests() {
        return store.read(Query.all()).stream()
                .map(stored ->
                        codec.decode(stored.event().type(), stored.event().payload()))
                .map(SeatTaken::guest)
                .toList();
    }
}
