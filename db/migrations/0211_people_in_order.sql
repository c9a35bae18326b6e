-- The people of a memory are read in their order from an index. All names of all members were looked up and sorted for each page.

create table private.member_names (
  memory_id uuid not null,
  user_id uuid not null,
  role text not null,
  rank smallint not null generated always as (case role when 'co-owner' then 1 when 'contributor' then 2 else 3 end) stored,
  name text not null,
  constraint member_names_pkey primary key (memory_id, user_id),
  constraint member_names_memory_id_user_id_fkey foreign key (memory_id, user_id)
    references public.memory_members (memory_id, user_id) on delete cascade
);
create index member_names_order on private.member_names (memory_id, rank, name, user_id) include (role);
create index member_names_user_id on private.member_names (user_id);
alter table private.member_names enable row level security;
comment on table private.member_names is 'Members of a memory with their names, for the order of public.memory_people. Only triggers write it.';
comment on column private.member_names.name is 'The name of the profile, empty without one.';

create function private.list_member() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  member_name text;
begin
  -- With a lock: a change of the name at the same time finds this row, or is read here.
  select p.full_name into member_name from public.profiles p where p.id = new.user_id for share;
  insert into private.member_names as listed (memory_id, user_id, role, name)
  values (new.memory_id, new.user_id, new.role, coalesce(member_name, ''))
  on conflict (memory_id, user_id) do update set role = excluded.role where listed.role <> excluded.role;
  return null;
end
$$;
comment on function private.list_member() is 'Writes the name of a member, and changes of the role, for the order of people.';
create trigger list_member after insert or update of role on public.memory_members
  for each row execute function private.list_member();

create function private.rename_member() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  person constant uuid := case tg_op when 'DELETE' then old.id else new.id end;
  new_name constant text := coalesce(case tg_op when 'DELETE' then '' else new.full_name end, '');
begin
  update private.member_names n set name = new_name where n.user_id = person and n.name <> new_name;
  return null;
end
$$;
comment on function private.rename_member() is 'Changes the name of a person in the order of people of each memory.';
create trigger rename_member after insert or update of full_name or delete on public.profiles
  for each row execute function private.rename_member();
revoke execute on function private.list_member(), private.rename_member() from public, anon, authenticated, service_role;

insert into private.member_names (memory_id, user_id, role, name)
select p.memory_id, p.user_id, p.role, private.name_of(p.user_id) from public.memory_members p;

drop function memory_people(uuid);
create function memory_people(memory_id uuid, skip integer default 0, most integer default null)
returns table (id uuid, name text, role text)
language sql stable security definer set search_path = '' set enable_sort to off
as $$
  select people.id, people.name, people.role
  from (
    select m.user_id as id, private.name_of(m.user_id) as name, 'owner' as role, 0 as rank
    from public.memories m where m.id = memory_people.memory_id
    union all
    (select n.user_id, n.name, n.role, n.rank from private.member_names n where n.memory_id = memory_people.memory_id
      order by n.rank, n.name, n.user_id limit case when most >= 0 then most + greatest(skip, 0) end)
  ) people
  where (private.is_owner(memory_people.memory_id) or private.member_role(memory_people.memory_id) is not null)
    and private.has_required_aal()
  order by people.rank, people.name, people.id
  offset greatest(skip, 0) limit case when most >= 0 then most end
$$;
comment on function memory_people(uuid, integer, integer) is 'The members of a memory with their names, the owner first. Empty for callers who are not members themselves.';
revoke execute on function memory_people(uuid, integer, integer) from public;
grant execute on function memory_people(uuid, integer, integer) to anon, authenticated, service_role;

-- Rows are fetched one by one: a loop over a query reads fifty more after the first ten.
create or replace function recent_activity()
returns table(kind text, memory_id uuid, memory_name text, mine boolean, author text, items bigint, at timestamp with time zone)
language plpgsql stable security definer set search_path = '' set enable_sort to off as $$
#variable_conflict use_column
declare
  me constant uuid := auth.uid();
  most constant integer := 8;
  newest cursor for
    select a.*, m.person_name, s.user_id as story_user_id, n.name as author from private.activity a
    join public.memories m on m.id = a.memory_id and m.user_id = me and m.deleted_at is null
    left join public.stories s on s.id = a.story_id
    left join public.story_credits n on n.story_id = a.story_id
    where a.account = me and (a.story_id is null or s.moderation <> 'deleted')
    order by a.at desc;
  event record;
  -- Additions that were counted: memory, day and person.
  counted text[] := '{}';
  total bigint;
  events jsonb[] := '{}';
begin
  if not private.has_required_aal() then
    return;
  end if;
  open newest;
  loop
    fetch newest into event;
    exit when not found;
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
  close newest;
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

