-- All functions of contract 3 are there: those that end in 3, and those that end in 2 and are called by one of them or by the
-- service. The others that end in 2 stay until the next contract. Those without a number, contract 1, are removed.
drop function if exists ${flyway:defaultSchema}.append_event;
drop function if exists ${flyway:defaultSchema}.append_events;
drop function if exists ${flyway:defaultSchema}.check_conditions;
drop function if exists ${flyway:defaultSchema}.first_match;
drop function if exists ${flyway:defaultSchema}.first_matches;
drop function if exists ${flyway:defaultSchema}.items_perhaps_matched;
drop function if exists ${flyway:defaultSchema}.lock_resources;
drop function if exists ${flyway:defaultSchema}.lost_heads;
drop function if exists ${flyway:defaultSchema}.matches_among_few;
drop function if exists ${flyway:defaultSchema}.positions_with_tags;
drop function if exists ${flyway:defaultSchema}.quick_matches;

update ${flyway:defaultSchema}.store
set
    oldest_contract = 2,
    newest_contract = 3;
