-- What is mailed or texted to prove that an address is somebody's, under the hosted platform's names; the hashes are ours.
create type auth.one_time_token_type as enum (
  'confirmation_token', 'reauthentication_token', 'recovery_token',
  'email_change_token_new', 'email_change_token_current', 'phone_change_token'
);
create type auth.code_challenge_method as enum ('s256', 'plain');

create table auth.flow_state (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users on delete cascade,
  -- SHA-256 of the code, set once the person has come back.
  auth_code text unique,
  code_challenge_method auth.code_challenge_method not null,
  code_challenge text not null,
  provider_type text not null,
  provider_access_token text,
  provider_refresh_token text,
  authentication_method text not null,
  auth_code_issued_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index flow_state_created_at on auth.flow_state (created_at);
create index flow_state_user_id on auth.flow_state (user_id);
comment on table auth.flow_state is
  'A sign-in that ends where it began: only who holds the verifier behind the challenge gets the session for the code.';

create table auth.one_time_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  token_type auth.one_time_token_type not null,
  -- SHA-256 of what the link carries; null where only a code was sent.
  token_hash text unique,
  -- HMAC under the server's secret: six digits are soon tried by whoever has a copy of this table.
  code_hash text not null,
  relates_to text not null,
  tries smallint not null default 0,
  flow_state_id uuid references auth.flow_state on delete set null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, token_type)
);
create index one_time_tokens_relates_to on auth.one_time_tokens (relates_to);
create index one_time_tokens_expires_at on auth.one_time_tokens (expires_at);
create index one_time_tokens_flow_state_id on auth.one_time_tokens (flow_state_id);
comment on table auth.one_time_tokens is 'A link and a code on their way to somebody. Each opens one thing, once; a newer one replaces it.';
comment on column auth.one_time_tokens.relates_to is 'The email address or phone number that it was sent to.';
comment on column auth.one_time_tokens.tries is 'Wrong guesses at the code. The fifth ends the code; the link, which nobody can guess, stays.';

create table auth.attempts (
  key text primary key,
  count integer not null,
  ends_at timestamptz not null
);
create index attempts_ends_at on auth.attempts (ends_at);
comment on table auth.attempts is 'How often something was tried, from an address or at an account, in a window that ends by itself. Seen by every process.';
comment on column auth.attempts.key is 'HMAC of what is counted: the table names neither addresses nor accounts.';

create table auth.known_devices (
  user_id uuid not null references auth.users on delete cascade,
  device text not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, device)
);
comment on table auth.known_devices is 'Kinds of device that a person has signed in with. They outlive their sessions, so that only a strange one is told of.';
