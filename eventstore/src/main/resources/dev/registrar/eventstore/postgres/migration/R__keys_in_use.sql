set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.keys_in_use;

-- The given idempotency keys that are stored and have not expired.
create function ${flyway:defaultSchema}.keys_in_use(
    keys text[],
    keys_expired_at timestamptz -- keys recorded up to this time have expired
) returns table (key text)
    language sql
    stable -- the planner puts its text in the place of the call
as $$
    select given.key
    from unnest(keys) given (key)
    where ( -- not "exists", which the planner may answer with a hash of the whole table
        select true
        from ${flyway:defaultSchema}.idempotency_keys known
        where known.key = given.key
        and known.recorded_at > keys_expired_at
    )
$$;
