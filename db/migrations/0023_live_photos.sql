-- A photo and the short video that was recorded with it are one item. The photo is that item; a video that came as a file of
-- its own stays as it came, attached to the photo.
create index media_details_content_identifier on media_details (memory_id, content_identifier) where content_identifier is not null;

create function private.name_stem(file_name text) returns text language sql immutable strict parallel safe set search_path = '' as $$
  select nullif(lower(regexp_replace(file_name, '\.[^.]*$', '')), '')
$$;
comment on function private.name_stem is 'A file''s name without its ending, in small letters.';
revoke execute on function private.name_stem from public;
-- An index on it is kept by whoever writes the row.
grant execute on function private.name_stem to service_role;
create index media_details_name_stem on media_details (memory_id, private.name_stem(file_name));

create function private.agree_in_time(photo public.media_details, video public.media_details) returns boolean
language sql stable set search_path = '' as $$
  select case
    when photo.file_taken_source in ('exif', 'xmp') and photo.file_taken_at like '%T%' and video.file_taken_source = 'video' then (
      -- Some videos tell the time in UTC, which is whole quarters of an hour away from the clock of the photo.
      select gap < 15 * 3600 and (gap + 10) % 900 <= 20
      from (select abs(extract(epoch from photo.file_taken_at::timestamp - video.file_taken_at::timestamp))::integer as gap) apart)
  end
$$;
comment on function private.agree_in_time is 'Whether a photo and a video say that they were taken together; null where one of them does not say when.';

create function private.is_live_pair(photo uuid, video uuid) returns boolean language sql stable set search_path = '' as $$
  select exists (
    select from public.media p join public.media_details pd on pd.media_id = p.id, public.media v join public.media_details vd on vd.media_id = v.id
    where p.id = photo and v.id = video and p.memory_id = v.memory_id
      and p.type = 'image' and p.state = 'ready' and p.motion is null and v.type = 'video' and v.motion_of is null
      -- What one person added, and what is seen by the same people.
      and pd.user_id is not distinct from vd.user_id and pd.guest_id is not distinct from vd.guest_id
      and p.moderation = v.moderation and p.moderation in ('shown', 'held', 'hidden')
      and pd.mime_type in ('image/jpeg', 'image/heic', 'image/heif') and vd.mime_type in ('video/quicktime', 'video/mp4')
      and coalesce(
        pd.content_identifier = vd.content_identifier,
        -- Phones record three seconds; a longer film of the same name is another item.
        private.name_stem(pd.file_name) = private.name_stem(vd.file_name) and v.duration <= 6
          and coalesce(private.agree_in_time(pd, vd),
            vd.mime_type = 'video/quicktime' and abs(extract(epoch from p.created_at - v.created_at)) < 86400))
  )
$$;
comment on function private.is_live_pair is
  'Whether a photo and a video are one Live Photo: by the identifier in both, else by their name, length and time.';

create function private.join_live_photo(item uuid) returns void language plpgsql volatile security definer set search_path = '' as $$
declare
  own public.media_details;
  kind text;
  other uuid;
  photo uuid;
  video public.media;
