set local check_function_bodies = off;

create table private.read_back (
  -- The only row.
  id boolean primary key default true check (id),
  last_read uuid not null default '00000000-0000-0000-0000-000000000000',
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  due_at timestamptz not null default now(),
  bytes_per_day double precision check (bytes_per_day > 0),
  measured_at timestamptz,
  stored_files bigint not null default 0,
  round_files bigint not null default 0,
  files bigint not null default 0,
  bytes double precision not null default 0,
  differences bigint not null default 0,
  mended bigint not null default 0
);
comment on table private.read_back is
  'The round in which all processes together read stored files again, in the order of their ids, and compare their checksums.';
comment on column private.read_back.last_read is 'The object that was read last. A killed process leaves it, so its file is read again.';
comment on column private.read_back.started_at is 'When this round began, or when it begins.';
comment on column private.read_back.finished_at is 'The end of the last complete round.';
comment on column private.read_back.due_at is 'When the next file may be read: each read file moves it by the time that its bytes may take.';
comment on column private.read_back.bytes_per_day is 'The speed of the round, calculated each day from the settings and from the size of all files.';
comment on column private.read_back.stored_files is 'The number of all files at that time.';
comment on column private.read_back.files is 'Files read since the first round; likewise `bytes`, `differences` and `mended`.';
alter table private.read_back enable row level security;

create table private.damaged_files (
  object_id uuid primary key references storage.objects on delete cascade,
  version text not null,
  kind text not null check (kind in ('other-bytes', 'other-length', 'missing', 'unreadable')),
  found_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  reason text check (length(reason) <= 500),
  lost_at timestamptz,
  told_at timestamptz
);
comment on table private.damaged_files is
  'Stored files whose bytes are not those that were uploaded, as two readings found. Deleted when the bytes are right again.';
comment on column private.damaged_files.version is 'The version of the bytes. A row about another version is outdated.';
comment on column private.damaged_files.next_at is 'When the file is read again, and its repair is tried again.';
comment on column private.damaged_files.reason is 'Why it could not be repaired yet.';
comment on column private.damaged_files.lost_at is 'When no intact copy was found for the first time; null while one may exist.';
comment on column private.damaged_files.told_at is 'When the owner of the memory was told. Nobody is told twice.';
create index damaged_files_next_at on private.damaged_files (next_at);
alter table private.damaged_files enable row level security;

create function desk_read_back() returns jsonb language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role('admin');
  return jsonb_build_object(
    'round', (
      select jsonb_build_object('started_at', r.started_at, 'finished_at', r.finished_at, 'bytes_per_day', r.bytes_per_day,
        'stored_files', r.stored_files, 'round_files', r.round_files, 'files', r.files, 'bytes', r.bytes,
        'differences', r.differences, 'mended', r.mended)
      from private.read_back r),
    'mending', (select count(*) from private.damaged_files d where d.lost_at is null),
    'lost', (select count(*) from private.damaged_files d where d.lost_at is not null),
    'files', (
      select coalesce(jsonb_agg(to_jsonb(l)), '[]') from (
        select d.object_id, d.kind, d.found_at, d.reason, d.lost_at, d.told_at, o.bucket_id as bucket, o.metadata ->> 'mimetype' as mime_type,
          (o.metadata ->> 'size')::bigint as size
        from private.damaged_files d join storage.objects o on o.id = d.object_id and o.version = d.version
        order by d.lost_at is null, d.found_at desc, d.object_id limit 50) l));
end
$$;
comment on function desk_read_back is
  'The round that reads stored files again, and the newest fifty damaged files: those without a copy first. Never a name or a memory. For administrators.';

create function retry_read_back(reason text default null) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  files integer;
begin
  perform private.require_role('admin');
  update private.damaged_files d set next_at = now();
  get diagnostics files = row_count;
  perform private.record_action('file.read_again', '', null, jsonb_build_object('files', files), reason);
  return files;
end
$$;
comment on function retry_read_back is
  'Has all damaged files read and repaired again, e.g. after a backup was connected. Returns their number. For administrators.';

revoke execute on function desk_read_back, retry_read_back from public, anon;
grant execute on function desk_read_back, retry_read_back to authenticated, service_role;
