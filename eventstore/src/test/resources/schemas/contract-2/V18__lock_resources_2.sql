-- Takes the advisory locks of several resources, in the order given, until the transaction ends. The time to wait counts
-- for all of them together; when it is over, PostgreSQL raises lock_not_available (55P03).
--
-- Answers with true, so that an append in the same statement can depend on the answer and comes after the wait. Once the
-- locks are held a notice with SQLSTATE 00DCB says so at once: an error without a notice before it is one of the wait.
create function ${flyway:defaultSchema}.lock_resources_2(
    keys bigint[],
    milliseconds int
) returns boolean
    language plpgsql
    volatile
as $$
declare
    deadline timestamptz := clock_timestamp() + lock_resources_2.milliseconds * interval '1 millisecond';
    lock_timeout_before text := current_setting('lock_timeout');
    key bigint;
begin
    foreach key in array lock_resources_2.keys loop
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
