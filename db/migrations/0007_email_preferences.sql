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

create function private.own_address() returns text
language sql stable security definer set search_path = '' as $$
  select lower(u.email) from auth.users u where u.id = auth.uid() and u.email_confirmed_at is not null
$$;
comment on function private.own_address is 'The confirmed address of the signed-in person, as it is now and not as their token has it.';

create function private.addresses_written_to() returns setof text
language sql stable security definer set search_path = '' as $$
  select c.email from private.correspondents c where c.user_id = auth.uid()
$$;
comment on function private.addresses_written_to is 'The addresses that the signed-in person has written to.';

create table email_preferences (
  email text primary key default private.own_address()
    check (email = lower(email) and length(email) <= 254 and email ~ '^[^\s@]+@[^\s@]+\.[^\s@]+$'),
  unsubscribed boolean not null default false,
  updated_at timestamptz not null default now()
);
comment on table email_preferences is
  'What an address, with or without an account, wishes to be sent by other people. Without a row: everything. Kept when an account goes.';
alter table email_preferences enable row level security;
grant select, insert (email, unsubscribed), update (unsubscribed), delete on email_preferences to authenticated;
create policy "own address" on email_preferences to authenticated
  using (email = (select private.own_address())) with check (email = (select private.own_address()));
-- Whoever invites may ask whether the address they wrote to is unsubscribed. All other rows are as if they were not there:
-- the table is no list of addresses, and a first letter to an unsubscribed one is left out by the server itself.
create policy "addresses one has written to" on email_preferences for select to authenticated
  using (email in (select private.addresses_written_to()));

create trigger touch_updated_at before update on email_preferences
  for each row execute function private.touch_updated_at();

revoke execute on all functions in schema private from public;
grant execute on function private.own_address, private.addresses_written_to to authenticated;
