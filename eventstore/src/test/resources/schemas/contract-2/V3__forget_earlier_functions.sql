-- A function is known by its parameters, too. Before the first release the functions that append took others: those are
-- dropped here, before the scripts that follow create today's, so that no call can mean either.
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
