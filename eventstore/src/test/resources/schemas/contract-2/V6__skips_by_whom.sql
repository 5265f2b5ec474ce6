-- The default is for versions of the service that know only the setting, and may run beside this one.
alter table projection_skips
    add column skipped_by text collate "C" not null default 'setting',
    add constraint projection_skips_by_is_known check (skipped_by in ('unreadable', 'setting', 'operator'));
comment on table projection_skips is 'Events that a view or an automation could not handle and has left out.';
comment on column projection_skips.skipped_by is 'unreadable: the event cannot be read; setting: on-failure is skip; operator: somebody said so.';
