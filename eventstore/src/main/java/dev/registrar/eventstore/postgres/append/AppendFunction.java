package dev.registrar.eventstore.postgres.append;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.postgres.append.AppendArguments.Part;
import dev.registrar.eventstore.postgres.connection.Failures;
import dev.registrar.eventstore.postgres.connection.Parameters;
import dev.registrar.eventstore.postgres.connection.ServerWarnings;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/**
 * Appends a group of requests on a given connection: the stored function append_events, or, for a single event,
 * append_event unless its quick test finds a possible conflict.
 */
public final class AppendFunction {
    /** The SQLSTATE of the notice that lock_resources sends as soon as it holds the locks. */
    private static final String RESOURCES_HELD = "00DCB";

    /** The most items of conditions that append_event takes, and the numbers of its arguments. */
    private static final int MOST_ITEMS = 4;

    private static final int OF_EVENT = 7;
    private static final int OF_ITEMS = 4;
    private static final int OF_HEADS = 3;

    private final String schema;
    private final Duration keysRetention;
    private final @Nullable InstantSource clock;
    private final ServerWarnings warnings;
    private final String appendOne;
    private final String appendOneIf;
    private final String appendOneIfOnHeads;
    /** Cached texts: the driver looks up prepared statements by text, and a cached string is hashed only once. */
    private final Map<Set<Part>, String> calls = new ConcurrentHashMap<>();

    /**
     * Creates the calls of the function in a schema.
     *
     * @param keysRetention how long the store keeps idempotency keys
     * @param clock stamps the events; null for the clock of the server
     */
    public AppendFunction(
            String schema, Duration keysRetention, @Nullable InstantSource clock, ServerWarnings warnings) {
        this.schema = schema;
        this.keysRetention = keysRetention;
        this.clock = clock;
        this.warnings = warnings;
        this.appendOne = callOfOne(schema, OF_EVENT);
        this.appendOneIf = callOfOne(schema, OF_EVENT + OF_ITEMS);
        this.appendOneIfOnHeads = callOfOne(schema, OF_EVENT + OF_ITEMS + OF_HEADS);
    }

    private static String callOfOne(String schema, int arguments) {
        return "select %s.append_event(%s)".formatted(schema, String.join(", ", Collections.nCopies(arguments, "?")));
    }

    /**
     * Appends a group, with the faster function for a single event where that is possible. A request whose resources
     * another session holds is not appended.
     *
     * @return one answer for each entry, in order
     */
    public List<AppendAnswer> append(Connection connection, List<AppendEntry> group) throws SQLException {
        ConditionColumns conditions = ConditionColumns.of(group);
        Instant now = now();
        if (group.size() == 1 && isSimple(group.getFirst(), conditions)) {
            Optional<Appended> appended = appendOne(connection, group.getFirst(), conditions, now);
            if (appended.isPresent()) {
                return List.of(new AppendAnswer.Judged(appended.get()));
            }
        }
        try (PreparedStatement statement =
                prepare(connection, new AppendArguments(group, conditions, now, keysRetention, null))) {
            return call(statement, group);
        }
    }

    /* A single event, and conditions of a few items that all have one or two tags. */
    private static boolean isSimple(AppendEntry entry, ConditionColumns conditions) {
        Append request = entry.request();
        return !entry.verdictOnly()
                && entry.checked() == null
                && request.events().size() == 1
                && request.idempotencyKey() == null
                && request.locks() == null
                && conditions.size <= MOST_ITEMS
                && Arrays.stream(conditions.tags).allMatch(Objects::isNull);
    }

    /* Empty if nothing was appended, because a condition may have failed: append_events finds out. */
    private Optional<Appended> appendOne(
            Connection connection, AppendEntry entry, ConditionColumns conditions, @Nullable Instant recordedAt)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(textOfOne(conditions))) {
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

    private String textOfOne(ConditionColumns conditions) {
        if (conditions.size == 0) {
            return appendOne;
        }
        return conditions.heads().isEmpty() ? appendOneIf : appendOneIfOnHeads;
    }

    /**
     * Waits for the resources of a request, appends it, and holds them until the commit, in one round trip. If this
     * process stops, the server does all of it or nothing.
     *
     * @throws dev.registrar.eventstore.EventStoreException if the locks were not acquired; nothing was appended
     */
    public AppendAnswer appendWaiting(Connection connection, AppendEntry entry, ResourceLocks locks)
            throws SQLException {
        List<AppendEntry> alone = List.of(entry);
        AppendArguments arguments = new AppendArguments(
                alone, ConditionColumns.of(alone), now(), keysRetention, Deadline.left(locks.timeout()));
        try (PreparedStatement statement = prepare(connection, arguments)) {
            try {
                return call(statement, alone).getFirst();
            } catch (SQLException failure) {
                if (isOfWait(failure, statement.getWarnings())) {
                    throw Failures.lock(failure, locks);
                }
                throw failure;
            }
        }
    }

    /* Truncated to PostgreSQL's precision: the driver would round, possibly to a time in the future. */
    private @Nullable Instant now() {
        return clock == null ? null : clock.instant().truncatedTo(ChronoUnit.MICROS);
    }

    /*
     * The server sends its messages in order, so an error that it reported without the notice came before the locks
     * were held. A broken connection proves nothing. A value that cannot be stored is refused before the wait.
     */
    private static boolean isOfWait(SQLException failure, @Nullable SQLWarning first) {
        for (SQLWarning message = first; message != null; message = message.getNextWarning()) {
            if (RESOURCES_HELD.equals(message.getSQLState())) {
                return false;
            }
        }
        return failure instanceof PSQLException reported
                && reported.getServerErrorMessage() != null
                && !Failures.isAboutData(failure);
    }

    private PreparedStatement prepare(Connection connection, AppendArguments arguments) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(calls.computeIfAbsent(
                arguments.parts(),
                parts -> "select * from %s.append_events(%s)".formatted(schema, AppendArguments.placeholders(parts))));
        arguments.bind(statement);
        return statement;
    }

    private List<AppendAnswer> call(PreparedStatement statement, List<AppendEntry> group) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            warnings.check(statement.getWarnings());
            row.next();
            return answers(row, group);
        }
    }

    private static List<AppendAnswer> answers(ResultSet row, List<AppendEntry> group) throws SQLException {
        String[] verdicts = array(row, "verdicts", String[].class);
        if (verdicts == null) {
            return allAppended(Position.of(row.getLong("head_before")), group);
        }
        return verdicts.length == 0
                ? Collections.nCopies(group.size(), new AppendAnswer.ResourceHeld())
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
                case "resource-held" -> new AppendAnswer.ResourceHeld();
                default ->
                    throw new IllegalStateException(
                            "append_events returned the unknown verdict '%s'".formatted(verdicts[i]));
            };
        }
    }
}
