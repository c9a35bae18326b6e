set local check_function_bodies = off;

-- Attempts at PINs, counted across all processes and restarts. They are kept by share id and not by link, so that guesses at
-- links that do not exist are counted and answered in the same way.
create table private.share_attempts (
  key text primary key,
  failures integer not null default 0 check (failures >= 0),
  locked_until timestamptz,
  forget_at timestamptz not null
);
comment on table private.share_attempts is
  'Failed attempts by secret ("secret:" and a digest of its hash), by link without a secret ("link:" and its share id) and by address ("address:" and a keyed hash).';
comment on column private.share_attempts.failures is
  'Failed attempts, including those in progress: an attempt is counted before it is checked.';
comment on column private.share_attempts.forget_at is 'The row may be deleted after this time.';
create index share_attempts_forget_at on private.share_attempts (forget_at);

-- People who contribute through a link without an account. They have a name, and keys that only their browser and their
-- emails contain.
create table guests (
  id uuid primary key default gen_random_uuid(),
  link_id uuid not null references share_links on delete cascade,
  name text not null check (name ~ '\S' and length(name) <= 100 and name !~ '[[:cntrl:]]'),
  email text check (length(email) <= 320 and email !~ '[[:cntrl:]]'),
  language text not null default 'en',
  time_zone text not null default 'UTC' check (length(time_zone) <= 100),
  site text not null default '',
  created_at timestamptz not null default now(),
  last_seen timestamptz not null default now(),
  blocked_at timestamptz
);
comment on table guests is
  'People without an account who entered their name at a link. Visible to the link''s managers and to themselves; deleted with the link.';
comment on column guests.email is 'Address for receipts, not confirmed. Visible only to the guest.';
comment on column guests.site is 'The address of the site they used, for links in their emails.';
comment on column guests.last_seen is 'When they last opened the link.';
comment on column guests.blocked_at is 'From this time on they have no rights.';
create index guests_link_id on guests (link_id, created_at);
alter table guests enable row level security;

create table private.guest_keys (
  hash text primary key,
  guest_id uuid not null references guests on delete cascade,
  created_at timestamptz not null default now()
);
comment on table private.guest_keys is
  'Hashes of the keys that identify a guest: a secret in their browser, keyed by the server, and the tokens in their emails.';
create index guest_keys_guest_id on private.guest_keys (guest_id);
alter table private.guest_keys enable row level security;

-- Without its own search path, so that it can be inlined.
create function private.secret_attempts_key(hash text) returns text language sql stable as $$
  select 'secret:' || pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(hash, 'UTF8')), 'hex')
$$;

create function private.share_lock(failures integer, allowance integer) returns interval
language sql immutable set search_path = '' as $$
  select case when failures >= allowance then (array[
    interval '5 minutes', interval '15 minutes', interval '1 hour', interval '4 hours', interval '24 hours'
  ])[least(failures - allowance + 1, 5)] end
$$;
comment on function private.share_lock is 'How long the last of this many failed attempts locks; null while attempts are left.';

-- Locks the row until the transaction ends, so that attempts with the same key run one after the other.
create function private.hold_share_attempts(wanted text) returns private.share_attempts
language sql volatile set search_path = '' as $$
  insert into private.share_attempts as known (key, forget_at) values (wanted, clock_timestamp() + interval '1 day')
  on conflict (key) do update set
    failures = case when known.forget_at > clock_timestamp() then known.failures else 0 end,
    locked_until = case when known.locked_until > clock_timestamp() then known.locked_until end
  returning *
$$;

-- Links that share a secret, such as a memory's first link and its cards, have the same hash: failed attempts at any of them
-- count together. A secret that is set separately has a hash of its own, because its salt is random.
create function private.share_attempts_key(share text) returns text
language plpgsql stable set search_path = '' as $$
begin
  return coalesce(
    (select private.secret_attempts_key(p.hash) from public.share_links l join public.share_pins p on p.link_id = l.id
      where l.share_id = share),
    'link:' || share);
end
$$;
comment on function private.share_attempts_key is
  'The key under which attempts at a link are counted: by its secret, otherwise by its share id. Unknown links use the latter.';

create function private.links_of_one_secret(share text) returns setof uuid
language sql stable set search_path = '' as $$
  select id from public.share_links where share_id = share
  union
  select other.link_id from public.share_links l join public.share_pins own on own.link_id = l.id
  join public.share_pins other on other.hash = own.hash where l.share_id = share
$$;
comment on function private.links_of_one_secret is 'The link with this share id, and all other links with the same secret.';

create function private.begin_share_attempt(share text, address text)
returns table (allowed boolean, tries_left integer, locked_until timestamptz)
language plpgsql security definer set search_path = '' as $$
declare
  link_allowance constant integer := 5;
  -- Higher, so that one visitor does not lock out everybody behind the same router.
  address_allowance constant integer := 20;
  by_address private.share_attempts;
  by_link private.share_attempts;
