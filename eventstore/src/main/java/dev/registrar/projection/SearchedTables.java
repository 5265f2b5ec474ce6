package dev.registrar.projection;

import dev.registrar.eventstore.Permits;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The tables of a view in a search. A query that may look at many rows asks for this type, so that it runs only within
 * {@link ViewReader#search}. Before the first statement, the search waits for its turn. Each statement is planned for
 * its own parameters, without parallel workers, and the server ends it when the time of the search is over.
 */
public final class SearchedTables extends Tables {
    private static final String SETTINGS = """
            set_config('statement_timeout', '{milliseconds}', true),
                set_config('plan_cache_mode', 'force_custom_plan', true),
                set_config('max_parallel_workers_per_gather', '0', true)""";

    /** Time-outs are multiples of this, so that searches share prepared statements. */
    private static final long STEP_MILLIS = 10;

    private final LookUp lookUp;
    private final Permits searches;
    private final long end;
    private boolean hasTurn;

    /** @param end of the search, as {@link System#nanoTime()} says it */
    SearchedTables(LookUp lookUp, String schema, Permits searches, long end) {
        super(JdbcClient.create(lookUp), schema);
        this.lookUp = lookUp;
        this.searches = searches;
        this.end = end;
    }

    /**
     * The tables without the bounds and settings of a search, for a query that reads hardly more rows than it returns,
     * because an index has them in their order.
     */
    public Tables inOrderOfIndex() {
        return lookUp.tables(schema());
    }

    @Override
    public JdbcClient.StatementSpec sql(String text) {
        if (!hasTurn) {
            searches.acquire(1, Duration.ofNanos(end - System.nanoTime()));
            hasTurn = true;
        }
        long steps = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()) / STEP_MILLIS;
        // In the text, since the parameters are those of the query. Zero would be no limit.
        return lookUp.tables(
                        schema(),
                        SETTINGS.replace("{milliseconds}", Long.toString(STEP_MILLIS * (1 + Math.max(0, steps)))))
                .sql(text);
    }

    /** Ends the turn of the search. */
    void release() {
        if (hasTurn) {
            searches.release(1);
        }
    }
}
