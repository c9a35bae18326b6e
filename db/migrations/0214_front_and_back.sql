-- The front and the back of a print are one item. The front is the item; the back is attached to it, like the video of a photo.
alter table media
  add column is_back boolean,
  add column has_back boolean not null default false,
  add column back_width integer,
  add column back_height integer,
  add column back_text text not null default '' constraint media_back_text_check check (length(back_text) <= 20000),
  add constraint back_of_a_photo check (is_back is not true or motion_of is not null and type = 'image'),
  add constraint words_of_a_back check (has_back or back_text = '');
comment on column media.is_back is
  'Of a photo: whether it is the back of the print whose front is motion_of. False once a manager has separated the two, so that their names do not pair them again.';
comment on column media.has_back is 'Of a photo: whether the back of the same print is attached to it.';
comment on column media.back_width is 'Of its back, in pixels, upright; null until known, and without a back.';
comment on column media.back_text is 'Of its back: what is written there, or a description.';
comment on column media.motion_of is
  'Of a video that was recorded with a photo, of a raw photo of the same shot, or of the back of a print: that photo. It is in no list, and is deleted, restored and moved with the photo.';
comment on column media.moderation is
  'Shown to everyone; held until a manager approves it; hidden by a manager. Held and hidden ones are visible to managers and the person who added it. Deleted: in the trash, hidden from everybody. Attached: the video, raw photo or back of a photo, in no list of its own.';
grant update (back_text) on media to anon, authenticated;

drop trigger t15_revise on media;
create trigger t15_revise before update on media for each row when (old.caption is distinct from new.caption or old.alt_text is distinct from new.alt_text
  or old.back_text is distinct from new.back_text or old.taken_at::text is distinct from new.taken_at::text or old.revision is distinct from new.revision)
  execute function private.revise();
drop trigger t30_hold_changed_media on media;
create trigger t30_hold_changed_media before update on media for each row when ((old.caption is distinct from new.caption
  or old.alt_text is distinct from new.alt_text or old.back_text is distinct from new.back_text) and old.moderation = 'shown')
  execute function private.hold_changed_media();

drop trigger mark_raw on media;
create trigger mark_raw after update of motion_of on media for each row
  when (new.type = 'image' and new.is_back is not true and new.motion_of is not null and old.motion_of is distinct from new.motion_of)
  execute function private.mark_raw();

create function private.mark_front() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.media m set has_back = true, back_width = new.width, back_height = new.height where m.id = new.motion_of;
  return null;
end
$$;
comment on function private.mark_front is 'Marks the photo to which a back was attached, and gives it the size of the back.';
create trigger mark_front after update of motion_of, is_back, width, height on media for each row
  when (new.is_back and (old.motion_of, old.is_back, old.width, old.height) is distinct from (new.motion_of, new.is_back, new.width, new.height))
  execute function private.mark_front();

drop trigger delete_motion on media;
create trigger delete_motion before delete on media for each row when (old.motion is not null or old.has_raw or old.has_back)
  execute function private.delete_motion();
drop trigger follow_photo on media;
create trigger follow_photo after update of memory_id on media for each row
  when (new.memory_id <> old.memory_id and (new.motion is not null or new.has_raw or new.has_back)) execute function private.follow_photo();

create function private.give_to_photo(from_file uuid, to_photo uuid) returns void language sql volatile security definer set search_path = '' as $$
  update public.comments c set media_id = to_photo where c.media_id = from_file;
  update public.reactions r set media_id = to_photo where r.media_id = from_file and not exists (select from public.reactions x
    where x.media_id = to_photo and x.kind = r.kind and x.user_id is not distinct from r.user_id and x.guest_id is not distinct from r.guest_id);
  update public.memory_entries e set media_id = to_photo where e.media_id = from_file;
  update public.albums a set cover_media_id = to_photo where a.cover_media_id = from_file;
  update public.notices n set media_id = to_photo where n.media_id = from_file;
  update public.slideshow_items i set media_id = to_photo where i.media_id = from_file and not exists (select from public.slideshow_items x
    where x.media_id = to_photo and x.slideshow_id = i.slideshow_id);
$$;
comment on function private.give_to_photo is 'What was said and made of a file that becomes part of an item is the item''s.';

create or replace function private.join_to_photo(item uuid)
 returns void
 language plpgsql
 security definer
 set search_path to ''
as $$
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
  perform private.give_to_photo(part.id, photo);
  delete from private.work w where w.subject = part.id and w.kind in ('video-streams', 'video-copies');
end
$$;
create or replace function private.find_other_half()
 returns trigger
 language plpgsql
 security definer
 set search_path to ''
