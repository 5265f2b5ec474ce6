-- Grants a role what the service needs, and nothing that changes or removes events. Run by the owner of the schema after
-- every migration, as tables may be new. Functions need no grant, since they run with the rights of their caller. The two
-- exceptions run with those of their owner: the role may call erase_events if erasure is true, and retag_events if
-- retagging is true.
do $$
declare
    foreign_views text;
begin
    -- Nothing but the system's own functions: the service may create schemas, and functions in them.
    perform set_config('search_path', '', true);
    perform pg_advisory_xact_lock(1145258562, hashtext('${schema}'));

    grant usage on schema ${schema} to "${role}";
    revoke create on schema ${schema} from "${role}";
    revoke all on
        ${schema}.events,
        ${schema}.event_tags,
        ${schema}.store,
        ${schema}.erasures,
        ${schema}.retaggings,
        ${schema}.tag_additions,
        ${schema}.tag_secret,
        ${schema}.idempotency_keys,
        ${schema}.stored_states,
        ${schema}.imported_ranges,
        ${schema}.projections,
        ${schema}.projection_skips
        from "${role}";
    grant select, insert on ${schema}.events, ${schema}.event_tags to "${role}";
    grant select on
        ${schema}.store,
        ${schema}.erasures,
        ${schema}.retaggings,
        ${schema}.tag_additions,
        ${schema}.imported_ranges
        to "${role}";
    grant select, insert on ${schema}.tag_secret to "${role}";
    revoke all on function ${schema}.erase_events from "${role}";
    if ${erasure} then
        grant execute on function ${schema}.erase_events to "${role}";
    end if;
    revoke all on function ${schema}.retag_events from "${role}";
    if ${retagging} then
        grant execute on function ${schema}.retag_events to "${role}";
    end if;
    grant select, insert, update, delete on
        ${schema}.idempotency_keys,
        ${schema}.stored_states,
        ${schema}.projections,
        ${schema}.projection_skips
        to "${role}";

    -- Each view has a schema of its own. Where another role owns the database, that role grants this.
    if exists (
        select
        from pg_database
        where datname = current_database()
        and pg_has_role(datdba, 'usage')
        and not has_database_privilege('${role}', oid, 'create')
    ) then
        execute format('grant create on database %I to "${role}"', current_database());
    end if;

    if exists (
        select
        from pg_class
        where oid in (
            '${schema}.events'::regclass,
            '${schema}.event_tags'::regclass,
            '${schema}.erasures'::regclass,
            '${schema}.retaggings'::regclass,
            '${schema}.tag_additions'::regclass
        )
        and (
            pg_has_role('${role}', relowner, 'member')
            or has_table_privilege('${role}', oid, 'update, delete, truncate, trigger')
            or has_any_column_privilege('${role}', oid, 'update')
            or has_schema_privilege('${role}', relnamespace, 'create')
        )
    ) then
        raise exception 'the role "${role}" may change events or the schema, as a superuser, as a member of the owner, or by a grant to another role'
            using errcode = 'DCB04';
    end if;

    select string_agg(distinct nspname, ', ' order by nspname)
    into foreign_views
    from ${schema}.projections checkpoint
    join pg_namespace on nspname =
        '${schema}_' || replace(checkpoint.name, '-', '_') || case checkpoint.build when 'next' then '_next' else '' end
    left join pg_class on relnamespace = pg_namespace.oid
    where not pg_has_role('${role}', nspowner, 'usage')
    or not pg_has_role('${role}', relowner, 'usage');
    if foreign_views is not null then
        raise exception 'the role "${role}" does not own the tables of the views, which are in the schemas %', foreign_views
            using errcode = 'DCB05';
    end if;
end
$$;
