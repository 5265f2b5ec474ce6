package dev.registrar.projection;

import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import java.util.Optional;

/** Follows the log from a checkpoint of its own: a view, which keeps rows, or an automation, which gives commands. */
public sealed interface Follower permits View, Automation {
    /** What a follower may be called: its tables are named after it. */
    String NAME = "[a-z][a-z0-9-]{0,29}";

    /** Its name, which no other follower has and which never changes; it matches {@link #NAME}. */
    String name();

    /** Which events it follows. */
    Query query();

    /**
     * Why an event that it follows cannot be read; nothing if it can. Such an event is left out, recorded and counted,
     * and stops nothing. Asked only once some events could not be handled.
     */
    default Optional<String> unreadable(SequencedEvent event) {
        return Optional.empty();
    }

    /** 1 or more; raised whenever the same events would lead to something else. */
    int version();
}
