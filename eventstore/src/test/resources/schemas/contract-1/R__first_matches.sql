-- append_events called this before long looks were left to check_conditions. Nothing calls it any more.
drop function if exists ${flyway:defaultSchema}.first_matches(
    bigint[], text[], text[], text[], text[], bigint[], bigint
);
