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
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'dead')),
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

create function private.tell_outbox() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_notify('outbox', '');
  return null;
end
$$;
create trigger tell_outbox after insert on private.outbox
  for each statement execute function private.tell_outbox();

revoke execute on all functions in schema private from public;
