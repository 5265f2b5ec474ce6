package com.example.rooms;

import static com.example.rooms.RoomEvent.CODEC;

import com.example.rooms.RoomEvent.RoomBooked;
import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.eventstore.Query;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;

/** Books a room for a day. A room has one booking a day, and a person at most three bookings. */
public record BookRoom(String room, LocalDate day, String person) implements Decision<RoomEvent, BookRoom.Refused> {
    static final int MOST_BOOKINGS = 3;

    /** Why a room is not booked. */
    public enum Refused {
        TAKEN,
        TOO_MANY_BOOKINGS
    }

    private Fact<RoomEvent, Boolean> taken() {
        return Fact.exists(Query.of(CODEC.types(RoomBooked.class).tagged("room:" + room, "day:" + day)));
    }

    private Fact<RoomEvent, Long> bookingsOfPerson() {
        return Fact.count(Query.of(CODEC.types(RoomBooked.class).tagged("person:" + person)));
    }

    @Override
    public List<Fact<RoomEvent, ?>> facts() {
        return List.of(taken(), bookingsOfPerson());
    }

    @Override
    public Verdict<RoomEvent, Refused> decide(Facts<RoomEvent> facts, Instant now) {
        if (facts.get(taken())) {
            return Verdict.refuse(Refused.TAKEN, "Room %s is booked on %s".formatted(room, day));
        }
        if (facts.get(bookingsOfPerson()) >= MOST_BOOKINGS) {
            return Verdict.refuse(
                    Refused.TOO_MANY_BOOKINGS, "%s has %s bookings already".formatted(person, MOST_BOOKINGS));
        }
        return Verdict.accept(new RoomBooked(room, day, person));
    }
}
