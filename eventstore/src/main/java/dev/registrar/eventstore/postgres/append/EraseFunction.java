package dev.registrar.eventstore.postgres.append;

import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Masking.Masked;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.postgres.connection.ArrayText;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The stored function erase_events, by which alone the log changes. */
public final class EraseFunction {
    private final String text;

    public EraseFunction(String schema) {
        this.text = "select %s.erase_events(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)".formatted(schema);
    }

    /** The statement that calls the function. */
    public String text() {
        return text;
    }

    /**
     * Runs the statement.
     *
     * @param knownErasure the number of the last erasure when the events were read; 0 for none
     * @param readAt the position of the store's head when the events were read
     * @param events in the order of their positions
     * @param masked the new content of each
     * @param query a digest of the query that has named the events
     * @return the number of changed events; empty if there was another erasure, or tags were added, so that nothing was
     *     changed
     */
    public OptionalInt call(
            PreparedStatement statement,
            long knownErasure,
            Position readAt,
            List<SequencedEvent> events,
            List<Masked> masked,
            Actor actor,
            String reason,
            String query)
            throws SQLException {
        int size = events.size();
        long[] positions = new long[size];
        UUID[] ids = new UUID[size];
        String[] payloads = new String[size];
        String[] metadata = new String[size];
        @Nullable String[] actors = new String[size];
        String[] personalTags = new String[size];
        for (int i = 0; i < size; i++) {
            Masked each = masked.get(i);
            positions[i] = events.get(i).position().value();
            ids[i] = events.get(i).event().id();
            payloads[i] = each.payload();
            metadata[i] = each.metadata();
            actors[i] = each.actor() == null ? null : each.actor().json();
            personalTags[i] = ArrayText.of(ConditionColumns.texts(each.personalTags()));
        }
        Parameters parameters = new Parameters(statement);
        parameters.add(knownErasure);
        parameters.add(readAt.value());
        parameters.add(positions);
        parameters.add(ids);
        parameters.add(payloads);
        parameters.add(metadata);
        parameters.add(actors);
        parameters.add(personalTags);
        parameters.add(actor.json());
        parameters.add(reason);
        parameters.add(query);
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            int changed = row.getInt(1);
            return row.wasNull() ? OptionalInt.empty() : OptionalInt.of(changed);
        }
    }
}
