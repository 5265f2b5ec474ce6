create table projections (
    name text collate "C" not null,
    build text collate "C" not null,
    version integer not null,
    incarnation uuid not null,
    position bigint not null,
    state text collate "C" not null default 'running',
    events bigint not null default 0,
    skipped bigint not null default 0,
    started_at timestamptz not null default now(),
    moved_at timestamptz not null default now(),
    error text,
    error_position bigint,
    failed_at timestamptz,
    constraint projections_pk primary key (name, build),
    constraint projections_build_is_known check (build in ('live', 'next')),
    constraint projections_state_is_known check (state in ('running', 'paused', 'stopped')),
    constraint projections_version_is_positive check (version > 0),
    constraint projections_position_is_not_negative check (position >= 0)
);
comment on table projections is 'Where each view and each automation stands in the log. Whoever moves a row holds its lock.';
comment on column projections.build is 'live: what is read; next: what is built beside it and will take its place.';
comment on column projections.version is 'Of the code that made the rows. Other code leaves them alone.';
comment on column projections.incarnation is 'Of the store that the position is in.';
comment on column projections.position is 'Every event up to here has been seen, in the same transaction that wrote what follows from it.';
comment on column projections.state is 'running; paused by an operator; stopped by an event that could not be handled.';
comment on column projections.events is 'How many were handled since started_at.';

create table projection_skips (
    name text collate "C" not null,
    build text collate "C" not null,
    position bigint not null,
    error text not null,
    skipped_at timestamptz not null default now(),
    constraint projection_skips_pk primary key (name, build, position),
    constraint projection_skips_of_a_projection foreign key (name, build)
        references projections (name, build) on update cascade on delete cascade
);
comment on table projection_skips is 'Events that a view or an automation could not handle and has left out, as it was set to.';
