-- Prepares a database that has a store for a service with a role of its own: one that has had a single role, or one that was
-- restored. Run it with psql in that database, as a superuser or as its owner, while no instance of the service runs. The role
-- registrar_service must exist. A repetition changes nothing.
\set ON_ERROR_STOP on

do $$
declare
    store_owner regrole := (select nspowner from pg_namespace where nspname = 'registrar');
    statement text;
begin
    perform set_config('search_path', '', true);
    if not pg_has_role(store_owner, 'registrar_service', 'member') then
        execute format('grant registrar_service to %s', store_owner);
    end if;
    execute format('revoke all on database %I from public', current_database());
    execute format('grant connect, create on database %I to registrar_service', current_database());
    execute format('alter database %I set search_path = ''''', current_database());

    -- The schemas of the views, then their tables: the new owner of a table must own its schema.
    for statement in
        with view_schemas as (
            select pg_namespace.oid, nspname
            from registrar.projections checkpoint
            join pg_namespace on nspname =
                'registrar_' || replace(checkpoint.name, '-', '_') || case checkpoint.build when 'next' then '_next' else '' end
        )
        select format('alter schema %I owner to registrar_service', nspname)
        from view_schemas
        union all
        select format('alter table %I.%I owner to registrar_service', nspname, relname)
        from view_schemas
        join pg_class on relnamespace = view_schemas.oid
        where relkind in ('r', 'p', 'v', 'm')
        order by 1
    loop
        execute statement;
    end loop;
end
$$;
