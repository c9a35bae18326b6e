-- The search finds people in photos, and photos by the names on them.
set local check_function_bodies = off;

create function private.person_roots(people uuid[]) returns uuid[] language sql stable security definer set search_path = '' as $$
  with recursive up (id, merged_into) as (
    select p.id, p.merged_into from public.pictured_people p where p.id = any (people)
    union select p.id, p.merged_into from public.pictured_people p join up on p.id = up.merged_into
  ) select array_agg(id) from up where merged_into is null
$$;
comment on function private.person_roots is 'The entries that people are shown as: themselves, or those that they are merged into.';

create function private.person_words(person uuid) returns text language sql stable security definer set search_path = '' as $$
  with recursive up (id, merged_into, words) as (
    select p.id, p.merged_into, concat_ws(' ', p.name, array_to_string(p.other_names, ' ')) from public.pictured_people p where p.id = person
    union select p.id, p.merged_into, concat_ws(' ', p.name, array_to_string(p.other_names, ' '))
    from public.pictured_people p join up on p.id = up.merged_into
  ) select string_agg(words, ' ') from up
$$;
comment on function private.person_words is 'All names of a person, also of the entries that this one is merged into.';

create or replace function private.search_texts(of_kind text, ids uuid[] default null)
returns table (kind text, row_id uuid, part smallint, memory_id uuid, class text, value text, on_date text, name text)
language plpgsql stable security definer set search_path = '' as $$
begin
  case of_kind
    when 'memory' then return query
      select 'memory'::text, m.id, d.part::smallint, m.id, 'w'::text,
        case d.part when 0 then m.person_name || ' ' || private.html_text(m.description) else '' end, d.on_date::text,
        case d.part when 0 then m.person_name else '' end
      from public.memories m
      cross join lateral (values (0, null), (1, m.birth_date::text), (2, m.passing_date::text), (3, m.event_date::text)) d (part, on_date)
      where (ids is null or m.id = any (ids)) and (d.part = 0 or d.on_date is not null);
    when 'story' then return query
      select 'story'::text, s.id, 0::smallint, s.memory_id, 'w'::text, s.title || ' ' || private.html_text(s.body), null::text, ''
      from public.stories s where (ids is null or s.id = any (ids)) and s.moderation = 'shown';
    when 'moment' then return query
      select 'moment'::text, e.id, 0::smallint, e.memory_id, 'w'::text, concat_ws(' ', e.title, e.place, e.note), e.on_date::text, ''
      from public.memory_entries e where (ids is null or e.id = any (ids)) and e.audience = 'all';
    when 'comment' then return query
      select 'comment'::text, c.id, 0::smallint, c.memory_id, 'c'::text, c.body, null::text, ''
      from public.comments c
      left join public.comments p on p.id = c.parent_id
      left join public.media m on m.id = c.media_id
      where (ids is null or c.id = any (ids)) and c.moderation = 'shown' and c.deleted_at is null
        and (p.id is null or p.moderation = 'shown') and (m.id is null or m.moderation = 'shown' and m.state <> 'broken');
    when 'photo' then return query
      select 'photo'::text, m.id, 0::smallint, m.memory_id, 'p'::text, concat_ws(' ', m.caption, m.alt_text, n.names), m.taken_at::text, ''
      from public.media m
      cross join lateral (select string_agg(private.person_words(n.person_id), ' ') as names from public.media_names n
        where n.media_id = m.id and not n.person_deleted) n
      where (ids is null or m.id = any (ids)) and m.moderation = 'shown' and m.state <> 'broken'
        and (m.caption <> '' or m.alt_text <> '' or m.taken_at is not null or n.names is not null);
    when 'person' then return query
      -- Of entries merged into a person, only those on a photo that every viewer sees.
      select 'person'::text, p.id, 0::smallint, p.memory_id, 'w'::text, string_agg(private.person_words(f.id), ' '), null::text, ''
      from public.pictured_people p
      cross join lateral unnest(private.merged_people(p.id)) f (id)
      where (ids is null or p.id = any (ids)) and p.merged_into is null and not p.deleted
        and exists (select from public.media_names n join public.media m on m.id = n.media_id
          where n.person_id = f.id and not n.person_deleted and m.moderation = 'shown' and m.state <> 'broken')
      group by p.id;
    when 'file' then return query
      select 'file'::text, m.id, 0::smallint, m.memory_id, 'f'::text, d.file_name, null::text, ''
      from public.media m join public.media_details d on d.media_id = m.id
      where (ids is null or m.id = any (ids)) and m.moderation = 'shown' and m.state <> 'broken' and d.file_name <> '';
  end case;
end
$$;

create or replace function private.follow_in_search() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  changed uuid[];
  kind text := tg_argv[0];
  columns constant text := (select string_agg(format('%%1$s.%I::text', c), ', ') from unnest(string_to_array(tg_argv[2], ' ')) c);
