package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.postgres.connection.ArrayText;
import dev.registrar.eventstore.postgres.connection.Parameters;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The SQL that reads the events of a query, and its parameters. Each item is a probe with its own bounds. An event that
 * several items match is returned once.
 */
final class ReadStatement {
    /** The head of the store as one row, followed by other columns. */
    static final String HEAD = """
            (
                select
                    h.position,
                    null::timestamptz,
                    h.id,
                    null,
                    (select max(addition.position)::text from {schema}.tag_additions addition),
                    store.incarnation::text,
                    %s
                from {schema}.store
                left join lateral (
                    select last.position, last.id from {schema}.events last order by last.position desc limit 1
                ) h on true
            )
            union all
            """;

    /** The given heads that the store has lost. The parameters are arrays of positions and event ids. */
    static final String LOST_HEADS = """
            from unnest(?::bigint[], ?::uuid[]) known (position, id)
            where known.position > 0
            and known.id is distinct from (
                select event.id from {schema}.events event where event.position = known.position
            )""";

    /*
     * An event must not have more than its share of a small chunk: half of the bytes for the first event, which often
     * is large, and an equal share of the other half for each of them.
     */
    private static final String SMALL_CHUNK = """
            (
                select {columns}
                from (select array({positions}) as positions offset 0) chunk
                cross join lateral (
                    select * from {schema}.events where position = any (chunk.positions) order by position {order}
                ) e
            )""";

    /** The condition that an event is within its share of a small chunk, whose positions are "chunk.positions". */
    static final String WITHIN_SHARE =
            "e.size <= %s / case when e.position = chunk.positions[1] then 1 else cardinality(chunk.positions) end";

    private static final String LARGE_CHUNK = """
            (
                select {columns}
                from (
                    select
                        e.*,
                        sum(e.size) over walk as total,
                        row_number() over walk as number
                    from ({events}) e
                    window walk as (order by e.position {order} rows unbounded preceding)
                ) e
                where e.total - e.size <= {bytes}
                or e.number = 2
                order by e.position {order}
            )""";

    private final String schema;
    private final Direction direction;
    private final long smallBytes;
    private final long largeBytes;
    /** Cached texts: the driver looks up prepared statements by text, and a cached string is hashed only once. */
    private final Map<Shape, String> texts = new ConcurrentHashMap<>();

    private enum Kind {
        SMALL_CHUNK,
        LARGE_CHUNK,
        LAST,
        EXISTS,
        COUNT
    }

    /**
     * The key of a text.
     *
     * @param givenHeads whether the statement checks heads
     */
    private record Shape(Kind kind, PositionSearch search, boolean givenHeads) {}

    /**
     * Creates the statements.
     *
     * @param smallBytes the maximum size of the events of a small chunk
     * @param largeBytes the maximum size of the events of a large chunk, unless its first event is larger
     */
    ReadStatement(String schema, Direction direction, long smallBytes, long largeBytes) {
        this.schema = schema;
        this.direction = direction;
        this.smallBytes = smallBytes;
        this.largeBytes = largeBytes;
    }

    /**
     * The head of the store and the events in reading direction, up to a number and a size in bytes, in one snapshot.
     * If the size ends the chunk, the first event beyond it is returned without payload, to indicate that there are
     * more.
     *
     * <p>The first row is the head and has no type. It has the position and id of the store's last event, the position
     * at which tags were last added to stored events in place of the tags, the incarnation in place of the payload, and
     * the number of lost heads in place of the metadata. Positions and event ids of the given heads, if there are any,
     * are the first two parameters. Without parallel workers, as on the store's connections, PostgreSQL runs the parts
     * of a "union all" in order; the reader checks the order.
     *
     * @param small whether the size is that of a small chunk. No event of it may then have more than its share, so that
     *     the size need not be summed up, and even the first event may be beyond it
     */
    String chunk(boolean givenHeads, boolean small, List<Probe> probes) {
        return text(small ? Kind.SMALL_CHUNK : Kind.LARGE_CHUNK, givenHeads, probes);
    }

    /** The last event that matches. */
    String last(List<Probe> probes) {
        return text(Kind.LAST, false, probes);
    }

    /** Whether any event matches. */
    String exists(List<Probe> probes) {
        return text(Kind.EXISTS, false, probes);
    }

    /** The number of events that match. */
    String count(List<Probe> probes) {
        return text(Kind.COUNT, false, probes);
    }

    private String text(Kind kind, boolean givenHeads, List<Probe> probes) {
        return texts.computeIfAbsent(new Shape(kind, PositionSearch.of(probes), givenHeads), this::text);
    }

    private String text(Shape shape) {
        String head = HEAD.formatted((shape.givenHeads() ? "(select count(*) %s)".formatted(LOST_HEADS) : "0")
                + "::text, null::text, null::timestamptz");
        PositionSearch search = shape.search();
        String template = switch (shape.kind()) {
            case SMALL_CHUNK ->
                head
                        + SMALL_CHUNK
                                .replace("{columns}", columns(withinShare(smallBytes)))
                                .replace("{positions}", search.positions());
            case LARGE_CHUNK ->
                head
                        + LARGE_CHUNK
                                .replace("{columns}", columns("e.total <= {bytes} or e.total = e.size"))
                                .replace("{events}", search.events())
                                .replace("{bytes}", Long.toString(largeBytes));
            case LAST -> "select %s from (%s) e limit 1".formatted(columns("true"), search.events());
            case EXISTS -> "select exists (select from (%s) m)".formatted(search.positions());
            case COUNT -> "select count(*) from (%s) m".formatted(search.positions());
        };
        return text(template, schema, direction);
    }

    /** The SQL of a template, which names the schema, the order by position, and whether that is descending. */
    static String text(String template, String schema, Direction direction) {
        boolean backwards = direction == Direction.BACKWARDS;
        return template.replace("{schema}", schema)
                .replace("{order}", backwards ? "desc" : "asc")
                .replace("{backwards}", Boolean.toString(backwards));
    }

    /** The columns of an event, of which those without a bound of their own are fetched only if a condition holds. */
    static String columns(String fits) {
        return """
                e.position, e.recorded_at, e.id, e.type,
                case when %1$s then e.tags::text end,
                case when %1$s then e.payload end,
                case when %1$s then e.metadata end,
                case when %1$s then e.actor end,
                e.original_time""".formatted(fits);
    }

    static String withinShare(long bytes) {
        return WITHIN_SHARE.formatted(bytes / 2);
    }

    /** Binds heads to check, the first parameters of a statement. */
    static void bindHeads(Parameters parameters, Collection<Head> heads) throws SQLException {
        parameters
                .add(heads.stream().mapToLong(head -> head.position().value()).toArray())
                .add(heads.stream().map(Head::lastEventId).toArray(UUID[]::new));
    }

    /** The event of a row; null if the row indicates that more events follow than fit into the chunk. */
    static @Nullable SequencedEvent event(ResultSet row) throws SQLException {
        String payload = row.getString(6);
        if (payload == null) {
            return null;
        }
        List<Tag> tags = new ArrayList<>();
        for (String tag : ArrayText.parse(row.getString(5))) {
            tags.add(new Tag(tag));
        }
        OffsetDateTime original = row.getObject(9, OffsetDateTime.class);
        return new SequencedEvent(
                Position.of(row.getLong(1)),
                Event.of(row.getObject(3, UUID.class), row.getString(4), tags, payload, row.getString(7)),
                row.getObject(2, OffsetDateTime.class).toInstant(),
                StoredActors.of(row.getString(8)),
                original == null ? null : original.toInstant());
    }
}
