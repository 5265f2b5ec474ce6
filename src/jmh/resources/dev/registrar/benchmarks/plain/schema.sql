/*
 * Half of each page is kept free for updates, as in the service's own view of courses. There are no foreign keys: an
 * enrollment holds locks of both rows that it refers to, and a check of them would only cost time.
 */
create schema if not exists plain;

create table if not exists plain.courses (
    id text collate "C" not null,
    title text not null,
    capacity integer not null,
    enrolled integer not null default 0,
    waiting integer not null default 0,
    closed boolean not null default false,
    opens_at timestamptz,
    closes_at timestamptz,
    prerequisites text[] not null default '{}',
    constraint courses_pk primary key (id)
) with (fillfactor = 50);

create table if not exists plain.students (
    id text collate "C" not null,
    name text not null,
    email text not null,
    tier text,
    courses integer not null default 0,
    constraint students_pk primary key (id),
    constraint students_email_unique unique (email)
) with (fillfactor = 50);

create table if not exists plain.enrollments (
    course text collate "C" not null,
    student text collate "C" not null,
    enrolled_at timestamptz not null default now(),
    constraint enrollments_pk primary key (course, student)
);

-- The courses of a student.
create index if not exists enrollments_student on plain.enrollments (student);

create table if not exists plain.idempotency_keys (
    key text collate "C" not null,
    fingerprint text not null,
    used_at timestamptz not null default now(),
    constraint idempotency_keys_pk primary key (key)
);
