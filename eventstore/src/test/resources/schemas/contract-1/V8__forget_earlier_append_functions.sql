-- append_events takes other parameters than before. A function is known by its parameters, too, so the earlier one is dropped
-- here, before the script that follows creates today's.
do $$
declare
    earlier regprocedure;
begin
    for earlier in
        select known.oid
        from pg_proc known
        where known.pronamespace = '${flyway:defaultSchema}'::regnamespace
        and known.proname = 'append_events'
    loop
        execute format('drop function %s', earlier);
    end loop;
end
$$;
