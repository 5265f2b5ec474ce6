package com.example.rooms;

import com.example.rooms.BookRoom.Refused;
import com.example.rooms.BookingsView.Booking;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Contended;
import dev.registrar.decision.Outcome.Rejected;
import dev.registrar.eventstore.Position;
import dev.registrar.projection.ViewReader;
import java.time.LocalDate;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The bookings of a room over HTTP. */
@RestController
@RequestMapping("/rooms/{room}/bookings")
class BookingController {
    private final DecisionLoop<RoomEvent> loop;
    private final ViewReader views;
    private final BookingsView bookings;
    private final JdbcClient jdbc;

    BookingController(DecisionLoop<RoomEvent> loop, ViewReader views, BookingsView bookings, JdbcClient jdbc) {
        this.loop = loop;
        this.views = views;
        this.bookings = bookings;
        this.jdbc = jdbc;
    }

    /** Books the room, and answers with its bookings, which contain the new one. */
    @PutMapping("/{day}")
    ResponseEntity<List<Booking>> book(
            @PathVariable String room, @PathVariable LocalDate day, @RequestParam String person) {
        if (!exists(room)) {
            return problem(HttpStatus.NOT_FOUND, "There is no room " + room);
        }
        return switch (loop.execute(new BookRoom(room, day, person))) {
            case Accepted<RoomEvent, Refused> accepted ->
                ResponseEntity.status(HttpStatus.CREATED).body(bookings(room, accepted.position()));
            case Rejected<RoomEvent, Refused> rejected -> problem(HttpStatus.CONFLICT, rejected.explanation());
            case Contended<RoomEvent, Refused> contended ->
                problem(HttpStatus.SERVICE_UNAVAILABLE, "Too many requests at the same time; send it again");
        };
    }

    /** The bookings as the view has them, which may be some milliseconds behind. */
    @GetMapping
    List<Booking> bookings(@PathVariable String room) {
        return bookings(room, Position.START);
    }

    /* Waits until the view has seen all events up to a position. */
    private List<Booking> bookings(String room, Position after) {
        return views.read(bookings, after, tables -> BookingsView.ofRoom(tables, room))
                .found();
    }

    /* The rooms are in a table of the application's own. */
    private boolean exists(String room) {
        return jdbc.sql("select exists (select from rooms where id = ?)")
                .param(room)
                .query(Boolean.class)
                .single();
    }

    private static <T> ResponseEntity<T> problem(HttpStatus status, String detail) {
        return ResponseEntity.of(ProblemDetail.forStatusAndDetail(status, detail))
                .build();
    }
}
