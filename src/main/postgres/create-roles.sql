-- Creates the database of a service and its two roles. Run it once, with psql as a superuser of the server; Docker Compose does
-- so at its first start. The environment has the passwords.
\set ON_ERROR_STOP on
\getenv owner_password REGISTRAR_OWNER_PASSWORD
\getenv service_password REGISTRAR_SERVICE_PASSWORD

create role registrar_owner login password :'owner_password';
create role registrar_service login password :'service_password';
-- The tables of the views belong to the service. So the owner can dump and restore them, too.
grant registrar_service to registrar_owner;

create database registrar owner registrar_owner;
revoke all on database registrar from public;
grant connect, create on database registrar to registrar_service;
-- The service may create schemas with functions. No statement of another role finds them by an unqualified name.
alter database registrar set search_path = '';
