-- The roles that requests run as, under the hosted platform's names. Roles belong to the whole cluster, so another
-- database on it may already have made them.
do $$
declare
  wanted text;
begin
  foreach wanted in array array['anon', 'authenticated', 'service_role'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      begin
        execute format('create role %I nologin noinherit', wanted);
      exception when duplicate_object or unique_violation then
        null;
      end;
    end if;
    if not pg_has_role(current_user, wanted, 'member') then
      execute format('grant %I to current_user', wanted);
    end if;
  end loop;
  if not (select rolbypassrls from pg_roles where rolname = 'service_role') then
    alter role service_role bypassrls;
  end if;
end
$$;

-- How long a statement of each may take, as on the hosted platform; the server reads and applies it. An administrator's
-- own limit stays.
do $$
declare
  wanted record;
begin
  for wanted in select * from (values ('anon', '3s'), ('authenticated', '8s')) as limits (role, time) loop
    if not exists (
      select from pg_roles, unnest(rolconfig) as setting
      where rolname = wanted.role and setting like 'statement\_timeout=%'
    ) then
      execute format('alter role %I set statement_timeout = %L', wanted.role, wanted.time);
    end if;
  end loop;
end
$$;

revoke create on schema public from public;
grant usage on schema public to anon, authenticated, service_role;

-- Grants are said table by table in its own migration; only the service may always do everything. Functions are born
-- executable by everybody, which no schema's default takes back: each migration revokes that for its own.
alter default privileges in schema public grant all on tables to service_role;
alter default privileges in schema public grant all on sequences to service_role;
alter default privileges in schema public grant execute on functions to service_role;

create schema request;

create function request.run(role_name text, claims text, statement text, bound text[], read_only boolean default false)
returns table (body text, page bigint, total bigint)
language plpgsql
as $$
begin
  -- Local to the transaction, which is this one statement: role and claims end with it.
  perform set_config('role', role_name, true), set_config('request.jwt.claims', claims, true);
  if read_only then
    perform set_config('transaction_read_only', 'on', true);
  end if;
  return query execute statement using bound;
end
$$;
comment on function request.run is
  'Runs one statement with a caller''s role and claims, all in one round trip. Only the server itself may call it.';
revoke all on function request.run from public;
