package com.example.rooms;

import com.example.rooms.BookRoom.Refused;
import com.example.rooms.RoomEvent.RoomBooked;
import dev.registrar.decision.testkit.Scenario;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class BookRoomTest {
    private static final LocalDate MONDAY = LocalDate.of(2026, 12, 7);

    private final Scenario<RoomEvent> nothing = Scenario.of(RoomEvent.CODEC);

    @Test
    void a_room_has_one_booking_a_day() {
        Scenario<RoomEvent> booked = nothing.given(new RoomBooked("library", MONDAY, "ann"));

        booked.when(new BookRoom("library", MONDAY, "bob")).thenRefused(Refused.TAKEN);
        booked.when(new BookRoom("library", MONDAY.plusDays(1), "bob"))
                .thenAccepted(new RoomBooked("library", MONDAY.plusDays(1), "bob"));
    }

    @Test
    void a_person_has_at_most_3_bookings() {
        nothing.given(
                        new RoomBooked("library", MONDAY, "ann"),
                        new RoomBooked("studio", MONDAY, "ann"),
                        new RoomBooked("studio", MONDAY.plusDays(1), "ann"))
                .when(new BookRoom("library", MONDAY.plusDays(1), "ann"))
                .thenRefused(Refused.TOO_MANY_BOOKINGS);
    }
}
