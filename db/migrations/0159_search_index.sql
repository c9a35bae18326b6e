set local check_function_bodies = off;

-- Nothing may change between the rows that are indexed below and the triggers that follow them.
lock table memories, media, media_details, stories, comments, memory_entries in share row exclusive mode;

-- Row policies allow no text index: its operators are not leakproof, so that they are tested after the policies, row by row.
-- docs/decisions/0126-search-index.md.
create table private.search_entries (
  kind text not null,
  row_id uuid not null,
  part smallint not null default 0,
  memory_id uuid not null references memories on delete cascade,
  account uuid not null,
  class text not null,
  words tsvector not null default '',
  on_date text collate "C",
  first_day date,
  last_day date,
  precision smallint,
  month_day text collate "C",
  primary key (row_id, kind, part)
);
comment on table private.search_entries is
  'The search index: what every viewer of a memory may see. Hidden, held and deleted rows have no entry. Only triggers write it.';
comment on column private.search_entries.kind is 'memory, story, moment, comment, photo, or file for the name of a file.';
comment on column private.search_entries.part is 'A memory has an entry for each of its dates.';
comment on column private.search_entries.class is 'w: words of a memory, story or moment; c: of a comment; p: of a photo or video; f: the name of a file, for managers.';
comment on column private.search_entries.account is 'The owner of the memory.';
comment on column private.search_entries.words is 'Words, stems and misspellings, each once after the beginning of the memory''s id and once after that of its owner. A search touches only index entries of what the caller sees: of own memories together, of others one by one.';
comment on column private.search_entries.precision is 'Of the date: 0 day, 1 month, 2 season, 3 year, 4 decade.';
comment on column private.search_entries.month_day is 'Month and day, for dates of any year.';
create index search_entries_words on private.search_entries using gin (words);
create index search_entries_memory_id on private.search_entries (memory_id, class, precision, first_day);
create index search_entries_account on private.search_entries (account, class, precision, first_day);
create index search_entries_month_day on private.search_entries (memory_id, class, month_day) where month_day is not null;
create index search_entries_account_month_day on private.search_entries (account, class, month_day) where month_day is not null;

