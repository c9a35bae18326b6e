alter table media
  add column caption text not null default '' check (length(caption) <= 2000),
  add column alt_text text not null default '' check (length(alt_text) <= 1000),
  add column position double precision,
  add column duration real check (duration >= 0),
  add column poster_name text,
  add column moderation text not null default 'shown' check (moderation in ('shown', 'held', 'hidden', 'deleted', 'attached'));
alter table media
  add column motion text check (motion in ('waiting', 'ready', 'failed')),
  add column motion_of uuid unique references media on delete cascade,
  add constraint attached_to_a_photo check (moderation <> 'attached' or motion_of is not null);
comment on column media.motion is
  'Of a photo that was recorded with a short video: whether the copy of it that plays is waiting to be made, ready, or failed. Null for all others.';
comment on column media.motion_of is
  'Of a video that was recorded with a photo: that photo. The video is in no list; it is deleted, restored and moved with the photo.';
comment on column media.alt_text is 'What is seen in it, for those who can not see it.';
comment on column media.position is 'Its place in the keepers'' own order; null while it has none, which comes after those that have.';
comment on column media.duration is 'Seconds of a video; null until known.';
comment on column media.poster_name is 'The object in the bucket posters that stands for a video before it plays.';
comment on column media.moderation is 'Shown to everyone, held until a keeper says yes, or hidden by one. Those two are seen by keepers and its adder alone. Deleted: in the trash, seen by nobody. Attached: the video of a photo, in no list of its own.';
alter table media_details add column content_hash text check (content_hash ~ '^[0-9a-f]{64}$');
comment on column media_details.content_hash is 'SHA-256 of the original in hex: the same file twice is known by it.';

create function private.added_media_ids() returns uuid[] language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(d.media_id), '{}') from public.media_details d
  where d.user_id = auth.uid() and d.memory_id = any (private.shared_memory_ids('contribute'))
$$;
comment on function private.added_media_ids is
  'What the caller added to memories of other people to which they may still add.';
revoke execute on function private.added_media_ids from public;
grant execute on function private.added_media_ids to anon, authenticated, service_role;

alter table memories
  add column cover_x real not null default 0.5 check (cover_x between 0 and 1),
  add column cover_y real not null default 0.5 check (cover_y between 0 and 1),
  add column media_order text not null default 'taken' check (media_order in ('taken', 'added', 'arranged'));
comment on column memories.cover_x is 'The point of the cover that is never cut off, as a share of its width from the left.';
comment on column memories.cover_y is 'The same from the top.';
comment on column memories.media_order is 'How its photos and videos are ordered for everyone who opens it.';
grant update (cover_x, cover_y, media_order) on memories to authenticated;

create or replace function private.make_media() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.media (id, memory_id, user_id, type, size, object_name, file_name, mime_type, width, height, duration, content_hash)
  values (
    new.id, (storage.foldername(new.name))[1]::uuid, new.owner, split_part(new.metadata ->> 'mimetype', '/', 1),
    (new.metadata ->> 'size')::bigint, new.name, left(coalesce(new.user_metadata ->> 'filename', ''), 255),
    new.metadata ->> 'mimetype', (new.metadata ->> 'width')::integer, (new.metadata ->> 'height')::integer,
    (new.metadata ->> 'duration')::real, new.metadata ->> 'sha256'
  );
  return null;
end
$$;

-- Only its managers and its adder see what is held, hidden or broken; the object below follows its row.
drop policy "whoever may see the memory" on media;
create policy "whoever may see the memory" on media for select to anon, authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[])
    or moderation = 'shown' and state <> 'broken' and memory_id = any ((select private.shared_memory_ids('view'))::uuid[])
    or id = any ((select private.added_media_ids())::uuid[]));
grant update (caption, alt_text) on media to authenticated;
create policy "its keepers and who added it" on media for update to anon, authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[])
    or id = any ((select private.added_media_ids())::uuid[]));

