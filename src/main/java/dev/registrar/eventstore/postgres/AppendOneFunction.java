package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.postgres.AppendArguments.Binder;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The stored function that appends one event of a lone request, if nothing at all speaks against it. */
final class AppendOneFunction {
    private static final int MOST_ITEMS = 4;
    private static final int MOST_TAGS = 2;
    private static final int CONDITION_ARGUMENTS = 6;
    private static final int EVENT_ARGUMENTS = 6;

    private final String appendIf;
    private final String append;

    AppendOneFunction(String schema) {
        String call = "select %s.append_event(%s, %s)";
        String event = String.join(", ", Collections.nCopies(EVENT_ARGUMENTS, "?"));
        appendIf = call.formatted(schema, String.join(", ", Collections.nCopies(CONDITION_ARGUMENTS, "?")), event);
        append = call.formatted(schema, String.join(", ", Collections.nCopies(CONDITION_ARGUMENTS, "null")), event);
    }

    /** Whether the function can serve a request. */
    static boolean serves(Append request) {
        AppendCondition condition = request.condition();
        return request.events().size() == 1
                && request.idempotencyKey() == null
                && (condition == null || serves(condition.failIfEventsMatch().items()));
    }

    private static boolean serves(List<QueryItem> items) {
        if (items.size() > MOST_ITEMS) {
            return false;
        }
        for (QueryItem item : items) {
            if (item.tags().isEmpty() || item.tags().size() > MOST_TAGS) {
                return false;
            }
        }
        return true;
    }

    /** Calls the function once; empty, and nothing done, if a closer look is needed. */
    Optional<Appended> call(Connection connection, Append request, Instant recordedAt) throws SQLException {
        AppendCondition condition = request.condition();
        try (PreparedStatement statement = connection.prepareStatement(condition == null ? append : appendIf)) {
            Binder binder = new Binder(statement, 0);
            if (condition != null) {
                bind(binder, condition);
            }
            bind(binder, request.events().getFirst());
            binder.add(recordedAt);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                long position = row.getLong(1);
                return row.wasNull()
                        ? Optional.empty()
                        : Optional.of(new Appended(Position.of(position), Position.of(position), false));
            }
        }
    }

    private static void bind(Binder binder, AppendCondition condition) throws SQLException {
        Head basis = condition.basis();
        binder.add(condition.after().value());
        binder.addNullable(basis == null ? null : basis.incarnation(), Types.OTHER, "uuid");
        binder.addNullable(basis == null ? null : basis.position().value(), Types.BIGINT, "int8");
        binder.addNullable(basis == null ? null : basis.lastEventId(), Types.OTHER, "uuid");
        List<QueryItem> items = condition.failIfEventsMatch().items();
        String[] firstTags = new String[items.size()];
        @Nullable String[] secondTags = new String[items.size()];
        for (int i = 0; i < items.size(); i++) {
            Iterator<Tag> tags = items.get(i).tags().iterator();
            firstTags[i] = tags.next().value();
            secondTags[i] = tags.hasNext() ? tags.next().value() : null;
        }
        binder.add(firstTags);
        binder.add(secondTags);
    }

    private static void bind(Binder binder, Event event) throws SQLException {
        binder.add(event.id());
        binder.add(event.type());
        binder.add(AppendArguments.texts(event.tags()).toArray(String[]::new));
        binder.add(event.payload());
        binder.add(event.metadata());
    }
}
