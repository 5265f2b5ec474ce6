-- The idempotency keys among some that are remembered.
create function ${flyway:defaultSchema}.keys_in_use_3(
    keys text[],
    keys_expired_at timestamptz -- keys recorded up to then are forgotten
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
