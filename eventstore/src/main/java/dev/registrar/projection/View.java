package dev.registrar.projection;

import dev.registrar.eventstore.SequencedEvent;
import java.util.List;

/**
 * Tables whose rows are derived from events alone, so that they can be dropped and built again.
 *
 * <p>When the version is raised, the next generation of the tables is built beside the live one, and replaces it when
 * it has caught up.
 *
 * <p>Views use SQL through Spring's {@code JdbcClient}: they need {@code org.springframework:spring-jdbc}.
 */
public non-sealed interface View extends Follower {

    /**
     * Creates the empty tables, in a schema of their own, with the indexes that {@link #apply} needs. A reset removes
     * all rows, also those that this method may have inserted.
     */
    void create(Tables tables);

    /**
     * Creates the indexes that only look-ups need. The next generation gets them when it has caught up, because tables
     * without them are filled faster. May be called again, and must keep existing indexes.
     */
    default void index(Tables tables) {}

    /**
     * Writes the changes of a batch of events. The rows and the checkpoint after the last event are committed together,
     * so each event is applied exactly once.
     *
     * @param events of the query in the order of their positions, 1 to {@link ProjectionOptions#batch()}
     * @throws RuntimeException if the events cannot be handled: the transaction is rolled back, and the events are
     *     retried in smaller batches, at first one by one
     */
    void apply(List<SequencedEvent> events, Tables tables);
}
