-- "null and f(x)" calls the function, because its answer decides between null and false; so it was called for each row that
-- the conditions before did not allow. In a case that is never reached it has the same cost for the planner, and is not called.
alter policy "viewers read" on memories using (
  user_id = (select auth.uid()) or id = any ((select private.shared_memory_ids('view'))::uuid[])
  or (id < (select null::uuid) or id > (select null::uuid)) and case when (select false) then private.is_expected(id) end is not null);
alter policy "visitors read" on memories using (
  id = any ((select private.shared_memory_ids('view'))::uuid[])
  or id < (select null::uuid) and case when (select false) then private.is_expected(id) end is not null);
