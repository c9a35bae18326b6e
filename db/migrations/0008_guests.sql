set local check_function_bodies = off;

-- Tries at PINs, counted where every process sees them and a restart does not forget them. Kept by share id rather
-- than by link, so that guessing at a link that does not exist is answered, counted and slowed in just the same way.
create table private.share_attempts (
  key text primary key,
  failures integer not null default 0 check (failures >= 0),
  locked_until timestamptz,
  forget_at timestamptz not null
);
comment on table private.share_attempts is
  'Wrong PINs by secret ("secret:" and a digest of its hash), by link without one ("link:" and its share id) and by address ("address:" and a keyed hash).';
comment on column private.share_attempts.failures is 'Wrong tries, and those under way: a try is counted before it is checked.';
comment on column private.share_attempts.forget_at is 'From then on the row means nothing and may go.';
create index share_attempts_forget_at on private.share_attempts (forget_at);

-- Whoever adds to a memory by its link without an account: a name, and keys that only they and their letters know.
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
  'People without an account who signed a link with their name. Seen by the link''s managers, and each by themselves; they go with the link.';
comment on column guests.email is 'Where their receipts go, as they gave it: nobody has confirmed it. Seen by themselves alone.';
comment on column guests.site is 'The address of the site they signed at, where their letters lead back to.';
comment on column guests.last_seen is 'When they last came by the link.';
comment on column guests.blocked_at is 'From then on they are nobody here.';
create index guests_link_id on guests (link_id, created_at);
alter table guests enable row level security;

create table private.guest_keys (
  hash text primary key,
  guest_id uuid not null references guests on delete cascade,
  created_at timestamptz not null default now()
);
comment on table private.guest_keys is
  'Hashes of what proves somebody to be a guest: the secret of their browser, keyed by the server, and those of their letters.';
create index guest_keys_guest_id on private.guest_keys (guest_id);
alter table private.guest_keys enable row level security;

-- Without a search path of its own it is inlined.
create function private.secret_attempts_key(hash text) returns text language sql stable as $$
  select 'secret:' || pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(hash, 'UTF8')), 'hex')
$$;

create function private.share_lock(failures integer, allowance integer) returns interval
language sql immutable set search_path = '' as $$
  select case when failures >= allowance then (array[
    interval '5 minutes', interval '15 minutes', interval '1 hour', interval '4 hours', interval '24 hours'
  ])[least(failures - allowance + 1, 5)] end
$$;
comment on function private.share_lock is 'How long the last of so many wrong tries locks; null while tries are left.';

-- Takes the row's lock until the transaction ends: the tries at one key go through one by one.
create function private.hold_share_attempts(wanted text) returns private.share_attempts
language sql volatile set search_path = '' as $$
  insert into private.share_attempts as known (key, forget_at) values (wanted, clock_timestamp() + interval '1 day')
  on conflict (key) do update set
    failures = case when known.forget_at > clock_timestamp() then known.failures else 0 end,
    locked_until = case when known.locked_until > clock_timestamp() then known.locked_until end
  returning *
$$;

-- Links that have one secret, as a memory's first link and its cards have, hold the same hash: wrong tries at any of
-- them count together. A secret set by itself has a hash of its own, as its salt is random.
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
  'Under which key tries at a link are counted: by its secret, else by its share id. Unknown links have the latter.';

create function private.links_of_one_secret(share text) returns setof uuid
language sql stable set search_path = '' as $$
  select id from public.share_links where share_id = share
  union
  select other.link_id from public.share_links l join public.share_pins own on own.link_id = l.id
  join public.share_pins other on other.hash = own.hash where l.share_id = share
$$;
comment on function private.links_of_one_secret is 'The link of this share id, and all others that have the same secret.';

create function private.begin_share_attempt(share text, address text)
returns table (allowed boolean, tries_left integer, locked_until timestamptz)
language plpgsql security definer set search_path = '' as $$
declare
  link_allowance constant integer := 5;
  -- Larger, so that one forgetful guest does not lock out everybody behind the same router.
  address_allowance constant integer := 20;
  by_address private.share_attempts;
  by_link private.share_attempts;
begin
  -- Always the address first: two tries can not wait for each other. A locked address makes no row for the link, so
  -- inventing share ids does not fill the table.
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

  -- Each try adds two rows at most and removes ten. Rows that others hold are skipped, never waited for.
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
  'Counts a try at a PIN before it is checked, so that guesses sent together can not pass together. Not allowed: nothing was counted and nothing may be checked.';

create function private.refund_share_attempt(share text, address text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  -- Its own count only: whoever knows one PIN can not wash away wrong tries, here or at other links. A lock that
  -- stands now was set by this very try, or by one that would not have reached the allowance without it.
  update private.share_attempts set failures = greatest(failures - 1, 0), locked_until = null
    where key = 'address:' || address;
  update private.share_attempts set failures = greatest(failures - 1, 0), locked_until = null
    where key = private.share_attempts_key(share);
  update public.share_links set locked_until = null
    where id in (select private.links_of_one_secret(share)) and locked_until is not null;
end
$$;
comment on function private.refund_share_attempt is 'Takes back the count of a try that was right.';

create function private.reset_share_attempts() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- While another link still has the old secret, its count stays.
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
  -- Whoever else signs the same link waits: so a day's guests are counted right, and one key makes one guest.
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
  'Signs a link with a name under a key, whose hash comes first of those it may be known by, or says what that key''s guest is called from now on; no row for who is blocked. The server alone calls it.';

create function private.known_guest(of_link uuid, hashes text[]) returns setof public.guests
language sql volatile security definer set search_path = '' as $$
  update public.guests g set last_seen = now() from private.guest_keys k
  where k.guest_id = g.id and k.hash = any (hashes) and g.link_id = of_link and g.blocked_at is null
  returning g.*
$$;
comment on function private.known_guest is 'The guest of a link who has one of these keys.';

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
comment on function private.rate_limit_guest is 'Refuses when a guest has written so many within an hour.';

revoke execute on all functions in schema private from public;
