-- The schema auth in the hosted platform's shape: what the product's migrations and policies may rely on.
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
  -- How many of the two addresses have agreed to email_change.
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
  -- It travels in every access token, and servers refuse requests whose headers are longer than 16 KB.
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
comment on table auth.users is 'A person who can sign in.';

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
comment on table auth.identities is 'One way in to an account: its email address, or an account elsewhere.';

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
comment on column auth.sessions.network is 'The address it was last used from; of IPv6 the first 64 bits, which one household has.';
comment on table auth.sessions is 'One device signed in. Deleting it ends every token made from it.';

create function auth.notify_session_ended() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('session_ended', old.id::text);
  return null;
end
$$;
comment on function auth.notify_session_ended is 'Makes every server process ask anew whether a session is open.';
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
comment on table auth.mfa_amr_claims is 'How a session''s person proved who they are, and when: its tokens'' amr claim.';

create table auth.refresh_tokens (
  id bigint generated always as identity primary key,
  -- SHA-256 of the token, so that a copy of this table opens nothing.
  token text not null unique,
  user_id uuid not null references auth.users on delete cascade,
  session_id uuid not null references auth.sessions on delete cascade,
  -- The one it was exchanged for, hashed as well.
  parent text,
  revoked boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index refresh_tokens_session_id on auth.refresh_tokens (session_id);
create index refresh_tokens_user_id on auth.refresh_tokens (user_id);
comment on table auth.refresh_tokens is 'A chain of tokens a session; each is good for one exchange.';

create table auth.signing_keys (
  id text primary key,
  public_jwk jsonb not null,
  -- AES-256-GCM under the server's own secret: a copy of this table signs nothing.
  sealed_private_jwk text not null,
  status text not null check (status in ('standby', 'active', 'retired')),
  created_at timestamptz not null default now(),
  -- When it became what it is.
  status_at timestamptz not null default now()
);
create unique index one_active_signing_key on auth.signing_keys (status) where status = 'active';
create unique index one_standby_signing_key on auth.signing_keys (status) where status = 'standby';
comment on table auth.signing_keys is
  'ES256 keys. The active one signs; the one on standby is published already and signs next; retired ones verify until their last token has ended.';
