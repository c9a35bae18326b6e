-- Google Takeout writes the video of a photo to a second file: IMG_0123.HEIC with IMG_0123.MP4, and a Pixel's
-- PXL_20210504_1233.MP.jpg, which still contains the video, with PXL_20210504_1233.MP. Both are one item.

create or replace function private.name_stem(file_name text) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  select nullif(lower(regexp_replace(file_name, '(\.MP)?\.[^.]*$', '', 'i')), '')
$$;
comment on function private.name_stem is 'A file''s name without its ending, in small letters; also without the .MP of a motion photo.';
reindex index media_details_name_stem;

create or replace function private.is_live_pair(photo uuid, video uuid) returns boolean language sql stable set search_path = '' as $$
  select exists (
    select from public.media p join public.media_details pd on pd.media_id = p.id, public.media v join public.media_details vd on vd.media_id = v.id
    where p.id = photo and v.id = video and p.memory_id = v.memory_id
      and p.type = 'image' and p.state = 'ready' and v.type = 'video' and v.motion_of is null
      -- A video inside the photo's file may be here as a second file as well, but only once.
      and not exists (select from public.media m where m.motion_of = p.id)
      -- What one person added, and what is seen by the same people.
      and pd.user_id is not distinct from vd.user_id and pd.guest_id is not distinct from vd.guest_id
      and p.moderation = v.moderation and p.moderation in ('shown', 'held', 'hidden')
      and pd.mime_type in ('image/jpeg', 'image/heic', 'image/heif') and vd.mime_type in ('video/quicktime', 'video/mp4')
      and coalesce(
        pd.content_identifier = vd.content_identifier,
        -- Phones record three seconds; a longer film of the same name is another item.
        private.name_stem(pd.file_name) = private.name_stem(vd.file_name) and v.duration <= 6
          and coalesce(private.agree_in_time(pd, vd),
            -- A person gives both names by chance, a camera or an export does not.
            (vd.mime_type = 'video/quicktime' or private.name_stem(vd.file_name) ~ '\d{3}')
              and abs(extract(epoch from p.created_at - v.created_at)) < 86400))
  )
$$;

-- The photo may contain the same video.
drop trigger t90_find_video on media;
create trigger t90_find_video after update of state on media for each row
  when (new.type = 'image' and new.state = 'ready' and old.state = 'waiting')
  execute function private.find_other_half();
