set local check_function_bodies = off;

-- The row also serves as a lock: everything that counts towards the limit of an account runs one after the other.
create table private.account_use (
  -- Deferred: while an account is deleted, its counts are updated several times before its own row is deleted. An immediate
  -- check would fail because the account no longer exists.
  account uuid primary key references auth.users on delete cascade deferrable initially deferred,
  stored bigint not null default 0,
  held bigint not null default 0,
  last_warning_percent smallint not null default 0
);
comment on table private.account_use is
  'Storage used by each account in bytes, updated in the transaction that adds, reserves or frees it.';
comment on column private.account_use.stored is 'Total size of its objects in storage.objects.';
comment on column private.account_use.held is 'Total announced size of its unfinished uploads.';
comment on column private.account_use.last_warning_percent is
  'The highest warning (75, 90 or 100 percent) since usage was last below; each is sent once.';

-- Measurements of downloadable files: an archive states them before the bytes of each file.
create table private.measured_files (
  object_id uuid not null references storage.objects on delete cascade,
  form text not null check (length(form) <= 20),
  version text not null,
  type text not null,
  size bigint check (size >= 0),
  crc32 bigint check (crc32 between 0 and 4294967295),
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  primary key (object_id, form),
  constraint measured_or_not check (num_nonnulls(size, crc32, sha256) in (0, 3))
);
comment on table private.measured_files is
  'Length and checksums of an object''s bytes and of its copies, so that none is read twice to compute them.';
comment on column private.measured_files.form is 'The original, a copy without private metadata, or a rendition.';
comment on column private.measured_files.version is
  'The version of the object when it was measured. A later version is a different file.';
comment on column private.measured_files.size is 'In bytes; null, like its checksums, if this form cannot be made.';

create table private.prepared_downloads (
  ticket_hash text primary key,
  caller jsonb not null,
  user_id uuid references auth.users on delete cascade,
  link_id uuid references share_links on delete cascade,
  manifest text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  link_state integer
);
comment on table private.prepared_downloads is
  'Archives that can be downloaded for a day: whose rights are checked at every use, and their contents. Only the server can read them.';
comment on column private.prepared_downloads.ticket_hash is
  'SHA-256 of the ticket in the URL, so that a copy of this table is useless.';
comment on column private.prepared_downloads.manifest is
  'Files and pages in order, as JSON. Every range of the archive is cut from the same list.';
comment on column private.prepared_downloads.link_state is
  'The link''s version without additions to its album when this was prepared. While it is unchanged, the link still opens everything. Null without a link.';
create index prepared_downloads_expires_at on private.prepared_downloads (expires_at);
create index prepared_downloads_user_id on private.prepared_downloads (user_id);
create index prepared_downloads_link_id on private.prepared_downloads (link_id);

create function private.payer_of(in_bucket text, object_name text) returns uuid
language sql stable security definer set search_path = '' as $$
  select m.user_id from public.memories m
  where in_bucket in ('media', 'posters') and object_name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/'
    and m.id = left(object_name, 36)::uuid
$$;
comment on function private.payer_of is
  'The account whose limit an object counts towards: the owner of its memory. Null if nobody''s.';