begin
  if tg_op = 'UPDATE' then
    execute format('select array_agg(n.%2$I) from new_rows n join old_rows o on o.%2$I = n.%2$I where (%1$s) is distinct from (%3$s)',
      format(columns, 'n'), tg_argv[1], format(columns, 'o')) into changed;
  elsif tg_op = 'INSERT' then
    execute format('select array_agg(n.%I) from new_rows n', tg_argv[1]) into changed;
  else
    execute format('select array_agg(o.%I) from old_rows o', tg_argv[1]) into changed;
  end if;
  if changed is null then
    return null;
  end if;
  perform private.index_for_search(kind, changed);
  if kind = 'memory' and tg_op = 'UPDATE' then
    -- A new owner finds all of the memory among their own.
    for kind, changed in execute $sql$
      select e.kind, array_agg(e.row_id) from new_rows n join old_rows o on o.id = n.id and o.user_id <> n.user_id
      join private.search_entries e on e.memory_id = n.id and e.kind <> 'memory' group by e.kind $sql$
    loop
      perform private.index_for_search(kind, changed);
    end loop;
  elsif kind = 'photo' and tg_op = 'UPDATE' then
    perform private.index_for_search('file', changed);
    perform private.index_for_search('person', p.ids)
    from (select private.person_roots(array_agg(distinct n.person_id)) as ids from public.media_names n where n.media_id = any (changed)) p
    where p.ids is not null;
    perform private.index_for_search('comment', c.ids)
    from (select array_agg(id) as ids from public.comments where media_id = any (changed)) c where c.ids is not null;
  elsif kind = 'comment' and tg_op = 'UPDATE' then
    perform private.index_for_search('comment', c.ids)
    from (select array_agg(id) as ids from public.comments where parent_id = any (changed)) c where c.ids is not null;
  end if;
  return null;
end
$$;

create function private.follow_people_in_search() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  people uuid[];
  photos uuid[];
begin
  if tg_table_name = 'media_names' then
    if tg_op = 'DELETE' then
      select array_agg(distinct o.person_id), array_agg(distinct o.media_id) into people, photos from old_rows o;
    elsif tg_op = 'INSERT' then
      select array_agg(distinct n.person_id), array_agg(distinct n.media_id) into people, photos from new_rows n;
    else
      -- A point that moves changes nothing here.
      select array_agg(distinct c.person_id), array_agg(distinct c.media_id) into people, photos from (
        (select n.person_id, n.media_id, n.memory_id, n.person_deleted from new_rows n
          except select o.person_id, o.media_id, o.memory_id, o.person_deleted from old_rows o)
        union all (select o.person_id, o.media_id, o.memory_id, o.person_deleted from old_rows o
          except select n.person_id, n.media_id, n.memory_id, n.person_deleted from new_rows n)) c;
    end if;
  elsif tg_op = 'DELETE' then
    select array_agg(o.id) into people from old_rows o;
  else
    select array_agg(n.id) || array_agg(o.merged_into) || array_agg(n.merged_into) into people
    from new_rows n join old_rows o on o.id = n.id
    where (o.name, o.other_names, o.merged_into, o.deleted) is distinct from (n.name, n.other_names, n.merged_into, n.deleted);
    select array_agg(distinct n.media_id) into photos from public.media_names n
    where n.person_id in (select unnest(private.merged_people(p.id)) from new_rows p where p.id = any (people));
  end if;
  if people is not null then
    perform private.index_for_search('person', people || private.person_roots(people));
  end if;
  if photos is not null then
    perform private.index_for_search('photo', photos);
  end if;
  return null;
end
$$;
comment on function private.follow_people_in_search is 'Keeps people, and the names on photos, in the search index.';
create trigger index_new_names after insert on media_names referencing new table as new_rows
  for each statement execute function private.follow_people_in_search();
create trigger index_changed_names after update on media_names referencing old table as old_rows new table as new_rows
  for each statement execute function private.follow_people_in_search();
create trigger index_deleted_names after delete on media_names referencing old table as old_rows
  for each statement execute function private.follow_people_in_search();
create trigger index_changed_person after update on pictured_people referencing old table as old_rows new table as new_rows
  for each statement execute function private.follow_people_in_search();
create trigger index_deleted_person after delete on pictured_people referencing old table as old_rows
  for each statement execute function private.follow_people_in_search();

create or replace function search(
  find text, rest text default null, since date default null, until date default null, within boolean default false,
  month_day text default null, memory uuid default null, kinds text[] default null, most integer default 6)
returns table (kind text, id uuid, memory_id uuid, memory_name text, title text, words text, place text, on_date text, photo_id uuid,
  picture jsonb, similar boolean)
language plpgsql stable security invoker set search_path = '' as $$
#variable_conflict use_column
declare
  size constant integer := least(greatest(coalesce(most, 6), 1), 60);
  is_dated constant boolean := since is not null or until is not null or month_day is not null;
  is_found boolean := false;
  is_forgiving boolean := false;
