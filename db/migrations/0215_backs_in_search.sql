-- The words on the back of a print are found like a caption, and a result says that it is the back that has them.
create function private.is_on_back(front text, back text, find text) returns boolean language sql immutable parallel safe strict security definer set search_path = '' as $$
  select coalesce(count(*) filter (where t.behind like '% ' || w.form || '%') > count(*) filter (where t.before like '% ' || w.form || '%')
    -- Nothing of a misspelt search is in the text as it was typed.
    or count(*) > 0 and front = '', false)
  from (select ' ' || private.search_key(front) as before, ' ' || private.search_key(back) as behind) t,
    unnest(private.needed_words(private.query_words(find))) word, unnest(string_to_array(word, '|')) form,
    lateral (select left(form, greatest(4, length(form) - 2)) as form) w
$$;
comment on function private.is_on_back is 'Whether the words of a search are on the back of a print rather than in the text of its front.';
revoke execute on function private.is_on_back from public, anon, authenticated, service_role;
grant execute on function private.is_on_back to anon, authenticated;

create or replace function private.search_texts(of_kind text, ids uuid[] DEFAULT NULL::uuid[])
 returns TABLE(kind text, row_id uuid, part smallint, memory_id uuid, class text, value text, on_date text, name text)
 language plpgsql
 stable security definer
 set search_path to ''
as $$
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
      select 'photo'::text, m.id, 0::smallint, m.memory_id, 'p'::text, concat_ws(' ', m.caption, m.alt_text, m.back_text, n.names), m.taken_at::text, ''
      from public.media m
      cross join lateral (select string_agg(private.person_words(n.person_id), ' ') as names from public.media_names n
        where n.media_id = m.id and not n.person_deleted) n
      where (ids is null or m.id = any (ids)) and m.moderation = 'shown' and m.state <> 'broken'
        and (m.caption <> '' or m.alt_text <> '' or m.back_text <> '' or m.taken_at is not null or n.names is not null);
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
create or replace function public.search(find text, rest text DEFAULT NULL::text, since date DEFAULT NULL::date, until date DEFAULT NULL::date, within boolean DEFAULT false, month_day text DEFAULT NULL::text, memory uuid DEFAULT NULL::uuid, kinds text[] DEFAULT NULL::text[], most integer DEFAULT 6)
 returns TABLE(kind text, id uuid, memory_id uuid, memory_name text, title text, words text, place text, on_date text, photo_id uuid, picture jsonb, "similar" boolean)
 language plpgsql
 stable
 set search_path to ''
as $$
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
          'object_name', p.object_name, 'poster_name', p.poster_name, 'on_back', d.on_back) from public.media p
          where p.id = case when f.kind = 'memory' then (select v.id from public.media v where v.memory_id = f.memory_id and v.is_cover)
            else d.photo_id end),
        is_forgiving
      from first_ones f
      cross join lateral (
        select x.person_name as title, private.html_text(x.description) as words, ''::text as place, null::text as on_date, null::uuid as photo_id, false as on_back
          from public.memories x where f.kind = 'memory' and x.id = f.row_id
        union all select x.title, private.html_text(x.body), '', null, null, false from public.stories x where f.kind = 'story' and x.id = f.row_id
        union all select x.title, x.note, x.place, x.on_date::text, x.media_id, false from public.memory_entries x where f.kind = 'moment' and x.id = f.row_id
        union all select '', x.body, '', null, x.media_id, false from public.comments x where f.kind = 'comment' and x.id = f.row_id
        union all select x.caption, case when b.is_there then x.back_text else x.alt_text end, n.names, x.taken_at::text, x.id, b.is_there
          from public.media x
          cross join lateral (select coalesce(string_agg(p.name, ', ' order by p.name), '') as names from public.pictured_people p
            where p.id = any (private.person_roots(array(select n.person_id from public.media_names n where n.media_id = x.id)))) n
          cross join lateral (select x.has_back and private.is_on_back(concat_ws(' ', x.caption, x.alt_text, n.names), x.back_text, find) as is_there) b
          where f.kind = 'photo' and x.id = f.row_id
        union all select x.name, array_to_string(x.other_names, ', '), '', null, (
            select n.media_id from public.media_names n join public.media v on v.id = n.media_id
            where n.person_id = any (private.merged_people(x.id)) limit 1), false
          from public.pictured_people x where f.kind = 'person' and x.id = f.row_id
        union all select x.file_name, '', '', null, x.media_id, false from public.media_details x where f.kind = 'file' and x.media_id = f.row_id) d
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

drop trigger index_changed_photo on media;
create trigger index_changed_photo after update on media referencing old table as old_rows new table as new_rows for each statement
  execute function private.follow_in_search('photo', 'id', 'memory_id caption alt_text back_text taken_at moderation state');
