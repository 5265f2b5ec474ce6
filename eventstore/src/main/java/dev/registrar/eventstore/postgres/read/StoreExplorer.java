package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreLimits;
import dev.registrar.eventstore.postgres.connection.Database;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Look-ups for people who explore a store: the names that its events use, and pages of events within a range of
 * positions. Each look-up has a bound, however large the store is. Safe for use by any number of threads.
 */
public final class StoreExplorer {
    /** Maximum number of names that a look-up returns. */
    public static final int MOST_NAMES = 200;

    /** Maximum number of uses of a name that are counted one by one. */
    public static final int MOST_COUNTED = 1_000;

    /** Maximum number of events of a page. */
    public static final int MOST_EVENTS = 500;

    /*
     * Names are found by a loose index scan: each step descends the index to the first name after the previous one. So
     * the cost depends on the number of names that are returned, and neither on the events nor on the other names.
     */
    private static final String NAMES = """
            with recursive found (name, number) as (
                (
                    select entry.%2$s, 1
                    from %1$s entry
                    where entry.%2$s >= ?
                    order by entry.%2$s, entry.position
                    limit 1
                )
                union all
                select next.name, found.number + 1
                from found
                cross join lateral (
                    select entry.%2$s as name
                    from %1$s entry
                    where entry.%2$s > found.name
                    order by entry.%2$s, entry.position
                    limit 1
                ) next
                where found.number < ?
                and starts_with(found.name, ?)
            )
            select name
            from found
            where starts_with(name, ?)""";

    /* The name of a kind ends before its colon, and ';' is the character after ':'. */
    private static final String KINDS = """
            with recursive found (tag, number) as (
                (
                    select entry.tag, 1
                    from {schema}.event_tags entry
                    order by entry.tag, entry.position
                    limit 1
                )
                union all
                select next.tag, found.number + 1
                from found
                cross join lateral (
                    select entry.tag
                    from {schema}.event_tags entry
                    where entry.tag >= case
                        when strpos(found.tag, ':') > 0 then split_part(found.tag, ':', 1) || ';'
                        else found.tag || chr(1)
                    end
                    order by entry.tag, entry.position
                    limit 1
                ) next
                where found.number < ?
            )
            select case when strpos(tag, ':') > 0 then split_part(tag, ':', 1) || ':' else tag end
            from found""";

    private static final Position UNBOUNDED = Position.of(Long.MAX_VALUE);
    private static final long FIRST_WINDOW = 16_384;
    private static final int WINDOW_GROWTH = 4;

    private final Database database;
    private final Reader reader;
    private final StoreLimits limits;
    private final String types;
    private final String tags;
    private final String kinds;
    private final NameCounts typeCounts;
    private final NameCounts tagCounts;

    StoreExplorer(Database database, Reader reader, String schema, StoreLimits limits) {
        this.database = database;
        this.reader = reader;
        this.limits = limits;
        this.types = NAMES.formatted(schema + ".events", "type");
        this.tags = NAMES.formatted(schema + ".event_tags", "tag");
        this.kinds = KINDS.replace("{schema}", schema);
        this.typeCounts = new NameCounts(database, schema, "events", "type");
        this.tagCounts = new NameCounts(database, schema, "event_tags", "tag");
    }

    /**
     * The first event types that begin with a text, in the order of their characters.
     *
     * @param most the maximum number of types, 1 to {@value #MOST_NAMES}
     * @throws RefusedInputException if no type can begin with the text
     */
    public List<String> types(String beginning, int most) {
        if (!beginning.isEmpty()) {
            limits.check(Query.of(QueryItem.types(beginning)));
        }
        return names(types, beginning, most);
    }

    /**
     * The first tags that begin with a text, in the order of their characters.
     *
     * @param most the maximum number of tags, 1 to {@value #MOST_NAMES}
     * @throws RefusedInputException if no tag can begin with the text
     */
    public List<String> tags(String beginning, int most) {
        if (!beginning.isEmpty()) {
            limits.check(Query.of(QueryItem.tags(beginning)));
        }
        return names(tags, beginning, most);
    }

