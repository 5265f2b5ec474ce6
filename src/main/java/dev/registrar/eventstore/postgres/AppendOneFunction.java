package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.postgres.AppendArguments.Binder;
import dev.registrar.eventstore.postgres.AppendArguments.ItemColumns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import org.jspecify.annotations.Nullable;

/**
 * The stored function that appends one event of a lone request, which is most of what a service with few callers does.
 */
final class AppendOneFunction {
    private static final int CONDITION_ARGUMENTS = 8;
    private static final int EVENT_ARGUMENTS = 6;

    private final String appendIf;
    private final String append;

    AppendOneFunction(String schema) {
        String call = "select * from %s.append_event(%s, %s)";
        String event = String.join(", ", Collections.nCopies(EVENT_ARGUMENTS, "?"));
        appendIf = call.formatted(schema, String.join(", ", Collections.nCopies(CONDITION_ARGUMENTS, "?")), event);
        append = call.formatted(schema, String.join(", ", Collections.nCopies(CONDITION_ARGUMENTS, "null")), event);
    }

    /** Whether the function can serve a request. */
    static boolean serves(Append request) {
        return request.events().size() == 1 && request.idempotencyKey() == null;
    }

    AppendResult call(Connection connection, Append request, Instant recordedAt) throws SQLException {
        AppendCondition condition = request.condition();
        try (PreparedStatement statement = connection.prepareStatement(condition == null ? append : appendIf)) {
            Binder binder = new Binder(statement);
            if (condition != null) {
                bind(binder, condition);
            }
            bind(binder, request.events().getFirst());
            binder.add(recordedAt);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return result(row, condition);
            }
        }
    }

    private static void bind(Binder binder, AppendCondition condition) throws SQLException {
        Head basis = condition.basis();
        binder.addNullable(basis == null ? null : basis.incarnation(), Types.OTHER, "uuid");
        binder.addNullable(basis == null ? null : basis.position().value(), Types.BIGINT, "int8");
        binder.addNullable(basis == null ? null : basis.lastEventId(), Types.OTHER, "uuid");
        Query query = condition.failIfEventsMatch();
        long[] afters = new long[query.items().size()];
        Arrays.fill(afters, condition.after().value());
        binder.add(afters);
        ItemColumns columns = new ItemColumns(afters.length);
        for (int i = 0; i < afters.length; i++) {
            columns.set(i, query.items().get(i));
        }
        columns.bind(binder);
    }

    private static void bind(Binder binder, Event event) throws SQLException {
        binder.add(event.id());
        binder.add(event.type());
        binder.add(AppendArguments.texts(event.tags()).toArray(String[]::new));
        binder.add(event.payload());
        binder.add(event.metadata());
    }

    private static AppendResult result(ResultSet row, @Nullable AppendCondition condition) throws SQLException {
        String verdict = row.getString("verdict");
        return switch (verdict) {
            case "appended" -> {
                Position position = Position.of(row.getLong("event_position"));
                yield new Appended(position, position, false);
            }
            case "replaced" -> new StoreReplaced();
            case "conflict" -> conflict(row, condition);
            default -> throw new IllegalStateException("append_event answered with '%s'".formatted(verdict));
        };
    }

    private static Conflict conflict(ResultSet row, @Nullable AppendCondition condition) throws SQLException {
        if (condition == null) {
            throw new IllegalStateException("append_event answered a request without a condition with a conflict");
        }
        return new Conflict(
                condition.failIfEventsMatch().items().get(row.getInt("conflict_item") - 1),
                Position.of(row.getLong("conflict_position")),
                row.getString("conflict_type"));
    }
}
