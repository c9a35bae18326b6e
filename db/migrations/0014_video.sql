-- Videos first: whoever does not say of what type a file will be is asked the least until its content tells.
update storage.buckets set file_size_limit = 2::bigint * 1024 * 1024 * 1024, allowed_mime_types =
  '{video/mp4,video/quicktime,video/webm,video/matroska,video/vnd.avi,video/mp2t,video/mpeg,video/x-ms-asf,image/jpeg,image/png,image/webp,image/gif,image/avif,image/tiff,image/heic,image/heif}'
where id = 'media';
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('posters', 'posters', false, 2 * 1024 * 1024, '{image/jpeg,image/webp}');

create function private.limit_images() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception 'File is too large' using errcode = 'PT413', hint = 'too_large';
end
$$;
comment on function private.limit_images is 'Refuses a photo for its size: the bucket''s own limit is that of videos.';
create trigger limit_images before insert on storage.objects for each row
  when (new.bucket_id = 'media' and new.metadata ->> 'mimetype' like 'image/%'
    and (new.metadata ->> 'size')::bigint > 50 * 1024 * 1024)
  execute function private.limit_images();

alter table media
  add column playback text check (playback in ('waiting', 'making', 'ready', 'unneeded', 'failed')),
  add column playback_progress real check (playback_progress between 0 and 1);
comment on column media.playback is
  'The copy of a video that plays everywhere: null where nobody makes one, ready, unneeded because the original is such a one, or failed.';
comment on column media.playback_progress is 'How much of that copy is made.';
create index media_poster_name on media (poster_name) where poster_name is not null;
create index media_unplayable on media (created_at) where type = 'video' and (playback is null or playback in ('waiting', 'making'));

create table private.playback_claims (
  media_id uuid primary key references media on delete cascade,
  attempts integer not null default 1,
  until timestamptz not null
);
comment on table private.playback_claims is
  'Claims on videos of which a copy is being made. One is renewed while the work goes on; attempts are bounded.';
alter table private.playback_claims enable row level security;

-- A video is ready as soon as it is stored: it waits only once it has a poster to be made small copies of.
create or replace function private.make_media() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  kind constant text := split_part(new.metadata ->> 'mimetype', '/', 1);
begin
  insert into public.media (id, memory_id, user_id, type, size, object_name, file_name, mime_type, width, height, duration,
    taken_at, content_hash, state)
  values (
    new.id, (storage.foldername(new.name))[1]::uuid, new.owner, kind,
    (new.metadata ->> 'size')::bigint, new.name, left(coalesce(new.user_metadata ->> 'filename', ''), 255),
    new.metadata ->> 'mimetype', (new.metadata ->> 'width')::integer, (new.metadata ->> 'height')::integer,
    (new.metadata ->> 'duration')::real, left(new.metadata ->> 'recorded', 19), new.metadata ->> 'sha256',
    case kind when 'video' then 'ready' else 'waiting' end
  );
  return null;
end
$$;

-- A poster belongs to the video whose name it bears, and goes with it.
create function private.follow_poster() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' and (tg_op = 'DELETE' or new.name <> old.name) then
    update public.media set poster_name = null, placeholder = null, colour = null, state = 'ready' where poster_name = old.name;
  end if;
  if tg_op <> 'DELETE' then
    update public.media set poster_name = new.name, state = 'waiting' where object_name = left(new.name, -4) and type = 'video';
    perform pg_notify('media_waiting', '');
  end if;
  return null;
end
$$;
comment on function private.follow_poster is 'Names a video''s poster in its row, which then waits for the poster''s small copies.';
create trigger follow_new_poster after insert or update of name, version on storage.objects
  for each row when (new.bucket_id = 'posters') execute function private.follow_poster();
create trigger follow_gone_poster after delete on storage.objects
  for each row when (old.bucket_id = 'posters') execute function private.follow_poster();

create function private.delete_poster() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from storage.objects where bucket_id = 'posters' and name = old.poster_name;
  return null;
end
$$;
create trigger delete_poster after delete on media
  for each row when (old.poster_name is not null) execute function private.delete_poster();

revoke execute on function private.limit_images, private.make_media, private.follow_poster, private.delete_poster from public;

create policy "posters of videos one may see" on storage.objects for select to anon, authenticated
  using (bucket_id = 'posters' and (exists (select from public.media m where m.poster_name = objects.name)
    -- While it follows its video to another memory, its row still tells where it was.
    or exists (select from public.media m where m.object_name = left(objects.name, -4) and objects.name like '%.jpg')));
create policy "posters of videos one keeps or added" on storage.objects for insert to authenticated
  with check (bucket_id = 'posters' and exists (select from public.media m
    where m.object_name = left(objects.name, -4) and objects.name like '%.jpg' and m.type = 'video'
      and (private.is_manager(m.memory_id) or m.id = any ((select private.added_media_ids())::uuid[]))));
-- Moved as its video is, and replaced by a better one.
create policy "posters of videos one keeps" on storage.objects for update to authenticated
  using (bucket_id = 'posters' and (exists (select from public.memories own where own.id = private.memory_of(name) and own.user_id = (select auth.uid()))
    or private.memory_of(name) = any ((select private.shared_memory_ids('manage'))::uuid[])))
  with check (bucket_id = 'posters' and exists (select from public.media m
    where m.object_name = left(objects.name, -4) and objects.name like '%.jpg' and m.type = 'video'
      and private.is_manager(m.memory_id)));
create policy "posters one keeps or added" on storage.objects for delete to authenticated
  using (bucket_id = 'posters' and exists (select from public.media m where m.poster_name = objects.name
    and (private.is_manager(m.memory_id) or m.id = any ((select private.added_media_ids())::uuid[]))));