begin
  -- Always locks the address first, so that two attempts cannot deadlock. A locked address creates no row for the link, so
  -- invented share ids do not fill the table.
  by_address := private.hold_share_attempts('address:' || address);
  if by_address.locked_until is not null then
    return query select false, 0, by_address.locked_until;
    return;
  end if;
  by_link := private.hold_share_attempts(private.share_attempts_key(share));
  if by_link.locked_until is not null then
    return query select false, 0, by_link.locked_until;
    return;
  end if;

  update private.share_attempts a set failures = a.failures + 1, forget_at = clock_timestamp() + interval '1 day',
    locked_until = clock_timestamp() + private.share_lock(a.failures + 1, address_allowance)
    where a.key = by_address.key returning a.* into by_address;
  update private.share_attempts a set failures = a.failures + 1, forget_at = clock_timestamp() + interval '7 days',
    locked_until = clock_timestamp() + private.share_lock(a.failures + 1, link_allowance)
    where a.key = by_link.key returning a.* into by_link;
  update public.share_links l set locked_until = by_link.locked_until
    where l.id in (select private.links_of_one_secret(share)) and l.locked_until is distinct from by_link.locked_until;

  -- Each attempt adds at most two rows and removes ten. Rows locked by others are skipped.
  delete from private.share_attempts where key in (
    select a.key from private.share_attempts a where a.forget_at < clock_timestamp()
    order by a.forget_at limit 10 for update skip locked
  );
  return query select true,
    greatest(0, least(link_allowance - by_link.failures, address_allowance - by_address.failures)),
    greatest(by_link.locked_until, by_address.locked_until);
end
$$;
comment on function private.begin_share_attempt is
  'Counts an attempt at a PIN before it is checked, so that parallel guesses are counted as well. If not allowed, nothing was counted and nothing may be checked.';

create function private.refund_share_attempt(share text, address text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  -- Only its own count: knowing one PIN does not clear failed attempts, here or at other links. A lock that exists now was
  -- set by this attempt, or by one that would not have reached the limit without it.
  update private.share_attempts set failures = greatest(failures - 1, 0), locked_until = null
    where key = 'address:' || address;
  update private.share_attempts set failures = greatest(failures - 1, 0), locked_until = null
    where key = private.share_attempts_key(share);
  update public.share_links set locked_until = null
    where id in (select private.links_of_one_secret(share)) and locked_until is not null;
end
$$;
comment on function private.refund_share_attempt is 'Removes the count of a correct attempt.';

create function private.reset_share_attempts() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- The count is kept while another link still has the old secret.
  if tg_op <> 'INSERT' and not exists (select from public.share_pins where hash = old.hash) then
    delete from private.share_attempts where key = private.secret_attempts_key(old.hash);
  end if;
  return null;
end
$$;
-- Before renew_link: like private.begin_share_attempt, it locks the counts first and the link second.
create trigger t10_reset_share_attempts after insert or update or delete on share_pins
  for each row execute function private.reset_share_attempts();

create function private.name_of_author(person uuid, guest uuid) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce((select g.name from public.guests g where g.id = guest), private.name_of(person))
$$;

create function private.register_guest(
  of_link uuid, of_version integer, hashes text[], as_name text, at_email text, in_language text, in_zone text, at_site text
) returns setof public.guests language plpgsql security definer set search_path = '' as $$
declare
  link public.share_links;
  found uuid;
begin
  -- Locks the link, so that the number of guests per day is exact and one key creates one guest.
  select * into link from public.share_links l where l.id = of_link for no key update;
  if link.id is null or link.version <> of_version or link.revoked_at is not null or link.expires_at <= now() then
    raise exception 'This link is not open any more.' using errcode = 'PT410', hint = 'revoked';
  end if;
  if link.rights = 'view' then
    raise exception 'This link is for looking only.' using errcode = 'PT403', hint = 'view_only';
  end if;
  select g.id into found from public.guests g join private.guest_keys k on k.guest_id = g.id
  where k.hash = any (hashes) and g.link_id = of_link;
  if found is null then
    if (select count(*) from public.guests g where g.link_id = of_link and g.created_at > now() - interval '1 day') >= 300 then
      raise exception 'Too many people have signed here today.' using errcode = 'PT429', hint = 'too_many_guests';
    end if;
    insert into public.guests (link_id, name, email, language, time_zone, site)
    values (of_link, as_name, at_email, in_language, in_zone, at_site) returning id into found;
    insert into private.guest_keys (hash, guest_id) values (hashes[1], found);
  else
    update public.guests g set name = as_name, email = at_email, language = in_language, time_zone = in_zone,
      site = at_site, last_seen = now()
    where g.id = found and g.blocked_at is null;
  end if;
  return query select * from public.guests g where g.id = found and g.blocked_at is null;
end
$$;
comment on function private.register_guest is
  'Registers a guest at a link under a key, or updates the name of the guest that the key belongs to. The hash for a new key comes first in the list. Returns no row for a blocked guest. Only the server calls it.';

create function private.known_guest(of_link uuid, hashes text[]) returns setof public.guests
language sql volatile security definer set search_path = '' as $$
  update public.guests g set last_seen = now() from private.guest_keys k
  where k.guest_id = g.id and k.hash = any (hashes) and g.link_id = of_link and g.blocked_at is null
  returning g.*
$$;
comment on function private.known_guest is 'The guest of a link who has one of these keys. Updates when they were last seen.';

create function private.rate_limit_guest(in_table text, most integer) returns void language plpgsql security definer set search_path = '' as $$
declare
  many integer;
begin
  execute format('select count(*) from public.%I where guest_id = $1 and created_at > now() - interval ''1 hour''', in_table)
    into many using private.guest_id();
  if many >= most then
    raise exception 'So much was written within an hour that the next has to wait a little.' using errcode = 'PT429', hint = 'too_fast';
  end if;
end
$$;
comment on function private.rate_limit_guest is 'Refuses if a guest has written this many rows within an hour.';

revoke execute on all functions in schema private from public;
