-- Functions refer to tables of later files. A test checks every body once all tables exist (tests/policies/schema.test.ts).
set local check_function_bodies = off;

-- PostgreSQL runs the triggers of one table and event in the order of their names. Where the order matters they are numbered:
-- t10_…, t20_…. The letter puts them after the checks of foreign keys, whose triggers are named RI_….

create schema private;
comment on schema private is
  'Functions that policies and triggers use. No request can call them or read these tables directly.';
grant usage on schema private to anon, authenticated, service_role;

-- HTML that a person wrote. The server sanitises every value that it writes to a column of this type; the check protects
-- against any other writer. It looks inside tags only: prose may say "only = 3" or "javascript:".
create domain html as text
  constraint no_active_tag check (value !~* '<(script|i?frame|frameset|object|embed|applet|style|link|meta|base|form|svg|math|template)\M')
  constraint no_handler check (value !~* '<[^>]*[\s/"'']on\w+\s*=')
  constraint no_odd_address check (value !~* '<[^>]*[\s/"''](href|src|srcset|srcdoc|action|formaction|data|poster|background)\s*=(?!"(https?:|mailto:))');

create function private.touch_updated_at() returns trigger language plpgsql set search_path = '' as $$
begin
  new.updated_at = now();
  return new;
end
$$;

-- A date with the precision that is known, in the notation of ISO 8601-2 (EDTF); shared/approximate-date.ts has the same
-- rules. 1962-07-14, 1962-07 (July), 1962-22 (summer; 21 is spring), 1962, 196X (the 1960s), each with ~ if it is
-- approximate.
create function private.date_span(value text) returns tsrange language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  parts constant text[] := regexp_match(value,
    '^(\d{3})([\dX])(?:-(\d\d)(?:-(\d\d)(?:T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d))?)?)?~?$');
  first_year constant integer := (parts[1] || replace(parts[2], 'X', '0'))::integer;
  month integer := parts[3]::integer;
  day constant integer := parts[4]::integer;
  since timestamp;
  until timestamp;
begin
  if parts is null or first_year = 0 or parts[2] = 'X' and month is not null then
    return null;
  end if;
  if month is null then
    since := make_timestamp(first_year, 1, 1, 0, 0, 0);
    return tsrange(since, since + case parts[2] when 'X' then interval '10 years' else interval '1 year' end);
  end if;
  if month between 21 and 24 and day is null then
    since := make_timestamp(first_year, (month - 20) * 3, 1, 0, 0, 0);
    return tsrange(since, since + interval '3 months');
  end if;
  if month not between 1 and 12 then
    return null;
  end if;
  since := make_timestamp(first_year, month, 1, 0, 0, 0);
  until := since + interval '1 month';
  if day is null then
    return tsrange(since, until);
  end if;
  since := since + make_interval(days => day - 1);
  if day = 0 or since >= until then
    return null;
  end if;
  if parts[5] is null then
    return tsrange(since, since + interval '1 day');
  end if;
  since := since + parts[5]::time;
  return tsrange(since, since, '[]');
end
$$;
comment on function private.date_span is
  'The period that an approximate date covers. Null if the text is not a date, for example 31 February.';

create function private.date_order(value text) returns text language sql immutable strict parallel safe set search_path = '' as $$
  select case when parts is not null then
    parts[1] || replace(parts[2], 'X', '0')
      || '-' || coalesce(case when parts[3] > '20' then lpad(((parts[3]::integer - 20) * 3)::text, 2, '0') else parts[3] end, '01')
      || '-' || coalesce(parts[4], '01') || 'T' || coalesce(parts[5], '00:00:00') || ' '
      || case when parts[2] = 'X' then 0 when parts[3] is null then 1 when parts[3] > '20' then 2 when parts[4] is null then 3
           when parts[5] is null then 4 else 5 end
      || case when value like '%~' then 1 else 0 end
  end
  from regexp_match(value, '^(\d{3})([\dX])(?:-(\d\d)(?:-(\d\d)(?:T(\d\d:\d\d:\d\d))?)?)?~?$') parts
$$;
comment on function private.date_order is
  'A sort key for approximate dates: by the earliest moment, then the longer period first, then the date without ~ first.';

create function private.is_certainly_before(a text, b text) returns boolean language sql immutable parallel safe set search_path = '' as $$
  select coalesce(a not like '%~' and b not like '%~' and private.date_span(a) << private.date_span(b), false)
$$;

create function private.own_address() returns text
language sql stable security definer set search_path = '' as $$
  select lower(u.email) from auth.users u where u.id = auth.uid() and u.email_confirmed_at is not null
$$;
comment on function private.own_address is
  'The confirmed email address of the signed-in person as it is now, which may differ from the one in their token.';

create function private.is_admin() returns boolean language sql stable security definer set search_path = '' as $$
  select coalesce(auth.jwt() -> 'app_metadata' ->> 'role' = 'admin', false) and private.has_required_aal()
$$;
comment on function private.is_admin is
  'Whether the caller is an administrator: their token has the role, and the session has the required authentication level.';

-- PostgreSQL lets everybody execute a new function, whatever the default privileges of its schema are.
revoke execute on all functions in schema private from public;
-- The checks of domains and tables run as the caller who writes.
grant execute on function private.date_span, private.date_order, private.is_certainly_before
  to anon, authenticated, service_role;
grant execute on function private.own_address to authenticated;
grant execute on function private.is_admin to authenticated, service_role;

create domain approximate_date as text collate "C"
  constraint is_a_date check (value is null or private.date_span(value) is not null and value not like '%T%');
create domain approximate_time as text collate "C"
  constraint is_a_date check (value is null or private.date_span(value) is not null);
comment on domain approximate_date is
  'A calendar date without a time zone, with the precision that is known, in the notation of ISO 8601-2 (EDTF).';
comment on domain approximate_time is
  'As approximate_date, optionally with the local time of day, for example 2024-07-14T16:05:09.';
