-- The database decides which bytes are removed. A tombstone in storage.discarded says that nothing names a version any
-- more; after a day storage.decide_removals looks again and writes the decision to storage.removed. From then on, no row
-- may name the version: a statement of a killed process may still wait for a lock.
create table storage.removed (
  -- Of the version. After its bytes are gone, nothing else is kept of it.
  digest bytea primary key,
  -- Null once the bytes are gone from the folder or bucket.
  version text,
  -- Empty if the bucket is not known.
  bucket_id text,
  removed_at timestamptz not null default now()
);
create index removed_not_cleared on storage.removed (version) where version is not null;
create index removed_by_age on storage.removed (removed_at);
comment on table storage.removed is
  'Versions whose bytes are removed or about to be, for a month. No object may get such a version.';
comment on table storage.discarded is 'Versions that nothing names, and whose bytes may be removed a day after `discarded_at`.';
create index discarded_by_age on storage.discarded (discarded_at);

-- One of 256 locks, so that a transaction that stores thousands of objects holds few of them.
create function storage.version_digest(version text) returns bytea language sql immutable set search_path = '' as $$
  select sha256(convert_to(version, 'UTF8'))
$$;

create function storage.version_lock(version text) returns integer language sql immutable set search_path = '' as $$
  select hashtext(version) & 255
$$;
comment on function storage.version_lock is
  'The advisory lock of a version, within 7545940: shared by transactions that store an object, exclusive while a removal is decided.';

create function storage.name_version() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and new.version = old.version then
    return new;
  end if;
  -- Held until the end of the transaction: nobody decides a removal in between.
  perform pg_advisory_xact_lock_shared(7545940, storage.version_lock(new.version));
  -- Only a later statement sees what was decided while this one waited.
  if exists (select from storage.removed r where r.digest = storage.version_digest(new.version)) then
    raise exception 'The bytes of this file were removed. Send it again.' using errcode = 'PT410', hint = 'gone';
  end if;
  delete from storage.discarded d where d.version = new.version;
  return new;
end
$$;
create trigger name_version before insert or update of version on storage.objects
  for each row execute function storage.name_version();

create or replace function storage.discard_version() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' or new.version is distinct from old.version then
    insert into storage.discarded as d (version, bucket_id) values (old.version, old.bucket_id)
    on conflict (version) do update set bucket_id = excluded.bucket_id, discarded_at = excluded.discarded_at;
    perform pg_notify('storage_discarded', '');
  end if;
  return null;
end
$$;

create function storage.discard_upload() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into storage.discarded (version, bucket_id, discarded_at) values (old.id, old.bucket_id, now() - interval '1 day')
  on conflict do nothing;
  perform pg_notify('storage_discarded', '');
  return null;
end
$$;
-- Such bytes were never an object, so nobody could restore them. They are due at once.
create trigger discard_upload after delete on storage.uploads
  for each row when (old.finished_at is null) execute function storage.discard_upload();

create function storage.decide_removals(many integer, as_of timestamptz, keeps_all boolean, only_of text[] default null)
returns table (version text, bucket_id text, is_removed boolean)
language plpgsql set search_path = '' as $$
declare
  tombstone storage.discarded;
begin
  if keeps_all then
    return;
  end if;
  for tombstone in
    select d.* from storage.discarded d where d.discarded_at <= as_of - interval '1 day' and (only_of is null or d.version = any (only_of))
    order by d.discarded_at limit many for update skip locked
  loop
    -- A transaction that stores this version is still open, so the answer is not yet known.
    continue when not pg_try_advisory_xact_lock(7545940, storage.version_lock(tombstone.version));
    is_removed := not exists (select from storage.objects o where o.version = tombstone.version)
      and not exists (select from storage.uploads u where u.id = tombstone.version and u.finished_at is null);
    if is_removed then
      insert into storage.removed (digest, version, bucket_id)
      values (storage.version_digest(tombstone.version), tombstone.version, tombstone.bucket_id)
      on conflict (digest) do update set version = excluded.version, bucket_id = excluded.bucket_id;
    end if;
    delete from storage.discarded d where d.version = tombstone.version;
    version := tombstone.version;
    bucket_id := tombstone.bucket_id;
    return next;
  end loop;
end
$$;
comment on function storage.decide_removals is
  'Looks again at up to `many` tombstones that are a day old, or at those of some versions, and removes the tombstones. Returns the versions, and whether their bytes may be removed.';
revoke execute on function storage.decide_removals from public;

create function storage.discard_unnamed(versions text[], bucket_ids text[], ages double precision[]) returns void
language sql volatile set search_path = '' as $$
  insert into storage.discarded as d (version, bucket_id, discarded_at)
  select u.version, max(u.bucket_id),
    now() - make_interval(secs => case when exists (select from storage.removed r where r.digest = storage.version_digest(u.version)) then 86400 else min(u.age) end)
  from unnest(versions, bucket_ids, ages) u (version, bucket_id, age)
  where not exists (select from storage.objects o where o.version = u.version)
    and not exists (select from storage.uploads p where p.id = u.version and p.finished_at is null)
  group by u.version
  on conflict (version) do update set bucket_id = excluded.bucket_id where d.bucket_id = '' and excluded.bucket_id <> ''
$$;
comment on function storage.discard_unnamed is
  'Adds tombstones, so many seconds old, for bytes that no object and no unfinished upload names. An existing tombstone keeps its date. Bytes that arrive after their removal are due at once.';
revoke execute on function storage.discard_unnamed from public;
