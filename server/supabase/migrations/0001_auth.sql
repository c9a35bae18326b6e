-- The schema auth as on the hosted platform, as far as the product's migrations and policies use it.
create schema auth;
grant usage on schema auth to anon, authenticated, service_role;

create function auth.jwt() returns jsonb language sql stable set search_path = '' as $$
  select coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb
$$;
create function auth.uid() returns uuid language sql stable set search_path = '' as $$
  select (auth.jwt() ->> 'sub')::uuid
$$;
create function auth.role() returns text language sql stable set search_path = '' as $$
  select auth.jwt() ->> 'role'
$$;
create function auth.email() returns text language sql stable set search_path = '' as $$
  select auth.jwt() ->> 'email'
$$;

create table auth.users (
  instance_id uuid,
  id uuid primary key default gen_random_uuid(),
  aud text default 'authenticated',
  role text default 'authenticated',
  email text,
  encrypted_password text,
  email_confirmed_at timestamptz,
  invited_at timestamptz,
  confirmation_sent_at timestamptz,
  recovery_sent_at timestamptz,
  email_change text default '',
  email_change_sent_at timestamptz,
  -- How many of the two addresses have confirmed email_change.
  email_change_confirm_status smallint not null default 0 check (email_change_confirm_status between 0 and 2),
  phone text unique,
  phone_confirmed_at timestamptz,
  phone_change text default '',
  phone_change_sent_at timestamptz,
  reauthentication_sent_at timestamptz,
  confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb not null default '{}',
  raw_user_meta_data jsonb not null default '{}',
  -- It is part of every access token, and servers refuse requests with more than 16 KB of headers.
  constraint user_metadata_fits_a_token check (octet_length(raw_user_meta_data::text) <= 8192),
  is_super_admin boolean,
  is_sso_user boolean not null default false,
  is_anonymous boolean not null default false,
  banned_until timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email_key on auth.users (lower(email)) where is_sso_user = false;
create index users_email_change on auth.users (lower(email_change)) where email_change <> '';
create index users_phone_change on auth.users (phone_change) where phone_change <> '';
comment on table auth.users is 'Accounts.';

create table auth.identities (
  id uuid primary key default gen_random_uuid(),
  provider_id text not null,
  user_id uuid not null references auth.users on delete cascade,
  identity_data jsonb not null,
  provider text not null,
  email text generated always as (lower(identity_data ->> 'email')) stored,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, provider)
);
create index identities_user_id on auth.identities (user_id);
comment on table auth.identities is 'Identities of an account: its email address, or an account at another provider.';

create table auth.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  aal text not null default 'aal1',
  factor_id uuid,
  not_after timestamptz,
  refreshed_at timestamptz,
  user_agent text,
  ip text,
  network text,
  tag text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_user_id on auth.sessions (user_id);
create index sessions_factor_id on auth.sessions (factor_id);
comment on column auth.sessions.network is
  'The address it was last used from; for IPv6 the first 64 bits, which are those of a household.';
comment on table auth.sessions is 'Signed-in devices. Deleting a session invalidates all its tokens.';

create function auth.notify_session_ended() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('session_ended', old.id::text);
  return null;
end
$$;
comment on function auth.notify_session_ended is 'Makes every server process check again whether a session is open.';
revoke execute on function auth.notify_session_ended from public;
create trigger notify_session_ended after delete or update of not_after on auth.sessions
  for each row execute function auth.notify_session_ended();

create table auth.mfa_amr_claims (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references auth.sessions on delete cascade,
  authentication_method text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (session_id, authentication_method)
);
comment on table auth.mfa_amr_claims is 'How and when the person of a session authenticated: the amr claim of its tokens.';

