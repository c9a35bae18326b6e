set local check_function_bodies = off;

create table private.web_files (
  path text primary key check (path ~ '^assets/[A-Za-z0-9._/-]{1,200}$'),
  type text not null,
  encoding text check (encoding = 'br'),
  bytes bytea not null,
  left_at timestamptz
);
comment on table private.web_files is
  'The files that builds of the web app made. Open pages of an earlier build still load their parts from here after an upgrade.';
comment on column private.web_files.encoding is 'The encoding of the bytes; null if they are not compressed.';
comment on column private.web_files.left_at is 'When a process with another build started; null for the files of the newest one. Deleted after 30 days.';
-- The bytes are compressed already.
alter table private.web_files alter column bytes set storage external;
alter table private.web_files enable row level security;