drop policy "media of memories one may see" on storage.objects;
drop policy "media into one's own memories" on storage.objects;
drop policy "media out of one's own memories" on storage.objects;
create function private.is_deleted_media(media_id uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from public.media m where m.id = media_id and m.moderation = 'deleted')
$$;
comment on function private.is_deleted_media is 'Whether a photo or video is in the trash, where no row policy shows it.';
revoke execute on function private.is_deleted_media from public;
grant execute on function private.is_deleted_media to anon, authenticated, service_role;
create policy "media that one may see" on storage.objects for select to anon, authenticated
  using (bucket_id = 'media' and (exists (select from public.media m where m.id = objects.id)
    -- Also while it is being written, before its row in media is.
    or owner = (select auth.uid()) and not private.is_deleted_media(id) and private.can_contribute(private.memory_of(name))));
create policy "media into memories one may add to" on storage.objects for insert to authenticated
  with check (bucket_id = 'media' and cardinality(storage.foldername(name)) = 1
    and private.can_contribute(private.memory_of(name)));
create policy "media one keeps or added" on storage.objects for delete to authenticated
  using (bucket_id = 'media' and (
    exists (select from public.memories own where own.id = private.memory_of(name) and own.user_id = (select auth.uid()))
    or private.memory_of(name) = any ((select private.shared_memory_ids('manage'))::uuid[])
    or owner = (select auth.uid()) and private.can_contribute(private.memory_of(name))));

-- Whose original it is: who added it, and who keeps the memory for the family. Everyone else has copies, or looks.
create function private.access_to_object(object storage.objects) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when auth.role() = 'service_role' or object.owner = auth.uid()
      or private.is_manager(private.memory_of(object.name)) then 'original'
    when auth.jwt() ? 'share' and not exists (select from private.open_link() where allows_download)
      and coalesce(private.member_role(private.memory_of(object.name)), '') not in ('contributor', 'viewer') then 'view'
    else 'copy'
  end
$$;
comment on function private.access_to_object is 'What of an object that the caller may see they get: its original, a cleaned copy, or only the sight of it.';
revoke execute on function private.access_to_object from public;
grant execute on function private.access_to_object to anon, authenticated, service_role;
-- The hosted platform serves its own bytes and has no such question.
do $$
begin
  if to_regprocedure('storage.access_to(storage.objects)') is not null then
    create or replace function storage.access_to(o storage.objects) returns text language sql stable set search_path = '' as
      'select private.access_to_object(o)';
  end if;
end
$$;

create or replace function set_cover(media_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  memory uuid := (select m.memory_id from public.media m
    where m.id = media_id and m.moderation not in ('deleted', 'attached') and private.is_manager(m.memory_id));
begin
  if memory is null then
    raise exception 'This photo is not in one of your memories.' using errcode = 'PT404';
  end if;
  update public.media set is_cover = false where memory_id = memory and is_cover and id <> media_id;
  update public.media set is_cover = true where id = media_id;
  -- Where the last cover mattered says nothing of this one.
  update public.memories set cover_x = 0.5, cover_y = 0.5 where id = memory and (cover_x, cover_y) <> (0.5, 0.5);
end
$$;
comment on function set_cover is 'Makes a photo the cover of its memory; only the memory''s keepers can.';

create function arrange_media(memory_id uuid, ids uuid[]) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_manager(arrange_media.memory_id) then
    raise exception 'This memory is not one of yours.' using errcode = 'PT404';
  end if;
  update public.media m set position = place
  from unnest(ids) with ordinality as wanted (id, place)
  where m.id = wanted.id and m.memory_id = arrange_media.memory_id and m.position is distinct from place;
  update public.memories m set media_order = 'arranged' where m.id = arrange_media.memory_id and media_order <> 'arranged';
end
$$;
comment on function arrange_media is
  'Gives a memory''s photos and videos the order of these ids, and shows them in it; those not named come after. Only keepers can.';
revoke execute on function arrange_media from public, anon;
grant execute on function arrange_media to authenticated;
