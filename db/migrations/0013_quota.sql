-- The row is also the lock by which everything that counts against one account takes turns.
create table private.account_use (
  account uuid primary key references auth.users on delete cascade,
  stored bigint not null default 0,
  held bigint not null default 0
);
comment on table private.account_use is
  'What each account takes up in bytes, written in the transaction that adds, holds or frees them.';
comment on column private.account_use.stored is 'The sum of its objects in storage.objects.';
comment on column private.account_use.held is 'What its unfinished uploads said they would be.';

create function private.payer_of(in_bucket text, object_name text) returns uuid
language sql stable security definer set search_path = '' as $$
  select m.user_id from public.memories m
  where in_bucket in ('media', 'posters') and object_name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/'
    and m.id = left(object_name, 36)::uuid
$$;
comment on function private.payer_of is
  'Against whose allowance an object counts: the owner of its memory, whoever adds it. Null for what nobody pays for.';

create function private.lock_account(wanted uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.account_use (account) values (wanted) on conflict do nothing;
  perform from private.account_use where account = wanted for update;
end
$$;
comment on function private.lock_account is 'Makes whoever else adds to this account wait until the transaction ends.';

create function private.count_bytes(payer uuid, more_stored bigint, more_held bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  grows constant boolean := more_stored > 0 or more_held > 0;
  used private.account_use;
  room bigint;
begin
  -- Whoever else adds to this account waits here until the transaction ends.
  update private.account_use set stored = stored + more_stored, held = held + more_held
  where account = payer returning * into used;
  -- An account that is just being deleted has no row any more, and needs none.
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
  'Counts bytes for an account, or less with negative numbers, and refuses what would take more than its plan allows.';

-- Once a statement: two thousand photos that go with their memory are one change of the count.
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
create trigger count_objects_gone after delete on storage.objects referencing old table as gone
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
comment on function private.hold_upload is 'Holds the room that a resumable upload says it will need, from its beginning on.';

create function private.release_upload() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.count_bytes(old.account, 0, -old.size);
  return null;
end
$$;
comment on function private.release_upload is
  'Lets go of what was held for an upload: it was given up, or its object counts from now on in the same transaction.';

-- The hosted platform keeps its uploads elsewhere and tells nobody of them: there, objects alone count.
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
    update storage.uploads set account = private.payer_of(bucket_id, name) where finished_at is null;
  end if;
end
$$;

create or replace function private.delete_memory_objects() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- What was still on its way has nowhere to go, and what was held for it is free while its owner is still known.
  if to_regclass('storage.uploads') is not null then
    delete from storage.uploads where name like old.id || '/%' and finished_at is null;
  end if;
  delete from storage.objects where bucket_id in ('media', 'posters') and name like old.id || '/%';
  return old;
end
$$;

create function private.check_memories(owner uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.lock_account(owner);
  if (select count(*) from public.memories where user_id = owner and deleted_at is null) > (select max_memories from private.limits_of(owner)) then
    raise exception 'The plan holds no more memories' using errcode = 'PT402', hint = 'memory_limit';
  end if;
end
$$;
comment on function private.check_memories is 'Refuses when an account has just got more memories, drafts included and those in the trash not, than its plan allows.';

create function private.limit_memories() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.check_memories(user_id) from (select distinct user_id from added order by 1) owners;
  return null;
end
$$;
-- Only for new ones: what is there already stays, whatever becomes of the plan.
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
comment on function private.hand_over_use is 'A memory that gets another owner takes what it takes up to their account, where there must be room.';
create trigger hand_over_use after update of user_id on memories for each row
  when (old.user_id is distinct from new.user_id) execute function private.hand_over_use();

insert into private.account_use (account, stored)
select payer, sum(bytes) from (
  select private.payer_of(bucket_id, name) as payer, (metadata ->> 'size')::bigint as bytes from storage.objects
) kept where payer is not null group by payer;
do $$
begin
  if to_regclass('storage.uploads') is not null then
    insert into private.account_use (account, held)
    select account, sum(size) from storage.uploads where account is not null and finished_at is null group by account
    on conflict (account) do update set held = excluded.held;
  end if;
end
$$;

create function storage_use() returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  plan record;
  used bigint := coalesce((select u.stored from private.account_use u where u.account = auth.uid()), 0);
begin
  if not private.fully_signed_in() then
    raise exception 'Your second step is still to be taken' using errcode = '42501';
  end if;
  select * into plan from private.limits_of(auth.uid());
  return jsonb_build_object('totalSize', used, 'maxStorage', plan.storage_bytes,
    'usagePercentage', round(used::numeric * 100 / plan.storage_bytes, 2));
end
$$;
comment on function storage_use is
  'How many bytes the signed-in person''s own memories take up, and how many they may: read from counters, however many photos there are.';

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
  'What the signed-in person''s own memories take up (Spec §3): bytes in all and in the trash, counts, and the twenty largest items. The trash is counted in the bytes alone.';

create function storage_by_memory(already integer default 0, most integer default 20)
returns table (memory_id uuid, name text, bytes bigint, items bigint)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.fully_signed_in() then
    raise exception 'Your second step is still to be taken' using errcode = '42501';
  end if;
  return query
    select m.id, m.person_name, (coalesce(kept.bytes, 0) + coalesce(posters.bytes, 0))::bigint, kept.items
    from public.memories m
    cross join lateral (select count(*) filter (where x.moderation <> 'attached') as items, sum(x.size) as bytes from public.media x
      where x.memory_id = m.id and x.moderation <> 'deleted') kept
    -- From one name to another, and not "like": only so a pattern that is no constant is looked up in the index.
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
  'Bytes and items of the signed-in person''s own memories, the largest first: at most a hundred of them, after so many.';

revoke execute on all functions in schema private from public;
revoke execute on function storage_use, storage_stats, storage_by_memory from public, anon;
grant execute on function storage_use, storage_stats, storage_by_memory to authenticated;
