-- Tries at PINs, counted where every process sees them and a restart does not forget them. Kept by share id rather
-- than by link, so that guessing at a link that does not exist is answered, counted and slowed in just the same way.
create table private.share_attempts (
  key text primary key,
  failures integer not null default 0 check (failures >= 0),
  locked_until timestamptz,
  forget_at timestamptz not null
);
comment on table private.share_attempts is 'Wrong PINs by link ("link:" and its share id) and by address ("address:" and a keyed hash).';
comment on column private.share_attempts.failures is 'Wrong tries, and those under way: a try is counted before it is checked.';
comment on column private.share_attempts.forget_at is 'From then on the row means nothing and may go.';
create index share_attempts_forget_at on private.share_attempts (forget_at);

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
  by_link := private.hold_share_attempts('link:' || share);
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
    where l.share_id = share and l.locked_until is distinct from by_link.locked_until;

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
    where key = 'link:' || share;
  update public.share_links set locked_until = null where share_id = share and locked_until is not null;
end
$$;
comment on function private.give_back_share_try is 'Takes back the count of a try that was right.';

create function private.forget_share_tries() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from private.share_attempts where key = (
    select 'link:' || share_id from public.share_links where id = coalesce(new.link_id, old.link_id));
  return null;
end
$$;
-- By its name it runs before renew_link, as private.begin_share_try too takes the counts first and the link second.
create trigger forget_share_tries after insert or update or delete on share_pins
  for each row execute function private.forget_share_tries();

revoke execute on all functions in schema private from public;