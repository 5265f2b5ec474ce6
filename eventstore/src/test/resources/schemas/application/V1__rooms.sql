create table rooms (name text primary key);