    private List<String> names(String sql, String beginning, int most) {
        requireBetween(1, MOST_NAMES, most, "names");
        return database.run(sql, statement -> {
            statement.setString(1, beginning);
            statement.setInt(2, most);
            statement.setString(3, beginning);
            statement.setString(4, beginning);
            try (ResultSet rows = statement.executeQuery()) {
                List<String> names = new ArrayList<>();
                while (rows.next()) {
                    names.add(rows.getString(1));
                }
                return names;
            }
        });
    }

    /**
     * The first kinds of tags: the part of a tag up to its first colon, and tags without a colon as they are.
     *
     * @param most the maximum number of kinds, 1 to {@value #MOST_NAMES}
     */
    public List<String> kindsOfTags(int most) {
        requireBetween(1, MOST_NAMES, most, "kinds");
        return database.run(kinds, statement -> {
            statement.setInt(1, most);
            try (ResultSet rows = statement.executeQuery()) {
                List<String> found = new ArrayList<>();
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
                return found;
            }
        });
    }

    /**
     * How many events have each of the first types, in no order. Reads at most {@value #MOST_COUNTED} index entries of
     * each type and one more, however many events there are.
     *
     * @param most the maximum number of types, 1 to {@value #MOST_NAMES}
     */
    public List<NameCount> countTypes(int most) {
        List<String> names = types("", most);
        return typeCounts.of(names, names.stream().map(StoreExplorer::behind).toList());
    }

    /**
     * How many tags of events are of each of the first kinds, in no order; an event with two tags of a kind counts
     * twice. Reads as much as {@link #countTypes}.
     *
     * @param most the maximum number of kinds, 1 to {@value #MOST_NAMES}
     */
    public List<NameCount> countKindsOfTags(int most) {
        List<String> names = kindsOfTags(most);
        return tagCounts.of(
                names,
                names.stream()
                        .map(name -> name.endsWith(":") ? name.substring(0, name.length() - 1) + ";" : behind(name))
                        .toList());
    }

    /* No other name is between this one and the result. */
    private static String behind(String name) {
        return name + '\u0001';
    }

    /**
     * A range of positions, and the order in which it is read.
     *
     * @param above the exclusive lower bound
     * @param upTo the inclusive upper bound
     */
    public record Range(Position above, Position upTo, Direction direction) {
        /** All positions. */
        public static Range all(Direction direction) {
            return new Range(Position.START, UNBOUNDED, direction);
        }

        boolean isEmpty() {
            return !upTo.isAfter(above);
        }

        /* The first positions of this range in reading direction. */
        private Range first(long positions) {
            if (upTo.value() - above.value() <= positions) {
                return this;
            }
            return switch (direction) {
                case FORWARDS -> new Range(above, Position.of(above.value() + positions), direction);
                case BACKWARDS -> new Range(Position.of(upTo.value() - positions), upTo, direction);
            };
        }

        /* The positions of this range behind its first part. */
        private Range behind(Range first) {
            return switch (direction) {
                case FORWARDS -> new Range(first.upTo, upTo, direction);
                case BACKWARDS -> new Range(above, first.above, direction);
            };
        }

        /* The positions of this range behind one of its events. */
        private Range behind(Position event) {
            return switch (direction) {
                case FORWARDS -> new Range(event, upTo, direction);
                case BACKWARDS -> new Range(above, Position.of(event.value() - 1), direction);
            };
        }

        private Position beginning() {
            return switch (direction) {
                case FORWARDS -> Position.of(above.value() + 1);
                case BACKWARDS -> upTo;
            };
        }
    }

