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

create index share_pins_hash on share_pins (hash);

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

create function private.begin_share_try(share text, address text)
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
comment on function private.begin_share_try is
  'Counts a try at a PIN before it is checked, so that guesses sent together can not pass together. Not allowed: nothing was counted and nothing may be checked.';

create function private.give_back_share_try(share text, address text) returns void
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
comment on function private.give_back_share_try is 'Takes back the count of a try that was right.';

create function private.forget_share_tries() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- While another link still has the old secret, its count stays.
  if tg_op <> 'INSERT' and not exists (select from public.share_pins where hash = old.hash) then
    delete from private.share_attempts where key = private.secret_attempts_key(old.hash);
  end if;
  return null;
end
$$;
-- By its name it runs before renew_link, as private.begin_share_try too takes the counts first and the link second.
create trigger forget_share_tries after insert or update or delete on share_pins
  for each row execute function private.forget_share_tries();

revoke execute on all functions in schema private from public;