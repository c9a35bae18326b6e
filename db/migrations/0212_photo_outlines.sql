-- A long gallery loads the outline of all photos, and then the rows of those near the viewport.

create function photo_outline(memory_id uuid, sort_by text default 'taken')
returns table (keys text, kinds text, colours text, ratios real[], dates text[], cover text)
language sql stable set search_path = ''
as $$
  select string_agg(left(s.id::text, 8), ''), string_agg(s.kind, ''), string_agg(s.colour, ''),
    array_agg(s.ratio), array_agg(s.date), max(left(s.id::text, 8)) filter (where s.is_cover)
  from (
    select m.id, m.is_cover, case when m.pages is not null then 'p' else left(m.type, 1) end as kind,
      coalesce(substr(m.colour, 2, 1) || substr(m.colour, 4, 1) || substr(m.colour, 6, 1), '---') as colour,
      case when m.width > 0 and m.height > 0 then round(m.width::numeric / m.height, 3)::real end as ratio,
      -- A time of upload belongs to a day only in the reader's time zone.
      case when sort_by = 'added' then to_char(m.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI"Z"') else m.taken_at::text end as date
    from public.media m
    where m.memory_id = photo_outline.memory_id and m.moderation = 'shown'
    order by
      case when sort_by = 'arranged' then m.position end,
      case when sort_by in ('taken', 'arranged') then m.taken_order end,
      case when sort_by = 'newest' then m.taken_order end desc nulls last,
      case when sort_by in ('taken', 'arranged') then coalesce(m.time_order, '-infinity') end,
      case when sort_by = 'newest' then coalesce(m.time_order, '-infinity') end desc,
      case when sort_by in ('newest', 'added') then m.created_at end desc,
      case when sort_by in ('newest', 'added') then m.id end desc,
      m.created_at, m.id
  ) s
  having count(*) > 0
$$;
comment on function photo_outline(uuid, text) is 'The places, sizes, colours and dates of a memory''s photos in the order of its gallery, a letter or a list item for each: keys are the first eight characters of the ids, kinds i, v, a and p for papers, colours three digits. No row without photos. sort_by is as memories.media_order.';

create function photos_by_key(memory_id uuid, keys text[]) returns setof media
language sql stable set search_path = '' rows 100
as $$
  select m.* from unnest(keys[1:1000]) k (key)
  -- By their ids. Otherwise all photos of the memory could be read for each.
  cross join lateral (select x.* from public.media x
    where x.id between (k.key || '-0000-0000-0000-000000000000')::uuid and (k.key || '-ffff-ffff-ffff-ffffffffffff')::uuid offset 0) m
  where m.memory_id = photos_by_key.memory_id and m.moderation = 'shown'
$$;
comment on function photos_by_key(uuid, text[]) is 'The photos of a memory whose ids begin with these keys of photo_outline, at most a thousand keys.';
revoke execute on function photo_outline(uuid, text), photos_by_key(uuid, text[]) from public;
grant execute on function photo_outline(uuid, text), photos_by_key(uuid, text[]) to anon, authenticated, service_role;
