package dev.registrar.projection;

import java.util.concurrent.TimeUnit;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The tables of a view in a search. A query that may look at many rows asks for this type, so that it runs only within
 * {@link ViewReader#search}. Each statement is planned for its own parameters, without parallel workers, and the server
 * ends it when the time of the search is over.
 */
public final class SearchedTables extends Tables {
    /** Applies to the statements that travel together with it. */
    static final String SETTINGS = """
            select set_config('statement_timeout', ?, true),
                set_config('plan_cache_mode', 'force_custom_plan', true),
                set_config('max_parallel_workers_per_gather', '0', true);
            """;

    private final long end;

    /** @param end of the search, as {@link System#nanoTime()} says it */
    SearchedTables(JdbcClient jdbc, String schema, String before, String after, long end) {
        super(jdbc, schema, SETTINGS + before, after);
        this.end = end;
    }

    @Override
    public JdbcClient.StatementSpec sql(String text) {
        // Zero would be no limit.
        long left = Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()));
        return super.sql(text).param(Long.toString(left));
    }
}
