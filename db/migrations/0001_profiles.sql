create schema private;
comment on schema private is 'What policies and triggers use and no request can call or read by itself.';
grant usage on schema private to anon, authenticated, service_role;

create table profiles (
  id uuid primary key references auth.users on delete cascade,
  full_name text not null default '' check (length(full_name) <= 200),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table profiles is 'What a person tells about themselves. Visible to nobody else.';
alter table profiles enable row level security;
grant select, update (full_name) on profiles to authenticated;
create policy "own profile" on profiles to authenticated
  using (id = (select auth.uid())) with check (id = (select auth.uid()));

create function private.touch_updated_at() returns trigger language plpgsql set search_path = '' as $$
begin
  new.updated_at = now();
  return new;
end
$$;
create trigger touch_updated_at before update on profiles for each row execute function private.touch_updated_at();

-- An account's own data may come from anyone who signs up, so a name too long for a profile is cut rather than refused.
create function private.keep_profile() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.profiles as known (id, full_name)
  values (new.id, left(coalesce(new.raw_user_meta_data ->> 'full_name', ''), 200))
  on conflict (id) do update set full_name = excluded.full_name where known.full_name <> excluded.full_name;
  return null;
end
$$;
create trigger keep_profile after insert or update of raw_user_meta_data on auth.users
  for each row execute function private.keep_profile();

-- Functions are born executable by everybody, whatever a schema's default privileges say.
revoke execute on all functions in schema private from public;
