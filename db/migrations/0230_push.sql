-- Notices on devices (Web Push): the devices that people chose, and the queue of notices about which they are still to be told.

create table push_devices (
  session_id uuid primary key references auth.sessions on delete cascade,
  user_id uuid not null references auth.users on delete cascade,
  endpoint text not null unique check (length(endpoint) <= 1000),
  p256dh text not null check (p256dh ~ '^[A-Za-z0-9_-]{87}$'),
  auth text not null check (auth ~ '^[A-Za-z0-9_-]{22}$'),
  created_at timestamptz not null default now(),
  -- The server sends requests to this URL, so only the services of browsers' makers are allowed.
  constraint push_devices_endpoint_service_check check (endpoint ~ '^https://([a-z0-9-]+\.)*(fcm\.googleapis\.com|push\.services\.mozilla\.com|push\.apple\.com|notify\.windows\.com)/[!-~]+$')
);
comment on table push_devices is
  'Devices on which a person gets notifications while the browser is closed. A row ends with its session, so that nobody gets any after a sign-out.';
comment on column push_devices.endpoint is 'The URL of the browser''s push service for this device. It is a secret: whoever has it and the keys can send notifications.';
comment on column push_devices.p256dh is 'The device''s public key for the encryption of messages (RFC 8291), base64url.';
comment on column push_devices.auth is 'The device''s secret for the encryption of messages (RFC 8291), base64url.';
create index push_devices_user_id on push_devices (user_id);
alter table push_devices enable row level security;
revoke all on push_devices from anon, authenticated;
grant select (session_id, user_id, endpoint, created_at), delete on push_devices to authenticated;
create policy "own rows" on push_devices for all to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "required authentication level" on push_devices as restrictive for all to authenticated
  using ((select private.has_required_aal()));
create policy "service" on push_devices for all to service_role using (true) with check (true);

create function register_push_device(endpoint text, p256dh text, auth text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  of_session constant uuid := (auth.jwt() ->> 'session_id')::uuid;
begin
  if auth.uid() is null or of_session is null or not private.has_required_aal() then
    raise exception 'Sign in first.' using errcode = '42501';
  end if;
  -- Somebody else who used this browser before gets nothing on it any more.
  delete from public.push_devices d where d.endpoint = register_push_device.endpoint and d.session_id <> of_session;
  insert into public.push_devices as device (session_id, user_id, endpoint, p256dh, auth)
  values (of_session, auth.uid(), register_push_device.endpoint, register_push_device.p256dh, register_push_device.auth)
  on conflict (session_id) do update set endpoint = excluded.endpoint, p256dh = excluded.p256dh, auth = excluded.auth;
end
$$;
comment on function register_push_device is
  'Sends the notifications of the caller to this device, as long as its session lasts. The arguments are those of the browser''s PushSubscription.';
revoke execute on function register_push_device from public, anon;
grant execute on function register_push_device to authenticated;

alter table notice_preferences add column push boolean not null default true;
comment on column notice_preferences.push is 'Whether notices about the memory are sent to the person''s devices.';
grant insert (push), update (push) on notice_preferences to authenticated;

create table private.notice_pushes (
  notice_id uuid primary key references notices on delete cascade,
  user_id uuid not null references auth.users on delete cascade,
  since timestamptz not null default now(),
  due_at timestamptz not null default '-infinity'
);
comment on table private.notice_pushes is 'Notices about which the devices of their person are still to be told. Triggers insert them, the job of the notices deletes them.';
comment on column private.notice_pushes.due_at is '-infinity until the job has computed it.';
create index notice_pushes_due_at on private.notice_pushes (due_at) include (user_id);
create index notice_pushes_user_id on private.notice_pushes (user_id, due_at);
alter table private.notice_pushes enable row level security;

create table private.push_times (
  user_id uuid not null references auth.users on delete cascade,
  memory_id uuid not null references memories on delete cascade,
  pushed_at timestamptz not null,
  primary key (user_id, memory_id)
);
comment on table private.push_times is 'When the devices of each person were last told about a memory: at most once in 15 minutes.';
create index push_times_memory_id on private.push_times (memory_id);
alter table private.push_times enable row level security;

create table private.push_key (
  is_only boolean primary key default true check (is_only),
  public_key text not null,
  sealed_private_key text not null
);
comment on table private.push_key is
  'The key by which push services know this installation (VAPID, RFC 8292), made at the first start. Its private half is encrypted.';
alter table private.push_key enable row level security;

create function private.push_new_notices() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into private.notice_pushes (notice_id, user_id)
  select n.id, n.user_id from new_rows n
  where n.read_at is null and exists (select from public.push_devices d where d.user_id = n.user_id)
  on conflict do nothing;
  return null;
end
$$;
comment on function private.push_new_notices is 'Adds new notices of people with devices to those about which the devices are told.';
create trigger push_new_notices after insert on notices referencing new table as new_rows
  for each statement execute function private.push_new_notices();

create function private.push_grown_notice() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into private.notice_pushes (notice_id, user_id)
  select new.id, new.user_id where exists (select from public.push_devices d where d.user_id = new.user_id)
  on conflict do nothing;
  return null;
end
$$;
comment on function private.push_grown_notice is 'Tells the devices of a person again when an unread notice counts more, for example further photos.';
create trigger push_grown_notice after update of created_at on notices for each row
  when (new.read_at is null and new.created_at > old.created_at) execute function private.push_grown_notice();

revoke execute on function private.push_new_notices, private.push_grown_notice from public, anon, authenticated, service_role;

alter table private.outbox drop constraint outbox_kind_check, add constraint outbox_kind_check check (kind in ('mail', 'sms', 'push')) not valid;
alter table private.outbox validate constraint outbox_kind_check;
comment on table private.outbox is
  'Emails, text messages and notifications of devices that are waiting, sent or given up ("dead"). Only the server can read them, because their props contain one-time links.';