create function private.lock_account(wanted uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.account_use (account) values (wanted) on conflict do nothing;
  perform from private.account_use where account = wanted for update;
end
$$;
comment on function private.lock_account is 'Locks an account until the transaction ends.';

create function private.count_bytes(payer uuid, more_stored bigint, more_held bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  grows constant boolean := more_stored > 0 or more_held > 0;
  used private.account_use;
  room bigint;
begin
  -- Other transactions that add to this account wait until this one ends.
  update private.account_use set stored = stored + more_stored, held = held + more_held
  where account = payer returning * into used;
  -- The row of an account that is being deleted is gone, and no longer needed.
  if not grows then
    return;
  end if;
  if used.account is null then
    perform private.lock_account(payer);
    update private.account_use set stored = stored + more_stored, held = held + more_held
    where account = payer returning * into used;
  end if;
  select storage_bytes into room from private.limits_of(payer);
  if used.stored + used.held > room and used.held > 0 then
    perform storage.end_expired_uploads(payer);
    select * into used from private.account_use where account = payer;
  end if;
  if used.stored + used.held > room then
    raise exception 'There is not enough room left for this file' using errcode = 'PT507', hint = 'storage_full';
  end if;
end
$$;
comment on function private.count_bytes is
  'Adds to the byte counts of an account, or subtracts, and refuses an increase beyond the limit of its plan.';

-- Once for each statement: deleting two thousand photos with their memory is one update.
create function private.count_objects() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.count_bytes(payer, bytes, 0) from (
      select private.payer_of(bucket_id, name) as payer, sum((metadata ->> 'size')::bigint)::bigint as bytes
      from added group by 1 order by 1
    ) changes where payer is not null and bytes <> 0;
  elsif tg_op = 'DELETE' then
    perform private.count_bytes(payer, -bytes, 0) from (
      select private.payer_of(bucket_id, name) as payer, sum((metadata ->> 'size')::bigint)::bigint as bytes
      from gone group by 1 order by 1
    ) changes where payer is not null and bytes <> 0;
  else
    perform private.count_bytes(payer, bytes, 0) from (
      select payer, sum(bytes)::bigint as bytes from (
        select private.payer_of(bucket_id, name) as payer, -(metadata ->> 'size')::bigint as bytes from gone
        union all
        select private.payer_of(bucket_id, name), (metadata ->> 'size')::bigint from added
      ) both_sides group by 1 order by 1
    ) changes where payer is not null and bytes <> 0;
  end if;
  return null;
end
$$;
create trigger count_objects_added after insert on storage.objects referencing new table as added
  for each statement execute function private.count_objects();
create trigger count_objects_changed after update on storage.objects referencing old table as gone new table as added
  for each statement execute function private.count_objects();
create trigger count_objects_deleted after delete on storage.objects referencing old table as gone
  for each statement execute function private.count_objects();

create function private.hold_upload() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.account := private.payer_of(new.bucket_id, new.name);
  if new.account is not null then
    perform private.count_bytes(new.account, 0, new.size);
  end if;
  return new;
end
$$;
comment on function private.hold_upload is 'Reserves the announced size of a resumable upload from its start.';

create function private.release_upload() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.count_bytes(old.account, 0, -old.size);
  return null;
end
$$;
comment on function private.release_upload is
  'Releases the reservation of an upload that ended; if it succeeded, its object is counted in the same transaction.';

create function private.check_memories(owner uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.lock_account(owner);
  if (select count(*) from public.memories where user_id = owner and deleted_at is null) > (select max_memories from private.limits_of(owner)) then
    raise exception 'The plan holds no more memories' using errcode = 'PT402', hint = 'memory_limit';
  end if;
end
$$;
comment on function private.check_memories is
  'Refuses if an account has more memories than its plan allows. Drafts count; memories in the trash do not.';

create function private.limit_memories() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.check_memories(user_id) from (select distinct user_id from added order by 1) owners;
  return null;
end
$$;
-- Only new memories are limited. Existing ones are kept when a plan ends.
create trigger limit_memories after insert on memories referencing new table as added
  for each statement execute function private.limit_memories();

create function private.hand_over_use() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  stored_bytes bigint := coalesce((select sum((metadata ->> 'size')::bigint) from storage.objects
    where bucket_id in ('media', 'posters') and name like new.id || '/%'), 0);
  held_bytes bigint := 0;
begin
  if to_regclass('storage.uploads') is not null then
    with moved as (
      update storage.uploads set account = new.user_id where name like new.id || '/%' and finished_at is null returning size
    ) select coalesce(sum(size), 0) into held_bytes from moved;
  end if;
  perform private.count_bytes(old.user_id, -stored_bytes, -held_bytes);
  perform private.count_bytes(new.user_id, stored_bytes, held_bytes);
  perform private.check_memories(new.user_id);
  return null;
end
$$;
comment on function private.hand_over_use is
  'Moves the storage used by a memory to the account of its new owner, where there must be enough space.';
create trigger hand_over_use after update of user_id on memories for each row
  when (old.user_id is distinct from new.user_id) execute function private.hand_over_use();

create function storage_use() returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  plan record;
  used bigint := coalesce((select u.stored from private.account_use u where u.account = auth.uid()), 0);
begin
  if not private.has_required_aal() then
    raise exception 'This needs your second factor' using errcode = '42501';
  end if;
  select * into plan from private.limits_of(auth.uid());
  return jsonb_build_object('totalSize', used, 'maxStorage', plan.storage_bytes,
    'usagePercentage', round(used::numeric * 100 / plan.storage_bytes, 2));
end
$$;
comment on function storage_use is 'Used and available bytes of the signed-in person''s own memories, read from counters.';

create function storage_stats() returns jsonb language plpgsql stable security definer set search_path = '' as $$
begin
  return public.storage_use() || (
    with kept as (
      select x.id, x.memory_id, m.person_name as memory_name, x.type, x.size, x.object_name,
        x.poster_name, x.placeholder, x.width, x.height, x.duration, x.created_at
      from public.media x join public.memories m on m.id = x.memory_id
      where m.user_id = auth.uid() and m.deleted_at is null and x.moderation not in ('deleted', 'attached')
    ), largest as (
      select kept.*, d.mime_type, d.file_name
      from (select * from kept order by size desc, id limit 20) kept join public.media_details d on d.media_id = kept.id
    ), deleted as (
      select t.deleted_by is distinct from auth.uid() as by_others, case t.kind
        when 'memory' then (select coalesce(sum((o.metadata ->> 'size')::bigint), 0) from storage.objects o
          where o.bucket_id in ('media', 'posters') and o.name ~>=~ (m.id || '/') and o.name ~<~ (m.id || '0'))
        when 'media' then (select sum(x.size + coalesce((o.metadata ->> 'size')::bigint, 0)) from public.media x
          left join storage.objects o on o.bucket_id = 'posters' and o.name = x.poster_name where x.id = t.id or x.motion_of = t.id)
        else 0 end as bytes
      from public.trash t join public.memories m on m.id = t.memory_id
      where m.user_id = auth.uid() and (m.deleted_at is null or t.kind = 'memory')
    )
    select jsonb_build_object(
      'imageCount', (select count(*) from kept where type = 'image'),
      'videoCount', (select count(*) from kept where type = 'video'),
      'trash', (select jsonb_build_object('bytes', coalesce(sum(bytes), 0),
        'bytesOfOthers', coalesce(sum(bytes) filter (where by_others), 0), 'itemsOfOthers', count(*) filter (where by_others)) from deleted),
      'largest', (select coalesce(jsonb_agg(to_jsonb(l) order by l.size desc, l.id), '[]') from largest l)
    )
  );
end
$$;
comment on function storage_stats is
  'Storage used by the signed-in person''s own memories (Spec §3): bytes in total and in the trash, counts, and the twenty largest items. The trash is included only in the bytes.';

create function storage_by_memory(already integer default 0, most integer default 20)
returns table (memory_id uuid, name text, bytes bigint, items bigint)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.has_required_aal() then
    raise exception 'This needs your second factor' using errcode = '42501';
  end if;
  return query
    select m.id, m.person_name, (coalesce(kept.bytes, 0) + coalesce(posters.bytes, 0))::bigint, kept.items
    from public.memories m
    cross join lateral (select count(*) filter (where x.moderation <> 'attached') as items, sum(x.size) as bytes from public.media x
      where x.memory_id = m.id and x.moderation <> 'deleted') kept
    -- A range and not "like": the planner uses the index for a pattern that is not a constant only in this form.
    cross join lateral (
      select sum((o.metadata ->> 'size')::bigint) as bytes from storage.objects o
      where o.bucket_id = 'posters' and o.name ~>=~ (m.id || '/') and o.name ~<~ (m.id || '0')
        and not exists (select from public.media x where x.poster_name = o.name and x.moderation = 'deleted')
    ) posters
    where m.user_id = auth.uid() and m.deleted_at is null
    order by 3 desc, m.person_name, m.id
    offset already limit least(most, 100);
end
$$;
comment on function storage_by_memory is
  'Bytes and items of the signed-in person''s own memories, the largest first: at most 100 after an offset.';

revoke execute on all functions in schema private from public;
revoke execute on function storage_use, storage_stats, storage_by_memory from public, anon, authenticated;
grant execute on function storage_use, storage_stats, storage_by_memory to authenticated;

-- The hosted platform keeps uploads elsewhere; there, only objects are counted.
do $$
begin
  if to_regclass('storage.uploads') is not null then
    create trigger hold_upload before insert on storage.uploads
      for each row execute function private.hold_upload();
    create trigger release_finished_upload after update on storage.uploads for each row
      when (old.account is not null and old.finished_at is null and new.finished_at is not null)
      execute function private.release_upload();
    create trigger release_upload after delete on storage.uploads for each row
      when (old.account is not null and old.finished_at is null)
      execute function private.release_upload();
  end if;
end
$$;
