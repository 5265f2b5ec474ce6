-- Takes the store's lock until the transaction ends, and answers with true. One writer at a time holds it, of all contracts:
-- so this function has no number, and another version of it would let two writers in.
--
-- The two numbers name this store among all users of advisory locks in the database.
create function ${flyway:defaultSchema}.lock_store() returns boolean
    language sql
    volatile -- the planner puts its text in the place of the call
as $$
    select pg_advisory_xact_lock(1145258561, '${flyway:defaultSchema}.events'::regclass::oid::int) is not null
$$;
