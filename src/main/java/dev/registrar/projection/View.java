package dev.registrar.projection;

import dev.registrar.eventstore.SequencedEvent;
import java.util.List;

/**
 * Rows that follow from events and from nothing else, so that they can be thrown away and made again.
 *
 * <p>When its version is raised, the tables are built anew beside the ones that are read, and take their place once
 * they have caught up.
 */
public non-sealed interface View extends Follower {

    /** Creates its tables, empty, in a schema that is its own, with the indexes that {@link #apply} needs. */
    void create(Tables tables);

    /**
     * Adds the indexes that only look-ups need. A build beside the tables that are read is given them when it has
     * caught up, since tables without them are filled faster. Called again, it leaves alone those that are there.
     */
    default void index(Tables tables) {}

    /**
     * Writes what some events change. The rows and the checkpoint behind the last event are committed together, so each
     * event is applied exactly once.
     *
     * @param events one or more that match the query, in the order of their positions
     */
    void apply(List<SequencedEvent> events, Tables tables);
}
