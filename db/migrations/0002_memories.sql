-- Text a person wrote as HTML. The server sanitises every value on its way into a column of this type; the check
-- stands behind it for any other way in. It looks inside tags only: prose may say "only = 3" or "javascript:".
create domain html as text
  constraint no_active_tag check (value !~* '<(script|i?frame|frameset|object|embed|applet|style|link|meta|base|form|svg|math|template)\M')
  constraint no_handler check (value !~* '<[^>]*[\s/"'']on\w+\s*=')
  constraint no_odd_address check (value !~* '<[^>]*[\s/"''](href|src|srcset|srcdoc|action|formaction|data|poster|background)\s*=(?!"(https?:|mailto:))');

-- 22 characters of base 62 carry 130 bits: a link can not be guessed.
create function private.new_share_id() returns text language plpgsql volatile set search_path = '' as $$
declare
  alphabet constant text := '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  random bytea;
  made text := '';
begin
  while length(made) < 22 loop
    random := uuid_send(gen_random_uuid());
    -- Bytes 6 and 8 of a version 4 UUID are partly fixed; values over 247 would favour the first letters.
    for i in 9..15 loop
      if get_byte(random, i) < 248 and length(made) < 22 then
        made := made || substr(alphabet, get_byte(random, i) % 62 + 1, 1);
      end if;
    end loop;
  end loop;
  return made;
end
$$;

-- A date as exactly as it is known, in the notation of ISO 8601-2 (EDTF); shared/approximate-date.ts has the same rules.
-- 1962-07-14, 1962-07 (July), 1962-22 (summer; 21 is spring), 1962, 196X (the 1960s), each with ~ where it is approximate.
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
comment on function private.date_span is 'The time in which an approximate date lies; null for a text that is none, as 31 February.';

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
  'A text by which approximate dates sort: at their earliest moment, the wider first, and "about" after the same date without it.';

create function private.is_certainly_before(a text, b text) returns boolean language sql immutable parallel safe set search_path = '' as $$
  select coalesce(a not like '%~' and b not like '%~' and private.date_span(a) << private.date_span(b), false)
$$;

create domain approximate_date as text collate "C"
  constraint is_a_date check (value is null or private.date_span(value) is not null and value not like '%T%');
create domain approximate_time as text collate "C"
  constraint is_a_date check (value is null or private.date_span(value) is not null);
comment on domain approximate_date is 'A date in no time zone, as exactly as it is known, in the notation of ISO 8601-2 (EDTF).';
comment on domain approximate_time is 'The same, or the clock where it was, as 2024-07-14T16:05:09.';

create table memories (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users on delete cascade,
  kind text not null default 'tribute' check (kind in ('tribute', 'event')),
  person_name text not null default '' check (length(person_name) <= 200),
  description html not null default '' check (length(description) <= 200000),
  birth_date approximate_date,
  passing_date approximate_date,
  event_date approximate_date,
  draft boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint named_once_published check (draft or length(btrim(person_name)) > 0),
  constraint dates_in_order check (not private.is_certainly_before(passing_date, birth_date)),
  -- What closes to others when a memory is withdrawn closes when it is deleted, by the same rules.
  constraint closed_while_deleted check (draft or deleted_at is null)
);
comment on table memories is 'A tribute to a person or a collection of an event. Seen by its owner, and by whom a share link lets in.';
comment on column memories.person_name is 'Whom the tribute is to, or what the event is called.';
comment on column memories.draft is 'True while its owner is still making it; photos may already arrive. A draft has no link that opens.';
comment on column memories.deleted_at is 'When it was moved to the trash; no caller sees the row until it is restored.';
create index memories_user_id on memories (user_id, created_at desc, id);
-- Whether all of somebody's memories are events.
create index memories_kind on memories (user_id, kind);
-- Row policies read from this index alone whether a memory is the caller's own.
create index memories_own on memories (user_id, id) where deleted_at is null;
create trigger touch_updated_at before update on memories for each row execute function private.touch_updated_at();

create table share_links (
  id uuid primary key default gen_random_uuid(),
  memory_id uuid not null references memories on delete cascade,
  share_id text not null unique default private.new_share_id(),
  is_first boolean not null default false,
  shared_at timestamptz default now(),
  version integer not null default 1,
  has_pin boolean not null default false,
  locked_until timestamptz,
  created_at timestamptz not null default now()
);
comment on table share_links is 'A way in to a memory for whoever holds the link. Only the memory''s owner sees it as a row.';
comment on column share_links.share_id is 'The identifier in /shared/{shareId}. Nobody but the managers may read it.';
comment on column share_links.is_first is 'Whether it was made with its memory, whose share_id it is.';
comment on column share_links.shared_at is
  'When a manager shared it. Until then it opens nothing: a first link is made by the server and wished for by nobody.';
