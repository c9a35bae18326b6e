-- A refusal with PT429 says in its detail after how many seconds the same call is admitted. The server sends it as Retry-After.
create or replace function private.rate_limit_guest(in_table text, most integer) returns void
language plpgsql security definer set search_path = '' as $$
declare
  wait integer;
begin
  -- So long counts the oldest of the newest `most` rows.
  execute format('select ceil(extract(epoch from created_at + interval ''1 hour'' - now())) from public.%I
      where guest_id = $1 and created_at > now() - interval ''1 hour'' order by created_at desc offset $2 - 1 limit 1', in_table)
    into wait using private.guest_id(), most;
  if wait is not null then
    raise exception 'So much was written within an hour that the next has to wait a little.'
      using errcode = 'PT429', hint = 'too_fast', detail = wait;
  end if;
end
$$;

create or replace function private.register_guest(of_link uuid, of_version integer, hashes text[], as_name text, at_email text, in_language text, in_zone text, at_site text)
returns setof public.guests language plpgsql security definer set search_path = '' as $$
declare
  link public.share_links;
  found uuid;
  wait integer;
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
    select ceil(extract(epoch from g.created_at + interval '1 day' - now())) into wait from public.guests g
    where g.link_id = of_link and g.created_at > now() - interval '1 day' order by g.created_at desc offset 299 limit 1;
    if wait is not null then
      raise exception 'Too many people have signed here today.' using errcode = 'PT429', hint = 'too_many_guests', detail = wait;
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

create or replace function private.begin_share_attempt(share text, address text)
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
    -- The caller is let in when both locks have ended.
    return query select false, 0, greatest(by_address.locked_until,
      (select a.locked_until from private.share_attempts a where a.key = private.share_attempts_key(share)));
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
