set local check_function_bodies = off;
drop function if exists ${flyway:defaultSchema}.lock_store;

-- Takes the store's lock until the transaction ends, and returns true. One writer at a time holds it. The first number is of the
-- event store among all users of advisory locks in the database, the second one of this schema.
create function ${flyway:defaultSchema}.lock_store() returns boolean
    language sql
    volatile -- the planner puts its text in the place of the call
as $$
    select pg_advisory_xact_lock(1145258561, '${flyway:defaultSchema}.events'::regclass::oid::int) is not null
$$;
