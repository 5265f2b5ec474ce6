set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.lock_resources;

-- Takes the advisory locks of the resources of a group's requests until the transaction ends. Returns the numbers of the requests
-- that need a resource which another session holds or waits for. If two names have the same lock, their appends only wait for each
-- other.
--
-- With a time to wait, the function waits for all locks and returns none. All sessions wait in the order of the locks' keys, so no
-- two of them deadlock. When the time is over, PostgreSQL raises lock_not_available (55P03). As soon as the locks are held, the
-- function sends a notice with SQLSTATE 00DCB: an error without this notice before it is an error of the wait. A transaction that
-- holds the store's lock must not wait (DCB02).
create function ${flyway:defaultSchema}.lock_resources(
    -- one entry a resource of a request
    requests int[],
    names text[],
    milliseconds int -- to wait for all of them; null: the function does not wait
) returns int[]
    language plpgsql
    volatile
as $$
declare
    seed bigint := '${flyway:defaultSchema}.events'::regclass::oid::bigint; -- other schemas have other locks
    deadline timestamptz := clock_timestamp() + lock_resources.milliseconds * interval '1 millisecond';
    lock_timeout_before text := current_setting('lock_timeout');
    wanted bigint;
begin
    if lock_resources.milliseconds is null then
        return array(
            select resource.request
            from unnest(lock_resources.requests, lock_resources.names) resource (request, name)
            where not pg_try_advisory_xact_lock(hashtextextended(resource.name collate "C", seed))
        );
    end if;
    if exists (
        select
        from pg_locks lock
        where lock.pid = pg_backend_pid()
        and lock.locktype = 'advisory'
        and lock.granted
        and lock.classid = 1145258561 -- as in lock_store
        and lock.objid = '${flyway:defaultSchema}.events'::regclass
        and lock.objsubid = 2 -- of two numbers
    ) then
        raise exception 'Resource locks must be taken before the store''s lock' using errcode = 'DCB02';
    end if;
    foreach wanted in array array(
        select hashtextextended(resource.name collate "C", seed) as key
        from unnest(lock_resources.names) resource (name)
        order by key
    ) loop
        perform set_config(
            'lock_timeout',
            greatest(1, ceil(extract(epoch from deadline - clock_timestamp()) * 1000))::bigint::text,
            true
        );
        perform pg_advisory_xact_lock(wanted);
    end loop;
    perform set_config('lock_timeout', lock_timeout_before, true);
    raise notice 'Resource locks are held' using errcode = '00DCB';
    return '{}';
end
$$;
