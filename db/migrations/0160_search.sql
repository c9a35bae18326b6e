set local check_function_bodies = off;

create function private.query_words(find text) returns text[] language sql immutable parallel safe strict set search_path = '' as $$
  with typed as materialized (
    select t.place, string_to_array(left(private.search_key(t.word), 400), ' ') as parts,
      -- What follows an elision: "dell'estate" is found by "estate".
      left(private.search_key(substring(t.word from '[''’‘ʼ`´]([^''’‘ʼ`´]+)$')), 60) as ending
    from regexp_split_to_table(left(find, 200), '\s+') with ordinality t (word, place)),
  words as (
    select left(p.part, 60) || coalesce(
        case when cardinality(t.parts) = 1 and length(t.ending) > 2 and t.ending !~ ' ' then '|' || t.ending end, '') as word,
      min(t.place * 1000 + p.n) as n
    from typed t cross join lateral unnest(t.parts) with ordinality p (part, n) where p.part <> '' group by 1 order by 2 limit 12)
  select coalesce(array_agg(word order by n), '{}') from words
$$;
comment on function private.query_words is 'The words of a search, at most 12; a word with an elision has its ending after a bar.';

create function private.needed_words(words text[]) returns text[] language sql immutable parallel safe strict set search_path = '' as $$
  select case when cardinality(needed) > 0 then needed else words end from (select array(
    select word from unnest(words) with ordinality w (word, n)
    where ts_lexize('english_stem', split_part(word, '|', 1)) <> '{}' and ts_lexize('italian_stem', split_part(word, '|', 1)) <> '{}'
      and word <> all ('{photo,photos,picture,pictures,foto,fotografia,fotografie,immagine,immagini,video,videos,born,died,nato,nata,nati,morto,morta}')
    order by n) as needed) w
$$;
comment on function private.needed_words is 'The words that a result must contain: without articles, prepositions and words such as photo, unless there are no others.';

create function private.word_query(word text, class text) returns text language sql immutable parallel safe strict set search_path = '' as $$
  select '(' || string_agg(distinct quote_literal('§' || class || key) || suffix, ' | ') || ')' from (
    select form as key, case when class <> '~' and length(form) > 1 then ':*' else '' end as suffix from unnest(string_to_array(word, '|')) form
    union all
    select unnest(private.word_forms(form)), '' from unnest(string_to_array(word, '|')) form where class <> 'f'
    union all
    select unnest(private.misspellings(form)), '' from unnest(string_to_array(word, '|')) form where class = '~') k
$$;
comment on function private.word_query is 'The condition for a word as text of a tsquery, with a sign in the place of the scope.';

create function private.search_candidates(
  find text, since date, until date, within boolean, month_day text, of_memory uuid, forgiving boolean, file_names boolean)
returns table (kind text, row_id uuid, memory_id uuid, whole boolean, on_date text, first_day date)
language plpgsql stable security definer rows 100 set search_path = '' set enable_seqscan to off as $$
#variable_conflict use_column
declare
  most constant integer := 400;
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
$$;
comment on function private.search_candidates is
  'Entries of the search index that match words and dates, in memories that the caller sees; names of files in those that they manage. At most 400 of each class and scope.';

create function private.dated_entries(
  of_memory uuid, own uuid[], of_class text, since date, until date, within boolean, of_month_day text)
returns table (kind text, row_id uuid, memory_id uuid, whole boolean, on_date text, first_day date)
language plpgsql stable security definer rows 60 set search_path = '' set enable_seqscan to off as $$
#variable_conflict use_column
declare
  most constant integer := 60;