create function private.html_text(html text) returns text language sql immutable parallel safe strict set search_path = '' as $$
  select btrim(regexp_replace(replace(replace(replace(replace(replace(replace(
    regexp_replace(html, '<[^>]*>', ' ', 'g'),
    '&nbsp;', ' '), '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&#39;', ''''), '&amp;', '&'), '\s+', ' ', 'g'))
$$;
comment on function private.html_text is 'The text of HTML on one line.';

create function private.word_forms(word text) returns text[] language plpgsql immutable parallel safe strict set search_path = '' as $$
declare
  base constant text := case word
    when 'children' then 'child' when 'grandchildren' then 'grandchild' when 'men' then 'man' when 'women' then 'woman'
    when 'feet' then 'foot' when 'teeth' then 'tooth' when 'mice' then 'mouse' when 'wives' then 'wife' when 'knives' then 'knife'
    when 'leaves' then 'leaf' when 'lives' then 'life' when 'people' then 'person' when 'sang' then 'sing' when 'sung' then 'sing'
    when 'went' then 'go' when 'gone' then 'go' when 'swam' then 'swim' when 'taught' then 'teach' when 'built' then 'build'
    when 'bought' then 'buy' when 'wrote' then 'write' when 'written' then 'write' when 'ran' then 'run' when 'met' then 'meet'
    when 'uomini' then 'uomo' when 'zii' then 'zio' when 'zia' then 'zio' when 'zie' then 'zio' when 'uova' then 'uovo'
    when 'dita' then 'dito' when 'braccia' then 'braccio' when 'nozze' then 'matrimonio' else word end;
begin
  return array_remove(pg_catalog.ts_lexize('english_stem', base) || pg_catalog.ts_lexize('italian_stem', base), '');
end
$$;
comment on function private.word_forms is 'The stems of a word in English and in Italian; irregular plurals and pasts have the stem of the base form.';

create function private.misspellings(word text) returns text[] language plpgsql immutable parallel safe strict set search_path = '' as $$
declare
  size constant integer := length(word);
  keys text[] := array[word];
  skeleton text;
begin
  if size not between 4 and 24 or word ~ '[0-9]' then
    return keys;
  end if;
  for i in 1..size loop
    keys := keys || (left(word, i - 1) || substr(word, i + 1));
  end loop;
  if size >= 6 then
    skeleton := regexp_replace(translate(word, 'aeiouy', ''), '(.)\1+', '\1', 'g');
    if length(skeleton) >= 4 then
      keys := keys || ('^' || skeleton);
    end if;
  end if;
  return keys;
end
$$;
comment on function private.misspellings is
  'Keys that two spellings of a word share: without one of its letters, and without vowels and doubled letters. A wrong, missing, additional or swapped letter leaves one in common.';

create function private.search_lexemes(memory uuid, account uuid, class text, value text, name text) returns tsvector
language plpgsql immutable parallel safe strict set search_path = '' as $$
declare
  -- Both "lestate" and "estate" for "l'estate".
  typed constant text := left(value, 100000);
  words constant text[] := array(
    select distinct left(word, 60) from unnest(string_to_array(private.search_key(typed), ' ')
      || case when typed ~ '[''’‘ʼ`´]' then string_to_array(private.search_key(translate(typed, '''’‘ʼ`´', '      ')), ' ') end) word
    where word <> '' limit 12000);
begin
  return coalesce((
    select array_to_tsvector(array_agg(scope || lexeme))
    from unnest(array[left(memory::text, 8) || 'm', left(account::text, 8) || 'o']) scope
    cross join (
      select class || word as lexeme from unnest(words) word
      union select class || unnest(private.word_forms(word)) from unnest(words) word where class <> 'f'
      union select '~' || unnest(private.misspellings(word) || private.word_forms(word)) from unnest(words[:1500]) word where class <> 'f'
      union select 'n' || word from unnest(string_to_array(private.search_key(name), ' ')) word where word <> '') l), '');
end
$$;
comment on function private.search_lexemes is 'What the search index stores of a text, and of the name of a memory.';

create function private.search_texts(of_kind text, ids uuid[] default null)
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
      from public.memory_entries e where ids is null or e.id = any (ids);
    when 'comment' then return query
      select 'comment'::text, c.id, 0::smallint, c.memory_id, 'c'::text, c.body, null::text, ''
      from public.comments c
      left join public.comments p on p.id = c.parent_id
      left join public.media m on m.id = c.media_id
      where (ids is null or c.id = any (ids)) and c.moderation = 'shown' and c.deleted_at is null
        and (p.id is null or p.moderation = 'shown') and (m.id is null or m.moderation = 'shown' and m.state <> 'broken');
    when 'photo' then return query
      select 'photo'::text, m.id, 0::smallint, m.memory_id, 'p'::text, concat_ws(' ', m.caption, m.alt_text), m.taken_at::text, ''
      from public.media m
      where (ids is null or m.id = any (ids)) and m.moderation = 'shown' and m.state <> 'broken'
        and (m.caption <> '' or m.alt_text <> '' or m.taken_at is not null);
    when 'file' then return query
      select 'file'::text, m.id, 0::smallint, m.memory_id, 'f'::text, d.file_name, null::text, ''
      from public.media m join public.media_details d on d.media_id = m.id
      where (ids is null or m.id = any (ids)) and m.moderation = 'shown' and m.state <> 'broken' and d.file_name <> '';
  end case;
end
$$;
comment on function private.search_texts is 'The texts and dates that the search index holds of rows of a kind; without ids, of all.';

create function private.index_for_search(of_kind text, ids uuid[] default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from private.search_entries e where e.row_id = any (ids) and e.kind = of_kind;
  insert into private.search_entries (kind, row_id, part, memory_id, account, class, words, on_date, first_day, last_day, precision, month_day)
  select t.kind, t.row_id, t.part, t.memory_id, m.user_id, t.class, private.search_lexemes(t.memory_id, m.user_id, t.class, t.value, t.name), d.on_date,
    lower(d.span)::date, d.last_day,
    case when d.span is null then null when d.last_day = lower(d.span)::date then 0 when d.last_day - lower(d.span)::date < 32 then 1
      when d.last_day - lower(d.span)::date < 93 then 2 when d.last_day - lower(d.span)::date < 367 then 3 else 4 end,
    substring(d.on_date from '^\d{4}-((?:0\d|1[0-2])(?:-\d\d)?)')
  from private.search_texts(of_kind, ids) t
  join public.memories m on m.id = t.memory_id
  cross join lateral (select t.on_date, private.date_span(t.on_date) as span) s
  cross join lateral (select s.on_date, s.span,
    (upper(s.span) - case when upper_inc(s.span) then interval '0' else interval '1 day' end)::date as last_day) d
  on conflict (row_id, kind, part) do update set memory_id = excluded.memory_id, account = excluded.account, words = excluded.words, on_date = excluded.on_date,
    first_day = excluded.first_day, last_day = excluded.last_day, precision = excluded.precision, month_day = excluded.month_day;
end
$$;
comment on function private.index_for_search is 'Writes the entries of rows of a kind anew; without ids, of all rows, which have none yet.';

-- The arguments are the kind, the key of the table, and the columns whose changes matter.
create function private.follow_in_search() returns trigger language plpgsql security definer set search_path = '' as $$
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
    perform private.index_for_search('comment', c.ids)
    from (select array_agg(id) as ids from public.comments where media_id = any (changed)) c where c.ids is not null;
  elsif kind = 'comment' and tg_op = 'UPDATE' then
    perform private.index_for_search('comment', c.ids)
    from (select array_agg(id) as ids from public.comments where parent_id = any (changed)) c where c.ids is not null;
  end if;
  return null;
end
$$;
comment on function private.follow_in_search is 'Keeps the search index up to date.';

do $$
declare
  followed record;
begin
  for followed in
    select * from (values
      ('memories', 'memory', 'id', 'user_id person_name description birth_date passing_date event_date'),
      ('stories', 'story', 'id', 'memory_id title body moderation'),
      ('memory_entries', 'moment', 'id', 'memory_id on_date title place note'),
      ('comments', 'comment', 'id', 'memory_id media_id parent_id body moderation deleted_at'),
      ('media', 'photo', 'id', 'memory_id caption alt_text taken_at moderation state'),
      ('media_details', 'file', 'media_id', 'memory_id file_name')) f (source, kind, key, columns)
  loop
    execute format('create trigger index_new_%1$s after insert on public.%2$I referencing new table as new_rows
      for each statement execute function private.follow_in_search(%1$L, %3$L)', followed.kind, followed.source, followed.key);
    execute format('create trigger index_changed_%1$s after update on public.%2$I referencing old table as old_rows new table as new_rows
      for each statement execute function private.follow_in_search(%1$L, %3$L, %4$L)', followed.kind, followed.source, followed.key, followed.columns);
    execute format('create trigger index_deleted_%1$s after delete on public.%2$I referencing old table as old_rows
      for each statement execute function private.follow_in_search(%1$L, %3$L)', followed.kind, followed.source, followed.key);
    perform private.index_for_search(followed.kind);
  end loop;
end
$$;

revoke execute on function private.html_text, private.word_forms, private.misspellings, private.search_lexemes,
  private.search_texts, private.index_for_search, private.follow_in_search from public, anon, authenticated, service_role;