    /**
     * Reads a page. The page may end before its number of events, if their payloads are large. A query may have to look
     * at many events of a frequent tag, of which few have its other tags or its types. Such a query goes through the
     * range in growing windows, and ends after the window in which its time is over.
     *
     * @param most the maximum number of events, 1 to {@value #MOST_EVENTS}
     * @param time after which no further window is searched
     * @param kept makes of each event what the page contains; called while the event's memory is reserved
     * @throws RefusedInputException if the query exceeds a limit of the store
     */
    public <T> EventPage<T> page(Query query, Range range, int most, Duration time, Function<SequencedEvent, T> kept) {
        requireBetween(1, MOST_EVENTS, most, "events");
        limits.check(query);
        ReadMemory.Held held = reader.clientMemory().nothing();
        try {
            return query.items().stream().allMatch(StoreExplorer::isOneRangeOfAnIndex)
                    ? page(new Search<>(query, most, kept, held), range)
                    : pageInWindows(new Search<>(query, most, kept, held), range, time);
        } finally {
            held.end();
        }
    }

    private static boolean isOneRangeOfAnIndex(QueryItem item) {
        return item.tags().isEmpty() || (item.tags().size() == 1 && item.types().isEmpty());
    }

    private <T> EventPage<T> page(Search<T> search, Range range) {
        Head head = search.in(range);
        return search.page(head, range.behind(range), false);
    }

    private <T> EventPage<T> pageInWindows(Search<T> search, Range range, Duration time) {
        long started = System.nanoTime();
        Head head = reader.head();
        Range left = new Range(
                range.above(),
                range.upTo().isAfter(head.position()) ? head.position() : range.upTo(),
                range.direction());
        long size = FIRST_WINDOW;
        while (!left.isEmpty() && !search.isFull()) {
            Range window = left.first(size);
            long begun = System.nanoTime();
            search.in(window);
            left = left.behind(window);
            long now = System.nanoTime();
            long remaining = time.toNanos() - (now - started);
            if (remaining <= 0) {
                return search.page(head, left, !left.isEmpty());
            }
            // As far as the remaining time allows, at the pace of the last window.
            double growth = (double) remaining / Math.max(1, now - begun);
            size = Math.max(FIRST_WINDOW, (long) (size * Math.min(WINDOW_GROWTH, growth)));
        }
        return search.page(head, left, false);
    }

    /** The events that a page has so far. */
    private final class Search<T> {
        private final Query query;
        private final int most;
        private final Function<SequencedEvent, T> kept;
        private final ReadMemory.Held held;
        private final List<T> found = new ArrayList<>();
        private Optional<Position> next = Optional.empty();

        Search(Query query, int most, Function<SequencedEvent, T> kept, ReadMemory.Held held) {
            this.query = query;
            this.most = most;
            this.kept = kept;
            this.held = held;
        }

        boolean isFull() {
            return next.isPresent();
        }

        /* Reads one event more than the page may have, to know whether there is a next page. */
        Head in(Range range) {
            ChunkRequest request = new ChunkRequest(
                    ReadStatement.probes(query.items(), range.above(), range.upTo()),
                    most - found.size() + 1L,
                    List.of(),
                    false);
            Chunk chunk = reader.chunk(range.direction(), request, held);
            for (SequencedEvent event : chunk.events()) {
                if (found.size() == most) {
                    next = Optional.of(event.position());
                    break;
                }
                found.add(kept.apply(event));
            }
            if (next.isEmpty() && chunk.cut()) {
                next = Optional.of(
                        range.behind(chunk.events().getLast().position()).beginning());
            }
            return chunk.head();
        }

        EventPage<T> page(Head head, Range left, boolean outOfTime) {
            if (next.isPresent()) {
                return new EventPage<>(head, found, next, false);
            }
            return new EventPage<>(
                    head, found, outOfTime ? Optional.of(left.beginning()) : Optional.empty(), outOfTime);
        }
    }

    private static void requireBetween(int least, int most, int value, String what) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "A look-up returns %s to %s %s, but %s were requested".formatted(least, most, what, value));
        }
    }
}
