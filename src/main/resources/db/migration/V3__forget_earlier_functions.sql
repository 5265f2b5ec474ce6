-- The functions that append are known by their parameters, too: those of an earlier release, which took others, are dropped
-- before the scripts that follow create today's.
do $$
declare
    earlier regprocedure;
begin
    for earlier in
        select known.oid
        from pg_proc known
        where known.pronamespace = '${flyway:defaultSchema}'::regnamespace
        and known.proname in ('append_event', 'append_events')
    loop
        execute format('drop function %s', earlier);
    end loop;
end
$$;
