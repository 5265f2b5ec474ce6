package dev.registrar.console.explorer;

import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Looks up stored events by their positions. */
@Component
final class Stored {
    private final ExplorerReads store;

    Stored(ExplorerReads store) {
        this.store = store;
    }

    Optional<SequencedEvent> at(Position position) {
        return position.equals(Position.START)
                ? Optional.empty()
                : between(position, position, 1).stream().findFirst();
    }

    /** The first events from one position to another, both included. */
    List<SequencedEvent> between(Position first, Position last, long most) {
        ReadOptions options =
                ReadOptions.forwards().from(first).to(last).limit(most).forClient(true);
        try (EventStream events = store.read(Query.all(), options)) {
            return events.toList();
        }
    }
}
