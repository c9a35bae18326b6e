set local check_function_bodies = off;

-- Devices stay admitted to a link with a PIN or passphrase until it changes. Without an address, a person or a guest, so that
-- the list follows nobody.
create table link_devices (
  id uuid primary key default gen_random_uuid(),
  link_id uuid not null references share_links on delete cascade,
  name text not null default '' check (length(name) <= 100),
  admitted_version integer not null,
  first_seen timestamptz not null default date_trunc('hour', now()),
  last_seen timestamptz not null default date_trunc('hour', now())
);
comment on table link_devices is
  'Browsers in which the secret of a link was entered. Visible to the link''s managers, who can delete rows: then the browser must enter the secret again.';
comment on column link_devices.name is 'The browser and its system, e.g. "Firefox, Android"; empty if unknown.';
comment on column link_devices.admitted_version is
  'The version of the link in which the secret was entered. The device is admitted while this is not older than share_links.admitted_since_version.';
comment on column link_devices.first_seen is 'When the secret was entered for the first time, to the hour.';
comment on column link_devices.last_seen is 'When the link was last opened, to the hour.';
create index link_devices_link_id on link_devices (link_id, last_seen);
create index link_devices_last_seen on link_devices (last_seen);
alter table link_devices enable row level security;
grant select, delete on link_devices to authenticated;
create policy "managers" on link_devices to authenticated using (exists (select from share_links l where l.id = link_id));
create policy "required authentication level" on link_devices as restrictive to authenticated
  using ((select private.has_required_aal()));
alter publication supabase_realtime add table link_devices;

create table private.link_device_keys (
  hash text primary key,
  device_id uuid not null references link_devices on delete cascade
);
comment on table private.link_device_keys is
  'Keyed hashes of the secrets in devices'' cookies. Only the server can read them.';
create index link_device_keys_device_id on private.link_device_keys (device_id);
alter table private.link_device_keys enable row level security;

create function private.register_link_device(of_link uuid, of_version integer, key_hash text, as_name text)
returns uuid language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := 1000;
  device uuid;
begin
  select k.device_id into device from private.link_device_keys k join public.link_devices d on d.id = k.device_id
  where k.hash = key_hash and d.link_id = of_link;
  if device is not null then
    update public.link_devices set admitted_version = greatest(admitted_version, of_version), name = as_name,
      last_seen = date_trunc('hour', now())
    where id = device;
    return device;
  end if;
  insert into public.link_devices (link_id, admitted_version, name)
  values (of_link, of_version, as_name) returning id into device;
  insert into private.link_device_keys (hash, device_id) values (key_hash, device);
  delete from public.link_devices d where d.id in (
    select o.id from public.link_devices o where o.link_id = of_link order by o.last_seen desc, o.first_seen desc, o.id offset most);
  return device;
end
$$;
comment on function private.register_link_device is
  'Admits a device to a link in this version, and returns its id. Keeps the 1000 devices of a link that were seen last. Only the server calls it.';

-- Tokens name their device, so deleting its row ends them in the same transaction.
create or replace function private.open_link() returns setof public.share_links
language sql stable security definer set search_path = '' as $$
  select l.* from public.share_links l
  where l.id = (auth.jwt() -> 'share' ->> 'link')::uuid and l.version = (auth.jwt() -> 'share' ->> 'version')::integer
    and l.shared_at is not null and l.revoked_at is null and coalesce(l.expires_at > now(), true)
    and (l.invitation_id is null
      or exists (select from public.invitations i where i.id = l.invitation_id and i.state in ('open', 'accepted')))
    and not exists (select from public.guests g where g.id = (auth.jwt() -> 'share' ->> 'guest')::uuid and g.blocked_at is not null)
    and (auth.jwt() -> 'share' ->> 'device' is null
      or exists (select from public.link_devices d where d.id = (auth.jwt() -> 'share' ->> 'device')::uuid))
$$;

-- Open pages cannot be told that a row was deleted that they may not read. They read this one, and then ask the share gate
-- whether they are still admitted.
alter table link_versions add column devices_removed integer not null default 0;
comment on column link_versions.devices_removed is 'How many devices were removed. A change makes open pages check whether they are still admitted.';

create function private.publish_removed_device() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.link_versions v set devices_removed = v.devices_removed + 1 where v.link_id = old.link_id;
  return null;
end
$$;
create trigger publish_removed_device after delete on link_devices
  for each row execute function private.publish_removed_device();

-- Attempts of devices that were admitted before, so that a stranger's wrong attempts do not lock out a family. Both counts are
-- by secret. The second one bounds the guesses of a person who had collected many devices before the secret changed.
create function private.begin_device_attempt(share text, device uuid)
returns table (allowed boolean, tries_left integer, locked_until timestamptz)
language plpgsql security definer set search_path = '' as $$
declare
  device_allowance constant integer := 5;
  all_devices_allowance constant integer := 10;
  secret constant text := private.share_attempts_key(share);
  by_all private.share_attempts;
  by_device private.share_attempts;
begin
  if not exists (select from public.link_devices d join public.share_links l on l.id = d.link_id
      where d.id = device and l.share_id = share) then
    return;
  end if;
  by_all := private.hold_share_attempts('devices:' || secret);
  by_device := private.hold_share_attempts('device:' || device || ' ' || secret);
  if by_all.failures >= all_devices_allowance or by_device.failures >= device_allowance then return; end if;
  update private.share_attempts a set failures = a.failures + 1, forget_at = clock_timestamp() + interval '7 days'
  where a.key in (by_all.key, by_device.key);
  return query select true, device_allowance - by_device.failures - 1, null::timestamptz;
end
$$;
comment on function private.begin_device_attempt is
  'Counts an attempt of a device that was admitted to the link before. No row if its allowance is used up; then the attempt counts like a stranger''s.';

create function private.refund_device_attempt(share text, device uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  secret constant text := private.share_attempts_key(share);
begin
  perform private.hold_share_attempts('devices:' || secret);
  update private.share_attempts set failures = greatest(failures - 1, 0)
  where key in ('devices:' || secret, 'device:' || device || ' ' || secret);
end
$$;
comment on function private.refund_device_attempt is 'Removes the count of a device''s correct attempt.';

revoke execute on all functions in schema private from public;
