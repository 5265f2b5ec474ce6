-- The tables of the event store. Flyway creates them in the schema that the setting registrar.store.schema names.

create table store (
    only_row boolean not null default true,
    incarnation uuid not null default gen_random_uuid(),
    constraint store_pk primary key (only_row),
    constraint store_has_one_row check (only_row)
);
comment on table store is 'What holds for the store as a whole.';
comment on column store.incarnation is 'Renewed when the store is cleared: what was remembered of it is void then.';
insert into store default values;

create table events (
    position bigint not null,
    recorded_at timestamptz not null,
    id uuid not null,
    type text collate "C" not null,
    tags text[] collate "C" not null,
    payload text not null,
    metadata text not null,
    constraint events_pk primary key (position),
    constraint events_position_is_positive check (position > 0)
);
comment on table events is 'Every event, in the order of commits. Rows are only ever appended.';
comment on column events.position is 'Gap-free and in commit order: drawn under the store''s lock, which is held to commit.';
comment on column events.payload is 'JSON as opaque text, so that it comes back byte for byte.';

create index events_type_position on events (type, position);

create table event_tags (
    tag text collate "C" not null,
    position bigint not null,
    type text collate "C" not null,
    constraint event_tags_pk primary key (tag, position) include (type)
);
comment on table event_tags is 'One row per event and tag, so that a query item is a probe of one index: tag = ? and position > ?.';
comment on column event_tags.type is 'The event''s type, carried in the index so that a probe need not look at the event.';

create table idempotency_keys (
    key text collate "C" not null,
    fingerprint text not null,
    first_position bigint not null,
    last_position bigint not null,
    recorded_at timestamptz not null,
    constraint idempotency_keys_pk primary key (key)
);
comment on table idempotency_keys is 'The positions that an append under a key was given, until the key expires.';

create index idempotency_keys_recorded_at on idempotency_keys (recorded_at);

create function refuse_change() returns trigger
    language plpgsql
as $$
begin
    raise exception 'Events are only ever appended: % of % is refused', lower(tg_op), tg_table_name
        using errcode = 'DCB02';
end
$$;
comment on function refuse_change is 'Keeps the log append-only, for the owner of the tables too.';

create trigger events_are_append_only
    before update or delete or truncate on events
    for each statement execute function refuse_change();

create trigger event_tags_are_append_only
    before update or delete or truncate on event_tags
    for each statement execute function refuse_change();
