create function storage.access_to(o storage.objects) returns text language sql stable set search_path = '' as $$
  select case when auth.role() = 'service_role' or o.owner_id = auth.uid()::text then 'original' else 'copy' end
$$;
comment on function storage.access_to is
  'What of an object that the caller may see they get: original (its very bytes), copy (without what its maker''s device wrote into it), or view (copies to look at, nothing to save). A product may replace it.';
revoke execute on function storage.access_to from public;
grant execute on function storage.access_to to anon, authenticated, service_role;
