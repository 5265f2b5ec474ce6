package dev.registrar.console.explorer;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.postgres.connection.Failures;
import dev.registrar.eventstore.postgres.connection.StoreConnections;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The names that the events of a store use, for people who explore it. Each look-up has a bound, however large the
 * store is. Safe for use by any number of threads.
 */
@Component
public final class StoreNames {
    /** Maximum number of names that a look-up returns. */
    static final int MOST = 200;

    /** Maximum number of uses of a name that are counted one by one. */
    public static final int MOST_COUNTED = 1_000;

    /*
     * Names are found by a loose index scan: each step descends the index to the first name after the previous one. So
     * the cost depends on the number of names that are returned, and neither on the events nor on the other names.
     */
    private static final String NAMES = """
            with recursive found (name, number) as (
                (
                    select entry.%2$s, 1
                    from %1$s entry
                    where entry.%2$s >= :beginning
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
                where found.number < :most
                and starts_with(found.name, :beginning)
            )
            select name
            from found
            where starts_with(name, :beginning)""";

    /* The name of a kind ends before its colon, and ';' is the character after ':'. */
    @SuppressWarnings("InlineFormatString") // statements stand before the code that sends them
    private static final String KINDS = """
            with recursive found (tag, number) as (
                (
                    select entry.tag, 1
                    from %1$s.event_tags entry
                    order by entry.tag, entry.position
                    limit 1
                )
                union all
                select next.tag, found.number + 1
                from found
                cross join lateral (
                    select entry.tag
                    from %1$s.event_tags entry
                    where entry.tag >= case
                        when strpos(found.tag, ':') > 0 then split_part(found.tag, ':', 1) || ';'
                        else found.tag || chr(1)
                    end
                    order by entry.tag, entry.position
                    limit 1
                ) next
                where found.number < :most
            )
            select case when strpos(tag, ':') > 0 then split_part(tag, ':', 1) || ':' else tag end
            from found""";

    /*
     * Counts a bounded number of index entries for each name, and estimates the rest as PostgreSQL's planner does: by the
     * most common values, and the histogram of the others.
     */
    private static final String COUNTS = """
            with given (name, behind) as (
                select * from unnest(:names::text[], :behind::text[])
            ),
            common (value, frequency) as (
                select common.value, common.frequency
                from pg_stats statistics
                cross join lateral unnest(
                    statistics.most_common_vals::text::text[], statistics.most_common_freqs) common (value, frequency)
                where statistics.schemaname = '%1$s'
                and statistics.tablename = '%2$s'
                and statistics.attname = '%3$s'
            ),
            bounds (value) as (
                select unnest(statistics.histogram_bounds::text::text[])
                from pg_stats statistics
                where statistics.schemaname = '%1$s'
                and statistics.tablename = '%2$s'
                and statistics.attname = '%3$s'
            )
            select given.name,
                (
                    select count(*)
                    from (
                        select
                        from %1$s.%2$s entry
                        where entry.%3$s >= given.name
                        and entry.%3$s < given.behind
                        limit :most
                    ) found
                ) as counted,
                (select class.reltuples from pg_class class where class.oid = '%1$s.%2$s'::regclass)
                * (
                    (
                        select coalesce(sum(common.frequency), 0)
                        from common
                        where common.value collate "C" >= given.name
                        and common.value collate "C" < given.behind
                    )
                    + (1 - (select coalesce(sum(common.frequency), 0) from common))
                    * (
                        select coalesce(avg(
                            case
                                when bounds.value collate "C" >= given.name and bounds.value collate "C" < given.behind
                                then 1 else 0
                            end), 0)
                        from bounds
                    )
                )
            as estimate
            from given""";

    /* The store's own settings, because the planner must not choose a plan that reads a whole table. */
    private static final String SETTINGS = StoreConnections.statementSettings().entrySet().stream()
            .map(setting -> "set_config('%s', '%s', true)".formatted(setting.getKey(), setting.getValue()))
            .collect(Collectors.joining(", ", "select set_config('statement_timeout', ?, true), ", ""));

    private final EventStore store;
    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final Duration timeout;
    private final String types;
    private final String tags;
    private final String kinds;
    private final String typeCounts;
    private final String tagCounts;

    StoreNames(EventStore store, DataSource connections, StoreOptions options) {
        this.store = store;
        this.jdbc = JdbcClient.create(connections);
        this.transactions = new TransactionTemplate(new JdbcTransactionManager(connections));
        this.timeout = options.statementTimeout();
        String schema = options.schema();
        this.types = NAMES.formatted(schema + ".events", "type");
        this.tags = NAMES.formatted(schema + ".event_tags", "tag");
        this.kinds = KINDS.formatted(schema);
        this.typeCounts = COUNTS.formatted(schema, "events", "type");
        this.tagCounts = COUNTS.formatted(schema, "event_tags", "tag");
    }

