set local check_function_bodies = off;

-- Policies of other tables ask whether the caller owns a memory. They read a view, so that the policies of memories are not part
-- of each of their statements.
create view private.own_memories as
  select m.id from public.memories m
  where m.user_id = (select auth.uid()) and m.deleted_at is null and (select private.has_required_aal());
comment on view private.own_memories is
  'Ids of the caller''s memories that are not in the trash; none until the session has the required AAL. It has the rights of its owner, and only policies read it.';
revoke all on private.own_memories from public, anon, authenticated, service_role;
grant select on private.own_memories to authenticated;

do $$
declare
  changed record;
  previous constant text := 'FROM (?:public\.)?memories own\s+WHERE \(\(own\.id = (\S+)\) AND \(own\.user_id = \( SELECT auth\.uid\(\) AS uid\)\)\)';
  next constant text := 'FROM private.own_memories own WHERE (own.id = \1)';
begin
  for changed in
    select format('%I on %I.%I', p.policyname, p.schemaname, p.tablename) as policy,
      regexp_replace(p.qual, previous, next, 'g') as readable, regexp_replace(p.with_check, previous, next, 'g') as writable
    from pg_policies p where p.qual ~ 'memories own' or p.with_check ~ 'memories own'
  loop
    execute concat_ws(' ', 'alter policy', changed.policy, 'using (' || changed.readable || ')', 'with check (' || changed.writable || ')');
  end loop;
  if exists (select from pg_policies p where concat(p.qual, p.with_check) ~ '[^_]memories own') then
    raise exception 'A policy that reads own memories was not changed';
  end if;
end
$$;

-- A request without a filter reads the memories that the caller sees by their indexes. An "or" of indexed conditions does this, but
-- the planner would expect that it leaves very few rows, multiply this with the request's own filter, and read and sort all
-- memories of an owner instead of twenty in the order of an index. The last condition is never true and costs nothing, because
-- nothing is less than null: it makes the planner expect about half of all rows. The function is never called: its stated
-- cost makes reading the whole table the most expensive plan. docs/decisions/0118-memories-by-index.md.
create function private.is_expected(memory uuid) returns boolean language plpgsql immutable parallel safe cost 200 as $$
begin
  return false;
end
$$;
comment on function private.is_expected is 'Never called. Its cost tells the planner that testing a memory without an index is expensive.';
revoke execute on function private.is_expected from public, service_role;
grant execute on function private.is_expected to anon, authenticated;

alter policy "viewers read" on memories using (
  user_id = (select auth.uid()) or id = any ((select private.shared_memory_ids('view'))::uuid[])
  or (id < (select null::uuid) or id > (select null::uuid)) and private.is_expected(id) is not null);
alter policy "visitors read" on memories using (
  id = any ((select private.shared_memory_ids('view'))::uuid[])
  or id < (select null::uuid) and private.is_expected(id) is not null);
