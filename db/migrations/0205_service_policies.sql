-- The service role may read and write every row by policies, like every other caller. Until now it had the attribute BYPASSRLS,
-- which only a superuser may give. A new table with row policies needs this policy, too; a test names a table without it.
do $$
declare
  guarded record;
begin
  for guarded in
    select n.nspname as schema, c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relrowsecurity and n.nspname in ('public', 'storage')
    order by 1, 2
  loop
    execute format('create policy "service" on %I.%I to service_role using (true) with check (true)', guarded.schema, guarded.name);
  end loop;
end
$$;
