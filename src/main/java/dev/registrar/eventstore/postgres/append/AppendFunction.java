package dev.registrar.eventstore.postgres.append;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.postgres.append.AppendArguments.Part;
import dev.registrar.eventstore.postgres.connection.Failures;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The stored function that appends a group of requests: its arguments from requests, its row to answers. */
public final class AppendFunction {
    private final String call;
    private final String holdingCall;
    private final Duration keysRetention;
    /** Texts are long, and the driver looks its prepared statements up by them: a text that is kept is hashed once. */
    private final Map<Set<Part>, String> calls = new ConcurrentHashMap<>();

    private final Map<Set<Part>, String> holdingCalls = new ConcurrentHashMap<>();

    /**
     * The function of a schema.
     *
     * @param keysRetention how long idempotency keys are remembered
     */
    public AppendFunction(String schema, Duration keysRetention) {
        call = "select * from %s.append_events_3(%%s)".formatted(schema);
        // The append depends on the answer to the locks, so it comes after the wait. "offset 0" keeps the two apart.
        holdingCall = """
                select set_config('statement_timeout', ?, true);
                select appended.*
                from %s.lock_resources_2(?, ?) resources (held)
                cross join lateral (
                    select *
                    from %s.append_events_3(%%s)
                    where resources.held
                    offset 0
                ) appended""".formatted(schema, schema);
        this.keysRetention = keysRetention;
    }

    /**
     * Calls the function once.
     *
     * @param recordedAt of the events
     * @return one answer for each entry, in their order
     */
    public List<AppendAnswer> call(Connection connection, List<AppendEntry> group, Instant recordedAt)
            throws SQLException {
        AppendArguments arguments = new AppendArguments(group, recordedAt, keysRetention);
        try (PreparedStatement statement = connection.prepareStatement(text(call, calls, arguments))) {
            arguments.bind(statement, 0);
            try (ResultSet row = statement.executeQuery()) {
                return answer(statement, row, group);
            }
        }
    }

    /**
     * Takes resource locks, calls the function and commits, all in one round trip: if this process dies, the server
     * does all of it or nothing.
     *
     * @param timeout of the statements, with the wait
     * @throws dev.registrar.eventstore.EventStoreException if the locks were not obtained, so that nothing was appended
     */
    AppendAnswer callHolding(
            Connection connection, HeldResources resources, Duration timeout, AppendEntry entry, Instant recordedAt)
            throws SQLException {
        List<AppendEntry> alone = List.of(entry);
        AppendArguments arguments = new AppendArguments(alone, recordedAt, keysRetention);
        try (PreparedStatement statement = connection.prepareStatement(text(holdingCall, holdingCalls, arguments))) {
            statement.setString(1, timeout.toMillis() + "ms");
            resources.bind(statement, 2);
            arguments.bind(statement, 3);
            try {
                statement.execute();
            } catch (SQLException failure) {
                if (resources.isOfWait(failure, statement.getWarnings())) {
                    throw Failures.lock(failure, resources.locks());
                }
                throw failure;
            }
            statement.getMoreResults();
            try (ResultSet row = statement.getResultSet()) {
                return answer(statement, row, alone).getFirst();
            }
        }
    }

    private static String text(String call, Map<Set<Part>, String> texts, AppendArguments arguments) {
        return texts.computeIfAbsent(arguments.parts(), parts -> call.formatted(AppendArguments.placeholders(parts)));
    }

    private static List<AppendAnswer> answer(PreparedStatement statement, ResultSet row, List<AppendEntry> group)
            throws SQLException {
        Failures.requireNoWarning(statement.getWarnings());
        row.next();
        return answers(row, group);
    }

    private static List<AppendAnswer> answers(ResultSet row, List<AppendEntry> group) throws SQLException {
        String[] verdicts = array(row, "verdicts", String[].class);
        return verdicts == null
                ? allAppended(Position.of(row.getLong("head_before")), group)
                : new Rows(row, verdicts).answers(group);
    }

    private static List<AppendAnswer> allAppended(Position head, List<AppendEntry> group) {
        List<AppendAnswer> answers = new ArrayList<>(group.size());
        long last = head.value();
        for (AppendEntry entry : group) {
            answers.add(new AppendAnswer.Judged(
                    new Appended(Position.of(last + 1), Position.of(last + entry.events()), false)));
            last += entry.events();
        }
        return answers;
    }

    private static <T> @Nullable T array(ResultSet row, String column, Class<T> type) throws SQLException {
        java.sql.Array array = row.getArray(column);
        return array == null ? null : type.cast(array.getArray());
    }

    /** The columns of verdicts: arrays with an element for each entry. */
    private static final class Rows {
        private final String[] verdicts;
        private final Long[] firstPositions;
        private final Long[] lastPositions;
        private final Integer[] conflictItems;
        private final Long[] conflictPositions;
        private final String[] conflictTypes;

        private Rows(ResultSet row, String[] verdicts) throws SQLException {
            this.verdicts = verdicts;
            this.firstPositions = required(row, "first_positions", Long[].class);
            this.lastPositions = required(row, "last_positions", Long[].class);
            this.conflictItems = required(row, "conflict_items", Integer[].class);
            this.conflictPositions = required(row, "conflict_positions", Long[].class);
            this.conflictTypes = required(row, "conflict_types", String[].class);
        }

        private static <T> T required(ResultSet row, String column, Class<T> type) throws SQLException {
            T array = array(row, column, type);
            if (array == null) {
                throw new IllegalStateException("append_events_3 answered verdicts without " + column);
            }
            return array;
        }

        private List<AppendAnswer> answers(List<AppendEntry> group) {
            List<AppendAnswer> answers = new ArrayList<>(group.size());
            int itemsBefore = 0;
            for (int i = 0; i < group.size(); i++) {
                List<QueryItem> items = items(group.get(i).request());
                answers.add(answer(i, items, itemsBefore));
                itemsBefore += items.size();
            }
            return answers;
        }

        private static List<QueryItem> items(Append request) {
            return request.conditions().stream()
                    .flatMap(condition -> condition.failIfEventsMatch().items().stream())
                    .toList();
        }

        private AppendAnswer answer(int i, List<QueryItem> items, int itemsBefore) {
            return switch (verdicts[i]) {
                case "appended", "repeated" ->
                    new AppendAnswer.Judged(new Appended(
                            Position.of(firstPositions[i]),
                            Position.of(lastPositions[i]),
                            verdicts[i].equals("repeated")));
                case "conflict" ->
                    new AppendAnswer.Judged(new Conflict(
                            items.get(conflictItems[i] - 1 - itemsBefore),
                            Position.of(conflictPositions[i]),
                            conflictTypes[i]));
                case "replaced" -> new AppendAnswer.Judged(new StoreReplaced());
                case "key-reused" -> new AppendAnswer.KeyReused();
                case "superseded" -> new AppendAnswer.Superseded();
                case "suspected" -> new AppendAnswer.Suspected();
                default -> throw new IllegalStateException("append_events_3 answered with '%s'".formatted(verdicts[i]));
            };
        }
    }
}
