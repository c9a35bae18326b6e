-- People correct what a file says of its date: those who may write its caption.
grant update (taken_at) on media to anon, authenticated;

create function private.day_of(value text) returns text language sql immutable strict parallel safe set search_path = '' as $$
  select regexp_replace(value, 'T[0-9:]+', '')
$$;
comment on function private.day_of is 'An approximate time without its time of day.';

create function private.place_in_day(of_media uuid, memory uuid, exact text) returns double precision
language plpgsql volatile security definer set search_path = '' as $$
declare
  day constant text := private.day_of(exact);
  own constant text collate "C" := private.date_order(exact);
  earliest constant text collate "C" := private.date_order(day);
  latest constant text collate "C" := left(own, 10) || 'U';
  -- Wide enough for thousands to come between two, as photos of one day arrive in any order.
  wide constant double precision := 1e9;
  near constant double precision := 1e5;
  before record;
  after record;
begin
  if exact is null or exact = day then
    return null;
  end if;
  -- Of two that arrive at once the second finds the first.
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
    -- Beside the one that came last: the next is likely to come there too, and needs room on the other side.
    when after.created_at > before.created_at then after.time_order - least(near, (after.time_order - before.time_order) / 2)
    else before.time_order + least(near, (after.time_order - before.time_order) / 2)
  end;
end
$$;
comment on function private.place_in_day is
  'Where a photo with this time stands among those of its memory on the same day; null for a date without a time.';

create function private.keep_time_apart() returns trigger language plpgsql security definer set search_path = '' as $$
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
  new.time_order := private.place_in_day(new.id, new.memory_id, exact);
  return new;
end
$$;
comment on function private.keep_time_apart is
  'Keeps the time of day in media_details, and of it only the order in the row that visitors read. Records that a person set a date, or that they went back to the one in the file: a date taken away by a person stays away.';
create trigger keep_time_apart before insert or update of taken_at, memory_id on media
  for each row execute function private.keep_time_apart();
revoke execute on function private.day_of, private.place_in_day, private.keep_time_apart from public;

create function set_media_dates(ids uuid[], dates text[]) returns setof uuid language sql volatile set search_path = '' as $$
  update public.media m set taken_at = wanted.taken_at
  from unnest(ids, dates) as wanted (id, taken_at) left join public.media_details d on d.media_id = wanted.id
  where m.id = wanted.id and coalesce(d.taken_at, m.taken_at) is distinct from wanted.taken_at
  returning m.id
$$;
comment on function set_media_dates is
  'Sets the dates of photos and videos, one for each id, and returns the ids of those that changed. The others are left as they are.';
revoke execute on function set_media_dates from public;
grant execute on function set_media_dates to anon, authenticated, service_role;
