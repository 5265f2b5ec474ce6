package com.example.rooms;

import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.Automation;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.springframework.stereotype.Component;

/** Records the bookings that must be confirmed by mail. */
@Component
class ReminderAutomation implements Automation {
    final BlockingQueue<SequencedEvent> due = new LinkedBlockingQueue<>();

    @Override
    public String name() {
        return "reminders";
    }

    @Override
    public Query query() {
        return Query.of(QueryItem.types("RoomBooked"));
    }

    @Override
    public void react(SequencedEvent event) {
        due.add(event);
    }
}
