package dev.registrar.projection;

import dev.registrar.eventstore.SequencedEvent;
import java.util.List;

/**
 * Tables whose rows follow from events and from nothing else, so that they can be dropped and built again.
 *
 * <p>When the version is raised, the next generation of the tables is built beside the one that is read, and replaces
 * it once it has caught up.
 *
 * <p>Views speak SQL through Spring's {@code JdbcClient}: they need {@code org.springframework:spring-jdbc}.
 */
public non-sealed interface View extends Follower {

    /** Creates the tables, empty, in a schema of their own, with the indexes that {@link #apply} needs. */
    void create(Tables tables);

    /**
     * Creates the indexes that only look-ups need. The next generation gets them when it has caught up, since tables
     * without them are filled faster. It may be called again, and must keep the indexes that exist.
     */
    default void index(Tables tables) {}

    /**
     * Writes what a batch of events changes. The rows and the checkpoint after the last event are committed together,
     * so each event is applied exactly once.
     *
     * @param events of the query in the order of their positions, 1 to {@link ProjectionOptions#batch()}
     * @throws RuntimeException if the events cannot be handled: the transaction is rolled back, and the events are
     *     tried again one by one
     */
    void apply(List<SequencedEvent> events, Tables tables);
}
