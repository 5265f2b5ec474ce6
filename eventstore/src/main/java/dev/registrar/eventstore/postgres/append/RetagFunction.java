package dev.registrar.eventstore.postgres.append;

import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.postgres.connection.ArrayText;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The stored function retag_events, by which alone stored events get tags. */
public final class RetagFunction {
    private final String text;

    public RetagFunction(String schema) {
        this.text =
                "select matched, full_position, tagged, position from %s.retag_events(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                        .formatted(schema);
    }

    /**
     * The answer of the function.
     *
     * @param matched the number of events that the query matches; above the maximum: at least that many
     * @param full the position of the first event that would have too many tags; null if there is none
     * @param tagged the number of events that were given tags
     * @param position of the appended event; null if no event was given tags
     */
    public record Answer(
            int matched,
            @Nullable Long full,
            int tagged,
            @Nullable Long position) {}

    /** The statement that calls the function. */
    public String text() {
        return text;
    }

    /**
     * Runs the statement.
     *
     * @param marker the event to append
     * @param recordedAt its time; null for that of the server
     * @param digest of the query
     */
    public Answer call(
            PreparedStatement statement,
            Query query,
            Set<Tag> added,
            int maxEvents,
            int maxTags,
            Event marker,
            @Nullable Instant recordedAt,
            Actor actor,
            String reason,
            String digest)
            throws SQLException {
        List<QueryItem> items = query.items();
        String[] tags = new String[items.size()];
        String[] types = new String[items.size()];
        for (int i = 0; i < items.size(); i++) {
            tags[i] = ArrayText.of(ConditionColumns.texts(items.get(i).tags()));
            types[i] = ArrayText.of(items.get(i).types());
        }
        Parameters parameters = new Parameters(statement);
        parameters.add(tags);
        parameters.add(types);
        parameters.add(ConditionColumns.texts(added).toArray(String[]::new));
        parameters.addInteger(maxEvents);
        parameters.addInteger(maxTags);
        parameters.add(marker.id());
        parameters.add(marker.type());
        parameters.add(marker.payload());
        parameters.add(recordedAt);
        parameters.add(actor.json());
        parameters.add(reason);
        parameters.add(digest);
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return new Answer(
                    row.getInt("matched"),
                    row.getObject("full_position", Long.class),
                    row.getInt("tagged"),
                    row.getObject("position", Long.class));
        }
    }
}
