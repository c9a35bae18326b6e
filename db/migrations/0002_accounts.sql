set local check_function_bodies = off;

create table profiles (
  id uuid primary key references auth.users on delete cascade,
  full_name text not null default '' check (length(full_name) <= 200),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table profiles is 'What a person tells about themselves. Visible to nobody else.';
create trigger touch_updated_at before update on profiles for each row execute function private.touch_updated_at();
alter table profiles enable row level security;

-- Letters and text messages that are owed. A row is added by the very transaction that causes it, so that it is neither
-- lost with a crash nor sent for what was rolled back; a job sends it afterwards.
create table private.outbox (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('mail', 'sms')),
  template text not null,
  language text not null,
  recipient text not null check (recipient <> '' and recipient !~ '[[:cntrl:]]'),
  bcc text check (bcc <> '' and bcc !~ '[[:cntrl:]]'),
  props jsonb not null default '{}',
  dedupe_key text unique,
  -- Skipped: its recipient had unsubscribed by the time it would have been sent, which is no failure.
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
  'Mail and SMS to send, sent, or given up ("dead"). Seen by the server alone: its props hold one-time links.';
comment on column private.outbox.bcc is 'Who gets a hidden copy. Emptied when it went out and the message itself did not, so that it goes out once.';
comment on column private.outbox.props is 'What the template is filled with. Emptied once sent.';
comment on column private.outbox.dedupe_key is 'Names what the message is about, so that it is sent once however often it is caused.';
comment on column private.outbox.attempts is 'Times it was claimed, a claim that its process did not survive included. Names the claim that may settle it.';
comment on column private.outbox.next_attempt_at is 'When it may be claimed: while it is being sent, the end of the claim.';
comment on column private.outbox.expires_at is 'From then on it is better not sent, as a link that no longer opens anything.';
comment on column private.outbox.settled_at is 'When it was sent or given up. Its row goes 30 days later.';
create index outbox_waiting on private.outbox (next_attempt_at) where state = 'waiting';
create index outbox_settled on private.outbox (settled_at) where state <> 'waiting';
-- No grants and no policies: nobody but the table's owner, as whom the server's own jobs run, reads or writes it.
alter table private.outbox enable row level security;

-- Whom a person has written to through Skies: they know these addresses already.
create table private.correspondents (
  user_id uuid not null references auth.users on delete cascade,
  email text not null check (email = lower(email) and length(email) <= 254),
  last_written_at timestamptz not null default now(),
  primary key (user_id, email)
);
comment on table private.correspondents is
  'Whom each person has sent an email to, or tried to. Written by the server alone; read by the policies of email_preferences.';
-- No grants and no policies: nobody but the table's owner, as whom the server's own functions run, reads or writes it.
alter table private.correspondents enable row level security;

create table email_preferences (
  email text primary key default private.own_address()
    check (email = lower(email) and length(email) <= 254 and email ~ '^[^\s@]+@[^\s@]+\.[^\s@]+$'),
  unsubscribed boolean not null default false,
  updated_at timestamptz not null default now()
);
comment on table email_preferences is
  'What an address, with or without an account, wishes to be sent by other people. Without a row: everything. Kept when an account goes.';
create trigger touch_updated_at before update on email_preferences
  for each row execute function private.touch_updated_at();
alter table email_preferences enable row level security;

-- An account's own data may come from anyone who signs up, so a name too long for a profile is cut rather than refused.
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
  'Whether the signed-in person has taken their second step, or has none to take: a password alone opens nothing of theirs.';

create function my_sessions()
returns table (id uuid, user_agent text, ip text, created_at timestamptz, last_seen_at timestamptz, is_current boolean)
language sql stable security definer set search_path = '' as $$
  select s.id, s.user_agent, split_part(s.ip::text, '/', 1), s.created_at,
    greatest(s.created_at, s.refreshed_at), s.id::text = auth.jwt() ->> 'session_id'
  from auth.sessions s
  where s.user_id = auth.uid() and (s.not_after is null or s.not_after > now()) and private.has_required_aal()
  order by 6 desc, 5 desc
$$;
comment on function my_sessions is 'Where the signed-in person is signed in: this device first, then by when it was last seen.';

create function end_session(session_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from auth.sessions s where s.id = session_id and s.user_id = auth.uid() and private.has_required_aal();
  return found;
end
$$;
comment on function end_session is
  'Signs one of the signed-in person''s devices out; false where it is none of theirs. All its tokens end at once.';

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
comment on function private.is_caller is 'Whether a person''s request is being served, and not the server''s own work.';

grant select, update (full_name) on profiles to authenticated;
create policy "own profile" on profiles to authenticated
  using (id = (select auth.uid())) with check (id = (select auth.uid()));

grant select, insert (email, unsubscribed), update (unsubscribed), delete on email_preferences to authenticated;
create policy "own address" on email_preferences to authenticated
  using (email = (select private.own_address())) with check (email = (select private.own_address()));
-- Whoever invites may ask whether the address they wrote to is unsubscribed. All other rows are as if they were not there:
-- the table is no list of addresses, and a first letter to an unsubscribed one is left out by the server itself.
create policy "addresses one has written to" on email_preferences for select to authenticated
  using (email in (select private.addresses_written_to()));

revoke execute on all functions in schema private from public;
revoke execute on function my_sessions, end_session from public, anon, authenticated;
grant execute on function my_sessions, end_session to authenticated;
grant execute on function private.has_required_aal, private.addresses_written_to to authenticated;
grant execute on function private.is_caller to authenticated, service_role;
