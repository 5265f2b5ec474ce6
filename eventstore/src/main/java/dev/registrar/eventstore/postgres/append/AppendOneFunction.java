package dev.registrar.eventstore.postgres.append;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.postgres.append.AppendArguments.Binder;
import dev.registrar.eventstore.postgres.connection.ArrayText;
import dev.registrar.eventstore.postgres.connection.ServerWarnings;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The stored function append_event, which appends a single event unless a quick test finds a possible conflict. */
public final class AppendOneFunction {
    private static final int MOST_ITEMS = 4;
    private static final int MOST_TAGS = 2;
    private static final int OF_ITEMS = 4;
    private static final int OF_HEADS = 3;
    private static final int OF_EVENT = 7;

    private final String append;
    private final String appendIf;
    private final String appendIfOnHeads;
    private final ServerWarnings warnings;

    public AppendOneFunction(String schema, ServerWarnings warnings) {
        append = call(schema, "null", "null");
        appendIf = call(schema, "?", "null");
        appendIfOnHeads = call(schema, "?", "?");
        this.warnings = warnings;
    }

    private static String call(String schema, String item, String head) {
        List<String> arguments = new ArrayList<>(Collections.nCopies(OF_ITEMS, item));
        arguments.addAll(Collections.nCopies(OF_HEADS, head));
        arguments.addAll(Collections.nCopies(OF_EVENT, "?"));
        return "select %s.append_event(%s)".formatted(schema, String.join(", ", arguments));
    }

    /** Whether the function supports a request that is the only one of its group. */
    public static boolean serves(AppendEntry entry) {
        Append request = entry.request();
        if (entry.verdictOnly() || entry.checked() != null) {
            return false;
        }
        if (request.events().size() > 1 || request.idempotencyKey() != null) {
            return false;
        }
        int items = 0;
        for (AppendCondition condition : request.conditions()) {
            for (QueryItem item : condition.failIfEventsMatch().items()) {
                if (item.tags().isEmpty() || item.tags().size() > MOST_TAGS || ++items > MOST_ITEMS) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Calls the function once. Empty if it has appended nothing; the request must then use {@link AppendFunction}. */
    public Optional<Appended> call(Connection connection, Append request, @Nullable Instant recordedAt)
            throws SQLException {
        Set<Head> heads = heads(request);
        try (PreparedStatement statement = connection.prepareStatement(text(request, heads))) {
            Binder binder = new Binder(statement, 0);
            if (!request.conditions().isEmpty()) {
                bindItems(binder, request.conditions());
            }
            if (!heads.isEmpty()) {
                AppendArguments.bindHeads(binder, heads);
            }
            bind(binder, request.events().getFirst());
            binder.add(AppendArguments.text(request.actor()));
            binder.add(recordedAt);
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

    private String text(Append request, Set<Head> heads) {
        if (request.conditions().isEmpty()) {
            return append;
        }
        return heads.isEmpty() ? appendIf : appendIfOnHeads;
    }

    private static Set<Head> heads(Append request) {
        Set<Head> heads = new LinkedHashSet<>(2);
        for (AppendCondition condition : request.conditions()) {
            if (condition.basis() != null) {
                heads.add(condition.basis());
            }
        }
        return heads;
    }

    private static void bindItems(Binder binder, List<AppendCondition> conditions) throws SQLException {
        int items = 0;
        for (AppendCondition condition : conditions) {
            items += condition.failIfEventsMatch().items().size();
        }
        long[] afters = new long[items];
        String[] firstTags = new String[items];
        @Nullable String[] secondTags = new String[items];
        String[] types = new String[items];
        int n = 0;
        for (AppendCondition condition : conditions) {
            for (QueryItem item : condition.failIfEventsMatch().items()) {
                Iterator<Tag> tags = item.tags().iterator();
                afters[n] = condition.after().value();
                firstTags[n] = tags.next().value();
                secondTags[n] = tags.hasNext() ? tags.next().value() : null;
                types[n] = ArrayText.of(item.types());
                n++;
            }
        }
        binder.add(afters);
        binder.add(firstTags);
        binder.add(secondTags);
        binder.add(types);
    }

    private static void bind(Binder binder, Event event) throws SQLException {
        binder.add(event.id());
        binder.add(event.type());
        binder.add(AppendArguments.texts(event.tags()).toArray(String[]::new));
        binder.add(event.payload());
        binder.add(event.metadata());
    }
}