comment on column share_links.version is 'Raised by every change of what the link opens; tokens and media URLs made under an older one are dead.';
comment on column share_links.locked_until is 'Set while wrong PINs keep the link shut.';
create index share_links_memory_id on share_links (memory_id, created_at, id);
create unique index one_first_link on share_links (memory_id) where is_first;

create table share_pins (
  link_id uuid primary key references share_links on delete cascade,
  -- The cost is part of a hash: a dearer one, written past the server, would make every try at it a burden.
  hash text not null check (hash ~ '^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$')
);
comment on table share_pins is 'The PIN of a link, as a keyed argon2id hash that no caller can read. No row, no PIN.';

-- The link refers to the memory and is made after it, but `returning share_id` is read before: until then the identifier is in
-- a setting of the transaction.
create function private.choose_share_id() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform set_config('skies.share_ids', (coalesce(nullif(current_setting('skies.share_ids', true), ''), '{}')::jsonb
    || jsonb_build_object(new.id, private.new_share_id()))::text, true);
  return new;
end
$$;
create trigger choose_share_id before insert on memories for each row execute function private.choose_share_id();

create function private.make_first_link() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.share_links (memory_id, share_id, is_first, shared_at)
  values (new.id, current_setting('skies.share_ids')::jsonb ->> new.id::text, true, null);
  return null;
end
$$;
create trigger make_first_link after insert on memories for each row execute function private.make_first_link();

-- No column: a policy withholds rows, and viewers read the row of a memory. It runs as its caller, who reads links as a manager only.
create function share_id(memory memories) returns text language sql stable set search_path = '' as $$
  select coalesce(
    (select l.share_id from public.share_links l where l.memory_id = memory.id and l.is_first),
    nullif(current_setting('skies.share_ids', true), '')::jsonb ->> memory.id::text)
$$;
comment on function share_id is 'The identifier of a memory''s first link, as a computed column; null for everyone but its managers.';

create function private.renew_link() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.share_links
  set version = version + 1, locked_until = null,
    has_pin = exists (select from public.share_pins where link_id = coalesce(new.link_id, old.link_id))
  where id = coalesce(new.link_id, old.link_id);
  return null;
end
$$;
create trigger renew_link after insert or update or delete on share_pins
  for each row execute function private.renew_link();

-- Membership as arrays, read once a statement: a memory with 2,000 photos costs one check, by index.
create function private.owned_memory_ids() returns uuid[] language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(id), '{}') from public.memories where user_id = auth.uid()
$$;
create function private.shared_memory_ids(to_do text) returns uuid[] language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(l.memory_id), '{}')
  from public.share_links l join public.memories m on m.id = l.memory_id and not m.draft
  where l.id = (auth.jwt() -> 'share' ->> 'link')::uuid and l.version = (auth.jwt() -> 'share' ->> 'version')::integer
$$;
revoke execute on all functions in schema private from public;
revoke execute on function share_id from public;
grant execute on function share_id to authenticated, service_role;
grant execute on function private.owned_memory_ids, private.shared_memory_ids to anon, authenticated, service_role;
-- Column defaults run as whoever inserts.
grant execute on function private.new_share_id to authenticated, service_role;
-- So do the checks of domains and tables.
grant execute on function private.date_span, private.date_order, private.is_certainly_before to anon, authenticated, service_role;

alter table memories enable row level security;
grant select on memories to anon, authenticated;
grant insert (id, kind, person_name, description, birth_date, passing_date, event_date, draft),
  update (kind, person_name, description, birth_date, passing_date, event_date, draft), delete on memories to authenticated;
-- A case and not an "or": the planner multiplies the odds of an "or" with those of the list's own condition, takes twenty
-- memories of one owner for a single row, and reads and sorts all that the owner has.
create policy "whoever may see it" on memories for select to anon, authenticated
  using (case when user_id = (select auth.uid()) then true else id = any ((select private.shared_memory_ids('view'))::uuid[]) end);
create policy "its owner adds" on memories for insert to authenticated with check (user_id = (select auth.uid()));
create policy "its owner changes" on memories for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "its owner deletes" on memories for delete to authenticated using (user_id = (select auth.uid()));

alter table share_links enable row level security;
grant select on share_links to authenticated;
create policy "the memory's owner" on share_links for select to authenticated
  using (memory_id = any ((select private.owned_memory_ids())::uuid[]));

alter table share_pins enable row level security;
grant select (link_id), insert (link_id, hash), update (hash), delete on share_pins to authenticated;
create policy "the memory's owner" on share_pins to authenticated
  using (exists (select from share_links l where l.id = link_id)) with check (exists (select from share_links l where l.id = link_id));

alter publication supabase_realtime add table memories, share_links;
