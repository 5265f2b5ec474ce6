-- lock_resources answers with a value now, and a function's type cannot be replaced.
drop function if exists ${flyway:defaultSchema}.lock_resources(bigint[], int);
