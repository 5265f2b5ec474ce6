package dev.registrar.eventstore.postgres.append;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.postgres.append.AppendArguments.Part;
import dev.registrar.eventstore.postgres.connection.Failures;
import dev.registrar.eventstore.postgres.connection.ServerWarnings;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The stored function append_events, which appends a group of requests. */
public final class AppendFunction {
    private final String call;
    private final String holdingCall;
    private final String ifFreeCall;
    private final Duration keysRetention;
    private final ServerWarnings warnings;
    /** Cached texts: the driver looks up prepared statements by text, and a cached string is hashed only once. */
    private final Map<Set<Part>, String> calls = new ConcurrentHashMap<>();

    private final Map<Set<Part>, String> holdingCalls = new ConcurrentHashMap<>();
    private final Map<Set<Part>, String> ifFreeCalls = new ConcurrentHashMap<>();

    /**
     * Creates the calls of the function in a schema.
     *
     * @param keysRetention how long the store keeps idempotency keys
     */
    public AppendFunction(String schema, Duration keysRetention, ServerWarnings warnings) {
        call = "select * from %s.append_events(%%s)".formatted(schema);
        // The append depends on the result of lock_resources, so it runs after the wait. "offset 0" prevents
        // flattening.
        holdingCall = """
                select set_config('statement_timeout', ?, true);
                select appended.*
                from %s.lock_resources(?, ?) resources (held)
                cross join lateral (
                    select *
                    from %s.append_events(%%s)
                    where resources.held
                    offset 0
                ) appended""".formatted(schema, schema);
        ifFreeCall = """
                select resources.are_free, appended.*
                from (
                    select array(
                        select pg_try_advisory_xact_lock(resource.key)
                        from unnest(?::bigint[]) with ordinality resource (key, number)
                        order by resource.number
                    ) as are_free
                    offset 0
                ) resources
                left join lateral (
                    select *
                    from %s.append_events(%%s)
                    where not (false = any (resources.are_free))
                    offset 0
                ) appended on true""".formatted(schema);
        this.keysRetention = keysRetention;
        this.warnings = warnings;
    }

    /**
     * Calls the function.
     *
     * @param recordedAt the time of the events; null for that of the server
     * @return one answer for each entry, in order
     */
    public List<AppendAnswer> call(Connection connection, List<AppendEntry> group, @Nullable Instant recordedAt)
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
     * Takes resource locks, calls the function and commits, in one round trip. If this process stops, the server does
     * all of it or nothing.
     *
     * @param timeout the statement time-out, including the wait
     * @throws dev.registrar.eventstore.EventStoreException if the locks were not acquired; nothing was appended
     */
    AppendAnswer callHolding(
            Connection connection,
            HeldResources resources,
            Duration timeout,
            AppendEntry entry,
            @Nullable Instant recordedAt)
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

    /**
     * Takes the resource locks of a group if no other session holds one of them, calls the function and commits, in one
     * round trip. It never waits for a resource lock.
     *
     * @param resources the resource locks of each entry
     * @return one answer for each entry, in order; {@link AppendAnswer.ResourceHeld} for each if a lock was not free
     */
    List<AppendAnswer> callIfFree(
            Connection connection, List<AppendEntry> group, List<long[]> resources, @Nullable Instant recordedAt)
            throws SQLException {
        long[] keys = resources.stream()
                .flatMapToLong(Arrays::stream)
                .sorted()
                .distinct()
                .toArray();
        AppendArguments arguments = new AppendArguments(group, recordedAt, keysRetention);
        try (PreparedStatement statement = connection.prepareStatement(text(ifFreeCall, ifFreeCalls, arguments))) {
            statement.setObject(1, keys);
            arguments.bind(statement, 1);
            try (ResultSet row = statement.executeQuery()) {
                warnings.check(statement.getWarnings());
                row.next();
                Boolean[] areFree = (Boolean[]) row.getArray("are_free").getArray();
                return Arrays.asList(areFree).contains(false) ? held(keys, areFree, resources) : answers(row, group);
            }
        }
    }

    private static List<AppendAnswer> held(long[] keys, Boolean[] areFree, List<long[]> resources) {
        return resources.stream()
                .<AppendAnswer>map(own -> new AppendAnswer.ResourceHeld(
                        Arrays.stream(own).anyMatch(key -> !areFree[Arrays.binarySearch(keys, key)])))
                .toList();
    }

    private static String text(String call, Map<Set<Part>, String> texts, AppendArguments arguments) {
        return texts.computeIfAbsent(arguments.parts(), parts -> call.formatted(AppendArguments.placeholders(parts)));
    }

    private List<AppendAnswer> answer(PreparedStatement statement, ResultSet row, List<AppendEntry> group)
            throws SQLException {
        warnings.check(statement.getWarnings());
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

    /** The verdict columns: arrays with one element for each entry. */
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
                throw new IllegalStateException("append_events returned verdicts without the column " + column);
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
                default ->
                    throw new IllegalStateException(
                            "append_events returned the unknown verdict '%s'".formatted(verdicts[i]));
            };
        }
    }
}
