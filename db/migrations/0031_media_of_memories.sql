-- `select=media`: the entries of a memory as one list. Runs as its caller, who reads of `media` what its policies allow;
-- `select=media(…)` embeds the table as before.
create function media(memory memories) returns jsonb language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('type', m.type, 'size', m.size) order by m.created_at, m.id), '[]')
  from public.media m where m.memory_id = memory.id
$$;
comment on function media is
  'The photos and videos of a memory, each with its type and its size in bytes, as a computed column.';
revoke execute on function media from public, anon, authenticated;
grant execute on function media to anon, authenticated;
