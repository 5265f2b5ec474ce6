-- From here on the name of a stored function ends in the number of its contract. Migrations add functions and never replace
-- them; they remove those of the contract before last. So instances of two successive versions can use the schema at once.
--
-- The functions without a number are contract 1. Where an upgrade comes from before it (no check_conditions yet), what is left
-- of its functions is removed: versions that old cannot run beside this one.
do $$
begin
    if to_regproc('${flyway:defaultSchema}.check_conditions') is null then
        drop function if exists ${flyway:defaultSchema}.append_event;
        drop function if exists ${flyway:defaultSchema}.append_events;
        drop function if exists ${flyway:defaultSchema}.first_match;
        drop function if exists ${flyway:defaultSchema}.first_matches;
        drop function if exists ${flyway:defaultSchema}.items_perhaps_matched;
        drop function if exists ${flyway:defaultSchema}.lock_resources;
        drop function if exists ${flyway:defaultSchema}.lost_heads;
        drop function if exists ${flyway:defaultSchema}.positions_with_tags;
    end if;
end
$$;

alter table ${flyway:defaultSchema}.store
    add column oldest_contract int not null default 1,
    add column newest_contract int not null default 1,
    add constraint store_contracts_are_ordered check (oldest_contract <= newest_contract);
comment on column ${flyway:defaultSchema}.store.oldest_contract is 'The oldest contract whose stored functions are there. Versions that call older ones refuse to start.';
comment on column ${flyway:defaultSchema}.store.newest_contract is 'The newest contract whose stored functions are there. Versions that call newer ones ask for a migration.';
