package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.postgres.connection.Database;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;

/** Counts how often names occur in a column that has an index. */
final class NameCounts {
    /*
     * Counts a bounded number of index entries for each name, and estimates the rest as PostgreSQL's planner does: by the
     * most common values, and the histogram of the others.
     */
    private static final String COUNTS = """
            with given (name, behind) as (
                select * from unnest(?::text[], ?::text[])
            ),
            common (value, frequency) as (
                select common.value, common.frequency
                from pg_stats statistics
                cross join lateral unnest(
                    statistics.most_common_vals::text::text[], statistics.most_common_freqs) common (value, frequency)
                where statistics.schemaname = '{schema}'
                and statistics.tablename = '{table}'
                and statistics.attname = '{column}'
            ),
            bounds (value) as (
                select unnest(statistics.histogram_bounds::text::text[])
                from pg_stats statistics
                where statistics.schemaname = '{schema}'
                and statistics.tablename = '{table}'
                and statistics.attname = '{column}'
            )
            select given.name,
                (
                    select count(*)
                    from (
                        select
                        from {schema}.{table} entry
                        where entry.{column} >= given.name
                        and entry.{column} < given.behind
                        limit ?
                    ) counted
                ),
                (select class.reltuples from pg_class class where class.oid = '{schema}.{table}'::regclass)
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
            from given""";

    private final Database database;
    private final String sql;

    NameCounts(Database database, String schema, String table, String column) {
        this.database = database;
        this.sql = COUNTS.replace("{schema}", schema).replace("{table}", table).replace("{column}", column);
    }

    /**
     * Counts the entries that begin at each name and end before the text behind it, in no order.
     *
     * @param behind for each name the first text that does not count for it
     */
    List<NameCount> of(List<String> names, List<String> behind) {
        return database.run(sql, statement -> {
            statement.setArray(1, statement.getConnection().createArrayOf("text", names.toArray()));
            statement.setArray(2, statement.getConnection().createArrayOf("text", behind.toArray()));
            statement.setInt(3, StoreExplorer.MOST_COUNTED + 1);
            try (ResultSet rows = statement.executeQuery()) {
                List<NameCount> counts = new ArrayList<>();
                while (rows.next()) {
                    long counted = rows.getLong(2);
                    long estimate = Math.round(rows.getDouble(3));
                    counts.add(new NameCount(
                            rows.getString(1),
                            counted,
                            counted > StoreExplorer.MOST_COUNTED && estimate > StoreExplorer.MOST_COUNTED
                                    ? estimate
                                    : null));
                }
                return counts;
            }
        });
    }
}
