alter table memories drop constraint memories_media_order_check,
  add constraint memories_media_order_check check (media_order in ('taken', 'newest', 'added', 'arranged'));
comment on column memories.media_order is
  'How its photos and videos are ordered for everyone who opens it: as taken, from the newest back, as added, or by hand.';

-- Whoever was away for a moment reads what has changed since, and not two thousand rows.
alter table media add column updated_at timestamptz not null default now();
create index media_updated_at on media (memory_id, updated_at);
create trigger touch_updated_at before update on media for each row execute function private.touch_updated_at();

-- Positions are fractions, so that moving one photo among two thousand writes one row and tells of one change.
create function place_media(memory_id uuid, ids uuid[], before uuid default null)
returns void language plpgsql security definer set search_path = '' as $$
declare
  lower double precision;
  upper double precision;
  step double precision;
  many constant integer := cardinality(ids);
begin
  if not private.is_manager(place_media.memory_id) then
    raise exception 'This memory is not one of yours.' using errcode = 'PT404';
  end if;
  -- Two keepers who arrange at once do so one after the other.
  perform from public.memories m where m.id = place_media.memory_id for no key update;
  for attempt in 1..2 loop
    if before is null then
      select coalesce(max(m.position), 0) into lower from public.media m
        where m.memory_id = place_media.memory_id and m.id <> all (ids);
      upper := lower + many + 1;
    else
      select m.position into upper from public.media m
        where m.memory_id = place_media.memory_id and m.id = before and m.id <> all (ids);
      if upper is null then
        raise exception 'There is no arranged photo to put these before.' using errcode = 'PT409', hint = 'not_arranged';
      end if;
      select max(m.position) into lower from public.media m
        where m.memory_id = place_media.memory_id and m.position < upper and m.id <> all (ids);
      lower := coalesce(lower, upper - many - 1);
    end if;
    step := (upper - lower) / (many + 1);
    exit when step > 1e-6;
    -- No room is left between two numbers: everything is numbered anew, once.
    update public.media m set position = numbered.place
    from (select a.id, row_number() over (order by a.position) as place from public.media a
      where a.memory_id = place_media.memory_id and a.position is not null) as numbered
    where m.id = numbered.id;
  end loop;
  update public.media m set position = lower + step * wanted.place
  from unnest(ids) with ordinality as wanted (id, place)
  where m.id = wanted.id and m.memory_id = place_media.memory_id;
  update public.memories m set media_order = 'arranged' where m.id = place_media.memory_id and media_order <> 'arranged';
end
$$;
comment on function place_media is
  'Puts these photos and videos, in this order, before another one of the memory, or at its end. Only keepers can.';

create function remove_cover(memory_id uuid) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_manager(remove_cover.memory_id) then
    raise exception 'This memory is not one of yours.' using errcode = 'PT404';
  end if;
  update public.media m set is_cover = false where m.memory_id = remove_cover.memory_id and m.is_cover;
end
$$;
comment on function remove_cover is 'Gives a memory its own sky again in place of a cover; only its keepers can.';

revoke execute on function place_media, remove_cover from public, anon;
grant execute on function place_media, remove_cover to authenticated;

-- Moving to another memory is renaming the object, by the storage protocol's own call: bytes follow names there, and only
-- there, on every platform. The row beside the object follows in the same transaction.
create policy "media between memories one keeps" on storage.objects for update to authenticated
  using (bucket_id = 'media' and (exists (select from public.memories own where own.id = private.memory_of(name) and own.user_id = (select auth.uid()))
    or private.memory_of(name) = any ((select private.shared_memory_ids('manage'))::uuid[])))
  with check (bucket_id = 'media' and cardinality(storage.foldername(name)) = 1
    and private.is_manager(private.memory_of(name)));

create function private.follow_object() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.media m set object_name = new.name, memory_id = (storage.foldername(new.name))[1]::uuid,
    is_cover = m.is_cover and m.memory_id = (storage.foldername(new.name))[1]::uuid, position = null
  where m.id = new.id;
  return null;
end
$$;
create trigger follow_object after update of name on storage.objects
  for each row when (new.bucket_id = 'media' and new.name <> old.name) execute function private.follow_object();

create function private.keep_original() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception 'A stored photo or video is never written over.' using errcode = 'PT409', hint = 'Duplicate';
end
$$;
-- Whoever may move may update, and an upload in another's place would be an update too.
create trigger keep_original before update of version on storage.objects
  for each row when (old.bucket_id = 'media' and new.name = old.name and new.version <> old.version)
  execute function private.keep_original();
revoke execute on function private.follow_object, private.keep_original from public;