as $$
begin
  if tg_table_name = 'media' then
    perform private.join_to_photo(new.id);
    perform private.pair_by_name(new.id);
  elsif exists (select from public.media m where m.id = new.media_id and m.type = 'video') then
    perform private.join_to_photo(new.media_id);
  end if;
  return null;
end
$$;

create function private.may_be_sides(front uuid, back uuid) returns boolean language sql stable set search_path = '' as $$
  select exists (
    select from public.media f join public.media_details fd on fd.media_id = f.id, public.media b join public.media_details bd on bd.media_id = b.id
    where f.id = front and b.id = back and f.id <> b.id and f.memory_id = b.memory_id
      and f.type = 'image' and b.type = 'image' and f.pages is null and b.pages is null and f.state = 'ready' and b.state = 'ready'
      -- A raw photo may become part of a JPEG, and a part has none of its own.
      and fd.mime_type not like 'image/x-%' and bd.mime_type not like 'image/x-%'
      and f.motion_of is null and not exists (select from public.media m where m.motion_of in (f.id, b.id))
      -- What one person added, and what is seen by the same people.
      and fd.user_id is not distinct from bd.user_id and fd.guest_id is not distinct from bd.guest_id
      and f.moderation = b.moderation and f.moderation in ('shown', 'held', 'hidden')
  )
$$;
comment on function private.may_be_sides is
  'Whether two photos can be one item: ready, of one person and memory, seen by the same people, and neither a part of a photo nor a photo with one.';

create function private.words_on_back(back public.media) returns text language sql immutable set search_path = '' as $$
  select left(concat_ws(E'\n', nullif(back.caption, ''), nullif(back.alt_text, '')), 20000)
$$;
comment on function private.words_on_back is 'The text of a photo as the words of its print''s back.';

create function private.attach_back(front uuid, back uuid) returns void language plpgsql volatile security definer set search_path = '' as $$
declare
  part public.media;
begin
  select * into part from public.media m where m.id = back;
  -- Its texts and its place stay in its row, for the case that the two are separated again.
  update public.media m set motion_of = front, is_back = true, moderation = 'attached', is_cover = false where m.id = back;
  update public.media m set is_cover = m.is_cover or part.is_cover, position = coalesce(m.position, part.position),
    back_text = private.words_on_back(part) where m.id = front;
  perform private.give_to_photo(back, front);
end
$$;
comment on function private.attach_back is 'Makes one item of two photos, of which the first is shown in lists.';

create function private.pair_by_name(item uuid) returns void language plpgsql volatile security definer set search_path = '' as $$
declare
  own public.media_details;
  stem text;
  pair record;
begin
  select * into own from public.media_details d where d.media_id = item;
  stem := private.name_stem(own.file_name);
  if stem is null or not exists (select from public.media m where m.id = item and m.moderation in ('shown', 'held', 'hidden')) then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('media of a day ' || own.memory_id, 0));
  select c.front, c.back into pair from (
    select d.media_id as front, item as back, 1 as rank from public.media_details d
    where d.memory_id = own.memory_id and stem like '%\_b' and private.name_stem(d.file_name) = left(stem, -2)
    union all
    select item, d.media_id, 2 from public.media_details d
    where d.memory_id = own.memory_id and private.name_stem(d.file_name) = stem || '_b'
  ) c join public.media m on m.id in (c.front, c.back) and m.id <> item join public.media b on b.id = c.back
  where b.is_back is null and private.may_be_sides(c.front, c.back)
  order by c.rank, m.created_at, m.id limit 1;
  if found then
    perform from public.media m where m.id in (pair.front, pair.back) order by m.id for update;
    if private.may_be_sides(pair.front, pair.back) then
      perform private.attach_back(pair.front, pair.back);
    end if;
  end if;
end
$$;
comment on function private.pair_by_name is
  'Makes one item of a photo that was just made ready and the other side of the print, as scanners name both: IMG_1.jpg and IMG_1_b.jpg.';

create function private.lock_fronts(ids uuid[]) returns void language plpgsql volatile security definer set search_path = '' as $$
begin
  if cardinality(ids) > 1000 then
    raise exception 'At most 1,000 photos are changed at once.' using errcode = 'PT400';
  end if;
  if exists (select from unnest(ids) i left join public.media m on m.id = i and m.moderation <> 'deleted' where m.id is null or not private.is_manager(m.memory_id)) then
    raise exception 'This photo is not in one of your memories.' using errcode = 'PT404';
  end if;
  -- In a fixed order, so that two concurrent requests cannot deadlock.
  perform pg_advisory_xact_lock(hashtextextended('media of a day ' || o.memory_id, 0))
  from (select distinct m.memory_id from public.media m where m.id = any (ids) order by 1) o;
  perform from public.media m where m.id = any (ids) or m.motion_of = any (ids) order by m.id for update;
