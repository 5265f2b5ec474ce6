package dev.registrar.eventstore.postgres.append;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.postgres.connection.ServerWarnings;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The stored function append_event, which appends a single event unless a quick test finds a possible conflict. */
final class AppendOneFunction {
    private static final int MOST_ITEMS = 4;
    private static final int OF_EVENT = 7;
    private static final int OF_ITEMS = 4;
    private static final int OF_HEADS = 3;

    private final String append;
    private final String appendIf;
    private final String appendIfOnHeads;
    private final ServerWarnings warnings;

    AppendOneFunction(String schema, ServerWarnings warnings) {
        append = call(schema, OF_EVENT);
        appendIf = call(schema, OF_EVENT + OF_ITEMS);
        appendIfOnHeads = call(schema, OF_EVENT + OF_ITEMS + OF_HEADS);
        this.warnings = warnings;
    }

    private static String call(String schema, int arguments) {
        return "select %s.append_event(%s)".formatted(schema, String.join(", ", Collections.nCopies(arguments, "?")));
    }

    /* A single event, and conditions of a few items that all have one or two tags. */
    private static boolean serves(AppendEntry entry, ConditionColumns conditions) {
        Append request = entry.request();
        return !entry.verdictOnly()
                && entry.checked() == null
                && request.events().size() == 1
                && request.idempotencyKey() == null
                && request.locks() == null
                && conditions.size <= MOST_ITEMS
                && Arrays.stream(conditions.tags).allMatch(Objects::isNull);
    }

    /**
     * Calls the function once, if it supports the request.
     *
     * @param conditions those of the request
     * @return empty if nothing was appended; the request must then use {@link AppendFunction}
     */
    Optional<Appended> call(
            Connection connection, AppendEntry entry, ConditionColumns conditions, @Nullable Instant recordedAt)
            throws SQLException {
        if (!serves(entry, conditions)) {
            return Optional.empty();
        }
        try (PreparedStatement statement = connection.prepareStatement(text(conditions))) {
            Parameters parameters = new Parameters(statement);
            Event event = entry.request().events().getFirst();
            parameters.add(event.id());
            parameters.add(event.type());
            parameters.add(ConditionColumns.texts(event.tags()).toArray(String[]::new));
            parameters.add(event.payload());
            parameters.add(event.metadata());
            parameters.add(entry.actor());
            parameters.add(recordedAt);
            if (conditions.size > 0) {
                parameters.add(conditions.afters);
                parameters.add(conditions.firstTags);
                parameters.add(conditions.secondTags);
                parameters.add(conditions.types);
            }
            if (!conditions.heads().isEmpty()) {
                parameters.add(conditions.heads());
            }
            try (ResultSet row = statement.executeQuery()) {
                warnings.check(statement.getWarnings());
                row.next();
                long position = row.getLong(1);
                return row.wasNull()
                        ? Optional.empty()
                        : Optional.of(new Appended(Position.of(position), Position.of(position), false));
            }
        }
    }

    private String text(ConditionColumns conditions) {
        if (conditions.size == 0) {
            return append;
        }
        return conditions.heads().isEmpty() ? appendIf : appendIfOnHeads;
    }
}