create table auth.refresh_tokens (
  id bigint generated always as identity primary key,
  -- SHA-256 of the token, so that a copy of this table is useless.
  token text not null unique,
  user_id uuid not null references auth.users on delete cascade,
  session_id uuid not null references auth.sessions on delete cascade,
  -- Hash of the token it was exchanged for.
  parent text,
  revoked boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index refresh_tokens_session_id on auth.refresh_tokens (session_id);
create index refresh_tokens_user_id on auth.refresh_tokens (user_id);
comment on table auth.refresh_tokens is 'The refresh tokens of a session. Each can be exchanged once.';

create table auth.signing_keys (
  id text primary key,
  public_jwk jsonb not null,
  -- AES-256-GCM with the server's secret, so that a copy of this table cannot sign.
  sealed_private_jwk text not null,
  status text not null check (status in ('standby', 'active', 'retired')),
  created_at timestamptz not null default now(),
  -- When the status last changed.
  status_at timestamptz not null default now()
);
create unique index one_active_signing_key on auth.signing_keys (status) where status = 'active';
create unique index one_standby_signing_key on auth.signing_keys (status) where status = 'standby';
comment on table auth.signing_keys is
  'ES256 keys. The active one signs; the standby one is published and signs next; retired ones verify until the last of their tokens has expired.';

-- Tokens that are sent to confirm an address, named as on the hosted platform; the hashes are our own.
create type auth.one_time_token_type as enum (
  'confirmation_token', 'reauthentication_token', 'recovery_token',
  'email_change_token_new', 'email_change_token_current', 'phone_change_token'
);
create type auth.code_challenge_method as enum ('s256', 'plain');

create table auth.flow_state (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users on delete cascade,
  -- SHA-256 of the code, set when the person has returned.
  auth_code text unique,
  code_challenge_method auth.code_challenge_method not null,
  code_challenge text not null,
  provider_type text not null,
  provider_access_token text,
  provider_refresh_token text,
  authentication_method text not null,
  auth_code_issued_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A flow may also end in an existing session, as when its person links another identity.
  session_id uuid references auth.sessions on delete cascade
);
create index flow_state_created_at on auth.flow_state (created_at);
create index flow_state_user_id on auth.flow_state (user_id);
create index flow_state_session_id on auth.flow_state (session_id);
comment on table auth.flow_state is
  'Sign-ins with PKCE: only the client that has the verifier of the challenge gets the session for the code.';
comment on column auth.flow_state.provider_access_token is
  'The provider''s access token for the waiting client; AES-256-GCM with the server''s secret and this row''s id.';

create table auth.one_time_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  token_type auth.one_time_token_type not null,
  -- SHA-256 of the token in the link; null if only a code was sent.
  token_hash text unique,
  -- HMAC with the server's secret, because six digits are quickly guessed from a copy of this table.
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
comment on table auth.one_time_tokens is 'Links and codes that were sent. Each works once and is replaced by a newer one.';
comment on column auth.one_time_tokens.relates_to is 'The email address or phone number that it was sent to.';
comment on column auth.one_time_tokens.tries is
  'Failed attempts at the code. The fifth invalidates the code; the link, which cannot be guessed, stays valid.';

create table auth.attempts (
  key text primary key,
  count integer not null,
  ends_at timestamptz not null
);
create index attempts_ends_at on auth.attempts (ends_at);
comment on table auth.attempts is 'Counts attempts by address or account in a time window. Shared by all processes.';
comment on column auth.attempts.key is 'HMAC of what is counted, so that the table contains neither addresses nor accounts.';

create table auth.known_devices (
  user_id uuid not null references auth.users on delete cascade,
  device text not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, device)
);
comment on table auth.known_devices is
  'Kinds of device that a person has signed in with. They outlive their sessions, so that only a sign-in with a new kind is reported.';

-- Second factors and sign-ins at other providers, named as on the hosted platform.
create type auth.factor_type as enum ('totp', 'webauthn', 'phone');
create type auth.factor_status as enum ('unverified', 'verified');

create table auth.mfa_factors (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  friendly_name text,
  factor_type auth.factor_type not null,
  status auth.factor_status not null default 'unverified',
  -- AES-256-GCM with the server's secret and this row's id, so that a copy of the table or of the row reveals no code.
  secret text,
  phone text,
  last_step bigint,
  last_challenged_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((factor_type = 'totp') = (secret is not null) and (factor_type = 'phone') = (phone is not null))
);
create unique index mfa_factors_friendly_name on auth.mfa_factors (user_id, friendly_name) where friendly_name <> '';
create unique index mfa_factors_phone on auth.mfa_factors (user_id, phone);
comment on table auth.mfa_factors is 'Second factors. A factor counts when it is verified.';
comment on column auth.mfa_factors.last_step is
  'The latest time step whose code was accepted, so that no code can be used twice.';

create table auth.mfa_challenges (
  id uuid primary key default gen_random_uuid(),
  factor_id uuid not null references auth.mfa_factors on delete cascade,
  session_id uuid not null references auth.sessions on delete cascade,
  -- HMAC with the server's secret of a code that was sent by text message. Apps generate codes themselves.
  code_hash text,
  tries smallint not null default 0,
  verified_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index mfa_challenges_factor_id on auth.mfa_challenges (factor_id);
create index mfa_challenges_session_id on auth.mfa_challenges (session_id);
create index mfa_challenges_expires_at on auth.mfa_challenges (expires_at);
comment on table auth.mfa_challenges is 'Codes that one session has requested. Each is answered once.';

create table auth.oauth_client_states (
  id uuid primary key,
  provider_type text not null,
  redirect_to text not null,
  flow_state_id uuid references auth.flow_state on delete cascade,
  -- The session that asked to link the account found there.
  session_id uuid references auth.sessions on delete cascade,
  created_at timestamptz not null default now()
);
create index oauth_client_states_flow_state_id on auth.oauth_client_states (flow_state_id);
create index oauth_client_states_session_id on auth.oauth_client_states (session_id);
create index oauth_client_states_created_at on auth.oauth_client_states (created_at);
comment on table auth.oauth_client_states is
  'Sign-ins in progress at other providers. Each can be completed once, by the same browser, which alone has the proof.';
