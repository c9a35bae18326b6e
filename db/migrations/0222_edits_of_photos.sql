-- How a photo is shown, instead of as its file is. The file never changes, so every edit can be undone for ever.
alter table media add column edit jsonb;
comment on column media.edit is
  'How a photo is shown: turned by degrees clockwise, then straightened by degrees clockwise, then cropped to left, top, width and height in fractions of what is left. Null: as its file is. Its key "of" is the upright size of the file in pixels, written by a trigger.';

create function private.is_edit(edit jsonb) returns boolean language sql immutable set search_path = '' as $$
  -- PostgreSQL sorts the keys. A value of another type, or with more decimals, has another text.
  select case when edit::text ~ ('^\{("of": \[[1-9]\d{0,8}, [1-9]\d{0,8}\], )?"crop": \[' || (array_to_string(array_fill('(0|1|0\.\d{1,4})'::text, array[4]), ', ')) ||
    '\], "turn": (0|90|180|270), "straighten": -?\d{1,2}(\.\d)?\}$')
  then abs((edit ->> 'straighten')::numeric) <= 45
    and (edit -> 'crop' ->> 2)::numeric >= 0.05 and (edit -> 'crop' ->> 3)::numeric >= 0.05
    and (edit -> 'crop' ->> 0)::numeric + (edit -> 'crop' ->> 2)::numeric <= 1
    and (edit -> 'crop' ->> 1)::numeric + (edit -> 'crop' ->> 3)::numeric <= 1
  else false end
$$;
comment on function private.is_edit is 'Whether it is a complete edit of a photo, by the rules of shared/photo-edit.ts.';

alter table media
  add constraint media_edit_check check (edit is null or private.is_edit(edit)),
  add constraint media_edit_of_photo check (edit is null or (type = 'image' and pages is null));
grant update (edit) on media to anon, authenticated;

create function private.edited_size(edit jsonb, width integer, height integer) returns integer[] language sql immutable set search_path = '' as $$
  -- The frame of a straightened picture is the largest of the same shape inside it.
  select array[
    greatest(1, floor(t.across * f.scale * (edit -> 'crop' ->> 2)::double precision + 0.5)),
    greatest(1, floor(t.down * f.scale * (edit -> 'crop' ->> 3)::double precision + 0.5))]::integer[]
  from (select case when (edit ->> 'turn')::integer % 180 = 0 then width else height end::double precision as across,
    case when (edit ->> 'turn')::integer % 180 = 0 then height else width end::double precision as down,
    radians(abs((edit ->> 'straighten')::double precision)) as angle) t,
  lateral (select least(t.across / (t.across * cos(t.angle) + t.down * sin(t.angle)), t.down / (t.across * sin(t.angle) + t.down * cos(t.angle))) as scale) f
$$;
comment on function private.edited_size is 'The size in pixels of an upright picture as an edit shows it.';

create function private.fit_edit() returns trigger language plpgsql set search_path = '' as $$
declare
  file integer[] := array[new.width, new.height];
begin
  if tg_op = 'UPDATE' then
    -- Only the server writes a size, which is that of the file.
    if old.edit is not null and (new.width, new.height) is not distinct from (old.width, old.height) then
      file := array[(old.edit -> 'of' ->> 0)::integer, (old.edit -> 'of' ->> 1)::integer];
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
comment on function private.fit_edit is 'Gives an edited photo the size in which it is shown, and one without an edit that of its file.';
-- Before revisions are counted: an edit that shows the same is no change.
create trigger t12_fit_edit before update of edit, width, height, pages on media for each row
  when (old.edit is not null or new.edit is not null) execute function private.fit_edit();
create trigger t12_fit_new_edit before insert on media for each row when (new.edit is not null) execute function private.fit_edit();

drop trigger t15_revise on media;
create trigger t15_revise before update on media for each row when (old.caption is distinct from new.caption or old.alt_text is distinct from new.alt_text
  or old.back_text is distinct from new.back_text or old.taken_at::text is distinct from new.taken_at::text or old.edit is distinct from new.edit
  or old.revision is distinct from new.revision)
  execute function private.revise();
