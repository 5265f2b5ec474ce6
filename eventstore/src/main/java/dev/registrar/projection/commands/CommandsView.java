package dev.registrar.projection.commands;

import dev.registrar.eventstore.EventMetadata;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.Tables;
import dev.registrar.projection.View;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lists the commands that appended events, by the correlation id of the request that caused them. The view knows no
 * domain: it reads the {@link EventMetadata} that the decision loop writes. It does not list commands that appended no
 * event (refused, or without effect), commands without a correlation id, or commands whose metadata exceed the bounds.
 *
 * <p>A client that writes events with metadata of its own could name any command there. If a store has such clients,
 * create the view with a query of the events that they cannot append.
 *
 * <pre>{@code
 * CommandsView commands = new CommandsView(Query.of(QueryItem.types("SeatTaken", "SeatFreed")));
 * ViewAt<CommandsView.Page> page = views.read(
 *         commands, after, tables -> CommandsView.ofCorrelation(tables, correlationId, null, 100));
 * }</pre>
 */
public final class CommandsView implements View {
    /** Maximum length of an id, in characters. Commands with a longer correlation id are not listed. */
    public static final int MAX_ID_LENGTH = 128;

    /** Maximum length of the name of a command's type. Commands with longer names are not listed. */
    public static final int MAX_TYPE_LENGTH = 255;

    private static final Pattern COMMAND_ID = Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private final Query query;

    /**
     * A command that was carried out.
     *
     * @param type the name of its type
     * @param causationId of the event or command that caused it; null if unknown, or longer than
     *     {@value #MAX_ID_LENGTH} characters
     * @param events number of events that it appended, 1 or more
     * @param first the position of its first event
     * @param last the position of its last event
     * @param recordedAt when its first event was appended
     */
    public record Command(
            UUID id,
            String type,
            @Nullable String causationId,
            int events,
            Position first,
            Position last,
            Instant recordedAt) {}

    /**
     * A page of commands in the order of their ids, which is the order in which they began.
     *
     * @param next the last command of this page, after which the next page begins; empty on the last page
     */
    public record Page(List<Command> commands, Optional<UUID> next) {}

    /** What an event tells of its command. */
    private record Row(
            String correlationId,
            String id,
            String type,
            @Nullable String causationId,
            SequencedEvent event) {}

    /** Creates the view of the commands that appended any event, for a store whose metadata no client chooses. */
    public CommandsView() {
        this(Query.all());
    }

    /**
     * Creates the view of the commands that appended certain events.
     *
     * @param query the events whose metadata can be trusted, usually those of the domain's types
     */
    public CommandsView(Query query) {
        this.query = query;
    }

    @Override
    public String name() {
        return "commands";
    }

    @Override
    public int version() {
        return 2;
    }

    @Override
    public Query query() {
        return query;
    }

    @Override
    public void create(Tables tables) {
        tables.sql("""
                create table ${schema}.commands (
                    correlation_id text collate "C" not null,
                    id uuid not null,
                    type text not null,
                    causation_id text,
                    events integer not null,
                    first_position bigint not null,
                    last_position bigint not null,
                    recorded_at timestamptz not null,
                    constraint commands_pk primary key (correlation_id, id)
                )""").update();
    }

    /* The events of one command may be in two batches. */
    @Override
    public void apply(List<SequencedEvent> events, Tables tables) {
        List<Row> rows = events.stream().flatMap(event -> row(event).stream()).toList();
        if (rows.isEmpty()) {
            return;
        }
        tables.sql("""
                        insert into ${schema}.commands as known
                            (correlation_id, id, type, causation_id, events, first_position, last_position, recorded_at)
                        select correlation_id, id, min(type), min(causation_id), count(*), min(position), max(position),
                            min(recorded_at)
                        from unnest(?::text[], ?::uuid[], ?::text[], ?::text[], ?::bigint[], ?::timestamptz[])
                            given (correlation_id, id, type, causation_id, position, recorded_at)
                        group by correlation_id, id
                        on conflict (correlation_id, id) do update
                        set events = known.events + excluded.events,
                            last_position = excluded.last_position""")
                .param(texts(rows, Row::correlationId))
                .param(texts(rows, Row::id))
                .param(texts(rows, Row::type))
                .param(texts(rows, Row::causationId))
                .param(rows.stream()
                        .mapToLong(row -> row.event.position().value())
                        .toArray())
                .param(texts(rows, row -> row.event.recordedAt().toString()))
                .update();
    }

    private static @Nullable String[] texts(List<Row> rows, Function<Row, @Nullable String> text) {
        return rows.stream().map(text).toArray(String[]::new);
    }

    /* Each part is checked before it reaches the table and its index: the query may include events of any client. */
    private static Optional<Row> row(SequencedEvent event) {
        String json = event.event().metadata();
        if (!json.contains("\"commandId\"")) {
            return Optional.empty();
        }
        return EventMetadata.parse(json).flatMap(metadata -> row(event, metadata));
    }

    private static Optional<Row> row(SequencedEvent event, EventMetadata metadata) {
        String correlation = storable(metadata.correlationId(), MAX_ID_LENGTH);
        String type = storable(metadata.commandType(), MAX_TYPE_LENGTH);
        String id = metadata.commandId();
        if (correlation == null
                || type == null
                || id == null
                || !COMMAND_ID.matcher(id).matches()) {
            return Optional.empty();
        }
        return Optional.of(new Row(correlation, id, type, storable(metadata.causationId(), MAX_ID_LENGTH), event));
    }

    /* PostgreSQL's text has neither U+0000 nor unpaired surrogates, which JSON may hold as escapes. */
    private static @Nullable String storable(@Nullable String text, int longest) {
        return text != null
                        && text.length() <= longest
                        && text.codePoints()
                                .noneMatch(point -> point == 0 || Character.getType(point) == Character.SURROGATE)
                ? text
                : null;
    }

    /**
     * A page of the commands of a correlation id; empty if there are none.
     *
     * @param after the last command of the previous page; null for the first page
     * @param most maximum number of commands on the page, 1 or more
     */
    public static Page ofCorrelation(Tables tables, String correlationId, @Nullable UUID after, int most) {
        var page = tables.sql("""
                        select id, type, causation_id, events, first_position, last_position, recorded_at
                        from ${schema}.commands
                        where correlation_id = ?
                        %s
                        order by id
                        limit ?""".formatted(after == null ? "" : "and id > ?")).param(correlationId);
        if (after != null) {
            page = page.param(after);
        }
        List<Command> commands = page.param(most + 1)
                .query((row, number) -> new Command(
                        row.getObject("id", UUID.class),
                        row.getString("type"),
                        row.getString("causation_id"),
                        row.getInt("events"),
                        Position.of(row.getLong("first_position")),
                        Position.of(row.getLong("last_position")),
                        row.getObject("recorded_at", OffsetDateTime.class).toInstant()))
                .list();
        return commands.size() <= most
                ? new Page(commands, Optional.empty())
                : new Page(
                        commands.subList(0, most),
                        Optional.of(commands.get(most - 1).id()));
    }
}
