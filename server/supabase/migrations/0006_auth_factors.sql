-- Second steps at sign-in and accounts at other providers, under the hosted platform's names.
create type auth.factor_type as enum ('totp', 'webauthn', 'phone');
create type auth.factor_status as enum ('unverified', 'verified');

create table auth.mfa_factors (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  friendly_name text,
  factor_type auth.factor_type not null,
  status auth.factor_status not null default 'unverified',
  -- AES-256-GCM under the server's own secret and this row's id: neither a copy of the table nor of the row tells a code.
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
comment on table auth.mfa_factors is 'What a person has beside their password. Counts once it is verified.';
comment on column auth.mfa_factors.last_step is
  'The newest time step whose code was accepted: a code that was looked at over a shoulder opens nothing.';

create table auth.mfa_challenges (
  id uuid primary key default gen_random_uuid(),
  factor_id uuid not null references auth.mfa_factors on delete cascade,
  session_id uuid not null references auth.sessions on delete cascade,
  -- HMAC under the server's secret, of a code that was texted; an app makes its codes itself.
  code_hash text,
  tries smallint not null default 0,
  verified_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index mfa_challenges_factor_id on auth.mfa_challenges (factor_id);
create index mfa_challenges_session_id on auth.mfa_challenges (session_id);
create index mfa_challenges_expires_at on auth.mfa_challenges (expires_at);
comment on table auth.mfa_challenges is 'A code that is waited for, from the one session that asked; answered once.';

create index sessions_factor_id on auth.sessions (factor_id);

-- A flow may also end in a session that is there already, as when its person adds a way in.
alter table auth.flow_state add column session_id uuid references auth.sessions on delete cascade;
create index flow_state_session_id on auth.flow_state (session_id);
comment on column auth.flow_state.provider_access_token is
  'The provider''s own, for the client that waits; AES-256-GCM under the server''s secret and this row''s id.';

create table auth.oauth_client_states (
  id uuid primary key,
  provider_type text not null,
  redirect_to text not null,
  flow_state_id uuid references auth.flow_state on delete cascade,
  -- The session that asked to add the account found there to its own person's.
  session_id uuid references auth.sessions on delete cascade,
  created_at timestamptz not null default now()
);
create index oauth_client_states_flow_state_id on auth.oauth_client_states (flow_state_id);
create index oauth_client_states_session_id on auth.oauth_client_states (session_id);
create index oauth_client_states_created_at on auth.oauth_client_states (created_at);
comment on table auth.oauth_client_states is
  'Somebody is at a provider and will come back, once. What proves that it is the same browser is kept in that browser alone.';
