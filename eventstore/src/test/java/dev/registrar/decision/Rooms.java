package dev.registrar.decision;

import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** The smallest domain with races: rooms whose seats are taken. */
final class Rooms {

    record SeatTaken(String room, String guest) {}

    enum Refused {
        ROOM_FULL
    }

    /** The number of taken seats of a room. */
    record SeatsTaken(String room) implements Fact<SeatTaken, Integer> {

        @Override
        public Query query() {
            return Query.of(QueryItem.types("SeatTaken").tagged("room:" + room));
        }

        @Override
        public Integer initial() {
            return 0;
        }

        @Override
        public Integer apply(Integer taken, SeatTaken event) {
            return taken + 1;
        }
    }

    /** Takes one seat for each guest if the room has enough free seats. */
    record TakeSeats(String room, int seats, List<String> guests) implements Decision<SeatTaken, Refused> {

        static TakeSeats of(String room, int seats, String... guests) {
            return new TakeSeats(room, seats, List.of(guests));
        }

        @Override
        public List<? extends Fact<SeatTaken, ?>> facts() {
            return List.of(new SeatsTaken(room));
        }

        @Override
        public Verdict<SeatTaken, Refused> decide(Facts<SeatTaken> facts, Instant now) {
            return facts.get(new SeatsTaken(room)) + guests.size() > seats
                    ? Verdict.refuse(Refused.ROOM_FULL)
                    : new Verdict.Accept<>(guests.stream()
                            .map(guest -> new SeatTaken(room, guest))
                            .toList());
        }
    }

    /** Writes {@code room/guest} as a JSON string, and records the guests that it has read. */
    static final class Codec implements EventCodec<SeatTaken> {
        private final List<SeatTaken> decoded = Collections.synchronizedList(new ArrayList<>());

        @Override
        public Encoded encode(SeatTaken event) {
            return new Encoded(
                    "SeatTaken",
                    Set.of(new Tag("room:" + event.room())),
                    "\"%s/%s\"".formatted(event.room(), event.guest()));
        }

        @Override
        public SeatTaken decode(String type, String payload) {
            int slash = payload.indexOf('/');
            SeatTaken event =
                    new SeatTaken(payload.substring(1, slash), payload.substring(slash + 1, payload.length() - 1));
            decoded.add(event);
            return event;
        }

        /** The guests in the events read since the last call. */
        List<String> guestsRead() {
            List<String> guests = decoded.stream().map(SeatTaken::guest).toList();
            decoded.clear();
            return guests;
        }
    }

    private Rooms() {}
}
