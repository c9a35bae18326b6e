-- Which tables tell of their changes: those in the publication, as on the hosted platform.
create schema realtime;

do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end
$$;
