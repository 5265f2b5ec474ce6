set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.lock_resources;

-- Takes the advisory locks of several resources, in the order given, until the transaction ends. The time-out is for all of them
-- together; when it expires, PostgreSQL raises lock_not_available (55P03).
--
-- Returns true, so that an append in the same statement can depend on the result and runs after the wait. As soon as the locks are
-- held, the function sends a notice with SQLSTATE 00DCB: an error without this notice before it is an error of the wait.
create function ${flyway:defaultSchema}.lock_resources(
    keys bigint[],
    milliseconds int
) returns boolean
    language plpgsql
    volatile
as $$
declare
    deadline timestamptz := clock_timestamp() + lock_resources.milliseconds * interval '1 millisecond';
    lock_timeout_before text := current_setting('lock_timeout');
    key bigint;
begin
    foreach key in array lock_resources.keys loop
        perform set_config(
            'lock_timeout',
            greatest(1, ceil(extract(epoch from deadline - clock_timestamp()) * 1000))::bigint::text,
            true
        );
        perform pg_advisory_xact_lock(key);
    end loop;
    perform set_config('lock_timeout', lock_timeout_before, true);
    raise notice 'Resource locks are held' using errcode = '00DCB';
    return true;
end
$$;