    /**
     * The first event types that begin with a text, in the order of their characters.
     *
     * @param most the maximum number of types, 1 to {@value #MOST}
     * @throws RefusedInputException if no type can begin with the text
     */
    List<String> types(String beginning, int most) {
        if (!beginning.isEmpty()) {
            store.limits().check(Query.of(QueryItem.types(beginning)));
        }
        return names(types, beginning, most);
    }

    /**
     * The first tags that begin with a text, in the order of their characters.
     *
     * @param most the maximum number of tags, 1 to {@value #MOST}
     * @throws RefusedInputException if no tag can begin with the text
     */
    List<String> tags(String beginning, int most) {
        if (!beginning.isEmpty()) {
            store.limits().check(Query.of(QueryItem.tags(beginning)));
        }
        return names(tags, beginning, most);
    }

    /**
     * The first kinds of tags: the part of a tag up to its first colon, and tags without a colon as they are.
     *
     * @param most the maximum number of kinds, 1 to {@value #MOST}
     */
    List<String> kindsOfTags(int most) {
        return names(kinds, "", most);
    }

    private List<String> names(String sql, String beginning, int most) {
        if (most < 1 || most > MOST) {
            throw new IllegalArgumentException(
                    "A look-up returns 1 to %s names, but %s were requested".formatted(MOST, most));
        }
        return lookUp(
                sql,
                statement -> statement
                        .param("beginning", beginning)
                        .param("most", most)
                        .query(String.class)
                        .list());
    }

    private <T> List<T> lookUp(String sql, Function<JdbcClient.StatementSpec, List<T>> rows) {
        try {
            return transactions.execute(transaction -> {
                long most = Math.max(1, Deadline.left(timeout).toMillis());
                jdbc.sql(SETTINGS).param(most + "ms").query(row -> {});
                return rows.apply(jdbc.sql(sql));
            });
        } catch (DataAccessException | TransactionException failure) {
            throw switch (failure.getCause()) {
                case SQLTransientConnectionException none -> Failures.noConnection(none);
                case SQLException reported -> Failures.read(reported);
                case null, default -> failure;
            };
        }
    }

    /**
     * How often events have a type or a kind of tags.
     *
     * @param name the type, or the kind as {@link #kindsOfTags} has it
     * @param counted the number that was counted, at most {@link #MOST_COUNTED} + 1
     * @param estimate the number by PostgreSQL's statistics; null if the count is exact, or if there are no statistics
     *     yet
     */
    public record NameCount(
            String name, long counted, @Nullable Long estimate) {
        /** Whether all were counted. */
        public boolean isExact() {
            return counted <= MOST_COUNTED;
        }
    }

    /**
     * How many events have each of the first types, in no order. Reads at most {@value #MOST_COUNTED} index entries of
     * each type and one more, however many events there are.
     *
     * @param most the maximum number of types, 1 to {@value #MOST}
     */
    public List<NameCount> countTypes(int most) {
        List<String> names = types("", most);
        return counts(typeCounts, names, names.stream().map(StoreNames::behind).toList());
    }

    /**
     * How many tags of events are of each of the first kinds, in no order; an event with two tags of a kind counts
     * twice. Reads as much as {@link #countTypes}.
     *
     * @param most the maximum number of kinds, 1 to {@value #MOST}
     */
    public List<NameCount> countKindsOfTags(int most) {
        List<String> names = kindsOfTags(most);
        return counts(
                tagCounts,
                names,
                names.stream()
                        .map(name -> name.endsWith(":") ? name.substring(0, name.length() - 1) + ";" : behind(name))
                        .toList());
    }

    /* No other name is between this one and the result. */
    private static String behind(String name) {
        return name + '\u0001';
    }

    /* Counts the entries that begin at each name and end before the text behind it. */
    private List<NameCount> counts(String sql, List<String> names, List<String> behind) {
        return lookUp(
                sql,
                statement -> statement
                        .param("names", names.toArray(String[]::new))
                        .param("behind", behind.toArray(String[]::new))
                        .param("most", MOST_COUNTED + 1)
                        .query((row, number) -> {
                            long counted = row.getLong("counted");
                            long estimate = Math.round(row.getDouble("estimate"));
                            return new NameCount(
                                    row.getString("name"),
                                    counted,
                                    counted > MOST_COUNTED && estimate > MOST_COUNTED ? estimate : null);
                        })
                        .list());
    }
}