begin
  if of_month_day is not null then
    return query
      select e.kind, e.row_id, e.memory_id, true, e.on_date, e.first_day from private.search_entries e
      where e.memory_id = of_memory and e.class = of_class and e.month_day >= of_month_day and e.month_day < of_month_day || '~'
      order by e.month_day limit most;
    return query
      select e.kind, e.row_id, e.memory_id, true, e.on_date, e.first_day from private.search_entries e
      where e.account = auth.uid() and e.memory_id = any (own) and e.class = of_class
        and e.month_day >= of_month_day and e.month_day < of_month_day || '~'
      order by e.month_day limit most;
    return;
  end if;
  return query
    -- The longest and the shortest period of each precision in days, so that the index lists only dates that match.
    with bounds as materialized (
      select p.precision,
        coalesce(case when within then since else since - p.longest end, '-infinity') as first,
        coalesce(case when within then until - p.shortest else until end, 'infinity') as last
      from (values (0, 0, 0), (1, 30, 27), (2, 91, 89), (3, 365, 364), (4, 3652, 3651)) p (precision, longest, shortest))
    select e.kind, e.row_id, e.memory_id, (since is null or e.first_day >= since) and (until is null or e.last_day <= until),
      e.on_date, e.first_day
    from bounds b
    cross join lateral (
      (select e.* from private.search_entries e
        where e.memory_id = of_memory and e.class = of_class and e.precision = b.precision and e.first_day between b.first and b.last
          and (since is null or case when within then e.first_day else e.last_day end >= since)
          and (until is null or case when within then e.last_day else e.first_day end <= until)
        order by e.first_day limit most)
      union all
      (select e.* from private.search_entries e
        where of_memory is null and e.account = auth.uid() and e.class = of_class and e.precision = b.precision
          and e.first_day between b.first and b.last and e.memory_id = any (own)
          and (since is null or case when within then e.first_day else e.last_day end >= since)
          and (until is null or case when within then e.last_day else e.first_day end <= until)
        order by e.first_day limit most)) e;
end
$$;
comment on function private.dated_entries is 'Entries of a memory, or of all memories of the caller, with a date in a period or on a day of any year.';

create function private.search_excerpt(value text, find text) returns text language plpgsql immutable parallel safe strict security definer set search_path = '' as $$
declare
  size constant integer := 220;
  -- As long as the text itself, so that positions are the same.
  folded constant text := lower(translate(value, 'àáâãäåèéêëìíîïòóôõöùúûüçñÀÁÂÃÄÅÈÉÊËÌÍÎÏÒÓÔÕÖÙÚÛÜÇÑ',
    'aaaaaaeeeeiiiiooooouuuucnAAAAAAEEEEIIIIOOOOOUUUUCN'));
  place integer;
begin
  if length(value) <= size then
    return value;
  end if;
  select min(nullif(strpos(folded, left(form, greatest(4, length(form) - 2))), 0)) into place
  from unnest(private.needed_words(private.query_words(find))) word, unnest(string_to_array(word, '|')) form;
  if place is null or place < size - 60 then
    return left(value, size) || '…';
  end if;
  return '…' || regexp_replace(substr(value, place - 80, size), '^\S*\s', '')
    || case when place - 80 + size < length(value) then '…' else '' end;
end
$$;
comment on function private.search_excerpt is 'The part of a long text that has the first word of a search.';

create function search(
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
        union all select x.caption, x.alt_text, '', x.taken_at::text, x.id from public.media x where f.kind = 'photo' and x.id = f.row_id
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
  'Searches memories, stories, comments, captions, moments and albums that the caller sees, and names of files in memories that they manage. Words and dates are separate: "rest" is the search without its date.';

create function private.is_named(value text, find text, forgiving boolean) returns boolean language sql immutable parallel safe strict security definer set search_path = '' as $$
  select coalesce(private.search_lexemes(nil, nil, 'w', value, '') @@ (
    select replace(string_agg(private.word_query(word, case when forgiving then '~' else 'w' end), ' & '), '§', '00000000m')::tsquery
    from unnest(private.needed_words(private.query_words(find))) word), false)
  from (values ('00000000-0000-0000-0000-000000000000'::uuid)) n (nil)
$$;
comment on function private.is_named is 'Whether a name matches a search.';

revoke execute on function private.query_words, private.needed_words, private.word_query, private.search_candidates, private.dated_entries,
  private.search_excerpt, private.is_named from public, anon, authenticated, service_role;
-- What the search, which has its caller's rights, calls: the others are called by these.
grant execute on function private.html_text, private.search_excerpt, private.is_named, private.search_candidates to anon, authenticated;
revoke execute on function search from public, service_role;
grant execute on function search to anon, authenticated;
