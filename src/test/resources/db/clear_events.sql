-- Empties the store and begins another incarnation. Only tests install it: nothing of the service can clear the store.
create or replace function ${schema}.clear_events() returns void
    language plpgsql
as $$
begin
    perform pg_advisory_xact_lock(1145258561, '${schema}.events'::regclass::oid::int);
    alter table ${schema}.events disable trigger events_are_append_only;
    alter table ${schema}.event_tags disable trigger event_tags_are_append_only;
    truncate ${schema}.events, ${schema}.event_tags, ${schema}.idempotency_keys;
    alter table ${schema}.events enable trigger events_are_append_only;
    alter table ${schema}.event_tags enable trigger event_tags_are_append_only;
    update ${schema}.store set incarnation = gen_random_uuid();
end
$$;
