-- Two files that are one item: a photo and its video, also as an export writes them (Google Takeout: IMG_0123.HEIC with
-- IMG_0123.MP4, and a Pixel's PXL_20210504_1233.MP.jpg, which still contains the video, with PXL_20210504_1233.MP), and the JPEG and
-- the raw photo that a camera writes of one shot. The photo, or the JPEG, is the item; the other file is attached to it.

create or replace function private.name_stem(file_name text) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  select nullif(lower(regexp_replace(file_name, '(\.MP)?\.[^.]*$', '', 'i')), '')
$$;
comment on function private.name_stem is 'A file''s name without its ending, in small letters; also without the .MP of a motion photo.';
reindex index media_details_name_stem;

alter table media add column has_raw boolean not null default false;
comment on column media.has_raw is 'Of a photo: whether the raw photo of the same shot is attached to it.';
comment on column media.motion_of is
  'Of a video that was recorded with a photo, or of a raw photo of the same shot: that photo. It is in no list, and is deleted, restored and moved with the photo.';

create function private.mark_raw() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.media m set has_raw = true where m.id = new.motion_of;
  return null;
end
$$;
comment on function private.mark_raw is 'Marks the photo to which a raw photo was attached.';
create trigger mark_raw after update of motion_of on media for each row
  when (new.type = 'image' and new.motion_of is not null and old.motion_of is distinct from new.motion_of) execute function private.mark_raw();

create function private.are_of_one_shot(photo public.media_details, raw public.media_details, apart interval) returns boolean
language sql stable set search_path = '' as $$
  select private.name_stem(photo.file_name) = private.name_stem(raw.file_name) and case
    when photo.file_taken_source in ('exif', 'xmp') and photo.file_taken_at like '%T%' and raw.file_taken_source in ('exif', 'xmp')
      and raw.file_taken_at like '%T%'
    then abs(extract(epoch from photo.file_taken_at::timestamp - raw.file_taken_at::timestamp)) <= 2
    -- Without both times, a camera's number in the name counts. Cameras write both files at once, and people copy them so.
    else private.name_stem(raw.file_name) ~ '\d{3}' and apart between interval '-1 day' and interval '1 day'
  end
$$;
comment on function private.are_of_one_shot is 'Whether a photo and a raw photo have one name and were taken at the same time. `apart` is the time between their arrivals.';

create function private.are_one_item(photo uuid, part uuid) returns boolean language sql stable set search_path = '' as $$
  select exists (
    select from public.media p join public.media_details pd on pd.media_id = p.id, public.media v join public.media_details vd on vd.media_id = v.id
    where p.id = photo and v.id = part and p.id <> v.id and p.memory_id = v.memory_id
      and p.type = 'image' and p.state = 'ready' and v.motion_of is null
      -- A video inside the photo's file may be here as a second file as well, but only once.
      and not exists (select from public.media m where m.motion_of = p.id)
      -- What one person added, and what is seen by the same people.
      and pd.user_id is not distinct from vd.user_id and pd.guest_id is not distinct from vd.guest_id
      and p.moderation = v.moderation and p.moderation in ('shown', 'held', 'hidden')
      and pd.mime_type in ('image/jpeg', 'image/heic', 'image/heif')
      and case when v.type = 'image' then v.state = 'ready' and vd.mime_type like 'image/x-%' and private.are_of_one_shot(pd, vd, p.created_at - v.created_at)
      else vd.mime_type in ('video/quicktime', 'video/mp4') and coalesce(
        pd.content_identifier = vd.content_identifier,
        -- Phones record three seconds; a longer film of the same name is another item.
        private.name_stem(pd.file_name) = private.name_stem(vd.file_name) and v.duration <= 6
          and coalesce(private.agree_in_time(pd, vd),
            -- A person gives both names by chance, a camera or an export does not.
            (vd.mime_type = 'video/quicktime' or private.name_stem(vd.file_name) ~ '\d{3}')
              and abs(extract(epoch from p.created_at - v.created_at)) < 86400)) end
  )
$$;
comment on function private.are_one_item is
  'Whether a photo and another file are one item. A video: by the identifier in both, else by name, length and time. A raw photo: by name and time.';

create function private.join_to_photo(item uuid) returns void language plpgsql volatile security definer set search_path = '' as $$
declare
  own public.media_details;
  kind text;
  other uuid;
  photo uuid;
  part public.media;
begin
  select * into own from public.media_details d where d.media_id = item;
  select case when own.mime_type like 'image/x-%' then 'raw' else m.type end into kind from public.media m where m.id = item;
  -- Of two that arrive at once the second finds the first. One lock for this and for times, so that no two wait in a circle.
  perform pg_advisory_xact_lock(hashtextextended('media of a day ' || own.memory_id, 0));
  select c.media_id into other from (
    select d.media_id, 1 as rank from public.media_details d
    where d.memory_id = own.memory_id and d.content_identifier = own.content_identifier
    union all
    select d.media_id, 2 from public.media_details d
    where d.memory_id = own.memory_id and private.name_stem(d.file_name) = private.name_stem(own.file_name)
  ) c join public.media m on m.id = c.media_id
  where case kind when 'image' then private.are_one_item(item, c.media_id) else private.are_one_item(c.media_id, item) end
  order by c.rank, m.created_at, m.id limit 1;
  if other is null then
    return;
  end if;
  photo := case kind when 'image' then item else other end;
  select * into part from public.media m where m.id = case kind when 'image' then other else item end for update;
  perform from public.media m where m.id = photo for update;
  if not private.are_one_item(photo, part.id) then
    return;
  end if;
  update public.media m set motion_of = photo, moderation = 'attached', is_cover = false, position = null where m.id = part.id;
  update public.media m set motion = case part.type when 'video' then 'waiting' else m.motion end, is_cover = m.is_cover or part.is_cover,
    position = coalesce(m.position, part.position),
    caption = coalesce(nullif(m.caption, ''), part.caption), alt_text = coalesce(nullif(m.alt_text, ''), part.alt_text)
  where m.id = photo;
  if part.taken_at is not null and exists (select from public.media m where m.id = photo and m.taken_at is null) then
    update public.media_details d set taken_source = v.taken_source, file_taken_at = v.file_taken_at, file_taken_source = v.file_taken_source
    from public.media_details v where d.media_id = photo and v.media_id = part.id;
    update public.media m set taken_at = (select d.taken_at from public.media_details d where d.media_id = part.id) where m.id = photo;
  end if;
  -- What was said and made of the other file is the item's.
  update public.comments c set media_id = photo where c.media_id = part.id;
  update public.reactions r set media_id = photo where r.media_id = part.id and not exists (select from public.reactions x
    where x.media_id = photo and x.kind = r.kind and x.user_id is not distinct from r.user_id and x.guest_id is not distinct from r.guest_id);
  update public.memory_entries e set media_id = photo where e.media_id = part.id;
  update public.albums a set cover_media_id = photo where a.cover_media_id = part.id;
  update public.notices n set media_id = photo where n.media_id = part.id;
  delete from private.video_copies c where c.media_id = part.id;
  -- Queues pass over a row that is being written.
  perform pg_notify('media_waiting', '');
end
$$;
comment on function private.join_to_photo is
  'Makes one item of a photo, video or raw photo that has just come, or was just made ready, and of its other half, if that is here.';

create or replace function private.find_other_half() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'media' then
    perform private.join_to_photo(new.id);
  elsif exists (select from public.media m where m.id = new.media_id and m.type = 'video') then
    perform private.join_to_photo(new.media_id);
  end if;
  return null;
end
$$;
comment on function private.find_other_half is
  'Looks for the photo of a video as it comes, and for the other half of a photo once its file was read: the second file finds the first.';
drop function private.join_live_photo;
drop function private.is_live_pair;

-- The photo may contain the same video.
drop trigger t90_find_video on media;
create trigger t90_find_video after update of state on media for each row
  when (new.type = 'image' and new.state = 'ready' and old.state = 'waiting')
  execute function private.find_other_half();

-- A raw photo has no motion.
drop trigger delete_motion on media;
create trigger delete_motion before delete on media for each row when (old.motion is not null or old.has_raw) execute function private.delete_motion();
drop trigger follow_photo on media;
create trigger follow_photo after update of memory_id on media for each row
  when (new.memory_id <> old.memory_id and (new.motion is not null or new.has_raw)) execute function private.follow_photo();

revoke execute on function private.mark_raw, private.are_of_one_shot, private.are_one_item, private.join_to_photo from public, anon, authenticated, service_role;
