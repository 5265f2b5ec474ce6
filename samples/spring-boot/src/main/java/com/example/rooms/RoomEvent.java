package com.example.rooms;

import dev.registrar.decision.JsonEventCodec;
import dev.registrar.eventstore.Tag;
import java.time.LocalDate;
import java.util.List;

/** What happens to meeting rooms. */
public sealed interface RoomEvent {
    JsonEventCodec<RoomEvent> CODEC = JsonEventCodec.of(RoomEvent.class, RoomEvent::tags);

    /** The tags by which queries find the event. */
    List<Tag> tags();

    record RoomBooked(String room, LocalDate day, String person) implements RoomEvent {
        @Override
        public List<Tag> tags() {
            return List.of(Tag.of("room:" + room), Tag.of("day:" + day), Tag.of("person:" + person));
        }
    }
}
