create table rooms (
    id text primary key,
    seats int not null
);

insert into rooms (id, seats)
values ('library', 12), ('studio', 4);
