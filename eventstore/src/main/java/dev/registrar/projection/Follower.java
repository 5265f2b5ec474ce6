package dev.registrar.projection;

import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import java.util.Optional;

/**
 * Follows the log from its own checkpoint: a view, which writes rows, an automation, which sends commands, or a relay,
 * which publishes events.
 */
public sealed interface Follower permits View, Automation, Relay {
    /** The pattern of names; the schema of a view's tables is named after it. */
    String NAME = "[a-z][a-z0-9-]{0,29}";

    /** The name, unique among the followers of a store and never changed; it matches {@link #NAME}. */
    String name();

    /** Selects the events that it receives. */
    Query query();

    /**
     * The reason why an event of the query cannot be read; empty if it can be. Such an event is skipped, recorded and
     * counted, and does not stop the follower. Until it has the age of {@link ProjectionOptions#skipUnreadableAfter},
     * it is left to other instances, whose code may be newer. Called only after a batch could not be handled.
     */
    default Optional<String> unreadable(SequencedEvent event) {
        return Optional.empty();
    }

    /** The version of the code, 1 or more. Raise it whenever the same events would lead to other rows. */
    int version();
}
