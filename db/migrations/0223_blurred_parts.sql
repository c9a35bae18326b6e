-- A part of a photo that others may not see is blurred in every copy. Like the rest of an edit it is data, and the file stays as it is.
comment on column media.edit is
  'How a photo is shown: parts are blurred, then it is turned by degrees clockwise, straightened by degrees clockwise, and cropped to left, top, width and height in fractions of what is left. Null: as its file is. "blur" has left, top, width and height of each part in fractions of the upright file. "of" is the upright size of the file in pixels, written by a trigger.';

create function private.is_blur(parts jsonb) returns boolean language sql immutable set search_path = '' as $$
  select case when jsonb_typeof(parts) = 'array' then jsonb_array_length(parts) between 1 and 50 and not exists (
    select from jsonb_array_elements(case when jsonb_typeof(parts) = 'array' then parts else '[]' end) part
    -- A value of another type, or with more decimals, has another text.
    where not case when part::text ~ ('^\[' || array_to_string(array_fill('(0|1|0\.\d{1,4})'::text, array[4]), ', ') || '\]$')
      then (part ->> 2)::numeric >= 0.005 and (part ->> 3)::numeric >= 0.005
        and (part ->> 0)::numeric + (part ->> 2)::numeric <= 1 and (part ->> 1)::numeric + (part ->> 3)::numeric <= 1
      else false end)
  else false end
$$;
comment on function private.is_blur is 'Whether these are 1 to 50 parts of a photo that can be blurred, by the rules of shared/photo-edit.ts.';

create or replace function private.is_edit(edit jsonb) returns boolean language sql immutable set search_path = '' as $$
  -- PostgreSQL sorts the keys. A value of another type, or with more decimals, has another text.
  select case when edit::text ~ ('^\{("of": \[[1-9]\d{0,8}, [1-9]\d{0,8}\], )?("blur": \[\[[^"{}]+\]\], )?"crop": \[' || (array_to_string(array_fill('(0|1|0\.\d{1,4})'::text, array[4]), ', ')) ||
    '\], "turn": (0|90|180|270), "straighten": -?\d{1,2}(\.\d)?\}$')
  then abs((edit ->> 'straighten')::numeric) <= 45
    and (edit -> 'crop' ->> 2)::numeric >= 0.05 and (edit -> 'crop' ->> 3)::numeric >= 0.05
    and (edit -> 'crop' ->> 0)::numeric + (edit -> 'crop' ->> 2)::numeric <= 1
    and (edit -> 'crop' ->> 1)::numeric + (edit -> 'crop' ->> 3)::numeric <= 1
    and (not edit ? 'blur' or private.is_blur(edit -> 'blur'))
  else false end
$$;

create function private.keep_blur() returns trigger language plpgsql set search_path = '' as $$
begin
  -- Who added the photo may blur more. Somebody may have asked for what is blurred already.
  if current_user in ('anon', 'authenticated') and not private.is_manager(old.memory_id) and exists (
    select from jsonb_array_elements(old.edit -> 'blur') part
    where not exists (
      select from jsonb_array_elements(case when jsonb_typeof(new.edit -> 'blur') = 'array' then new.edit -> 'blur' else '[]' end) kept where kept = part))
  then
    raise exception 'Only the managers of the memory show again what was blurred.' using errcode = '42501';
  end if;
  return new;
end
$$;
comment on function private.keep_blur is 'Refuses that somebody who manages no memory shows again what is blurred in a photo.';
create trigger t11_keep_blur before update of edit on media for each row
  when (old.edit -> 'blur' is not null and new.edit -> 'blur' is distinct from old.edit -> 'blur') execute function private.keep_blur();

create or replace function private.fit_edit() returns trigger language plpgsql set search_path = '' as $$
declare
  file integer[] := array[new.width, new.height];
begin
  if tg_op = 'UPDATE' then
    -- Only the server writes a size, which is that of the file.
    if old.edit is not null and (new.width, new.height) is not distinct from (old.width, old.height) then
      file := array[(old.edit -> 'of' ->> 0)::integer, (old.edit -> 'of' ->> 1)::integer];
    end if;
    if new.edit -> 'blur' is distinct from old.edit -> 'blur' then
      -- A file that turns out to have several pages has no edit, and would be shown whole.
      if new.state = 'waiting' and current_user in ('anon', 'authenticated') then
        raise exception 'The photo is still being read.' using errcode = 'PT400';
      end if;
      -- A job makes them again. Until then, nothing shows what is hidden now.
      new.placeholder := null;
      new.colour := null;
    end if;
    -- A picture that turns out to have several pages is shown as a paper.
    if new.pages is distinct from old.pages and new.pages is not null then
      new.edit := null;
    end if;
  end if;
  if new.edit is not null then
    -- The check refuses what this leaves alone.
    if jsonb_typeof(new.edit) <> 'object' or not private.is_edit(new.edit - 'of') then
      return new;
    end if;
    new.edit := nullif(new.edit - 'of', '{"turn": 0, "straighten": 0, "crop": [0, 0, 1, 1]}');
  end if;
  new.width := file[1];
  new.height := file[2];
  if new.edit is not null and file[1] > 0 and file[2] > 0 then
    new.edit := new.edit || jsonb_build_object('of', file);
    file := private.edited_size(new.edit, file[1], file[2]);
    new.width := file[1];
    new.height := file[2];
  end if;
  return new;
end
$$;

create or replace function private.follow_media_in_slideshows() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' then
    update public.slideshows s set changes = s.changes + 1
      where s.id in (select i.slideshow_id from public.slideshow_items i where i.media_id = new.id);
    if new.memory_id <> old.memory_id then
      delete from public.slideshow_items i where i.media_id = new.id;
      update public.slideshows s set music_id = null where s.music_id = new.id;
    end if;
    if new.memory_id = old.memory_id and new.moderation = 'shown' and new.edit -> 'blur' is not distinct from old.edit -> 'blur' then
      return null;
    end if;
  end if;
  with gone as (delete from private.film_media f where f.media_id = old.id returning f.slideshow_id),
  ended as (delete from private.work w using gone where w.subject = gone.slideshow_id)
  update public.slideshow_films f set state = 'withdrawn', progress = null, failure = null, object_name = null, size = null,
    seconds = null, made_at = null, made_of = null, expires_at = null
  from gone where f.slideshow_id = gone.slideshow_id;
  return null;
end
$$;
comment on function private.follow_media_in_slideshows is
  'Removes every film with a photo or music that was hidden, blurred, deleted or moved, and counts a changed caption as a change of its slideshows. What moves to another memory leaves them.';

revoke execute on function private.is_blur, private.keep_blur from public, anon, authenticated, service_role;
grant execute on function private.is_blur to anon, authenticated, service_role;
