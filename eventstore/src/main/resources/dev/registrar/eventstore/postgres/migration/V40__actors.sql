-- Instances of the previous contract leave the column out: their events have no actor. Adding a nullable column without a
-- default changes no row.
alter table ${flyway:defaultSchema}.events add column actor text;
comment on column ${flyway:defaultSchema}.events.actor is 'The actor that the caller of the store named, apart from the metadata of its clients: a JSON object with the texts issuer, subject, client and onBehalfOf, of which the last two may be absent. Null: unknown.';
