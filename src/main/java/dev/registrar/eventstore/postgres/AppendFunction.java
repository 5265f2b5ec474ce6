package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The stored function that appends a group of requests: its arguments from requests, its rows to verdicts. */
final class AppendFunction {
    private final String call;

    AppendFunction(String schema) {
        call = "select * from %s.append_events(%s)".formatted(schema, String.join(", ", Collections.nCopies(25, "?")));
    }

    /**
     * Calls the function once.
     *
     * @param keysExpiredAt keys recorded up to then are forgotten
     * @return a verdict for each request, in their order
     */
    List<AppendVerdict> call(Connection connection, List<Append> group, Instant recordedAt, Instant keysExpiredAt)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(call)) {
            Arguments arguments = new Arguments(connection, statement);
            bindRequests(arguments, group);
            bindItems(arguments, group);
            bindEvents(arguments, group);
            arguments.add(recordedAt);
            arguments.add(keysExpiredAt);
            try (ResultSet rows = statement.executeQuery()) {
                List<AppendVerdict> verdicts = new ArrayList<>(group.size());
                while (rows.next()) {
                    verdicts.add(verdict(rows, group.get(verdicts.size())));
                }
                return verdicts;
            }
        }
    }

    private static void bindRequests(Arguments arguments, List<Append> group) throws SQLException {
        int size = group.size();
        @Nullable Long[] after = new Long[size];
        int[] itemsFrom = new int[size];
        int[] itemsTo = new int[size];
        @Nullable UUID[] basisIncarnations = new UUID[size];
        @Nullable Long[] basisPositions = new Long[size];
        @Nullable UUID[] basisEventIds = new UUID[size];
        @Nullable String[] keys = new String[size];
        @Nullable String[] fingerprints = new String[size];
        int[] eventCounts = new int[size];
        int items = 0;
        for (int i = 0; i < size; i++) {
            Append request = group.get(i);
            AppendCondition condition = request.condition();
            itemsFrom[i] = items + 1;
            if (condition != null) {
                after[i] = condition.after().value();
                items += condition.failIfEventsMatch().items().size();
                Head basis = condition.basis();
                if (basis != null) {
                    basisIncarnations[i] = basis.incarnation();
                    basisPositions[i] = basis.position().value();
                    basisEventIds[i] = basis.lastEventId();
                }
            }
            itemsTo[i] = items;
            IdempotencyKey key = request.idempotencyKey();
            if (key != null) {
                keys[i] = key.value();
                fingerprints[i] = key.fingerprint();
            }
            eventCounts[i] = request.events().size();
        }
        arguments.add("bigint", after);
        arguments.add("int", itemsFrom);
        arguments.add("int", itemsTo);
        arguments.add("uuid", basisIncarnations);
        arguments.add("bigint", basisPositions);
        arguments.add("uuid", basisEventIds);
        arguments.add("text", keys);
        arguments.add("text", fingerprints);
        arguments.add("int", eventCounts);
    }

    private static void bindItems(Arguments arguments, List<Append> group) throws SQLException {
        List<QueryItem> items = new ArrayList<>();
        for (Append request : group) {
            if (request.condition() != null) {
                items.addAll(request.condition().failIfEventsMatch().items());
            }
        }
        FlatTexts types = new FlatTexts(items.size());
        FlatTexts tags = new FlatTexts(items.size());
        for (QueryItem item : items) {
            types.startList();
            item.types().forEach(types::add);
            tags.startList();
            item.tags().stream().map(Tag::value).forEach(tags::add);
        }
        arguments.add("int", types.from());
        arguments.add("int", types.to());
        arguments.add("int", tags.from());
        arguments.add("int", tags.to());
        arguments.add("text", types.texts());
        arguments.add("text", tags.texts());
    }

    private static void bindEvents(Arguments arguments, List<Append> group) throws SQLException {
        int size = group.stream().mapToInt(request -> request.events().size()).sum();
        int[] requests = new int[size];
        UUID[] ids = new UUID[size];
        String[] types = new String[size];
        String[] payloads = new String[size];
        String[] metadata = new String[size];
        FlatTexts tags = new FlatTexts(size);
        int n = 0;
        for (int request = 0; request < group.size(); request++) {
            for (Event event : group.get(request).events()) {
                requests[n] = request + 1;
                ids[n] = event.id();
                types[n] = event.type();
                payloads[n] = event.payload();
                metadata[n] = event.metadata();
                tags.startList();
                event.tags().forEach(tag -> tags.add(tag.value()));
                n++;
            }
        }
        arguments.add("int", requests);
        arguments.add("uuid", ids);
        arguments.add("text", types);
        arguments.add("text", payloads);
        arguments.add("text", metadata);
        arguments.add("int", tags.from());
        arguments.add("int", tags.to());
        arguments.add("text", tags.texts());
    }

    private static AppendVerdict verdict(ResultSet row, Append request) throws SQLException {
        String verdict = row.getString("verdict");
        return switch (verdict) {
            case "appended", "repeated" ->
                new AppendVerdict.Judged(new Appended(
                        Position.of(row.getLong("first_position")),
                        Position.of(row.getLong("last_position")),
                        verdict.equals("repeated")));
            case "conflict" -> new AppendVerdict.Judged(conflict(row, request.condition()));
            case "replaced" -> new AppendVerdict.Judged(new StoreReplaced());
            case "key-reused" -> new AppendVerdict.KeyReused();
            default -> throw new IllegalStateException("append_events answered with '%s'".formatted(verdict));
        };
    }

    private static Conflict conflict(ResultSet row, @Nullable AppendCondition condition) throws SQLException {
        if (condition == null) {
            throw new IllegalStateException("append_events answered a request without a condition with a conflict");
        }
        return new Conflict(
                condition.failIfEventsMatch().items().get(row.getInt("conflict_item")),
                Position.of(row.getLong("conflict_position")),
                row.getString("conflict_type"));
    }

    /** The arguments of one call, bound in their order. */
    private static final class Arguments {
        private final Connection connection;
        private final PreparedStatement statement;
        private int bound;

        private Arguments(Connection connection, PreparedStatement statement) {
            this.connection = connection;
            this.statement = statement;
        }

        private void add(String type, Object array) throws SQLException {
            // createArrayOf of the interface takes no primitive arrays; setObject of the driver takes them as they are.
            if (array instanceof @Nullable Object[] objects) {
                statement.setArray(++bound, connection.createArrayOf(type, objects));
            } else {
                statement.setObject(++bound, array);
            }
        }

        private void add(Instant instant) throws SQLException {
            statement.setObject(++bound, instant.atOffset(ZoneOffset.UTC));
        }
    }
}
