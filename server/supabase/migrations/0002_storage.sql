-- The schema storage as on the hosted platform.
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
grant select, insert, update, delete on storage.buckets to anon, authenticated, service_role;
comment on table storage.buckets is 'A named space for objects, with its own limits.';

create table storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text not null references storage.buckets (id),
  name text not null,
  owner uuid,
  owner_id text,
  -- Identifies the bytes: every write creates a new version, so that bytes never change while they are read.
  version text not null unique,
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
grant select, insert, update, delete on storage.objects to anon, authenticated, service_role;
comment on table storage.objects is 'Stored files. The row policies protect the bytes, their renditions and their signed URLs.';

-- A file cannot be deleted in a transaction, so bytes exist longer than their row until a job removes them.
create table storage.discarded (
  version text primary key,
  bucket_id text not null,
  discarded_at timestamptz not null default now()
);
comment on table storage.discarded is 'Versions whose row was deleted and whose bytes are still to be removed.';

create function storage.discard_version() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' or new.version is distinct from old.version then
    insert into storage.discarded (version, bucket_id) values (old.version, old.bucket_id) on conflict do nothing;
    perform pg_notify('storage_discarded', '');
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

-- Resumable uploads. `id` identifies the partial file and becomes the version of the object, so that a restart can match
-- bytes to uploads.
create table storage.uploads (
  id text primary key,
  bucket_id text not null references storage.buckets (id) on delete cascade,
  name text not null,
  size bigint not null check (size >= 0),
  upsert boolean not null default false,
  -- As the client sent it, to be returned to the client.
  metadata jsonb not null default '{}',
  -- The claims of the uploader: the object is stored as them even after a restart.
  caller jsonb not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  account uuid
);
create index uploads_created_at on storage.uploads (created_at);
create index uploads_account on storage.uploads (account) where finished_at is null;
create index uploads_name on storage.uploads (bucket_id, name) where finished_at is null;
alter table storage.uploads enable row level security;
comment on table storage.uploads is 'Resumable uploads of the last day. Only the server can read them.';
comment on column storage.uploads.account is
  'The account whose limit its bytes are reserved from; null if they are not counted. Set by the product.';

create function storage.finish_upload() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update storage.uploads set finished_at = now() where id = new.version;
  return null;
end
$$;
-- In the transaction that stores the object: an upload is finished exactly if its row exists.
create trigger finish_upload after insert or update of version on storage.objects
  for each row execute function storage.finish_upload();

create function storage.store_object(
  new_id uuid, in_bucket text, object_name text, owned_by text, new_version text, facts jsonb, extras jsonb, may_replace boolean
) returns uuid language plpgsql set search_path = '' as $$
declare
  stored uuid := new_id;
begin
  if may_replace then
    insert into storage.objects as o (id, bucket_id, name, owner, owner_id, version, metadata, user_metadata)
    values (new_id, in_bucket, object_name, owned_by::uuid, owned_by, new_version, facts, extras)
    on conflict (bucket_id, name) do update set owner = excluded.owner, owner_id = excluded.owner_id,
      version = excluded.version, metadata = excluded.metadata, user_metadata = excluded.user_metadata, updated_at = now()
    returning o.id into stored;
  else
    -- Without RETURNING, because a caller who may add need not be able to read.
    insert into storage.objects (id, bucket_id, name, owner, owner_id, version, metadata, user_metadata)
    values (new_id, in_bucket, object_name, owned_by::uuid, owned_by, new_version, facts, extras);
  end if;
  return stored;
end
$$;
comment on function storage.store_object is
  'Inserts or updates an object''s row as the caller; the policies decide. Returns the id of the object.';

create function storage.precheck_object(
  new_id uuid, in_bucket text, object_name text, owned_by text, new_version text, facts jsonb, extras jsonb, may_replace boolean
) returns void language plpgsql set search_path = '' as $$
begin
  perform storage.store_object(new_id, in_bucket, object_name, owned_by, new_version, facts, extras, may_replace);
  raise exception using errcode = 'SR000';
exception when sqlstate 'SR000' then
  -- Leaving the block has rolled back the write and everything its triggers did.
  return;
end
$$;
comment on function storage.precheck_object is
  'Fails exactly as storage.store_object would and writes nothing, so that an upload is refused before its bytes are sent.';

-- A trigger may keep the row and hide it from its caller, who has deleted it all the same.
create function storage.remove_objects(in_bucket text, names text[]) returns setof storage.objects
language plpgsql set search_path = '' as $$
declare
  known constant storage.objects[] := array(
    select o from storage.objects o where o.bucket_id = in_bucket and o.name = any (names));
begin
  delete from storage.objects o where o.bucket_id = in_bucket and o.name = any (names);
  return query select k.* from unnest(known) k where not exists (select from storage.objects o where o.id = k.id);
end
$$;
comment on function storage.remove_objects is
  'Deletes as the caller; the policies decide. Returns the objects that the caller could see before and no longer sees.';

create function storage.end_expired_uploads(of_account uuid) returns void
language sql volatile security definer set search_path = '' as $$
  -- The cleanup job removes the partial files, as they belong to no upload.
  delete from storage.uploads
  where account = of_account and finished_at is null and created_at < now() - interval '24 hours'
$$;
comment on function storage.end_expired_uploads is
  'Deletes an account''s uploads that can no longer be resumed, without waiting for the cleanup job.';
revoke execute on function storage.end_expired_uploads from public;

create function storage.access_to(o storage.objects) returns text language sql stable set search_path = '' as $$
  select case when auth.role() = 'service_role' or o.owner_id = auth.uid()::text then 'original' else 'copy' end
$$;
comment on function storage.access_to is
  'What the caller may download of an object they can see: original (unchanged bytes), copy (without private metadata) or view (renditions only, no download). A product may replace it.';
revoke execute on function storage.access_to from public;
grant execute on function storage.access_to to anon, authenticated, service_role;
