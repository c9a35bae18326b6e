set local check_function_bodies = off;

-- Videos first: where the type of a file is not given, the smallest limit applies until its content is known.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('media', 'media', false, 2::bigint * 1024 * 1024 * 1024,
    '{video/mp4,video/quicktime,video/webm,video/matroska,video/vnd.avi,video/mp2t,video/mpeg,video/x-ms-asf,image/jpeg,image/png,image/webp,image/gif,image/avif,image/tiff,image/heic,image/heif}'),
  ('posters', 'posters', false, 2 * 1024 * 1024, '{image/jpeg,image/webp}');

create table private.playback_claims (
  media_id uuid primary key references media on delete cascade,
  attempts integer not null default 1,
  until timestamptz not null
);
comment on table private.playback_claims is
  'Claims on videos of which a playable copy is being made. A claim is renewed during the work; the number of attempts is limited.';
alter table private.playback_claims enable row level security;

create table private.video_copies (
  media_id uuid primary key references media on delete cascade,
  attempts integer not null default 0,
  until timestamptz not null default '-infinity'
);
comment on table private.video_copies is
  'Videos whose streams are still to be copied into a file without private data. A worker claims a row until a time and deletes it when the copy is made.';
create index video_copies_until on private.video_copies (until);
alter table private.video_copies enable row level security;

-- File names of phones, messengers and screenshots: IMG_20240714_160509, PXL_…, VID-20240714-WA0001,
-- signal-2024-07-14-160509, WhatsApp Image 2024-07-14 at 16.05.09, photo_2024-07-14_16-05-09. The name of a scan contains the
-- day of the scan, which is ignored.
create function private.date_in_name(file_name text) returns text language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  parts constant text[] := regexp_match(file_name, '(?<!\d)((?:18|19|20)\d\d)([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?:'
    || '(?:[-_ T.]+(?:(?:at|um|alle|ore|om|kl) )?)?([01]\d|2[0-3]|\d(?=[-_.:]))([-_.:]?)([0-5]\d)\6([0-5]\d)(?:\d{3})?(?!\d)(?:[\s\u202F]?([AP])M)?'
    || '|(?!\d))');
  day constant text := parts[1] || '-' || parts[3] || '-' || parts[4];
  hour integer := parts[5]::integer;
begin
  if parts is null or file_name ~* '(^|[^a-z])(scan|scn|scansione|numeri[sz])' or private.date_span(day) is null then
    return null;
  end if;
  if hour is null then
    return day;
  end if;
  if parts[9] is not null then
    hour := hour % 12 + case parts[9] when 'P' then 12 else 0 end;
  end if;
  return day || 'T' || lpad(hour::text, 2, '0') || ':' || parts[7] || ':' || parts[8];
end
$$;
comment on function private.date_in_name is 'The date, and the time if there is one, in a file name; null without one.';