begin
  loop
    return query
      with candidates as materialized (
        select * from private.search_candidates(find, null, null, false, null, memory, is_forgiving, true)
        union
        select * from private.search_candidates(coalesce(rest, ''), since, until, coalesce(within, false), month_day, memory, is_forgiving, false)
        where is_dated
      ), distinct_candidates as (
        select distinct on (c.kind, c.row_id) c.* from candidates c where kinds is null or c.kind = any (kinds)
        order by c.kind, c.row_id, c.whole desc, c.first_day
      ), first_candidates as materialized (
        -- The index holds what every viewer may see, therefore the policies below hardly ever leave one out.
        select c.* from (select c.*, row_number() over (partition by c.kind order by c.whole desc, c.first_day, c.row_id) as n
          from distinct_candidates c) c
        where c.n <= size + 6
      ), readable as (
        -- Only what the row policies let the caller read.
        select c.*, m.person_name from first_candidates c
        cross join lateral (select m.person_name from public.memories m where m.id = c.memory_id offset 0) m
        cross join lateral (
          select from public.memories x where c.kind = 'memory' and x.id = c.row_id
          union all select from public.stories x where c.kind = 'story' and x.id = c.row_id
          union all select from public.memory_entries x where c.kind = 'moment' and x.id = c.row_id
          union all select from public.comments x where c.kind = 'comment' and x.id = c.row_id
          union all select from public.media x where c.kind = 'photo' and x.id = c.row_id
          union all select from public.pictured_people x where c.kind = 'person' and x.id = c.row_id
          union all select from public.media x join public.media_details d on d.media_id = x.id
            where c.kind = 'file' and x.id = c.row_id) r
      ), first_ones as (
        select r.* from (select r.*, row_number() over (partition by r.kind order by r.n) as place from readable r) r where r.place <= size
      )
      select f.kind, f.row_id, f.memory_id, f.person_name, d.title, private.search_excerpt(d.words, find), d.place,
        coalesce(f.on_date, d.on_date), d.photo_id,
        (select jsonb_build_object('id', p.id, 'type', p.type, 'placeholder', p.placeholder, 'colour', p.colour,
          'object_name', p.object_name, 'poster_name', p.poster_name) from public.media p
          where p.id = case when f.kind = 'memory' then (select v.id from public.media v where v.memory_id = f.memory_id and v.is_cover)
            else d.photo_id end),
        is_forgiving
      from first_ones f
      cross join lateral (
        select x.person_name as title, private.html_text(x.description) as words, ''::text as place, null::text as on_date, null::uuid as photo_id
          from public.memories x where f.kind = 'memory' and x.id = f.row_id
        union all select x.title, private.html_text(x.body), '', null, null from public.stories x where f.kind = 'story' and x.id = f.row_id
        union all select x.title, x.note, x.place, x.on_date::text, x.media_id from public.memory_entries x where f.kind = 'moment' and x.id = f.row_id
        union all select '', x.body, '', null, x.media_id from public.comments x where f.kind = 'comment' and x.id = f.row_id
        union all select x.caption, x.alt_text, coalesce((select string_agg(p.name, ', ' order by p.name) from public.pictured_people p
            where p.id = any (private.person_roots(array(select n.person_id from public.media_names n where n.media_id = x.id)))), ''),
          x.taken_at::text, x.id from public.media x where f.kind = 'photo' and x.id = f.row_id
        union all select x.name, array_to_string(x.other_names, ', '), '', null, (
            select n.media_id from public.media_names n join public.media v on v.id = n.media_id
            where n.person_id = any (private.merged_people(x.id)) limit 1)
          from public.pictured_people x where f.kind = 'person' and x.id = f.row_id
        union all select x.file_name, '', '', null, x.media_id from public.media_details x where f.kind = 'file' and x.media_id = f.row_id) d
      order by f.kind, f.n;
    is_found := found;
    return query
      -- Albums have no entries in the index, because a person has few.
      select 'album'::text, a.id, null::uuid, ''::text, a.name, ''::text, ''::text, null::text, null::uuid, null::jsonb, is_forgiving
      from public.albums a
      where memory is null and (kinds is null or 'album' = any (kinds)) and private.is_named(a.name, find, is_forgiving)
      order by a.name limit size;
    -- Misspellings only if nothing matches as it was typed.
    exit when is_found or found or is_forgiving;
    is_forgiving := true;
  end loop;
end
$$;
comment on function search is
  'Searches memories, stories, comments, captions, people in photos, moments and albums that the caller sees, and names of files in memories that they manage. Words and dates are separate: "rest" is the search without its date.';
comment on column private.search_entries.kind is 'memory, story, moment, comment, photo, person, or file for the name of a file.';
comment on column private.search_entries.class is 'w: words of a memory, story or moment, or names of a person; c: of a comment; p: of a photo or video, and names on it; f: the name of a file, for managers.';

revoke execute on function private.person_roots, private.person_words, private.follow_people_in_search
  from public, anon, authenticated, service_role;
grant execute on function private.person_roots to anon, authenticated;
