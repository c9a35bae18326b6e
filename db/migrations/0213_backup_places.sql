-- Where the server has found or made its backups. A disk that is not mounted any more looks like an empty place.
create table private.backup_places (
  place text primary key,
  known_since timestamptz not null default now(),
  newest_at timestamptz
);
comment on table private.backup_places is 'The places of automatic backups, each with what was there last. The server makes none in a place that has lost them. Not part of a restored or moved installation.';
comment on column private.backup_places.place is 'An absolute folder, or s3://bucket/prefix.';
comment on column private.backup_places.known_since is 'When the first backup was tried there.';
comment on column private.backup_places.newest_at is 'When the newest backup there was begun. Null if there was none.';
alter table private.backup_places enable row level security;
