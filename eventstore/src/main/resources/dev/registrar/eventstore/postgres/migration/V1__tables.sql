-- The tables of the event store. Flyway creates them in the schema that the setting registrar.store.schema names.

create table store (
    only_row boolean not null default true,
    incarnation uuid not null default gen_random_uuid(),
    constraint store_pk primary key (only_row),
    constraint store_has_one_row check (only_row)
);
comment on table store is 'What holds for the store as a whole.';
comment on column store.incarnation is 'Renewed when the store is cleared, so that instances discard what they have cached.';
insert into store default values;

-- The tables of events have no check constraints: PostgreSQL parses the expression of a check constraint at each insert. The
-- stored functions alone assign positions, from 1 on.
create table events (
    position bigint not null,
    recorded_at timestamptz not null,
    id uuid not null,
    size integer not null,
    type text collate "C" not null,
    tags text[] collate "C" not null,
    payload text not null,
    metadata text not null,
    actor text,
    original_time timestamptz,
    constraint events_pk primary key (position)
);
comment on table events is 'Every event, in the order of commits. Rows are only ever appended; the function erase_events alone overwrites what is personal in them, and retag_events alone adds tags.';
comment on column events.position is 'Gap-free and in commit order: assigned under the store''s lock, which is held until the commit.';
comment on column events.size is 'The size of the event in bytes, by which reads bound their pages: the result of the function event_size.';
comment on column events.payload is 'JSON as opaque text, so that it is returned byte for byte.';
comment on column events.actor is 'The actor that the caller of the store named, apart from the metadata of its clients: a JSON object with the texts issuer, subject, client and onBehalfOf, of which the last two may be absent. Null: unknown.';
comment on column events.original_time is 'When another store recorded the event first. Null: it was not imported, or with the same position and time.';

-- No query compares these columns, and statistics would keep samples of what was erased.
alter table events
    alter column payload set statistics 0,
    alter column metadata set statistics 0,
    alter column actor set statistics 0;

create index events_type_position on events (type, position);

create table event_tags (
    tag text collate "C" not null,
    position bigint not null,
    type text collate "C" not null,
    constraint event_tags_pk primary key (tag, position) include (type)
);
comment on table event_tags is 'One row for each tag of each event, so that a query item is a probe of one index: tag = ? and position > ?.';
comment on column event_tags.type is 'The event''s type, included in the index so that a probe need not read the event.';

