-- All functions of contract 2 are there. Those of contract 1 stay until the next contract, where there are any.
update ${flyway:defaultSchema}.store
set
    oldest_contract = case when to_regproc('${flyway:defaultSchema}.append_events') is null then 2 else 1 end,
    newest_contract = 2;
