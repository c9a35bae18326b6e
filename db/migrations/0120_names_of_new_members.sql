-- The recent activity names the people who joined a memory: its owner sees the names of its members anyway.
create or replace function recent_activity()
returns table(kind text, memory_id uuid, memory_name text, mine boolean, author text, items bigint, at timestamp with time zone)
language plpgsql stable security definer set search_path = '' as $$
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
