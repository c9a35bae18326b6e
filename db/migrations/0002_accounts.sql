set local check_function_bodies = off;

create table profiles (
  id uuid primary key references auth.users on delete cascade,
  full_name text not null default '' check (length(full_name) <= 200),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table profiles is 'Personal details. Only the person can read them.';
create trigger touch_updated_at before update on profiles for each row execute function private.touch_updated_at();
alter table profiles enable row level security;

-- Emails and text messages to send. A row is inserted in the transaction that causes the message, so a message is never lost
-- in a crash and never sent for a transaction that was rolled back. A job sends it afterwards.
create table private.outbox (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('mail', 'sms')),
  template text not null,
  language text not null,
  recipient text not null check (recipient <> '' and recipient !~ '[[:cntrl:]]'),
  bcc text check (bcc <> '' and bcc !~ '[[:cntrl:]]'),
  props jsonb not null default '{}',
  dedupe_key text unique,
  -- Skipped: the recipient had unsubscribed by the time it would have been sent. This is not a failure.
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'dead', 'skipped')),
  attempts integer not null default 0 check (attempts >= 0),
  next_attempt_at timestamptz not null default now(),
  expires_at timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  check ((state = 'waiting') = (settled_at is null))
);
comment on table private.outbox is
  'Emails and text messages that are waiting, sent or given up ("dead"). Only the server can read them, because their props contain one-time links.';
comment on column private.outbox.bcc is
  'Recipient of a hidden copy. Emptied when the copy was sent but the message itself was not, so that the copy is sent once.';
comment on column private.outbox.props is 'Values for the template. Emptied after sending.';
comment on column private.outbox.dedupe_key is
  'Identifies the subject of the message, so that it is sent once however often it is caused.';
comment on column private.outbox.attempts is
  'How often it was claimed, including claims that did not complete. The number identifies the claim that may update the row.';
comment on column private.outbox.next_attempt_at is 'When it may be claimed. While it is being sent: when the claim ends.';
comment on column private.outbox.expires_at is 'After this time it is not sent, for example because its link has expired.';
comment on column private.outbox.settled_at is 'When it was sent or given up. The row is deleted 30 days later.';
create index outbox_waiting on private.outbox (next_attempt_at) where state = 'waiting';
create index outbox_settled on private.outbox (settled_at) where state <> 'waiting';
-- No grants and no policies: only the owner of the table, which the server's jobs run as, can read or write it.
alter table private.outbox enable row level security;

-- Addresses that a person has written to through Skies.
create table private.correspondents (
  user_id uuid not null references auth.users on delete cascade,
  email text not null check (email = lower(email) and length(email) <= 254),
  last_written_at timestamptz not null default now(),
  primary key (user_id, email)
);
comment on table private.correspondents is
  'Addresses that each person has sent an email to, or tried to. Only the server writes them; the policies of email_preferences read them.';
-- No grants and no policies: only the owner of the table, which the server's functions run as, can read or write it.
alter table private.correspondents enable row level security;

create table email_preferences (
  email text primary key default private.own_address()
    check (email = lower(email) and length(email) <= 254 and email ~ '^[^\s@]+@[^\s@]+\.[^\s@]+$'),
  unsubscribed boolean not null default false,
  updated_at timestamptz not null default now()
);
comment on table email_preferences is
  'Which emails an address, with or without an account, accepts from other people. Without a row: all. Kept when an account is deleted.';
create trigger touch_updated_at before update on email_preferences
  for each row execute function private.touch_updated_at();
alter table email_preferences enable row level security;

-- Metadata of an account can be set by anyone who signs up. A name that is too long for a profile is therefore truncated
-- instead of refused.
create function private.keep_profile() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.profiles as known (id, full_name)
  values (new.id, left(coalesce(new.raw_user_meta_data ->> 'full_name', ''), 200))
  on conflict (id) do update set full_name = excluded.full_name where known.full_name <> excluded.full_name;
  return null;
end
$$;
create trigger keep_profile after insert or update of raw_user_meta_data on auth.users
  for each row execute function private.keep_profile();

create function private.notify_outbox() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_notify('outbox', '');
  return null;
end
$$;
create trigger notify_outbox after insert on private.outbox
  for each statement execute function private.notify_outbox();

create function private.has_required_aal() returns boolean language sql stable security definer set search_path = '' as $$
  select auth.jwt() ->> 'aal' = 'aal2'
    or not exists (select from auth.mfa_factors f where f.user_id = auth.uid() and f.status = 'verified')
$$;
comment on function private.has_required_aal is
  'Whether the session has the required authentication level: aal2 if the person has a verified second factor, otherwise any.';

create function my_sessions()
returns table (id uuid, user_agent text, ip text, created_at timestamptz, last_seen_at timestamptz, is_current boolean)
language sql stable security definer set search_path = '' as $$
  select s.id, s.user_agent, split_part(s.ip::text, '/', 1), s.created_at,
    greatest(s.created_at, s.refreshed_at), s.id::text = auth.jwt() ->> 'session_id'
  from auth.sessions s
  where s.user_id = auth.uid() and (s.not_after is null or s.not_after > now()) and private.has_required_aal()
  order by 6 desc, 5 desc
$$;
comment on function my_sessions is 'The sessions of the signed-in person: the current one first, then by last use.';

create function end_session(session_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from auth.sessions s where s.id = session_id and s.user_id = auth.uid() and private.has_required_aal();
  return found;
end
$$;
comment on function end_session is
  'Ends one of the signed-in person''s sessions and all its tokens. Returns false if it is not theirs.';

create function private.addresses_written_to() returns setof text
language sql stable security definer set search_path = '' as $$
  select c.email from private.correspondents c where c.user_id = auth.uid()
$$;
comment on function private.addresses_written_to is 'The addresses that the signed-in person has written to.';

create function private.name_of(person uuid) returns text language sql stable security definer set search_path = '' as $$
  select coalesce((select p.full_name from public.profiles p where p.id = person), '')
$$;

create function private.is_caller() returns boolean language sql stable set search_path = '' as $$
  select coalesce(auth.role(), '') in ('anon', 'authenticated')
$$;
comment on function private.is_caller is 'Whether the statement runs for a request of a person, and not for the server itself.';

grant select, update (full_name) on profiles to authenticated;
create policy "own row" on profiles to authenticated
  using (id = (select auth.uid())) with check (id = (select auth.uid()));

grant select, insert (email, unsubscribed), update (unsubscribed), delete on email_preferences to authenticated;
create policy "own address" on email_preferences to authenticated
  using (email = (select private.own_address())) with check (email = (select private.own_address()));
-- The sender of an invitation may ask whether the address they wrote to is unsubscribed. All other rows are hidden, so that
-- addresses cannot be looked up. The server itself skips a first email to an unsubscribed address.
create policy "sender reads" on email_preferences for select to authenticated
  using (email in (select private.addresses_written_to()));

revoke execute on all functions in schema private from public;
revoke execute on function my_sessions, end_session from public, anon, authenticated;
grant execute on function my_sessions, end_session to authenticated;
grant execute on function private.has_required_aal, private.addresses_written_to to authenticated;
grant execute on function private.is_caller to authenticated, service_role;