create function private.date_of_file(recorded text, exported text, file_name text, out taken_at text, out source text)
language plpgsql stable set search_path = '' as $$
declare
  latest constant text := private.date_order(to_char(now() at time zone 'utc' + interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS'));
begin
  for taken_at, source in values
    (left(recorded, 19), 'video'), (left(exported, 19), 'takeout'), (private.date_in_name(file_name), 'name')
  loop
    -- A clock that is ahead by more than a time zone was not set.
    if private.date_span(taken_at) is not null and private.date_order(taken_at) <= latest then
      return;
    end if;
  end loop;
  taken_at := null;
  source := null;
end
$$;
comment on function private.date_of_file is
  'When a file was taken, from what is known before its tags are read: the movie header, the export, or the file name.';

-- Deleting a memory deletes its stored objects; a job of the storage removes the bytes.
create function private.delete_memory_objects() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Ends unfinished uploads, and frees the space reserved for them while the owner is still known.
  if to_regclass('storage.uploads') is not null then
    delete from storage.uploads where name like old.id || '/%' and finished_at is null;
  end if;
  delete from storage.objects where bucket_id in ('media', 'posters') and name like old.id || '/%';
  return old;
end
$$;
create trigger t20_delete_memory_objects before delete on memories
  for each row execute function private.delete_memory_objects();

create function private.limit_images() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception 'File is too large' using errcode = 'PT413', hint = 'too_large';
end
$$;
comment on function private.limit_images is 'Refuses a photo that is too large. The limit of the bucket is that of videos.';
create trigger limit_images before insert on storage.objects for each row
  when (new.bucket_id = 'media' and new.metadata ->> 'mimetype' like 'image/%'
    and (new.metadata ->> 'size')::bigint > 50 * 1024 * 1024)
  execute function private.limit_images();

-- A poster belongs to the video whose name it has, and is deleted with it.
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
comment on function private.follow_poster is
  'Stores the name of a video''s poster in its row, which then waits for the renditions of the poster.';
create trigger follow_new_poster after insert or update of name, version on storage.objects
  for each row when (new.bucket_id = 'posters') execute function private.follow_poster();
create trigger follow_deleted_poster after delete on storage.objects
  for each row when (old.bucket_id = 'posters') execute function private.follow_poster();

create function private.delete_poster() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from storage.objects where bucket_id = 'posters' and name = old.poster_name;
  return null;
end
$$;
create trigger delete_poster after delete on media
  for each row when (old.poster_name is not null) execute function private.delete_poster();

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
-- Callers who may move an object may update it, and overwriting it would also be an update.
create trigger keep_original before update of version on storage.objects
  for each row when (old.bucket_id = 'media' and new.name = old.name and new.version <> old.version)
  execute function private.keep_original();

create function private.enqueue_video_copy() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into private.video_copies (media_id) values (new.id);
  perform pg_notify('video_stored', '');
  return null;
end
$$;
comment on function private.enqueue_video_copy is 'Enqueues a new video for copying its streams.';
create trigger enqueue_video_copy after insert on media for each row
  when (new.type = 'video') execute function private.enqueue_video_copy();

create function private.day_of(value text) returns text language sql immutable strict parallel safe set search_path = '' as $$
  select regexp_replace(value, 'T[0-9:]+', '')
$$;
comment on function private.day_of is 'An approximate time without its time of day.';

create function private.position_in_day(of_media uuid, memory uuid, exact text) returns double precision
language plpgsql volatile security definer set search_path = '' as $$
declare
  day constant text := private.day_of(exact);
  own constant text collate "C" := private.date_order(exact);
  earliest constant text collate "C" := private.date_order(day);
  latest constant text collate "C" := left(own, 10) || 'U';
  -- Wide enough for thousands of photos in between, because photos of one day arrive in any order.
  wide constant double precision := 1e9;
  near constant double precision := 1e5;
  before record;
  after record;
begin
  if exact is null or exact = day then
    return null;
  end if;
  -- Locks the day, so that of two uploads at once the second sees the first.
  perform pg_advisory_xact_lock(hashtextextended('media of a day ' || memory, 0));
  select m.time_order, m.created_at, d.taken_order into before from public.media_details d join public.media m on m.id = d.media_id
  where d.memory_id = memory and d.taken_order <= own and d.taken_order >= earliest and m.taken_at = day
    and m.time_order is not null and m.id <> of_media
  order by d.taken_order desc limit 1;
  if before.taken_order = own then
    return before.time_order;
  end if;
  select m.time_order, m.created_at into after from public.media_details d join public.media m on m.id = d.media_id
  where d.memory_id = memory and d.taken_order > own and d.taken_order < latest and m.taken_at = day
    and m.time_order is not null and m.id <> of_media
  order by d.taken_order limit 1;
  return case
    when before.time_order is null and after.time_order is null then 0
    when after.time_order is null then before.time_order + wide
    when before.time_order is null then after.time_order - wide
    -- Close to the one that was added last: the next one is likely to belong there, and needs space on the other side.
    when after.created_at > before.created_at then after.time_order - least(near, (after.time_order - before.time_order) / 2)
    else before.time_order + least(near, (after.time_order - before.time_order) / 2)
  end;
end
$$;
comment on function private.position_in_day is
  'The position of a photo with this time among those of its memory on the same day; null for a date without a time.';

create function private.separate_time_of_day() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  exact text := new.taken_at;
begin
  if tg_op = 'UPDATE' and new.memory_id <> old.memory_id then
    exact := coalesce((select d.taken_at from public.media_details d where d.media_id = new.id), exact);
  elsif tg_op = 'UPDATE' then
    update public.media_details d set taken_at = exact, taken_source = case
      when coalesce(auth.role(), '') not in ('anon', 'authenticated') or d.taken_at is not distinct from exact then d.taken_source
      when d.file_taken_at is not distinct from exact then d.file_taken_source
      else 'person' end
    where d.media_id = new.id;
  end if;
  new.taken_at := private.day_of(exact);
  new.time_order := private.position_in_day(new.id, new.memory_id, exact);
  return new;
end
$$;
comment on function private.separate_time_of_day is
  'Stores the time of day in media_details, and only the order of photos within a day in the row that visitors can read. Records whether a person set the date or restored the one in the file. A date that a person removed stays removed.';
create trigger t20_separate_time_of_day before insert or update of taken_at, memory_id on media
  for each row execute function private.separate_time_of_day();

create function set_media_dates(ids uuid[], dates text[]) returns setof uuid language sql volatile set search_path = '' as $$
  update public.media m set taken_at = wanted.taken_at
  from unnest(ids, dates) as wanted (id, taken_at) left join public.media_details d on d.media_id = wanted.id
  where m.id = wanted.id and coalesce(d.taken_at, m.taken_at) is distinct from wanted.taken_at
  returning m.id
$$;
comment on function set_media_dates is
  'Sets the dates of photos and videos, one for each id, and returns the ids of those that changed.';

-- Details of a photo as computed columns; null for callers who may not read them. They run as their caller, and the policy of
-- media_details decides.
create function user_id(media) returns uuid language sql stable set search_path = '' as $$
  select d.user_id from public.media_details d where d.media_id = $1.id
$$;

create function guest_id(media) returns uuid language sql stable set search_path = '' as $$
  select d.guest_id from public.media_details d where d.media_id = $1.id
$$;

create function file_name(media) returns text language sql stable set search_path = '' as $$
  select d.file_name from public.media_details d where d.media_id = $1.id
$$;

create function content_hash(media) returns text language sql stable set search_path = '' as $$
  select d.content_hash from public.media_details d where d.media_id = $1.id
$$;

create function taken_source(media) returns text language sql stable set search_path = '' as $$
  select d.taken_source from public.media_details d where d.media_id = $1.id
$$;

create policy "media: viewers read" on storage.objects for select to anon, authenticated
  using (bucket_id = 'media' and (exists (select from public.media m where m.id = objects.id)
    -- Also during the upload, before its row in media exists.
    or owner = (select auth.uid()) and not private.is_deleted_media(id) and private.can_contribute(private.memory_of(name))));
create policy "media: contributors add" on storage.objects for insert to authenticated
  with check (bucket_id = 'media' and cardinality(storage.foldername(name)) = 1
    and private.can_contribute(private.memory_of(name)));
create policy "media: managers and the person who added it delete" on storage.objects for delete to authenticated
  using (bucket_id = 'media' and (
    exists (select from public.memories own where own.id = private.memory_of(name) and own.user_id = (select auth.uid()))
    or private.memory_of(name) = any ((select private.shared_memory_ids('manage'))::uuid[])
    or owner = (select auth.uid()) and private.can_contribute(private.memory_of(name))));
create policy "posters: viewers read" on storage.objects for select to anon, authenticated
  using (bucket_id = 'posters' and (exists (select from public.media m where m.poster_name = objects.name)
    -- While it is being moved to another memory, its row still contains the old name.
    or exists (select from public.media m where m.object_name = left(objects.name, -4) and objects.name like '%.jpg')));
create policy "posters: managers and the person who added it add" on storage.objects for insert to authenticated
  with check (bucket_id = 'posters' and exists (select from public.media m
    where m.object_name = left(objects.name, -4) and objects.name like '%.jpg' and m.type = 'video'
      and (private.is_manager(m.memory_id) or m.id = any ((select private.added_media_ids())::uuid[]))));
-- For moving it with its video, and for replacing it by a better one.
create policy "posters: managers change" on storage.objects for update to authenticated
  using (bucket_id = 'posters' and (exists (select from public.memories own where own.id = private.memory_of(name) and own.user_id = (select auth.uid()))
    or private.memory_of(name) = any ((select private.shared_memory_ids('manage'))::uuid[])))
  with check (bucket_id = 'posters' and exists (select from public.media m
    where m.object_name = left(objects.name, -4) and objects.name like '%.jpg' and m.type = 'video'
      and private.is_manager(m.memory_id)));
create policy "posters: managers and the person who added it delete" on storage.objects for delete to authenticated
  using (bucket_id = 'posters' and exists (select from public.media m where m.poster_name = objects.name
    and (private.is_manager(m.memory_id) or m.id = any ((select private.added_media_ids())::uuid[]))));
-- Moving to another memory renames the object through the storage protocol, which moves the bytes on every platform. The row
-- in media follows in the same transaction.
create policy "media: managers move" on storage.objects for update to authenticated
  using (bucket_id = 'media' and (exists (select from public.memories own where own.id = private.memory_of(name) and own.user_id = (select auth.uid()))
    or private.memory_of(name) = any ((select private.shared_memory_ids('manage'))::uuid[])))
  with check (bucket_id = 'media' and cardinality(storage.foldername(name)) = 1
    and private.is_manager(private.memory_of(name)));
create policy "media: guest adds" on storage.objects for insert to anon
  with check (bucket_id = 'media' and (select private.guest_id()) is not null and owner is null and cardinality(storage.foldername(name)) = 1
    and private.can_contribute(private.memory_of(name)));
create policy "media: guest deletes own" on storage.objects for delete to anon
  using (bucket_id = 'media' and private.can_contribute(private.memory_of(name))
    and (select private.guest_id()) is not null and objects.id = any ((select private.added_media_ids())::uuid[]));
create policy "posters: guest adds" on storage.objects for insert to anon
  with check (bucket_id = 'posters' and (select private.guest_id()) is not null and exists (select from public.media m
    where m.object_name = left(objects.name, -4) and objects.name like '%.jpg' and m.type = 'video'
      and m.id = any ((select private.added_media_ids())::uuid[])));

revoke execute on all functions in schema private from public;
revoke execute on function user_id(media), guest_id(media), file_name(media), content_hash(media), taken_source(media)
  from public, anon, authenticated;
grant execute on function user_id(media), guest_id(media), file_name(media), content_hash(media), taken_source(media)
  to anon, authenticated;
revoke execute on function set_media_dates from public, anon, authenticated;
grant execute on function set_media_dates to anon, authenticated;
