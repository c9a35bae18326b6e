-- An undo puts back what it undoes only where that still stands: what somebody else has changed since stays.

create function restore_media_dates(ids uuid[], dates text[], expected text[]) returns setof uuid language sql
set search_path = '' as $$
  update public.media m set taken_at = former.taken_at
  from unnest(ids, dates, expected) as former (id, taken_at, expected)
    left join public.media_details d on d.media_id = former.id
  where m.id = former.id and coalesce(d.taken_at, m.taken_at) is not distinct from former.expected
  returning m.id
$$;
comment on function restore_media_dates is
  'Sets the dates of photos and videos back, one for each id, if they still have the expected one. Returns the ids of those.';

create function restore_cover(media_id uuid, cover_x real, cover_y real) returns boolean language plpgsql security definer
set search_path = '' as $$
declare
  memory uuid := (select m.memory_id from public.media m where m.id = media_id and private.is_manager(m.memory_id));
begin
  if memory is null then
    raise exception 'This photo is not in one of your memories.' using errcode = 'PT404';
  end if;
  -- Locks the memory, so that nobody chooses another cover in between.
  perform from public.memories m where m.id = memory for no key update;
  if exists (select from public.media m where m.memory_id = memory and m.is_cover) then
    return false;
  end if;
  perform public.set_cover(restore_cover.media_id);
  update public.memories m set cover_x = restore_cover.cover_x, cover_y = restore_cover.cover_y where m.id = memory;
  return true;
end
$$;
comment on function restore_cover is
  'Makes a photo the cover again, with its focal point, unless the memory has another one by now. Only for managers.';

create function restore_order(
  memory_id uuid, ids uuid[], positions double precision[], expected double precision[], media_order text
) returns boolean language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_manager(restore_order.memory_id) then
    raise exception 'This memory is not one of yours.' using errcode = 'PT404';
  end if;
  perform from public.memories m where m.id = restore_order.memory_id for no key update;
  if exists (
    select from unnest(ids, expected) as moved (id, place) join public.media m on m.id = moved.id
    where m.memory_id = restore_order.memory_id and m.position is distinct from moved.place
  ) then
    return false;
  end if;
  update public.media m set position = former.place from unnest(ids, positions) as former (id, place)
  where m.id = former.id and m.memory_id = restore_order.memory_id;
  update public.memories m set media_order = restore_order.media_order
  where m.id = restore_order.memory_id and m.media_order = 'arranged' and restore_order.media_order <> 'arranged';
  return true;
end
$$;
comment on function restore_order is
  'Puts photos and videos back to their former positions and the memory to its order, unless one of them was moved since. Only for managers.';

revoke execute on function restore_media_dates, restore_cover, restore_order from public, anon;
grant execute on function restore_media_dates to anon, authenticated, service_role;
grant execute on function restore_cover, restore_order to authenticated, service_role;
