package dev.registrar.projection;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The tables of views: those of each generation are in a database schema of their own. */
final class ViewTables {
    /** The longest name of a schema. */
    private static final int LONGEST_NAME = 63;

    private static final String NEXT = "-next";

    private final String schema;

    /** @param schema of the store */
    ViewTables(String schema) {
        this.schema = schema;
    }

    /** The schema of the tables of one generation of a view. */
    String schema(String name, Generation generation) {
        if (name.endsWith(NEXT)) {
            throw new IllegalArgumentException(
                    "A projection's name must not end with '%s' but is '%s'".formatted(NEXT, name));
        }
        String own = "%s_%s%s".formatted(schema, name.replace('-', '_'), generation == Generation.LIVE ? "" : "_next");
        if (own.length() > LONGEST_NAME) {
            throw new IllegalArgumentException(
                    "The schema name %s has more than %s characters: choose a shorter schema for the store (registrar.store.schema)"
                            .formatted(own, LONGEST_NAME));
        }
        return own;
    }

    /** The tables of a generation, in a transaction. */
    Tables of(JdbcClient jdbc, String name, Generation generation) {
        return new Tables(jdbc, schema(name, generation));
    }

    /**
     * Creates the tables of a generation, empty; the one that is read has all indexes from the start. It fails if the
     * schema exists already.
     */
    void create(JdbcClient jdbc, View view, Generation generation) {
        Tables tables = of(jdbc, view.name(), generation);
        jdbc.sql("create schema " + tables.schema()).update();
        view.create(tables);
        if (generation == Generation.LIVE) {
            view.index(tables);
        }
    }

    void drop(JdbcClient jdbc, String name, Generation generation) {
        jdbc.sql("drop schema if exists %s cascade".formatted(schema(name, generation)))
                .update();
    }

    /**
     * Empties the tables of a generation. What others have on them stays: privileges, and their SQL views.
     *
     * @return whether there was a table
     */
    boolean empty(JdbcClient jdbc, String name, Generation generation) {
        List<String> tables = jdbc.sql("""
                        select format('%s.%I', relnamespace::regnamespace, relname)
                        from pg_class
                        where relnamespace = to_regnamespace(?)
                        and relkind in ('r', 'p')""")
                .param(schema(name, generation))
                .query((row, number) -> row.getString(1))
                .list();
        if (tables.isEmpty()) {
            return false;
        }
        jdbc.sql("truncate %s restart identity".formatted(String.join(", ", tables)))
                .update();
        return true;
    }

    /** The SQL views, tables and functions of others that depend on the live tables, which a replacement would drop. */
    List<String> dependents(JdbcClient jdbc, String name) {
        return jdbc.sql("""
                        select distinct pg_describe_object(dependent.class, dependent.id, 0)
                        from pg_class
                        join pg_depend on (refclassid, refobjid) in (
                            ('pg_class'::regclass, pg_class.oid),
                            ('pg_type'::regclass, reltype)
                        )
                        cross join lateral (
                            select 'pg_class'::regclass, ev_class, relnamespace
                            from pg_rewrite
                            join pg_class on pg_class.oid = ev_class
                            where classid = 'pg_rewrite'::regclass
                            and pg_rewrite.oid = objid
                            union all
                            select 'pg_class'::regclass, conrelid, connamespace
                            from pg_constraint
                            where classid = 'pg_constraint'::regclass
                            and pg_constraint.oid = objid
                            union all
                            select 'pg_proc'::regclass, pg_proc.oid, pronamespace
                            from pg_proc
                            where classid = 'pg_proc'::regclass
                            and pg_proc.oid = objid
                        ) dependent (class, id, namespace)
                        where pg_class.relnamespace = to_regnamespace(?)
                        and dependent.namespace <> pg_class.relnamespace
                        order by 1""")
                .param(schema(name, Generation.LIVE))
                .query((row, number) -> row.getString(1))
                .list();
    }

    /** Replaces the live tables of a view by the next ones, with the privileges that others have on them. */
    void promote(JdbcClient jdbc, String name) {
        copyGrants(jdbc, name);
        drop(jdbc, name, Generation.LIVE);
        jdbc.sql("alter schema %s rename to %s".formatted(schema(name, Generation.NEXT), schema(name, Generation.LIVE)))
                .update();
    }

    /* Grants on a table, or on a column, that the next generation has no more end with it. */
    private void copyGrants(JdbcClient jdbc, String name) {
        String live = schema(name, Generation.LIVE);
        String next = schema(name, Generation.NEXT);
        jdbc.sql("""
                        with given as (
                            select privilege_type, 'schema ' || :next as object, grantee, is_grantable
                            from pg_namespace
                            cross join aclexplode(nspacl)
                            where nspname = :live
                            and grantee <> nspowner
                            union all
                            select privilege_type, kind || format('%I.%I', :next, relname), grantee, is_grantable
                            from pg_class own
                            cross join aclexplode(relacl)
                            cross join lateral (select case relkind when 'S' then 'sequence ' else 'table ' end) of_it (kind)
                            where relnamespace = to_regnamespace(:live)
                            and grantee <> relowner
                            and to_regclass(format('%I.%I', :next, relname)) is not null
                            union all
                            select
                                format('%s (%I)', privilege_type, attname),
                                format('table %I.%I', :next, relname),
                                grantee,
                                is_grantable
                            from pg_class
                            join pg_attribute granted on attrelid = pg_class.oid
                            cross join aclexplode(attacl)
                            where relnamespace = to_regnamespace(:live)
                            and grantee <> relowner
                            and exists (
                                select
                                from pg_attribute
                                where attrelid = to_regclass(format('%I.%I', :next, relname))
                                and attname = granted.attname
                            )
                        )
                        select format('grant %s on %s to %s', privilege_type, object, grantee_name)
                            || case when is_grantable then ' with grant option' else '' end
                        from given
                        cross join lateral (
                            select case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end
                        ) of_it (grantee_name)""")
                .param("live", live)
                .param("next", next)
                .query((row, number) -> row.getString(1))
                .list()
                .forEach(grant -> jdbc.sql(grant).update());
    }
}
