-- Takes the advisory locks of several resources, in the order given, until the transaction ends. The time to wait counts
-- for all of them together; when it is over, PostgreSQL raises lock_not_available (55P03).
create or replace function ${flyway:defaultSchema}.lock_resources(
    keys bigint[],
    milliseconds int
) returns void
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
end
$$;
