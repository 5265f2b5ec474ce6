package dev.registrar.catalog;

import dev.registrar.projection.Tables;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The index that finds a text anywhere in a column. It needs PostgreSQL's extension pg_trgm: if the extension is not
 * installed, or may not be created or used, there is no index, and each search looks at all rows.
 */
final class Trigrams {
    private static final Logger LOG = LoggerFactory.getLogger(Trigrams.class);

    /*
     * The extension may be in any schema; without a right to create it, an administrator creates it. Each search reads
     * the list of pending entries, so it is short; without the list, adding a text would take ten times as long. Of two
     * stores that create the extension at the same time, one fails when the other one has committed it.
     */
    private static final String INDEX = """
            do $$
            begin
                begin
                    create extension if not exists pg_trgm with schema public;
                exception
                    when unique_violation or duplicate_object then
                        null;
                end;
                execute (
                    select format(
                        'create index if not exists {table}_trigrams on ${schema}.{table}'
                            ' using gin ({column} %I.gin_trgm_ops) with (gin_pending_list_limit = 256)',
                        nspname)
                    from pg_extension
                    join pg_namespace on pg_namespace.oid = extnamespace
                    where extname = 'pg_trgm'
                );
            exception
                when insufficient_privilege or feature_not_supported or undefined_file or invalid_schema_name then
                    perform set_config('registrar.no_trigrams', sqlerrm, true);
            end
            $$""";

    private Trigrams() {}

    /** Creates the index of a column, unless it exists or cannot be created, and logs whether there is one. */
    static void index(Tables tables, String table, String column) {
        tables.sql(INDEX.replace("{table}", table).replace("{column}", column)).update();
        String obstacle = tables.sql("select coalesce(current_setting('registrar.no_trigrams', true), '')")
                .query(String.class)
                .single();
        if (obstacle.isEmpty()) {
            LOG.info("An index of trigrams (pg_trgm) finds texts in {}.{}", tables.schema(), table);
        } else {
            LOG.info(
                    "No index finds texts in {}.{}, so searches take longer: no trigrams (pg_trgm), since {}",
                    tables.schema(),
                    table,
                    obstacle);
        }
    }
}
