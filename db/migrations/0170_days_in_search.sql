-- The search index holds what every viewer of a memory may see, so a part of the day for members only has no entry in it.
set local check_function_bodies = off;

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

drop trigger index_changed_moment on memory_entries;
create trigger index_changed_moment after update on memory_entries referencing old table as old_rows new table as new_rows
  for each statement execute function private.follow_in_search('moment', 'id', 'memory_id on_date title place note audience');
delete from private.search_entries s using memory_entries e where s.kind = 'moment' and s.row_id = e.id and e.audience <> 'all';