end
$$;
comment on function private.lock_fronts is 'Refuses photos that the caller does not manage, and locks the others and what is attached to them.';

create function public.pair_sides(fronts uuid[], backs uuid[]) returns setof uuid language plpgsql volatile security definer set search_path = '' as $$
declare
  pair record;
begin
  perform private.lock_fronts(fronts || backs);
  for pair in select p.front, p.back from unnest(fronts, backs) as p (front, back) loop
    if not private.may_be_sides(pair.front, pair.back) then
      raise exception 'These photos cannot be the front and the back of one print.' using errcode = 'PT409', hint = 'not_sides';
    end if;
    perform private.attach_back(pair.front, pair.back);
    return next pair.front;
  end loop;
end
$$;
comment on function public.pair_sides is
  'Makes one item of each front and the back at the same place of the second list, or of none (PT409). Returns the fronts. Only for managers.';

create function public.separate_sides(fronts uuid[]) returns table (front uuid, back uuid) language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  print public.media;
begin
  perform private.lock_fronts(fronts);
  for print in select m.* from public.media m where m.id = any (fronts) and m.has_back order by m.id loop
    update public.media m set has_back = false, back_width = null, back_height = null, back_text = '' where m.id = print.id;
    return query
      update public.media m set motion_of = null, is_back = false, moderation = print.moderation,
        -- Words that were typed meanwhile are its description.
        caption = case when private.words_on_back(m) = print.back_text then m.caption else '' end,
        alt_text = case when private.words_on_back(m) = print.back_text then m.alt_text else print.back_text end
      where m.motion_of = print.id and m.is_back returning print.id, m.id;
  end loop;
end
$$;
comment on function public.separate_sides is 'Makes two photos of each front and its back again. Returns both. Only for managers.';

create function public.swap_sides(fronts uuid[]) returns setof uuid language plpgsql volatile security definer set search_path = '' as $$
declare
  front public.media;
  back uuid;
  exact text;
begin
  perform private.lock_fronts(fronts);
  for front in select m.* from public.media m where m.id = any (fronts) and m.has_back order by m.id loop
    select m.id into back from public.media m where m.motion_of = front.id and m.is_back;
    continue when back is null;
    update public.media m set has_back = false, back_width = null, back_height = null, back_text = '', is_cover = false where m.id = front.id;
    -- The item keeps its caption, place and date; each description stays with its side.
    update public.media m set motion_of = null, is_back = null, moderation = front.moderation, position = front.position,
      caption = front.caption, alt_text = front.back_text where m.id = back;
    update public.media m set motion_of = back, is_back = true, moderation = 'attached', caption = '' where m.id = front.id;
    update public.media m set is_cover = front.is_cover, back_text = front.alt_text where m.id = back;
    select d.taken_at into exact from public.media_details d where d.media_id = front.id;
    if exact is not null then
      update public.media m set taken_at = exact where m.id = back;
    end if;
    perform private.give_to_photo(front.id, back);
    return next back;
  end loop;
end
$$;
comment on function public.swap_sides is 'Makes the back of each front the side that lists show. Returns the new fronts. Only for managers.';

create function private.back_of(front uuid) returns setof storage.objects language sql stable security definer set search_path = '' as $$
  select o.* from public.media m join storage.objects o on o.id = m.id where m.motion_of = front and m.is_back and m.moderation = 'attached'
$$;
comment on function private.back_of is 'The stored back of a photo, for those who may see the photo.';
create function storage.other_side(o storage.objects) returns setof storage.objects language sql stable set search_path = '' as $$
  select * from private.back_of(o.id)
$$;
comment on function storage.other_side is 'The object that is shown as the other side of one that the caller can see, with the same rights. A product may replace it.';

revoke execute on function private.mark_front, private.give_to_photo, private.may_be_sides, private.words_on_back, private.attach_back, private.pair_by_name,
  private.lock_fronts, private.back_of from public, anon, authenticated, service_role;
grant execute on function private.back_of to anon, authenticated, service_role;
revoke execute on function storage.other_side from public;
grant execute on function storage.other_side to anon, authenticated, service_role;
revoke execute on function public.pair_sides, public.separate_sides, public.swap_sides from public, anon;
grant execute on function public.pair_sides, public.separate_sides, public.swap_sides to authenticated, service_role;