-- Index-only scans skip the table where vacuum has marked a page all-visible: so vacuum runs soon after inserts.
alter table events set (autovacuum_vacuum_insert_threshold = 20000, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table event_tags set (autovacuum_vacuum_insert_threshold = 40000, autovacuum_vacuum_insert_scale_factor = 0.02);

create table idempotency_keys (
    key text collate "C" not null,
    fingerprint text not null,
    first_position bigint not null,
    last_position bigint not null,
    recorded_at timestamptz not null,
    constraint idempotency_keys_pk primary key (key)
);
comment on table idempotency_keys is 'The positions that an append under a key was given, until the key expires.';

-- As of payloads, no samples.
alter table idempotency_keys
    alter column key set statistics 0,
    alter column fingerprint set statistics 0;

create index idempotency_keys_recorded_at on idempotency_keys (recorded_at);

create table stored_states (
    key text collate "C" not null,
    version text collate "C" not null,
    position bigint not null,
    incarnation uuid not null,
    last_event_id uuid not null,
    events bigint not null,
    state text not null,
    stored_at timestamptz not null default now(),
    constraint stored_states_pk primary key (key)
);
alter table stored_states alter column state set statistics 0;
comment on table stored_states is 'The state of a fact, so that a fresh instance need not fold a long history from its first event. The table only saves time: it may be emptied at any time.';
comment on column stored_states.version is 'The version of the code that has folded the state, and a digest of its query. Other versions ignore the state.';
comment on column stored_states.position is 'With incarnation and last_event_id, the head up to which the state is folded.';
comment on column stored_states.events is 'The number of events that were folded.';

create table imported_ranges (
    history uuid not null,
    first_position bigint not null,
    last_position bigint not null,
    events bigint not null,
    digest text collate "C" not null,
    keeps_positions boolean not null,
    constraint imported_ranges_pk primary key (history, first_position)
);
comment on table imported_ranges is 'Where the events of imported histories are: an import that was interrupted continues, and one that is repeated adds nothing.';
comment on column imported_ranges.history is 'The id of the history''s first event.';
comment on column imported_ranges.events is 'How many events of the history are imported up to the end of this range.';
comment on column imported_ranges.digest is 'The digest of these events; erased: one of them was erased or given tags since.';
comment on column imported_ranges.keeps_positions is 'Whether the events have the positions and times that they had in the other store.';

create table erasures (
    number bigint not null,
    transaction xid8 not null,
    erased_at timestamptz not null,
    actor text not null,
    reason text not null,
    query text not null,
    events integer not null,
    constraint erasures_pk primary key (number)
);
comment on table erasures is 'Every call of the function erase_events that has changed events. Contains no personal data. Rows are only ever appended.';
comment on column erasures.number is 'Gap-free from 1 on: assigned under the store''s lock. An instance that reads a new number discards what it has cached.';
comment on column erasures.transaction is 'The transaction of the call. In it alone events may change.';
comment on column erasures.actor is 'The actor in the form of events.actor.';
comment on column erasures.query is 'A digest of the query that named the events.';
comment on column erasures.events is 'The number of events that were changed.';

create table retaggings (
    position bigint not null,
    event_id uuid not null,
    transaction xid8 not null,
    tagged_at timestamptz not null,
    actor text not null,
    reason text not null,
    query text not null,
    events integer not null,
    constraint retaggings_pk primary key (position)
);
comment on table retaggings is 'Every call of the function retag_events that has changed events. Rows are only ever appended.';
comment on column retaggings.position is 'That of the event which the call has appended.';
comment on column retaggings.event_id is 'The id of that event.';
comment on column retaggings.transaction is 'The transaction of the call. In it alone events may get tags.';
comment on column retaggings.actor is 'The actor in the form of events.actor.';
comment on column retaggings.query is 'A digest of the query that named the events.';
comment on column retaggings.events is 'The number of events that were given tags.';

create table tag_additions (
    position bigint not null,
    tag text collate "C" not null,
    first_event bigint not null,
    constraint tag_additions_pk primary key (position, tag)
);
create index tag_additions_by_tag on tag_additions (tag, position) include (first_event);
comment on table tag_additions is 'The tags that were added to stored events. What was read before the position, by a query that names the tag, lacks events.';
comment on column tag_additions.position is 'As of retaggings.';
comment on column tag_additions.first_event is 'The lowest position of an event that was given the tag.';

create table tag_secret (
    only_row boolean not null default true,
    check_value text not null,
    constraint tag_secret_pk primary key (only_row),
    constraint tag_secret_has_one_row check (only_row)
);
comment on table tag_secret is 'Made with the secret under which tags are made, so that an instance with another secret is refused. The secret itself is outside the database.';

create function refuse_change() returns trigger
    language plpgsql
as $$
begin
    raise exception 'Events are only ever appended: % of % is refused', lower(tg_op), tg_table_name
        using errcode = 'DCB02';
end
$$;
comment on function refuse_change is 'Keeps the log append-only, for the owner of the tables too.';

create function refuse_change_without_record() returns trigger
    language plpgsql
as $$
declare
    is_erasure boolean;
    is_retagging boolean;
begin
    -- A transaction of a restored database may have the id of an old one, but not its time.
    select last.transaction = pg_current_xact_id() and last.erased_at = now()
    into is_erasure
    from ${flyway:defaultSchema}.erasures last
    order by last.number desc
    limit 1;
    if not coalesce(is_erasure, false) and tg_op = 'UPDATE' then
        select last.transaction = pg_current_xact_id() and last.tagged_at = now()
        into is_retagging
        from ${flyway:defaultSchema}.retaggings last
        order by last.position desc
        limit 1;
    end if;
    if not coalesce(is_erasure, false) and not coalesce(is_retagging, false) then
        raise exception 'Events change only by an erasure or by added tags: % of % is refused', lower(tg_op), tg_table_name
            using errcode = 'DCB02';
    end if;
    if tg_op = 'DELETE' then
        return old;
    end if;
    if (new.position, new.id, new.type, new.recorded_at, new.original_time)
        is distinct from (old.position, old.id, old.type, old.recorded_at, old.original_time) then
        raise exception 'The position, the id, the type and the times of an event are kept'
            using errcode = 'DCB02';
    end if;
    if is_retagging and (
        (new.payload, new.metadata, new.actor) is distinct from (old.payload, old.metadata, old.actor)
        or not new.tags @> old.tags
    ) then
        raise exception 'Where tags are added, all else of an event is kept' using errcode = 'DCB02';
    end if;
    return new;
end
$$;
comment on function refuse_change_without_record is 'Lets events change only in a transaction that is recorded in erasures or retaggings, for the owner of the tables too.';

create trigger events_are_append_only
    before delete or truncate on events
    for each statement execute function refuse_change();

create trigger events_change_by_record
    before update on events
    for each row execute function refuse_change_without_record();

create trigger event_tags_are_append_only
    before update or truncate on event_tags
    for each statement execute function refuse_change();

create trigger event_tags_go_by_erasure
    before delete on event_tags
    for each row execute function refuse_change_without_record();

create trigger erasures_are_append_only
    before update or delete or truncate on erasures
    for each statement execute function refuse_change();

create trigger retaggings_are_append_only
    before update or delete or truncate on retaggings
    for each statement execute function refuse_change();

create trigger tag_additions_are_append_only
    before update or delete or truncate on tag_additions
    for each statement execute function refuse_change();

create trigger tag_secret_is_append_only
    before update or delete or truncate on tag_secret
    for each statement execute function refuse_change();

create table projections (
    name text collate "C" not null,
    build text collate "C" not null,
    version integer not null,
    incarnation uuid not null,
    position bigint not null,
    last_event_id uuid,
    retagging uuid,
    state text collate "C" not null default 'running',
    events bigint not null default 0,
    skipped bigint not null default 0,
    started_at timestamptz not null default now(),
    moved_at timestamptz not null default now(),
    error text,
    error_position bigint,
    failed_at timestamptz,
    lease_holder uuid,
    lease_until timestamptz,
    constraint projections_pk primary key (name, build),
    constraint projections_build_is_known check (build in ('live', 'next')),
    constraint projections_state_is_known check (state in ('running', 'paused', 'stopped')),
    constraint projections_version_is_positive check (version > 0),
    constraint projections_position_is_not_negative check (position >= 0),
    constraint projections_lease_is_whole check ((lease_holder is null) = (lease_until is null))
);
alter table projections alter column error set statistics 0;
comment on table projections is 'The checkpoint of each view, automation and relay. An instance locks the row before it moves the checkpoint.';
comment on column projections.build is 'live: the rows that are read; next: the rows of a rebuild, which will replace them.';
comment on column projections.version is 'The version of the code that made the rows. Other versions do not change them.';
comment on column projections.incarnation is 'The incarnation of the store that the position belongs to.';
comment on column projections.position is 'Every event up to this position was handled, in the transaction that wrote the resulting rows.';
comment on column projections.last_event_id is 'The id of the event at the position: if the store has another event there, its history was replaced, as by a failover that lost commits or by a restore. Null at position 0.';
comment on column projections.retagging is 'The event of the last retagging whose tags the handled events had: if a later one has added a tag that the query of a view names, the view starts again. Null: there was none.';
comment on column projections.state is 'running; paused by an operator; stopped by a failure, usually of an event that could not be handled.';
comment on column projections.lease_holder is 'The reaction of an automation, or the publication of a relay, that is carried out outside of any transaction. Null: none.';
comment on column projections.lease_until is 'Until when no other instance reacts. The instance of the reaction renews it.';
comment on column projections.events is 'The number of events handled since started_at.';

create table projection_skips (
    name text collate "C" not null,
    build text collate "C" not null,
    position bigint not null,
    error text not null,
    skipped_at timestamptz not null default now(),
    skipped_by text collate "C" not null,
    key text collate "C",
    settled text collate "C",
    settled_at timestamptz,
    settled_by text,
    constraint projection_skips_pk primary key (name, build, position),
    constraint projection_skips_of_a_projection foreign key (name, build)
        references projections (name, build) on update cascade on delete cascade,
    constraint projection_skips_by_is_known check (skipped_by in ('unreadable', 'setting', 'operator', 'parked')),
    constraint projection_skips_settled_is_known check (settled in ('retried', 'discarded')),
    constraint projection_skips_settled_is_whole check ((settled is null) = (settled_at is null))
);
alter table projection_skips alter column error set statistics 0;
comment on table projection_skips is 'Dead letters: events that a view or an automation could not handle and has skipped, or that a relay has parked.';
comment on column projection_skips.skipped_by is 'unreadable: the event cannot be read; setting: on-failure is skip; operator: an operator skipped it; parked: a relay could not publish it, or an earlier event of its key.';
comment on column projection_skips.key is 'The SHA-256, in hexadecimal digits, of the key of a parked event, whose later events wait; null if it has no key.';
comment on column projection_skips.settled is 'What an operator has done with the event since; null: nothing yet.';
comment on column projection_skips.settled_by is 'The operator: an actor, in the form of events.actor. Null: unknown.';

create index projection_skips_unsettled on projection_skips (name, build, key, position) where settled is null;
