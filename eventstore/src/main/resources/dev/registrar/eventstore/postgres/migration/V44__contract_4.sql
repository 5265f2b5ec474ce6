-- All functions of contract 4 are there: those that end in 4, and those that end in 2 or 3 and are called by one of them or by the
-- service. What only contract 3 calls stays until the next contract. What only contract 2 calls is removed.
drop function if exists ${flyway:defaultSchema}.append_events_2;
drop function if exists ${flyway:defaultSchema}.check_conditions_2;
drop function if exists ${flyway:defaultSchema}.conflicts_2;
drop function if exists ${flyway:defaultSchema}.first_match_2;
drop function if exists ${flyway:defaultSchema}.matches_among_few_2;
drop function if exists ${flyway:defaultSchema}.positions_with_tags_2;
drop function if exists ${flyway:defaultSchema}.quick_matches_2;

update ${flyway:defaultSchema}.store
set
    oldest_contract = 3,
    newest_contract = 4;