drop trigger t80_follow_in_slideshows on media;
create trigger t80_follow_in_slideshows after update of moderation, memory_id, caption, edit on media for each row
  when (old.moderation is distinct from new.moderation or old.memory_id <> new.memory_id or old.caption <> new.caption
    or old.edit is distinct from new.edit)
  execute function private.follow_media_in_slideshows();

create function private.enqueue_edit() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- An attempt that has begun shows another edit. Without its claim it stores nothing.
  delete from private.work w where w.kind = 'edits' and w.subject = new.id;
  insert into private.work (kind, subject) values ('edits', new.id);
  return null;
end
$$;
comment on function private.enqueue_edit is 'Lets a job make the copies, the placeholder and the colour of a photo that is shown in another way.';
create trigger enqueue_edit after update of edit on media for each row
  when (old.edit is distinct from new.edit) execute function private.enqueue_edit();

create function private.turned(edit jsonb, degrees integer) returns jsonb language plpgsql immutable set search_path = '' as $$
declare
  shown jsonb := coalesce(edit - 'of', '{"turn": 0, "straighten": 0, "crop": [0, 0, 1, 1]}');
begin
  for quarter in 1 .. (degrees / 90 % 4 + 4) % 4 loop
    shown := shown || jsonb_build_object('turn', ((shown ->> 'turn')::integer + 90) % 360, 'crop', jsonb_build_array(
      trim_scale(1 - (shown -> 'crop' ->> 1)::numeric - (shown -> 'crop' ->> 3)::numeric), shown -> 'crop' -> 0, shown -> 'crop' -> 3, shown -> 'crop' -> 2));
  end loop;
  return shown;
end
$$;
comment on function private.turned is 'An edit after turning the shown picture clockwise by a multiple of 90 degrees.';

create function public.turn_media(ids uuid[], degrees integer) returns setof uuid language plpgsql volatile set search_path = '' as $$
begin
  if degrees is null or degrees % 90 <> 0 or abs(degrees) > 270 then
    raise exception 'Pictures are turned by 90, 180 or 270 degrees.' using errcode = 'PT400';
  end if;
  if cardinality(ids) > 1000 then
    raise exception 'At most 1,000 photos are changed at once.' using errcode = 'PT400';
  end if;
  -- In a fixed order, so that two concurrent requests cannot deadlock.
  perform from public.media m where m.id = any (ids) order by m.id for update;
  return query
    update public.media m set edit = private.turned(m.edit, degrees)
    where m.id = any (ids) and m.type = 'image' and m.pages is null returning m.id;
end
$$;
comment on function public.turn_media is
  'Turns photos clockwise by a multiple of 90 degrees, as they are shown. Returns the ids of those that were turned: recordings, papers and what the caller may not change are left alone.';

create function private.edit_of(object storage.objects) returns jsonb language sql stable security definer set search_path = '' as $$
  select coalesce(
    case object.bucket_id when 'media' then (select m.edit from public.media m where m.id = object.id) end,
    case object.bucket_id when 'posters' then (select m.edit from public.media m where m.poster_name = object.name limit 1) end)
$$;
comment on function private.edit_of is 'The edit by which an object is shown, for those who may see the object; null for most.';
create function storage.edit_of(o storage.objects) returns jsonb language sql stable set search_path = '' as 'select private.edit_of(o)';
comment on function storage.edit_of is 'The edit by which copies of an object are shown; null for most. A product may replace it.';

revoke execute on function private.fit_edit, private.enqueue_edit, private.is_edit, private.edited_size, private.turned, private.edit_of
  from public, anon, authenticated, service_role;
grant execute on function private.is_edit, private.edited_size, private.turned, private.edit_of to anon, authenticated, service_role;
revoke execute on function storage.edit_of from public;
grant execute on function storage.edit_of to anon, authenticated, service_role;
revoke execute on function public.turn_media from public;
grant execute on function public.turn_media to anon, authenticated, service_role;
