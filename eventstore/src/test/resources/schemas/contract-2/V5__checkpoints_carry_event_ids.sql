-- A position alone does not tell whether the store still holds the events that were seen: after a failover that lost commits,
-- or a restore, other events may have the same positions. The id of the event at the position does.
alter table projections add column last_event_id uuid;
comment on column projections.last_event_id is
    'Of the event at the position; if the store has another one there, its history was replaced. Null at position 0, and where an older version of the service has moved the checkpoint.';

update projections checkpoint
set last_event_id = event.id
from events event, store
where event.position = checkpoint.position
and store.incarnation = checkpoint.incarnation;

-- Older versions of the service, which may run beside this one, move a checkpoint and leave the id of the event before.
create function forget_event_id() returns trigger
    language plpgsql
as $$
begin
    new.last_event_id := null;
    return new;
end
$$;
comment on function forget_event_id is 'Keeps a checkpoint from naming the event of another position than its own.';

create trigger projections_moved_without_event_id
    before update of position on projections
    for each row
    when (
        new.position <> old.position
        and old.last_event_id is not null
        and new.last_event_id is not distinct from old.last_event_id
    )
    execute function forget_event_id();
