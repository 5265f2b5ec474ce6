-- What writing and reading at full speed asks of the tables.

-- Executing a check constraint begins with parsing its stored expression, at every single insert. Positions are drawn by
-- the stored functions alone, from 1 on.
alter table events drop constraint events_position_is_positive;

-- Index-only scans skip the table where a page is marked all-visible, which only vacuum does: soon after the inserts, then.
alter table events set (autovacuum_vacuum_insert_threshold = 20000, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table event_tags set (autovacuum_vacuum_insert_threshold = 40000, autovacuum_vacuum_insert_scale_factor = 0.02);
