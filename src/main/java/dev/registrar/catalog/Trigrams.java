package dev.registrar.catalog;

import dev.registrar.projection.Tables;

/**
 * The index that finds a text anywhere in a column. It needs PostgreSQL's extension pg_trgm: if the extension is not
 * installed, or may not be created or used, there is no index, and each search looks at all rows.
 */
final class Trigrams {
    /*
     * The extension may be in any schema; without a right to create it, an administrator creates it. Each search reads
     * the list of pending entries, so it is short; without the list, adding a text would take ten times as long.
     */
    private static final String INDEX = """
            do $$
            begin
                create extension if not exists pg_trgm with schema public;
                execute (
                    select format(
                        'create index if not exists %1$s_trigrams on ${schema}.%1$s'
                            ' using gin (%2$s %%I.gin_trgm_ops) with (gin_pending_list_limit = 256)',
                        nspname)
                    from pg_extension
                    join pg_namespace on pg_namespace.oid = extnamespace
                    where extname = 'pg_trgm'
                );
            exception
                when insufficient_privilege or feature_not_supported or undefined_file or invalid_schema_name then
                    raise notice 'no index of trigrams: %%', sqlerrm;
            end
            $$""";

    private Trigrams() {}

    /** Creates the index of a column, unless it exists or cannot be created. */
    static void index(Tables tables, String table, String column) {
        tables.sql(INDEX.formatted(table, column)).update();
    }
}
