package com.example.rooms;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import org.springframework.stereotype.Service;

// docs/spring-boot.md: the store in a bean of the application
@Service
class Bookings {
    private final EventStore store;

    Bookings(EventStore store) {
        this.store = store;
    }

    AppendResult book(String room) {
        return store.append(Append.of(Event.of("RoomBooked", "{}", "room:" + room))
                .onCondition(AppendCondition.failIfEventsMatch(Query.of(QueryItem.tags("room:" + room)))));
    }
}
// end