-- The caller's own memories are listed from an index alone, and half as many matches are ranked.
drop index public.memories_own;
create index memories_own on public.memories (user_id, id) include (draft) where deleted_at is null;
create or replace function private.search_candidates(find text, since date, until date, within boolean, month_day text, of_memory uuid, forgiving boolean, file_names boolean)
 RETURNS TABLE(kind text, row_id uuid, memory_id uuid, whole boolean, on_date text, first_day date)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 100
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
declare
  most constant integer := 200;
  me constant uuid := auth.uid();
  is_dated constant boolean := since is not null or until is not null or month_day is not null;
  typed constant text[] := private.query_words(find);
  needed text[] := private.needed_words(typed);
  classes constant text[] := case when forgiving then '{~}' else '{w,p,c,f}' end;
  own uuid[];
  shared uuid[];
  managed uuid[];
  -- Scopes of the index, the memories in each, and the places of the words that they have to contain.
  space record;
  class text;
  condition text;
  as_typed text;
begin
  if not private.has_required_aal() or needed = '{}' and not is_dated then
    return;
  end if;
  -- Beside a date, "in the" needs no match.
  if is_dated and needed = typed and private.needed_words(array_append(typed, 'x')) = '{x}' then
    needed := '{}';
  end if;
  own := array(select m.id from public.memories m where m.user_id = me and m.deleted_at is null and not m.draft
    and (of_memory is null or m.id = of_memory));
  shared := array(select i from unnest(private.shared_memory_ids('view')) i where of_memory is null or i = of_memory
    except select unnest(own));
  managed := own || array(select i from unnest(private.shared_memory_ids('manage')) i where i = any (shared));

  if needed <> '{}' then
    for space in
      with named as materialized (
        -- Words of a memory's name are met by all that is in it.
        select e.memory_id as id, array_agg(distinct w.n) as met from unnest(needed) with ordinality w (word, n)
        cross join lateral (select e.* from private.search_entries e
          where e.words @@ (quote_literal(left(me::text, 8) || 'on' || split_part(w.word, '|', 1)) || ':*')::tsquery
            and e.memory_id = any (own) limit 50) e
        group by 1
        union all
        select m.id, array_agg(w.n) from unnest(shared) s (id) join public.memories m on m.id = s.id
        cross join lateral (select ' ' || private.search_key(m.person_name) as key offset 0) k
        join unnest(needed) with ordinality w (word, n) on k.key like '% ' || split_part(w.word, '|', 1) || '%'
        group by 1)
      select left(me::text, 8) || 'o' as scope, own as ids, '{}'::bigint[] as met, false as is_named
        where cardinality(own) > 0 and of_memory is null
      union all select left(i::text, 8) || 'm', array[i], '{}', false from unnest(shared) i
      union all select left(i::text, 8) || 'm', array[i], '{}', false from unnest(own) i where of_memory is not null
      union all select left(n.id::text, 8) || 'm', array[n.id], n.met, true from named n
    loop
      -- With a date, the date alone is left of "Rose 1958" in the memory of Rose.
      continue when cardinality(space.met) = cardinality(needed) and not is_dated;
      foreach class in array classes loop
        continue when class = 'f' and (not file_names or is_dated or not space.ids && managed);
        condition := (select string_agg(private.word_query(
            -- Misspellings also join a word with its neighbour: "sand castle".
            case when forgiving then concat_ws('|', word, needed[n - 1] || word, word || needed[n + 1]) else word end, class), ' & ')
          from unnest(needed) with ordinality w (word, n) where n <> all (space.met));
        if condition is null then
          return query select e.* from private.dated_entries(space.ids[1], null, class, since, until, within, month_day) e;
          continue;
        end if;
        as_typed := (select string_agg(quote_literal(space.scope || class || split_part(word, '|', 1)), ' & ')
          from unnest(needed) with ordinality w (word, n) where n <> all (space.met));
        return query
          select e.kind, e.row_id, e.memory_id, e.words @@ as_typed::tsquery, e.on_date, e.first_day
          from private.search_entries e
          where e.words @@ replace(condition, '§', space.scope)::tsquery and e.memory_id = any (space.ids)
            and (not is_dated or e.first_day is not null)
            and (since is null or case when within then e.first_day else e.last_day end >= since)
            and (until is null or case when within then e.last_day else e.first_day end <= until)
            and (search_candidates.month_day is null or e.month_day like search_candidates.month_day || '%')
          limit most;
      end loop;
    end loop;
    return;
  end if;

  foreach class in array '{w,p}'::text[] loop
    if of_memory is null and cardinality(own) > 0 then
      return query select e.* from private.dated_entries(null, own, class, since, until, within, month_day) e;
    end if;
    return query select e.* from unnest(case when of_memory is null then shared else own || shared end) i
      cross join lateral private.dated_entries(i, null, class, since, until, within, month_day) e limit most;
  end loop;
end
$function$;
comment on function private.search_candidates(text,date,date,boolean,text,uuid,boolean,boolean) is 'Entries of the search index that match words and dates, in memories that the caller sees; names of files in those that they manage. At most 200 of each class and scope.';
