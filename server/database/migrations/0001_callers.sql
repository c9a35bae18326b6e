-- The roles of requests, named as on the hosted platform. Roles belong to the whole cluster, so another database on it, or an
-- administrator (server/database/administrator-sql.ts), may already have created them.
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
    -- From PostgreSQL 16 on, whoever creates a role is its member, but may not act as it.
    if not pg_has_role(current_user, wanted, case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end) then
      execute format('grant %I to current_user', wanted);
    end if;
  end loop;
end
$$;

-- Time limits of statements, as on the hosted platform; the server reads and applies them. A limit set by an administrator is
-- kept.
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

-- Each migration grants privileges on its own tables; only the service role always has all. Everybody can execute a new
-- function, whatever the default privileges of its schema are: each migration revokes that for its own functions.
alter default privileges in schema public grant all on tables to service_role;
alter default privileges in schema public grant all on sequences to service_role;
alter default privileges in schema public grant execute on functions to service_role;

create schema request;

create function request.run(role_name text, claims text, statement text, bound text[], read_only boolean default false)
returns table (body text, page bigint, total bigint)
language plpgsql
as $$
begin
  -- Local to the transaction, which consists of this one statement: role and claims end with it.
  perform set_config('role', role_name, true), set_config('request.jwt.claims', claims, true);
  if read_only then
    perform set_config('transaction_read_only', 'on', true);
  end if;
  return query execute statement using bound;
end
$$;
comment on function request.run is
  'Runs one statement with a caller''s role and claims in one round trip. Only the server may call it.';
revoke all on function request.run from public;
