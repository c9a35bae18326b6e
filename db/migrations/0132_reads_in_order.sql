set local check_function_bodies = off;

-- Reads of an owner's memories that lie far apart in the table, because others made theirs between them. Whatever the planner
-- expects of an unknown owner, the recent activity is read in the order of its index until there are eight events.
create or replace function recent_activity()
returns table (kind text, memory_id uuid, memory_name text, mine boolean, author text, items bigint, at timestamptz)
language plpgsql stable security definer set search_path = '' set enable_sort to off as $$
#variable_conflict use_column
declare
  me constant uuid := auth.uid();
  most constant integer := 8;
  event record;
  -- Additions that were counted: memory, day and person.
  counted text[] := '{}';
  total bigint;
  events jsonb[] := '{}';
begin
  if not private.has_required_aal() then
    return;
  end if;
  for event in
    select a.*, m.person_name, s.user_id as story_user_id, n.name as author from private.activity a
    join public.memories m on m.id = a.memory_id and m.user_id = me and m.deleted_at is null
    left join public.stories s on s.id = a.story_id
    left join public.story_credits n on n.story_id = a.story_id
    where a.account = me and (a.story_id is null or s.moderation <> 'deleted')
    order by a.at desc
  loop
    -- Events of the same time are ordered below.
    exit when cardinality(events) >= most and event.at < (events[most] ->> 'at')::timestamptz;
    total := 1;
    if event.day is not null then
      continue when concat_ws('/', event.memory_id, event.day, event.user_id) = any (counted);
      counted := counted || concat_ws('/', event.memory_id, event.day, event.user_id);
      select sum(a.items) into total from private.activity a
      where a.memory_id = event.memory_id and a.day = event.day and a.user_id is not distinct from event.user_id;
      continue when total <= 0;
    end if;
    events := events || jsonb_build_object(
      'kind', case when event.day is not null then 'added' when event.story_id is not null then 'told' else 'joined' end,
      'memory_id', event.memory_id, 'memory_name', event.person_name,
      'mine', event.member_id is null and coalesce(coalesce(event.user_id, event.story_user_id) = me, false),
      'author', coalesce(event.author, (select p.full_name from public.profiles p where p.id = event.member_id)),
      'items', total, 'at', event.at);
  end loop;
  return query
    select e.kind, e.memory_id, e.memory_name, e.mine, e.author, e.items, e.at from unnest(events) o
      cross join lateral jsonb_to_record(o)
        as e (kind text, memory_id uuid, memory_name text, mine boolean, author text, items bigint, at timestamptz)
    union all
    (select 'began', m.id, m.person_name, true, null, 1::bigint, m.created_at from public.memories m
      where m.user_id = me and m.deleted_at is null order by m.created_at desc, m.id limit most)
    order by 7 desc, 1, 2 limit most;
end
$$;

-- Sums are filtered by ids from an index, without reading the memories.
create or replace function storage_stats() returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  me constant uuid := auth.uid();
  most constant integer := 20;
  memory record;
  largest bigint[] := '{}';
  candidates uuid[] := '{}';
  -- From an index alone.
  own constant uuid[] := array(select m.id from public.memories m where m.user_id = me and m.deleted_at is null);
  own_and_deleted constant uuid[] := array(select m.id from public.memories m where m.user_id = me);
begin
  for memory in
    select s.memory_id as id, max(s.largest) as largest from private.media_sums s
    where s.account = me and s.memory_id = any (own) group by s.memory_id order by 2 desc
  loop
    -- No item of the memories that follow is larger.
    exit when cardinality(largest) >= most and memory.largest < largest[most];
    select array_agg(c.size order by c.size desc, c.id), array_agg(c.id order by c.size desc, c.id) into largest, candidates from (
      select u.size, u.id from (
        select * from unnest(largest, candidates) k (size, id)
        union all
        (select x.size, x.id from public.media x where x.memory_id = memory.id and x.moderation not in ('deleted', 'attached')
          order by x.size desc, x.id limit most)) u
      order by u.size desc, u.id limit most) c;
    largest := coalesce(largest, '{}');
    candidates := coalesce(candidates, '{}');
  end loop;
  return public.storage_use() || (
    with sums as (
      select coalesce(sum(s.images) filter (where s.is_own), 0) as images, coalesce(sum(s.videos) filter (where s.is_own), 0) as videos,
        coalesce(sum(s.bytes_in_trash), 0) + coalesce(sum(s.bytes) filter (where not s.is_own), 0) as trash
      from (select l.*, l.memory_id = any (own) as is_own from private.media_sums l
        where l.account = me and l.memory_id = any (own_and_deleted)) s
    ), items as (
      select x.id, x.memory_id, m.person_name as memory_name, x.type, x.size, x.object_name,
        x.poster_name, x.placeholder, x.width, x.height, x.duration, x.created_at, d.mime_type, d.file_name
      from public.media x join public.memories m on m.id = x.memory_id
      join public.media_details d on d.media_id = x.id where x.id = any (candidates)
    ), of_others as (
      select case t.kind
        when 'media' then (select sum(x.size + x.poster_size) from public.media x where x.id = t.id or x.motion_of = t.id)
        when 'memory' then (select sum(s.bytes + s.bytes_in_trash) from private.media_sums s where s.memory_id = t.id)
        else 0 end as bytes
      from public.trash t join public.memories m on m.id = t.memory_id
      where t.account = me and (t.deleted_by < me or t.deleted_by > me or t.deleted_by is null) and (m.deleted_at is null or t.kind = 'memory')
    )
    select jsonb_build_object(
      'imageCount', (select images from sums),
      'videoCount', (select videos from sums),
      'trash', (select jsonb_build_object('bytes', (select trash from sums),
        'bytesOfOthers', coalesce(sum(bytes), 0), 'itemsOfOthers', count(*)) from of_others),
      'largest', (select coalesce(jsonb_agg(to_jsonb(l) order by l.size desc, l.id), '[]') from items l)
    )
  );
end
$$;

create or replace function storage_by_memory(already integer default 0, most integer default 20)
returns table (memory_id uuid, name text, bytes bigint, items bigint)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
begin
  if not private.has_required_aal() then
    raise exception 'This needs your second factor' using errcode = '42501';
  end if;
  return query
    with own as (
      -- From an index alone.
      select m.id from public.memories m where m.user_id = auth.uid() and m.deleted_at is null
    ), sums as (
      select s.memory_id, sum(s.bytes) as bytes, sum(s.images + s.videos) as items from private.media_sums s
      where s.account = auth.uid() group by s.memory_id
    ), first as (
      -- Names are read of these only: of all that may be on the page, whose order among equal sizes is that of their names.
      select own.id, coalesce(s.bytes, 0)::bigint as bytes, coalesce(s.items, 0)::bigint as items
      from own left join sums s on s.memory_id = own.id
      order by 2 desc fetch first (greatest(already, 0) + greatest(least(most, 100), 0)) rows with ties
    )
    select m.id, m.person_name, f.bytes, f.items from first f join public.memories m on m.id = f.id
    order by 3 desc, m.person_name, m.id
    offset already limit least(most, 100);
end
$$;
