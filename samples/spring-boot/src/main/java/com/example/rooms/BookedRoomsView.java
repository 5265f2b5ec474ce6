package com.example.rooms;

import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.Tables;
import dev.registrar.projection.View;
import java.util.List;
import org.springframework.stereotype.Component;

/** The rooms that are booked. */
@Component
class BookedRoomsView implements View {
    @Override
    public String name() {
        return "booked-rooms";
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public Query query() {
        return Query.of(QueryItem.types("RoomBooked"));
    }

    @Override
    public void create(Tables tables) {
        tables.sql("create table ${schema}.booked (room text primary key)").update();
    }

    @Override
    public void apply(List<SequencedEvent> events, Tables tables) {
        for (SequencedEvent event : events) {
            String tag = event.event().tags().iterator().next().value();
            tables.sql("insert into ${schema}.booked (room) values (:room)")
                    .param("room", tag.substring("room:".length()))
                    .update();
        }
    }

    static List<String> rooms(Tables tables) {
        return tables.sql("select room from ${schema}.booked order by room")
                .query(String.class)
                .list();
    }
}
