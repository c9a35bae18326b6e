-- The schema storage in the hosted platform's shape.
create schema storage;
grant usage on schema storage to anon, authenticated, service_role;

create table storage.buckets (
  id text primary key,
  name text not null unique,
  owner uuid,
  owner_id text,
  public boolean not null default false,
  avif_autodetection boolean not null default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
alter table storage.buckets enable row level security;
grant all on storage.buckets to anon, authenticated, service_role;
comment on table storage.buckets is 'A named space for objects, with its own limits.';

create table storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text not null references storage.buckets (id),
  name text not null,
  owner uuid,
  owner_id text,
  -- Names the bytes: every write makes a new version, so bytes never change under a reader.
  version text not null,
  metadata jsonb not null default '{}',
  user_metadata jsonb not null default '{}',
  path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_accessed_at timestamptz not null default now(),
  unique (bucket_id, name)
);
create index objects_name_prefix on storage.objects (bucket_id, name text_pattern_ops);
alter table storage.objects enable row level security;
grant all on storage.objects to anon, authenticated, service_role;
comment on table storage.objects is 'One stored file. Its row policies guard its bytes, its renditions and its signed URLs.';

-- Bytes outlive the row that named them until a job removes them: a file can not be deleted in a transaction.
create table storage.discarded (
  version text primary key,
  bucket_id text not null,
  discarded_at timestamptz not null default now()
);
comment on table storage.discarded is 'Versions whose row is gone and whose bytes are still to be removed.';

create function storage.discard_version() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' or new.version is distinct from old.version then
    insert into storage.discarded (version, bucket_id) values (old.version, old.bucket_id) on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger discard_version after update or delete on storage.objects
  for each row execute function storage.discard_version();

create function storage.foldername(name text) returns text[] language sql immutable set search_path = '' as $$
  select (string_to_array(name, '/'))[1 : cardinality(string_to_array(name, '/')) - 1]
$$;
create function storage.filename(name text) returns text language sql immutable set search_path = '' as $$
  select (string_to_array(name, '/'))[cardinality(string_to_array(name, '/'))]
$$;
create function storage.extension(name text) returns text language sql immutable set search_path = '' as $$
  select substring(storage.filename(name) from '\.([^.]*)$')
$$;
