package com.example.rooms;

import static com.example.rooms.RoomEvent.CODEC;

import com.example.rooms.RoomEvent.RoomBooked;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.Tables;
import dev.registrar.projection.View;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The bookings of each room, in a table. */
@Component
class BookingsView implements View {

    /** A row of the table. */
    record Booking(LocalDate day, String person) {}

    @Override
    public String name() {
        return "bookings";
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public Query query() {
        return Query.of(CODEC.types(RoomBooked.class));
    }

    @Override
    public Optional<String> unreadable(SequencedEvent event) {
        return CODEC.unreadable(event.event());
    }

    @Override
    public void create(Tables tables) {
        tables.sql("""
                create table ${schema}.bookings (
                    room text not null,
                    day date not null,
                    person text not null,
                    primary key (room, day))""").update();
    }

    @Override
    public void apply(List<SequencedEvent> events, Tables tables) {
        for (SequencedEvent event : events) {
            switch (CODEC.decode(event.event())) {
                case RoomBooked(String room, LocalDate day, String person) ->
                    tables.sql("insert into ${schema}.bookings (room, day, person) values (?, ?, ?)")
                            .params(room, day, person)
                            .update();
            }
        }
    }

    static List<Booking> ofRoom(Tables tables, String room) {
        return tables.sql("select day, person from ${schema}.bookings where room = ? order by day")
                .param(room)
                .query(Booking.class)
                .list();
    }
}