begin
  select * into own from public.media_details d where d.media_id = item;
  select m.type into kind from public.media m where m.id = item;
  -- Of two that arrive at once the second finds the first. One lock for this and for times, so that no two wait in a circle.
  perform pg_advisory_xact_lock(hashtextextended('media of a day ' || own.memory_id, 0));
  select c.media_id into other from (
    select d.media_id, 1 as rank from public.media_details d
    where d.memory_id = own.memory_id and d.content_identifier = own.content_identifier
    union all
    select d.media_id, 2 from public.media_details d
    where d.memory_id = own.memory_id and private.name_stem(d.file_name) = private.name_stem(own.file_name)
  ) c join public.media m on m.id = c.media_id
  where case kind when 'image' then private.is_live_pair(item, c.media_id) else private.is_live_pair(c.media_id, item) end
  order by c.rank, m.created_at, m.id limit 1;
  if other is null then
    return;
  end if;
  photo := case kind when 'image' then item else other end;
  select * into video from public.media m where m.id = case kind when 'video' then item else other end for update;
  perform from public.media m where m.id = photo for update;
  if not private.is_live_pair(photo, video.id) then
    return;
  end if;
  update public.media m set motion_of = photo, moderation = 'attached', is_cover = false, position = null where m.id = video.id;
  update public.media m set motion = 'waiting', is_cover = m.is_cover or video.is_cover,
    position = coalesce(m.position, video.position),
    caption = coalesce(nullif(m.caption, ''), video.caption), alt_text = coalesce(nullif(m.alt_text, ''), video.alt_text)
  where m.id = photo;
  if video.taken_at is not null and exists (select from public.media m where m.id = photo and m.taken_at is null) then
    update public.media_details d set taken_source = v.taken_source, file_taken_at = v.file_taken_at, file_taken_source = v.file_taken_source
    from public.media_details v where d.media_id = photo and v.media_id = video.id;
    update public.media m set taken_at = (select d.taken_at from public.media_details d where d.media_id = video.id) where m.id = photo;
  end if;
  -- What was said and made of the video is the item's.
  update public.comments c set media_id = photo where c.media_id = video.id;
  update public.reactions r set media_id = photo where r.media_id = video.id and not exists (select from public.reactions x
    where x.media_id = photo and x.kind = r.kind and x.user_id is not distinct from r.user_id and x.guest_id is not distinct from r.guest_id);
  update public.memory_entries e set media_id = photo where e.media_id = video.id;
  update public.albums a set cover_media_id = photo where a.cover_media_id = video.id;
  update public.notices n set media_id = photo where n.media_id = video.id;
  delete from private.video_copies c where c.media_id = video.id;
  -- Queues pass over a row that is being written.
  perform pg_notify('media_waiting', '');
end
$$;
comment on function private.join_live_photo is
  'Makes of a photo or video that has just come, or was just made ready, and of its other half one item, if that is here.';

create function private.find_other_half() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'media' then
    perform private.join_live_photo(new.id);
  elsif exists (select from public.media m where m.id = new.media_id and m.type = 'video') then
    perform private.join_live_photo(new.media_id);
  end if;
  return null;
end
$$;
comment on function private.find_other_half is
  'Looks for the photo of a video as it comes, and for the video of a photo once its file was read: whichever is second finds the first.';
create trigger t90_find_photo after insert on media_details for each row
  when (new.mime_type in ('video/quicktime', 'video/mp4')) execute function private.find_other_half();
create trigger t90_find_video after update of state on media for each row
  when (new.type = 'image' and new.state = 'ready' and old.state = 'waiting' and new.motion is null)
  execute function private.find_other_half();

create table private.motion_claims (
  media_id uuid primary key references media on delete cascade,
  attempts integer not null default 0,
  until timestamptz not null default '-infinity'
);
comment on table private.motion_claims is
  'Photos of whose video a copy that plays is still to be made. A worker claims a row until a time and deletes it when the copy is made.';
alter table private.motion_claims enable row level security;
create index motion_claims_until on private.motion_claims (until);

create function private.enqueue_motion() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into private.motion_claims (media_id) values (new.id) on conflict (media_id) do nothing;
  perform pg_notify('motion_waiting', '');
  return null;
end
$$;
create trigger enqueue_motion after update of motion on media for each row
  when (new.motion = 'waiting' and old.motion is distinct from 'waiting') execute function private.enqueue_motion();

create function private.follow_photo() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  video public.media;
begin
  select * into video from public.media m where m.motion_of = new.id;
  if video.id is not null and video.memory_id <> new.memory_id then
    update storage.objects o set name = new.memory_id || '/' || split_part(o.name, '/', 2)
    where o.bucket_id = 'media' and o.id = video.id;
    update storage.objects o set name = new.memory_id || '/' || split_part(o.name, '/', 2)
    where o.bucket_id = 'posters' and o.name = video.poster_name;
  end if;
  return null;
end
$$;
comment on function private.follow_photo is 'Moves the video of a photo to another memory with it.';
create trigger follow_photo after update of memory_id on media for each row
  when (new.memory_id <> old.memory_id and new.motion is not null) execute function private.follow_photo();

create function private.delete_motion() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from storage.objects o using public.media v where v.motion_of = old.id and o.id = v.id;
  return old;
end
$$;
comment on function private.delete_motion is 'Deletes a photo''s video for good with it.';
create trigger delete_motion before delete on media for each row
  when (old.motion is not null) execute function private.delete_motion();

revoke execute on function private.agree_in_time, private.is_live_pair, private.join_live_photo,
  private.find_other_half, private.enqueue_motion, private.follow_photo, private.delete_motion from public;
