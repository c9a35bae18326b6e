-- People with an upload-only link need to know for whom or for which day they are asked for photos. They still see nothing
-- that was added.
create function upload_occasion()
returns table (id uuid, kind text, person_name text, birth_date text, passing_date text, event_date text)
language sql stable security definer set search_path = '' as $$
  select m.id, m.kind, m.person_name, m.birth_date, m.passing_date, m.event_date
  from private.open_link() l join public.memories m on m.id = l.memory_id and not m.draft
  where l.rights = 'upload' and m.id <> all ((select private.blocked_memory_ids())::uuid[])
$$;
comment on function upload_occasion is
  'Name and dates of the memory that the caller''s upload-only link adds to; no row for other callers.';
revoke execute on function upload_occasion from public;
grant execute on function upload_occasion to anon, authenticated;
