-- Written by `npm run schema` from the migrations (ea7658466354b866). Do not edit.
-- The schema as the migrations make it, for reading and comparing. It is never run.

create schema auth;
grant usage on schema auth to anon;
grant usage on schema auth to authenticated;
grant usage on schema auth to service_role;

create schema private;
comment on schema private is 'Functions that policies and triggers use. No request can call them or read these tables directly.';
grant usage on schema private to anon;
grant usage on schema private to authenticated;
grant usage on schema private to service_role;

create schema public;
comment on schema public is 'standard public schema';
grant usage on schema public to anon;
grant usage on schema public to authenticated;
grant usage on schema public to public;
grant usage on schema public to service_role;

create schema realtime;

create schema request;

create schema rest;
grant usage on schema rest to anon;
grant usage on schema rest to authenticated;
grant usage on schema rest to service_role;

create schema storage;
grant usage on schema storage to anon;
grant usage on schema storage to authenticated;
grant usage on schema storage to service_role;

create type auth.code_challenge_method as enum ('s256', 'plain');

create type auth.factor_status as enum ('unverified', 'verified');

create type auth.factor_type as enum ('totp', 'webauthn', 'phone');

create type auth.one_time_token_type as enum ('confirmation_token', 'reauthentication_token', 'recovery_token', 'email_change_token_new', 'email_change_token_current', 'phone_change_token');

create domain public.approximate_date as text collate "C"
  constraint is_a_date CHECK (((VALUE IS NULL) OR ((private.date_span(VALUE) IS NOT NULL) AND (VALUE !~~ '%T%'::text))));
comment on type public.approximate_date is 'A calendar date without a time zone, with the precision that is known, in the notation of ISO 8601-2 (EDTF).';

create domain public.approximate_time as text collate "C"
  constraint is_a_date CHECK (((VALUE IS NULL) OR (private.date_span(VALUE) IS NOT NULL)));
comment on type public.approximate_time is 'As approximate_date, optionally with the local time of day, for example 2024-07-14T16:05:09.';

create domain public.html as text
  constraint no_active_tag CHECK ((VALUE !~* '<(script|i?frame|frameset|object|embed|applet|style|link|meta|base|form|svg|math|template)\M'::text))
  constraint no_handler CHECK ((VALUE !~* '<[^>]*[\s/"'']on\w+\s*='::text))
  constraint no_odd_address CHECK ((VALUE !~* '<[^>]*[\s/"''](href|src|srcset|srcdoc|action|formaction|data|poster|background)\s*=(?!"(https?:|mailto:))'::text));

create sequence private.order_numbers as bigint start 1 increment 1;

create table auth.attempts (
  key text not null,
  count integer not null,
  ends_at timestamp with time zone not null,
  constraint attempts_pkey PRIMARY KEY (key)
);
comment on table auth.attempts is 'Counts attempts by address or account in a time window. Shared by all processes.';
comment on column auth.attempts.key is 'HMAC of what is counted, so that the table contains neither addresses nor accounts.';
CREATE INDEX attempts_ends_at ON auth.attempts USING btree (ends_at);

create table auth.flow_state (
  id uuid default gen_random_uuid() not null,
  user_id uuid,
  auth_code text,
  code_challenge_method auth.code_challenge_method not null,
  code_challenge text not null,
  provider_type text not null,
  provider_access_token text,
  provider_refresh_token text,
  authentication_method text not null,
  auth_code_issued_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  session_id uuid,
  constraint flow_state_auth_code_key UNIQUE (auth_code),
  constraint flow_state_pkey PRIMARY KEY (id),
  constraint flow_state_session_id_fkey FOREIGN KEY (session_id) REFERENCES auth.sessions(id) ON DELETE CASCADE,
  constraint flow_state_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table auth.flow_state is 'Sign-ins with PKCE: only the client that has the verifier of the challenge gets the session for the code.';
comment on column auth.flow_state.provider_access_token is 'The provider''s access token for the waiting client; AES-256-GCM with the server''s secret and this row''s id.';
CREATE INDEX flow_state_created_at ON auth.flow_state USING btree (created_at);
CREATE INDEX flow_state_session_id ON auth.flow_state USING btree (session_id);
CREATE INDEX flow_state_user_id ON auth.flow_state USING btree (user_id);

create table auth.identities (
  id uuid default gen_random_uuid() not null,
  provider_id text not null,
  user_id uuid not null,
  identity_data jsonb not null,
  provider text not null,
  email text generated always as (lower((identity_data ->> 'email'::text))) stored,
  last_sign_in_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint identities_pkey PRIMARY KEY (id),
  constraint identities_provider_id_provider_key UNIQUE (provider_id, provider),
  constraint identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table auth.identities is 'Identities of an account: its email address, or an account at another provider.';
CREATE INDEX identities_user_id ON auth.identities USING btree (user_id);

create table auth.known_devices (
  user_id uuid not null,
  device text not null,
  seen_at timestamp with time zone default now() not null,
  constraint known_devices_pkey PRIMARY KEY (user_id, device),
  constraint known_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table auth.known_devices is 'Kinds of device that a person has signed in with. They outlive their sessions, so that only a sign-in with a new kind is reported.';

create table auth.mfa_amr_claims (
  id uuid default gen_random_uuid() not null,
  session_id uuid not null,
  authentication_method text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint mfa_amr_claims_pkey PRIMARY KEY (id),
  constraint mfa_amr_claims_session_id_authentication_method_key UNIQUE (session_id, authentication_method),
  constraint mfa_amr_claims_session_id_fkey FOREIGN KEY (session_id) REFERENCES auth.sessions(id) ON DELETE CASCADE
);
comment on table auth.mfa_amr_claims is 'How and when the person of a session authenticated: the amr claim of its tokens.';

create table auth.mfa_challenges (
  id uuid default gen_random_uuid() not null,
  factor_id uuid not null,
  session_id uuid not null,
  code_hash text,
  tries smallint default 0 not null,
  verified_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  constraint mfa_challenges_factor_id_fkey FOREIGN KEY (factor_id) REFERENCES auth.mfa_factors(id) ON DELETE CASCADE,
  constraint mfa_challenges_pkey PRIMARY KEY (id),
  constraint mfa_challenges_session_id_fkey FOREIGN KEY (session_id) REFERENCES auth.sessions(id) ON DELETE CASCADE
);
comment on table auth.mfa_challenges is 'Codes that one session has requested. Each is answered once.';
CREATE INDEX mfa_challenges_expires_at ON auth.mfa_challenges USING btree (expires_at);
CREATE INDEX mfa_challenges_factor_id ON auth.mfa_challenges USING btree (factor_id);
CREATE INDEX mfa_challenges_session_id ON auth.mfa_challenges USING btree (session_id);

create table auth.mfa_factors (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  friendly_name text,
  factor_type auth.factor_type not null,
  status auth.factor_status default 'unverified'::auth.factor_status not null,
  secret text,
  phone text,
  last_step bigint,
  last_challenged_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint mfa_factors_check CHECK ((((factor_type = 'totp'::auth.factor_type) = (secret IS NOT NULL)) AND ((factor_type = 'phone'::auth.factor_type) = (phone IS NOT NULL)))),
  constraint mfa_factors_pkey PRIMARY KEY (id),
  constraint mfa_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table auth.mfa_factors is 'Second factors. A factor counts when it is verified.';
comment on column auth.mfa_factors.last_step is 'The latest time step whose code was accepted, so that no code can be used twice.';
CREATE UNIQUE INDEX mfa_factors_friendly_name ON auth.mfa_factors USING btree (user_id, friendly_name) WHERE (friendly_name <> ''::text);
CREATE UNIQUE INDEX mfa_factors_phone ON auth.mfa_factors USING btree (user_id, phone);
CREATE TRIGGER lower_sessions AFTER UPDATE OF status ON auth.mfa_factors FOR EACH ROW WHEN (((old.status = 'verified'::auth.factor_status) AND (new.status <> 'verified'::auth.factor_status))) EXECUTE FUNCTION auth.lower_sessions();
CREATE TRIGGER lower_sessions_deleted AFTER DELETE ON auth.mfa_factors FOR EACH ROW WHEN ((old.status = 'verified'::auth.factor_status)) EXECUTE FUNCTION auth.lower_sessions();

create table auth.oauth_client_states (
  id uuid not null,
  provider_type text not null,
  redirect_to text not null,
  flow_state_id uuid,
  session_id uuid,
  created_at timestamp with time zone default now() not null,
  constraint oauth_client_states_flow_state_id_fkey FOREIGN KEY (flow_state_id) REFERENCES auth.flow_state(id) ON DELETE CASCADE,
  constraint oauth_client_states_pkey PRIMARY KEY (id),
  constraint oauth_client_states_session_id_fkey FOREIGN KEY (session_id) REFERENCES auth.sessions(id) ON DELETE CASCADE
);
comment on table auth.oauth_client_states is 'Sign-ins in progress at other providers. Each can be completed once, by the same browser, which alone has the proof.';
CREATE INDEX oauth_client_states_created_at ON auth.oauth_client_states USING btree (created_at);
CREATE INDEX oauth_client_states_flow_state_id ON auth.oauth_client_states USING btree (flow_state_id);
CREATE INDEX oauth_client_states_session_id ON auth.oauth_client_states USING btree (session_id);

create table auth.one_time_tokens (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  token_type auth.one_time_token_type not null,
  token_hash text,
  code_hash text not null,
  relates_to text not null,
  tries smallint default 0 not null,
  flow_state_id uuid,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint one_time_tokens_flow_state_id_fkey FOREIGN KEY (flow_state_id) REFERENCES auth.flow_state(id) ON DELETE SET NULL,
  constraint one_time_tokens_pkey PRIMARY KEY (id),
  constraint one_time_tokens_token_hash_key UNIQUE (token_hash),
  constraint one_time_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint one_time_tokens_user_id_token_type_key UNIQUE (user_id, token_type)
);
comment on table auth.one_time_tokens is 'Links and codes that were sent. Each works once and is replaced by a newer one.';
comment on column auth.one_time_tokens.relates_to is 'The email address or phone number that it was sent to.';
comment on column auth.one_time_tokens.tries is 'Failed attempts at the code. The fifth invalidates the code; the link, which cannot be guessed, stays valid.';
CREATE INDEX one_time_tokens_expires_at ON auth.one_time_tokens USING btree (expires_at);
CREATE INDEX one_time_tokens_flow_state_id ON auth.one_time_tokens USING btree (flow_state_id);
CREATE INDEX one_time_tokens_relates_to ON auth.one_time_tokens USING btree (relates_to);

create table auth.refresh_tokens (
  id bigint generated always as identity not null,
  token text not null,
  user_id uuid not null,
  session_id uuid not null,
  parent text,
  revoked boolean default false not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint refresh_tokens_pkey PRIMARY KEY (id),
  constraint refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES auth.sessions(id) ON DELETE CASCADE,
  constraint refresh_tokens_token_key UNIQUE (token),
  constraint refresh_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table auth.refresh_tokens is 'The refresh tokens of a session. Each can be exchanged once.';
CREATE INDEX refresh_tokens_session_id ON auth.refresh_tokens USING btree (session_id);
CREATE INDEX refresh_tokens_user_id ON auth.refresh_tokens USING btree (user_id);

create table auth.sessions (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  aal text default 'aal1'::text not null,
  factor_id uuid,
  not_after timestamp with time zone,
  refreshed_at timestamp with time zone,
  user_agent text,
  ip text,
  network text,
  tag text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table auth.sessions is 'Signed-in devices. Deleting a session invalidates all its tokens.';
comment on column auth.sessions.network is 'The address it was last used from; for IPv6 the first 64 bits, which are those of a household.';
CREATE INDEX sessions_factor_id ON auth.sessions USING btree (factor_id);
CREATE INDEX sessions_user_id ON auth.sessions USING btree (user_id);
CREATE TRIGGER note_new_use AFTER INSERT ON auth.sessions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.note_use();
CREATE TRIGGER note_use AFTER UPDATE ON auth.sessions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.note_use();
CREATE TRIGGER notify_session_ended AFTER DELETE OR UPDATE OF not_after ON auth.sessions FOR EACH ROW EXECUTE FUNCTION auth.notify_session_ended();
CREATE TRIGGER notify_session_level AFTER UPDATE OF aal ON auth.sessions FOR EACH ROW WHEN ((old.aal IS DISTINCT FROM new.aal)) EXECUTE FUNCTION auth.notify_session_ended();
CREATE TRIGGER realtime_session_end AFTER DELETE OR UPDATE OF not_after ON auth.sessions FOR EACH ROW EXECUTE FUNCTION realtime.notify_session_end();
CREATE TRIGGER realtime_session_level AFTER UPDATE OF aal ON auth.sessions FOR EACH ROW WHEN ((old.aal IS DISTINCT FROM new.aal)) EXECUTE FUNCTION realtime.notify_session_end();

create table auth.signing_keys (
  id text not null,
  public_jwk jsonb not null,
  sealed_private_jwk text not null,
  status text not null,
  created_at timestamp with time zone default now() not null,
  status_at timestamp with time zone default now() not null,
  constraint signing_keys_pkey PRIMARY KEY (id),
  constraint signing_keys_status_check CHECK ((status = ANY (ARRAY['standby'::text, 'active'::text, 'retired'::text])))
);
comment on table auth.signing_keys is 'ES256 keys. The active one signs; the standby one is published and signs next; retired ones verify until the last of their tokens has expired.';
CREATE UNIQUE INDEX one_active_signing_key ON auth.signing_keys USING btree (status) WHERE (status = 'active'::text);
CREATE UNIQUE INDEX one_standby_signing_key ON auth.signing_keys USING btree (status) WHERE (status = 'standby'::text);

create table auth.users (
  instance_id uuid,
  id uuid default gen_random_uuid() not null,
  aud text default 'authenticated'::text,
  role text default 'authenticated'::text,
  email text,
  encrypted_password text,
  email_confirmed_at timestamp with time zone,
  invited_at timestamp with time zone,
  confirmation_sent_at timestamp with time zone,
  recovery_sent_at timestamp with time zone,
  email_change text default ''::text,
  email_change_sent_at timestamp with time zone,
  email_change_confirm_status smallint default 0 not null,
  phone text,
  phone_confirmed_at timestamp with time zone,
  phone_change text default ''::text,
  phone_change_sent_at timestamp with time zone,
  reauthentication_sent_at timestamp with time zone,
  confirmed_at timestamp with time zone generated always as (LEAST(email_confirmed_at, phone_confirmed_at)) stored,
  last_sign_in_at timestamp with time zone,
  raw_app_meta_data jsonb default '{}'::jsonb not null,
  raw_user_meta_data jsonb default '{}'::jsonb not null,
  is_super_admin boolean,
  is_sso_user boolean default false not null,
  is_anonymous boolean default false not null,
  banned_until timestamp with time zone,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint user_metadata_fits_a_token CHECK ((octet_length((raw_user_meta_data)::text) <= 8192)),
  constraint users_email_change_confirm_status_check CHECK (((email_change_confirm_status >= 0) AND (email_change_confirm_status <= 2))),
  constraint users_phone_key UNIQUE (phone),
  constraint users_pkey PRIMARY KEY (id)
);
comment on table auth.users is 'Accounts.';
CREATE INDEX users_created_at ON auth.users USING btree (created_at DESC, id DESC);
CREATE INDEX users_email_change ON auth.users USING btree (lower(email_change)) WHERE (email_change <> ''::text);
CREATE UNIQUE INDEX users_email_key ON auth.users USING btree (lower(email)) WHERE (is_sso_user = false);
CREATE INDEX users_odd_address ON auth.users USING btree (auth.typed_address(email)) WHERE (lower(email) <> auth.typed_address(email));
CREATE INDEX users_phone_change ON auth.users USING btree (phone_change) WHERE (phone_change <> ''::text);
CREATE INDEX users_search ON auth.users USING gin (private.search_words(email));
CREATE INDEX users_staff ON auth.users USING btree (created_at DESC, id DESC) WHERE (raw_app_meta_data ? 'role'::text);
CREATE INDEX users_suspended ON auth.users USING btree (created_at DESC, id DESC) WHERE (banned_until IS NOT NULL);
CREATE INDEX users_unconfirmed ON auth.users USING btree (GREATEST(created_at, confirmation_sent_at, recovery_sent_at)) WHERE ((confirmed_at IS NULL) AND (last_sign_in_at IS NULL) AND (invited_at IS NULL) AND (NOT is_sso_user));
CREATE TRIGGER erase_avatar BEFORE DELETE ON auth.users FOR EACH ROW EXECUTE FUNCTION private.erase_avatar();
CREATE TRIGGER erase_traces BEFORE DELETE ON auth.users FOR EACH ROW EXECUTE FUNCTION private.erase_traces();
CREATE TRIGGER follow_asker_in_letters AFTER UPDATE OF banned_until ON auth.users FOR EACH ROW WHEN ((old.banned_until IS DISTINCT FROM new.banned_until)) EXECUTE FUNCTION private.follow_asker_in_letters();
CREATE CONSTRAINT TRIGGER forget_additions AFTER DELETE ON auth.users DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION private.forget_additions();
CREATE TRIGGER keep_profile AFTER INSERT OR UPDATE OF raw_user_meta_data ON auth.users FOR EACH ROW EXECUTE FUNCTION private.keep_profile();
CREATE TRIGGER notify_account_changed AFTER UPDATE OF email, phone, raw_app_meta_data, banned_until ON auth.users FOR EACH ROW WHEN (((((old.email IS DISTINCT FROM new.email) OR (old.phone IS DISTINCT FROM new.phone)) OR (old.raw_app_meta_data IS DISTINCT FROM new.raw_app_meta_data)) OR (old.banned_until IS DISTINCT FROM new.banned_until))) EXECUTE FUNCTION auth.notify_account_changed();
CREATE TRIGGER pass_on_trash BEFORE DELETE ON auth.users FOR EACH ROW EXECUTE FUNCTION private.pass_on_trash_of_account();
CREATE TRIGGER refund_unmade_cards BEFORE DELETE ON auth.users FOR EACH ROW EXECUTE FUNCTION private.refund_unmade_cards();
CREATE TRIGGER total_deleted AFTER DELETE ON auth.users REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.add_to_totals('''accounts''', '1', 'true');
CREATE TRIGGER total_new AFTER INSERT ON auth.users REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.add_to_totals('''accounts''', '1', 'true');
CREATE TRIGGER total_of_day AFTER INSERT ON auth.users REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.add_to_totals('''new '' || ''sign_ups'' || '' '' || (r.created_at at time zone ''utc'')::date', '1', 'true');

create table private.account_days (
  account uuid not null,
  used_on date not null,
  constraint account_days_account_fkey FOREIGN KEY (account) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint account_days_pkey PRIMARY KEY (account)
);
comment on table private.account_days is 'The last day (UTC) on which each account was used, for the number of active accounts. Only triggers write it.';
alter table private.account_days enable row level security;
CREATE TRIGGER total_changed AFTER UPDATE ON private.account_days REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.add_to_totals('''active '' || r.used_on', '1', 'true');
CREATE TRIGGER total_deleted AFTER DELETE ON private.account_days REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.add_to_totals('''active '' || r.used_on', '1', 'true');
CREATE TRIGGER total_new AFTER INSERT ON private.account_days REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.add_to_totals('''active '' || r.used_on', '1', 'true');

create table private.account_use (
  account uuid not null,
  stored bigint default 0 not null,
  held bigint default 0 not null,
  last_warning_percent smallint default 0 not null,
  constraint account_use_account_fkey FOREIGN KEY (account) REFERENCES auth.users(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  constraint account_use_pkey PRIMARY KEY (account)
);
comment on table private.account_use is 'Storage used by each account in bytes, updated in the transaction that adds, reserves or frees it.';
comment on column private.account_use.stored is 'Total size of its objects in storage.objects.';
comment on column private.account_use.held is 'Total announced size of its unfinished uploads.';
comment on column private.account_use.last_warning_percent is 'The highest warning (75, 90 or 100 percent) since usage was last below; each is sent once.';
CREATE TRIGGER total_changed AFTER UPDATE ON private.account_use REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.add_to_totals('''stored''', 'r.stored', 'true');
CREATE TRIGGER total_deleted AFTER DELETE ON private.account_use REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.add_to_totals('''stored''', 'r.stored', 'true');
CREATE TRIGGER total_new AFTER INSERT ON private.account_use REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.add_to_totals('''stored''', 'r.stored', 'true');
CREATE TRIGGER watch_storage AFTER INSERT OR UPDATE OF stored ON private.account_use FOR EACH ROW WHEN (((new.stored > 0) OR (new.last_warning_percent > 0))) EXECUTE FUNCTION private.watch_storage();

create table private.activity (
  memory_id uuid not null,
  account uuid not null,
  at timestamp with time zone not null,
  day date,
  user_id uuid,
  items integer,
  story_id uuid,
  member_id uuid,
  constraint activity_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint activity_memory_id_member_id_fkey FOREIGN KEY (memory_id, member_id) REFERENCES public.memory_members(memory_id, user_id) ON DELETE CASCADE,
  constraint activity_story_id_fkey FOREIGN KEY (story_id) REFERENCES public.stories(id) ON DELETE CASCADE,
  constraint one_kind CHECK (((num_nonnulls(day, story_id, member_id) = 1) AND ((day IS NULL) = (items IS NULL))))
);
comment on table private.activity is 'Stories, new members and additions of photos, for the recent activity. The rows of one person''s additions to a memory on a day are a ledger: their items add up. Only triggers write it.';
comment on column private.activity.account is 'The owner of the memory.';
comment on column private.activity.day is 'The day (UTC) of additions; null for stories and members.';
comment on column private.activity.user_id is 'The person who added photos; null for guests and for people whose account was deleted.';
alter table private.activity enable row level security;
CREATE INDEX activity_account ON private.activity USING btree (account, at DESC);
CREATE INDEX activity_additions ON private.activity USING btree (memory_id, day, user_id) WHERE (day IS NOT NULL);
CREATE UNIQUE INDEX activity_member_id ON private.activity USING btree (memory_id, member_id) WHERE (member_id IS NOT NULL);
CREATE INDEX activity_memory_id ON private.activity USING btree (memory_id);
CREATE UNIQUE INDEX activity_story_id ON private.activity USING btree (story_id) WHERE (story_id IS NOT NULL);

create table private.backup_places (
  place text not null,
  known_since timestamp with time zone default now() not null,
  newest_at timestamp with time zone,
  constraint backup_places_pkey PRIMARY KEY (place)
);
comment on table private.backup_places is 'The places of automatic backups, each with what was there last. The server makes none in a place that has lost them. Not part of a restored or moved installation.';
comment on column private.backup_places.place is 'An absolute folder, or s3://bucket/prefix.';
comment on column private.backup_places.known_since is 'When the first backup was tried there.';
comment on column private.backup_places.newest_at is 'When the newest backup there was begun. Null if there was none.';
alter table private.backup_places enable row level security;

create table private.content_sources (
  link_id uuid not null,
  media_id uuid,
  story_id uuid,
  comment_id uuid,
  reaction_id uuid,
  constraint content_sources_check CHECK ((num_nonnulls(media_id, story_id, comment_id, reaction_id) = 1)),
  constraint content_sources_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES public.comments(id) ON DELETE CASCADE,
  constraint content_sources_comment_id_key UNIQUE (comment_id),
  constraint content_sources_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.share_links(id) ON DELETE CASCADE,
  constraint content_sources_media_id_fkey FOREIGN KEY (media_id) REFERENCES public.media(id) ON DELETE CASCADE,
  constraint content_sources_media_id_key UNIQUE (media_id),
  constraint content_sources_reaction_id_fkey FOREIGN KEY (reaction_id) REFERENCES public.reactions(id) ON DELETE CASCADE,
  constraint content_sources_reaction_id_key UNIQUE (reaction_id),
  constraint content_sources_story_id_fkey FOREIGN KEY (story_id) REFERENCES public.stories(id) ON DELETE CASCADE,
  constraint content_sources_story_id_key UNIQUE (story_id)
);
comment on table private.content_sources is 'The link through which each item was added by somebody who is not a member.';
alter table private.content_sources enable row level security;
CREATE INDEX content_sources_link_id ON private.content_sources USING btree (link_id);

create table private.correspondents (
  user_id uuid not null,
  email text not null,
  last_written_at timestamp with time zone default now() not null,
  constraint correspondents_email_check CHECK (((email = lower(email)) AND (length(email) <= 254))),
  constraint correspondents_pkey PRIMARY KEY (user_id, email),
  constraint correspondents_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table private.correspondents is 'Addresses that each person has sent an email to, or tried to. Only the server writes them; the policies of email_preferences read them.';
alter table private.correspondents enable row level security;

create table private.daily_figures (
  day date not null,
  sign_ups integer default 0 not null,
  memories integer default 0 not null,
  photos integer default 0 not null,
  videos integer default 0 not null,
  accounts bigint,
  active bigint,
  all_memories bigint,
  all_media bigint,
  stored bigint,
  cards jsonb default '{}'::jsonb not null,
  counted_at timestamp with time zone default now() not null,
  constraint daily_figures_pkey PRIMARY KEY (day)
);
comment on table private.daily_figures is 'A row for each day (UTC), counted by a job every few minutes while it lasts. What happened on a day stays as it was, whatever is deleted later.';
comment on column private.daily_figures.active is 'Accounts that used Skies in the thirty days before. This and the totals are null for days before the counting began.';
comment on column private.daily_figures.cards is 'How many cards there are by state of making.';
alter table private.daily_figures enable row level security;

create table private.daily_money (
  day date not null,
  currency text not null,
  paid bigint not null,
  returned bigint not null
);
comment on table private.daily_money is 'A ledger, as private.media_sums: the rows of a day (UTC) and a currency add up to what orders paid and what was returned, in pence or cents. Only triggers write it.';
alter table private.daily_money enable row level security;
CREATE INDEX daily_money_day ON private.daily_money USING btree (day, currency) INCLUDE (paid, returned);

create table private.damaged_files (
  object_id uuid not null,
  version text not null,
  kind text not null,
  found_at timestamp with time zone default now() not null,
  attempts integer default 0 not null,
  next_at timestamp with time zone default now() not null,
  reason text,
  lost_at timestamp with time zone,
  told_at timestamp with time zone,
  constraint damaged_files_kind_check CHECK ((kind = ANY (ARRAY['other-bytes'::text, 'other-length'::text, 'missing'::text, 'unreadable'::text]))),
  constraint damaged_files_object_id_fkey FOREIGN KEY (object_id) REFERENCES storage.objects(id) ON DELETE CASCADE,
  constraint damaged_files_pkey PRIMARY KEY (object_id),
  constraint damaged_files_reason_check CHECK ((length(reason) <= 500))
);
comment on table private.damaged_files is 'Stored files whose bytes are not those that were uploaded, as two readings found. Deleted when the bytes are right again.';
comment on column private.damaged_files.version is 'The version of the bytes. A row about another version is outdated.';
comment on column private.damaged_files.next_at is 'When the file is read again, and its repair is tried again.';
comment on column private.damaged_files.reason is 'Why it could not be repaired yet.';
comment on column private.damaged_files.lost_at is 'When no intact copy was found for the first time; null while one may exist.';
comment on column private.damaged_files.told_at is 'When the owner of the memory was told. Nobody is told twice.';
alter table private.damaged_files enable row level security;
CREATE INDEX damaged_files_next_at ON private.damaged_files USING btree (next_at);

create table private.file_failures (
  object_id uuid not null,
  job text not null,
  reason text not null,
  same integer default 1 not null,
  failures integer default 1 not null,
  first_failed_at timestamp with time zone default now() not null,
  failed_at timestamp with time zone default now() not null,
  given_up_at timestamp with time zone,
  constraint file_failures_job_check CHECK ((job = ANY (ARRAY['photos'::text, 'covers'::text, 'video-streams'::text, 'video-copies'::text, 'motions'::text]))),
  constraint file_failures_object_id_fkey FOREIGN KEY (object_id) REFERENCES storage.objects(id) ON DELETE CASCADE,
  constraint file_failures_pkey PRIMARY KEY (object_id, job),
  constraint file_failures_reason_check CHECK ((length(reason) <= 500))
);
comment on table private.file_failures is 'Jobs that failed for a file and have not succeeded since: how often, how often in the same way, and when they were given up. Deleted when the job succeeds.';
alter table private.file_failures enable row level security;
CREATE INDEX file_failures_given_up_at ON private.file_failures USING btree (given_up_at DESC) WHERE (given_up_at IS NOT NULL);

create table private.film_media (
  slideshow_id uuid not null,
  media_id uuid not null,
  constraint film_media_pkey PRIMARY KEY (slideshow_id, media_id),
  constraint film_media_slideshow_id_fkey FOREIGN KEY (slideshow_id) REFERENCES public.slideshow_films(slideshow_id) ON DELETE CASCADE
);
comment on table private.film_media is 'The photos and the music in a film, also in one that is being made.';
alter table private.film_media enable row level security;
CREATE INDEX film_media_media_id ON private.film_media USING btree (media_id);

create table private.guest_keys (
  hash text not null,
  guest_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint guest_keys_guest_id_fkey FOREIGN KEY (guest_id) REFERENCES public.guests(id) ON DELETE CASCADE,
  constraint guest_keys_pkey PRIMARY KEY (hash)
);
comment on table private.guest_keys is 'Hashes of the keys that identify a guest: a secret in their browser, keyed by the server, and the tokens in their emails.';
alter table private.guest_keys enable row level security;
CREATE INDEX guest_keys_guest_id ON private.guest_keys USING btree (guest_id);

create table private.guest_receipts (
  guest_id uuid not null,
  outbox_id uuid not null,
  constraint guest_receipts_guest_id_fkey FOREIGN KEY (guest_id) REFERENCES public.guests(id) ON DELETE CASCADE,
  constraint guest_receipts_pkey PRIMARY KEY (guest_id)
);
comment on table private.guest_receipts is 'The receipt that collects a guest''s uploads until ten minutes after the last one.';
alter table private.guest_receipts enable row level security;

create view private.hidden_comments as
 SELECT id
   FROM public.comments c
  WHERE (moderation <> 'shown'::text);
comment on table private.hidden_comments is 'Ids of comments that are not shown: their threads are hidden with them. It has the rights of its owner, and only policies read it.';
grant select on table private.hidden_comments to anon;
grant select on table private.hidden_comments to authenticated;

create table private.invitation_tokens (
  hash text not null,
  link_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint invitation_tokens_hash_check CHECK ((hash ~ '^[0-9a-f]{64}$'::text)),
  constraint invitation_tokens_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.share_links(id) ON DELETE CASCADE,
  constraint invitation_tokens_pkey PRIMARY KEY (hash)
);
comment on table private.invitation_tokens is 'SHA-256 of the token in each invitation email. A token has 244 random bits, so the hash needs no key. Only the server can read it.';
alter table private.invitation_tokens enable row level security;
CREATE INDEX invitation_tokens_link_id ON private.invitation_tokens USING btree (link_id);

create table private.job_leases (
  job text not null,
  until timestamp with time zone not null,
  constraint job_leases_pkey PRIMARY KEY (job)
);
comment on table private.job_leases is 'Scheduled jobs that one process does for all: until when nobody begins the job, because it runs or has just been done.';
alter table private.job_leases enable row level security;

create table private.job_states (
  process text not null,
  job text not null,
  status text not null,
  started_at timestamp with time zone,
  succeeded_at timestamp with time zone,
  failures integer not null,
  error_at timestamp with time zone,
  error text,
  seen_at timestamp with time zone default now() not null,
  constraint job_states_pkey PRIMARY KEY (process, job)
);
comment on table private.job_states is 'What the jobs of each process of the server do, written by the processes themselves every few seconds. Rows of a process that is gone are deleted after an hour.';
alter table private.job_states enable row level security;

create table private.letter_keys (
  letter_id uuid not null,
  hash text not null,
  constraint letter_keys_hash_check CHECK ((hash ~ '^[0-9a-f]{64}$'::text)),
  constraint letter_keys_hash_key UNIQUE (hash),
  constraint letter_keys_letter_id_fkey FOREIGN KEY (letter_id) REFERENCES public.photo_letters(id) ON DELETE CASCADE,
  constraint letter_keys_pkey PRIMARY KEY (letter_id)
);
comment on table private.letter_keys is 'The keys of letters'' links, which have 244 random bits, as SHA-256. A new key ends the earlier one.';
alter table private.letter_keys enable row level security;

create table private.link_device_keys (
  hash text not null,
  device_id uuid not null,
  constraint link_device_keys_device_id_fkey FOREIGN KEY (device_id) REFERENCES public.link_devices(id) ON DELETE CASCADE,
  constraint link_device_keys_pkey PRIMARY KEY (hash)
);
comment on table private.link_device_keys is 'Keyed hashes of the secrets in devices'' cookies. Only the server can read them.';
alter table private.link_device_keys enable row level security;
CREATE INDEX link_device_keys_device_id ON private.link_device_keys USING btree (device_id);

create table private.measured_files (
  object_id uuid not null,
  form text not null,
  version text not null,
  type text not null,
  size bigint,
  crc32 bigint,
  sha256 text,
  constraint measured_files_crc32_check CHECK (((crc32 >= 0) AND (crc32 <= '4294967295'::bigint))),
  constraint measured_files_form_check CHECK ((length(form) <= 20)),
  constraint measured_files_object_id_fkey FOREIGN KEY (object_id) REFERENCES storage.objects(id) ON DELETE CASCADE,
  constraint measured_files_pkey PRIMARY KEY (object_id, form),
  constraint measured_files_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint measured_files_size_check CHECK ((size >= 0)),
  constraint measured_or_not CHECK ((num_nonnulls(size, crc32, sha256) = ANY (ARRAY[0, 3])))
);
comment on table private.measured_files is 'Length and checksums of an object''s bytes and of its copies, so that none is read twice to compute them.';
comment on column private.measured_files.form is 'The original, a copy without private metadata, or a rendition.';
comment on column private.measured_files.version is 'The version of the object when it was measured. A later version is a different file.';
comment on column private.measured_files.size is 'In bytes; null, like its checksums, if this form cannot be made.';

create table private.media_claims (
  media_id uuid not null,
  attempts integer default 1 not null,
  until timestamp with time zone not null,
  constraint media_claims_media_id_fkey FOREIGN KEY (media_id) REFERENCES public.media(id) ON DELETE CASCADE,
  constraint media_claims_pkey PRIMARY KEY (media_id)
);
comment on table private.media_claims is 'Claims on media that wait for renditions. A claim ends at its time or when the row is done; the number of attempts is limited.';
CREATE TRIGGER follow_earlier_claim BEFORE INSERT OR UPDATE ON private.media_claims FOR EACH ROW EXECUTE FUNCTION private.follow_earlier_claim('photos');
CREATE TRIGGER follow_earlier_end AFTER DELETE ON private.media_claims FOR EACH ROW EXECUTE FUNCTION private.follow_earlier_claim('photos');

create table private.media_sums (
  memory_id uuid not null,
  account uuid not null,
  images integer not null,
  videos integer not null,
  bytes bigint not null,
  bytes_in_trash bigint not null,
  largest bigint not null,
  recordings integer not null,
  constraint media_sums_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE
);
comment on table private.media_sums is 'A ledger: the rows of a memory add up to its sums. Each change of photos and videos adds a row, and waits for nobody. Some changes merge the rows of their memory. Only triggers write it.';
comment on column private.media_sums.account is 'The owner of the memory.';
comment on column private.media_sums.images is 'Photos that are in a list: neither in the trash nor attached to others. So are videos and recordings.';
comment on column private.media_sums.bytes is 'Bytes of originals and posters that are not in the trash, attached videos included.';
comment on column private.media_sums.largest is 'No item in a list is larger, in bytes, than the highest value of the memory''s rows.';
alter table private.media_sums enable row level security;
CREATE INDEX media_sums_account ON private.media_sums USING btree (account, memory_id) INCLUDE (images, videos, recordings, bytes, bytes_in_trash, largest);
CREATE INDEX media_sums_memory_id ON private.media_sums USING btree (memory_id);

create table private.member_names (
  memory_id uuid not null,
  user_id uuid not null,
  role text not null,
  rank smallint generated always as (
CASE role
    WHEN 'co-owner'::text THEN 1
    WHEN 'contributor'::text THEN 2
    ELSE 3
END) stored not null,
  name text not null,
  constraint member_names_memory_id_user_id_fkey FOREIGN KEY (memory_id, user_id) REFERENCES public.memory_members(memory_id, user_id) ON DELETE CASCADE,
  constraint member_names_pkey PRIMARY KEY (memory_id, user_id)
);
comment on table private.member_names is 'Members of a memory with their names, for the order of public.memory_people. Only triggers write it.';
comment on column private.member_names.name is 'The name of the profile, empty without one.';
alter table private.member_names enable row level security;
CREATE INDEX member_names_order ON private.member_names USING btree (memory_id, rank, name, user_id) INCLUDE (role);
CREATE INDEX member_names_user_id ON private.member_names USING btree (user_id);

create view private.merged_entries as
 SELECT id,
    merged_into
   FROM public.pictured_people p
  WHERE (merged_into IS NOT NULL);
comment on table private.merged_entries is 'Which entries of people are merged into which. It has the rights of its owner, and only policies read it.';
grant select on table private.merged_entries to anon;
grant select on table private.merged_entries to authenticated;

create table private.motion_claims (
  media_id uuid not null,
  attempts integer default 0 not null,
  until timestamp with time zone default '-infinity'::timestamp with time zone not null,
  constraint motion_claims_media_id_fkey FOREIGN KEY (media_id) REFERENCES public.media(id) ON DELETE CASCADE,
  constraint motion_claims_pkey PRIMARY KEY (media_id)
);
comment on table private.motion_claims is 'Photos of whose video a copy that plays is still to be made. A worker claims a row until a time and deletes it when the copy is made.';
alter table private.motion_claims enable row level security;
CREATE INDEX motion_claims_until ON private.motion_claims USING btree (until);
CREATE TRIGGER follow_earlier_claim BEFORE INSERT OR UPDATE ON private.motion_claims FOR EACH ROW EXECUTE FUNCTION private.follow_earlier_claim('motions');
CREATE TRIGGER follow_earlier_end AFTER DELETE ON private.motion_claims FOR EACH ROW EXECUTE FUNCTION private.follow_earlier_claim('motions');

create table private.notice_emails (
  notice_id uuid not null,
  user_id uuid not null,
  due_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  constraint notice_emails_notice_id_fkey FOREIGN KEY (notice_id) REFERENCES public.notices(id) ON DELETE CASCADE,
  constraint notice_emails_pkey PRIMARY KEY (notice_id),
  constraint notice_emails_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table private.notice_emails is 'When the email about each unsent notice is due. Rows exist while notices.email_due_since is set; triggers insert and delete them.';
comment on column private.notice_emails.due_at is '-infinity until the job has computed it, and again when settings of its person change.';
alter table private.notice_emails enable row level security;
CREATE INDEX notice_emails_due_at ON private.notice_emails USING btree (due_at) INCLUDE (user_id);
CREATE INDEX notice_emails_user_id ON private.notice_emails USING btree (user_id, due_at);

create table private.notice_mail (
  user_id uuid not null,
  memory_id uuid not null,
  mailed_at timestamp with time zone not null,
  letter text not null,
  constraint notice_mail_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint notice_mail_pkey PRIMARY KEY (user_id, memory_id),
  constraint notice_mail_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table private.notice_mail is 'When each person last got an instant email about a memory, and which: at most one in 15 minutes.';
alter table private.notice_mail enable row level security;
CREATE INDEX notice_mail_memory_id ON private.notice_mail USING btree (memory_id);

create table private.notice_pushes (
  notice_id uuid not null,
  user_id uuid not null,
  since timestamp with time zone default now() not null,
  due_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  constraint notice_pushes_notice_id_fkey FOREIGN KEY (notice_id) REFERENCES public.notices(id) ON DELETE CASCADE,
  constraint notice_pushes_pkey PRIMARY KEY (notice_id),
  constraint notice_pushes_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table private.notice_pushes is 'Notices about which the devices of their person are still to be told. Triggers insert them, the job of the notices deletes them.';
comment on column private.notice_pushes.due_at is '-infinity until the job has computed it.';
alter table private.notice_pushes enable row level security;
CREATE INDEX notice_pushes_due_at ON private.notice_pushes USING btree (due_at) INCLUDE (user_id);
CREATE INDEX notice_pushes_user_id ON private.notice_pushes USING btree (user_id, due_at);

create table private.outbox (
  id uuid default gen_random_uuid() not null,
  kind text not null,
  template text not null,
  language text not null,
  recipient text not null,
  bcc text,
  props jsonb default '{}'::jsonb not null,
  dedupe_key text,
  state text default 'waiting'::text not null,
  attempts integer default 0 not null,
  next_attempt_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone,
  last_error text,
  created_at timestamp with time zone default now() not null,
  settled_at timestamp with time zone,
  constraint outbox_attempts_check CHECK ((attempts >= 0)),
  constraint outbox_bcc_check CHECK (((bcc <> ''::text) AND (bcc !~ '[[:cntrl:]]'::text))),
  constraint outbox_check CHECK (((state = 'waiting'::text) = (settled_at IS NULL))),
  constraint outbox_dedupe_key_key UNIQUE (dedupe_key),
  constraint outbox_kind_check CHECK ((kind = ANY (ARRAY['mail'::text, 'sms'::text, 'push'::text]))),
  constraint outbox_pkey PRIMARY KEY (id),
  constraint outbox_recipient_check CHECK (((recipient <> ''::text) AND (recipient !~ '[[:cntrl:]]'::text))),
  constraint outbox_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'dead'::text, 'skipped'::text])))
);
comment on table private.outbox is 'Emails, text messages and notifications of devices that are waiting, sent or given up ("dead"). Only the server can read them, because their props contain one-time links.';
comment on column private.outbox.bcc is 'Recipient of a hidden copy. Emptied when the copy was sent but the message itself was not, so that the copy is sent once.';
comment on column private.outbox.props is 'Values for the template. Emptied after sending.';
comment on column private.outbox.dedupe_key is 'Identifies the subject of the message, so that it is sent once however often it is caused.';
comment on column private.outbox.attempts is 'How often it was claimed, including claims that did not complete. The number identifies the claim that may update the row.';
comment on column private.outbox.next_attempt_at is 'When it may be claimed. While it is being sent: when the claim ends.';
comment on column private.outbox.expires_at is 'After this time it is not sent, for example because its link has expired.';
comment on column private.outbox.settled_at is 'When it was sent or given up. The row is deleted 30 days later.';
alter table private.outbox enable row level security;
CREATE INDEX outbox_dead ON private.outbox USING btree (settled_at DESC, id DESC) WHERE (state = 'dead'::text);
CREATE INDEX outbox_settled ON private.outbox USING btree (settled_at) WHERE (state <> 'waiting'::text);
CREATE INDEX outbox_waiting ON private.outbox USING btree (next_attempt_at) WHERE (state = 'waiting'::text);
CREATE TRIGGER notify_outbox AFTER INSERT ON private.outbox FOR EACH STATEMENT EXECUTE FUNCTION private.notify_outbox();

create view private.own_deleted_media as
 SELECT m.id
   FROM (public.media m
     JOIN storage.objects o ON ((o.id = m.id)))
  WHERE ((m.moderation = 'deleted'::text) AND (o.owner = ( SELECT auth.uid() AS uid)));
comment on table private.own_deleted_media is 'Ids of the caller''s files whose photo or video is in the trash, where policies hide it. It has the rights of its owner, and only policies read it.';
grant select on table private.own_deleted_media to authenticated;

create view private.own_media as
 SELECT media_id
   FROM public.media_details d
  WHERE ((user_id = ( SELECT auth.uid() AS uid)) OR (guest_id = ( SELECT private.guest_id() AS guest_id)));
comment on table private.own_media is 'Ids of the photos and videos that the caller, signed in or guest, added. It has the rights of its owner, and only policies read it.';
grant select on table private.own_media to anon;
grant select on table private.own_media to authenticated;

create view private.own_memories as
 SELECT id
   FROM public.memories m
  WHERE ((user_id = ( SELECT auth.uid() AS uid)) AND (deleted_at IS NULL) AND ( SELECT private.has_required_aal() AS has_required_aal));
comment on table private.own_memories is 'Ids of the caller''s memories that are not in the trash; none until the session has the required AAL. It has the rights of its owner, and only policies read it.';
grant select on table private.own_memories to authenticated;

create table private.payment_events (
  id text not null,
  type text not null,
  created timestamp with time zone not null,
  received_at timestamp with time zone default now() not null,
  handled_at timestamp with time zone,
  order_id uuid,
  constraint payment_events_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders(id) ON DELETE SET NULL,
  constraint payment_events_pkey PRIMARY KEY (id)
);
comment on table private.payment_events is 'Processed events of the payment provider by their ids, so that none is processed twice. Only the server can read them.';
alter table private.payment_events enable row level security;
CREATE INDEX payment_events_order_id ON private.payment_events USING btree (order_id);

create view private.pictures_of_fellows as
 SELECT private.picture_name(id) AS name
   FROM public.profiles p
  WHERE ((EXISTS ( SELECT
           FROM public.memory_members f
          WHERE ((f.user_id = p.id) AND ((EXISTS ( SELECT
                   FROM public.memories m
                  WHERE ((m.id = f.memory_id) AND (m.user_id = ( SELECT auth.uid() AS uid)) AND (m.deleted_at IS NULL) AND ( SELECT private.has_required_aal() AS has_required_aal)))) OR (f.memory_id = ANY (( SELECT private.joined_memory_ids() AS joined_memory_ids)::uuid[])))))) OR (EXISTS ( SELECT
           FROM public.memories m
          WHERE ((m.user_id = p.id) AND (m.id = ANY (( SELECT private.joined_memory_ids() AS joined_memory_ids)::uuid[]))))));
comment on table private.pictures_of_fellows is 'Names of the pictures of accounts that are among the people of a memory with the caller, so that memory_people() tells the caller the name. It has the rights of its owner, and only policies read it.';
grant select on table private.pictures_of_fellows to authenticated;

create table private.playback_claims (
  media_id uuid not null,
  attempts integer default 1 not null,
  until timestamp with time zone not null,
  constraint playback_claims_media_id_fkey FOREIGN KEY (media_id) REFERENCES public.media(id) ON DELETE CASCADE,
  constraint playback_claims_pkey PRIMARY KEY (media_id)
);
comment on table private.playback_claims is 'Claims on videos of which a playable copy is being made. A claim is renewed during the work; the number of attempts is limited.';
alter table private.playback_claims enable row level security;
CREATE TRIGGER follow_earlier_claim BEFORE INSERT OR UPDATE ON private.playback_claims FOR EACH ROW EXECUTE FUNCTION private.follow_earlier_claim('video-copies');
CREATE TRIGGER follow_earlier_end AFTER DELETE ON private.playback_claims FOR EACH ROW EXECUTE FUNCTION private.follow_earlier_claim('video-copies');

create table private.prepared_downloads (
  ticket_hash text not null,
  caller jsonb not null,
  user_id uuid,
  link_id uuid,
  manifest text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  link_state integer,
  constraint prepared_downloads_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.share_links(id) ON DELETE CASCADE,
  constraint prepared_downloads_pkey PRIMARY KEY (ticket_hash),
  constraint prepared_downloads_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table private.prepared_downloads is 'Archives that can be downloaded for a day: whose rights are checked at every use, and their contents. Only the server can read them.';
comment on column private.prepared_downloads.ticket_hash is 'SHA-256 of the ticket in the URL, so that a copy of this table is useless.';
comment on column private.prepared_downloads.manifest is 'Files and pages in order, as JSON. Every range of the archive is cut from the same list.';
comment on column private.prepared_downloads.link_state is 'The link''s version without additions to its album when this was prepared. While it is unchanged, the link still opens everything. Null without a link.';
CREATE INDEX prepared_downloads_expires_at ON private.prepared_downloads USING btree (expires_at);
CREATE INDEX prepared_downloads_link_id ON private.prepared_downloads USING btree (link_id);
CREATE INDEX prepared_downloads_user_id ON private.prepared_downloads USING btree (user_id);

create table private.push_key (
  is_only boolean default true not null,
  public_key text not null,
  sealed_private_key text not null,
  constraint push_key_is_only_check CHECK (is_only),
  constraint push_key_pkey PRIMARY KEY (is_only)
);
comment on table private.push_key is 'The key by which push services know this installation (VAPID, RFC 8292), made at the first start. Its private half is encrypted.';
alter table private.push_key enable row level security;

create table private.push_times (
  user_id uuid not null,
  memory_id uuid not null,
  pushed_at timestamp with time zone not null,
  constraint push_times_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint push_times_pkey PRIMARY KEY (user_id, memory_id),
  constraint push_times_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table private.push_times is 'When the devices of each person were last told about a memory: at most once in 15 minutes.';
alter table private.push_times enable row level security;
CREATE INDEX push_times_memory_id ON private.push_times USING btree (memory_id);

create table private.read_back (
  id boolean default true not null,
  last_read uuid default '00000000-0000-0000-0000-000000000000'::uuid not null,
  started_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  due_at timestamp with time zone default now() not null,
  bytes_per_day double precision,
  measured_at timestamp with time zone,
  stored_files bigint default 0 not null,
  round_files bigint default 0 not null,
  files bigint default 0 not null,
  bytes double precision default 0 not null,
  differences bigint default 0 not null,
  mended bigint default 0 not null,
  constraint read_back_bytes_per_day_check CHECK ((bytes_per_day > (0)::double precision)),
  constraint read_back_id_check CHECK (id),
  constraint read_back_pkey PRIMARY KEY (id)
);
comment on table private.read_back is 'The round in which all processes together read stored files again, in the order of their ids, and compare their checksums.';
comment on column private.read_back.last_read is 'The object that was read last. A killed process leaves it, so its file is read again.';
comment on column private.read_back.started_at is 'When this round began, or when it begins.';
comment on column private.read_back.finished_at is 'The end of the last complete round.';
comment on column private.read_back.due_at is 'When the next file may be read: each read file moves it by the time that its bytes may take.';
comment on column private.read_back.bytes_per_day is 'The speed of the round, calculated each day from the settings and from the size of all files.';
comment on column private.read_back.stored_files is 'The number of all files at that time.';
comment on column private.read_back.files is 'Files read since the first round; likewise `bytes`, `differences` and `mended`.';
alter table private.read_back enable row level security;

create table private.refusals (
  day date default ((now() AT TIME ZONE 'utc'::text))::date not null,
  area text not null,
  count bigint not null,
  constraint refusals_pkey PRIMARY KEY (day, area)
);
comment on table private.refusals is 'Requests that a limit refused (429), by day and part of the server. Each process adds its own from time to time.';
alter table private.refusals enable row level security;

create table private.returned_amounts (
  id bigint generated always as identity not null,
  order_id uuid not null,
  currency text not null,
  amount integer not null,
  returned_at timestamp with time zone default now() not null,
  constraint returned_amounts_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders(id) ON DELETE CASCADE,
  constraint returned_amounts_pkey PRIMARY KEY (id)
);
comment on table private.returned_amounts is 'Each refund of an order, in pence or cents, on the day on which the payment provider told of it. Negative where it took one back. A trigger adds the rows.';
alter table private.returned_amounts enable row level security;
CREATE INDEX returned_amounts_order_id ON private.returned_amounts USING btree (order_id);
CREATE TRIGGER note_returned_amount AFTER INSERT OR DELETE OR UPDATE ON private.returned_amounts FOR EACH ROW EXECUTE FUNCTION private.note_returned_amount();

create table private.search_entries (
  kind text not null,
  row_id uuid not null,
  part smallint default 0 not null,
  memory_id uuid not null,
  account uuid not null,
  class text not null,
  words tsvector default ''::tsvector not null,
  on_date text,
  first_day date,
  last_day date,
  "precision" smallint,
  month_day text,
  constraint search_entries_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint search_entries_pkey PRIMARY KEY (row_id, kind, part)
);
comment on table private.search_entries is 'The search index: what every viewer of a memory may see. Hidden, held and deleted rows have no entry. Only triggers write it.';
comment on column private.search_entries.kind is 'memory, story, moment, comment, photo, person, or file for the name of a file.';
comment on column private.search_entries.part is 'A memory has an entry for each of its dates.';
comment on column private.search_entries.account is 'The owner of the memory.';
comment on column private.search_entries.class is 'w: words of a memory, story or moment, or names of a person; c: of a comment; p: of a photo or video, and names on it; f: the name of a file, for managers.';
comment on column private.search_entries.words is 'Words, stems and misspellings, each once after the beginning of the memory''s id and once after that of its owner. A search touches only index entries of what the caller sees: of own memories together, of others one by one.';
comment on column private.search_entries."precision" is 'Of the date: 0 day, 1 month, 2 season, 3 year, 4 decade.';
comment on column private.search_entries.month_day is 'Month and day, for dates of any year.';
CREATE INDEX search_entries_account ON private.search_entries USING btree (account, class, "precision", first_day);
CREATE INDEX search_entries_account_month_day ON private.search_entries USING btree (account, class, month_day) WHERE (month_day IS NOT NULL);
CREATE INDEX search_entries_memory_id ON private.search_entries USING btree (memory_id, class, "precision", first_day);
CREATE INDEX search_entries_month_day ON private.search_entries USING btree (memory_id, class, month_day) WHERE (month_day IS NOT NULL);
CREATE INDEX search_entries_words ON private.search_entries USING gin (words);

create table private.share_attempts (
  key text not null,
  failures integer default 0 not null,
  locked_until timestamp with time zone,
  forget_at timestamp with time zone not null,
  constraint share_attempts_failures_check CHECK ((failures >= 0)),
  constraint share_attempts_pkey PRIMARY KEY (key)
);
comment on table private.share_attempts is 'Failed attempts by secret ("secret:" and a digest of its hash), by link without a secret ("link:" and its share id) and by address ("address:" and a keyed hash).';
comment on column private.share_attempts.failures is 'Failed attempts, including those in progress: an attempt is counted before it is checked.';
comment on column private.share_attempts.forget_at is 'The row may be deleted after this time.';
CREATE INDEX share_attempts_forget_at ON private.share_attempts USING btree (forget_at);

create table private.totals (
  kind text not null,
  amount bigint not null
);
comment on table private.totals is 'A ledger, as private.media_sums: the rows of a kind add up to its total. Each change adds rows, and waits for nobody; the job of the figures merges them. Only triggers write it.';
comment on column private.totals.kind is 'accounts, memories, media, stored (bytes), card and its state of making, active and the day (UTC) on which accounts were used last, or new, what was made, and the day. What happened on a day stays, whatever is deleted later.';
alter table private.totals enable row level security;
CREATE INDEX totals_kind ON private.totals USING btree (kind) INCLUDE (amount);

create table private.video_copies (
  media_id uuid not null,
  attempts integer default 0 not null,
  until timestamp with time zone default '-infinity'::timestamp with time zone not null,
  constraint video_copies_media_id_fkey FOREIGN KEY (media_id) REFERENCES public.media(id) ON DELETE CASCADE,
  constraint video_copies_pkey PRIMARY KEY (media_id)
);
comment on table private.video_copies is 'Videos whose streams are still to be copied into a file without private data. A worker claims a row until a time and deletes it when the copy is made.';
alter table private.video_copies enable row level security;
CREATE INDEX video_copies_until ON private.video_copies USING btree (until);
CREATE TRIGGER follow_earlier_claim BEFORE INSERT OR UPDATE ON private.video_copies FOR EACH ROW EXECUTE FUNCTION private.follow_earlier_claim('video-streams');
CREATE TRIGGER follow_earlier_end AFTER DELETE ON private.video_copies FOR EACH ROW EXECUTE FUNCTION private.follow_earlier_claim('video-streams');

create table private.web_files (
  path text not null,
  type text not null,
  encoding text,
  bytes bytea not null,
  left_at timestamp with time zone,
  constraint web_files_encoding_check CHECK ((encoding = 'br'::text)),
  constraint web_files_path_check CHECK ((path ~ '^assets/[A-Za-z0-9._/-]{1,200}$'::text)),
  constraint web_files_pkey PRIMARY KEY (path)
);
comment on table private.web_files is 'The files that builds of the web app made. Open pages of an earlier build still load their parts from here after an upgrade.';
comment on column private.web_files.encoding is 'The encoding of the bytes; null if they are not compressed.';
comment on column private.web_files.left_at is 'When a process with another build started; null for the files of the newest one. Deleted after 30 days.';
alter table private.web_files enable row level security;

create table private.work (
  kind text not null,
  subject uuid not null,
  attempts integer default 0 not null,
  due_at timestamp with time zone default now() not null,
  seconds real default 0 not null,
  claim uuid,
  constraint work_pkey PRIMARY KEY (subject, kind)
);
comment on table private.work is 'Work that jobs do item by item: a row until it is done or given up. A claim is a lease, which ends when the row is due again.';
comment on column private.work.kind is 'The job.';
comment on column private.work.subject is 'What the job works on, e.g. the id of a photo.';
comment on column private.work.attempts is 'Attempts that have begun, without those whose failures are counted elsewhere.';
comment on column private.work.due_at is 'When it is done next: since when it waits, the end of a pause, or the end of a claim.';
comment on column private.work.seconds is 'The length of a video or recording. Short ones come first.';
comment on column private.work.claim is 'The claim of the process that works on it, or did until it ended.';
alter table private.work enable row level security;
CREATE INDEX work_due_at ON private.work USING btree (kind, due_at);
CREATE TRIGGER notify AFTER INSERT ON private.work FOR EACH ROW EXECUTE FUNCTION private.notify_work();
CREATE TRIGGER show_ended_motion AFTER DELETE ON private.work FOR EACH ROW WHEN ((old.kind = 'motions'::text)) EXECUTE FUNCTION private.show_to_earlier_version('motion_claims');
CREATE TRIGGER show_ended_streams AFTER DELETE ON private.work FOR EACH ROW WHEN ((old.kind = 'video-streams'::text)) EXECUTE FUNCTION private.show_to_earlier_version('video_copies');
CREATE TRIGGER show_new_motion AFTER INSERT ON private.work FOR EACH ROW WHEN ((new.kind = 'motions'::text)) EXECUTE FUNCTION private.show_to_earlier_version('motion_claims');
CREATE TRIGGER show_new_streams AFTER INSERT ON private.work FOR EACH ROW WHEN ((new.kind = 'video-streams'::text)) EXECUTE FUNCTION private.show_to_earlier_version('video_copies');

create table public.affiliate_clicks (
  affiliate_id uuid not null,
  day date default ((now() AT TIME ZONE 'utc'::text))::date not null,
  clicks integer default 1 not null,
  constraint affiliate_clicks_affiliate_id_fkey FOREIGN KEY (affiliate_id) REFERENCES public.affiliates(id) ON DELETE CASCADE,
  constraint affiliate_clicks_clicks_check CHECK ((clicks > 0)),
  constraint affiliate_clicks_pkey PRIMARY KEY (affiliate_id, day)
);
comment on table public.affiliate_clicks is 'Number of browsers that opened an affiliate''s link on a day (UTC), of people who agreed to be counted. Nothing else is stored about them.';
alter table public.affiliate_clicks enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.affiliate_clicks to service_role;
grant select on table public.affiliate_clicks to authenticated;
create policy "affiliate and administrators read" on public.affiliate_clicks for select to authenticated
  using ((affiliate_id IN ( SELECT affiliates.id
   FROM public.affiliates)));
create policy "required authentication level" on public.affiliate_clicks as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.affiliate_clicks for all to service_role
  using (true)
  with check (true);

create table public.affiliates (
  id uuid default gen_random_uuid() not null,
  user_id uuid default auth.uid(),
  code text not null,
  state text default 'active'::text not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  constraint affiliates_code_check CHECK ((code ~ '^[0-9A-HJKMNP-TV-Z]{8}$'::text)),
  constraint affiliates_code_key UNIQUE (code),
  constraint affiliates_pkey PRIMARY KEY (id),
  constraint affiliates_state_check CHECK ((state = ANY (ARRAY['active'::text, 'paused'::text, 'left'::text]))),
  constraint affiliates_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint affiliates_user_id_key UNIQUE (user_id)
);
comment on table public.affiliates is 'People who recommend Skies for a commission. Visible to themselves and to administrators. Kept for accounting, without a name, when an account is deleted.';
comment on column public.affiliates.code is 'The code in their link, ?ref={code}. Generated by the server, and kept when they leave and come back.';
comment on column public.affiliates.state is 'active; paused by an administrator; left. Only purchases through an active affiliate earn a commission.';
comment on column public.affiliates.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
alter table public.affiliates enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.affiliates to service_role;
grant select on table public.affiliates to authenticated;
grant insert (user_id) on table public.affiliates to authenticated;
grant update (state, revision) on table public.affiliates to authenticated;
CREATE INDEX affiliates_newest ON public.affiliates USING btree (created_at DESC, id DESC);
create policy "affiliate and administrators change" on public.affiliates for update to authenticated
  using (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_admin() AS is_admin)))
  with check (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_admin() AS is_admin)));
create policy "affiliate and administrators read" on public.affiliates for select to authenticated
  using (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_admin() AS is_admin)));
create policy "new affiliate adds" on public.affiliates for insert to authenticated
  with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy "required authentication level" on public.affiliates as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.affiliates for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.affiliates FOR EACH ROW WHEN (((old.state IS DISTINCT FROM new.state) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER validate_affiliate BEFORE INSERT OR UPDATE ON public.affiliates FOR EACH ROW EXECUTE FUNCTION private.validate_affiliate();
CREATE TRIGGER z90_audit_change AFTER INSERT OR DELETE OR UPDATE ON public.affiliates FOR EACH ROW EXECUTE FUNCTION private.audit_change('id', 'personal');

create table public.albums (
  id uuid default gen_random_uuid() not null,
  user_id uuid default auth.uid() not null,
  name text not null,
  cover_media_id uuid,
  "position" integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  revision integer default 1 not null,
  constraint albums_cover_media_id_fkey FOREIGN KEY (cover_media_id) REFERENCES public.media(id) ON DELETE SET NULL,
  constraint albums_id_user_id_key UNIQUE (id, user_id),
  constraint albums_name_check CHECK (((length(btrim(name)) >= 1) AND (length(btrim(name)) <= 200))),
  constraint albums_pkey PRIMARY KEY (id),
  constraint albums_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table public.albums is 'A named group of memories. Deleting an album does not delete its memories.';
comment on column public.albums."position" is 'Order among the owner''s albums; equal positions are ordered by creation.';
comment on column public.albums.deleted_at is 'When it was moved to the trash. Hidden from every caller until it is restored.';
comment on column public.albums.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
alter table public.albums enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.albums to service_role;
grant delete, select on table public.albums to authenticated;
grant insert (id, name, cover_media_id, "position") on table public.albums to authenticated;
grant select (id, name, cover_media_id, "position", created_at, updated_at, deleted_at, revision) on table public.albums to anon;
grant update (name, cover_media_id, "position", revision) on table public.albums to authenticated;
CREATE INDEX albums_cover_media_id ON public.albums USING btree (cover_media_id);
CREATE INDEX albums_user_id ON public.albums USING btree (user_id, "position", created_at, id);
create policy "not in the trash" on public.albums as restrictive for all to anon, authenticated
  using ((deleted_at IS NULL));
create policy "owner adds" on public.albums for insert to authenticated
  with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy "owner and visitors read" on public.albums for select to authenticated
  using (((user_id = ( SELECT auth.uid() AS uid)) OR (id = ANY (( SELECT private.linked_album_ids() AS linked_album_ids)::uuid[]))));
create policy "owner changes" on public.albums for update to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)))
  with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy "owner deletes" on public.albums for delete to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));
create policy "required authentication level" on public.albums as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.albums for all to service_role
  using (true)
  with check (true);
create policy "visitors read" on public.albums for select to anon
  using ((id = ANY (( SELECT private.linked_album_ids() AS linked_album_ids)::uuid[])));
CREATE TRIGGER t10_move_to_trash BEFORE DELETE ON public.albums FOR EACH ROW WHEN ((CURRENT_USER = ANY (ARRAY['anon'::name, 'authenticated'::name]))) EXECUTE FUNCTION private.move_album_to_trash();
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.albums FOR EACH ROW WHEN ((((old.name IS DISTINCT FROM new.name) OR (old.cover_media_id IS DISTINCT FROM new.cover_media_id)) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.albums FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();

create table public.audit_log (
  id bigint generated always as identity not null,
  happened_at timestamp with time zone default now() not null,
  actor uuid,
  role text not null,
  address text,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  reason text,
  constraint audit_log_action_check CHECK ((action ~ '^[a-z_]+\.[a-z_]+$'::text)),
  constraint audit_log_pkey PRIMARY KEY (id),
  constraint audit_log_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 2000)))
);
comment on table public.audit_log is 'What staff did, written in the transaction of the act. Administrators read it. Nobody can change or delete a row.';
comment on column public.audit_log.actor is 'The account of the person; null for the command line. No reference: the row outlives the account.';
comment on column public.audit_log.role is 'The role under which they acted; service_role for the command line.';
comment on column public.audit_log.address is 'The network address of the request.';
comment on column public.audit_log.action is 'A kind of thing and what was done to it, for example vouchers.update or person.suspend.';
comment on column public.audit_log.subject is 'The id of what was changed.';
comment on column public.audit_log.before is 'The changed columns as they were. What people wrote and where they live is left out.';
alter table public.audit_log enable row level security;
grant select on table public.audit_log to authenticated;
grant select on table public.audit_log to service_role;
CREATE INDEX audit_log_action ON public.audit_log USING btree (action, happened_at DESC, id DESC);
CREATE INDEX audit_log_actor ON public.audit_log USING btree (actor, happened_at DESC, id DESC);
CREATE INDEX audit_log_newest ON public.audit_log USING btree (happened_at DESC, id DESC);
CREATE INDEX audit_log_subject ON public.audit_log USING btree (subject, happened_at DESC, id DESC);
create policy "administrators read" on public.audit_log for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));
create policy "required authentication level" on public.audit_log as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.audit_log for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER refuse_change BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION private.refuse_change();
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION private.refuse_change();

create table public.blog_posts (
  id uuid default gen_random_uuid() not null,
  slug text not null,
  language text not null,
  title text not null,
  summary text not null,
  body public.html not null,
  author text not null,
  published_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  cover text,
  cover_alt text default ''::text not null,
  cover_width integer,
  cover_height integer,
  cover_colour text,
  cover_placeholder text,
  revision integer default 1 not null,
  constraint blog_posts_author_check CHECK (((length(author) >= 1) AND (length(author) <= 100))),
  constraint blog_posts_body_check CHECK ((length((body)::text) <= 200000)),
  constraint blog_posts_cover_alt_check CHECK ((length(cover_alt) <= 300)),
  constraint blog_posts_language_check CHECK ((language = ANY (ARRAY['en'::text, 'it'::text]))),
  constraint blog_posts_pkey PRIMARY KEY (id),
  constraint blog_posts_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(slug) <= 100))),
  constraint blog_posts_slug_language_key UNIQUE (slug, language),
  constraint blog_posts_summary_check CHECK (((length(summary) >= 1) AND (length(summary) <= 500))),
  constraint blog_posts_title_check CHECK (((length(title) >= 1) AND (length(title) <= 200))),
  constraint published_at_in_years_1_to_9999 CHECK (((published_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (published_at <= '9999-12-31 00:00:00+00'::timestamp with time zone)))
);
comment on table public.blog_posts is 'The posts of the blog, a row for each language. Anyone reads those that are published.';
comment on column public.blog_posts.published_at is 'Null for a draft; in the future for a scheduled post.';
comment on column public.blog_posts.cover is 'The name of an object in the bucket covers; null for a drawn sky.';
comment on column public.blog_posts.cover_alt is 'What the cover shows, for people who do not see it.';
comment on column public.blog_posts.cover_width is 'Pixels of the cover as it is seen. Triggers and a job write this and the columns after it.';
comment on column public.blog_posts.cover_placeholder is 'A tiny blurred picture as a data URL; null until a job has made it.';
comment on column public.blog_posts.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
alter table public.blog_posts enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.blog_posts to service_role;
grant delete, select on table public.blog_posts to authenticated;
grant select on table public.blog_posts to anon;
grant insert (slug, language, title, summary, body, author, published_at, cover, cover_alt) on table public.blog_posts to authenticated;
grant update (slug, language, title, summary, body, author, published_at, cover, cover_alt, revision) on table public.blog_posts to authenticated;
CREATE INDEX blog_posts_cover ON public.blog_posts USING btree (cover) WHERE (cover IS NOT NULL);
CREATE INDEX blog_posts_newest ON public.blog_posts USING btree (created_at DESC, id);
CREATE INDEX blog_posts_published ON public.blog_posts USING btree (language, published_at DESC, id);
create policy "administrators and editors add" on public.blog_posts for insert to authenticated
  with check (( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'editor'::text]) AS has_role));
create policy "administrators and editors change" on public.blog_posts for update to authenticated
  using (( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'editor'::text]) AS has_role))
  with check (( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'editor'::text]) AS has_role));
create policy "administrators and editors delete" on public.blog_posts for delete to authenticated
  using (( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'editor'::text]) AS has_role));
create policy "administrators and editors read" on public.blog_posts for select to authenticated
  using (( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'editor'::text]) AS has_role));
create policy "published posts" on public.blog_posts for select to anon, authenticated
  using ((published_at <= now()));
create policy "required authentication level" on public.blog_posts as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.blog_posts for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER describe_cover BEFORE INSERT OR UPDATE OF cover ON public.blog_posts FOR EACH ROW EXECUTE FUNCTION private.describe_cover();
CREATE TRIGGER keep_revision AFTER DELETE OR UPDATE ON public.blog_posts FOR EACH ROW EXECUTE FUNCTION private.keep_revision();
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.blog_posts FOR EACH ROW WHEN (((((((((((old.slug IS DISTINCT FROM new.slug) OR (old.language IS DISTINCT FROM new.language)) OR (old.title IS DISTINCT FROM new.title)) OR (old.summary IS DISTINCT FROM new.summary)) OR ((old.body)::text IS DISTINCT FROM (new.body)::text)) OR (old.author IS DISTINCT FROM new.author)) OR (old.published_at IS DISTINCT FROM new.published_at)) OR (old.cover IS DISTINCT FROM new.cover)) OR (old.cover_alt IS DISTINCT FROM new.cover_alt)) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER touch_updated_at BEFORE UPDATE OF slug, language, title, summary, body, author, published_at, cover, cover_alt ON public.blog_posts FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER z90_audit_change AFTER INSERT OR DELETE OR UPDATE ON public.blog_posts FOR EACH ROW EXECUTE FUNCTION private.audit_change('slug', 'personal');

create table public.blog_revisions (
  id bigint generated always as identity not null,
  slug text not null,
  language text not null,
  title text not null,
  summary text not null,
  body public.html not null,
  author text not null,
  published_at timestamp with time zone,
  written_by uuid,
  written_at timestamp with time zone default now() not null,
  cover text,
  cover_alt text default ''::text not null,
  constraint blog_revisions_pkey PRIMARY KEY (id),
  constraint blog_revisions_written_by_fkey FOREIGN KEY (written_by) REFERENCES auth.users(id) ON DELETE SET NULL
);
comment on table public.blog_revisions is 'Versions of posts as they were before each change and before their deletion. A trigger adds them; nobody changes them. Administrators and editors read them.';
comment on column public.blog_revisions.written_by is 'Who replaced or deleted it; null for the command line and for accounts that are gone.';
alter table public.blog_revisions enable row level security;
grant select on table public.blog_revisions to authenticated;
grant select on table public.blog_revisions to service_role;
CREATE INDEX blog_revisions_cover ON public.blog_revisions USING btree (cover) WHERE (cover IS NOT NULL);
CREATE INDEX blog_revisions_post ON public.blog_revisions USING btree (slug, language, id DESC);
CREATE INDEX blog_revisions_written_by ON public.blog_revisions USING btree (written_by);
create policy "administrators and editors read" on public.blog_revisions for select to authenticated
  using (( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'editor'::text]) AS has_role));
create policy "required authentication level" on public.blog_revisions as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.blog_revisions for all to service_role
  using (true)
  with check (true);

create table public.campaigns (
  id uuid default gen_random_uuid() not null,
  name text not null,
  active boolean default true not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  constraint campaigns_name_check CHECK (((length(btrim(name)) >= 1) AND (length(btrim(name)) <= 100))),
  constraint campaigns_pkey PRIMARY KEY (id)
);
comment on table public.campaigns is 'Batches of single-use vouchers that were made at once. Switched off, none of them is valid. Administrators read them.';
comment on column public.campaigns.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
alter table public.campaigns enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.campaigns to service_role;
grant select on table public.campaigns to authenticated;
grant update (name, active, revision) on table public.campaigns to authenticated;
create policy "administrators change" on public.campaigns for update to authenticated
  using (( SELECT private.is_admin() AS is_admin))
  with check (( SELECT private.is_admin() AS is_admin));
create policy "administrators read" on public.campaigns for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));
create policy "required authentication level" on public.campaigns as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.campaigns for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.campaigns FOR EACH ROW WHEN ((((old.name IS DISTINCT FROM new.name) OR (old.active IS DISTINCT FROM new.active)) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER z90_audit_change AFTER UPDATE ON public.campaigns FOR EACH ROW EXECUTE FUNCTION private.audit_change('id', 'plain');

create table public.card_deliveries (
  card_id uuid not null,
  user_id uuid default auth.uid() not null,
  order_id uuid,
  address jsonb,
  carrier text default ''::text not null,
  tracking_number text default ''::text not null,
  tracking_url text default ''::text not null,
  revision integer default 1 not null,
  constraint card_deliveries_address_check CHECK (((jsonb_typeof(address) = 'object'::text) AND (length((address)::text) <= 2000))),
  constraint card_deliveries_card_id_fkey FOREIGN KEY (card_id) REFERENCES public.metal_cards(id) ON DELETE CASCADE,
  constraint card_deliveries_carrier_check CHECK ((length(carrier) <= 60)),
  constraint card_deliveries_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders(id) ON DELETE CASCADE,
  constraint card_deliveries_pkey PRIMARY KEY (card_id),
  constraint card_deliveries_tracking_number_check CHECK ((length(tracking_number) <= 60)),
  constraint card_deliveries_tracking_url_check CHECK (((length(tracking_url) <= 500) AND (tracking_url ~ '^(https://\S+)?$'::text))),
  constraint card_deliveries_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table public.card_deliveries is 'Delivery address and tracking of each card. Visible to the buyer, even after somebody else claimed the card, and not to the new holder.';
comment on column public.card_deliveries.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
alter table public.card_deliveries enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.card_deliveries to service_role;
grant select on table public.card_deliveries to authenticated;
grant insert (card_id, address) on table public.card_deliveries to authenticated;
grant update (address, carrier, tracking_number, tracking_url, revision) on table public.card_deliveries to authenticated;
CREATE INDEX card_deliveries_order_id ON public.card_deliveries USING btree (order_id);
CREATE INDEX card_deliveries_user_id ON public.card_deliveries USING btree (user_id);
create policy "buyer and staff change" on public.card_deliveries for update to authenticated
  using (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'fulfilment'::text]) AS has_role)))
  with check (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'fulfilment'::text]) AS has_role)));
create policy "buyer and staff read" on public.card_deliveries for select to authenticated
  using (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'support'::text, 'fulfilment'::text]) AS has_role)));
create policy "holder adds" on public.card_deliveries for insert to authenticated
  with check (((user_id = ( SELECT auth.uid() AS uid)) AND (card_id IN ( SELECT metal_cards.id
   FROM public.metal_cards
  WHERE (metal_cards.user_id = ( SELECT auth.uid() AS uid))))));
create policy "required authentication level" on public.card_deliveries as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.card_deliveries for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.card_deliveries FOR EACH ROW WHEN ((((((old.address IS DISTINCT FROM new.address) OR (old.carrier IS DISTINCT FROM new.carrier)) OR (old.tracking_number IS DISTINCT FROM new.tracking_number)) OR (old.tracking_url IS DISTINCT FROM new.tracking_url)) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER validate_delivery BEFORE INSERT OR UPDATE ON public.card_deliveries FOR EACH ROW EXECUTE FUNCTION private.validate_delivery();
CREATE TRIGGER z90_audit_change AFTER INSERT OR DELETE OR UPDATE ON public.card_deliveries FOR EACH ROW EXECUTE FUNCTION private.audit_change('card_id', 'personal');

create table public.card_secrets (
  card_id uuid not null,
  hash text not null,
  constraint card_secrets_card_id_fkey FOREIGN KEY (card_id) REFERENCES public.metal_cards(id) ON DELETE CASCADE,
  constraint card_secrets_hash_check CHECK ((hash ~ '^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$'::text)),
  constraint card_secrets_pkey PRIMARY KEY (card_id)
);
comment on table public.card_secrets is 'The secret that claims a card, as a keyed argon2id hash that no caller can read. Without a row it cannot be claimed: it is not packed yet, or already claimed.';
alter table public.card_secrets enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.card_secrets to service_role;
grant insert (card_id, hash) on table public.card_secrets to authenticated;
grant select (card_id) on table public.card_secrets to authenticated;
grant update (hash) on table public.card_secrets to authenticated;
create policy "holder and staff" on public.card_secrets for all to authenticated
  using (((card_id IN ( SELECT c.id
   FROM public.metal_cards c
  WHERE (c.user_id = ( SELECT auth.uid() AS uid)))) OR ( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'fulfilment'::text]) AS has_role)))
  with check (((card_id IN ( SELECT c.id
   FROM public.metal_cards c
  WHERE (c.user_id = ( SELECT auth.uid() AS uid)))) OR ( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'fulfilment'::text]) AS has_role)));
create policy "required authentication level" on public.card_secrets as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.card_secrets for all to service_role
  using (true)
  with check (true);

create table public.cart_items (
  id uuid default gen_random_uuid() not null,
  user_id uuid default auth.uid() not null,
  plan_id text,
  product_id text,
  quantity integer default 1 not null,
  additional_cards integer default 0 not null,
  currency text default 'GBP'::text not null,
  price numeric(10,2) not null,
  item jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint cards_beside_a_plan CHECK (((plan_id IS NOT NULL) OR (additional_cards = 0))),
  constraint cart_items_additional_cards_check CHECK (((additional_cards >= 0) AND (additional_cards <= 1000))),
  constraint cart_items_currency_check CHECK ((currency = ANY (ARRAY['GBP'::text, 'EUR'::text]))),
  constraint cart_items_item_check CHECK (((jsonb_typeof(item) = 'object'::text) AND (pg_column_size(item) <= 16384))),
  constraint cart_items_pkey PRIMARY KEY (id),
  constraint cart_items_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.subscription_plans(id) ON DELETE CASCADE,
  constraint cart_items_price_check CHECK ((price >= (0)::numeric)),
  constraint cart_items_product_id_fkey FOREIGN KEY (product_id) REFERENCES public.products(id) ON DELETE CASCADE,
  constraint cart_items_quantity_check CHECK (((quantity >= 1) AND (quantity <= 1000))),
  constraint cart_items_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint created_at_in_years_1_to_9999 CHECK (((created_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (created_at <= '9999-12-31 00:00:00+00'::timestamp with time zone))),
  constraint one_plan_at_a_time CHECK (((plan_id IS NULL) OR (quantity = 1))),
  constraint one_thing CHECK ((num_nonnulls(plan_id, product_id) = 1))
);
comment on table public.cart_items is 'The cart of a signed-in person. Nobody else can read it.';
comment on column public.cart_items.price is 'Price of one item in pounds or euros, from the catalogue. The value that a client sends is overwritten. Cards added to a plan are priced as cards.';
comment on column public.cart_items.item is 'The item as Spec §3 describes it (plan_id, product_id, additional_cards, quantity), and further details, for example the text on a card.';
alter table public.cart_items enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.cart_items to service_role;
grant delete, select on table public.cart_items to authenticated;
grant insert (id, user_id, plan_id, product_id, quantity, additional_cards, currency, price, item, created_at) on table public.cart_items to authenticated;
grant update (plan_id, product_id, quantity, additional_cards, currency, item) on table public.cart_items to authenticated;
CREATE INDEX cart_items_plan_id ON public.cart_items USING btree (plan_id);
CREATE INDEX cart_items_product_id ON public.cart_items USING btree (product_id);
CREATE INDEX cart_items_user_id ON public.cart_items USING btree (user_id, created_at DESC);
create policy "own rows" on public.cart_items for all to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)))
  with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy "required authentication level" on public.cart_items as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.cart_items for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER refuse_engraving BEFORE INSERT OR UPDATE OF item ON public.cart_items FOR EACH ROW WHEN (((jsonb_typeof((new.item -> 'engraving'::text)) <> 'null'::text) AND (NOT private.is_engraving((new.item -> 'engraving'::text))))) EXECUTE FUNCTION private.refuse_engraving();
CREATE TRIGGER validate_cart_item BEFORE INSERT OR UPDATE ON public.cart_items FOR EACH ROW EXECUTE FUNCTION private.validate_cart_item();

create table public.comment_credits (
  comment_id uuid not null,
  memory_id uuid not null,
  name text not null,
  words text,
  picture text,
  constraint comment_credits_comment_id_memory_id_fkey FOREIGN KEY (comment_id, memory_id) REFERENCES public.comments(id, memory_id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint comment_credits_name_check CHECK ((length(name) <= 200)),
  constraint comment_credits_pkey PRIMARY KEY (comment_id, memory_id),
  constraint comment_credits_words_check CHECK ((length(words) <= 5000))
);
comment on table public.comment_credits is 'The author''s name of each comment, and the original text with mentions; visible as in story_credits. Deleted with the comment.';
comment on column public.comment_credits.words is 'The original text of a comment with mentions; in the comment itself "@…" replaces each name. Null without mentions.';
comment on column public.comment_credits.picture is 'The name of the author''s picture in the bucket avatars, whether or not there is one. Null for guests and without a name.';
alter table public.comment_credits enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.comment_credits to service_role;
grant select on table public.comment_credits to anon;
grant select on table public.comment_credits to authenticated;
CREATE INDEX comment_credits_memory_id ON public.comment_credits USING btree (memory_id);
CREATE INDEX comment_credits_picture ON public.comment_credits USING btree (picture) WHERE (picture IS NOT NULL);
create policy "people who see names, and the author, read" on public.comment_credits for select to authenticated
  using ((EXISTS ( SELECT
   FROM public.comments c
  WHERE ((c.id = comment_credits.comment_id) AND ((EXISTS ( SELECT
           FROM private.own_memories own
          WHERE (own.id = c.memory_id))) OR (c.memory_id = ANY (( SELECT private.shared_credited_memory_ids() AS shared_credited_memory_ids)::uuid[])) OR (c.user_id = ( SELECT auth.uid() AS uid)) OR (c.guest_id = ( SELECT private.guest_id() AS guest_id)))))));
create policy "required authentication level" on public.comment_credits as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.comment_credits for all to service_role
  using (true)
  with check (true);
create policy "visitors who see names, and the guest, read" on public.comment_credits for select to anon
  using ((EXISTS ( SELECT
   FROM public.comments c
  WHERE ((c.id = comment_credits.comment_id) AND ((c.memory_id = ANY (( SELECT private.shared_credited_memory_ids() AS shared_credited_memory_ids)::uuid[])) OR (c.guest_id = ( SELECT private.guest_id() AS guest_id)))))));
create policy "wall shows" on public.comment_credits for select to anon
  using (((memory_id = ( SELECT private.wall_memory_id('names'::text) AS wall_memory_id)) AND (EXISTS ( SELECT
   FROM public.comments c
  WHERE (c.id = comment_credits.comment_id)))));
CREATE TRIGGER set_picture BEFORE INSERT OR UPDATE OF name ON public.comment_credits FOR EACH ROW EXECUTE FUNCTION private.set_picture();

create table public.comments (
  id uuid default gen_random_uuid() not null,
  memory_id uuid not null,
  media_id uuid,
  parent_id uuid,
  user_id uuid default auth.uid(),
  body text not null,
  mentions uuid[] default '{}'::uuid[] not null,
  moderation text default 'shown'::text not null,
  created_at timestamp with time zone default now() not null,
  edited_at timestamp with time zone,
  deleted_at timestamp with time zone,
  guest_id uuid default private.guest_id(),
  revision integer default 1 not null,
  prompt_id uuid,
  constraint a_prompt_is_answered_first CHECK (((prompt_id IS NULL) OR ((media_id IS NULL) AND (parent_id IS NULL)))),
  constraint about_a_photo_of_the_memory FOREIGN KEY (media_id, memory_id) REFERENCES public.media(id, memory_id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint answers_a_prompt_of_the_memory FOREIGN KEY (prompt_id, memory_id) REFERENCES public.prompts(id, memory_id) ON DELETE SET NULL (prompt_id),
  constraint answers_in_the_same_memory FOREIGN KEY (parent_id, memory_id) REFERENCES public.comments(id, memory_id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint comments_body_check CHECK ((length(body) <= 5000)),
  constraint comments_guest_id_fkey FOREIGN KEY (guest_id) REFERENCES public.guests(id) ON DELETE SET NULL,
  constraint comments_id_memory_id_key UNIQUE (id, memory_id),
  constraint comments_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint comments_mentions_check CHECK ((cardinality(mentions) <= 20)),
  constraint comments_moderation_check CHECK ((moderation = ANY (ARRAY['shown'::text, 'held'::text, 'hidden'::text, 'deleted'::text]))),
  constraint comments_pkey PRIMARY KEY (id),
  constraint comments_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint says_nothing_more CHECK (((deleted_at IS NULL) OR (body = ''::text))),
  constraint says_something CHECK (((deleted_at IS NOT NULL) OR (body ~ '\S'::text)))
);
comment on table public.comments is 'Comments on a memory or one of its photos, in plain text. Visible to everybody who can see the memory.';
comment on column public.comments.parent_id is 'The comment it replies to. Replies have no replies, so that a conversation has two levels.';
comment on column public.comments.user_id is 'The author, who may change or delete it; null after their account was deleted.';
comment on column public.comments.mentions is 'Members whom it mentions. Not readable by visitors without an account, as no id of an account.';
comment on column public.comments.moderation is 'As media.moderation.';
comment on column public.comments.deleted_at is 'When it was deleted while it had replies: its text is in the trash or deleted, and the empty row is kept.';
comment on column public.comments.guest_id is 'As media_details.guest_id.';
comment on column public.comments.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
comment on column public.comments.prompt_id is 'The prompt that it answers; null for most. Not for comments on photos and replies.';
alter table public.comments enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.comments to service_role;
grant select on table public.comments to authenticated;
grant insert (id, memory_id, media_id, parent_id, body, mentions, prompt_id) on table public.comments to anon;
grant insert (id, memory_id, media_id, parent_id, body, mentions, prompt_id) on table public.comments to authenticated;
grant select (id, memory_id, media_id, parent_id, body, moderation, created_at, edited_at, deleted_at, guest_id, revision, prompt_id) on table public.comments to anon;
grant update (body, mentions, moderation, revision) on table public.comments to authenticated;
grant update (body, mentions, revision) on table public.comments to anon;
CREATE INDEX comments_guest_id ON public.comments USING btree (guest_id) WHERE (guest_id IS NOT NULL);
CREATE INDEX comments_media_id ON public.comments USING btree (media_id) WHERE (media_id IS NOT NULL);
CREATE INDEX comments_memory_id ON public.comments USING btree (memory_id, created_at, id);
CREATE INDEX comments_moderation ON public.comments USING btree (memory_id, moderation) WHERE (moderation <> 'shown'::text);
CREATE INDEX comments_of_memory ON public.comments USING btree (memory_id, created_at, id) WHERE (media_id IS NULL);
CREATE INDEX comments_parent_id ON public.comments USING btree (parent_id) WHERE (parent_id IS NOT NULL);
CREATE INDEX comments_prompt_id ON public.comments USING btree (prompt_id, created_at) WHERE (prompt_id IS NOT NULL);
CREATE INDEX comments_user_id ON public.comments USING btree (user_id);
create policy "author and managers change" on public.comments for update to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = comments.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[])) OR ((user_id = ( SELECT auth.uid() AS uid)) AND ((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = comments.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('comment'::text) AS shared_memory_ids)::uuid[]))))));
create policy "commenters add" on public.comments for insert to authenticated
  with check (((user_id = ( SELECT auth.uid() AS uid)) AND ((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = comments.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('comment'::text) AS shared_memory_ids)::uuid[]))) AND ((media_id IS NULL) OR (EXISTS ( SELECT
   FROM public.media m
  WHERE (m.id = comments.media_id))))));
create policy "guest adds" on public.comments for insert to anon
  with check (((guest_id = ( SELECT private.guest_id() AS guest_id)) AND (user_id IS NULL) AND (memory_id = ANY (( SELECT private.shared_memory_ids('comment'::text) AS shared_memory_ids)::uuid[])) AND ((media_id IS NULL) OR (EXISTS ( SELECT
   FROM public.media m
  WHERE (m.id = comments.media_id))))));
create policy "guest changes own" on public.comments for update to anon
  using (((guest_id = ( SELECT private.guest_id() AS guest_id)) AND (memory_id = ANY (( SELECT private.linked_memory_ids('{comment,contribute}'::text[]) AS linked_memory_ids)::uuid[]))));
create policy "guest reads own" on public.comments for select to anon
  using (((guest_id = ( SELECT private.guest_id() AS guest_id)) AND (memory_id = ANY (( SELECT private.shared_memory_ids('view'::text) AS shared_memory_ids)::uuid[]))));
create policy "not before the reveal" on public.comments as restrictive for select to anon, authenticated
  using (((memory_id <> ALL (( SELECT private.covered_memory_ids() AS covered_memory_ids)::uuid[])) OR (user_id = ( SELECT auth.uid() AS uid)) OR (guest_id = ( SELECT private.guest_id() AS guest_id)) OR (id IN ( SELECT private.uncovered_ids('comment'::text) AS uncovered_ids))));
create policy "not in the trash" on public.comments as restrictive for all to anon, authenticated
  using ((moderation <> 'deleted'::text));
create policy "required authentication level" on public.comments as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.comments for all to service_role
  using (true)
  with check (true);
create policy "viewers read" on public.comments for select to authenticated
  using (((((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = comments.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('view'::text) AS shared_memory_ids)::uuid[]))) AND (((moderation = 'shown'::text) AND ((parent_id IS NULL) OR (NOT (EXISTS ( SELECT
   FROM private.hidden_comments h
  WHERE (h.id = comments.parent_id)))))) OR (user_id = ( SELECT auth.uid() AS uid))) AND ((media_id IS NULL) OR (EXISTS ( SELECT
   FROM public.media m
  WHERE (m.id = comments.media_id))))) OR (EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = comments.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "visitors read" on public.comments for select to anon
  using (
CASE
    WHEN (memory_id = ANY (( SELECT private.shared_memory_ids('view'::text) AS shared_memory_ids)::uuid[])) THEN ((moderation = 'shown'::text) AND ((parent_id IS NULL) OR (NOT (EXISTS ( SELECT
       FROM private.hidden_comments h
      WHERE (h.id = comments.parent_id))))) AND ((media_id IS NULL) OR (EXISTS ( SELECT
       FROM public.media m
      WHERE (m.id = comments.media_id)))))
    ELSE false
END);
create policy "wall shows" on public.comments for select to anon
  using (
CASE
    WHEN (memory_id = ( SELECT private.wall_memory_id('words'::text) AS wall_memory_id)) THEN ((moderation = 'shown'::text) AND (media_id IS NULL) AND (parent_id IS NULL) AND (deleted_at IS NULL))
    ELSE false
END);
CREATE TRIGGER clear_held_notice AFTER DELETE ON public.comments FOR EACH ROW WHEN ((old.moderation = 'held'::text)) EXECUTE FUNCTION private.clear_held_notice_of_deleted();
CREATE TRIGGER count_changed_comments AFTER UPDATE ON public.comments REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.count_comments();
CREATE TRIGGER count_deleted_comments AFTER DELETE ON public.comments REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.count_comments();
CREATE TRIGGER count_new_comments AFTER INSERT ON public.comments REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.count_comments();
CREATE TRIGGER index_changed_comment AFTER UPDATE ON public.comments REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.follow_in_search('comment', 'id', 'memory_id media_id parent_id body moderation deleted_at');
CREATE TRIGGER index_deleted_comment AFTER DELETE ON public.comments REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.follow_in_search('comment', 'id');
CREATE TRIGGER index_new_comment AFTER INSERT ON public.comments REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.follow_in_search('comment', 'id');
CREATE TRIGGER notify_withdrawn AFTER UPDATE ON public.comments REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.notify_withdrawn('comment');
CREATE TRIGGER t10_keep_in_trash BEFORE UPDATE OF moderation ON public.comments FOR EACH ROW WHEN (((old.moderation = 'deleted'::text) AND (CURRENT_USER = 'service_role'::name))) EXECUTE FUNCTION private.keep_in_trash();
CREATE TRIGGER t10_prepare_comment BEFORE INSERT ON public.comments FOR EACH ROW WHEN ((current_setting('skies.importing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION private.prepare_comment();
CREATE TRIGGER t10_record_changed_text AFTER UPDATE OF body, mentions ON public.comments FOR EACH ROW EXECUTE FUNCTION private.record_original_text();
CREATE TRIGGER t10_record_source AFTER INSERT ON public.comments FOR EACH ROW WHEN ((current_setting('skies.importing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION private.record_source('comment_id');
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.comments FOR EACH ROW WHEN ((((old.body IS DISTINCT FROM new.body) OR (old.mentions IS DISTINCT FROM new.mentions)) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER t20_notify_of_comment AFTER UPDATE ON public.comments FOR EACH ROW WHEN (((old.moderation IS DISTINCT FROM new.moderation) OR (old.deleted_at IS DISTINCT FROM new.deleted_at))) EXECUTE FUNCTION private.notify_of_comment();
CREATE TRIGGER t20_record_author AFTER INSERT ON public.comments FOR EACH ROW WHEN ((current_setting('skies.importing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION private.record_author('comment_credits');
CREATE TRIGGER t20_set_original_text_aside BEFORE INSERT ON public.comments FOR EACH ROW WHEN ((new.mentions <> '{}'::uuid[])) EXECUTE FUNCTION private.set_original_text_aside();
CREATE TRIGGER t20_validate_comment BEFORE UPDATE ON public.comments FOR EACH ROW EXECUTE FUNCTION private.validate_comment();
CREATE TRIGGER t30_record_original_text AFTER INSERT ON public.comments FOR EACH ROW WHEN ((new.mentions <> '{}'::uuid[])) EXECUTE FUNCTION private.record_original_text();
CREATE TRIGGER t30_republish_author AFTER UPDATE ON public.comments FOR EACH ROW WHEN (((old.moderation <> new.moderation) AND (new.moderation = 'shown'::text))) EXECUTE FUNCTION private.republish_author('comment_credits', 'comment_id');
CREATE TRIGGER t30_set_changed_text_aside BEFORE UPDATE OF body, mentions ON public.comments FOR EACH ROW EXECUTE FUNCTION private.set_original_text_aside();
CREATE TRIGGER t40_notify_of_new_comment AFTER INSERT ON public.comments FOR EACH ROW WHEN ((current_setting('skies.importing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION private.notify_of_comment();

create table public.commissions (
  id uuid default gen_random_uuid() not null,
  affiliate_id uuid not null,
  order_id uuid not null,
  currency text not null,
  base integer not null,
  earned integer not null,
  reversed integer default 0 not null,
  amount integer generated always as ((earned - reversed)) stored not null,
  held boolean default false not null,
  earned_at timestamp with time zone not null,
  payable_at timestamp with time zone not null,
  constraint commissions_affiliate_id_fkey FOREIGN KEY (affiliate_id) REFERENCES public.affiliates(id) ON DELETE CASCADE,
  constraint commissions_base_check CHECK ((base >= 0)),
  constraint commissions_check CHECK (((reversed >= 0) AND (reversed <= earned))),
  constraint commissions_currency_check CHECK ((currency = ANY (ARRAY['GBP'::text, 'EUR'::text]))),
  constraint commissions_earned_check CHECK ((earned >= 0)),
  constraint commissions_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders(id) ON DELETE CASCADE,
  constraint commissions_order_id_key UNIQUE (order_id),
  constraint commissions_pkey PRIMARY KEY (id)
);
comment on table public.commissions is '30 % of what was paid, one row per order. Its affiliate can read everything except the order, so that the buyer stays unknown.';
comment on column public.commissions.base is 'Amount paid without tax, in pence or cents, as all amounts here.';
comment on column public.commissions.reversed is 'The part that was taken back after refunds; amount, the rest, is 30 % of what remains paid.';
comment on column public.commissions.held is 'Not paid out while the payment is disputed.';
comment on column public.commissions.payable_at is '30 days after the payment, when most refunds have been made.';
alter table public.commissions enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.commissions to service_role;
grant select (id, affiliate_id, currency, base, earned, reversed, amount, held, earned_at, payable_at) on table public.commissions to authenticated;
CREATE INDEX commissions_affiliate_id ON public.commissions USING btree (affiliate_id, earned_at DESC);
create policy "affiliate and administrators read" on public.commissions for select to authenticated
  using ((affiliate_id IN ( SELECT affiliates.id
   FROM public.affiliates)));
create policy "required authentication level" on public.commissions as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.commissions for all to service_role
  using (true)
  with check (true);

create table public.contact_messages (
  id uuid default gen_random_uuid() not null,
  name text not null,
  email text not null,
  subject text not null,
  message public.html not null,
  created_at timestamp with time zone default now() not null,
  language text default 'en'::text not null,
  constraint contact_messages_email_check CHECK ((length(email) <= 254)),
  constraint contact_messages_language_check CHECK ((language = ANY (ARRAY['en'::text, 'it'::text]))),
  constraint contact_messages_message_check CHECK ((length((message)::text) <= 20000)),
  constraint contact_messages_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint contact_messages_pkey PRIMARY KEY (id),
  constraint contact_messages_subject_check CHECK ((length(subject) <= 200))
);
comment on table public.contact_messages is 'Messages of the contact form. The server alone writes them, together with the email to MAIL_INFO; administrators read them.';
comment on column public.contact_messages.email is 'As it was typed: nobody has confirmed it.';
comment on column public.contact_messages.language is 'Of the browser that sent it: answers are framed in it.';
alter table public.contact_messages enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.contact_messages to service_role;
grant select on table public.contact_messages to authenticated;
CREATE INDEX contact_messages_created_at ON public.contact_messages USING btree (created_at, id);
create policy "administrators read" on public.contact_messages for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));
create policy "required authentication level" on public.contact_messages as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.contact_messages for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER add_to_inbox AFTER INSERT ON public.contact_messages FOR EACH ROW EXECUTE FUNCTION private.add_to_inbox();

create table public.day_replies (
  id uuid default gen_random_uuid() not null,
  memory_id uuid not null,
  guest_id uuid,
  user_id uuid,
  answer text,
  names text[] not null,
  part_ids uuid[] default '{}'::uuid[] not null,
  note text default ''::text not null,
  answers jsonb default '{}'::jsonb not null,
  most integer,
  waiting_since timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  invited_at timestamp with time zone,
  admitted_at timestamp with time zone,
  constraint day_replies_answer_check CHECK ((answer = ANY (ARRAY['yes'::text, 'no'::text, 'maybe'::text]))),
  constraint day_replies_answers_check CHECK ((pg_column_size(answers) <= 30000)),
  constraint day_replies_check CHECK (((waiting_since IS NULL) OR (answer = 'yes'::text))),
  constraint day_replies_guest_id_fkey FOREIGN KEY (guest_id) REFERENCES public.guests(id) ON DELETE SET NULL,
  constraint day_replies_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint day_replies_most_check CHECK (((most >= 1) AND (most <= 20))),
  constraint day_replies_names_check CHECK ((((cardinality(names) >= 1) AND (cardinality(names) <= 20)) AND (array_position(names, NULL::text) IS NULL))),
  constraint day_replies_note_check CHECK ((length(note) <= 1000)),
  constraint day_replies_pkey PRIMARY KEY (id),
  constraint day_replies_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint of_one_person CHECK ((num_nonnulls(guest_id, user_id) <= 1)),
  constraint one_reply_of_a_guest UNIQUE (memory_id, guest_id),
  constraint one_reply_of_an_account UNIQUE (memory_id, user_id)
);
comment on table public.day_replies is 'Replies of persons and households to the parts of a memory''s day. Visible to the memory''s managers and to the guest or account that gave it. save_day_reply writes them.';
comment on column public.day_replies.guest_id is 'The guest of a link who gave it; null for accounts, for replies that managers wrote, and after the guest was deleted.';
comment on column public.day_replies.user_id is 'The account that gave it.';
comment on column public.day_replies.answer is 'Null for an invitation without an answer.';
comment on column public.day_replies.names is 'Who comes, the person who replies first; the others may be blank. With no, only who replied.';
comment on column public.day_replies.part_ids is 'The parts of the day that they come to.';
comment on column public.day_replies.answers is 'Answers to the hosts'' questions: lists of texts by the id of the question.';
comment on column public.day_replies.most is 'The largest number of persons that an invitation is for; null for no limit of its own.';
comment on column public.day_replies.waiting_since is 'When it joined the waiting list; null for all that have a place or need none.';
comment on column public.day_replies.revision is 'Counts changes by people. Moving up from the waiting list is none.';
comment on column public.day_replies.invited_at is 'When managers last made the personal link of the household; null for people who came by themselves.';
comment on column public.day_replies.admitted_at is 'When it last moved up from the waiting list.';
alter table public.day_replies enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.day_replies to service_role;
grant select on table public.day_replies to authenticated;
grant select (id, memory_id, guest_id, answer, names, part_ids, note, answers, most, waiting_since, created_at, updated_at, revision) on table public.day_replies to anon;
CREATE INDEX day_replies_admitted ON public.day_replies USING btree (admitted_at) WHERE (admitted_at IS NOT NULL);
CREATE INDEX day_replies_guest_id ON public.day_replies USING btree (guest_id) WHERE (guest_id IS NOT NULL);
CREATE INDEX day_replies_user_id ON public.day_replies USING btree (user_id) WHERE (user_id IS NOT NULL);
create policy "guest reads own" on public.day_replies for select to anon
  using (((guest_id = ( SELECT private.guest_id() AS guest_id)) AND (memory_id = ANY (( SELECT private.shared_memory_ids('view'::text) AS shared_memory_ids)::uuid[]))));
create policy "managers and the account read" on public.day_replies for select to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = day_replies.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[])) OR ((user_id = ( SELECT auth.uid() AS uid)) AND (memory_id = ANY (( SELECT private.shared_memory_ids('view'::text) AS shared_memory_ids)::uuid[])))));
create policy "required authentication level" on public.day_replies as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.day_replies for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER fill_left_places AFTER DELETE ON public.day_replies REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.fill_left_places();

create table public.day_reply_settings (
  memory_id uuid not null,
  closes_at timestamp with time zone,
  time_zone text default 'UTC'::text not null,
  places integer,
  waiting_list boolean default true not null,
  questions jsonb default '[]'::jsonb not null,
  revision integer default 1 not null,
  constraint closes_at_in_years_1_to_9999 CHECK (((closes_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (closes_at <= '9999-12-31 00:00:00+00'::timestamp with time zone))),
  constraint day_reply_settings_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint day_reply_settings_pkey PRIMARY KEY (memory_id),
  constraint day_reply_settings_places_check CHECK (((places >= 1) AND (places <= 100000))),
  constraint day_reply_settings_questions_check CHECK ((pg_column_size(questions) <= 20000)),
  constraint day_reply_settings_time_zone_check CHECK (((time_zone ~ '^(UTC|Etc/(UTC|GMT|GMT[+-](\d|1[0-4]))|(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)(/[A-Za-z_-]+){1,2})$'::text) AND (timezone(time_zone, '2000-01-01 00:00:00'::timestamp without time zone) IS NOT NULL)))
);
comment on table public.day_reply_settings is 'How people reply to the parts of a memory''s day. Visible to everybody who can see a part that asks for replies. Its row is locked by every change of the memory''s replies, so that limits are exact.';
comment on column public.day_reply_settings.closes_at is 'From this time on only managers change replies; null for no closing time.';
comment on column public.day_reply_settings.time_zone is 'IANA name of the time zone in which closes_at was chosen.';
comment on column public.day_reply_settings.places is 'For how many persons there are places; null for no limit.';
comment on column public.day_reply_settings.waiting_list is 'Whether replies that find no place wait for one. Otherwise they are refused.';
comment on column public.day_reply_settings.questions is 'The hosts'' own questions: {id, kind, text, choices}, of the kinds text, one and several.';
comment on column public.day_reply_settings.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
alter table public.day_reply_settings enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.day_reply_settings to service_role;
grant select on table public.day_reply_settings to anon;
grant select on table public.day_reply_settings to authenticated;
grant insert (memory_id, closes_at, time_zone, places, waiting_list, questions) on table public.day_reply_settings to authenticated;
grant update (closes_at, time_zone, places, waiting_list, questions, revision) on table public.day_reply_settings to authenticated;
CREATE INDEX day_reply_settings_closing ON public.day_reply_settings USING btree (closes_at) WHERE (closes_at IS NOT NULL);
create policy "managers add" on public.day_reply_settings for insert to authenticated
  with check (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = day_reply_settings.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "managers change" on public.day_reply_settings for update to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = day_reply_settings.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "managers read" on public.day_reply_settings for select to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = day_reply_settings.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "required authentication level" on public.day_reply_settings as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.day_reply_settings for all to service_role
  using (true)
  with check (true);
create policy "viewers of a part that asks read" on public.day_reply_settings for select to anon, authenticated
  using ((EXISTS ( SELECT
   FROM public.memory_entries e
  WHERE ((e.memory_id = day_reply_settings.memory_id) AND e.asks_replies))));
CREATE TRIGGER fill_changed_places AFTER UPDATE OF places ON public.day_reply_settings FOR EACH ROW WHEN ((old.places IS DISTINCT FROM new.places)) EXECUTE FUNCTION private.fill_changed_places();
CREATE TRIGGER t10_check_questions BEFORE INSERT OR UPDATE OF questions ON public.day_reply_settings FOR EACH ROW EXECUTE FUNCTION private.check_day_questions();
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.day_reply_settings FOR EACH ROW WHEN (((((((old.closes_at IS DISTINCT FROM new.closes_at) OR (old.time_zone IS DISTINCT FROM new.time_zone)) OR (old.places IS DISTINCT FROM new.places)) OR (old.waiting_list IS DISTINCT FROM new.waiting_list)) OR (old.questions IS DISTINCT FROM new.questions)) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();

create table public.email_preferences (
  email text default private.own_address() not null,
  unsubscribed boolean default false not null,
  updated_at timestamp with time zone default now() not null,
  constraint email_preferences_email_check CHECK (((email = lower(email)) AND (length(email) <= 254) AND (email ~ '^[^\s@]+@[^\s@]+\.[^\s@]+$'::text))),
  constraint email_preferences_pkey PRIMARY KEY (email)
);
comment on table public.email_preferences is 'Which emails an address, with or without an account, accepts from other people. Without a row: all. Kept when an account is deleted.';
alter table public.email_preferences enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.email_preferences to service_role;
grant delete, select on table public.email_preferences to authenticated;
grant insert (email, unsubscribed) on table public.email_preferences to authenticated;
grant update (unsubscribed) on table public.email_preferences to authenticated;
create policy "own address" on public.email_preferences for all to authenticated
  using ((email = ( SELECT private.own_address() AS own_address)))
  with check ((email = ( SELECT private.own_address() AS own_address)));
create policy "required authentication level" on public.email_preferences as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "sender reads" on public.email_preferences for select to authenticated
  using ((email IN ( SELECT private.addresses_written_to() AS addresses_written_to)));
create policy service on public.email_preferences for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.email_preferences FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();

create table public.entry_streams (
  entry_id uuid not null,
  url text not null,
  constraint entry_streams_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES public.memory_entries(id) ON DELETE CASCADE,
  constraint entry_streams_pkey PRIMARY KEY (entry_id),
  constraint entry_streams_url_check CHECK (((url ~* '^https?://\S+$'::text) AND (length(url) <= 1000)))
);
comment on table public.entry_streams is 'Addresses of livestreams of parts of a day. Visible to managers, and from memory_entries.stream_from on to everybody who can see the part.';
alter table public.entry_streams enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.entry_streams to service_role;
grant delete, insert, select on table public.entry_streams to authenticated;
grant select on table public.entry_streams to anon;
create policy "managers add" on public.entry_streams for insert to authenticated
  with check ((EXISTS ( SELECT
   FROM public.memory_entries e
  WHERE ((e.id = entry_streams.entry_id) AND ((EXISTS ( SELECT
           FROM private.own_memories own
          WHERE (own.id = e.memory_id))) OR (e.memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[])))))));
create policy "managers delete" on public.entry_streams for delete to authenticated
  using ((EXISTS ( SELECT
   FROM public.memory_entries e
  WHERE ((e.id = entry_streams.entry_id) AND ((EXISTS ( SELECT
           FROM private.own_memories own
          WHERE (own.id = e.memory_id))) OR (e.memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[])))))));
create policy "required authentication level" on public.entry_streams as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.entry_streams for all to service_role
  using (true)
  with check (true);
create policy "viewers read from its time on, managers always" on public.entry_streams for select to authenticated
  using ((EXISTS ( SELECT
   FROM public.memory_entries e
  WHERE ((e.id = entry_streams.entry_id) AND (COALESCE((e.stream_from <= now()), true) OR (EXISTS ( SELECT
           FROM private.own_memories own
          WHERE (own.id = e.memory_id))) OR (e.memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[])))))));
create policy "visitors read from its time on" on public.entry_streams for select to anon
  using ((EXISTS ( SELECT
   FROM public.memory_entries e
  WHERE ((e.id = entry_streams.entry_id) AND COALESCE((e.stream_from <= now()), true)))));
CREATE TRIGGER count_stream_change AFTER INSERT OR DELETE ON public.entry_streams FOR EACH ROW EXECUTE FUNCTION private.count_stream_change();

create table public.guests (
  id uuid default gen_random_uuid() not null,
  link_id uuid not null,
  name text not null,
  email text,
  language text default 'en'::text not null,
  time_zone text default 'UTC'::text not null,
  site text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  last_seen timestamp with time zone default now() not null,
  blocked_at timestamp with time zone,
  constraint guests_email_check CHECK (((length(email) <= 320) AND (email !~ '[[:cntrl:]]'::text))),
  constraint guests_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.share_links(id) ON DELETE CASCADE,
  constraint guests_name_check CHECK (((name ~ '\S'::text) AND (length(name) <= 100) AND (name !~ '[[:cntrl:]]'::text))),
  constraint guests_pkey PRIMARY KEY (id),
  constraint guests_time_zone_check CHECK ((length(time_zone) <= 100))
);
comment on table public.guests is 'People without an account who entered their name at a link. Visible to the link''s managers and to themselves; deleted with the link.';
comment on column public.guests.email is 'Address for receipts, not confirmed. Visible only to the guest.';
comment on column public.guests.site is 'The address of the site they used, for links in their emails.';
comment on column public.guests.last_seen is 'When they last opened the link.';
comment on column public.guests.blocked_at is 'From this time on they have no rights.';
alter table public.guests enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.guests to service_role;
grant select (id, link_id, name, created_at, last_seen, blocked_at) on table public.guests to authenticated;
grant select (id, link_id, name, email, created_at, last_seen, blocked_at) on table public.guests to anon;
CREATE INDEX guests_link_id ON public.guests USING btree (link_id, created_at);
create policy "guest reads own" on public.guests for select to anon
  using ((id = ( SELECT private.guest_id() AS guest_id)));
create policy "managers read" on public.guests for select to authenticated
  using ((EXISTS ( SELECT
   FROM public.share_links l
  WHERE (l.id = guests.link_id))));
create policy "required authentication level" on public.guests as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.guests for all to service_role
  using (true)
  with check (true);

create table public.handovers (
  memory_id uuid not null,
  to_user uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint handovers_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint handovers_memory_id_to_user_fkey FOREIGN KEY (memory_id, to_user) REFERENCES public.memory_members(memory_id, user_id) ON DELETE CASCADE,
  constraint handovers_pkey PRIMARY KEY (memory_id),
  constraint handovers_to_user_fkey FOREIGN KEY (to_user) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table public.handovers is 'Offers to transfer the ownership of a memory to a member. Nothing changes until they accept.';
alter table public.handovers enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.handovers to service_role;
grant delete, select on table public.handovers to authenticated;
grant insert (memory_id, to_user) on table public.handovers to authenticated;
CREATE INDEX handovers_to_user ON public.handovers USING btree (to_user);
create policy "owner offers and withdraws" on public.handovers for all to authenticated
  using ((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = handovers.memory_id))))
  with check ((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = handovers.memory_id))));
create policy "receiver declines" on public.handovers for delete to authenticated
  using ((to_user = ( SELECT auth.uid() AS uid)));
create policy "receiver reads" on public.handovers for select to authenticated
  using ((to_user = ( SELECT auth.uid() AS uid)));
create policy "required authentication level" on public.handovers as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.handovers for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER notify_of_offer AFTER INSERT OR DELETE ON public.handovers FOR EACH ROW EXECUTE FUNCTION private.notify_of_offer();

create table public.inbox_entries (
  id uuid default gen_random_uuid() not null,
  item_id uuid not null,
  kind text not null,
  body text not null,
  author uuid default auth.uid(),
  created_at timestamp with time zone default now() not null,
  constraint inbox_entries_author_fkey FOREIGN KEY (author) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint inbox_entries_body_check CHECK (((length(btrim(body)) >= 1) AND (length(btrim(body)) <= 10000))),
  constraint inbox_entries_item_id_fkey FOREIGN KEY (item_id) REFERENCES public.inbox_items(id) ON DELETE CASCADE,
  constraint inbox_entries_kind_check CHECK ((kind = ANY (ARRAY['answer'::text, 'note'::text]))),
  constraint inbox_entries_pkey PRIMARY KEY (id)
);
comment on table public.inbox_entries is 'What staff wrote about an item of the inbox: answers, which are emailed to the person, and notes, which only staff read. Deleted with the item.';
alter table public.inbox_entries enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.inbox_entries to service_role;
grant select on table public.inbox_entries to authenticated;
grant insert (id, item_id, kind, body) on table public.inbox_entries to authenticated;
CREATE INDEX inbox_entries_author ON public.inbox_entries USING btree (author);
CREATE INDEX inbox_entries_item_id ON public.inbox_entries USING btree (item_id, created_at, id);
create policy "administrators and support add" on public.inbox_entries for insert to authenticated
  with check ((( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'support'::text]) AS has_role) AND (author = ( SELECT auth.uid() AS uid))));
create policy "administrators and support read" on public.inbox_entries for select to authenticated
  using (( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'support'::text]) AS has_role));
create policy "required authentication level" on public.inbox_entries as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.inbox_entries for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER send_entry AFTER INSERT ON public.inbox_entries FOR EACH ROW EXECUTE FUNCTION private.send_entry();
CREATE TRIGGER z90_audit_change AFTER INSERT ON public.inbox_entries FOR EACH ROW EXECUTE FUNCTION private.audit_change('item_id', 'personal');

create table public.inbox_items (
  id uuid not null,
  message_id uuid,
  report_id uuid,
  kind text generated always as (
CASE
    WHEN (report_id IS NULL) THEN 'message'::text
    ELSE 'report'::text
END) stored not null,
  state text default 'new'::text not null,
  assignee uuid,
  search tsvector default ''::tsvector not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  constraint inbox_items_assignee_fkey FOREIGN KEY (assignee) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint inbox_items_check CHECK ((id = COALESCE(message_id, report_id))),
  constraint inbox_items_check1 CHECK ((num_nonnulls(message_id, report_id) = 1)),
  constraint inbox_items_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.contact_messages(id) ON DELETE CASCADE,
  constraint inbox_items_message_id_key UNIQUE (message_id),
  constraint inbox_items_pkey PRIMARY KEY (id),
  constraint inbox_items_report_id_fkey FOREIGN KEY (report_id) REFERENCES public.reports(id) ON DELETE CASCADE,
  constraint inbox_items_report_id_key UNIQUE (report_id),
  constraint inbox_items_state_check CHECK ((state = ANY (ARRAY['new'::text, 'open'::text, 'answered'::text, 'closed'::text])))
);
comment on table public.inbox_items is 'Messages of the contact form and reports, as work for staff. Rows are added with what they are about. Administrators and support read and change them.';
comment on column public.inbox_items.state is 'new until somebody takes it, notes or answers something; a report is closed while it has an outcome.';
comment on column public.inbox_items.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
alter table public.inbox_items enable row level security;
grant select on table public.inbox_items to authenticated;
grant select on table public.inbox_items to service_role;
grant update (state, assignee, revision) on table public.inbox_items to authenticated;
CREATE INDEX inbox_items_assignee ON public.inbox_items USING btree (assignee, created_at DESC, id DESC) WHERE (assignee IS NOT NULL);
CREATE INDEX inbox_items_newest ON public.inbox_items USING btree (created_at DESC, id DESC);
CREATE INDEX inbox_items_search ON public.inbox_items USING gin (search);
CREATE INDEX inbox_items_state ON public.inbox_items USING btree (state, created_at DESC, id DESC);
CREATE INDEX inbox_items_unsettled ON public.inbox_items USING btree (created_at DESC, id DESC) WHERE (state <> 'closed'::text);
create policy "administrators and support change" on public.inbox_items for update to authenticated
  using (( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'support'::text]) AS has_role))
  with check (( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'support'::text]) AS has_role));
create policy "administrators and support read" on public.inbox_items for select to authenticated
  using (( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'support'::text]) AS has_role));
create policy "required authentication level" on public.inbox_items as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.inbox_items for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.inbox_items FOR EACH ROW WHEN ((((old.state IS DISTINCT FROM new.state) OR (old.assignee IS DISTINCT FROM new.assignee)) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER validate_inbox_item BEFORE UPDATE ON public.inbox_items FOR EACH ROW EXECUTE FUNCTION private.validate_inbox_item();
CREATE TRIGGER z90_audit_change AFTER UPDATE ON public.inbox_items FOR EACH ROW EXECUTE FUNCTION private.audit_change('id', 'personal');

create table public.invitations (
  id uuid default gen_random_uuid() not null,
  memory_id uuid not null,
  email text not null,
  role text not null,
  note text default ''::text not null,
  invited_by uuid default auth.uid(),
  state text default 'open'::text not null,
  created_at timestamp with time zone default now() not null,
  sent_at timestamp with time zone,
  settled_at timestamp with time zone,
  accepted_by uuid,
  revision integer default 1 not null,
  language text,
  constraint invitations_accepted_by_fkey FOREIGN KEY (accepted_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint invitations_check CHECK (((state = 'open'::text) = (settled_at IS NULL))),
  constraint invitations_email_check CHECK (((email = lower(email)) AND (length(email) <= 254) AND (email ~ '^[^\s@]+@[^\s@]+\.[^\s@]+$'::text))),
  constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint invitations_language_check CHECK ((language = ANY (ARRAY['en'::text, 'it'::text]))),
  constraint invitations_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint invitations_note_check CHECK ((length(note) <= 1000)),
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['co-owner'::text, 'contributor'::text, 'viewer'::text]))),
  constraint invitations_state_check CHECK ((state = ANY (ARRAY['open'::text, 'accepted'::text, 'declined'::text, 'withdrawn'::text]))),
  constraint sent_at_in_years_1_to_9999 CHECK (((sent_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (sent_at <= '9999-12-31 00:00:00+00'::timestamp with time zone)))
);
comment on table public.invitations is 'Invitations by email. Visible to the memory''s managers; invited people read theirs through my_invitations().';
comment on column public.invitations.sent_at is 'When its email was last sent; null if never.';
comment on column public.invitations.accepted_by is 'The account that accepted it. Its address may differ from the invited one.';
comment on column public.invitations.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
comment on column public.invitations.language is 'The language of its email; null for that of the person who invites.';
alter table public.invitations enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.invitations to service_role;
grant select on table public.invitations to authenticated;
grant insert (id, memory_id, email, role, note, language) on table public.invitations to authenticated;
grant update (role, note, state, sent_at, revision, language) on table public.invitations to authenticated;
CREATE INDEX invitations_accepted_by ON public.invitations USING btree (accepted_by) WHERE (accepted_by IS NOT NULL);
CREATE INDEX invitations_email ON public.invitations USING btree (email) WHERE (state = 'open'::text);
CREATE INDEX invitations_invited_by ON public.invitations USING btree (invited_by);
CREATE UNIQUE INDEX one_open_invitation ON public.invitations USING btree (memory_id, email) WHERE (state = 'open'::text);
create policy "invited person reads" on public.invitations for select to authenticated
  using ((email = ( SELECT private.own_address() AS own_address)));
create policy managers on public.invitations for all to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = invitations.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))))
  with check (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = invitations.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "required authentication level" on public.invitations as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.invitations for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER follow_invitation AFTER UPDATE ON public.invitations FOR EACH ROW WHEN (((old.role IS DISTINCT FROM new.role) OR (old.state IS DISTINCT FROM new.state))) EXECUTE FUNCTION private.follow_invitation();
CREATE TRIGGER notify_of_invitation AFTER UPDATE ON public.invitations FOR EACH ROW WHEN (((old.state = 'open'::text) AND (new.state = ANY (ARRAY['accepted'::text, 'declined'::text])))) EXECUTE FUNCTION private.notify_of_invitation();
CREATE TRIGGER t05_type_invitation BEFORE INSERT ON public.invitations FOR EACH ROW EXECUTE FUNCTION private.type_invitation();
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.invitations FOR EACH ROW WHEN ((((((old.role IS DISTINCT FROM new.role) OR (old.note IS DISTINCT FROM new.note)) OR (old.state IS DISTINCT FROM new.state)) OR (old.language IS DISTINCT FROM new.language)) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER validate_invitation BEFORE INSERT OR UPDATE ON public.invitations FOR EACH ROW EXECUTE FUNCTION private.validate_invitation();

create table public.link_devices (
  id uuid default gen_random_uuid() not null,
  link_id uuid not null,
  name text default ''::text not null,
  admitted_version integer not null,
  first_seen timestamp with time zone default date_trunc('hour'::text, now()) not null,
  last_seen timestamp with time zone default date_trunc('hour'::text, now()) not null,
  constraint link_devices_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.share_links(id) ON DELETE CASCADE,
  constraint link_devices_name_check CHECK ((length(name) <= 100)),
  constraint link_devices_pkey PRIMARY KEY (id)
);
comment on table public.link_devices is 'Browsers in which the secret of a link was entered. Visible to the link''s managers, who can delete rows: then the browser must enter the secret again.';
comment on column public.link_devices.name is 'The browser and its system, e.g. "Firefox, Android"; empty if unknown.';
comment on column public.link_devices.admitted_version is 'The version of the link in which the secret was entered. The device is admitted while this is not older than share_links.admitted_since_version.';
comment on column public.link_devices.first_seen is 'When the secret was entered for the first time, to the hour.';
comment on column public.link_devices.last_seen is 'When the link was last opened, to the hour.';
alter table public.link_devices enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.link_devices to service_role;
grant delete, select on table public.link_devices to authenticated;
CREATE INDEX link_devices_last_seen ON public.link_devices USING btree (last_seen);
CREATE INDEX link_devices_link_id ON public.link_devices USING btree (link_id, last_seen);
create policy managers on public.link_devices for all to authenticated
  using ((EXISTS ( SELECT
   FROM public.share_links l
  WHERE (l.id = link_devices.link_id))));
create policy "required authentication level" on public.link_devices as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.link_devices for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER publish_removed_device AFTER DELETE ON public.link_devices FOR EACH ROW EXECUTE FUNCTION private.publish_removed_device();

create table public.link_versions (
  link_id uuid not null,
  version integer not null,
  shows_names boolean default true not null,
  moderated boolean default false not null,
  devices_removed integer default 0 not null,
  constraint link_versions_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.share_links(id) ON DELETE CASCADE,
  constraint link_versions_pkey PRIMARY KEY (link_id)
);
comment on table public.link_versions is 'The current version of each link and the settings that its visitors'' pages need. Visible to everybody who came by the link, even after it was closed.';
comment on column public.link_versions.shows_names is 'As in share_links.';
comment on column public.link_versions.moderated is 'As in share_links.';
comment on column public.link_versions.devices_removed is 'How often admissions ended: a device was removed, or an invitation accepted. A change makes open pages check whether they are still admitted.';
alter table public.link_versions enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.link_versions to service_role;
grant select on table public.link_versions to anon;
grant select on table public.link_versions to authenticated;
create policy "required authentication level" on public.link_versions as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.link_versions for all to service_role
  using (true)
  with check (true);
create policy "visitors of the link read" on public.link_versions for select to anon, authenticated
  using ((link_id = (((( SELECT auth.jwt() AS jwt) -> 'share'::text) ->> 'link'::text))::uuid));

create table public.media (
  id uuid not null,
  memory_id uuid not null,
  type text not null,
  size bigint not null,
  object_name text not null,
  width integer,
  height integer,
  taken_at public.approximate_time,
  taken_order text generated always as (private.date_order((taken_at)::text)) stored,
  time_order double precision,
  placeholder text,
  colour text,
  state text default 'waiting'::text not null,
  damaged boolean default false not null,
  is_cover boolean default false not null,
  created_at timestamp with time zone default now() not null,
  caption text default ''::text not null,
  alt_text text default ''::text not null,
  "position" double precision,
  duration real,
  poster_name text,
  moderation text default 'shown'::text not null,
  motion text,
  motion_of uuid,
  visitor_copy text,
  playback text,
  playback_progress real,
  updated_at timestamp with time zone default now() not null,
  animated boolean default false not null,
  revision integer default 1 not null,
  poster_size bigint default 0 not null,
  has_raw boolean default false not null,
  peaks text,
  pages smallint,
  prompt_id uuid,
  is_back boolean,
  has_back boolean default false not null,
  back_width integer,
  back_height integer,
  back_text text default ''::text not null,
  edit jsonb,
  constraint answers_a_prompt_of_the_memory FOREIGN KEY (prompt_id, memory_id) REFERENCES public.prompts(id, memory_id) ON DELETE SET NULL (prompt_id),
  constraint attached_to_a_photo CHECK (((moderation <> 'attached'::text) OR (motion_of IS NOT NULL))),
  constraint back_of_a_photo CHECK (((is_back IS NOT TRUE) OR ((motion_of IS NOT NULL) AND (type = 'image'::text)))),
  constraint media_alt_text_check CHECK ((length(alt_text) <=
CASE type
    WHEN 'video'::text THEN 1000
    ELSE 20000
END)),
  constraint media_back_text_check CHECK ((length(back_text) <= 20000)),
  constraint media_caption_check CHECK ((length(caption) <= 2000)),
  constraint media_cover_check CHECK (((NOT is_cover) OR (type <> 'audio'::text))),
  constraint media_duration_check CHECK ((duration >= (0)::double precision)),
  constraint media_edit_check CHECK (((edit IS NULL) OR private.is_edit(edit))),
  constraint media_edit_of_photo CHECK (((edit IS NULL) OR ((type = 'image'::text) AND (pages IS NULL)))),
  constraint media_id_fkey FOREIGN KEY (id) REFERENCES storage.objects(id) ON DELETE CASCADE,
  constraint media_id_memory_id_key UNIQUE (id, memory_id),
  constraint media_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint media_moderation_check CHECK ((moderation = ANY (ARRAY['shown'::text, 'held'::text, 'hidden'::text, 'deleted'::text, 'attached'::text]))),
  constraint media_motion_check CHECK ((motion = ANY (ARRAY['waiting'::text, 'ready'::text, 'failed'::text]))),
  constraint media_motion_of_fkey FOREIGN KEY (motion_of) REFERENCES public.media(id) ON DELETE CASCADE,
  constraint media_motion_of_key UNIQUE (motion_of),
  constraint media_object_name_key UNIQUE (object_name),
  constraint media_pages_check CHECK (((pages IS NULL) OR (((pages >= 1) AND (pages <= 500)) AND (type = 'image'::text)))),
  constraint media_peaks_check CHECK ((peaks ~ '^[0-9a-z]{1,240}$'::text)),
  constraint media_pkey PRIMARY KEY (id),
  constraint media_playback_check CHECK ((playback = ANY (ARRAY['waiting'::text, 'making'::text, 'ready'::text, 'unneeded'::text, 'failed'::text]))),
  constraint media_playback_progress_check CHECK (((playback_progress >= (0)::double precision) AND (playback_progress <= (1)::double precision))),
  constraint media_size_check CHECK ((size >= 0)),
  constraint media_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'ready'::text, 'broken'::text]))),
  constraint media_type_check CHECK ((type = ANY (ARRAY['image'::text, 'video'::text, 'audio'::text]))),
  constraint media_visitor_copy_check CHECK ((visitor_copy = ANY (ARRAY['waiting'::text, 'ready'::text, 'failed'::text]))),
  constraint words_of_a_back CHECK ((has_back OR (back_text = ''::text)))
);
comment on table public.media is 'A photo, video, recording or paper of a memory, with the columns that every viewer may read: one row for each stored object. Visible to everybody who can see the memory.';
comment on column public.media.size is 'Size of the original in bytes.';
comment on column public.media.width is 'In pixels, upright; null until known.';
comment on column public.media.taken_at is 'The day on which it was taken, with the precision that is known. A time that is written here is stored in media_details only.';
comment on column public.media.taken_order is 'Sort key of lists, before time_order; null if the date is unknown.';
comment on column public.media.time_order is 'Order among photos of the same day, without revealing the time between them; null if no time is known, which sorts first.';
comment on column public.media.placeholder is 'A tiny blurred image as a data URL.';
comment on column public.media.colour is 'The dominant colour as #rrggbb.';
comment on column public.media.state is 'waiting for renditions; ready; or broken: stored, but it cannot be shown. Only managers and the person who added it can see a broken one.';
comment on column public.media.damaged is 'Whether a part of the image data is missing. The rest is shown.';
comment on column public.media.alt_text is 'Description for people who cannot see it; of a recording, the words that are said; of a paper, its text.';
comment on column public.media."position" is 'Order set by managers; null if it was not arranged, which sorts last.';
comment on column public.media.duration is 'Length of a video or recording in seconds; null until known.';
comment on column public.media.poster_name is 'The object in the bucket posters that is shown before a video plays.';
comment on column public.media.moderation is 'Shown to everyone; held until a manager approves it; hidden by a manager. Held and hidden ones are visible to managers and the person who added it. Deleted: in the trash, hidden from everybody. Attached: the video, raw photo or back of a photo, in no list of its own.';
comment on column public.media.motion is 'Of a photo that was recorded with a short video: whether the copy of it that plays is waiting to be made, ready, or failed. Null for all others.';
comment on column public.media.motion_of is 'Of a video that was recorded with a photo, of a raw photo of the same shot, or of the back of a print: that photo. It is in no list, and is deleted, restored and moved with the photo.';
comment on column public.media.visitor_copy is 'Of a video or recording: whether people who do not get its original can play it: waiting until a copy without private data is made, ready, or failed because none can be made. Null for photos.';
comment on column public.media.playback is 'State of the copy of a video or recording that plays in every browser: null if none is made, unneeded if the original does.';
comment on column public.media.playback_progress is 'Progress of that copy, from 0 to 1.';
comment on column public.media.animated is 'Whether it is a picture that moves. Galleries show its first frame, and the lightbox all frames.';
comment on column public.media.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
comment on column public.media.poster_size is 'Bytes of the poster; 0 without one.';
comment on column public.media.has_raw is 'Of a photo: whether the raw photo of the same shot is attached to it.';
comment on column public.media.peaks is 'Of a recording: its loudness in equal parts of its length, each from 0 to z (35). Null for all others, and until it is known.';
comment on column public.media.pages is 'Of a paper: the number of its pages that are shown, 1 until they are counted. Null for all others.';
comment on column public.media.prompt_id is 'The prompt that it answers; null for most.';
comment on column public.media.is_back is 'Of a photo: whether it is the back of the print whose front is motion_of. False once a manager has separated the two, so that their names do not pair them again.';
comment on column public.media.has_back is 'Of a photo: whether the back of the same print is attached to it.';
comment on column public.media.back_width is 'Of its back, in pixels, upright; null until known, and without a back.';
comment on column public.media.back_text is 'Of its back: what is written there, or a description.';
comment on column public.media.edit is 'How a photo is shown: parts are blurred, then it is turned by degrees clockwise, straightened by degrees clockwise, and cropped to left, top, width and height in fractions of what is left. Null: as its file is. "blur" has left, top, width and height of each part in fractions of the upright file. "of" is the upright size of the file in pixels, written by a trigger.';
alter table public.media enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.media to service_role;
grant select on table public.media to anon;
grant select on table public.media to authenticated;
grant update (taken_at, caption, alt_text, revision, back_text, edit) on table public.media to anon;
grant update (taken_at, caption, alt_text, revision, back_text, edit) on table public.media to authenticated;
CREATE INDEX media_choices ON public.media USING btree (memory_id, taken_order, time_order NULLS FIRST, created_at, id) WHERE ((type = ANY (ARRAY['image'::text, 'audio'::text])) AND (state = 'ready'::text) AND (moderation = 'shown'::text));
CREATE INDEX media_covers ON public.media USING btree (memory_id) WHERE (is_cover IS TRUE);
CREATE INDEX media_created_at ON public.media USING brin (created_at) WITH (pages_per_range='16');
CREATE INDEX media_largest ON public.media USING btree (memory_id, size DESC, id) WHERE (moderation <> ALL (ARRAY['deleted'::text, 'attached'::text]));
CREATE INDEX media_memory_id ON public.media USING btree (memory_id, created_at, id);
CREATE INDEX media_moderation ON public.media USING btree (memory_id, moderation) WHERE (moderation <> 'shown'::text);
CREATE INDEX media_poster_name ON public.media USING btree (poster_name) WHERE (poster_name IS NOT NULL);
CREATE INDEX media_prepared ON public.media USING btree (id) WHERE ((playback = 'ready'::text) OR (motion = 'ready'::text));
CREATE INDEX media_prompt_id ON public.media USING btree (prompt_id) WHERE (prompt_id IS NOT NULL);
CREATE INDEX media_unplayable ON public.media USING btree (created_at) WHERE ((type = ANY (ARRAY['video'::text, 'audio'::text])) AND ((playback IS NULL) OR (playback = ANY (ARRAY['waiting'::text, 'making'::text]))));
CREATE INDEX media_updated_at ON public.media USING btree (memory_id, updated_at);
CREATE INDEX media_visitor_copies ON public.media USING btree (id) WHERE ((type = ANY (ARRAY['video'::text, 'audio'::text])) AND (visitor_copy = 'waiting'::text));
CREATE INDEX media_waiting ON public.media USING btree (created_at) WHERE (state = 'waiting'::text);
CREATE UNIQUE INDEX one_cover ON public.media USING btree (memory_id) WHERE is_cover;
create policy "guest changes own" on public.media for update to anon
  using ((id = ANY (( SELECT private.added_media_ids() AS added_media_ids)::uuid[])));
create policy "managers and the person who added it change" on public.media for update to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = media.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[])) OR (id = ANY (( SELECT private.added_media_ids() AS added_media_ids)::uuid[]))));
create policy "not before the reveal" on public.media as restrictive for select to anon, authenticated
  using (((memory_id <> ALL (( SELECT private.covered_memory_ids() AS covered_memory_ids)::uuid[])) OR (id IN ( SELECT private.uncovered_ids('media'::text) AS uncovered_ids))));
create policy "not in the trash" on public.media as restrictive for all to anon, authenticated
  using ((moderation <> 'deleted'::text));
create policy "required authentication level" on public.media as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.media for all to service_role
  using (true)
  with check (true);
create policy "viewers read" on public.media for select to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = media.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[])) OR ((moderation = 'shown'::text) AND (state <> 'broken'::text) AND (memory_id = ANY (( SELECT private.shared_memory_ids('view'::text) AS shared_memory_ids)::uuid[]))) OR (id = ANY (( SELECT private.added_media_ids() AS added_media_ids)::uuid[]))));
create policy "visitors read" on public.media for select to anon
  using (
CASE
    WHEN (id = ANY (( SELECT private.added_media_ids() AS added_media_ids)::uuid[])) THEN true
    ELSE ((moderation = 'shown'::text) AND (state <> 'broken'::text) AND (memory_id = ANY (( SELECT private.shared_memory_ids('view'::text) AS shared_memory_ids)::uuid[])))
END);
create policy "wall shows" on public.media for select to anon
  using (
CASE
    WHEN (memory_id = ( SELECT private.wall_memory_id('pictures'::text) AS wall_memory_id)) THEN ((moderation = 'shown'::text) AND (state = 'ready'::text) AND (type = ANY (ARRAY['image'::text, 'video'::text])) AND (pages IS NULL))
    ELSE false
END);
CREATE TRIGGER count_changed_media AFTER UPDATE ON public.media REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.count_media();
CREATE TRIGGER count_deleted_media AFTER DELETE ON public.media REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.count_media();
CREATE TRIGGER count_new_media AFTER INSERT ON public.media REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.count_media();
CREATE TRIGGER delete_motion BEFORE DELETE ON public.media FOR EACH ROW WHEN (((old.motion IS NOT NULL) OR old.has_raw OR old.has_back)) EXECUTE FUNCTION private.delete_motion();
CREATE TRIGGER delete_poster AFTER DELETE ON public.media FOR EACH ROW WHEN ((old.poster_name IS NOT NULL)) EXECUTE FUNCTION private.delete_poster();
CREATE TRIGGER end_work AFTER DELETE ON public.media FOR EACH ROW EXECUTE FUNCTION private.end_work('id');
CREATE TRIGGER enqueue_copy AFTER INSERT OR UPDATE OF playback ON public.media FOR EACH ROW WHEN ((new.playback = 'waiting'::text)) EXECUTE FUNCTION private.enqueue_work('video-copies', 'id', 'created_at');
CREATE TRIGGER enqueue_edit AFTER UPDATE OF edit ON public.media FOR EACH ROW WHEN ((old.edit IS DISTINCT FROM new.edit)) EXECUTE FUNCTION private.enqueue_edit();
CREATE TRIGGER enqueue_motion AFTER INSERT OR UPDATE OF motion ON public.media FOR EACH ROW WHEN ((new.motion = 'waiting'::text)) EXECUTE FUNCTION private.enqueue_work('motions', 'id', 'created_at');
CREATE TRIGGER enqueue_photo AFTER INSERT OR UPDATE OF state ON public.media FOR EACH ROW WHEN ((new.state = 'waiting'::text)) EXECUTE FUNCTION private.enqueue_work('photos', 'id', 'created_at');
CREATE TRIGGER enqueue_streams AFTER INSERT OR UPDATE OF visitor_copy ON public.media FOR EACH ROW WHEN ((new.visitor_copy = 'waiting'::text)) EXECUTE FUNCTION private.enqueue_work('video-streams', 'id', 'created_at');
CREATE TRIGGER follow_deleted_photo_in_letters AFTER DELETE ON public.media FOR EACH ROW EXECUTE FUNCTION private.follow_photo_in_letters();
CREATE TRIGGER follow_photo AFTER UPDATE OF memory_id ON public.media FOR EACH ROW WHEN (((new.memory_id <> old.memory_id) AND ((new.motion IS NOT NULL) OR new.has_raw OR new.has_back))) EXECUTE FUNCTION private.follow_photo();
CREATE TRIGGER follow_photo_in_letters AFTER UPDATE OF moderation, memory_id ON public.media FOR EACH ROW WHEN (((old.moderation IS DISTINCT FROM new.moderation) OR (old.memory_id IS DISTINCT FROM new.memory_id))) EXECUTE FUNCTION private.follow_photo_in_letters();
CREATE TRIGGER index_changed_photo AFTER UPDATE ON public.media REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.follow_in_search('photo', 'id', 'memory_id caption alt_text back_text taken_at moderation state');
CREATE TRIGGER index_deleted_photo AFTER DELETE ON public.media REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.follow_in_search('photo', 'id');
CREATE TRIGGER index_new_photo AFTER INSERT ON public.media REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.follow_in_search('photo', 'id');
CREATE TRIGGER leave_entries AFTER UPDATE OF memory_id ON public.media FOR EACH ROW WHEN ((new.memory_id <> old.memory_id)) EXECUTE FUNCTION private.leave_entries();
CREATE TRIGGER mark_details_in_trash AFTER UPDATE ON public.media REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.mark_details_in_trash();
CREATE TRIGGER mark_front AFTER UPDATE OF motion_of, is_back, width, height ON public.media FOR EACH ROW WHEN ((new.is_back AND ((((old.motion_of IS DISTINCT FROM new.motion_of) OR (old.is_back IS DISTINCT FROM new.is_back)) OR (old.width IS DISTINCT FROM new.width)) OR (old.height IS DISTINCT FROM new.height)))) EXECUTE FUNCTION private.mark_front();
CREATE TRIGGER mark_raw AFTER UPDATE OF motion_of ON public.media FOR EACH ROW WHEN (((new.type = 'image'::text) AND (new.is_back IS NOT TRUE) AND (new.motion_of IS NOT NULL) AND (old.motion_of IS DISTINCT FROM new.motion_of))) EXECUTE FUNCTION private.mark_raw();
CREATE TRIGGER notify_broken_media AFTER UPDATE ON public.media REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.notify_broken_media();
CREATE TRIGGER notify_media_waiting AFTER INSERT ON public.media FOR EACH STATEMENT EXECUTE FUNCTION private.notify_media_waiting();
CREATE TRIGGER notify_of_changed_media AFTER UPDATE ON public.media REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.notify_of_changed_media();
CREATE TRIGGER notify_withdrawn AFTER UPDATE ON public.media REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.notify_withdrawn('media');
CREATE TRIGGER record_source AFTER INSERT ON public.media FOR EACH ROW WHEN ((current_setting('skies.importing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION private.record_source('media_id');
CREATE TRIGGER remove_deleted_from_receipt AFTER UPDATE OF moderation ON public.media FOR EACH ROW WHEN (((old.moderation <> 'deleted'::text) AND (new.moderation = 'deleted'::text))) EXECUTE FUNCTION private.remove_media_from_receipt();
CREATE TRIGGER sum_changed_media AFTER UPDATE ON public.media REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.sum_media();
CREATE TRIGGER sum_deleted_media AFTER DELETE ON public.media REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.sum_media();
CREATE TRIGGER sum_new_media AFTER INSERT ON public.media REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.sum_media();
CREATE TRIGGER t10_answer_prompt BEFORE INSERT ON public.media FOR EACH ROW WHEN ((current_setting('skies.importing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION private.answer_prompt();
CREATE TRIGGER t10_keep_in_trash BEFORE UPDATE OF moderation ON public.media FOR EACH ROW WHEN (((old.moderation = 'deleted'::text) AND (CURRENT_USER = 'service_role'::name))) EXECUTE FUNCTION private.keep_in_trash();
CREATE TRIGGER t10_leave_prompt BEFORE UPDATE OF memory_id ON public.media FOR EACH ROW WHEN (((old.memory_id <> new.memory_id) AND (new.prompt_id IS NOT NULL))) EXECUTE FUNCTION private.leave_prompt();
CREATE TRIGGER t11_keep_blur BEFORE UPDATE OF edit ON public.media FOR EACH ROW WHEN ((((old.edit -> 'blur'::text) IS NOT NULL) AND ((new.edit -> 'blur'::text) IS DISTINCT FROM (old.edit -> 'blur'::text)))) EXECUTE FUNCTION private.keep_blur();
CREATE TRIGGER t12_fit_edit BEFORE UPDATE OF edit, width, height, pages ON public.media FOR EACH ROW WHEN (((old.edit IS NOT NULL) OR (new.edit IS NOT NULL))) EXECUTE FUNCTION private.fit_edit();
CREATE TRIGGER t12_fit_new_edit BEFORE INSERT ON public.media FOR EACH ROW WHEN ((new.edit IS NOT NULL)) EXECUTE FUNCTION private.fit_edit();
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.media FOR EACH ROW WHEN (((old.caption IS DISTINCT FROM new.caption) OR (old.alt_text IS DISTINCT FROM new.alt_text) OR (old.back_text IS DISTINCT FROM new.back_text) OR ((old.taken_at)::text IS DISTINCT FROM (new.taken_at)::text) OR (old.edit IS DISTINCT FROM new.edit) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER t20_separate_time_of_day BEFORE INSERT OR UPDATE OF taken_at, memory_id ON public.media FOR EACH ROW EXECUTE FUNCTION private.separate_time_of_day();
CREATE TRIGGER t30_hold_changed_media BEFORE UPDATE ON public.media FOR EACH ROW WHEN ((((old.caption IS DISTINCT FROM new.caption) OR (old.alt_text IS DISTINCT FROM new.alt_text) OR (old.back_text IS DISTINCT FROM new.back_text)) AND (old.moderation = 'shown'::text))) EXECUTE FUNCTION private.hold_changed_media();
CREATE TRIGGER t80_follow_in_slideshows AFTER UPDATE OF moderation, memory_id, caption, edit ON public.media FOR EACH ROW WHEN (((old.moderation IS DISTINCT FROM new.moderation) OR (old.memory_id <> new.memory_id) OR (old.caption <> new.caption) OR (old.edit IS DISTINCT FROM new.edit))) EXECUTE FUNCTION private.follow_media_in_slideshows();
CREATE TRIGGER t80_withdraw_films AFTER DELETE ON public.media FOR EACH ROW EXECUTE FUNCTION private.follow_media_in_slideshows();
CREATE TRIGGER t90_find_video AFTER UPDATE OF state ON public.media FOR EACH ROW WHEN (((new.type = 'image'::text) AND (new.state = 'ready'::text) AND (old.state = 'waiting'::text))) EXECUTE FUNCTION private.find_other_half();
CREATE TRIGGER t95_tally_deleted_media BEFORE DELETE ON public.media FOR EACH ROW WHEN ((old.moderation <> ALL (ARRAY['deleted'::text, 'attached'::text]))) EXECUTE FUNCTION private.tally_deleted_media();
CREATE TRIGGER tally_changed_media AFTER UPDATE ON public.media REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.tally_media();
CREATE TRIGGER total_changed AFTER UPDATE ON public.media REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.add_to_totals('''media''', '1', 'r.moderation not in (''deleted'', ''attached'')');
CREATE TRIGGER total_deleted AFTER DELETE ON public.media REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.add_to_totals('''media''', '1', 'r.moderation not in (''deleted'', ''attached'')');
CREATE TRIGGER total_new AFTER INSERT ON public.media REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.add_to_totals('''media''', '1', 'r.moderation not in (''deleted'', ''attached'')');
CREATE TRIGGER total_of_day AFTER INSERT ON public.media REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.add_to_totals('''new '' || case r.type when ''image'' then ''photos'' else ''videos'' end || '' '' || (r.created_at at time zone ''utc'')::date', '1', 'r.type in (''image'', ''video'', ''audio'') and r.moderation <> ''attached''');
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.media FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();

create table public.media_credits (
  media_id uuid not null,
  memory_id uuid not null,
  name text not null,
  constraint media_credits_media_id_memory_id_fkey FOREIGN KEY (media_id, memory_id) REFERENCES public.media(id, memory_id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint media_credits_name_check CHECK ((length(name) <= 200)),
  constraint media_credits_pkey PRIMARY KEY (media_id)
);
comment on table public.media_credits is 'The name under which each photo and video was added. Visible to members and to visitors of a link that shows names.';
alter table public.media_credits enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.media_credits to service_role;
grant select on table public.media_credits to anon;
grant select on table public.media_credits to authenticated;
CREATE INDEX media_credits_media_memory ON public.media_credits USING btree (media_id, memory_id);
CREATE INDEX media_credits_memory_id ON public.media_credits USING btree (memory_id);
create policy "people who see names, and the author, read" on public.media_credits for select to authenticated
  using ((EXISTS ( SELECT
   FROM public.media m
  WHERE ((m.id = media_credits.media_id) AND ((EXISTS ( SELECT
           FROM private.own_memories own
          WHERE (own.id = m.memory_id))) OR (m.memory_id = ANY (( SELECT private.shared_credited_memory_ids() AS shared_credited_memory_ids)::uuid[])) OR (EXISTS ( SELECT
           FROM private.own_media added
          WHERE (added.media_id = m.id))))))));
create policy "required authentication level" on public.media_credits as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.media_credits for all to service_role
  using (true)
  with check (true);
create policy "visitors who see names, and the guest, read" on public.media_credits for select to anon
  using ((EXISTS ( SELECT
   FROM public.media m
  WHERE ((m.id = media_credits.media_id) AND ((m.memory_id = ANY (( SELECT private.shared_credited_memory_ids() AS shared_credited_memory_ids)::uuid[])) OR (EXISTS ( SELECT
           FROM private.own_media added
          WHERE (added.media_id = m.id))))))));
create policy "wall shows" on public.media_credits for select to anon
  using (((memory_id = ( SELECT private.wall_memory_id('names'::text) AS wall_memory_id)) AND (EXISTS ( SELECT
   FROM public.media m
  WHERE (m.id = media_credits.media_id)))));

create table public.media_details (
  media_id uuid not null,
  memory_id uuid not null,
  user_id uuid,
  file_name text default ''::text not null,
  mime_type text default ''::text not null,
  taken_at public.approximate_time,
  taken_source text,
  taken_order text generated always as (private.date_order((taken_at)::text)) stored,
  file_taken_at public.approximate_time,
  file_taken_source text,
  content_hash text,
  content_identifier text,
  guest_id uuid,
  in_trash boolean default false not null,
  constraint media_details_content_hash_check CHECK ((content_hash ~ '^[0-9a-f]{64}$'::text)),
  constraint media_details_content_identifier_check CHECK ((length(content_identifier) <= 100)),
  constraint media_details_guest_id_fkey FOREIGN KEY (guest_id) REFERENCES public.guests(id) ON DELETE SET NULL,
  constraint media_details_media_id_memory_id_fkey FOREIGN KEY (media_id, memory_id) REFERENCES public.media(id, memory_id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint media_details_pkey PRIMARY KEY (media_id),
  constraint media_details_taken_source_check CHECK ((taken_source = ANY (ARRAY['exif'::text, 'xmp'::text, 'iptc'::text, 'png'::text, 'video'::text, 'takeout'::text, 'name'::text, 'person'::text]))),
  constraint media_details_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE SET NULL
);
comment on table public.media_details is 'Further details of a photo or video: who added it and the metadata of its file. Visible to the owner, co-owners and contributors, and to the person who added it.';
comment on column public.media_details.taken_at is 'When it was taken, in local time.';
comment on column public.media_details.taken_source is 'The source of the date: a tag in the file, the sidecar file of an export, the file name, or a person. Export and file name are guesses.';
comment on column public.media_details.file_taken_at is 'The date in the file, which a person may have corrected in taken_at.';
comment on column public.media_details.content_hash is 'SHA-256 of the original in hex, to find duplicates.';
comment on column public.media_details.content_identifier is 'The identifier by which a phone marks a photo and a video as one; null for most files.';
comment on column public.media_details.guest_id is 'The guest who added it; null for signed-in people, and after the guest was deleted.';
comment on column public.media_details.in_trash is 'Whether the photo or video is in the trash, so that the policy does not read it for each row. A trigger sets it.';
alter table public.media_details enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.media_details to service_role;
grant select on table public.media_details to anon;
grant select on table public.media_details to authenticated;
CREATE INDEX media_details_content_identifier ON public.media_details USING btree (memory_id, content_identifier) WHERE (content_identifier IS NOT NULL);
CREATE INDEX media_details_guest_id ON public.media_details USING btree (guest_id) WHERE (guest_id IS NOT NULL);
CREATE INDEX media_details_media_memory ON public.media_details USING btree (media_id, memory_id);
CREATE INDEX media_details_memory_id ON public.media_details USING btree (memory_id, taken_order);
CREATE INDEX media_details_name_stem ON public.media_details USING btree (memory_id, private.name_stem(file_name));
CREATE INDEX media_details_user_id ON public.media_details USING btree (user_id, memory_id);
create policy "contributors, and the person who added it, read" on public.media_details for select to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = media_details.memory_id))) OR (((memory_id = ANY (( SELECT private.shared_memory_ids('read details'::text) AS shared_memory_ids)::uuid[])) OR (user_id = ( SELECT auth.uid() AS uid)) OR (guest_id = ( SELECT private.guest_id() AS guest_id))) AND (EXISTS ( SELECT
   FROM public.media m
  WHERE (m.id = media_details.media_id))))));
create policy "guest reads own" on public.media_details for select to anon
  using (((guest_id = ( SELECT private.guest_id() AS guest_id)) AND (EXISTS ( SELECT
   FROM public.media m
  WHERE (m.id = media_details.media_id)))));
create policy "not before the reveal" on public.media_details as restrictive for select to anon, authenticated
  using (((memory_id <> ALL (( SELECT private.covered_memory_ids() AS covered_memory_ids)::uuid[])) OR (media_id IN ( SELECT private.uncovered_ids('media'::text) AS uncovered_ids))));
create policy "not for a wall" on public.media_details as restrictive for all to anon
  using ((NOT (( SELECT auth.jwt() AS jwt) ? 'wall'::text)));
create policy "not in the trash" on public.media_details as restrictive for all to anon, authenticated
  using ((NOT in_trash));
create policy "required authentication level" on public.media_details as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.media_details for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER index_changed_file AFTER UPDATE ON public.media_details REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.follow_in_search('file', 'media_id', 'memory_id file_name');
CREATE TRIGGER index_deleted_file AFTER DELETE ON public.media_details REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.follow_in_search('file', 'media_id');
CREATE TRIGGER index_new_file AFTER INSERT ON public.media_details REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.follow_in_search('file', 'media_id');
CREATE TRIGGER notify_of_deleted_media AFTER DELETE ON public.media_details REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.notify_of_media();
CREATE TRIGGER notify_of_new_media AFTER INSERT ON public.media_details REFERENCING NEW TABLE AS added FOR EACH STATEMENT WHEN ((current_setting('skies.importing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION private.notify_of_media();
CREATE TRIGGER remove_media_from_receipt AFTER DELETE ON public.media_details FOR EACH ROW WHEN ((old.guest_id IS NOT NULL)) EXECUTE FUNCTION private.remove_media_from_receipt();
CREATE TRIGGER t90_find_photo AFTER INSERT ON public.media_details FOR EACH ROW WHEN ((new.mime_type = ANY (ARRAY['video/quicktime'::text, 'video/mp4'::text]))) EXECUTE FUNCTION private.find_other_half();
CREATE TRIGGER tally_changed_details AFTER UPDATE ON public.media_details REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.tally_details();
CREATE TRIGGER tally_new_details AFTER INSERT ON public.media_details REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.tally_details();

create table public.media_name_suggestions (
  media_id uuid not null,
  name text not null,
  memory_id uuid not null,
  x real,
  y real,
  settled boolean default false not null,
  constraint media_name_suggestions_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint media_name_suggestions_pkey PRIMARY KEY (media_id, name),
  constraint media_name_suggestions_x_check CHECK (((x >= (0)::double precision) AND (x <= (1)::double precision))),
  constraint media_name_suggestions_y_check CHECK (((y >= (0)::double precision) AND (y <= (1)::double precision))),
  constraint of_a_photo_of_the_memory FOREIGN KEY (media_id, memory_id) REFERENCES public.media(id, memory_id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint point_has_both CHECK (((x IS NULL) = (y IS NULL)))
);
comment on table public.media_name_suggestions is 'Names of people in a photo''s file. Visible to those who may name people on the photo; nothing else shows them before somebody takes them.';
comment on column public.media_name_suggestions.x is 'As media_names.x.';
comment on column public.media_name_suggestions.y is 'As media_names.y.';
comment on column public.media_name_suggestions.settled is 'Whether somebody has taken or declined the name, so that reading the file again does not bring it back.';
alter table public.media_name_suggestions enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.media_name_suggestions to service_role;
grant select on table public.media_name_suggestions to anon;
grant select on table public.media_name_suggestions to authenticated;
grant update (settled) on table public.media_name_suggestions to anon;
grant update (settled) on table public.media_name_suggestions to authenticated;
CREATE INDEX media_name_suggestions_memory_id ON public.media_name_suggestions USING btree (memory_id, media_id, name) WHERE (NOT settled);
create policy "editors, and the person who added the photo, read" on public.media_name_suggestions for select to authenticated
  using ((((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = media_name_suggestions.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('read details'::text) AS shared_memory_ids)::uuid[])) OR (media_id = ANY (( SELECT private.added_media_ids() AS added_media_ids)::uuid[]))) AND (EXISTS ( SELECT
   FROM public.media m
  WHERE (m.id = media_name_suggestions.media_id)))));
create policy "editors, and the person who added the photo, settle" on public.media_name_suggestions for update to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = media_name_suggestions.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('read details'::text) AS shared_memory_ids)::uuid[])) OR (media_id = ANY (( SELECT private.added_media_ids() AS added_media_ids)::uuid[]))));
create policy "guest reads of own photos" on public.media_name_suggestions for select to anon
  using (((media_id = ANY (( SELECT private.added_media_ids() AS added_media_ids)::uuid[])) AND (EXISTS ( SELECT
   FROM public.media m
  WHERE (m.id = media_name_suggestions.media_id)))));
create policy "guest settles of own photos" on public.media_name_suggestions for update to anon
  using ((media_id = ANY (( SELECT private.added_media_ids() AS added_media_ids)::uuid[])));
create policy "not before the reveal" on public.media_name_suggestions as restrictive for all to anon, authenticated
  using (((memory_id <> ALL (( SELECT private.covered_memory_ids() AS covered_memory_ids)::uuid[])) OR (media_id IN ( SELECT private.uncovered_ids('media'::text) AS uncovered_ids))));
create policy "not for a wall" on public.media_name_suggestions as restrictive for all to anon
  using ((NOT (( SELECT auth.jwt() AS jwt) ? 'wall'::text)));
create policy "required authentication level" on public.media_name_suggestions as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.media_name_suggestions for all to service_role
  using (true)
  with check (true);

create table public.media_names (
  media_id uuid not null,
  person_id uuid not null,
  memory_id uuid not null,
  x real,
  y real,
  person_deleted boolean default false not null,
  created_at timestamp with time zone default now() not null,
  constraint media_names_pkey PRIMARY KEY (media_id, person_id),
  constraint media_names_x_check CHECK (((x >= (0)::double precision) AND (x <= (1)::double precision))),
  constraint media_names_y_check CHECK (((y >= (0)::double precision) AND (y <= (1)::double precision))),
  constraint of_a_person_of_the_memory FOREIGN KEY (person_id, memory_id, person_deleted) REFERENCES public.pictured_people(id, memory_id, deleted) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint of_a_photo_of_the_memory FOREIGN KEY (media_id, memory_id) REFERENCES public.media(id, memory_id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint point_has_both CHECK (((x IS NULL) = (y IS NULL)))
);
comment on table public.media_names is 'Names of people on photos and videos, each once. Visible to everybody who can see the photo or video.';
comment on column public.media_names.x is 'Where the person is, as a fraction of the upright picture''s width from the left; null without a point.';
comment on column public.media_names.y is 'As x, of the height from the top.';
comment on column public.media_names.person_deleted is 'As pictured_people.deleted, which sets it.';
alter table public.media_names enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.media_names to service_role;
grant delete, select on table public.media_names to anon;
grant delete, select on table public.media_names to authenticated;
grant insert (media_id, person_id, memory_id, x, y) on table public.media_names to anon;
grant insert (media_id, person_id, memory_id, x, y) on table public.media_names to authenticated;
grant update (x, y) on table public.media_names to anon;
grant update (x, y) on table public.media_names to authenticated;
CREATE INDEX media_names_memory_id ON public.media_names USING btree (memory_id, media_id, person_id);
CREATE INDEX media_names_person_id ON public.media_names USING btree (person_id, memory_id, person_deleted);
create policy "editors, and the person who added the photo, add" on public.media_names for insert to authenticated
  with check ((((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = media_names.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('read details'::text) AS shared_memory_ids)::uuid[])) OR (media_id = ANY (( SELECT private.added_media_ids() AS added_media_ids)::uuid[]))) AND (EXISTS ( SELECT
   FROM public.media m
  WHERE (m.id = media_names.media_id)))));
create policy "editors, and the person who added the photo, change" on public.media_names for update to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = media_names.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('read details'::text) AS shared_memory_ids)::uuid[])) OR (media_id = ANY (( SELECT private.added_media_ids() AS added_media_ids)::uuid[]))));
create policy "editors, and the person who added the photo, delete" on public.media_names for delete to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = media_names.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('read details'::text) AS shared_memory_ids)::uuid[])) OR (media_id = ANY (( SELECT private.added_media_ids() AS added_media_ids)::uuid[]))));
create policy "guest adds to own photos" on public.media_names for insert to anon
  with check ((media_id = ANY (( SELECT private.added_media_ids() AS added_media_ids)::uuid[])));
create policy "guest changes on own photos" on public.media_names for update to anon
  using ((media_id = ANY (( SELECT private.added_media_ids() AS added_media_ids)::uuid[])));
create policy "guest deletes from own photos" on public.media_names for delete to anon
  using ((media_id = ANY (( SELECT private.added_media_ids() AS added_media_ids)::uuid[])));
create policy "not before the reveal" on public.media_names as restrictive for all to anon, authenticated
  using (((memory_id <> ALL (( SELECT private.covered_memory_ids() AS covered_memory_ids)::uuid[])) OR (media_id IN ( SELECT private.uncovered_ids('media'::text) AS uncovered_ids))));
create policy "not for a wall" on public.media_names as restrictive for all to anon
  using ((NOT (( SELECT auth.jwt() AS jwt) ? 'wall'::text)));
create policy "required authentication level" on public.media_names as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.media_names for all to service_role
  using (true)
  with check (true);
create policy "viewers of the photo read" on public.media_names for select to anon, authenticated
  using (((NOT person_deleted) AND (EXISTS ( SELECT
   FROM public.media m
  WHERE (m.id = media_names.media_id)))));
CREATE TRIGGER follow_moved_photo BEFORE UPDATE OF memory_id ON public.media_names FOR EACH ROW WHEN ((old.memory_id <> new.memory_id)) EXECUTE FUNCTION private.follow_moved_photo();
CREATE TRIGGER hold_named_media AFTER INSERT ON public.media_names REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT WHEN ((current_setting('skies.importing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION private.hold_named_media();
CREATE TRIGGER index_changed_names AFTER UPDATE ON public.media_names REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.follow_people_in_search();
CREATE TRIGGER index_deleted_names AFTER DELETE ON public.media_names REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.follow_people_in_search();
CREATE TRIGGER index_new_names AFTER INSERT ON public.media_names REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.follow_people_in_search();
CREATE TRIGGER t30_limit_names BEFORE INSERT ON public.media_names FOR EACH ROW EXECUTE FUNCTION private.limit_people();

create table public.memories (
  id uuid default gen_random_uuid() not null,
  user_id uuid default auth.uid() not null,
  kind text default 'tribute'::text not null,
  person_name text default ''::text not null,
  description public.html default ''::text not null,
  birth_date public.approximate_date,
  passing_date public.approximate_date,
  event_date public.approximate_date,
  draft boolean default false not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  album_id uuid,
  album_position integer default 0 not null,
  cover_x real default 0.5 not null,
  cover_y real default 0.5 not null,
  media_order text default 'taken'::text not null,
  revision integer default 1 not null,
  constraint closed_while_deleted CHECK ((draft OR (deleted_at IS NULL))),
  constraint dates_in_order CHECK ((NOT private.is_certainly_before((passing_date)::text, (birth_date)::text))),
  constraint memories_album_id_fkey FOREIGN KEY (album_id) REFERENCES public.albums(id) ON DELETE SET NULL,
  constraint memories_cover_x_check CHECK (((cover_x >= (0)::double precision) AND (cover_x <= (1)::double precision))),
  constraint memories_cover_y_check CHECK (((cover_y >= (0)::double precision) AND (cover_y <= (1)::double precision))),
  constraint memories_description_check CHECK ((length((description)::text) <= 200000)),
  constraint memories_kind_check CHECK ((kind = ANY (ARRAY['tribute'::text, 'event'::text]))),
  constraint memories_media_order_check CHECK ((media_order = ANY (ARRAY['taken'::text, 'newest'::text, 'added'::text, 'arranged'::text]))),
  constraint memories_person_name_check CHECK ((length(person_name) <= 200)),
  constraint memories_pkey PRIMARY KEY (id),
  constraint memories_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint named_once_published CHECK ((draft OR (length(btrim(person_name)) > 0)))
);
comment on table public.memories is 'A tribute to a person or a collection from an event. Visible to its owner, its members and people who came by a share link.';
comment on column public.memories.user_id is 'The owner. As every id of an account not readable by visitors without one.';
comment on column public.memories.person_name is 'Name of the person or the event.';
comment on column public.memories.draft is 'True while the owner is creating it; photos may already be uploaded. Links to a draft do not work.';
comment on column public.memories.deleted_at is 'When it was moved to the trash. Hidden from every caller until it is restored.';
comment on column public.memories.album_id is 'Its album, or null.';
comment on column public.memories.cover_x is 'Focal point of the cover, which is never cropped, as a fraction of the width from the left.';
comment on column public.memories.cover_y is 'As cover_x, as a fraction of the height from the top.';
comment on column public.memories.media_order is 'Order of photos and videos for all viewers: by date, by date from the newest, as added, or arranged by hand.';
comment on column public.memories.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
alter table public.memories enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.memories to service_role;
grant delete, select on table public.memories to authenticated;
grant insert (id, kind, person_name, description, birth_date, passing_date, event_date, draft, album_id) on table public.memories to authenticated;
grant select (id, kind, person_name, description, birth_date, passing_date, event_date, draft, created_at, updated_at, deleted_at, album_id, album_position, cover_x, cover_y, media_order, revision) on table public.memories to anon;
grant update (kind, person_name, description, birth_date, passing_date, event_date, draft, album_id, album_position, cover_x, cover_y, media_order, revision) on table public.memories to authenticated;
CREATE INDEX memories_album_id ON public.memories USING btree (album_id, album_position, created_at, id) WHERE (album_id IS NOT NULL);
CREATE INDEX memories_albums_first ON public.memories USING btree (album_id, album_position, created_at, id, user_id) WHERE ((album_id IS NOT NULL) AND (deleted_at IS NULL) AND (draft IS FALSE));
CREATE INDEX memories_created_at ON public.memories USING brin (created_at) WITH (pages_per_range='16');
CREATE INDEX memories_kind ON public.memories USING btree (user_id, kind);
CREATE INDEX memories_newest_draft ON public.memories USING btree (user_id, created_at DESC) WHERE ((draft IS TRUE) AND (deleted_at IS NULL));
CREATE INDEX memories_own ON public.memories USING btree (user_id, id) INCLUDE (draft) WHERE (deleted_at IS NULL);
CREATE INDEX memories_user_id ON public.memories USING btree (user_id, created_at DESC, id);
create policy "managers change" on public.memories for update to authenticated
  using (((user_id = ( SELECT auth.uid() AS uid)) OR (id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))))
  with check ((((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = memories.id))) OR (id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))) AND ((NOT draft) OR (user_id = ( SELECT auth.uid() AS uid)))));
create policy "not in the trash" on public.memories as restrictive for all to anon, authenticated
  using ((deleted_at IS NULL));
create policy "owner adds" on public.memories for insert to authenticated
  with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy "owner deletes" on public.memories for delete to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));
create policy "required authentication level" on public.memories as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.memories for all to service_role
  using (true)
  with check (true);
create policy "viewers read" on public.memories for select to authenticated
  using (((user_id = ( SELECT auth.uid() AS uid)) OR (id = ANY (( SELECT private.shared_memory_ids('view'::text) AS shared_memory_ids)::uuid[])) OR (((id < ( SELECT NULL::uuid AS uuid)) OR (id > ( SELECT NULL::uuid AS uuid))) AND (
CASE
    WHEN ( SELECT false) THEN private.is_expected(id)
    ELSE NULL::boolean
END IS NOT NULL))));
create policy "visitors read" on public.memories for select to anon
  using (((id = ANY (( SELECT private.shared_memory_ids('view'::text) AS shared_memory_ids)::uuid[])) OR ((id < ( SELECT NULL::uuid AS uuid)) AND (
CASE
    WHEN ( SELECT false) THEN private.is_expected(id)
    ELSE NULL::boolean
END IS NOT NULL))));
CREATE TRIGGER follow_kind AFTER UPDATE OF kind ON public.memories FOR EACH ROW WHEN ((old.kind IS DISTINCT FROM new.kind)) EXECUTE FUNCTION private.follow_kind();
CREATE TRIGGER follow_memory_in_letters AFTER UPDATE OF person_name, user_id, draft, deleted_at ON public.memories FOR EACH ROW WHEN (((((old.person_name IS DISTINCT FROM new.person_name) OR (old.user_id IS DISTINCT FROM new.user_id)) OR (old.draft IS DISTINCT FROM new.draft)) OR (old.deleted_at IS DISTINCT FROM new.deleted_at))) EXECUTE FUNCTION private.follow_memory_in_letters();
CREATE TRIGGER follow_memory_on_wall AFTER UPDATE OF person_name, kind, draft, deleted_at ON public.memories FOR EACH ROW WHEN (((old.person_name IS DISTINCT FROM new.person_name) OR (old.kind IS DISTINCT FROM new.kind) OR (old.draft IS DISTINCT FROM new.draft) OR (old.deleted_at IS DISTINCT FROM new.deleted_at))) EXECUTE FUNCTION private.follow_memory_on_wall();
CREATE TRIGGER hand_over_sums AFTER UPDATE OF user_id ON public.memories FOR EACH ROW WHEN ((old.user_id IS DISTINCT FROM new.user_id)) EXECUTE FUNCTION private.hand_over_sums();
CREATE TRIGGER hand_over_use AFTER UPDATE OF user_id ON public.memories FOR EACH ROW WHEN ((old.user_id IS DISTINCT FROM new.user_id)) EXECUTE FUNCTION private.hand_over_use();
CREATE TRIGGER index_changed_memory AFTER UPDATE ON public.memories REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.follow_in_search('memory', 'id', 'user_id person_name description birth_date passing_date event_date');
CREATE TRIGGER index_deleted_memory AFTER DELETE ON public.memories REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.follow_in_search('memory', 'id');
CREATE TRIGGER index_new_memory AFTER INSERT ON public.memories REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.follow_in_search('memory', 'id');
CREATE TRIGGER limit_memories AFTER INSERT ON public.memories REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.limit_memories();
CREATE TRIGGER make_first_link AFTER INSERT ON public.memories FOR EACH ROW EXECUTE FUNCTION private.make_first_link();
CREATE TRIGGER notify_of_new_owner AFTER UPDATE OF user_id ON public.memories FOR EACH ROW WHEN ((old.user_id <> new.user_id)) EXECUTE FUNCTION private.notify_of_new_owner();
CREATE TRIGGER prepare_share_ids BEFORE INSERT ON public.memories FOR EACH STATEMENT EXECUTE FUNCTION private.prepare_share_ids();
CREATE TRIGGER raise_versions_of_links_changed AFTER UPDATE ON public.memories FOR EACH ROW WHEN (((new.album_id IS DISTINCT FROM old.album_id) OR (new.draft IS DISTINCT FROM old.draft))) EXECUTE FUNCTION private.raise_versions_of_links();
CREATE TRIGGER raise_versions_of_links_deleted AFTER DELETE ON public.memories FOR EACH ROW WHEN ((old.album_id IS NOT NULL)) EXECUTE FUNCTION private.raise_versions_of_links();
CREATE TRIGGER raise_versions_of_links_new AFTER INSERT ON public.memories FOR EACH ROW WHEN (((new.album_id IS NOT NULL) AND (NOT new.draft))) EXECUTE FUNCTION private.raise_versions_of_links();
CREATE TRIGGER refuse_album_of_another AFTER INSERT OR UPDATE OF album_id, user_id ON public.memories FOR EACH ROW WHEN ((new.album_id IS NOT NULL)) EXECUTE FUNCTION private.refuse_album_of_another();
CREATE TRIGGER reschedule_reminders AFTER UPDATE ON public.memories FOR EACH ROW WHEN (((((old.birth_date)::text IS DISTINCT FROM (new.birth_date)::text) OR ((old.passing_date)::text IS DISTINCT FROM (new.passing_date)::text)) OR ((old.event_date)::text IS DISTINCT FROM (new.event_date)::text))) EXECUTE FUNCTION private.reschedule_reminders();
CREATE TRIGGER t10_move_to_trash BEFORE DELETE ON public.memories FOR EACH ROW WHEN ((CURRENT_USER = ANY (ARRAY['anon'::name, 'authenticated'::name]))) EXECUTE FUNCTION private.move_memory_to_trash();
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.memories FOR EACH ROW WHEN (((((((((((old.kind IS DISTINCT FROM new.kind) OR (old.person_name IS DISTINCT FROM new.person_name)) OR ((old.description)::text IS DISTINCT FROM (new.description)::text)) OR ((old.birth_date)::text IS DISTINCT FROM (new.birth_date)::text)) OR ((old.passing_date)::text IS DISTINCT FROM (new.passing_date)::text)) OR ((old.event_date)::text IS DISTINCT FROM (new.event_date)::text)) OR (old.cover_x IS DISTINCT FROM new.cover_x)) OR (old.cover_y IS DISTINCT FROM new.cover_y)) OR (old.media_order IS DISTINCT FROM new.media_order)) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER t20_delete_memory_objects BEFORE DELETE ON public.memories FOR EACH ROW EXECUTE FUNCTION private.delete_memory_objects();
CREATE TRIGGER total_changed AFTER UPDATE ON public.memories REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.add_to_totals('''memories''', '1', 'r.deleted_at is null');
CREATE TRIGGER total_deleted AFTER DELETE ON public.memories REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.add_to_totals('''memories''', '1', 'r.deleted_at is null');
CREATE TRIGGER total_new AFTER INSERT ON public.memories REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.add_to_totals('''memories''', '1', 'r.deleted_at is null');
CREATE TRIGGER total_of_day AFTER INSERT ON public.memories REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.add_to_totals('''new '' || ''memories'' || '' '' || (r.created_at at time zone ''utc'')::date', '1', 'true');
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.memories FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();
CREATE TRIGGER validate_album BEFORE UPDATE ON public.memories FOR EACH ROW WHEN (((old.album_id IS DISTINCT FROM new.album_id) OR (old.album_position IS DISTINCT FROM new.album_position))) EXECUTE FUNCTION private.validate_album();

create table public.memory_blocks (
  id uuid default gen_random_uuid() not null,
  memory_id uuid not null,
  user_id uuid,
  guest_id uuid,
  name text default ''::text not null,
  role text,
  blocked_by uuid,
  created_at timestamp with time zone default now() not null,
  constraint memory_blocks_blocked_by_fkey FOREIGN KEY (blocked_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint memory_blocks_guest_id_fkey FOREIGN KEY (guest_id) REFERENCES public.guests(id) ON DELETE CASCADE,
  constraint memory_blocks_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint memory_blocks_pkey PRIMARY KEY (id),
  constraint memory_blocks_role_check CHECK ((role = ANY (ARRAY['co-owner'::text, 'contributor'::text, 'viewer'::text]))),
  constraint memory_blocks_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint of_one_person CHECK ((num_nonnulls(user_id, guest_id) = 1)),
  constraint once UNIQUE NULLS NOT DISTINCT (memory_id, user_id, guest_id)
);
comment on table public.memory_blocks is 'People who are blocked from a memory, whatever link they have. Visible to its managers; blocked people are not told.';
comment on column public.memory_blocks.name is 'Their name at that time.';
comment on column public.memory_blocks.role is 'Their role at that time, which they get back when they are unblocked.';
alter table public.memory_blocks enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.memory_blocks to service_role;
grant select on table public.memory_blocks to authenticated;
CREATE INDEX memory_blocks_blocked_by ON public.memory_blocks USING btree (blocked_by);
CREATE INDEX memory_blocks_guest_id ON public.memory_blocks USING btree (guest_id) WHERE (guest_id IS NOT NULL);
CREATE INDEX memory_blocks_user_id ON public.memory_blocks USING btree (user_id) WHERE (user_id IS NOT NULL);
create policy managers on public.memory_blocks for select to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = memory_blocks.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "required authentication level" on public.memory_blocks as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.memory_blocks for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER follow_asker_in_letters AFTER INSERT OR DELETE ON public.memory_blocks FOR EACH ROW EXECUTE FUNCTION private.follow_asker_in_letters();
CREATE TRIGGER revoke_link_of_blocked_guest AFTER INSERT ON public.memory_blocks FOR EACH ROW WHEN ((new.guest_id IS NOT NULL)) EXECUTE FUNCTION private.revoke_link_of_blocked_guest();

create table public.memory_counts (
  memory_id uuid not null,
  photos integer not null,
  comments integer not null,
  constraint memory_counts_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE
);
comment on table public.memory_counts is 'A ledger, as private.media_sums: the rows of a memory add up to its counts. Visible to everybody who can see the memory. Only triggers write it.';
comment on column public.memory_counts.photos is 'Photos and videos that every viewer sees: shown and not broken.';
comment on column public.memory_counts.comments is 'Shown comments on the memory itself, without deleted ones that have replies.';
alter table public.memory_counts enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.memory_counts to service_role;
grant select on table public.memory_counts to anon;
grant select on table public.memory_counts to authenticated;
CREATE INDEX memory_counts_memory_id ON public.memory_counts USING btree (memory_id) INCLUDE (photos, comments);
create policy "not before the reveal" on public.memory_counts as restrictive for select to anon, authenticated
  using ((memory_id <> ALL (( SELECT private.covered_memory_ids() AS covered_memory_ids)::uuid[])));
create policy "required authentication level" on public.memory_counts as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.memory_counts for all to service_role
  using (true)
  with check (true);
create policy "viewers of the memory read" on public.memory_counts for select to anon, authenticated
  using ((EXISTS ( SELECT
   FROM public.memories m
  WHERE (m.id = memory_counts.memory_id))));

create table public.memory_entries (
  id uuid default gen_random_uuid() not null,
  memory_id uuid not null,
  on_date public.approximate_date,
  starts_at time(0) without time zone,
  title text not null,
  place text default ''::text not null,
  note text default ''::text not null,
  media_id uuid,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  part text,
  time_zone text,
  doors_at time(0) without time zone,
  ends_at time(0) without time zone,
  address text default ''::text not null,
  map_url text default ''::text not null,
  directions text default ''::text not null,
  parking text default ''::text not null,
  accessibility text default ''::text not null,
  dress text default ''::text not null,
  gifts text default ''::text not null,
  gifts_url text default ''::text not null,
  contact text default ''::text not null,
  audience text default 'all'::text not null,
  stream_from timestamp with time zone,
  stream_changes integer default 0 not null,
  asks_replies boolean default false not null,
  revised_at timestamp with time zone,
  constraint day_of_a_part CHECK (((part IS NULL) OR ((on_date IS NOT NULL) AND ((on_date)::text ~ '^\d{4}-(0\d|1[0-2])-\d\d$'::text) AND (time_zone IS NOT NULL)))),
  constraint memory_entries_accessibility_check CHECK ((length(accessibility) <= 1000)),
  constraint memory_entries_address_check CHECK ((length(address) <= 500)),
  constraint memory_entries_audience_check CHECK ((audience = ANY (ARRAY['all'::text, 'members'::text]))),
  constraint memory_entries_contact_check CHECK ((length(contact) <= 500)),
  constraint memory_entries_directions_check CHECK ((length(directions) <= 1000)),
  constraint memory_entries_dress_check CHECK ((length(dress) <= 500)),
  constraint memory_entries_gifts_check CHECK ((length(gifts) <= 1000)),
  constraint memory_entries_gifts_url_check CHECK (((gifts_url ~* '^(https?://\S+)?$'::text) AND (length(gifts_url) <= 1000))),
  constraint memory_entries_map_url_check CHECK (((map_url ~* '^(https?://\S+)?$'::text) AND (length(map_url) <= 1000))),
  constraint memory_entries_media_id_fkey FOREIGN KEY (media_id) REFERENCES public.media(id) ON DELETE SET NULL,
  constraint memory_entries_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint memory_entries_note_check CHECK ((length(note) <= 2000)),
  constraint memory_entries_parking_check CHECK ((length(parking) <= 1000)),
  constraint memory_entries_part_check CHECK ((part = ANY (ARRAY['visitation'::text, 'service'::text, 'burial'::text, 'ceremony'::text, 'reception'::text, 'dinner'::text, 'party'::text, 'other'::text]))),
  constraint memory_entries_pkey PRIMARY KEY (id),
  constraint memory_entries_place_check CHECK ((length(place) <= 200)),
  constraint memory_entries_time_zone_check CHECK (((time_zone IS NULL) OR ((time_zone ~ '^(UTC|Etc/(UTC|GMT|GMT[+-](\d|1[0-4]))|(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)(/[A-Za-z_-]+){1,2})$'::text) AND (timezone(time_zone, '2000-01-01 00:00:00'::timestamp without time zone) IS NOT NULL)))),
  constraint memory_entries_title_check CHECK (((length(btrim(title)) >= 1) AND (length(btrim(title)) <= 200))),
  constraint replies_to_a_part CHECK (((NOT asks_replies) OR (part IS NOT NULL))),
  constraint stream_from_in_years_1_to_9999 CHECK (((stream_from >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (stream_from <= '9999-12-31 00:00:00+00'::timestamp with time zone)))
);
comment on table public.memory_entries is 'Entries of a tribute''s timeline or of an event''s programme, and the parts of a funeral or another day. Visible to everybody who can see the memory; with the audience members only to its members.';
comment on column public.memory_entries.on_date is 'With the precision that is known. An entry of a programme has one only if its day differs from the event''s.';
comment on column public.memory_entries.starts_at is 'Local time.';
comment on column public.memory_entries.media_id is 'A photo of the same memory to show with it.';
comment on column public.memory_entries.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
comment on column public.memory_entries.part is 'What part of the day it is: such an entry has an exact date and a time zone, and is shown with the day. Null for a moment of the timeline and for another entry of the programme.';
comment on column public.memory_entries.time_zone is 'IANA name of the place''s time zone, in which all times of the part are.';
comment on column public.memory_entries.doors_at is 'Local time from which guests are let in.';
comment on column public.memory_entries.ends_at is 'Local time of the end; before starts_at it is on the next day.';
comment on column public.memory_entries.map_url is 'Address of a map.';
comment on column public.memory_entries.directions is 'How to get there.';
comment on column public.memory_entries.accessibility is 'Access for people who walk, see or hear with difficulty.';
comment on column public.memory_entries.gifts is 'Wishes about flowers, donations or presents. Skies moves no money.';
comment on column public.memory_entries.gifts_url is 'Address for donations or presents.';
comment on column public.memory_entries.audience is 'Who may see it: everybody who can see the memory, or only its members.';
comment on column public.memory_entries.stream_from is 'When the address of the livestream (entry_streams) becomes readable for people who do not manage the memory; null is at once.';
comment on column public.memory_entries.stream_changes is 'Counts changes of the livestream''s address, so that they count as changes of the entry.';
comment on column public.memory_entries.asks_replies is 'Whether people are asked if they come to this part of the day. Replies are on while any part asks for them.';
comment on column public.memory_entries.revised_at is 'When its content last changed; null if it never did.';
alter table public.memory_entries enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.memory_entries to service_role;
grant delete, select on table public.memory_entries to authenticated;
grant select on table public.memory_entries to anon;
grant insert (id, memory_id, on_date, starts_at, title, place, note, media_id, part, time_zone, doors_at, ends_at, address, map_url, directions, parking, accessibility, dress, gifts, gifts_url, contact, audience, stream_from) on table public.memory_entries to authenticated;
grant update (on_date, starts_at, title, place, note, media_id, revision, part, time_zone, doors_at, ends_at, address, map_url, directions, parking, accessibility, dress, gifts, gifts_url, contact, audience, stream_from, asks_replies) on table public.memory_entries to authenticated;
CREATE INDEX memory_entries_asking ON public.memory_entries USING btree (on_date) WHERE asks_replies;
CREATE INDEX memory_entries_media_id ON public.memory_entries USING btree (media_id) WHERE (media_id IS NOT NULL);
CREATE INDEX memory_entries_memory_id ON public.memory_entries USING btree (memory_id, on_date, starts_at);
CREATE INDEX memory_entries_revised ON public.memory_entries USING btree (revised_at) WHERE ((part IS NOT NULL) AND (revised_at IS NOT NULL));
create policy "managers add" on public.memory_entries for insert to authenticated
  with check ((((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = memory_entries.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))) AND ((media_id IS NULL) OR (EXISTS ( SELECT
   FROM public.media m
  WHERE ((m.id = memory_entries.media_id) AND (m.memory_id = memory_entries.memory_id)))))));
create policy "managers change" on public.memory_entries for update to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = memory_entries.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))))
  with check (((media_id IS NULL) OR (EXISTS ( SELECT
   FROM public.media m
  WHERE ((m.id = memory_entries.media_id) AND (m.memory_id = memory_entries.memory_id))))));
create policy "managers delete" on public.memory_entries for delete to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = memory_entries.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "required authentication level" on public.memory_entries as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.memory_entries for all to service_role
  using (true)
  with check (true);
create policy "viewers read" on public.memory_entries for select to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = memory_entries.memory_id))) OR (memory_id = ANY (( SELECT private.joined_memory_ids() AS joined_memory_ids)::uuid[])) OR ((audience = 'all'::text) AND (memory_id = ANY (( SELECT private.shared_memory_ids('view'::text) AS shared_memory_ids)::uuid[])))));
create policy "visitors read" on public.memory_entries for select to anon
  using (
CASE
    WHEN (memory_id = ANY (( SELECT private.shared_memory_ids('view'::text) AS shared_memory_ids)::uuid[])) THEN (audience = 'all'::text)
    ELSE false
END);
CREATE TRIGGER index_changed_moment AFTER UPDATE ON public.memory_entries REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.follow_in_search('moment', 'id', 'memory_id on_date title place note audience');
CREATE TRIGGER index_deleted_moment AFTER DELETE ON public.memory_entries REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.follow_in_search('moment', 'id');
CREATE TRIGGER index_new_moment AFTER INSERT ON public.memory_entries REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.follow_in_search('moment', 'id');
CREATE TRIGGER remove_part_from_replies AFTER DELETE ON public.memory_entries FOR EACH ROW WHEN ((old.part IS NOT NULL)) EXECUTE FUNCTION private.remove_part_from_replies();
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.memory_entries FOR EACH ROW WHEN (((((((((((((((((((((((((old.on_date)::text IS DISTINCT FROM (new.on_date)::text) OR (old.starts_at IS DISTINCT FROM new.starts_at)) OR (old.title IS DISTINCT FROM new.title)) OR (old.place IS DISTINCT FROM new.place)) OR (old.note IS DISTINCT FROM new.note)) OR (old.media_id IS DISTINCT FROM new.media_id)) OR (old.part IS DISTINCT FROM new.part)) OR (old.time_zone IS DISTINCT FROM new.time_zone)) OR (old.doors_at IS DISTINCT FROM new.doors_at)) OR (old.ends_at IS DISTINCT FROM new.ends_at)) OR (old.address IS DISTINCT FROM new.address)) OR (old.map_url IS DISTINCT FROM new.map_url)) OR (old.directions IS DISTINCT FROM new.directions)) OR (old.parking IS DISTINCT FROM new.parking)) OR (old.accessibility IS DISTINCT FROM new.accessibility)) OR (old.dress IS DISTINCT FROM new.dress)) OR (old.gifts IS DISTINCT FROM new.gifts)) OR (old.gifts_url IS DISTINCT FROM new.gifts_url)) OR (old.contact IS DISTINCT FROM new.contact)) OR (old.audience IS DISTINCT FROM new.audience)) OR (old.stream_from IS DISTINCT FROM new.stream_from)) OR (old.stream_changes IS DISTINCT FROM new.stream_changes)) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER t16_note_revision BEFORE UPDATE ON public.memory_entries FOR EACH ROW WHEN ((old.revision <> new.revision)) EXECUTE FUNCTION private.note_revision();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.memory_entries FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();

create table public.memory_members (
  memory_id uuid not null,
  user_id uuid not null,
  role text not null,
  created_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  constraint memory_members_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint memory_members_pkey PRIMARY KEY (memory_id, user_id),
  constraint memory_members_role_check CHECK ((role = ANY (ARRAY['co-owner'::text, 'contributor'::text, 'viewer'::text]))),
  constraint memory_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table public.memory_members is 'Members of a memory besides its owner. Visible to its managers and to each member themselves.';
comment on column public.memory_members.role is 'A co-owner can do everything except delete the memory and transfer it; a contributor adds content and comments; a viewer only views.';
comment on column public.memory_members.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
alter table public.memory_members enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.memory_members to service_role;
grant delete, select on table public.memory_members to authenticated;
grant update (role, revision) on table public.memory_members to authenticated;
CREATE INDEX memory_members_user_id ON public.memory_members USING btree (user_id);
create policy "managers change" on public.memory_members for update to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = memory_members.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "member and managers read" on public.memory_members for select to authenticated
  using (((user_id = ( SELECT auth.uid() AS uid)) OR (EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = memory_members.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "member leaves, managers remove" on public.memory_members for delete to authenticated
  using (((user_id = ( SELECT auth.uid() AS uid)) OR (EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = memory_members.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "required authentication level" on public.memory_members as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.memory_members for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER follow_asker_in_letters AFTER DELETE OR UPDATE OF role ON public.memory_members FOR EACH ROW EXECUTE FUNCTION private.follow_asker_in_letters();
CREATE TRIGGER follow_role AFTER INSERT OR UPDATE OF role ON public.memory_members FOR EACH ROW EXECUTE FUNCTION private.follow_role();
CREATE TRIGGER list_member AFTER INSERT OR UPDATE OF role ON public.memory_members FOR EACH ROW EXECUTE FUNCTION private.list_member();
CREATE TRIGGER note_activity AFTER INSERT OR UPDATE OF created_at ON public.memory_members FOR EACH ROW EXECUTE FUNCTION private.note_member();
CREATE CONSTRAINT TRIGGER pass_on_trash AFTER DELETE OR UPDATE ON public.memory_members DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.role = 'co-owner'::text)) EXECUTE FUNCTION private.pass_on_trash_of_member();
CREATE TRIGGER refuse_blocked_member BEFORE INSERT ON public.memory_members FOR EACH ROW EXECUTE FUNCTION private.refuse_blocked_member();
CREATE TRIGGER revoke_link_of_member AFTER DELETE ON public.memory_members FOR EACH ROW EXECUTE FUNCTION private.revoke_link_of_member();
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.memory_members FOR EACH ROW WHEN (((old.role IS DISTINCT FROM new.role) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER validate_member BEFORE DELETE OR UPDATE ON public.memory_members FOR EACH ROW EXECUTE FUNCTION private.validate_member();

create table public.memory_prints (
  memory_id uuid not null,
  title text,
  words text,
  hint text,
  place_words text,
  design text default 'plain'::text not null,
  extra_names text[] default '{}'::text[] not null,
  left_out text[] default '{}'::text[] not null,
  revision integer default 1 not null,
  constraint memory_prints_design_check CHECK ((design = ANY (ARRAY['plain'::text, 'frame'::text, 'tint'::text]))),
  constraint memory_prints_extra_names_check CHECK (((cardinality(extra_names) <= 500) AND (array_position(extra_names, NULL::text) IS NULL) AND (length(array_to_string(extra_names, ''::text)) <= 50000))),
  constraint memory_prints_hint_check CHECK ((length(hint) <= 120)),
  constraint memory_prints_left_out_check CHECK (((cardinality(left_out) <= 1000) AND (array_position(left_out, NULL::text) IS NULL) AND (length(array_to_string(left_out, ''::text)) <= 250000))),
  constraint memory_prints_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint memory_prints_pkey PRIMARY KEY (memory_id),
  constraint memory_prints_place_words_check CHECK ((length(place_words) <= 120)),
  constraint memory_prints_title_check CHECK ((length(title) <= 120)),
  constraint memory_prints_words_check CHECK ((length(words) <= 300))
);
comment on table public.memory_prints is 'The words on a memory''s printed cards, signs and place cards. Only its managers see and change them.';
comment on column public.memory_prints.title is 'Null until somebody has written it: the name of the memory is printed then.';
comment on column public.memory_prints.words is 'Null until somebody has written it: words in the reader''s language are offered then.';
comment on column public.memory_prints.hint is 'How to use the code; null like words.';
comment on column public.memory_prints.place_words is 'The line under the names of place cards; null like title.';
comment on column public.memory_prints.design is 'The ground of the cards: nothing, a double line, or a tint up to the edge.';
comment on column public.memory_prints.extra_names is 'Names for place cards that are in no reply.';
comment on column public.memory_prints.left_out is 'Persons of replies who get no place card: the id of the reply, a space and the name, which a number follows if several persons have the same.';
comment on column public.memory_prints.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
alter table public.memory_prints enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.memory_prints to service_role;
grant select on table public.memory_prints to authenticated;
grant insert (memory_id, title, words, hint, place_words, design, extra_names, left_out) on table public.memory_prints to authenticated;
grant update (title, words, hint, place_words, design, extra_names, left_out, revision) on table public.memory_prints to authenticated;
create policy "managers add" on public.memory_prints for insert to authenticated
  with check (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = memory_prints.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "managers change" on public.memory_prints for update to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = memory_prints.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "managers read" on public.memory_prints for select to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = memory_prints.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "required authentication level" on public.memory_prints as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.memory_prints for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.memory_prints FOR EACH ROW WHEN (((((((((old.title IS DISTINCT FROM new.title) OR (old.words IS DISTINCT FROM new.words)) OR (old.hint IS DISTINCT FROM new.hint)) OR (old.place_words IS DISTINCT FROM new.place_words)) OR (old.design IS DISTINCT FROM new.design)) OR (old.extra_names IS DISTINCT FROM new.extra_names)) OR (old.left_out IS DISTINCT FROM new.left_out)) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();

create table public.memory_reminders (
  memory_id uuid not null,
  occasion text not null,
  created_at timestamp with time zone default now() not null,
  due_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  constraint memory_reminders_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint memory_reminders_occasion_check CHECK ((occasion = ANY (ARRAY['birthday'::text, 'passing'::text, 'event'::text]))),
  constraint memory_reminders_pkey PRIMARY KEY (memory_id, occasion)
);
comment on table public.memory_reminders is 'The days of which the members of a memory are reminded each year. Set by the owner; without rows there are none.';
comment on column public.memory_reminders.due_at is 'When the job looks at it next; -infinity after a change of the date, infinity for a date without a day.';
alter table public.memory_reminders enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.memory_reminders to service_role;
grant delete, select on table public.memory_reminders to authenticated;
grant insert (memory_id, occasion) on table public.memory_reminders to authenticated;
CREATE INDEX memory_reminders_due_at ON public.memory_reminders USING btree (due_at);
create policy "members read" on public.memory_reminders for select to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = memory_reminders.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('view'::text) AS shared_memory_ids)::uuid[]))));
create policy "owner adds" on public.memory_reminders for insert to authenticated
  with check ((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = memory_reminders.memory_id))));
create policy "owner deletes" on public.memory_reminders for delete to authenticated
  using ((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = memory_reminders.memory_id))));
create policy "required authentication level" on public.memory_reminders as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.memory_reminders for all to service_role
  using (true)
  with check (true);

create table public.memory_services (
  memory_id uuid not null,
  heading text,
  closing text default ''::text not null,
  items jsonb default '[]'::jsonb not null,
  revision integer default 1 not null,
  constraint memory_services_closing_check CHECK ((length(closing) <= 600)),
  constraint memory_services_heading_check CHECK ((length(heading) <= 120)),
  constraint memory_services_items_check CHECK ((pg_column_size(items) <= 300000)),
  constraint memory_services_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint memory_services_pkey PRIMARY KEY (memory_id)
);
comment on table public.memory_services is 'The order of service of a funeral or an event, with hymns and readings. Only the memory''s managers see and change it; guests get it on paper.';
comment on column public.memory_services.heading is 'Null until somebody has written it: words in the reader''s language are offered then.';
comment on column public.memory_services.closing is 'Words on the last page, e.g. thanks.';
comment on column public.memory_services.items is 'In their order: {id, kind, title, by, text}, of the kinds hymn, reading, prayer, music, words and part.';
comment on column public.memory_services.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
alter table public.memory_services enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.memory_services to service_role;
grant select on table public.memory_services to authenticated;
grant insert (memory_id, heading, closing, items) on table public.memory_services to authenticated;
grant update (heading, closing, items, revision) on table public.memory_services to authenticated;
create policy "managers add" on public.memory_services for insert to authenticated
  with check (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = memory_services.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "managers change" on public.memory_services for update to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = memory_services.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "managers read" on public.memory_services for select to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = memory_services.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "required authentication level" on public.memory_services as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.memory_services for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER t10_check_items BEFORE INSERT OR UPDATE OF items ON public.memory_services FOR EACH ROW EXECUTE FUNCTION private.check_service_items();
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.memory_services FOR EACH ROW WHEN (((((old.heading IS DISTINCT FROM new.heading) OR (old.closing IS DISTINCT FROM new.closing)) OR (old.items IS DISTINCT FROM new.items)) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();

create table public.memory_withdrawals (
  id bigint generated always as identity not null,
  memory_id uuid not null,
  kind text not null,
  ids uuid[] not null,
  created_at timestamp with time zone default now() not null,
  constraint memory_withdrawals_kind_check CHECK ((kind = ANY (ARRAY['media'::text, 'broken'::text, 'story'::text, 'comment'::text, 'reaction'::text]))),
  constraint memory_withdrawals_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint memory_withdrawals_pkey PRIMARY KEY (id)
);
comment on table public.memory_withdrawals is 'Items of a memory that are no longer shown, for pages that still show them; kept for an hour. Visible to everybody who can see the memory.';
alter table public.memory_withdrawals enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.memory_withdrawals to service_role;
grant select on table public.memory_withdrawals to anon;
grant select on table public.memory_withdrawals to authenticated;
CREATE INDEX memory_withdrawals_memory_id ON public.memory_withdrawals USING btree (memory_id, created_at);
create policy "not before the reveal" on public.memory_withdrawals as restrictive for select to anon, authenticated
  using (((memory_id <> ALL (( SELECT private.covered_memory_ids() AS covered_memory_ids)::uuid[])) OR (ids <@ ARRAY( SELECT private.uncovered_ids('any'::text) AS uncovered_ids))));
create policy "required authentication level" on public.memory_withdrawals as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.memory_withdrawals for all to service_role
  using (true)
  with check (true);
create policy "viewers read" on public.memory_withdrawals for select to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = memory_withdrawals.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('view'::text) AS shared_memory_ids)::uuid[]))));
create policy "visitors read" on public.memory_withdrawals for select to anon
  using (
CASE
    WHEN (memory_id = ANY (( SELECT private.shared_memory_ids('view'::text) AS shared_memory_ids)::uuid[])) THEN true
    ELSE false
END);
create policy "wall shows" on public.memory_withdrawals for select to anon
  using ((memory_id = ( SELECT private.wall_memory_id('anything'::text) AS wall_memory_id)));

create table public.metal_cards (
  id uuid default gen_random_uuid() not null,
  code text default private.new_card_code() not null,
  user_id uuid,
  order_id uuid,
  order_item_id uuid,
  place integer,
  making text default 'waiting'::text not null,
  name text default ''::text not null,
  dates text default ''::text not null,
  finish text default 'steel'::text not null,
  language text default 'en'::text not null,
  memory_id uuid,
  link_id uuid,
  claimed_at timestamp with time zone,
  blocked text,
  state text generated always as (
CASE
    WHEN (blocked IS NOT NULL) THEN blocked
    WHEN (link_id IS NOT NULL) THEN 'assigned'::text
    WHEN (claimed_at IS NOT NULL) THEN 'claimed'::text
    ELSE 'unclaimed'::text
END) stored not null,
  created_at timestamp with time zone default now() not null,
  engraved_at timestamp with time zone,
  sent_at timestamp with time zone,
  returned_at timestamp with time zone,
  revision integer default 1 not null,
  constraint claimed_at_in_years_1_to_9999 CHECK (((claimed_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (claimed_at <= '9999-12-31 00:00:00+00'::timestamp with time zone))),
  constraint metal_cards_blocked_check CHECK ((blocked = ANY (ARRAY['lost'::text, 'disabled'::text]))),
  constraint metal_cards_code_check CHECK ((code ~ '^[0-9A-HJKMNP-TV-Z]{12}$'::text)),
  constraint metal_cards_code_key UNIQUE (code),
  constraint metal_cards_dates_check CHECK ((length(dates) <= 40)),
  constraint metal_cards_finish_check CHECK ((finish = ANY (ARRAY['steel'::text, 'gold'::text, 'black'::text]))),
  constraint metal_cards_language_check CHECK ((language = ANY (ARRAY['en'::text, 'it'::text]))),
  constraint metal_cards_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.share_links(id) ON DELETE SET NULL,
  constraint metal_cards_link_id_key UNIQUE (link_id),
  constraint metal_cards_making_check CHECK ((making = ANY (ARRAY['waiting'::text, 'ordered'::text, 'engraved'::text, 'sent'::text, 'returned'::text, 'cancelled'::text]))),
  constraint metal_cards_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE SET NULL,
  constraint metal_cards_name_check CHECK ((length(name) <= 48)),
  constraint metal_cards_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders(id) ON DELETE CASCADE,
  constraint metal_cards_order_item_id_fkey FOREIGN KEY (order_item_id) REFERENCES public.order_items(id) ON DELETE CASCADE,
  constraint metal_cards_pkey PRIMARY KEY (id),
  constraint metal_cards_place_check CHECK ((place > 0)),
  constraint metal_cards_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint one_card_a_place UNIQUE (order_item_id, place)
);
comment on table public.metal_cards is 'Engraved cards with unique codes. Visible to their holder and to administrators.';
comment on column public.metal_cards.code is 'The engraved code, in /c/{code}: letters of Crockford''s base 32.';
comment on column public.metal_cards.user_id is 'The holder: the buyer, until somebody claims it with the secret in its pack.';
comment on column public.metal_cards.place is 'Its number within the line of the order, so that no card is made twice.';
comment on column public.metal_cards.making is 'waiting for its text; ordered; engraved; sent; returned by the carrier; or cancelled because the order was refunded before engraving.';
comment on column public.metal_cards.link_id is 'The link that the card opens, created for it alone. The card stops working when the link ends.';
comment on column public.metal_cards.blocked is 'Why it is disabled.';
comment on column public.metal_cards.state is 'unclaimed, claimed, assigned, lost or disabled.';
comment on column public.metal_cards.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
alter table public.metal_cards enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.metal_cards to service_role;
grant select on table public.metal_cards to authenticated;
grant update (making, name, dates, finish, language, memory_id, claimed_at, blocked, revision) on table public.metal_cards to authenticated;
CREATE INDEX metal_cards_making ON public.metal_cards USING btree (making, created_at, id);
CREATE INDEX metal_cards_memory_id ON public.metal_cards USING btree (memory_id);
CREATE INDEX metal_cards_order_id ON public.metal_cards USING btree (order_id);
CREATE INDEX metal_cards_user_id ON public.metal_cards USING btree (user_id);
create policy "holder and staff change" on public.metal_cards for update to authenticated
  using (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'fulfilment'::text]) AS has_role)))
  with check (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'fulfilment'::text]) AS has_role)));
create policy "holder and staff read" on public.metal_cards for select to authenticated
  using (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'support'::text, 'fulfilment'::text]) AS has_role)));
create policy "required authentication level" on public.metal_cards as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.metal_cards for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER follow_card AFTER UPDATE ON public.metal_cards FOR EACH ROW EXECUTE FUNCTION private.follow_card();
CREATE TRIGGER refuse_changed_engraving BEFORE UPDATE OF name, dates ON public.metal_cards FOR EACH ROW WHEN ((((new.name IS DISTINCT FROM old.name) OR (new.dates IS DISTINCT FROM old.dates)) AND (NOT private.is_engravable((new.name || new.dates))))) EXECUTE FUNCTION private.refuse_engraving();
CREATE TRIGGER refuse_engraving BEFORE INSERT ON public.metal_cards FOR EACH ROW WHEN ((NOT private.is_engravable((new.name || new.dates)))) EXECUTE FUNCTION private.refuse_engraving();
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.metal_cards FOR EACH ROW WHEN (((((((((old.making IS DISTINCT FROM new.making) OR (old.name IS DISTINCT FROM new.name)) OR (old.dates IS DISTINCT FROM new.dates)) OR (old.finish IS DISTINCT FROM new.finish)) OR (old.language IS DISTINCT FROM new.language)) OR (old.memory_id IS DISTINCT FROM new.memory_id)) OR (old.blocked IS DISTINCT FROM new.blocked)) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER total_changed AFTER UPDATE ON public.metal_cards REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.add_to_totals('''card '' || r.making', '1', 'true');
CREATE TRIGGER total_deleted AFTER DELETE ON public.metal_cards REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.add_to_totals('''card '' || r.making', '1', 'true');
CREATE TRIGGER total_new AFTER INSERT ON public.metal_cards REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.add_to_totals('''card '' || r.making', '1', 'true');
CREATE TRIGGER validate_card BEFORE UPDATE ON public.metal_cards FOR EACH ROW EXECUTE FUNCTION private.validate_card();
CREATE TRIGGER z90_audit_change AFTER INSERT OR DELETE OR UPDATE ON public.metal_cards FOR EACH ROW EXECUTE FUNCTION private.audit_change('code', 'personal');

create table public.notice_preferences (
  user_id uuid default auth.uid() not null,
  memory_id uuid not null,
  mail text,
  paused_until date,
  updated_at timestamp with time zone default now() not null,
  push boolean default true not null,
  constraint notice_preferences_mail_check CHECK ((mail = ANY (ARRAY['instantly'::text, 'daily'::text, 'weekly'::text, 'never'::text]))),
  constraint notice_preferences_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint notice_preferences_pkey PRIMARY KEY (user_id, memory_id),
  constraint notice_preferences_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint paused_until_in_years_1_to_9999 CHECK (((paused_until >= '0001-01-01'::date) AND (paused_until <= '9999-12-31'::date)))
);
comment on table public.notice_preferences is 'Settings for one memory, which take precedence. Only the person can read them.';
comment on column public.notice_preferences.push is 'Whether notices about the memory are sent to the person''s devices.';
alter table public.notice_preferences enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.notice_preferences to service_role;
grant delete, select on table public.notice_preferences to authenticated;
grant insert (user_id, memory_id, mail, paused_until, push) on table public.notice_preferences to authenticated;
grant update (mail, paused_until, push) on table public.notice_preferences to authenticated;
CREATE INDEX notice_preferences_memory_id ON public.notice_preferences USING btree (memory_id);
create policy "own rows" on public.notice_preferences for all to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)))
  with check (((user_id = ( SELECT auth.uid() AS uid)) AND ((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = notice_preferences.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('view'::text) AS shared_memory_ids)::uuid[])))));
create policy "required authentication level" on public.notice_preferences as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.notice_preferences for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER reschedule_changed_notices AFTER UPDATE ON public.notice_preferences FOR EACH ROW WHEN (((old.mail IS DISTINCT FROM new.mail) OR (old.paused_until IS DISTINCT FROM new.paused_until))) EXECUTE FUNCTION private.reschedule_notices_of();
CREATE TRIGGER reschedule_notices AFTER INSERT OR DELETE ON public.notice_preferences FOR EACH ROW EXECUTE FUNCTION private.reschedule_notices_of();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.notice_preferences FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();

create table public.notice_settings (
  user_id uuid default auth.uid() not null,
  mail text,
  time_zone text,
  language text,
  paused_until date,
  updated_at timestamp with time zone default now() not null,
  constraint notice_settings_language_check CHECK ((language = ANY (ARRAY['en'::text, 'it'::text]))),
  constraint notice_settings_mail_check CHECK ((mail = ANY (ARRAY['instantly'::text, 'daily'::text, 'weekly'::text, 'never'::text]))),
  constraint notice_settings_pkey PRIMARY KEY (user_id),
  constraint notice_settings_time_zone_check CHECK ((time_zone ~ '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$'::text)),
  constraint notice_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint paused_until_in_years_1_to_9999 CHECK (((paused_until >= '0001-01-01'::date) AND (paused_until <= '9999-12-31'::date)))
);
comment on table public.notice_settings is 'Notification settings of a person for all of their memories. Only the person can read them.';
comment on column public.notice_settings.mail is 'How often notices are emailed; null: daily, and never for viewers.';
comment on column public.notice_settings.time_zone is 'IANA name of the time zone of the person''s browser, for emails in the morning.';
comment on column public.notice_settings.language is 'Language of the person''s browser. A language chosen for the account takes precedence.';
comment on column public.notice_settings.paused_until is 'No reminders and no emails about notices until this day, in the person''s time zone.';
alter table public.notice_settings enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.notice_settings to service_role;
grant delete, select on table public.notice_settings to authenticated;
grant insert (user_id, mail, time_zone, language, paused_until) on table public.notice_settings to authenticated;
grant update (mail, time_zone, language, paused_until) on table public.notice_settings to authenticated;
create policy "own rows" on public.notice_settings for all to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)))
  with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy "required authentication level" on public.notice_settings as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.notice_settings for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER reschedule_changed_notices AFTER UPDATE ON public.notice_settings FOR EACH ROW WHEN ((((old.mail IS DISTINCT FROM new.mail) OR (old.time_zone IS DISTINCT FROM new.time_zone)) OR (old.paused_until IS DISTINCT FROM new.paused_until))) EXECUTE FUNCTION private.reschedule_notices_of();
CREATE TRIGGER reschedule_notices AFTER INSERT OR DELETE ON public.notice_settings FOR EACH ROW EXECUTE FUNCTION private.reschedule_notices_of();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.notice_settings FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();

create table public.notices (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  memory_id uuid,
  kind text not null,
  comment_id uuid,
  story_id uuid,
  link_id uuid,
  media_id uuid,
  actor_name text default ''::text not null,
  actor_key text default ''::text not null,
  count integer default 1 not null,
  on_date date,
  since timestamp with time zone default now() not null,
  created_at timestamp with time zone default now() not null,
  read_at timestamp with time zone,
  email_due_since timestamp with time zone default now(),
  mailed_at timestamp with time zone,
  mailed_count integer default 0 not null,
  constraint notices_actor_name_check CHECK ((length(actor_name) <= 254)),
  constraint notices_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES public.comments(id) ON DELETE CASCADE,
  constraint notices_count_check CHECK ((count >= 0)),
  constraint notices_kind_check CHECK ((kind = ANY (ARRAY['comment'::text, 'answer'::text, 'mention'::text, 'added'::text, 'story'::text, 'held'::text, 'accepted'::text, 'declined'::text, 'offered'::text, 'offer-declined'::text, 'taken-over'::text, 'locked'::text, 'storage-75'::text, 'storage-90'::text, 'storage-full'::text, 'birthday'::text, 'passing'::text, 'event'::text, 'file-lost'::text, 'revealed'::text, 'request-done'::text, 'request-declined'::text]))),
  constraint notices_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.share_links(id) ON DELETE CASCADE,
  constraint notices_media_id_fkey FOREIGN KEY (media_id) REFERENCES public.media(id) ON DELETE SET NULL,
  constraint notices_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint notices_pkey PRIMARY KEY (id),
  constraint notices_story_id_fkey FOREIGN KEY (story_id) REFERENCES public.stories(id) ON DELETE CASCADE,
  constraint notices_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint read_at_in_years_1_to_9999 CHECK (((read_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (read_at <= '9999-12-31 00:00:00+00'::timestamp with time zone)))
);
alter table public.notices set (fillfactor=85);
comment on table public.notices is 'Notifications, inserted in the transaction that causes them. Visible to the recipient while they can see the subject.';
comment on column public.notices.media_id is 'The photo it links to: the one commented on, or the first of the latest uploads.';
comment on column public.notices.actor_name is 'Name of the acting person at that time; for an invitation without a name its address.';
comment on column public.notices.actor_key is 'Identifies the person who adds, also without an account: their uploads are one notice until it is read.';
comment on column public.notices.count is 'Number of uploads, of lost files, of consecutive locks, or of years since the remembered day.';
comment on column public.notices.on_date is 'The day of a reminder, one per year.';
comment on column public.notices.since is 'Time of the first event it counts; created_at is the last.';
comment on column public.notices.email_due_since is 'Since when an email about it is due; null if none is.';
comment on column public.notices.mailed_at is 'When it was last included in an email, in the transaction that adds the email to the outbox.';
comment on column public.notices.mailed_count is 'How much of its count earlier emails included.';
alter table public.notices enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.notices to service_role;
grant select on table public.notices to authenticated;
grant update (read_at) on table public.notices to authenticated;
CREATE INDEX notices_comment_id ON public.notices USING btree (comment_id) WHERE (comment_id IS NOT NULL);
CREATE INDEX notices_created_at ON public.notices USING btree (created_at);
CREATE INDEX notices_link_id ON public.notices USING btree (link_id) WHERE (link_id IS NOT NULL);
CREATE INDEX notices_media_id ON public.notices USING btree (media_id) WHERE (media_id IS NOT NULL);
CREATE INDEX notices_memory_id ON public.notices USING btree (memory_id, kind);
CREATE INDEX notices_story_id ON public.notices USING btree (story_id) WHERE (story_id IS NOT NULL);
CREATE INDEX notices_unread ON public.notices USING btree (user_id) WHERE (read_at IS NULL);
CREATE INDEX notices_user_id ON public.notices USING btree (user_id, created_at DESC, id);
CREATE UNIQUE INDEX one_notice_for_what_one_adds ON public.notices USING btree (user_id, memory_id, actor_key) WHERE ((kind = 'added'::text) AND (read_at IS NULL));
CREATE UNIQUE INDEX one_notice_of_lost_files ON public.notices USING btree (user_id, memory_id) WHERE ((kind = 'file-lost'::text) AND (read_at IS NULL));
CREATE UNIQUE INDEX one_notice_of_what_waits ON public.notices USING btree (user_id, memory_id) WHERE ((kind = 'held'::text) AND (read_at IS NULL));
CREATE UNIQUE INDEX one_reminder_a_year ON public.notices USING btree (user_id, memory_id, kind, on_date) WHERE (on_date IS NOT NULL);
create policy "not before the reveal" on public.notices as restrictive for select to authenticated
  using (((kind <> 'added'::text) OR COALESCE((memory_id <> ALL (( SELECT private.covered_memory_ids() AS covered_memory_ids)::uuid[])), true) OR (media_id IN ( SELECT private.uncovered_ids('media'::text) AS uncovered_ids))));
create policy "recipient, while they see the subject" on public.notices for all to authenticated
  using (((user_id = ( SELECT auth.uid() AS uid)) AND ((memory_id IS NULL) OR (EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = notices.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('view'::text) AS shared_memory_ids)::uuid[]))) AND ((memory_id IS NULL) OR (kind <> ALL (ARRAY['held'::text, 'locked'::text, 'accepted'::text, 'declined'::text])) OR (EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = notices.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))) AND ((comment_id IS NULL) OR (EXISTS ( SELECT
   FROM public.comments c
  WHERE (c.id = notices.comment_id)))) AND ((story_id IS NULL) OR (EXISTS ( SELECT
   FROM public.stories s
  WHERE (s.id = notices.story_id))))))
  with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy "required authentication level" on public.notices as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.notices for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER notify_new_notices AFTER INSERT ON public.notices FOR EACH STATEMENT EXECUTE FUNCTION private.notify_new_notices();
CREATE TRIGGER push_grown_notice AFTER UPDATE OF created_at ON public.notices FOR EACH ROW WHEN (((new.read_at IS NULL) AND (new.created_at > old.created_at))) EXECUTE FUNCTION private.push_grown_notice();
CREATE TRIGGER push_new_notices AFTER INSERT ON public.notices REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.push_new_notices();
CREATE TRIGGER reschedule_notice AFTER UPDATE OF email_due_since ON public.notices FOR EACH ROW WHEN (((old.email_due_since IS NULL) <> (new.email_due_since IS NULL))) EXECUTE FUNCTION private.reschedule_notice();
CREATE TRIGGER schedule_new_notices AFTER INSERT ON public.notices REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.schedule_new_notices();

create table public.order_items (
  id uuid default gen_random_uuid() not null,
  order_id uuid not null,
  "position" integer default 0 not null,
  kind text not null,
  plan_id text,
  product_id text,
  quantity integer not null,
  unit_amount integer not null,
  discount integer default 0 not null,
  total integer not null,
  terms jsonb default '{}'::jsonb not null,
  details jsonb default '{}'::jsonb not null,
  cart_item_id uuid,
  constraint order_items_check CHECK (((discount >= 0) AND (discount <= (unit_amount * quantity)))),
  constraint order_items_check1 CHECK ((total = ((unit_amount * quantity) - discount))),
  constraint order_items_kind_check CHECK ((kind = ANY (ARRAY['plan'::text, 'card'::text]))),
  constraint order_items_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders(id) ON DELETE CASCADE,
  constraint order_items_pkey PRIMARY KEY (id),
  constraint order_items_quantity_check CHECK ((quantity > 0)),
  constraint order_items_unit_amount_check CHECK ((unit_amount >= 0))
);
comment on table public.order_items is 'Lines of an order, as they were sold. The buyer can read them.';
comment on column public.order_items.terms is 'The terms on the day of sale: name, and for a plan max_memories, storage_gb, term_years, included_cards. Later changes of the catalogue do not apply.';
comment on column public.order_items.details is 'Details of this line, for example the text on a card.';
comment on column public.order_items.cart_item_id is 'The cart item it came from, which is deleted when the order is paid.';
alter table public.order_items enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.order_items to service_role;
grant select on table public.order_items to authenticated;
CREATE INDEX order_items_order_id ON public.order_items USING btree (order_id, "position");
create policy "buyer and staff read" on public.order_items for select to authenticated
  using ((EXISTS ( SELECT
   FROM public.orders o
  WHERE (o.id = order_items.order_id))));
create policy "required authentication level" on public.order_items as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.order_items for all to service_role
  using (true)
  with check (true);

create table public.orders (
  id uuid default gen_random_uuid() not null,
  number text default private.next_order_number() not null,
  user_id uuid,
  email text not null,
  language text default 'en'::text not null,
  status text default 'pending'::text not null,
  currency text not null,
  subtotal integer not null,
  discount integer default 0 not null,
  total integer not null,
  tax integer default 0 not null,
  refunded integer default 0 not null,
  voucher_code text,
  discount_percentage numeric,
  affiliate_code text,
  fingerprint text default ''::text not null,
  success_url text default ''::text not null,
  cancel_url text default ''::text not null,
  session_id text,
  session_url text,
  payment_intent text,
  provider_receipt text,
  delivery jsonb,
  revision integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone default (now() + '02:00:00'::interval) not null,
  paid_at timestamp with time zone,
  refunded_at timestamp with time zone,
  email_key text generated always as (lower(email)) stored not null,
  processing boolean default false not null,
  constraint orders_check CHECK (((discount >= 0) AND (discount <= subtotal))),
  constraint orders_check1 CHECK (((tax >= 0) AND (tax <= total))),
  constraint orders_check2 CHECK (((refunded >= 0) AND (refunded <= total))),
  constraint orders_currency_check CHECK ((currency = ANY (ARRAY['GBP'::text, 'EUR'::text]))),
  constraint orders_discount_percentage_check CHECK (((discount_percentage >= (0)::numeric) AND (discount_percentage <= (100)::numeric))),
  constraint orders_language_check CHECK ((language = ANY (ARRAY['en'::text, 'it'::text]))),
  constraint orders_number_key UNIQUE (number),
  constraint orders_payment_intent_key UNIQUE (payment_intent),
  constraint orders_pkey PRIMARY KEY (id),
  constraint orders_session_id_key UNIQUE (session_id),
  constraint orders_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'paid'::text, 'failed'::text, 'expired'::text, 'refunded'::text, 'disputed'::text]))),
  constraint orders_subtotal_check CHECK ((subtotal >= 0)),
  constraint orders_total_check CHECK ((total >= 0)),
  constraint orders_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE SET NULL
);
comment on table public.orders is 'Orders, paid or not. The buyer can read their own. Only the server writes them, from what the payment provider reports. Kept for accounting when an account is deleted.';
comment on column public.orders.subtotal is 'In pence or cents, as all amounts here, before discounts.';
comment on column public.orders.discount is 'Discount for quantity and voucher together.';
comment on column public.orders.total is 'Amount to pay, including tax.';
comment on column public.orders.tax is 'The tax included in the total.';
comment on column public.orders.refunded is 'Amount refunded. Revenue is total - refunded.';
comment on column public.orders.fingerprint is 'Identifies the buyer, the items and the terms: a second click with the same fingerprint returns the pending order.';
comment on column public.orders.session_url is 'The payment page at the provider.';
comment on column public.orders.delivery is 'Delivery address for cards, as the buyer gave it to the provider: {name, phone, address: {line1, line2, city, state, postal_code, country}}.';
comment on column public.orders.revision is 'Number of updates. If it changed since the provider was asked, the provider is asked again, so that an older answer never overwrites a newer one.';
comment on column public.orders.expires_at is 'When the provider stops accepting the payment.';
comment on column public.orders.email_key is 'The address in small letters, for searching by its beginning.';
comment on column public.orders.processing is 'Whether a bank processes the payment of this pending order. Its payment page is complete and cannot be closed any more.';
alter table public.orders enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.orders to service_role;
grant select on table public.orders to authenticated;
CREATE INDEX orders_affiliate_code ON public.orders USING btree (affiliate_code) WHERE (affiliate_code IS NOT NULL);
CREATE INDEX orders_email_key ON public.orders USING btree (email_key, created_at DESC);
CREATE INDEX orders_newest ON public.orders USING btree (created_at DESC, id);
CREATE INDEX orders_pending ON public.orders USING btree (created_at) WHERE (status = 'pending'::text);
CREATE INDEX orders_status ON public.orders USING btree (status, created_at DESC, id);
CREATE INDEX orders_user_id ON public.orders USING btree (user_id, created_at DESC, id);
create policy "buyer and staff read" on public.orders for select to authenticated
  using (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'support'::text, 'fulfilment'::text]) AS has_role)));
create policy "required authentication level" on public.orders as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.orders for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER note_changed_payment AFTER UPDATE ON public.orders FOR EACH ROW WHEN ((((old.paid_at IS DISTINCT FROM new.paid_at) OR (old.total IS DISTINCT FROM new.total)) OR (old.currency IS DISTINCT FROM new.currency))) EXECUTE FUNCTION private.note_paid();
CREATE TRIGGER note_deleted_payment AFTER DELETE ON public.orders FOR EACH ROW WHEN ((old.paid_at IS NOT NULL)) EXECUTE FUNCTION private.note_paid();
CREATE TRIGGER note_paid AFTER INSERT ON public.orders FOR EACH ROW WHEN ((new.paid_at IS NOT NULL)) EXECUTE FUNCTION private.note_paid();
CREATE TRIGGER note_returned AFTER UPDATE ON public.orders FOR EACH ROW WHEN ((new.refunded <> old.refunded)) EXECUTE FUNCTION private.note_returned();
CREATE TRIGGER t10_confirm_voucher_use AFTER UPDATE ON public.orders FOR EACH ROW WHEN (((new.voucher_code IS NOT NULL) AND (new.paid_at IS NOT NULL) AND (old.paid_at IS NULL))) EXECUTE FUNCTION private.confirm_voucher_use();
CREATE TRIGGER t20_grant_sold_plans AFTER UPDATE ON public.orders FOR EACH ROW WHEN (((new.user_id IS NOT NULL) AND (new.paid_at IS NOT NULL) AND ((new.status <> old.status) OR (new.refunded <> old.refunded) OR (old.paid_at IS NULL)))) EXECUTE FUNCTION private.grant_sold_plans();
CREATE TRIGGER t30_issue_cards AFTER UPDATE ON public.orders FOR EACH ROW EXECUTE FUNCTION private.issue_cards();
CREATE TRIGGER t40_earn_commission AFTER UPDATE ON public.orders FOR EACH ROW WHEN (((new.affiliate_code IS NOT NULL) AND (new.paid_at IS NOT NULL) AND ((old.paid_at IS NULL) OR ((((new.status IS DISTINCT FROM old.status) OR (new.total IS DISTINCT FROM old.total)) OR (new.tax IS DISTINCT FROM old.tax)) OR (new.refunded IS DISTINCT FROM old.refunded))))) EXECUTE FUNCTION private.earn_commission();
CREATE TRIGGER t50_apply_order_status AFTER UPDATE ON public.orders FOR EACH ROW WHEN ((new.status <> old.status)) EXECUTE FUNCTION private.apply_order_status();
CREATE TRIGGER t60_refund_order_without_account AFTER UPDATE ON public.orders FOR EACH ROW WHEN (((new.user_id IS NULL) AND (new.paid_at IS NOT NULL) AND (old.paid_at IS NULL) AND (new.total > new.refunded))) EXECUTE FUNCTION private.refund_order_without_account();
CREATE TRIGGER t70_notify_orders_without_account AFTER UPDATE ON public.orders FOR EACH ROW WHEN (((new.user_id IS NULL) AND (((old.status = 'disputed'::text) AND (new.status = 'paid'::text)) OR ((new.status = 'pending'::text) AND (new.session_url IS NOT NULL) AND ((old.user_id IS NOT NULL) OR (old.session_url IS NULL)))))) EXECUTE FUNCTION private.notify_orders_without_account();
CREATE TRIGGER validate_order BEFORE UPDATE ON public.orders FOR EACH ROW EXECUTE FUNCTION private.validate_order();

create table public.payouts (
  id uuid default gen_random_uuid() not null,
  affiliate_id uuid not null,
  currency text not null,
  amount integer not null,
  reference text default ''::text not null,
  paid_at timestamp with time zone default now() not null,
  recorded_by uuid default auth.uid(),
  constraint paid_at_in_years_1_to_9999 CHECK (((paid_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (paid_at <= '9999-12-31 00:00:00+00'::timestamp with time zone))),
  constraint payouts_affiliate_id_fkey FOREIGN KEY (affiliate_id) REFERENCES public.affiliates(id) ON DELETE CASCADE,
  constraint payouts_amount_check CHECK ((amount > 0)),
  constraint payouts_currency_check CHECK ((currency = ANY (ARRAY['GBP'::text, 'EUR'::text]))),
  constraint payouts_pkey PRIMARY KEY (id),
  constraint payouts_recorded_by_fkey FOREIGN KEY (recorded_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint payouts_reference_check CHECK ((length(reference) <= 200))
);
comment on table public.payouts is 'Payments to affiliates, recorded by an administrator. Never more than was payable.';
alter table public.payouts enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.payouts to service_role;
grant delete, select on table public.payouts to authenticated;
grant insert (affiliate_id, currency, amount, reference, paid_at) on table public.payouts to authenticated;
CREATE INDEX payouts_affiliate_id ON public.payouts USING btree (affiliate_id, paid_at DESC);
CREATE INDEX payouts_newest ON public.payouts USING btree (paid_at DESC, id);
CREATE INDEX payouts_recorded_by ON public.payouts USING btree (recorded_by);
create policy "administrators add" on public.payouts for insert to authenticated
  with check (( SELECT private.is_admin() AS is_admin));
create policy "administrators delete" on public.payouts for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));
create policy "affiliate and administrators read" on public.payouts for select to authenticated
  using ((( SELECT private.is_admin() AS is_admin) OR (affiliate_id IN ( SELECT affiliates.id
   FROM public.affiliates))));
create policy "required authentication level" on public.payouts as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.payouts for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER validate_payout BEFORE INSERT ON public.payouts FOR EACH ROW EXECUTE FUNCTION private.validate_payout();
CREATE TRIGGER z90_audit_change AFTER INSERT OR DELETE OR UPDATE ON public.payouts FOR EACH ROW EXECUTE FUNCTION private.audit_change('id', 'personal');

create table public.photo_answers (
  id uuid default gen_random_uuid() not null,
  letter_id uuid not null,
  memory_id uuid not null,
  media_id uuid not null,
  about text not null,
  answer text not null,
  state text default 'new'::text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint of_a_letter_of_the_memory FOREIGN KEY (letter_id, memory_id) REFERENCES public.photo_letters(id, memory_id) ON DELETE CASCADE,
  constraint one_answer_of_a_letter UNIQUE (letter_id, media_id, about),
  constraint photo_answers_about_check CHECK ((about = ANY (ARRAY['who'::text, 'when'::text, 'where'::text]))),
  constraint photo_answers_answer_check CHECK (((length(answer) >= 1) AND (length(answer) <= 500))),
  constraint photo_answers_media_id_fkey FOREIGN KEY (media_id) REFERENCES public.media(id) ON DELETE CASCADE,
  constraint photo_answers_pkey PRIMARY KEY (id),
  constraint photo_answers_state_check CHECK ((state = ANY (ARRAY['new'::text, 'kept'::text, 'accepted'::text, 'set_aside'::text])))
);
comment on table public.photo_answers is 'Answers to letters: who is in a photo, when and where it was taken. Those of several people stay beside each other. Visible to the memory''s managers. answer_photo writes them.';
comment on column public.photo_answers.answer is 'As it was written, for example "about 1962".';
comment on column public.photo_answers.state is 'What managers did with it: nothing yet, kept as an answer, accepted for the photo, or set aside. The person can change it until it is accepted.';
alter table public.photo_answers enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.photo_answers to service_role;
grant select on table public.photo_answers to authenticated;
grant update (state) on table public.photo_answers to authenticated;
CREATE INDEX photo_answers_media_id ON public.photo_answers USING btree (media_id);
CREATE INDEX photo_answers_memory_id ON public.photo_answers USING btree (memory_id, created_at);
create policy "managers decide" on public.photo_answers for update to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = photo_answers.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "managers who see the photo read" on public.photo_answers for select to authenticated
  using ((((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = photo_answers.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))) AND (EXISTS ( SELECT
   FROM public.media m
  WHERE ((m.id = photo_answers.media_id) AND (m.memory_id = photo_answers.memory_id))))));
create policy "required authentication level" on public.photo_answers as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.photo_answers for all to service_role
  using (true)
  with check (true);

create table public.photo_letters (
  id uuid default gen_random_uuid() not null,
  memory_id uuid not null,
  asker_id uuid,
  recipient text not null,
  note text default ''::text not null,
  media_ids uuid[] not null,
  version integer default 1 not null,
  changes integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone default (now() + '60 days'::interval) not null,
  withdrawn_at timestamp with time zone,
  constraint expires_at_in_years_1_to_9999 CHECK (((expires_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (expires_at <= '9999-12-31 00:00:00+00'::timestamp with time zone))),
  constraint photo_letters_asker_id_fkey FOREIGN KEY (asker_id) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint photo_letters_id_memory_id_key UNIQUE (id, memory_id),
  constraint photo_letters_media_ids_check CHECK ((((cardinality(media_ids) >= 1) AND (cardinality(media_ids) <= 10)) AND (array_position(media_ids, NULL::uuid) IS NULL))),
  constraint photo_letters_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint photo_letters_note_check CHECK ((length(note) <= 1000)),
  constraint photo_letters_pkey PRIMARY KEY (id),
  constraint photo_letters_recipient_check CHECK (((length(recipient) >= 1) AND (length(recipient) <= 100))),
  constraint withdrawn_at_in_years_1_to_9999 CHECK (((withdrawn_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (withdrawn_at <= '9999-12-31 00:00:00+00'::timestamp with time zone)))
);
comment on table public.photo_letters is 'Questions about up to ten photos to one person outside, who answers by a link of their own. Visible to the memory''s managers and to the member who asked. Whoever holds the link reads id and version, even after it has ended.';
comment on column public.photo_letters.asker_id is 'The member who asked; null after their account was deleted. The link opens while they may add to the memory.';
comment on column public.photo_letters.recipient is 'The name of the person who is asked, for example "Aunt May".';
comment on column public.photo_letters.media_ids is 'The photos in the order of the questions. Those that are hidden, deleted or moved are left out.';
comment on column public.photo_letters.version is 'Increased when access ends or the key changes. Tokens and media URLs of an older version are invalid.';
comment on column public.photo_letters.changes is 'Increased when something that the link shows may have changed, so that its page asks again.';
alter table public.photo_letters enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.photo_letters to service_role;
grant select on table public.photo_letters to authenticated;
grant select (id, version, changes) on table public.photo_letters to anon;
grant update (withdrawn_at) on table public.photo_letters to authenticated;
CREATE INDEX photo_letters_asker_id ON public.photo_letters USING btree (asker_id, created_at) WHERE (asker_id IS NOT NULL);
CREATE INDEX photo_letters_memory_id ON public.photo_letters USING btree (memory_id, created_at DESC);
create policy "holder of the link reads versions" on public.photo_letters for select to anon
  using ((id = (((( SELECT auth.jwt() AS jwt) -> 'letter'::text) ->> 'id'::text))::uuid));
create policy "managers and the member who asked read" on public.photo_letters for select to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = photo_letters.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[])) OR ((asker_id = ( SELECT auth.uid() AS uid)) AND (memory_id = ANY (( SELECT private.shared_memory_ids('read details'::text) AS shared_memory_ids)::uuid[])))));
create policy "managers and the member who asked withdraw" on public.photo_letters for update to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = photo_letters.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[])) OR ((asker_id = ( SELECT auth.uid() AS uid)) AND (memory_id = ANY (( SELECT private.shared_memory_ids('read details'::text) AS shared_memory_ids)::uuid[])))));
create policy "required authentication level" on public.photo_letters as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.photo_letters for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER t30_follow_letter BEFORE UPDATE ON public.photo_letters FOR EACH ROW EXECUTE FUNCTION private.follow_letter();

create table public.picture_requests (
  id uuid default gen_random_uuid() not null,
  media_id uuid not null,
  memory_id uuid not null,
  wish text not null,
  words text default ''::text not null,
  name text default ''::text not null,
  email text,
  user_id uuid,
  guest_id uuid,
  state text default 'open'::text not null,
  answer text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  decided_at timestamp with time zone,
  decided_by uuid,
  constraint decided_at_in_years_1_to_9999 CHECK (((decided_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (decided_at <= '9999-12-31 00:00:00+00'::timestamp with time zone))),
  constraint decided_or_open CHECK (((state = 'open'::text) = (decided_at IS NULL))),
  constraint picture_requests_answer_check CHECK ((length(answer) <= 500)),
  constraint picture_requests_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint picture_requests_email_check CHECK ((length(email) <= 254)),
  constraint picture_requests_guest_id_fkey FOREIGN KEY (guest_id) REFERENCES public.guests(id) ON DELETE CASCADE,
  constraint picture_requests_media_id_memory_id_fkey FOREIGN KEY (media_id, memory_id) REFERENCES public.media(id, memory_id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint picture_requests_name_check CHECK ((length(name) <= 100)),
  constraint picture_requests_pkey PRIMARY KEY (id),
  constraint picture_requests_state_check CHECK ((state = ANY (ARRAY['open'::text, 'done'::text, 'declined'::text]))),
  constraint picture_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint picture_requests_wish_check CHECK ((wish = ANY (ARRAY['blur'::text, 'hide'::text]))),
  constraint picture_requests_words_check CHECK ((length(words) <= 500))
);
comment on table public.picture_requests is 'Wishes of people in a picture that it is blurred or hidden. They change nothing by themselves. Visible to the memory''s managers who see the picture, and to the account that asked. Only the server inserts and withdraws.';
comment on column public.picture_requests.name is 'Who asks: the name of an account or guest, or what was typed.';
comment on column public.picture_requests.email is 'Address for an answer, not confirmed.';
comment on column public.picture_requests.answer is 'The managers'' words about their decision.';
alter table public.picture_requests enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.picture_requests to service_role;
grant select on table public.picture_requests to authenticated;
grant update (state, answer) on table public.picture_requests to authenticated;
CREATE INDEX picture_requests_decided_by ON public.picture_requests USING btree (decided_by) WHERE (decided_by IS NOT NULL);
CREATE INDEX picture_requests_guest_id ON public.picture_requests USING btree (guest_id) WHERE (guest_id IS NOT NULL);
CREATE INDEX picture_requests_media_id ON public.picture_requests USING btree (media_id, memory_id);
CREATE INDEX picture_requests_memory_id ON public.picture_requests USING btree (memory_id, created_at);
CREATE INDEX picture_requests_user_id ON public.picture_requests USING btree (user_id, created_at) WHERE (user_id IS NOT NULL);
create policy "managers decide" on public.picture_requests for update to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = picture_requests.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "managers who see the picture read" on public.picture_requests for select to authenticated
  using ((((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = picture_requests.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))) AND (EXISTS ( SELECT
   FROM public.media m
  WHERE ((m.id = picture_requests.media_id) AND (m.memory_id = picture_requests.memory_id))))));
create policy "required authentication level" on public.picture_requests as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.picture_requests for all to service_role
  using (true)
  with check (true);
create policy "who asked reads" on public.picture_requests for select to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));
CREATE TRIGGER notify_of_request AFTER INSERT OR DELETE OR UPDATE OF state ON public.picture_requests FOR EACH ROW EXECUTE FUNCTION private.notify_of_request();
CREATE TRIGGER t30_decide_request BEFORE UPDATE ON public.picture_requests FOR EACH ROW EXECUTE FUNCTION private.decide_request();

create table public.pictured_identities (
  person_id uuid not null,
  memory_id uuid not null,
  constraint pictured_identities_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint pictured_identities_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.pictured_people(id) ON DELETE CASCADE,
  constraint pictured_identities_pkey PRIMARY KEY (person_id)
);
comment on table public.pictured_identities is 'The memory that is about a pictured person. Visible to everybody who can see both the person and that memory.';
alter table public.pictured_identities enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.pictured_identities to service_role;
grant delete, select on table public.pictured_identities to authenticated;
grant select on table public.pictured_identities to anon;
grant insert (person_id, memory_id) on table public.pictured_identities to authenticated;
CREATE INDEX pictured_identities_memory_id ON public.pictured_identities USING btree (memory_id);
create policy "editors delete" on public.pictured_identities for delete to authenticated
  using ((EXISTS ( SELECT
   FROM public.pictured_people p
  WHERE ((p.id = pictured_identities.person_id) AND ((EXISTS ( SELECT
           FROM private.own_memories own
          WHERE (own.id = p.memory_id))) OR (p.memory_id = ANY (( SELECT private.shared_memory_ids('read details'::text) AS shared_memory_ids)::uuid[])))))));
create policy "editors who see the memory add" on public.pictured_identities for insert to authenticated
  with check (((EXISTS ( SELECT
   FROM public.memories m
  WHERE (m.id = pictured_identities.memory_id))) AND (EXISTS ( SELECT
   FROM public.pictured_people p
  WHERE ((p.id = pictured_identities.person_id) AND ((EXISTS ( SELECT
           FROM private.own_memories own
          WHERE (own.id = p.memory_id))) OR (p.memory_id = ANY (( SELECT private.shared_memory_ids('read details'::text) AS shared_memory_ids)::uuid[]))))))));
create policy "not for a wall" on public.pictured_identities as restrictive for all to anon
  using ((NOT (( SELECT auth.jwt() AS jwt) ? 'wall'::text)));
create policy "required authentication level" on public.pictured_identities as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.pictured_identities for all to service_role
  using (true)
  with check (true);
create policy "viewers of both read" on public.pictured_identities for select to anon, authenticated
  using (((EXISTS ( SELECT
   FROM public.memories m
  WHERE (m.id = pictured_identities.memory_id))) AND (EXISTS ( SELECT
   FROM public.pictured_people p
  WHERE (p.id = pictured_identities.person_id)))));

create table public.pictured_people (
  id uuid default gen_random_uuid() not null,
  memory_id uuid not null,
  name text not null,
  other_names text[] default '{}'::text[] not null,
  born_year integer,
  died_year integer,
  merged_into uuid,
  deleted boolean default false not null,
  deleted_at timestamp with time zone,
  revision integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  constraint born_before_they_died CHECK ((died_year >= born_year)),
  constraint merged_into_a_person_of_the_memory FOREIGN KEY (merged_into, memory_id) REFERENCES public.pictured_people(id, memory_id) ON DELETE SET NULL (merged_into),
  constraint not_merged_into_itself CHECK ((merged_into <> id)),
  constraint pictured_people_born_year_check CHECK (((born_year >= 1) AND (born_year <= 9999))),
  constraint pictured_people_died_year_check CHECK (((died_year >= 1) AND (died_year <= 9999))),
  constraint pictured_people_id_memory_id_deleted_key UNIQUE (id, memory_id, deleted),
  constraint pictured_people_id_memory_id_key UNIQUE (id, memory_id),
  constraint pictured_people_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint pictured_people_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint pictured_people_other_names_check CHECK (private.are_names(other_names)),
  constraint pictured_people_pkey PRIMARY KEY (id)
);
comment on table public.pictured_people is 'The people of a memory''s photos. Visible to members who may edit, and to everybody who can see a photo with the person''s name.';
comment on column public.pictured_people.other_names is 'Other names of the person, for example "Aunt May".';
comment on column public.pictured_people.merged_into is 'The entry of the same person that shows the names of this one. The names themselves stay with this entry, so that both can be split again.';
comment on column public.pictured_people.deleted is 'Whether the person and their names are in the trash: hidden until restored, for 30 days.';
comment on column public.pictured_people.deleted_at is 'Since when. A trigger sets it.';
comment on column public.pictured_people.revision is 'As media.revision.';
alter table public.pictured_people enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.pictured_people to service_role;
grant select on table public.pictured_people to anon;
grant select on table public.pictured_people to authenticated;
grant insert (id, memory_id, name) on table public.pictured_people to anon;
grant insert (id, memory_id, name, other_names, born_year, died_year) on table public.pictured_people to authenticated;
grant update (name, other_names, born_year, died_year, merged_into, deleted, revision) on table public.pictured_people to authenticated;
CREATE INDEX pictured_people_deleted_at ON public.pictured_people USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX pictured_people_memory_id ON public.pictured_people USING btree (memory_id, name, id);
CREATE INDEX pictured_people_merged_into ON public.pictured_people USING btree (merged_into, memory_id) WHERE (merged_into IS NOT NULL);
create policy "contributors add" on public.pictured_people for insert to authenticated
  with check (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = pictured_people.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('contribute'::text) AS shared_memory_ids)::uuid[]))));
create policy "editors change" on public.pictured_people for update to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = pictured_people.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('read details'::text) AS shared_memory_ids)::uuid[]))));
create policy "editors, and viewers of a photo with the name, read" on public.pictured_people for select to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = pictured_people.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('read details'::text) AS shared_memory_ids)::uuid[])) OR ((NOT deleted) AND (EXISTS ( WITH RECURSIVE family(id) AS (
         SELECT pictured_people.id
        UNION
         SELECT e.id
           FROM (private.merged_entries e
             JOIN family f_1 ON ((e.merged_into = f_1.id)))
        )
 SELECT
   FROM (family f
     JOIN public.media_names n ON ((n.person_id = f.id))))))));
create policy "guest adds" on public.pictured_people for insert to anon
  with check (((( SELECT private.guest_id() AS guest_id) IS NOT NULL) AND (memory_id = ANY (( SELECT private.shared_memory_ids('contribute'::text) AS shared_memory_ids)::uuid[]))));
create policy "not before the reveal" on public.pictured_people as restrictive for select to anon, authenticated
  using (((memory_id <> ALL (( SELECT private.covered_memory_ids() AS covered_memory_ids)::uuid[])) OR (EXISTS ( WITH RECURSIVE family(id) AS (
         SELECT pictured_people.id
        UNION
         SELECT e.id
           FROM (private.merged_entries e
             JOIN family f_1 ON ((e.merged_into = f_1.id)))
        )
 SELECT
   FROM (family f
     JOIN public.media_names n ON ((n.person_id = f.id)))))));
create policy "not for a wall" on public.pictured_people as restrictive for all to anon
  using ((NOT (( SELECT auth.jwt() AS jwt) ? 'wall'::text)));
create policy "required authentication level" on public.pictured_people as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.pictured_people for all to service_role
  using (true)
  with check (true);
create policy "visitors who see a photo with the name read" on public.pictured_people for select to anon
  using (((NOT deleted) AND (EXISTS ( WITH RECURSIVE family(id) AS (
         SELECT pictured_people.id
        UNION
         SELECT e.id
           FROM (private.merged_entries e
             JOIN family f_1 ON ((e.merged_into = f_1.id)))
        )
 SELECT
   FROM (family f
     JOIN public.media_names n ON ((n.person_id = f.id)))))));
CREATE TRIGGER delete_merged AFTER UPDATE OF deleted ON public.pictured_people FOR EACH ROW WHEN ((old.deleted <> new.deleted)) EXECUTE FUNCTION private.delete_merged();
CREATE TRIGGER index_changed_person AFTER UPDATE ON public.pictured_people REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.follow_people_in_search();
CREATE TRIGGER index_deleted_person AFTER DELETE ON public.pictured_people REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.follow_people_in_search();
CREATE TRIGGER t05_type_person BEFORE INSERT OR UPDATE ON public.pictured_people FOR EACH ROW EXECUTE FUNCTION private.type_person();
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.pictured_people FOR EACH ROW WHEN ((((((old.name IS DISTINCT FROM new.name) OR (old.other_names IS DISTINCT FROM new.other_names)) OR (old.born_year IS DISTINCT FROM new.born_year)) OR (old.died_year IS DISTINCT FROM new.died_year)) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER t20_guard_merge BEFORE UPDATE ON public.pictured_people FOR EACH ROW WHEN (((old.merged_into IS DISTINCT FROM new.merged_into) OR (old.deleted IS DISTINCT FROM new.deleted))) EXECUTE FUNCTION private.guard_merge();
CREATE TRIGGER t30_limit_people BEFORE INSERT ON public.pictured_people FOR EACH ROW EXECUTE FUNCTION private.limit_people();

create table public.plan_prices (
  plan_id text not null,
  currency text not null,
  amount integer not null,
  revision integer default 1 not null,
  constraint plan_prices_amount_check CHECK ((amount > 0)),
  constraint plan_prices_currency_check CHECK ((currency = ANY (ARRAY['GBP'::text, 'EUR'::text]))),
  constraint plan_prices_pkey PRIMARY KEY (plan_id, currency),
  constraint plan_prices_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.subscription_plans(id) ON DELETE CASCADE
);
comment on table public.plan_prices is 'Price of a plan for its whole term (Spec §9). A plan without a price is not for sale.';
comment on column public.plan_prices.amount is 'In pence or cents.';
comment on column public.plan_prices.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
alter table public.plan_prices enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.plan_prices to service_role;
grant delete, insert, select, update on table public.plan_prices to authenticated;
grant select on table public.plan_prices to anon;
grant update (revision) on table public.plan_prices to authenticated;
create policy "administrators add" on public.plan_prices for insert to authenticated
  with check (( SELECT private.is_admin() AS is_admin));
create policy "administrators change" on public.plan_prices for update to authenticated
  using (( SELECT private.is_admin() AS is_admin))
  with check (( SELECT private.is_admin() AS is_admin));
create policy "administrators delete" on public.plan_prices for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));
create policy anyone on public.plan_prices for select to anon, authenticated
  using (true);
create policy "required authentication level" on public.plan_prices as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.plan_prices for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER reprice_carts AFTER UPDATE ON public.plan_prices FOR EACH ROW WHEN ((new.amount <> old.amount)) EXECUTE FUNCTION private.reprice_carts();
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.plan_prices FOR EACH ROW WHEN (((old.amount IS DISTINCT FROM new.amount) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER z90_audit_change AFTER INSERT OR DELETE OR UPDATE ON public.plan_prices FOR EACH ROW EXECUTE FUNCTION private.audit_change('plan_id', 'plain');

create table public.product_prices (
  product_id text not null,
  currency text not null,
  amount integer not null,
  revision integer default 1 not null,
  constraint product_prices_amount_check CHECK ((amount > 0)),
  constraint product_prices_currency_check CHECK ((currency = ANY (ARRAY['GBP'::text, 'EUR'::text]))),
  constraint product_prices_pkey PRIMARY KEY (product_id, currency),
  constraint product_prices_product_id_fkey FOREIGN KEY (product_id) REFERENCES public.products(id) ON DELETE CASCADE
);
comment on table public.product_prices is 'Price of one item. A product without a price is not for sale.';
comment on column public.product_prices.amount is 'In pence or cents.';
comment on column public.product_prices.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
alter table public.product_prices enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.product_prices to service_role;
grant delete, insert, select, update on table public.product_prices to authenticated;
grant select on table public.product_prices to anon;
grant update (revision) on table public.product_prices to authenticated;
create policy "administrators add" on public.product_prices for insert to authenticated
  with check (( SELECT private.is_admin() AS is_admin));
create policy "administrators change" on public.product_prices for update to authenticated
  using (( SELECT private.is_admin() AS is_admin))
  with check (( SELECT private.is_admin() AS is_admin));
create policy "administrators delete" on public.product_prices for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));
create policy anyone on public.product_prices for select to anon, authenticated
  using (true);
create policy "required authentication level" on public.product_prices as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.product_prices for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER reprice_carts AFTER UPDATE ON public.product_prices FOR EACH ROW WHEN ((new.amount <> old.amount)) EXECUTE FUNCTION private.reprice_carts();
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.product_prices FOR EACH ROW WHEN (((old.amount IS DISTINCT FROM new.amount) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER z90_audit_change AFTER INSERT OR DELETE OR UPDATE ON public.product_prices FOR EACH ROW EXECUTE FUNCTION private.audit_change('product_id', 'plain');

create table public.products (
  id text not null,
  name text not null,
  "position" integer not null,
  revision integer default 1 not null,
  constraint products_id_check CHECK ((id ~ '^[a-z0-9-]{1,40}$'::text)),
  constraint products_name_check CHECK (((length(btrim(name)) >= 1) AND (length(btrim(name)) <= 100))),
  constraint products_pkey PRIMARY KEY (id),
  constraint products_position_key UNIQUE ("position")
);
comment on table public.products is 'What is sold besides plans.';
comment on column public.products.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
alter table public.products enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.products to service_role;
grant delete, insert, select, update on table public.products to authenticated;
grant select on table public.products to anon;
grant update (revision) on table public.products to authenticated;
create policy "administrators add" on public.products for insert to authenticated
  with check (( SELECT private.is_admin() AS is_admin));
create policy "administrators change" on public.products for update to authenticated
  using (( SELECT private.is_admin() AS is_admin))
  with check (( SELECT private.is_admin() AS is_admin));
create policy "administrators delete" on public.products for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));
create policy anyone on public.products for select to anon, authenticated
  using (true);
create policy "required authentication level" on public.products as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.products for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.products FOR EACH ROW WHEN ((((old.name IS DISTINCT FROM new.name) OR (old."position" IS DISTINCT FROM new."position")) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER z90_audit_change AFTER INSERT OR DELETE OR UPDATE ON public.products FOR EACH ROW EXECUTE FUNCTION private.audit_change('id', 'plain');

create table public.profiles (
  id uuid not null,
  full_name text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  constraint profiles_full_name_check CHECK ((length(full_name) <= 200)),
  constraint profiles_id_fkey FOREIGN KEY (id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint profiles_pkey PRIMARY KEY (id)
);
comment on table public.profiles is 'Personal details. Only the person can read them.';
comment on column public.profiles.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
alter table public.profiles enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.profiles to service_role;
grant select on table public.profiles to authenticated;
grant update (full_name, revision) on table public.profiles to authenticated;
CREATE INDEX profiles_picture_name ON public.profiles USING btree (private.picture_name(id));
CREATE INDEX profiles_search ON public.profiles USING gin (private.search_words(full_name));
create policy "own row" on public.profiles for all to authenticated
  using ((id = ( SELECT auth.uid() AS uid)))
  with check ((id = ( SELECT auth.uid() AS uid)));
create policy "required authentication level" on public.profiles as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.profiles for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER rename_member AFTER INSERT OR DELETE OR UPDATE OF full_name ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.rename_member();
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.profiles FOR EACH ROW WHEN (((old.full_name IS DISTINCT FROM new.full_name) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.profiles FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();

create table public.prompts (
  id uuid default gen_random_uuid() not null,
  memory_id uuid not null,
  text text not null,
  suggestion text,
  "position" integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  constraint prompts_id_memory_id_key UNIQUE (id, memory_id),
  constraint prompts_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint prompts_pkey PRIMARY KEY (id),
  constraint prompts_suggestion_check CHECK ((suggestion ~ '^[a-z][A-Za-z]{0,39}$'::text)),
  constraint prompts_text_check CHECK ((((length(btrim(text)) >= 1) AND (length(btrim(text)) <= 200)) AND (text !~ '[[:cntrl:]]'::text)))
);
comment on table public.prompts is 'Questions and challenges of a memory''s hosts, which guests answer with photos, videos, recordings and words. Visible to everybody who can see the memory.';
comment on column public.prompts.text is 'The question as its host wrote or chose it.';
comment on column public.prompts.suggestion is 'The suggestion of the app that it was chosen from, which pages show in the reader''s language; null for own words.';
comment on column public.prompts."position" is 'Order among the memory''s prompts; a new one is last.';
comment on column public.prompts.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
alter table public.prompts enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.prompts to service_role;
grant delete, select on table public.prompts to authenticated;
grant select on table public.prompts to anon;
grant insert (id, memory_id, text, suggestion) on table public.prompts to authenticated;
grant update (text, suggestion, "position", revision) on table public.prompts to authenticated;
CREATE INDEX prompts_memory_id ON public.prompts USING btree (memory_id, "position", created_at);
create policy "managers add" on public.prompts for insert to authenticated
  with check (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = prompts.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "managers change" on public.prompts for update to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = prompts.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "managers delete" on public.prompts for delete to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = prompts.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "required authentication level" on public.prompts as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.prompts for all to service_role
  using (true)
  with check (true);
create policy "viewers of the memory read" on public.prompts for select to anon, authenticated
  using ((EXISTS ( SELECT
   FROM public.memories m
  WHERE (m.id = prompts.memory_id))));
CREATE TRIGGER t05_prepare_prompt BEFORE INSERT OR UPDATE OF text ON public.prompts FOR EACH ROW WHEN ((current_setting('skies.importing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION private.prepare_prompt();
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.prompts FOR EACH ROW WHEN ((((old.text IS DISTINCT FROM new.text) OR (old.suggestion IS DISTINCT FROM new.suggestion)) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.prompts FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();

create table public.push_devices (
  session_id uuid not null,
  user_id uuid not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamp with time zone default now() not null,
  constraint push_devices_auth_check CHECK ((auth ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint push_devices_endpoint_check CHECK ((length(endpoint) <= 1000)),
  constraint push_devices_endpoint_key UNIQUE (endpoint),
  constraint push_devices_endpoint_service_check CHECK ((endpoint ~ '^https://([a-z0-9-]+\.)*(fcm\.googleapis\.com|push\.services\.mozilla\.com|push\.apple\.com|notify\.windows\.com)/[!-~]+$'::text)),
  constraint push_devices_p256dh_check CHECK ((p256dh ~ '^[A-Za-z0-9_-]{87}$'::text)),
  constraint push_devices_pkey PRIMARY KEY (session_id),
  constraint push_devices_session_id_fkey FOREIGN KEY (session_id) REFERENCES auth.sessions(id) ON DELETE CASCADE,
  constraint push_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table public.push_devices is 'Devices on which a person gets notifications while the browser is closed. A row ends with its session, so that nobody gets any after a sign-out.';
comment on column public.push_devices.endpoint is 'The URL of the browser''s push service for this device. It is a secret: whoever has it and the keys can send notifications.';
comment on column public.push_devices.p256dh is 'The device''s public key for the encryption of messages (RFC 8291), base64url.';
comment on column public.push_devices.auth is 'The device''s secret for the encryption of messages (RFC 8291), base64url.';
alter table public.push_devices enable row level security;
grant delete on table public.push_devices to authenticated;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.push_devices to service_role;
grant select (session_id, user_id, endpoint, created_at) on table public.push_devices to authenticated;
CREATE INDEX push_devices_user_id ON public.push_devices USING btree (user_id);
create policy "own rows" on public.push_devices for all to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)))
  with check ((user_id = ( SELECT auth.uid() AS uid)));
create policy "required authentication level" on public.push_devices as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.push_devices for all to service_role
  using (true)
  with check (true);

create table public.quantity_discounts (
  product_id text not null,
  min_quantity integer not null,
  percentage numeric(5,2) not null,
  revision integer default 1 not null,
  constraint quantity_discounts_min_quantity_check CHECK ((min_quantity > 1)),
  constraint quantity_discounts_percentage_check CHECK (((percentage > (0)::numeric) AND (percentage <= (100)::numeric))),
  constraint quantity_discounts_pkey PRIMARY KEY (product_id, min_quantity),
  constraint quantity_discounts_product_id_fkey FOREIGN KEY (product_id) REFERENCES public.products(id) ON DELETE CASCADE
);
comment on table public.quantity_discounts is 'Discounts by quantity. The largest that applies counts.';
comment on column public.quantity_discounts.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
alter table public.quantity_discounts enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.quantity_discounts to service_role;
grant delete, insert, select, update on table public.quantity_discounts to authenticated;
grant select on table public.quantity_discounts to anon;
grant update (revision) on table public.quantity_discounts to authenticated;
create policy "administrators add" on public.quantity_discounts for insert to authenticated
  with check (( SELECT private.is_admin() AS is_admin));
create policy "administrators change" on public.quantity_discounts for update to authenticated
  using (( SELECT private.is_admin() AS is_admin))
  with check (( SELECT private.is_admin() AS is_admin));
create policy "administrators delete" on public.quantity_discounts for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));
create policy anyone on public.quantity_discounts for select to anon, authenticated
  using (true);
create policy "required authentication level" on public.quantity_discounts as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.quantity_discounts for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.quantity_discounts FOR EACH ROW WHEN (((old.percentage IS DISTINCT FROM new.percentage) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER z90_audit_change AFTER INSERT OR DELETE OR UPDATE ON public.quantity_discounts FOR EACH ROW EXECUTE FUNCTION private.audit_change('product_id', 'plain');

create table public.reaction_credits (
  reaction_id uuid not null,
  memory_id uuid not null,
  name text not null,
  constraint reaction_credits_name_check CHECK ((length(name) <= 200)),
  constraint reaction_credits_pkey PRIMARY KEY (reaction_id, memory_id),
  constraint reaction_credits_reaction_id_memory_id_fkey FOREIGN KEY (reaction_id, memory_id) REFERENCES public.reactions(id, memory_id) ON UPDATE CASCADE ON DELETE CASCADE
);
comment on table public.reaction_credits is 'The author''s name of each reaction; visible as in story_credits.';
alter table public.reaction_credits enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.reaction_credits to service_role;
grant select on table public.reaction_credits to anon;
grant select on table public.reaction_credits to authenticated;
CREATE INDEX reaction_credits_memory_id ON public.reaction_credits USING btree (memory_id);
create policy "people who see names, and the author, read" on public.reaction_credits for select to authenticated
  using ((EXISTS ( SELECT
   FROM public.reactions r
  WHERE ((r.id = reaction_credits.reaction_id) AND ((EXISTS ( SELECT
           FROM private.own_memories own
          WHERE (own.id = r.memory_id))) OR (r.memory_id = ANY (( SELECT private.shared_credited_memory_ids() AS shared_credited_memory_ids)::uuid[])) OR (r.user_id = ( SELECT auth.uid() AS uid)) OR (r.guest_id = ( SELECT private.guest_id() AS guest_id)))))));
create policy "required authentication level" on public.reaction_credits as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.reaction_credits for all to service_role
  using (true)
  with check (true);
create policy "visitors who see names, and the guest, read" on public.reaction_credits for select to anon
  using ((EXISTS ( SELECT
   FROM public.reactions r
  WHERE ((r.id = reaction_credits.reaction_id) AND ((r.memory_id = ANY (( SELECT private.shared_credited_memory_ids() AS shared_credited_memory_ids)::uuid[])) OR (r.guest_id = ( SELECT private.guest_id() AS guest_id)))))));
create policy "wall shows" on public.reaction_credits for select to anon
  using (((memory_id = ( SELECT private.wall_memory_id('names'::text) AS wall_memory_id)) AND (EXISTS ( SELECT
   FROM public.reactions r
  WHERE (r.id = reaction_credits.reaction_id)))));

create table public.reactions (
  id uuid default gen_random_uuid() not null,
  memory_id uuid not null,
  media_id uuid,
  comment_id uuid,
  user_id uuid default auth.uid(),
  kind text not null,
  created_at timestamp with time zone default now() not null,
  guest_id uuid default private.guest_id(),
  moderation text default 'shown'::text not null,
  constraint about_one_thing CHECK ((num_nonnulls(media_id, comment_id) <= 1)),
  constraint reactions_guest_id_fkey FOREIGN KEY (guest_id) REFERENCES public.guests(id) ON DELETE SET NULL,
  constraint reactions_id_memory_id_key UNIQUE (id, memory_id),
  constraint reactions_kind_check CHECK ((kind = ANY (ARRAY['candle'::text, 'heart'::text, 'flower'::text, 'hug'::text, 'smile'::text]))),
  constraint reactions_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint reactions_moderation_check CHECK ((moderation = ANY (ARRAY['shown'::text, 'held'::text, 'hidden'::text, 'deleted'::text]))),
  constraint reactions_pkey PRIMARY KEY (id),
  constraint reactions_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint to_a_comment_of_the_memory FOREIGN KEY (comment_id, memory_id) REFERENCES public.comments(id, memory_id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint to_a_photo_of_the_memory FOREIGN KEY (media_id, memory_id) REFERENCES public.media(id, memory_id) ON UPDATE CASCADE ON DELETE CASCADE
);
comment on table public.reactions is 'Candles for a memory, hearts and the like for photos and comments. One of each kind per person.';
comment on column public.reactions.user_id is 'Null for a guest, and if the account was deleted.';
comment on column public.reactions.guest_id is 'As media_details.guest_id.';
comment on column public.reactions.moderation is 'As media.moderation.';
alter table public.reactions enable row level security;
grant delete on table public.reactions to anon;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.reactions to service_role;
grant delete, select on table public.reactions to authenticated;
grant insert (id, memory_id, media_id, comment_id, kind) on table public.reactions to anon;
grant insert (id, memory_id, media_id, comment_id, kind) on table public.reactions to authenticated;
grant select (id, memory_id, media_id, comment_id, kind, created_at, guest_id, moderation) on table public.reactions to anon;
CREATE UNIQUE INDEX one_of_a_kind ON public.reactions USING btree (memory_id, kind, user_id, media_id, comment_id) NULLS NOT DISTINCT WHERE (user_id IS NOT NULL);
CREATE UNIQUE INDEX one_of_a_kind_of_a_guest ON public.reactions USING btree (memory_id, kind, guest_id, media_id, comment_id) NULLS NOT DISTINCT WHERE (guest_id IS NOT NULL);
CREATE INDEX reactions_comment_id ON public.reactions USING btree (comment_id) WHERE (comment_id IS NOT NULL);
CREATE INDEX reactions_guest_id ON public.reactions USING btree (guest_id) WHERE (guest_id IS NOT NULL);
CREATE INDEX reactions_media_id ON public.reactions USING btree (media_id) WHERE (media_id IS NOT NULL);
CREATE INDEX reactions_moderation ON public.reactions USING btree (memory_id, moderation) WHERE (moderation <> 'shown'::text);
CREATE INDEX reactions_of_memory ON public.reactions USING btree (memory_id, created_at, id) WHERE ((media_id IS NULL) AND (comment_id IS NULL));
CREATE INDEX reactions_of_photos ON public.reactions USING btree (memory_id, id) WHERE ((kind = 'heart'::text) AND (media_id IS NOT NULL));
CREATE INDEX reactions_user_id ON public.reactions USING btree (user_id);
create policy "author and managers delete" on public.reactions for delete to authenticated
  using (((user_id = ( SELECT auth.uid() AS uid)) OR (EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = reactions.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "commenters add" on public.reactions for insert to authenticated
  with check (((user_id = ( SELECT auth.uid() AS uid)) AND ((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = reactions.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('comment'::text) AS shared_memory_ids)::uuid[]))) AND ((media_id IS NULL) OR (EXISTS ( SELECT
   FROM public.media m
  WHERE (m.id = reactions.media_id)))) AND ((comment_id IS NULL) OR (EXISTS ( SELECT
   FROM public.comments c
  WHERE (c.id = reactions.comment_id))))));
create policy "guest adds" on public.reactions for insert to anon
  with check (((guest_id = ( SELECT private.guest_id() AS guest_id)) AND (user_id IS NULL) AND (memory_id = ANY (( SELECT private.shared_memory_ids('comment'::text) AS shared_memory_ids)::uuid[])) AND ((media_id IS NULL) OR (EXISTS ( SELECT
   FROM public.media m
  WHERE (m.id = reactions.media_id)))) AND ((comment_id IS NULL) OR (EXISTS ( SELECT
   FROM public.comments c
  WHERE (c.id = reactions.comment_id))))));
create policy "guest deletes own" on public.reactions for delete to anon
  using (((guest_id = ( SELECT private.guest_id() AS guest_id)) AND (memory_id = ANY (( SELECT private.linked_memory_ids('{comment,contribute}'::text[]) AS linked_memory_ids)::uuid[]))));
create policy "not before the reveal" on public.reactions as restrictive for select to anon, authenticated
  using (((memory_id <> ALL (( SELECT private.covered_memory_ids() AS covered_memory_ids)::uuid[])) OR (user_id = ( SELECT auth.uid() AS uid)) OR (guest_id = ( SELECT private.guest_id() AS guest_id)) OR (id IN ( SELECT private.uncovered_ids('reaction'::text) AS uncovered_ids))));
create policy "not in the trash" on public.reactions as restrictive for all to anon, authenticated
  using ((moderation <> 'deleted'::text));
create policy "required authentication level" on public.reactions as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.reactions for all to service_role
  using (true)
  with check (true);
create policy "viewers read" on public.reactions for select to authenticated
  using ((((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = reactions.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('view'::text) AS shared_memory_ids)::uuid[]))) AND ((moderation = 'shown'::text) OR (user_id = ( SELECT auth.uid() AS uid)) OR (guest_id = ( SELECT private.guest_id() AS guest_id)) OR (EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = reactions.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))) AND ((media_id IS NULL) OR (EXISTS ( SELECT
   FROM public.media m
  WHERE (m.id = reactions.media_id)))) AND ((comment_id IS NULL) OR (EXISTS ( SELECT
   FROM public.comments c
  WHERE (c.id = reactions.comment_id))))));
create policy "visitors read" on public.reactions for select to anon
  using (
CASE
    WHEN (memory_id = ANY (( SELECT private.shared_memory_ids('view'::text) AS shared_memory_ids)::uuid[])) THEN (((moderation = 'shown'::text) OR (guest_id = ( SELECT private.guest_id() AS guest_id))) AND ((media_id IS NULL) OR (EXISTS ( SELECT
       FROM public.media m
      WHERE (m.id = reactions.media_id)))) AND ((comment_id IS NULL) OR (EXISTS ( SELECT
       FROM public.comments c
      WHERE (c.id = reactions.comment_id)))))
    ELSE false
END);
create policy "wall shows" on public.reactions for select to anon
  using (
CASE
    WHEN (memory_id = ( SELECT private.wall_memory_id('candles'::text) AS wall_memory_id)) THEN ((moderation = 'shown'::text) AND (kind = 'candle'::text) AND (media_id IS NULL) AND (comment_id IS NULL))
    ELSE false
END);
CREATE TRIGGER keep_in_trash BEFORE UPDATE OF moderation ON public.reactions FOR EACH ROW WHEN (((old.moderation = 'deleted'::text) AND (CURRENT_USER = 'service_role'::name))) EXECUTE FUNCTION private.keep_in_trash();
CREATE TRIGGER notify_of_deleted_reaction AFTER DELETE ON public.reactions FOR EACH ROW WHEN ((old.moderation = 'held'::text)) EXECUTE FUNCTION private.notify_of_reaction();
CREATE TRIGGER notify_withdrawn AFTER UPDATE ON public.reactions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.notify_withdrawn('reaction');
CREATE TRIGGER prepare_reaction BEFORE INSERT ON public.reactions FOR EACH ROW WHEN ((current_setting('skies.importing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION private.prepare_reaction();
CREATE TRIGGER t10_notify_of_reaction AFTER UPDATE ON public.reactions FOR EACH ROW WHEN ((old.moderation <> new.moderation)) EXECUTE FUNCTION private.notify_of_reaction();
CREATE TRIGGER t10_record_source AFTER INSERT ON public.reactions FOR EACH ROW WHEN ((current_setting('skies.importing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION private.record_source('reaction_id');
CREATE TRIGGER t20_record_author AFTER INSERT ON public.reactions FOR EACH ROW WHEN ((current_setting('skies.importing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION private.record_author('reaction_credits');
CREATE TRIGGER t20_republish_author AFTER UPDATE ON public.reactions FOR EACH ROW WHEN (((old.moderation <> new.moderation) AND (new.moderation = 'shown'::text))) EXECUTE FUNCTION private.republish_author('reaction_credits', 'reaction_id');
CREATE TRIGGER t30_notify_of_new_reaction AFTER INSERT ON public.reactions FOR EACH ROW WHEN (((new.moderation = 'held'::text) AND (current_setting('skies.importing'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION private.notify_of_reaction();

create table public.refunds (
  id uuid not null,
  order_id uuid not null,
  amount integer not null,
  reason text not null,
  state text default 'asked'::text not null,
  provider_id text,
  asked_by uuid default auth.uid(),
  created_at timestamp with time zone default now() not null,
  settled_at timestamp with time zone,
  automatic boolean default false not null,
  constraint refunds_amount_check CHECK ((amount > 0)),
  constraint refunds_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint refunds_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders(id) ON DELETE CASCADE,
  constraint refunds_pkey PRIMARY KEY (id),
  constraint refunds_provider_id_key UNIQUE (provider_id),
  constraint refunds_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 500))),
  constraint refunds_state_check CHECK ((state = ANY (ARRAY['asked'::text, 'done'::text, 'refused'::text])))
);
comment on table public.refunds is 'Refunds to ask the payment provider for, by an administrator or because an account was deleted. What an order has refunded comes from the provider alone.';
comment on column public.refunds.id is 'Chosen by who asks: the same refund asked for again is the same one.';
comment on column public.refunds.amount is 'In pence or cents.';
comment on column public.refunds.state is 'asked until the provider has answered; done; or refused by the provider.';
comment on column public.refunds.automatic is 'Whether the server refunds it without an administrator, because the account was deleted. Only a paid order can be refunded, so it waits while a bank disputes the payment.';
alter table public.refunds enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.refunds to service_role;
grant select on table public.refunds to authenticated;
CREATE INDEX refunds_asked_by ON public.refunds USING btree (asked_by);
CREATE INDEX refunds_automatic ON public.refunds USING btree (created_at) WHERE (automatic AND (state = 'asked'::text));
CREATE INDEX refunds_order_id ON public.refunds USING btree (order_id, created_at);
create policy "administrators and support read" on public.refunds for select to authenticated
  using (( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'support'::text]) AS has_role));
create policy "required authentication level" on public.refunds as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.refunds for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER notify_orders_without_account AFTER INSERT ON public.refunds FOR EACH ROW WHEN (new.automatic) EXECUTE FUNCTION private.notify_orders_without_account();

create table public.reports (
  id uuid default gen_random_uuid() not null,
  memory_id uuid,
  kind text not null,
  item_id uuid not null,
  reason text not null,
  words text default ''::text not null,
  email text,
  user_id uuid,
  guest_id uuid,
  created_at timestamp with time zone default now() not null,
  outcome text,
  settled_at timestamp with time zone,
  settled_by uuid,
  language text default 'en'::text not null,
  site text default ''::text not null,
  constraint reports_email_check CHECK ((length(email) <= 254)),
  constraint reports_guest_id_fkey FOREIGN KEY (guest_id) REFERENCES public.guests(id) ON DELETE SET NULL,
  constraint reports_kind_check CHECK ((kind = ANY (ARRAY['memory'::text, 'media'::text, 'story'::text, 'comment'::text]))),
  constraint reports_language_check CHECK ((language = ANY (ARRAY['en'::text, 'it'::text]))),
  constraint reports_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE SET NULL,
  constraint reports_outcome_check CHECK ((outcome = ANY (ARRAY['acted'::text, 'nothing'::text]))),
  constraint reports_pkey PRIMARY KEY (id),
  constraint reports_reason_check CHECK ((reason = ANY (ARRAY['hurtful'::text, 'private'::text, 'not-theirs'::text, 'unlawful'::text, 'unwanted'::text, 'other'::text]))),
  constraint reports_settled_by_fkey FOREIGN KEY (settled_by) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint reports_site_check CHECK ((length(site) <= 200)),
  constraint reports_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint reports_words_check CHECK ((length(words) <= 2000)),
  constraint settled_with_an_outcome CHECK (((outcome IS NULL) = (settled_at IS NULL)))
);
comment on table public.reports is 'Reports of problems in a memory. A report changes nothing by itself. Visible to its author and to administrators; only the server writes it.';
comment on column public.reports.item_id is 'The photo, story or comment, or the memory itself.';
comment on column public.reports.email is 'Address for an answer, not confirmed.';
comment on column public.reports.site is 'The address of this site when it was sent. Emails to the owner link to it.';
alter table public.reports enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.reports to service_role;
grant select (id, memory_id, kind, item_id, reason, words, email, user_id, created_at, outcome, settled_at) on table public.reports to authenticated;
grant update (outcome) on table public.reports to authenticated;
CREATE INDEX reports_guest_id ON public.reports USING btree (guest_id) WHERE (guest_id IS NOT NULL);
CREATE INDEX reports_item_id ON public.reports USING btree (item_id);
CREATE INDEX reports_memory_id ON public.reports USING btree (memory_id);
CREATE INDEX reports_open ON public.reports USING btree (created_at) WHERE (settled_at IS NULL);
CREATE INDEX reports_settled_by ON public.reports USING btree (settled_by) WHERE (settled_by IS NOT NULL);
CREATE INDEX reports_user_id ON public.reports USING btree (user_id);
create policy "administrators close" on public.reports for update to authenticated
  using (( SELECT private.is_admin() AS is_admin))
  with check (( SELECT private.is_admin() AS is_admin));
create policy "administrators read" on public.reports for select to authenticated
  using (( SELECT private.is_admin() AS is_admin));
create policy "author reads" on public.reports for select to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));
create policy "required authentication level" on public.reports as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.reports for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER add_to_inbox AFTER INSERT ON public.reports FOR EACH ROW EXECUTE FUNCTION private.add_to_inbox();
CREATE TRIGGER close_report BEFORE UPDATE ON public.reports FOR EACH ROW EXECUTE FUNCTION private.close_report();
CREATE TRIGGER close_with_outcome AFTER UPDATE OF outcome ON public.reports FOR EACH ROW WHEN ((old.outcome IS DISTINCT FROM new.outcome)) EXECUTE FUNCTION private.close_with_outcome();
CREATE TRIGGER z90_audit_change AFTER INSERT OR DELETE OR UPDATE ON public.reports FOR EACH ROW EXECUTE FUNCTION private.audit_change('id', 'personal');

create table public.reveals (
  memory_id uuid not null,
  reveal_at timestamp with time zone,
  time_zone text default 'UTC'::text not null,
  revealed boolean default false not null,
  revealed_at timestamp with time zone,
  announced_at timestamp with time zone,
  revision integer default 1 not null,
  constraint reveal_at_in_years_1_to_9999 CHECK (((reveal_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (reveal_at <= '9999-12-31 00:00:00+00'::timestamp with time zone))),
  constraint reveals_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint reveals_pkey PRIMARY KEY (memory_id),
  constraint reveals_time_zone_check CHECK (((time_zone ~ '^(UTC|Etc/(UTC|GMT|GMT[+-](\d|1[0-4]))|(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)(/[A-Za-z_-]+){1,2})$'::text) AND (timezone(time_zone, '2000-01-01 00:00:00'::timestamp without time zone) IS NOT NULL)))
);
comment on table public.reveals is 'Until when a memory''s guests see only their own contributions and those of its managers. Visible to everybody who can see the memory.';
comment on column public.reveals.reveal_at is 'When everything becomes visible; null until a manager reveals it.';
comment on column public.reveals.time_zone is 'IANA name of the time zone in which reveal_at was chosen.';
comment on column public.reveals.revealed is 'Whether a manager has revealed everything, whatever reveal_at says.';
comment on column public.reveals.revealed_at is 'When a manager revealed everything; null if none did.';
comment on column public.reveals.announced_at is 'When the members were notified of the reveal; null before.';
comment on column public.reveals.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
alter table public.reveals enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.reveals to service_role;
grant select on table public.reveals to anon;
grant select on table public.reveals to authenticated;
grant insert (memory_id, reveal_at, time_zone) on table public.reveals to authenticated;
grant update (reveal_at, time_zone, revealed, revision) on table public.reveals to authenticated;
CREATE INDEX reveals_unannounced ON public.reveals USING btree (reveal_at) WHERE (announced_at IS NULL);
create policy "managers add" on public.reveals for insert to authenticated
  with check (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = reveals.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "managers change" on public.reveals for update to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = reveals.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "required authentication level" on public.reveals as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.reveals for all to service_role
  using (true)
  with check (true);
create policy "viewers of the memory read" on public.reveals for select to anon, authenticated
  using ((EXISTS ( SELECT
   FROM public.memories m
  WHERE (m.id = reveals.memory_id))));
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.reveals FOR EACH ROW WHEN (((((old.reveal_at IS DISTINCT FROM new.reveal_at) OR (old.time_zone IS DISTINCT FROM new.time_zone)) OR (old.revealed IS DISTINCT FROM new.revealed)) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER t20_follow_reveal BEFORE INSERT OR UPDATE OF reveal_at, revealed ON public.reveals FOR EACH ROW EXECUTE FUNCTION private.follow_reveal();

create table public.share_links (
  id uuid default gen_random_uuid() not null,
  memory_id uuid,
  share_id text default private.new_share_id() not null,
  is_first boolean default false not null,
  shared_at timestamp with time zone default now(),
  version integer default 1 not null,
  locked_until timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  album_id uuid,
  label text default ''::text not null,
  rights text default 'view'::text not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  allows_download boolean default true not null,
  asks text,
  admitted_since_version integer default 1 not null,
  moderated boolean default false not null,
  shows_names boolean default true not null,
  has_pin boolean generated always as ((asks IS NOT NULL)) stored,
  invitation_id uuid,
  for_card boolean default false not null,
  grown integer default 0 not null,
  revision integer default 1 not null,
  preview text default 'name'::text not null,
  constraint expires_at_in_years_1_to_9999 CHECK (((expires_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (expires_at <= '9999-12-31 00:00:00+00'::timestamp with time zone))),
  constraint opens_one_thing CHECK ((num_nonnulls(memory_id, album_id) = 1)),
  constraint revoked_at_in_years_1_to_9999 CHECK (((revoked_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (revoked_at <= '9999-12-31 00:00:00+00'::timestamp with time zone))),
  constraint share_links_album_id_fkey FOREIGN KEY (album_id) REFERENCES public.albums(id) ON DELETE CASCADE,
  constraint share_links_asks_check CHECK ((asks = ANY (ARRAY['pin'::text, 'passphrase'::text]))),
  constraint share_links_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES public.invitations(id) ON DELETE CASCADE,
  constraint share_links_invitation_id_key UNIQUE (invitation_id),
  constraint share_links_label_check CHECK ((length(label) <= 100)),
  constraint share_links_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint share_links_pkey PRIMARY KEY (id),
  constraint share_links_preview_check CHECK ((preview = ANY (ARRAY['nothing'::text, 'name'::text, 'cover'::text]))),
  constraint share_links_rights_check CHECK ((rights = ANY (ARRAY['view'::text, 'comment'::text, 'contribute'::text, 'upload'::text]))),
  constraint share_links_share_id_key UNIQUE (share_id),
  constraint shared_at_in_years_1_to_9999 CHECK (((shared_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (shared_at <= '9999-12-31 00:00:00+00'::timestamp with time zone)))
);
comment on table public.share_links is 'Share links to a memory or an album. Only its managers can read the rows.';
comment on column public.share_links.share_id is 'The identifier in /shared/{shareId}. Only managers can read it.';
comment on column public.share_links.is_first is 'Whether it was created together with its memory.';
comment on column public.share_links.shared_at is 'When a manager first shared it. Before that it does not work: the first link is created automatically.';
comment on column public.share_links.version is 'Increased whenever access through the link changes. Tokens and media URLs of an older version are invalid.';
comment on column public.share_links.locked_until is 'Set while the link is locked after wrong PINs.';
comment on column public.share_links.rights is 'What visitors may do; "upload" allows adding without viewing.';
comment on column public.share_links.revoked_at is 'The link does not work from this time on.';
comment on column public.share_links.allows_download is 'Whether visitors may download copies.';
comment on column public.share_links.asks is 'The secret that visitors must enter; null for none.';
comment on column public.share_links.admitted_since_version is 'The version in which the secret or the share id last changed. Visitors who were admitted since then need not enter the secret again.';
comment on column public.share_links.moderated is 'Whether content from visitors is held until a manager approves it.';
comment on column public.share_links.shows_names is 'Whether visitors see the names of authors.';
comment on column public.share_links.invitation_id is 'The invitation whose emails contain it. Such a link requires the token of an email, and works while the invitation is open or accepted.';
comment on column public.share_links.for_card is 'Created for a metal card. A memory can have a hundred of them, so they are listed separately.';
comment on column public.share_links.grown is 'How many versions only added a memory to the album. Every other version invalidates downloads that were prepared before it.';
comment on column public.share_links.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
comment on column public.share_links.preview is 'What the preview of the link tells in messengers: nothing, the name, or the name and the cover. Without effect while the link has a PIN or passphrase.';
alter table public.share_links enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.share_links to service_role;
grant delete, select on table public.share_links to authenticated;
grant insert (id, memory_id, album_id, label, rights, expires_at, allows_download, moderated, shows_names, preview) on table public.share_links to authenticated;
grant update (shared_at, label, rights, expires_at, revoked_at, allows_download, moderated, shows_names, revision, preview) on table public.share_links to authenticated;
CREATE UNIQUE INDEX one_first_link ON public.share_links USING btree (memory_id) WHERE is_first;
CREATE INDEX share_links_album_id ON public.share_links USING btree (album_id, created_at, id) WHERE (album_id IS NOT NULL);
CREATE INDEX share_links_in_use ON public.share_links USING btree (memory_id, asks NULLS FIRST, created_at, rights) WHERE ((invitation_id IS NULL) AND (for_card IS FALSE) AND (revoked_at IS NULL) AND (shared_at IS NOT NULL));
CREATE INDEX share_links_memory_id ON public.share_links USING btree (memory_id, created_at, id);
create policy managers on public.share_links for all to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = share_links.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[])) OR (EXISTS ( SELECT
   FROM public.albums a
  WHERE ((a.id = share_links.album_id) AND (a.user_id = ( SELECT auth.uid() AS uid)))))))
  with check (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = share_links.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[])) OR (EXISTS ( SELECT
   FROM public.albums a
  WHERE ((a.id = share_links.album_id) AND (a.user_id = ( SELECT auth.uid() AS uid)))))));
create policy "required authentication level" on public.share_links as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.share_links for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER follow_link_on_wall AFTER UPDATE ON public.share_links FOR EACH ROW WHEN (((old.version IS DISTINCT FROM new.version) OR (old.asks IS DISTINCT FROM new.asks))) EXECUTE FUNCTION private.follow_link_on_wall();
CREATE TRIGGER keep_first_link BEFORE DELETE ON public.share_links FOR EACH ROW EXECUTE FUNCTION private.keep_first_link();
CREATE TRIGGER notify_of_lock AFTER UPDATE OF locked_until ON public.share_links FOR EACH ROW WHEN ((old.locked_until IS DISTINCT FROM new.locked_until)) EXECUTE FUNCTION private.notify_of_lock();
CREATE TRIGGER publish_link_version AFTER UPDATE ON public.share_links FOR EACH ROW WHEN (((new.version <> old.version) OR (new.shows_names <> old.shows_names) OR (new.moderated <> old.moderated))) EXECUTE FUNCTION private.publish_link_version();
CREATE TRIGGER publish_new_link_version AFTER INSERT ON public.share_links FOR EACH ROW EXECUTE FUNCTION private.publish_link_version();
CREATE TRIGGER t10_validate_link BEFORE INSERT OR UPDATE ON public.share_links FOR EACH ROW EXECUTE FUNCTION private.validate_link();
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.share_links FOR EACH ROW WHEN (((((((((((old.shared_at IS DISTINCT FROM new.shared_at) OR (old.label IS DISTINCT FROM new.label)) OR (old.rights IS DISTINCT FROM new.rights)) OR (old.expires_at IS DISTINCT FROM new.expires_at)) OR (old.revoked_at IS DISTINCT FROM new.revoked_at)) OR (old.allows_download IS DISTINCT FROM new.allows_download)) OR (old.moderated IS DISTINCT FROM new.moderated)) OR (old.shows_names IS DISTINCT FROM new.shows_names)) OR (old.preview IS DISTINCT FROM new.preview)) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER t20_raise_link_version BEFORE UPDATE ON public.share_links FOR EACH ROW WHEN ((((((old.rights IS DISTINCT FROM new.rights) OR (old.expires_at IS DISTINCT FROM new.expires_at)) OR (old.revoked_at IS DISTINCT FROM new.revoked_at)) OR (old.allows_download IS DISTINCT FROM new.allows_download)) OR (old.share_id IS DISTINCT FROM new.share_id))) EXECUTE FUNCTION private.raise_link_version();

create table public.share_openings (
  id bigint generated always as identity not null,
  link_id uuid not null,
  user_id uuid,
  device text default ''::text not null,
  opened_at timestamp with time zone default date_trunc('hour'::text, now()) not null,
  times integer default 1 not null,
  constraint one_row_an_hour UNIQUE NULLS NOT DISTINCT (link_id, opened_at, device, user_id),
  constraint share_openings_device_check CHECK ((device = ANY (ARRAY[''::text, 'phone'::text, 'tablet'::text, 'computer'::text]))),
  constraint share_openings_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.share_links(id) ON DELETE CASCADE,
  constraint share_openings_pkey PRIMARY KEY (id),
  constraint share_openings_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table public.share_openings is 'When links were opened, by the hour, for 180 days. Visible to the link''s managers and to the visitor if they were signed in.';
comment on column public.share_openings.user_id is 'The visitor, if they were signed in.';
comment on column public.share_openings.times is 'How often in that hour, with the same kind of device.';
alter table public.share_openings enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.share_openings to service_role;
grant select on table public.share_openings to authenticated;
CREATE INDEX share_openings_link_id ON public.share_openings USING btree (link_id, opened_at DESC);
CREATE INDEX share_openings_opened_at ON public.share_openings USING btree (opened_at);
CREATE INDEX share_openings_user_id ON public.share_openings USING btree (user_id);
create policy "managers and visitor read" on public.share_openings for select to authenticated
  using (((user_id = ( SELECT auth.uid() AS uid)) OR (EXISTS ( SELECT
   FROM public.share_links l
  WHERE (l.id = share_openings.link_id)))));
create policy "required authentication level" on public.share_openings as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.share_openings for all to service_role
  using (true)
  with check (true);

create table public.share_pins (
  link_id uuid not null,
  hash text not null,
  kind text default 'pin'::text not null,
  sealed text,
  constraint share_pins_hash_check CHECK ((hash ~ '^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$'::text)),
  constraint share_pins_kind_check CHECK ((kind = ANY (ARRAY['pin'::text, 'passphrase'::text]))),
  constraint share_pins_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.share_links(id) ON DELETE CASCADE,
  constraint share_pins_pkey PRIMARY KEY (link_id),
  constraint share_pins_sealed_check CHECK ((length(sealed) <= 512))
);
comment on table public.share_pins is 'The PIN or passphrase of a link, as a keyed argon2id hash and encrypted. No caller can read either. No row means no secret.';
comment on column public.share_pins.sealed is 'The PIN or passphrase, encrypted under a key of the server and bound to the hash. Null where it was set before this was kept.';
alter table public.share_pins enable row level security;
grant delete on table public.share_pins to authenticated;
grant delete, insert, maintain, references, trigger, truncate, update on table public.share_pins to service_role;
grant insert (link_id, hash, kind, sealed) on table public.share_pins to authenticated;
grant select (link_id) on table public.share_pins to authenticated;
grant select (link_id, hash, kind) on table public.share_pins to service_role;
grant update (hash, kind, sealed) on table public.share_pins to authenticated;
CREATE INDEX share_pins_hash ON public.share_pins USING btree (hash);
create policy "managers of the link" on public.share_pins for all to authenticated
  using ((EXISTS ( SELECT
   FROM public.share_links l
  WHERE (l.id = share_pins.link_id))))
  with check ((EXISTS ( SELECT
   FROM public.share_links l
  WHERE (l.id = share_pins.link_id))));
create policy "required authentication level" on public.share_pins as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.share_pins for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER t10_reset_share_attempts AFTER INSERT OR DELETE OR UPDATE ON public.share_pins FOR EACH ROW EXECUTE FUNCTION private.reset_share_attempts();
CREATE TRIGGER t20_renew_link AFTER INSERT OR DELETE OR UPDATE ON public.share_pins FOR EACH ROW EXECUTE FUNCTION private.renew_link();
CREATE TRIGGER t30_copy_secret_to_cards AFTER INSERT OR DELETE OR UPDATE ON public.share_pins FOR EACH ROW EXECUTE FUNCTION private.copy_secret_to_cards();

create table public.slideshow_films (
  slideshow_id uuid not null,
  memory_id uuid not null,
  state text default 'waiting'::text not null,
  progress real,
  failure text,
  requested_at timestamp with time zone default now() not null,
  object_name text,
  size bigint,
  seconds real,
  made_at timestamp with time zone,
  made_of integer,
  expires_at timestamp with time zone,
  constraint a_ready_film_has_a_file CHECK (((state <> 'ready'::text) OR (object_name IS NOT NULL))),
  constraint slideshow_films_failure_check CHECK ((failure = ANY (ARRAY['empty'::text, 'unavailable'::text, 'music'::text, 'failed'::text]))),
  constraint slideshow_films_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint slideshow_films_object_name_key UNIQUE (object_name),
  constraint slideshow_films_pkey PRIMARY KEY (slideshow_id),
  constraint slideshow_films_progress_check CHECK (((progress >= (0)::double precision) AND (progress <= (1)::double precision))),
  constraint slideshow_films_seconds_check CHECK ((seconds >= (0)::double precision)),
  constraint slideshow_films_size_check CHECK ((size >= 0)),
  constraint slideshow_films_slideshow_id_fkey FOREIGN KEY (slideshow_id) REFERENCES public.slideshows(id) ON DELETE CASCADE,
  constraint slideshow_films_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'making'::text, 'ready'::text, 'failed'::text, 'withdrawn'::text])))
);
comment on table public.slideshow_films is 'The film of a slideshow, which a job makes when a manager requests it. Only the memory''s managers see it.';
comment on column public.slideshow_films.state is 'Waiting or being made; ready; failed; or withdrawn, because a photo or the music in it was hidden, deleted or moved.';
comment on column public.slideshow_films.progress is 'Progress while it is made, from 0 to 1.';
comment on column public.slideshow_films.failure is 'Why none could be made: no photo is shown, the server has no ffmpeg, the music cannot be played, or another reason.';
comment on column public.slideshow_films.object_name is 'The object in the bucket films: the last film, also while the next one is made; null for none.';
comment on column public.slideshow_films.made_of is 'The slideshow''s number of changes when the film was made. If it has another one, the film is out of date.';
comment on column public.slideshow_films.expires_at is 'When the film is deleted. It can be made again.';
alter table public.slideshow_films enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.slideshow_films to service_role;
grant select on table public.slideshow_films to authenticated;
CREATE INDEX slideshow_films_expires_at ON public.slideshow_films USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX slideshow_films_memory_id ON public.slideshow_films USING btree (memory_id);
create policy "managers read" on public.slideshow_films for select to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = slideshow_films.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "required authentication level" on public.slideshow_films as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.slideshow_films for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER delete_film AFTER DELETE ON public.slideshow_films FOR EACH ROW WHEN ((old.object_name IS NOT NULL)) EXECUTE FUNCTION private.delete_film();
CREATE TRIGGER delete_replaced_film AFTER UPDATE OF object_name ON public.slideshow_films FOR EACH ROW WHEN (((old.object_name IS NOT NULL) AND (old.object_name IS DISTINCT FROM new.object_name))) EXECUTE FUNCTION private.delete_film();
CREATE TRIGGER end_work AFTER DELETE ON public.slideshow_films FOR EACH ROW EXECUTE FUNCTION private.end_work('slideshow_id');
CREATE TRIGGER enqueue_film AFTER INSERT OR UPDATE OF state ON public.slideshow_films FOR EACH ROW WHEN ((new.state = 'waiting'::text)) EXECUTE FUNCTION private.enqueue_work('films', 'slideshow_id', 'requested_at');

create table public.slideshow_items (
  slideshow_id uuid not null,
  media_id uuid not null,
  "position" smallint not null,
  constraint slideshow_items_media_id_fkey FOREIGN KEY (media_id) REFERENCES public.media(id) ON DELETE CASCADE,
  constraint slideshow_items_pkey PRIMARY KEY (slideshow_id, media_id),
  constraint slideshow_items_position_check CHECK (("position" > 0)),
  constraint slideshow_items_slideshow_id_fkey FOREIGN KEY (slideshow_id) REFERENCES public.slideshows(id) ON DELETE CASCADE
);
comment on table public.slideshow_items is 'The photos of a slideshow. A row is visible while its photo is shown: hidden and deleted ones keep their place and are in no slideshow.';
alter table public.slideshow_items enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.slideshow_items to service_role;
grant delete, select on table public.slideshow_items to authenticated;
grant select on table public.slideshow_items to anon;
grant insert (slideshow_id, media_id, "position") on table public.slideshow_items to authenticated;
CREATE INDEX slideshow_items_media_id ON public.slideshow_items USING btree (media_id);
create policy "managers add photos of the memory" on public.slideshow_items for insert to authenticated
  with check ((EXISTS ( SELECT
   FROM (public.slideshows s
     JOIN public.media m ON ((m.memory_id = s.memory_id)))
  WHERE ((s.id = slideshow_items.slideshow_id) AND (m.id = slideshow_items.media_id) AND (m.type = 'image'::text) AND (m.pages IS NULL) AND (m.state <> 'broken'::text) AND (m.moderation = 'shown'::text) AND ((EXISTS ( SELECT
           FROM private.own_memories own
          WHERE (own.id = s.memory_id))) OR (s.memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[])))))));
create policy "managers remove" on public.slideshow_items for delete to authenticated
  using ((EXISTS ( SELECT
   FROM public.slideshows s
  WHERE ((s.id = slideshow_items.slideshow_id) AND ((EXISTS ( SELECT
           FROM private.own_memories own
          WHERE (own.id = s.memory_id))) OR (s.memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[])))))));
create policy "required authentication level" on public.slideshow_items as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.slideshow_items for all to service_role
  using (true)
  with check (true);
create policy "viewers of the photo read" on public.slideshow_items for select to anon, authenticated
  using (((EXISTS ( SELECT
   FROM public.slideshows s
  WHERE (s.id = slideshow_items.slideshow_id))) AND (EXISTS ( SELECT
   FROM public.media m
  WHERE ((m.id = slideshow_items.media_id) AND (m.moderation = 'shown'::text))))));
CREATE TRIGGER count_deleted_items AFTER DELETE ON public.slideshow_items REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.count_slideshow_items();
CREATE TRIGGER count_new_items AFTER INSERT ON public.slideshow_items REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION private.count_slideshow_items();

create table public.slideshows (
  id uuid default gen_random_uuid() not null,
  memory_id uuid not null,
  title text not null,
  pace smallint default 6 not null,
  shows_captions boolean default true not null,
  music_id uuid,
  music_is_allowed boolean default false not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  arranged integer default 0 not null,
  changes integer default 0 not null,
  constraint music_needs_permission CHECK (((music_id IS NULL) OR music_is_allowed)),
  constraint slideshows_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint slideshows_music_id_fkey FOREIGN KEY (music_id) REFERENCES public.media(id) ON DELETE SET NULL,
  constraint slideshows_pace_check CHECK (((pace >= 3) AND (pace <= 30))),
  constraint slideshows_pkey PRIMARY KEY (id),
  constraint slideshows_title_check CHECK ((((length(btrim(title)) >= 1) AND (length(btrim(title)) <= 120)) AND (title !~ '[[:cntrl:]]'::text)))
);
comment on table public.slideshows is 'Slideshows of a memory: photos in an order, with music. Everybody who sees the memory''s photos sees them; its managers make them.';
comment on column public.slideshows.pace is 'Seconds for which a photo is shown.';
comment on column public.slideshows.music_id is 'The recording of the memory that is played with it; null for none.';
comment on column public.slideshows.music_is_allowed is 'Whether a manager has said that the family may use this music.';
comment on column public.slideshows.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
comment on column public.slideshows.arranged is 'Counts changes of the photos and their order.';
comment on column public.slideshows.changes is 'Increased by everything that a film of it shows: settings, photos, their order and their captions.';
alter table public.slideshows enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.slideshows to service_role;
grant delete, select on table public.slideshows to authenticated;
grant select on table public.slideshows to anon;
grant insert (id, memory_id, title, pace, shows_captions, music_id, music_is_allowed) on table public.slideshows to authenticated;
grant update (title, pace, shows_captions, music_id, music_is_allowed, revision, arranged) on table public.slideshows to authenticated;
CREATE INDEX slideshows_memory_id ON public.slideshows USING btree (memory_id, created_at);
CREATE INDEX slideshows_music_id ON public.slideshows USING btree (music_id) WHERE (music_id IS NOT NULL);
create policy "managers add" on public.slideshows for insert to authenticated
  with check (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = slideshows.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "managers change" on public.slideshows for update to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = slideshows.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "managers delete" on public.slideshows for delete to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = slideshows.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "required authentication level" on public.slideshows as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.slideshows for all to service_role
  using (true)
  with check (true);
create policy "viewers of the memory read" on public.slideshows for select to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = slideshows.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('view'::text) AS shared_memory_ids)::uuid[]))));
create policy "visitors of the memory read" on public.slideshows for select to anon
  using ((memory_id = ANY (( SELECT private.shared_memory_ids('view'::text) AS shared_memory_ids)::uuid[])));
CREATE TRIGGER t10_prepare_slideshow BEFORE INSERT OR UPDATE ON public.slideshows FOR EACH ROW EXECUTE FUNCTION private.prepare_slideshow();
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.slideshows FOR EACH ROW WHEN ((((((((old.title IS DISTINCT FROM new.title) OR (old.pace IS DISTINCT FROM new.pace)) OR (old.shows_captions IS DISTINCT FROM new.shows_captions)) OR (old.music_id IS DISTINCT FROM new.music_id)) OR (old.music_is_allowed IS DISTINCT FROM new.music_is_allowed)) OR (old.arranged IS DISTINCT FROM new.arranged)) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.slideshows FOR EACH ROW EXECUTE FUNCTION private.touch_updated_at();

create table public.staff_notes (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  author uuid default auth.uid(),
  body text not null,
  created_at timestamp with time zone default now() not null,
  constraint staff_notes_author_fkey FOREIGN KEY (author) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint staff_notes_body_check CHECK (((length(btrim(body)) >= 1) AND (length(btrim(body)) <= 5000))),
  constraint staff_notes_pkey PRIMARY KEY (id),
  constraint staff_notes_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table public.staff_notes is 'Notes by staff about an account. Administrators and support read them, administrators write them. Deleted with the account.';
alter table public.staff_notes enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.staff_notes to service_role;
grant delete, select on table public.staff_notes to authenticated;
grant insert (id, user_id, body) on table public.staff_notes to authenticated;
CREATE INDEX staff_notes_author ON public.staff_notes USING btree (author);
CREATE INDEX staff_notes_user_id ON public.staff_notes USING btree (user_id, created_at DESC, id);
create policy "administrators add" on public.staff_notes for insert to authenticated
  with check ((( SELECT private.is_admin() AS is_admin) AND (author = ( SELECT auth.uid() AS uid))));
create policy "administrators and support read" on public.staff_notes for select to authenticated
  using (( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'support'::text]) AS has_role));
create policy "author deletes" on public.staff_notes for delete to authenticated
  using ((( SELECT private.is_admin() AS is_admin) AND (author = ( SELECT auth.uid() AS uid))));
create policy "required authentication level" on public.staff_notes as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.staff_notes for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER z90_audit_change AFTER INSERT OR DELETE ON public.staff_notes FOR EACH ROW EXECUTE FUNCTION private.audit_change('user_id', 'personal');

create table public.stories (
  id uuid default gen_random_uuid() not null,
  memory_id uuid not null,
  user_id uuid default auth.uid(),
  title text default ''::text not null,
  body public.html not null,
  "position" integer default 0 not null,
  moderation text default 'shown'::text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  guest_id uuid default private.guest_id(),
  revision integer default 1 not null,
  constraint stories_body_check CHECK (((length((body)::text) >= 1) AND (length((body)::text) <= 200000))),
  constraint stories_guest_id_fkey FOREIGN KEY (guest_id) REFERENCES public.guests(id) ON DELETE SET NULL,
  constraint stories_id_memory_id_key UNIQUE (id, memory_id),
  constraint stories_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint stories_moderation_check CHECK ((moderation = ANY (ARRAY['shown'::text, 'held'::text, 'hidden'::text, 'deleted'::text]))),
  constraint stories_pkey PRIMARY KEY (id),
  constraint stories_title_check CHECK ((length(title) <= 200)),
  constraint stories_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE SET NULL
);
comment on table public.stories is 'Stories about a memory, besides its description. Visible to everybody who can see the memory; written by contributors.';
comment on column public.stories.user_id is 'The author, who may change or delete it; null after their account was deleted. The story is kept.';
comment on column public.stories."position" is 'Order among the memory''s stories; a new one is last.';
comment on column public.stories.moderation is 'As media.moderation.';
comment on column public.stories.guest_id is 'As media_details.guest_id.';
comment on column public.stories.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
alter table public.stories enable row level security;
grant delete on table public.stories to anon;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.stories to service_role;
grant delete, select on table public.stories to authenticated;
grant insert (id, memory_id, title, body) on table public.stories to anon;
grant insert (id, memory_id, title, body) on table public.stories to authenticated;
grant select (id, memory_id, title, body, "position", moderation, created_at, updated_at, guest_id, revision) on table public.stories to anon;
grant update (title, body, "position", moderation, revision) on table public.stories to authenticated;
grant update (title, body, revision) on table public.stories to anon;
CREATE INDEX stories_guest_id ON public.stories USING btree (guest_id) WHERE (guest_id IS NOT NULL);
CREATE INDEX stories_memory_id ON public.stories USING btree (memory_id, "position", created_at);
CREATE INDEX stories_moderation ON public.stories USING btree (memory_id, moderation) WHERE (moderation <> 'shown'::text);
CREATE INDEX stories_user_id ON public.stories USING btree (user_id);
create policy "author and managers change" on public.stories for update to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = stories.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[])) OR ((user_id = ( SELECT auth.uid() AS uid)) AND (memory_id = ANY (( SELECT private.shared_memory_ids('contribute'::text) AS shared_memory_ids)::uuid[])))));
create policy "author and managers delete" on public.stories for delete to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = stories.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[])) OR ((user_id = ( SELECT auth.uid() AS uid)) AND (memory_id = ANY (( SELECT private.shared_memory_ids('contribute'::text) AS shared_memory_ids)::uuid[])))));
create policy "contributors add" on public.stories for insert to authenticated
  with check (((user_id = ( SELECT auth.uid() AS uid)) AND ((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = stories.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('contribute'::text) AS shared_memory_ids)::uuid[])))));
create policy "guest adds" on public.stories for insert to anon
  with check (((guest_id = ( SELECT private.guest_id() AS guest_id)) AND (user_id IS NULL) AND (memory_id = ANY (( SELECT private.shared_memory_ids('contribute'::text) AS shared_memory_ids)::uuid[]))));
create policy "guest changes own" on public.stories for update to anon
  using (((guest_id = ( SELECT private.guest_id() AS guest_id)) AND (memory_id = ANY (( SELECT private.linked_memory_ids('{contribute,upload}'::text[]) AS linked_memory_ids)::uuid[]))));
create policy "guest deletes own" on public.stories for delete to anon
  using (((guest_id = ( SELECT private.guest_id() AS guest_id)) AND (memory_id = ANY (( SELECT private.linked_memory_ids('{contribute,upload}'::text[]) AS linked_memory_ids)::uuid[]))));
create policy "guest reads own" on public.stories for select to anon
  using (((guest_id = ( SELECT private.guest_id() AS guest_id)) AND (memory_id = ANY (( SELECT private.linked_memory_ids('{contribute,upload}'::text[]) AS linked_memory_ids)::uuid[]))));
create policy "not before the reveal" on public.stories as restrictive for select to anon, authenticated
  using (((memory_id <> ALL (( SELECT private.covered_memory_ids() AS covered_memory_ids)::uuid[])) OR (user_id = ( SELECT auth.uid() AS uid)) OR (guest_id = ( SELECT private.guest_id() AS guest_id)) OR (id IN ( SELECT private.uncovered_ids('story'::text) AS uncovered_ids))));
create policy "not in the trash" on public.stories as restrictive for all to anon, authenticated
  using ((moderation <> 'deleted'::text));
create policy "required authentication level" on public.stories as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.stories for all to service_role
  using (true)
  with check (true);
create policy "viewers read" on public.stories for select to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = stories.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[])) OR ((moderation = 'shown'::text) AND (memory_id = ANY (( SELECT private.shared_memory_ids('view'::text) AS shared_memory_ids)::uuid[]))) OR ((user_id = ( SELECT auth.uid() AS uid)) AND (memory_id = ANY (( SELECT private.shared_memory_ids('contribute'::text) AS shared_memory_ids)::uuid[])))));
create policy "visitors read" on public.stories for select to anon
  using (
CASE
    WHEN (memory_id = ANY (( SELECT private.shared_memory_ids('view'::text) AS shared_memory_ids)::uuid[])) THEN (moderation = 'shown'::text)
    ELSE false
END);
CREATE TRIGGER clear_held_notice AFTER DELETE ON public.stories FOR EACH ROW WHEN ((old.moderation = 'held'::text)) EXECUTE FUNCTION private.clear_held_notice_of_deleted();
CREATE TRIGGER index_changed_story AFTER UPDATE ON public.stories REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.follow_in_search('story', 'id', 'memory_id title body moderation');
CREATE TRIGGER index_deleted_story AFTER DELETE ON public.stories REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.follow_in_search('story', 'id');
CREATE TRIGGER index_new_story AFTER INSERT ON public.stories REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.follow_in_search('story', 'id');
CREATE TRIGGER note_activity AFTER INSERT OR UPDATE OF created_at ON public.stories FOR EACH ROW EXECUTE FUNCTION private.note_story();
CREATE TRIGGER notify_withdrawn AFTER UPDATE ON public.stories REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.notify_withdrawn('story');
CREATE TRIGGER prepare_story BEFORE INSERT ON public.stories FOR EACH ROW EXECUTE FUNCTION private.prepare_story();
CREATE TRIGGER t10_keep_in_trash BEFORE UPDATE OF moderation ON public.stories FOR EACH ROW WHEN (((old.moderation = 'deleted'::text) AND (CURRENT_USER = 'service_role'::name))) EXECUTE FUNCTION private.keep_in_trash();
CREATE TRIGGER t10_move_to_trash BEFORE DELETE ON public.stories FOR EACH ROW WHEN ((CURRENT_USER = ANY (ARRAY['anon'::name, 'authenticated'::name]))) EXECUTE FUNCTION private.move_story_to_trash();
CREATE TRIGGER t10_notify_of_story AFTER UPDATE ON public.stories FOR EACH ROW WHEN ((old.moderation <> new.moderation)) EXECUTE FUNCTION private.notify_of_story();
CREATE TRIGGER t10_record_source AFTER INSERT ON public.stories FOR EACH ROW WHEN ((current_setting('skies.importing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION private.record_source('story_id');
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.stories FOR EACH ROW WHEN ((((old.title IS DISTINCT FROM new.title) OR ((old.body)::text IS DISTINCT FROM (new.body)::text)) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER t20_record_author AFTER INSERT ON public.stories FOR EACH ROW WHEN ((current_setting('skies.importing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION private.record_author('story_credits');
CREATE TRIGGER t20_republish_author AFTER UPDATE ON public.stories FOR EACH ROW WHEN (((old.moderation <> new.moderation) AND (new.moderation = 'shown'::text))) EXECUTE FUNCTION private.republish_author('story_credits', 'story_id');
CREATE TRIGGER t20_validate_story BEFORE UPDATE ON public.stories FOR EACH ROW EXECUTE FUNCTION private.validate_story();
CREATE TRIGGER t30_notify_of_new_story AFTER INSERT ON public.stories FOR EACH ROW WHEN ((current_setting('skies.importing'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION private.notify_of_story();
CREATE TRIGGER touch_updated_at BEFORE UPDATE ON public.stories FOR EACH ROW WHEN (((old.title IS DISTINCT FROM new.title) OR ((old.body)::text IS DISTINCT FROM (new.body)::text))) EXECUTE FUNCTION private.touch_updated_at();

create table public.story_credits (
  story_id uuid not null,
  memory_id uuid not null,
  name text not null,
  constraint story_credits_name_check CHECK ((length(name) <= 200)),
  constraint story_credits_pkey PRIMARY KEY (story_id, memory_id),
  constraint story_credits_story_id_memory_id_fkey FOREIGN KEY (story_id, memory_id) REFERENCES public.stories(id, memory_id) ON UPDATE CASCADE ON DELETE CASCADE
);
comment on table public.story_credits is 'The author''s name on the day of writing. Visible, for stories they can see, to members, visitors of a link that shows names, and the author.';
alter table public.story_credits enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.story_credits to service_role;
grant select on table public.story_credits to anon;
grant select on table public.story_credits to authenticated;
CREATE INDEX story_credits_memory_id ON public.story_credits USING btree (memory_id);
create policy "people who see names, and the author, read" on public.story_credits for select to authenticated
  using ((EXISTS ( SELECT
   FROM public.stories s
  WHERE ((s.id = story_credits.story_id) AND ((EXISTS ( SELECT
           FROM private.own_memories own
          WHERE (own.id = s.memory_id))) OR (s.memory_id = ANY (( SELECT private.shared_credited_memory_ids() AS shared_credited_memory_ids)::uuid[])) OR (s.user_id = ( SELECT auth.uid() AS uid)) OR (s.guest_id = ( SELECT private.guest_id() AS guest_id)))))));
create policy "required authentication level" on public.story_credits as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.story_credits for all to service_role
  using (true)
  with check (true);
create policy "visitors who see names, and the guest, read" on public.story_credits for select to anon
  using ((EXISTS ( SELECT
   FROM public.stories s
  WHERE ((s.id = story_credits.story_id) AND ((s.memory_id = ANY (( SELECT private.shared_credited_memory_ids() AS shared_credited_memory_ids)::uuid[])) OR (s.guest_id = ( SELECT private.guest_id() AS guest_id)))))));

create table public.subscription_plans (
  id text not null,
  name text not null,
  max_memories integer,
  storage_gb integer not null,
  term_years integer,
  included_cards integer default 0 not null,
  "position" integer not null,
  revision integer default 1 not null,
  constraint subscription_plans_id_check CHECK ((id ~ '^[a-z0-9-]{1,40}$'::text)),
  constraint subscription_plans_included_cards_check CHECK ((included_cards >= 0)),
  constraint subscription_plans_max_memories_check CHECK ((max_memories > 0)),
  constraint subscription_plans_name_check CHECK (((length(btrim(name)) >= 1) AND (length(btrim(name)) <= 100))),
  constraint subscription_plans_pkey PRIMARY KEY (id),
  constraint subscription_plans_position_key UNIQUE ("position"),
  constraint subscription_plans_storage_gb_check CHECK ((storage_gb > 0)),
  constraint subscription_plans_term_years_check CHECK ((term_years > 0))
);
comment on table public.subscription_plans is 'The plans (Spec §9). Anyone may read them.';
comment on column public.subscription_plans.max_memories is 'How many memories an account may have; null for no limit.';
comment on column public.subscription_plans.storage_gb is 'Storage in units of 1024³ bytes.';
comment on column public.subscription_plans.term_years is 'Length of the term that one payment buys; null for a plan without an end.';
comment on column public.subscription_plans."position" is 'Order of the plans, the smallest first.';
comment on column public.subscription_plans.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
alter table public.subscription_plans enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.subscription_plans to service_role;
grant delete, insert, select, update on table public.subscription_plans to authenticated;
grant select on table public.subscription_plans to anon;
grant update (revision) on table public.subscription_plans to authenticated;
create policy "administrators add" on public.subscription_plans for insert to authenticated
  with check (( SELECT private.is_admin() AS is_admin));
create policy "administrators change" on public.subscription_plans for update to authenticated
  using (( SELECT private.is_admin() AS is_admin))
  with check (( SELECT private.is_admin() AS is_admin));
create policy "administrators delete" on public.subscription_plans for delete to authenticated
  using (( SELECT private.is_admin() AS is_admin));
create policy anyone on public.subscription_plans for select to anon, authenticated
  using (true);
create policy "required authentication level" on public.subscription_plans as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.subscription_plans for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.subscription_plans FOR EACH ROW WHEN ((((((((old.name IS DISTINCT FROM new.name) OR (old.max_memories IS DISTINCT FROM new.max_memories)) OR (old.storage_gb IS DISTINCT FROM new.storage_gb)) OR (old.term_years IS DISTINCT FROM new.term_years)) OR (old.included_cards IS DISTINCT FROM new.included_cards)) OR (old."position" IS DISTINCT FROM new."position")) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER z90_audit_change AFTER INSERT OR DELETE OR UPDATE ON public.subscription_plans FOR EACH ROW EXECUTE FUNCTION private.audit_change('id', 'plain');

create table public.trash (
  kind text not null,
  id uuid not null,
  memory_id uuid,
  deleted_by uuid,
  guest_id uuid,
  deleted_at timestamp with time zone default now() not null,
  was jsonb default '{}'::jsonb not null,
  media_id uuid generated always as (
CASE kind
    WHEN 'media'::text THEN id
    ELSE NULL::uuid
END) stored,
  story_id uuid generated always as (
CASE kind
    WHEN 'story'::text THEN id
    ELSE NULL::uuid
END) stored,
  comment_id uuid generated always as (
CASE kind
    WHEN 'comment'::text THEN id
    ELSE NULL::uuid
END) stored,
  album_id uuid generated always as (
CASE kind
    WHEN 'album'::text THEN id
    ELSE NULL::uuid
END) stored,
  account uuid,
  constraint by_one_person CHECK ((num_nonnulls(deleted_by, guest_id) = 1)),
  constraint in_a_memory CHECK (((kind = 'album'::text) = (memory_id IS NULL))),
  constraint trash_album_id_fkey FOREIGN KEY (album_id) REFERENCES public.albums(id) ON DELETE CASCADE,
  constraint trash_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES public.comments(id) ON DELETE CASCADE,
  constraint trash_deleted_by_fkey FOREIGN KEY (deleted_by) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint trash_guest_id_fkey FOREIGN KEY (guest_id) REFERENCES public.guests(id) ON DELETE CASCADE,
  constraint trash_kind_check CHECK ((kind = ANY (ARRAY['media'::text, 'story'::text, 'comment'::text, 'album'::text, 'memory'::text]))),
  constraint trash_media_id_fkey FOREIGN KEY (media_id) REFERENCES public.media(id) ON DELETE CASCADE,
  constraint trash_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint trash_pkey PRIMARY KEY (kind, id),
  constraint trash_story_id_fkey FOREIGN KEY (story_id) REFERENCES public.stories(id) ON DELETE CASCADE
);
comment on table public.trash is 'Items deleted within the last 30 days, which can be restored. Visible to the person in deleted_by. Deleting a row here deletes its item permanently.';
comment on column public.trash.id is 'The id in the table of its kind.';
comment on column public.trash.memory_id is 'The memory that it belongs to, or the memory itself; null for an album.';
comment on column public.trash.deleted_by is 'The person who deleted it. Once they no longer manage the memory, its owner, unless they had added the item themselves.';
comment on column public.trash.was is 'What restoring needs: the previous moderation state, what was deleted with it, and the text of a comment whose row was kept.';
comment on column public.trash.account is 'The owner of its memory, whose storage it uses; null for an album. A trigger sets it.';
alter table public.trash enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.trash to service_role;
grant select (kind, id, memory_id, deleted_by, guest_id, deleted_at) on table public.trash to anon;
grant select (kind, id, memory_id, deleted_by, guest_id, deleted_at) on table public.trash to authenticated;
CREATE INDEX trash_account ON public.trash USING btree (account, deleted_by);
CREATE UNIQUE INDEX trash_album_id ON public.trash USING btree (album_id) WHERE (album_id IS NOT NULL);
CREATE UNIQUE INDEX trash_comment_id ON public.trash USING btree (comment_id) WHERE (comment_id IS NOT NULL);
CREATE INDEX trash_deleted_at ON public.trash USING btree (deleted_at);
CREATE INDEX trash_guest_id ON public.trash USING btree (guest_id) WHERE (guest_id IS NOT NULL);
CREATE UNIQUE INDEX trash_media_id ON public.trash USING btree (media_id) WHERE (media_id IS NOT NULL);
CREATE INDEX trash_memory_id ON public.trash USING btree (memory_id);
CREATE INDEX trash_newest ON public.trash USING btree (deleted_by, deleted_at DESC, kind, id);
CREATE INDEX trash_newest_of_memory ON public.trash USING btree (deleted_by, memory_id, deleted_at DESC, kind, id);
CREATE UNIQUE INDEX trash_story_id ON public.trash USING btree (story_id) WHERE (story_id IS NOT NULL);
create policy "guest who deleted it reads" on public.trash for select to anon
  using ((guest_id = ( SELECT private.guest_id() AS guest_id)));
create policy "person who deleted it reads" on public.trash for select to authenticated
  using ((deleted_by = ( SELECT auth.uid() AS uid)));
create policy "required authentication level" on public.trash as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.trash for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER name_account BEFORE INSERT ON public.trash FOR EACH ROW EXECUTE FUNCTION private.name_account_of_trash();
CREATE TRIGGER purge_deleted AFTER DELETE ON public.trash REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.purge_deleted();

create table public.user_subscriptions (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  plan_id text not null,
  status text default 'active'::text not null,
  starts_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  order_id uuid,
  order_item_id uuid,
  name text not null,
  max_memories integer,
  storage_gb integer not null,
  term_years integer,
  amount integer not null,
  credit integer default 0 not null,
  currency text not null,
  replaced_at timestamp with time zone,
  constraint user_subscriptions_amount_check CHECK ((amount >= 0)),
  constraint user_subscriptions_check CHECK ((expires_at > starts_at)),
  constraint user_subscriptions_credit_check CHECK ((credit >= 0)),
  constraint user_subscriptions_currency_check CHECK ((currency = ANY (ARRAY['GBP'::text, 'EUR'::text]))),
  constraint user_subscriptions_max_memories_check CHECK ((max_memories > 0)),
  constraint user_subscriptions_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders(id) ON DELETE SET NULL,
  constraint user_subscriptions_order_item_id_fkey FOREIGN KEY (order_item_id) REFERENCES public.order_items(id) ON DELETE SET NULL,
  constraint user_subscriptions_order_item_id_key UNIQUE (order_item_id),
  constraint user_subscriptions_pkey PRIMARY KEY (id),
  constraint user_subscriptions_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES public.subscription_plans(id),
  constraint user_subscriptions_status_check CHECK ((status = ANY (ARRAY['active'::text, 'waiting'::text, 'replaced'::text, 'cancelled'::text, 'refunded'::text]))),
  constraint user_subscriptions_storage_gb_check CHECK ((storage_gb > 0)),
  constraint user_subscriptions_term_years_check CHECK ((term_years > 0)),
  constraint user_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);
comment on table public.user_subscriptions is 'Purchased plans. People can read their own; only the server writes them.';
comment on column public.user_subscriptions.status is 'active; waiting until a larger plan ends; replaced by a larger plan, which its unused value was added to; cancelled; refunded.';
comment on column public.user_subscriptions.expires_at is 'A plan counts while its status is active and this is in the future (Spec §4).';
comment on column public.user_subscriptions.order_item_id is 'The purchased item; null for a plan that an administrator granted.';
comment on column public.user_subscriptions.name is 'As sold, like max_memories (null for no limit), storage_gb and term_years.';
comment on column public.user_subscriptions.amount is 'Price paid in pence or cents; for a granted plan the price it would have had.';
comment on column public.user_subscriptions.credit is 'Remaining value of the plans it replaced, in pence or cents. It extends the term.';
alter table public.user_subscriptions enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.user_subscriptions to service_role;
grant select on table public.user_subscriptions to authenticated;
CREATE INDEX user_subscriptions_expires_at ON public.user_subscriptions USING btree (expires_at) WHERE (status = ANY (ARRAY['active'::text, 'waiting'::text]));
CREATE INDEX user_subscriptions_order_id ON public.user_subscriptions USING btree (order_id);
CREATE INDEX user_subscriptions_user_id ON public.user_subscriptions USING btree (user_id, expires_at DESC);
create policy "own rows" on public.user_subscriptions for select to authenticated
  using ((user_id = ( SELECT auth.uid() AS uid)));
create policy "required authentication level" on public.user_subscriptions as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.user_subscriptions for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER copy_sold_terms BEFORE INSERT ON public.user_subscriptions FOR EACH ROW EXECUTE FUNCTION private.copy_sold_terms();
CREATE TRIGGER watch_plan AFTER INSERT OR UPDATE ON public.user_subscriptions FOR EACH ROW EXECUTE FUNCTION private.watch_plan();

create table public.voucher_uses (
  voucher_id uuid not null,
  order_id uuid not null,
  user_id uuid,
  percentage numeric(5,2) not null,
  used_at timestamp with time zone default now() not null,
  paid_at timestamp with time zone,
  released_at timestamp with time zone,
  constraint voucher_uses_order_id_fkey FOREIGN KEY (order_id) REFERENCES public.orders(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  constraint voucher_uses_order_id_key UNIQUE (order_id),
  constraint voucher_uses_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE SET NULL,
  constraint voucher_uses_voucher_id_fkey FOREIGN KEY (voucher_id) REFERENCES public.vouchers(id) ON DELETE CASCADE
);
comment on table public.voucher_uses is 'The order that a voucher was used for. The buyer and administrators can read it; only the server writes it.';
comment on column public.voucher_uses.percentage is 'The discount that was applied.';
comment on column public.voucher_uses.used_at is 'When the use was reserved, at the start of the payment.';
comment on column public.voucher_uses.released_at is 'When it was released because the payment was not completed.';
alter table public.voucher_uses enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.voucher_uses to service_role;
grant select on table public.voucher_uses to authenticated;
CREATE INDEX voucher_uses_user_id ON public.voucher_uses USING btree (user_id);
CREATE INDEX voucher_uses_voucher_id ON public.voucher_uses USING btree (voucher_id) WHERE (released_at IS NULL);
create policy "buyer and administrators read" on public.voucher_uses for select to authenticated
  using (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_admin() AS is_admin)));
create policy "required authentication level" on public.voucher_uses as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.voucher_uses for all to service_role
  using (true)
  with check (true);

create table public.vouchers (
  id uuid default gen_random_uuid() not null,
  code text not null,
  percentage numeric(5,2) not null,
  starts_at timestamp with time zone default now() not null,
  ends_at timestamp with time zone,
  max_uses integer,
  max_uses_per_person integer,
  plan_ids text[],
  applies_to_cards boolean default true not null,
  active boolean default true not null,
  note text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  campaign_id uuid,
  revision integer default 1 not null,
  constraint created_at_in_years_1_to_9999 CHECK (((created_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (created_at <= '9999-12-31 00:00:00+00'::timestamp with time zone))),
  constraint ends_at_in_years_1_to_9999 CHECK (((ends_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (ends_at <= '9999-12-31 00:00:00+00'::timestamp with time zone))),
  constraint starts_at_in_years_1_to_9999 CHECK (((starts_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (starts_at <= '9999-12-31 00:00:00+00'::timestamp with time zone))),
  constraint vouchers_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES public.campaigns(id) ON DELETE CASCADE,
  constraint vouchers_check CHECK ((ends_at > starts_at)),
  constraint vouchers_code_check CHECK ((code ~ '^[A-Z0-9][A-Z0-9-]{1,38}[A-Z0-9]$'::text)),
  constraint vouchers_code_key UNIQUE (code),
  constraint vouchers_max_uses_check CHECK ((max_uses > 0)),
  constraint vouchers_max_uses_per_person_check CHECK ((max_uses_per_person > 0)),
  constraint vouchers_note_check CHECK ((length(note) <= 500)),
  constraint vouchers_percentage_check CHECK (((percentage > (0)::numeric) AND (percentage <= (100)::numeric))),
  constraint vouchers_pkey PRIMARY KEY (id)
);
comment on table public.vouchers is 'Codes for a percentage discount. Administrators can read and create them; everybody else can only check a single code.';
comment on column public.vouchers.code is 'In capitals. People may type it in any case.';
comment on column public.vouchers.max_uses is 'Total number of uses; null for no limit. Reserved uses that are not paid yet count.';
comment on column public.vouchers.plan_ids is 'The plans it applies to; null for all, empty for none.';
comment on column public.vouchers.applies_to_cards is 'Whether it applies to cards.';
comment on column public.vouchers.note is 'Purpose, for administrators.';
comment on column public.vouchers.campaign_id is 'The campaign that it was made for; null for one that was made alone.';
comment on column public.vouchers.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
alter table public.vouchers enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.vouchers to service_role;
grant delete, select on table public.vouchers to authenticated;
grant insert (id, code, percentage, starts_at, ends_at, max_uses, max_uses_per_person, plan_ids, applies_to_cards, active, note, created_at) on table public.vouchers to authenticated;
grant update (id, code, percentage, starts_at, ends_at, max_uses, max_uses_per_person, plan_ids, applies_to_cards, active, note, created_at, revision) on table public.vouchers to authenticated;
CREATE INDEX vouchers_campaign_id ON public.vouchers USING btree (campaign_id);
CREATE INDEX vouchers_newest ON public.vouchers USING btree (created_at DESC, id) WHERE (campaign_id IS NULL);
create policy administrators on public.vouchers for all to authenticated
  using (( SELECT private.is_admin() AS is_admin))
  with check (( SELECT private.is_admin() AS is_admin));
create policy "required authentication level" on public.vouchers as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.vouchers for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER t15_revise BEFORE UPDATE ON public.vouchers FOR EACH ROW WHEN ((((((((((((old.code IS DISTINCT FROM new.code) OR (old.percentage IS DISTINCT FROM new.percentage)) OR (old.starts_at IS DISTINCT FROM new.starts_at)) OR (old.ends_at IS DISTINCT FROM new.ends_at)) OR (old.max_uses IS DISTINCT FROM new.max_uses)) OR (old.max_uses_per_person IS DISTINCT FROM new.max_uses_per_person)) OR (old.plan_ids IS DISTINCT FROM new.plan_ids)) OR (old.applies_to_cards IS DISTINCT FROM new.applies_to_cards)) OR (old.active IS DISTINCT FROM new.active)) OR (old.note IS DISTINCT FROM new.note)) OR (old.revision IS DISTINCT FROM new.revision))) EXECUTE FUNCTION private.revise();
CREATE TRIGGER write_code_plainly BEFORE INSERT OR UPDATE ON public.vouchers FOR EACH ROW EXECUTE FUNCTION private.write_code_plainly();
CREATE TRIGGER z90_audit_change AFTER DELETE OR UPDATE ON public.vouchers FOR EACH ROW EXECUTE FUNCTION private.audit_change('code', 'plain');
CREATE TRIGGER z90_audit_insert AFTER INSERT ON public.vouchers FOR EACH ROW WHEN ((new.campaign_id IS NULL)) EXECUTE FUNCTION private.audit_change('code', 'plain');

create table public.walls (
  id uuid default gen_random_uuid() not null,
  memory_id uuid not null,
  wall_id text default private.new_share_id() not null,
  link_id uuid,
  created_at timestamp with time zone default now() not null,
  revoked_at timestamp with time zone,
  expires_at timestamp with time zone,
  version integer default 1 not null,
  changes integer default 0 not null,
  shows_pictures boolean default true not null,
  shows_words boolean default true not null,
  shows_candles boolean default true not null,
  shows_names boolean default true not null,
  layout text default 'one'::text not null,
  pace smallint default 10 not null,
  is_dark boolean default true not null,
  plays_sound boolean default false not null,
  is_paused boolean default false not null,
  step integer default 0 not null,
  anchor_tick integer default 0 not null,
  anchored_at timestamp with time zone default now() not null,
  constraint expires_at_in_years_1_to_9999 CHECK (((expires_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (expires_at <= '9999-12-31 00:00:00+00'::timestamp with time zone))),
  constraint revoked_at_in_years_1_to_9999 CHECK (((revoked_at >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (revoked_at <= '9999-12-31 00:00:00+00'::timestamp with time zone))),
  constraint walls_layout_check CHECK ((layout = ANY (ARRAY['one'::text, 'mosaic'::text]))),
  constraint walls_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.share_links(id) ON DELETE SET NULL,
  constraint walls_memory_id_fkey FOREIGN KEY (memory_id) REFERENCES public.memories(id) ON DELETE CASCADE,
  constraint walls_memory_id_key UNIQUE (memory_id),
  constraint walls_pace_check CHECK (((pace >= 5) AND (pace <= 120))),
  constraint walls_pkey PRIMARY KEY (id),
  constraint walls_step_check CHECK (((step >= '-1000000'::integer) AND (step <= 1000000))),
  constraint walls_wall_id_key UNIQUE (wall_id)
);
comment on table public.walls is 'The live wall of a memory: its link, what it may show, and its remote control. Managers read and change it. A screen reads the settings of its own wall, even after it was turned off.';
comment on column public.walls.wall_id is 'The identifier in /wall/{wallId}. Only managers can read it.';
comment on column public.walls.link_id is 'The share link to which the QR code leads; null for no QR code.';
comment on column public.walls.revoked_at is 'The wall is off from this time on.';
comment on column public.walls.version is 'Increased when access ends or the address changes. Tokens and media URLs of an older version are invalid.';
comment on column public.walls.changes is 'Increased when something that wall_head answers has changed, so that screens ask again.';
comment on column public.walls.shows_pictures is 'Whether photos and videos appear. In a tribute off until a manager allows it.';
comment on column public.walls.shows_words is 'Whether comments on the memory appear.';
comment on column public.walls.shows_names is 'Whether the names of authors appear.';
comment on column public.walls.pace is 'Seconds for which a picture is shown.';
comment on column public.walls.step is 'Increased by the remote control to show the next picture, and decreased for the previous one.';
comment on column public.walls.anchor_tick is 'The position in the sequence of pictures at anchored_at. Screens and remote controls compute the present one from it.';
alter table public.walls enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.walls to service_role;
grant select on table public.walls to authenticated;
grant insert (memory_id, link_id) on table public.walls to authenticated;
grant select (id, memory_id, version, changes, shows_pictures, shows_words, shows_candles, shows_names, layout, pace, is_dark, plays_sound, is_paused, step, anchor_tick, anchored_at) on table public.walls to anon;
grant update (link_id, revoked_at, expires_at, shows_pictures, shows_words, shows_candles, shows_names, layout, pace, is_dark, plays_sound, is_paused, step) on table public.walls to authenticated;
CREATE INDEX walls_link_id ON public.walls USING btree (link_id) WHERE (link_id IS NOT NULL);
create policy "managers add" on public.walls for insert to authenticated
  with check (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = walls.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "managers change" on public.walls for update to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = walls.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "managers read" on public.walls for select to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = walls.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))));
create policy "required authentication level" on public.walls as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy "screen reads own settings" on public.walls for select to anon
  using ((id = (((( SELECT auth.jwt() AS jwt) -> 'wall'::text) ->> 'id'::text))::uuid));
create policy service on public.walls for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER t10_prepare_wall BEFORE INSERT ON public.walls FOR EACH ROW EXECUTE FUNCTION private.prepare_wall();
CREATE TRIGGER t20_validate_wall BEFORE INSERT OR UPDATE ON public.walls FOR EACH ROW EXECUTE FUNCTION private.validate_wall();
CREATE TRIGGER t30_follow_wall BEFORE UPDATE ON public.walls FOR EACH ROW EXECUTE FUNCTION private.follow_wall();

create table public.who_questions (
  media_id uuid not null,
  memory_id uuid not null,
  x real,
  y real,
  created_at timestamp with time zone default now() not null,
  constraint about_a_photo_of_the_memory FOREIGN KEY (media_id, memory_id) REFERENCES public.media(id, memory_id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint point_has_both CHECK (((x IS NULL) = (y IS NULL))),
  constraint who_questions_pkey PRIMARY KEY (media_id),
  constraint who_questions_x_check CHECK (((x >= (0)::double precision) AND (x <= (1)::double precision))),
  constraint who_questions_y_check CHECK (((y >= (0)::double precision) AND (y <= (1)::double precision)))
);
comment on table public.who_questions is 'Photos and videos about which somebody asked who is in them, once each. Visible to everybody who can see the photo or video.';
comment on column public.who_questions.x is 'As media_names.x: where the person is of whom the question is.';
comment on column public.who_questions.y is 'As media_names.y.';
alter table public.who_questions enable row level security;
grant delete, insert, maintain, references, select, trigger, truncate, update on table public.who_questions to service_role;
grant delete, select on table public.who_questions to anon;
grant delete, select on table public.who_questions to authenticated;
grant insert (media_id, memory_id, x, y) on table public.who_questions to anon;
grant insert (media_id, memory_id, x, y) on table public.who_questions to authenticated;
CREATE INDEX who_questions_memory_id ON public.who_questions USING btree (memory_id, media_id);
create policy "commenters ask" on public.who_questions for insert to authenticated
  with check ((((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = who_questions.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('comment'::text) AS shared_memory_ids)::uuid[]))) AND (EXISTS ( SELECT
   FROM public.media m
  WHERE (m.id = who_questions.media_id)))));
create policy "editors, and the person who added the photo, end" on public.who_questions for delete to authenticated
  using (((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = who_questions.memory_id))) OR (memory_id = ANY (( SELECT private.shared_memory_ids('read details'::text) AS shared_memory_ids)::uuid[])) OR (media_id = ANY (( SELECT private.added_media_ids() AS added_media_ids)::uuid[]))));
create policy "guest asks" on public.who_questions for insert to anon
  with check (((( SELECT private.guest_id() AS guest_id) IS NOT NULL) AND (memory_id = ANY (( SELECT private.shared_memory_ids('comment'::text) AS shared_memory_ids)::uuid[])) AND (EXISTS ( SELECT
   FROM public.media m
  WHERE (m.id = who_questions.media_id)))));
create policy "guest ends on own photos" on public.who_questions for delete to anon
  using ((media_id = ANY (( SELECT private.added_media_ids() AS added_media_ids)::uuid[])));
create policy "not before the reveal" on public.who_questions as restrictive for all to anon, authenticated
  using (((memory_id <> ALL (( SELECT private.covered_memory_ids() AS covered_memory_ids)::uuid[])) OR (media_id IN ( SELECT private.uncovered_ids('media'::text) AS uncovered_ids))));
create policy "not for a wall" on public.who_questions as restrictive for all to anon
  using ((NOT (( SELECT auth.jwt() AS jwt) ? 'wall'::text)));
create policy "required authentication level" on public.who_questions as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on public.who_questions for all to service_role
  using (true)
  with check (true);
create policy "viewers of the photo read" on public.who_questions for select to anon, authenticated
  using ((EXISTS ( SELECT
   FROM public.media m
  WHERE (m.id = who_questions.media_id))));

create table realtime.changes (
  id bigint generated always as identity not null,
  xact xid8 default pg_current_xact_id() not null,
  schema_name text not null,
  table_name text not null,
  type text not null,
  key jsonb not null,
  old_record jsonb,
  captured_at timestamp with time zone default clock_timestamp() not null,
  constraint changes_pkey PRIMARY KEY (id),
  constraint changes_type_check CHECK ((type = ANY (ARRAY['INSERT'::text, 'UPDATE'::text, 'DELETE'::text])))
);
comment on table realtime.changes is 'Changes of the last minutes, for every process to send. No caller can read them.';
comment on column realtime.changes.key is 'The row''s primary key by column name.';
comment on column realtime.changes.old_record is 'The deleted row, to decide who could see it; null otherwise.';
CREATE INDEX changes_captured_at ON realtime.changes USING btree (captured_at);
CREATE INDEX changes_xact ON realtime.changes USING btree (xact);

create table storage.buckets (
  id text not null,
  name text not null,
  owner uuid,
  owner_id text,
  public boolean default false not null,
  avif_autodetection boolean default false not null,
  file_size_limit bigint,
  allowed_mime_types text[],
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint buckets_name_key UNIQUE (name),
  constraint buckets_pkey PRIMARY KEY (id)
);
comment on table storage.buckets is 'A named space for objects, with its own limits.';
alter table storage.buckets enable row level security;
grant delete, insert, select, update on table storage.buckets to anon;
grant delete, insert, select, update on table storage.buckets to authenticated;
grant delete, insert, select, update on table storage.buckets to service_role;
create policy service on storage.buckets for all to service_role
  using (true)
  with check (true);

create table storage.discarded (
  version text not null,
  bucket_id text not null,
  discarded_at timestamp with time zone default now() not null,
  constraint discarded_pkey PRIMARY KEY (version)
);
comment on table storage.discarded is 'Versions that nothing names, and whose bytes may be removed a day after `discarded_at`.';
CREATE INDEX discarded_by_age ON storage.discarded USING btree (discarded_at);

create table storage.objects (
  id uuid default gen_random_uuid() not null,
  bucket_id text not null,
  name text not null,
  owner uuid,
  owner_id text,
  version text not null,
  metadata jsonb default '{}'::jsonb not null,
  user_metadata jsonb default '{}'::jsonb not null,
  path_tokens text[] generated always as (string_to_array(name, '/'::text)) stored,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  last_accessed_at timestamp with time zone default now() not null,
  constraint objects_bucket_id_fkey FOREIGN KEY (bucket_id) REFERENCES storage.buckets(id),
  constraint objects_bucket_id_name_key UNIQUE (bucket_id, name),
  constraint objects_pkey PRIMARY KEY (id),
  constraint objects_version_key UNIQUE (version)
);
comment on table storage.objects is 'Stored files. The row policies protect the bytes, their renditions and their signed URLs.';
alter table storage.objects enable row level security;
grant delete, insert, select, update on table storage.objects to anon;
grant delete, insert, select, update on table storage.objects to authenticated;
grant delete, insert, select, update on table storage.objects to service_role;
CREATE INDEX objects_name_prefix ON storage.objects USING btree (bucket_id, name text_pattern_ops);
create policy "avatars: people of the same memory read" on storage.objects for select to authenticated
  using (((bucket_id = 'avatars'::text) AND (EXISTS ( SELECT
   FROM private.pictures_of_fellows f
  WHERE (f.name = objects.name)))));
create policy "avatars: people who see the person's name read" on storage.objects for select to anon, authenticated
  using (((bucket_id = 'avatars'::text) AND ((name = ( SELECT private.picture_name(auth.uid()) AS picture_name)) OR (EXISTS ( SELECT
   FROM public.comment_credits n
  WHERE (n.picture = objects.name))))));
create policy "avatars: person adds" on storage.objects for insert to authenticated
  with check (((bucket_id = 'avatars'::text) AND (name = ( SELECT private.picture_name(auth.uid()) AS picture_name))));
create policy "avatars: person removes" on storage.objects for delete to authenticated
  using (((bucket_id = 'avatars'::text) AND (name = ( SELECT private.picture_name(auth.uid()) AS picture_name))));
create policy "avatars: person replaces" on storage.objects for update to authenticated
  using (((bucket_id = 'avatars'::text) AND (name = ( SELECT private.picture_name(auth.uid()) AS picture_name))))
  with check (((bucket_id = 'avatars'::text) AND (name = ( SELECT private.picture_name(auth.uid()) AS picture_name))));
create policy "covers: administrators and editors add" on storage.objects for insert to authenticated
  with check (((bucket_id = 'covers'::text) AND (name ~ '^[0-9a-f-]{36}\.[a-z]{3,4}$'::text) AND ( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'editor'::text]) AS has_role)));
create policy "covers: administrators and editors read" on storage.objects for select to authenticated
  using (((bucket_id = 'covers'::text) AND ( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'editor'::text]) AS has_role)));
create policy "covers: readers of the post read" on storage.objects for select to anon, authenticated
  using (((bucket_id = 'covers'::text) AND (EXISTS ( SELECT
   FROM public.blog_posts p
  WHERE (p.cover = objects.name)))));
create policy "films: managers read" on storage.objects for select to authenticated
  using (((bucket_id = 'films'::text) AND (EXISTS ( SELECT
   FROM public.slideshow_films f
  WHERE (f.object_name = objects.name)))));
create policy "media: contributors add" on storage.objects for insert to authenticated
  with check (((bucket_id = 'media'::text) AND (cardinality(path_tokens) = 2) AND ((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = private.memory_of(objects.name)))) OR (private.memory_of(name) = ANY (( SELECT private.shared_memory_ids('contribute'::text) AS shared_memory_ids)::uuid[])))));
create policy "media: guest adds" on storage.objects for insert to anon
  with check (((bucket_id = 'media'::text) AND (( SELECT private.guest_id() AS guest_id) IS NOT NULL) AND (owner IS NULL) AND (cardinality(path_tokens) = 2) AND (private.memory_of(name) = ANY (( SELECT private.shared_memory_ids('contribute'::text) AS shared_memory_ids)::uuid[]))));
create policy "media: guest deletes own" on storage.objects for delete to anon
  using (((bucket_id = 'media'::text) AND (private.memory_of(name) = ANY (( SELECT private.shared_memory_ids('contribute'::text) AS shared_memory_ids)::uuid[])) AND (( SELECT private.guest_id() AS guest_id) IS NOT NULL) AND (id = ANY (( SELECT private.added_media_ids() AS added_media_ids)::uuid[]))));
create policy "media: letter shows" on storage.objects for select to anon
  using (((bucket_id = 'media'::text) AND (id = ANY (( SELECT private.letter_media_ids() AS letter_media_ids)::uuid[]))));
create policy "media: managers and the person who added it delete" on storage.objects for delete to authenticated
  using (((bucket_id = 'media'::text) AND ((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = private.memory_of(objects.name)))) OR (private.memory_of(name) = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[])) OR ((owner = ( SELECT auth.uid() AS uid)) AND ((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = private.memory_of(objects.name)))) OR (private.memory_of(name) = ANY (( SELECT private.shared_memory_ids('contribute'::text) AS shared_memory_ids)::uuid[])))))));
create policy "media: managers move" on storage.objects for update to authenticated
  using (((bucket_id = 'media'::text) AND ((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = private.memory_of(objects.name)))) OR (private.memory_of(name) = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[])))))
  with check (((bucket_id = 'media'::text) AND (cardinality(path_tokens) = 2) AND ((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = private.memory_of(objects.name)))) OR (private.memory_of(name) = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[])))));
create policy "media: person who uploads reads" on storage.objects for select to authenticated
  using (((bucket_id = 'media'::text) AND (owner = ( SELECT auth.uid() AS uid)) AND (NOT (EXISTS ( SELECT
   FROM private.own_deleted_media d
  WHERE (d.id = objects.id)))) AND ((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = private.memory_of(objects.name)))) OR (private.memory_of(name) = ANY (( SELECT private.shared_memory_ids('contribute'::text) AS shared_memory_ids)::uuid[])))));
create policy "media: viewers read" on storage.objects for select to anon, authenticated
  using (((bucket_id = 'media'::text) AND (EXISTS ( SELECT
   FROM public.media m
  WHERE (m.id = objects.id)))));
create policy "only photos for a letter" on storage.objects as restrictive for all to anon
  using (((NOT (( SELECT auth.jwt() AS jwt) ? 'letter'::text)) OR (bucket_id = 'media'::text)));
create policy "only pictures for a wall" on storage.objects as restrictive for all to anon
  using (((NOT (( SELECT auth.jwt() AS jwt) ? 'wall'::text)) OR (bucket_id = ANY (ARRAY['media'::text, 'posters'::text]))));
create policy "posters: guest adds" on storage.objects for insert to anon
  with check (((bucket_id = 'posters'::text) AND (( SELECT private.guest_id() AS guest_id) IS NOT NULL) AND (EXISTS ( SELECT
   FROM public.media m
  WHERE ((m.object_name = "left"(objects.name, '-4'::integer)) AND (objects.name ~~ '%.jpg'::text) AND (m.type = 'video'::text) AND (m.id = ANY (( SELECT private.added_media_ids() AS added_media_ids)::uuid[])))))));
create policy "posters: managers and the person who added it add" on storage.objects for insert to authenticated
  with check (((bucket_id = 'posters'::text) AND (EXISTS ( SELECT
   FROM public.media m
  WHERE ((m.object_name = "left"(objects.name, '-4'::integer)) AND (objects.name ~~ '%.jpg'::text) AND (m.type = 'video'::text) AND ((EXISTS ( SELECT
           FROM private.own_memories own
          WHERE (own.id = m.memory_id))) OR (m.memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[])) OR (m.id = ANY (( SELECT private.added_media_ids() AS added_media_ids)::uuid[]))))))));
create policy "posters: managers and the person who added it delete" on storage.objects for delete to authenticated
  using (((bucket_id = 'posters'::text) AND (EXISTS ( SELECT
   FROM public.media m
  WHERE ((m.poster_name = objects.name) AND ((EXISTS ( SELECT
           FROM private.own_memories own
          WHERE (own.id = m.memory_id))) OR (m.memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[])) OR (m.id = ANY (( SELECT private.added_media_ids() AS added_media_ids)::uuid[]))))))));
create policy "posters: managers change" on storage.objects for update to authenticated
  using (((bucket_id = 'posters'::text) AND ((EXISTS ( SELECT
   FROM private.own_memories own
  WHERE (own.id = private.memory_of(objects.name)))) OR (private.memory_of(name) = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[])))))
  with check (((bucket_id = 'posters'::text) AND (EXISTS ( SELECT
   FROM public.media m
  WHERE ((m.object_name = "left"(objects.name, '-4'::integer)) AND (objects.name ~~ '%.jpg'::text) AND (m.type = 'video'::text) AND ((EXISTS ( SELECT
           FROM private.own_memories own
          WHERE (own.id = m.memory_id))) OR (m.memory_id = ANY (( SELECT private.shared_memory_ids('manage'::text) AS shared_memory_ids)::uuid[]))))))));
create policy "posters: viewers read" on storage.objects for select to anon, authenticated
  using (((bucket_id = 'posters'::text) AND ((EXISTS ( SELECT
   FROM public.media m
  WHERE (m.poster_name = objects.name))) OR (EXISTS ( SELECT
   FROM public.media m
  WHERE ((m.object_name = "left"(objects.name, '-4'::integer)) AND (objects.name ~~ '%.jpg'::text)))))));
create policy "required authentication level" on storage.objects as restrictive for all to authenticated
  using (( SELECT private.has_required_aal() AS has_required_aal));
create policy service on storage.objects for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER count_objects_added AFTER INSERT ON storage.objects REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_objects();
CREATE TRIGGER count_objects_changed AFTER UPDATE ON storage.objects REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION private.count_objects();
CREATE TRIGGER count_objects_deleted AFTER DELETE ON storage.objects REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION private.count_objects();
CREATE TRIGGER discard_version AFTER DELETE OR UPDATE ON storage.objects FOR EACH ROW EXECUTE FUNCTION storage.discard_version();
CREATE TRIGGER finish_upload AFTER INSERT OR UPDATE OF version ON storage.objects FOR EACH ROW EXECUTE FUNCTION storage.finish_upload();
CREATE TRIGGER follow_deleted_poster AFTER DELETE ON storage.objects FOR EACH ROW WHEN ((old.bucket_id = 'posters'::text)) EXECUTE FUNCTION private.follow_poster();
CREATE TRIGGER follow_new_poster AFTER INSERT OR UPDATE OF name, version ON storage.objects FOR EACH ROW WHEN ((new.bucket_id = 'posters'::text)) EXECUTE FUNCTION private.follow_poster();
CREATE TRIGGER follow_object AFTER UPDATE OF name ON storage.objects FOR EACH ROW WHEN (((new.bucket_id = 'media'::text) AND (new.name <> old.name))) EXECUTE FUNCTION private.follow_object();
CREATE TRIGGER keep_original BEFORE UPDATE OF version ON storage.objects FOR EACH ROW WHEN (((old.bucket_id = 'media'::text) AND (new.name = old.name) AND (new.version <> old.version))) EXECUTE FUNCTION private.keep_original();
CREATE TRIGGER limit_images BEFORE INSERT ON storage.objects FOR EACH ROW WHEN (((new.bucket_id = 'media'::text) AND (((new.metadata ->> 'size'::text))::bigint > (((
        CASE
            WHEN ((new.metadata ->> 'mimetype'::text) ~~ 'image/%'::text) THEN 50
            WHEN ((new.metadata ->> 'mimetype'::text) = 'application/pdf'::text) THEN 100
            ELSE NULL::integer
        END)::bigint * 1024) * 1024)))) EXECUTE FUNCTION private.limit_images();
CREATE TRIGGER make_media AFTER INSERT ON storage.objects FOR EACH ROW WHEN ((new.bucket_id = 'media'::text)) EXECUTE FUNCTION private.make_media();
CREATE TRIGGER move_to_trash AFTER DELETE ON storage.objects FOR EACH STATEMENT EXECUTE FUNCTION private.move_media_to_trash();
CREATE TRIGGER name_picture BEFORE INSERT ON storage.objects FOR EACH ROW WHEN (((new.bucket_id = 'avatars'::text) AND (new.name = (auth.uid())::text))) EXECUTE FUNCTION private.name_picture();
CREATE TRIGGER name_version BEFORE INSERT OR UPDATE OF version ON storage.objects FOR EACH ROW EXECUTE FUNCTION storage.name_version();
CREATE TRIGGER refuse_as_avatar BEFORE UPDATE OF bucket_id ON storage.objects FOR EACH ROW WHEN (((new.bucket_id = 'avatars'::text) AND (old.bucket_id <> 'avatars'::text))) EXECUTE FUNCTION private.refuse_as_avatar();
CREATE TRIGGER t10_move_to_trash BEFORE DELETE ON storage.objects FOR EACH ROW WHEN (((old.bucket_id = 'media'::text) AND (CURRENT_USER = ANY (ARRAY['anon'::name, 'authenticated'::name])))) EXECUTE FUNCTION private.collect_deleted_media();

create table storage.removed (
  digest bytea not null,
  version text,
  bucket_id text,
  removed_at timestamp with time zone default now() not null,
  constraint removed_pkey PRIMARY KEY (digest)
);
comment on table storage.removed is 'Versions whose bytes are removed or about to be, for a month. No object may get such a version.';
CREATE INDEX removed_by_age ON storage.removed USING btree (removed_at);
CREATE INDEX removed_not_cleared ON storage.removed USING btree (version) WHERE (version IS NOT NULL);

create table storage.uploads (
  id text not null,
  bucket_id text not null,
  name text not null,
  size bigint not null,
  upsert boolean default false not null,
  metadata jsonb default '{}'::jsonb not null,
  caller jsonb not null,
  created_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  account uuid,
  lease_holder text,
  lease_until timestamp with time zone,
  lease_wanted boolean,
  active_at timestamp with time zone default now() not null,
  constraint uploads_bucket_id_fkey FOREIGN KEY (bucket_id) REFERENCES storage.buckets(id) ON DELETE CASCADE,
  constraint uploads_pkey PRIMARY KEY (id),
  constraint uploads_size_check CHECK ((size >= 0))
);
comment on table storage.uploads is 'Resumable uploads of the last day. Only the server can read them.';
comment on column storage.uploads.account is 'The account whose limit its bytes are reserved from; null if they are not counted. Set by the product.';
comment on column storage.uploads.lease_wanted is 'Whether another request waits for the holder to let go.';
comment on column storage.uploads.active_at is 'The last request that wrote bytes, to the minute.';
alter table storage.uploads enable row level security;
CREATE INDEX uploads_account ON storage.uploads USING btree (account) WHERE (finished_at IS NULL);
CREATE INDEX uploads_created_at ON storage.uploads USING btree (created_at);
CREATE INDEX uploads_name ON storage.uploads USING btree (bucket_id, name) WHERE (finished_at IS NULL);
create policy service on storage.uploads for all to service_role
  using (true)
  with check (true);
CREATE TRIGGER discard_upload AFTER DELETE ON storage.uploads FOR EACH ROW WHEN ((old.finished_at IS NULL)) EXECUTE FUNCTION storage.discard_upload();
CREATE TRIGGER hold_upload BEFORE INSERT ON storage.uploads FOR EACH ROW EXECUTE FUNCTION private.hold_upload();
CREATE TRIGGER hold_upload_again BEFORE UPDATE OF active_at ON storage.uploads FOR EACH ROW WHEN (((old.account IS NULL) AND (old.finished_at IS NULL))) EXECUTE FUNCTION private.hold_upload();
CREATE TRIGGER release_finished_upload AFTER UPDATE ON storage.uploads FOR EACH ROW WHEN (((old.account IS NOT NULL) AND (old.finished_at IS NULL) AND (new.finished_at IS NOT NULL))) EXECUTE FUNCTION private.release_upload();
CREATE TRIGGER release_idle_upload AFTER UPDATE OF account ON storage.uploads FOR EACH ROW WHEN (((old.account IS NOT NULL) AND (old.finished_at IS NULL) AND (new.account IS NULL) AND (new.finished_at IS NULL))) EXECUTE FUNCTION private.release_upload();
CREATE TRIGGER release_upload AFTER DELETE ON storage.uploads FOR EACH ROW WHEN (((old.account IS NOT NULL) AND (old.finished_at IS NULL))) EXECUTE FUNCTION private.release_upload();

CREATE OR REPLACE FUNCTION auth.email()
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select auth.jwt() ->> 'email'
$function$;
grant execute on function auth.email() to public;

CREATE OR REPLACE FUNCTION auth.jwt()
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb
$function$;
grant execute on function auth.jwt() to public;

CREATE OR REPLACE FUNCTION auth.lower_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  with lowered as (
    update auth.sessions s set aal = 'aal1', factor_id = null, updated_at = now()
    where s.user_id = old.user_id and s.aal = 'aal2' and (s.factor_id = old.id
      or not exists (select from auth.mfa_factors f where f.user_id = old.user_id and f.status = 'verified'))
    returning s.id
  )
  delete from auth.mfa_amr_claims a using lowered
  where a.session_id = lowered.id and a.authentication_method in ('totp', 'mfa/phone');
  return null;
end
$function$;
comment on function auth.lower_sessions() is 'Lowers the sessions that had verified a removed factor to aal1, and all of the person''s sessions after the last one.';

CREATE OR REPLACE FUNCTION auth.notify_account_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform pg_notify('session_ended', s.id::text) from auth.sessions s where s.user_id = new.id;
  perform pg_notify('realtime', '');
  return null;
end
$function$;
comment on function auth.notify_account_changed() is 'Makes every server process read the claims of an account''s sessions again.';

CREATE OR REPLACE FUNCTION auth.notify_session_ended()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform pg_notify('session_ended', old.id::text);
  return null;
end
$function$;
comment on function auth.notify_session_ended() is 'Makes every server process check again whether a session is open.';

CREATE OR REPLACE FUNCTION auth.role()
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select auth.jwt() ->> 'role'
$function$;
grant execute on function auth.role() to public;

CREATE OR REPLACE FUNCTION auth.typed_address(value text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
declare
  line text := replace(normalize(regexp_replace(auth.typed_line(value),
    '[\u200c\u200d\u20e3\ufe00-\ufe0f\U000e0000-\U000e0fff]', '', 'g'), NFKC), '。', '.');
begin
  -- Longer than any address with a name, as in shared/typed-address.ts.
  if length(value) > 1000 then
    return value;
  end if;
  line := btrim(coalesce(
    substring(line from '^[^<>]*<([^<>]+)>[ .,;]*$'), substring(line from '^\[[^][]*\]\(([^()]+)\)[ .,;]*$'), line));
  if line ~* '^mailto:' then
    line := regexp_replace(replace(regexp_replace(substr(line, 8), '\?.*$', ''), '%40', '@'), '%2b', '+', 'gi');
  end if;
  line := regexp_replace(line, '^[[:alpha:]-]+: ?(?=[^ ]+@[^ ]+$)', '');
  line := regexp_replace(line, ' \([^()@]*\)$', '');
  line := regexp_replace(line, '^[][ ''"“”„‘’‚«»‹›({<•·]+', '');
  line := regexp_replace(line, '^([*_~`]{1,3})(.*)\1[^*_~`]*$', '\2');
  line := regexp_replace(line, '[][ .,;:!?''"“”„‘’‚«»‹›(){}<>•·*_~`|/\\-]+$', '');
  return lower(line);
end
$function$;
comment on function auth.typed_address(text) is 'An address as it is stored: of "Name <a@b>" and "mailto:a@b" the address alone, in lower case, without invisible characters and a final dot.';
grant execute on function auth.typed_address(text) to anon;
grant execute on function auth.typed_address(text) to authenticated;
grant execute on function auth.typed_address(text) to public;
grant execute on function auth.typed_address(text) to service_role;

CREATE OR REPLACE FUNCTION auth.typed_line(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
  select btrim(regexp_replace(regexp_replace(regexp_replace(
    regexp_replace(normalize(left(value, 2000), NFC),
      '[\u034f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]', '', 'g'),
    '[\u0001-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ' ', 'g'),
    '(^| )[\u200c\u200d]+', '\1', 'g'), '[\u200c\u200d]+( |$)', '\1', 'g'))
$function$;
comment on function auth.typed_line(text) is 'One line of text: composed, without invisible characters, with single spaces.';
grant execute on function auth.typed_line(text) to anon;
grant execute on function auth.typed_line(text) to authenticated;
grant execute on function auth.typed_line(text) to public;
grant execute on function auth.typed_line(text) to service_role;

CREATE OR REPLACE FUNCTION auth.uid()
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select (auth.jwt() ->> 'sub')::uuid
$function$;
grant execute on function auth.uid() to public;

CREATE OR REPLACE FUNCTION private.accept_invitation(asked public.invitations)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.invitations set state = 'accepted', settled_at = now(), accepted_by = auth.uid() where id = asked.id;
  if not exists (select from public.memories where id = asked.memory_id and user_id = auth.uid()) then
    insert into public.memory_members as known (memory_id, user_id, role) values (asked.memory_id, auth.uid(), asked.role)
    -- Accepting never lowers an existing role.
    on conflict (memory_id, user_id) do update set role = excluded.role
      where array_position('{viewer,contributor,co-owner}'::text[], excluded.role)
        > array_position('{viewer,contributor,co-owner}'::text[], known.role);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.accepted_rights(role text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case role when 'viewer' then 'view' else 'contribute' end
$function$;
comment on function private.accepted_rights(text) is 'Rights of an accepted invitation''s letter, which opens only for the member who accepted it: those of their role, except managing.';

CREATE OR REPLACE FUNCTION private.access_to_object(object storage.objects)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case
    when auth.role() = 'service_role' or object.owner = auth.uid()
      or private.is_manager(private.memory_of(object.name))
      or auth.role() = 'anon' and exists (select from public.media_details d where d.media_id = object.id and d.guest_id = private.guest_id())
      then 'original'
    when auth.jwt() ? 'share' and not exists (select from private.open_link() where allows_download)
      and coalesce(private.member_role(private.memory_of(object.name)), '') not in ('contributor', 'viewer') then 'view'
    when auth.jwt() ? 'wall' or auth.jwt() ? 'letter' then 'view'
    else 'copy'
  end
$function$;
comment on function private.access_to_object(storage.objects) is 'What the caller may download of an object that they can see: the original, a cleaned copy, or only a view.';
grant execute on function private.access_to_object(storage.objects) to anon;
grant execute on function private.access_to_object(storage.objects) to authenticated;
grant execute on function private.access_to_object(storage.objects) to service_role;

CREATE OR REPLACE FUNCTION private.account_label(person uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('id', u.id, 'name', coalesce(nullif(private.name_of(u.id), ''), u.email, '+' || u.phone))
  from auth.users u where u.id = person
$function$;

CREATE OR REPLACE FUNCTION private.add_money(at timestamp with time zone, of_currency text, paid bigint, returned bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  on_day constant date := (at at time zone 'utc')::date;
begin
  if at is null or (add_money.paid = 0 and add_money.returned = 0) then
    return;
  end if;
  insert into private.daily_money (day, currency, paid, returned) values (on_day, of_currency, add_money.paid, add_money.returned);
  if (select count(*) from (select from private.daily_money d where d.day = on_day and d.currency = of_currency
      limit private.most_ledger_rows() + 1) d) > private.most_ledger_rows() then
    -- Only rows that nobody else has locked, as in private.merge_sums.
    with merged as (
      delete from private.daily_money d where d.ctid = any (array(
        select l.ctid from private.daily_money l where l.day = on_day and l.currency = of_currency for update skip locked))
      returning d.*
    )
    insert into private.daily_money (day, currency, paid, returned)
    select on_day, of_currency, sum(m.paid), sum(m.returned) from merged m having count(*) > 0;
  end if;
end
$function$;
comment on function private.add_money(timestamp with time zone,text,bigint,bigint) is 'Changes what was paid and returned on a day by differences.';

CREATE OR REPLACE FUNCTION private.add_to_counts(of_memory uuid, photos bigint, comments bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if add_to_counts.photos = 0 and add_to_counts.comments = 0 then
    return;
  end if;
  insert into public.memory_counts (memory_id, photos, comments)
  -- Not for a memory that this transaction deletes.
  select m.id, add_to_counts.photos, add_to_counts.comments from public.memories m where m.id = of_memory;
  if (select count(*) from (select from public.memory_counts c where c.memory_id = of_memory limit private.most_ledger_rows() + 1) c)
    > private.most_ledger_rows() then
    -- Only rows that nobody else has locked, as in private.merge_sums.
    with merged as (
      delete from public.memory_counts c where c.ctid = any (array(
        select l.ctid from public.memory_counts l where l.memory_id = of_memory for update skip locked))
      returning c.*
    )
    insert into public.memory_counts (memory_id, photos, comments)
    select of_memory, sum(c.photos), sum(c.comments) from merged c having count(*) > 0;
  end if;
end
$function$;
comment on function private.add_to_counts(uuid,bigint,bigint) is 'Changes the counts of a memory by differences.';

CREATE OR REPLACE FUNCTION private.add_to_inbox()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_table_name = 'reports' then
    insert into public.inbox_items (id, report_id, created_at, state, search)
    values (new.id, new.id, new.created_at, case when new.outcome is null then 'new' else 'closed' end,
      private.search_words(concat_ws(' ', new.kind, new.reason, new.email, new.words)));
  else
    insert into public.inbox_items (id, message_id, created_at, search)
    values (new.id, new.id, new.created_at, private.search_words(concat_ws(' ', new.name, new.email, new.subject)));
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.add_to_receipt(guest uuid, media uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  of_guest public.guests;
  item constant jsonb := (select jsonb_build_object('id', m.id, 'name', left(d.file_name, 120), 'at', m.created_at,
    'memory', r.person_name) from public.media m join public.media_details d on d.media_id = m.id
    join public.memories r on r.id = m.memory_id where m.id = media);
  letter uuid;
  token text;
begin
  -- Every row that names the guest has locked the guest's key already, for which two such locks would wait for each other.
  select * into of_guest from public.guests g where g.id = guest for no key update;
  if of_guest.email is null then
    return;
  end if;
  update private.outbox o set props = jsonb_set(o.props, '{files}', (o.props -> 'files') || item),
    next_attempt_at = now() + interval '10 minutes'
  from private.guest_receipts l where l.guest_id = guest and o.id = l.outbox_id and o.state = 'waiting' and o.attempts = 0;
  if found then
    return;
  end if;
  token := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  insert into private.guest_keys (hash, guest_id) values (encode(sha256(convert_to(token, 'utf8')), 'hex'), guest);
  insert into private.outbox (kind, template, language, recipient, props, next_attempt_at)
  select 'mail', 'guest-receipt', of_guest.language, of_guest.email,
    jsonb_build_object('name', of_guest.name, 'timeZone', of_guest.time_zone, 'files', jsonb_build_array(item),
      'url', of_guest.site || '/shared/' || s.share_id || '#guest=' || token, 'until', s.expires_at),
    now() + interval '10 minutes'
  from public.share_links s where s.id = of_guest.link_id returning id into letter;
  insert into private.guest_receipts (guest_id, outbox_id) values (guest, letter)
  on conflict (guest_id) do update set outbox_id = excluded.outbox_id;
end
$function$;
comment on function private.add_to_receipt(uuid,uuid) is 'Adds a file to the email that a guest with an address gets ten minutes after the last upload, with a link of its own.';

CREATE OR REPLACE FUNCTION private.add_to_sums(of_memory uuid, images bigint, videos bigint, recordings bigint, bytes bigint, bytes_in_trash bigint, largest bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.media_sums (memory_id, account, images, videos, recordings, bytes, bytes_in_trash, largest)
  -- Not for a memory that this transaction deletes.
  select m.id, m.user_id, add_to_sums.images, add_to_sums.videos, add_to_sums.recordings, add_to_sums.bytes, add_to_sums.bytes_in_trash, add_to_sums.largest
  from public.memories m where m.id = of_memory;
  if (select count(*) from (select from private.media_sums s where s.memory_id = of_memory limit private.most_ledger_rows() + 1) s)
    > private.most_ledger_rows() then
    perform private.merge_sums(of_memory);
  end if;
end
$function$;
comment on function private.add_to_sums(uuid,bigint,bigint,bigint,bigint,bigint,bigint) is 'Changes the sums of a memory by differences; largest is the size of the largest item that came.';

CREATE OR REPLACE FUNCTION private.add_to_totals()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  changes text[] := '{}';
begin
  if tg_op <> 'DELETE' then
    changes := changes || format('select %s, %s from new_rows r where %s', tg_argv[0], tg_argv[1], tg_argv[2]);
  end if;
  if tg_op <> 'INSERT' then
    changes := changes || format('select %s, -(%s) from old_rows r where %s', tg_argv[0], tg_argv[1], tg_argv[2]);
  end if;
  execute format(
    'insert into private.totals (kind, amount) select c.kind, sum(c.amount) from (%s) c (kind, amount) group by c.kind having sum(c.amount) <> 0',
    array_to_string(changes, ' union all '));
  return null;
end
$function$;
comment on function private.add_to_totals() is 'Adds what a statement changed to the totals.';

CREATE OR REPLACE FUNCTION private.added_media_ids()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(added.media_id), '{}') from (
    select d.media_id from public.media_details d
    where d.user_id = auth.uid() and d.memory_id = any (private.shared_memory_ids('contribute'))
    union all
    select d.media_id from public.media_details d
    where d.guest_id = private.guest_id() and d.memory_id = any (private.linked_memory_ids('{contribute,upload}'))
  ) added
$function$;
comment on function private.added_media_ids() is 'What the caller added to memories of other people, where they may still contribute.';
grant execute on function private.added_media_ids() to anon;
grant execute on function private.added_media_ids() to authenticated;
grant execute on function private.added_media_ids() to service_role;

CREATE OR REPLACE FUNCTION private.addresses_written_to()
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select c.email from private.correspondents c where c.user_id = auth.uid()
$function$;
comment on function private.addresses_written_to() is 'The addresses that the signed-in person has written to.';
grant execute on function private.addresses_written_to() to authenticated;

CREATE OR REPLACE FUNCTION private.agree_in_time(photo public.media_details, video public.media_details)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    when photo.file_taken_source in ('exif', 'xmp') and photo.file_taken_at like '%T%' and video.file_taken_source = 'video' then (
      -- Some videos tell the time in UTC, which is whole quarters of an hour away from the clock of the photo.
      select gap < 15 * 3600 and (gap + 10) % 900 <= 20
      from (select abs(extract(epoch from photo.file_taken_at::timestamp - video.file_taken_at::timestamp))::integer as gap) apart)
  end
$function$;
comment on function private.agree_in_time(public.media_details,public.media_details) is 'Whether a photo and a video say that they were taken together; null where one of them does not say when.';

CREATE OR REPLACE FUNCTION private.announce_reveals(at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  due record;
begin
  for due in
    -- A press can be undone for a moment, before anybody is notified.
    select r.memory_id from public.reveals r join public.memories m on m.id = r.memory_id and m.deleted_at is null and not m.draft
    where r.announced_at is null and case when r.revealed then r.revealed_at <= at - interval '20 seconds' else r.reveal_at <= at end
    order by r.memory_id for update of r skip locked
  loop
    update public.reveals r set announced_at = at where r.memory_id = due.memory_id;
    insert into public.notices (user_id, memory_id, kind)
    with others as materialized (
      -- Of guests without an account one row is enough.
      select distinct c.user_id from (
        select d.user_id from public.media_details d join public.media m on m.id = d.media_id and m.moderation = 'shown'
        where d.memory_id = due.memory_id
        union all select c.user_id from public.comments c where c.memory_id = due.memory_id and c.moderation = 'shown'
        union all select s.user_id from public.stories s where s.memory_id = due.memory_id and s.moderation = 'shown') c
      where not exists (select from private.managers_of(due.memory_id) k (id) where k.id = c.user_id))
    select p.user_id, due.memory_id, 'revealed' from public.memory_members p
    where p.memory_id = due.memory_id and p.role <> 'co-owner'
      and exists (select from others o where o.user_id is distinct from p.user_id)
    order by p.user_id;
  end loop;
end
$function$;
comment on function private.announce_reveals(timestamp with time zone) is 'Notifies the members of memories that were revealed, each once, if others have contributed something that they could not see.';

CREATE OR REPLACE FUNCTION private.answer_prompt()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  new.prompt_id := (select p.id from public.prompts p join storage.objects o on o.id = new.id
    where p.memory_id = new.memory_id and p.id::text = o.user_metadata ->> 'prompt');
  return new;
end
$function$;
comment on function private.answer_prompt() is 'Notes the prompt that an uploaded file answers, if it is one of the memory.';

CREATE OR REPLACE FUNCTION private.answers_of(letter uuid, photo uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_object_agg(a.about, jsonb_build_object('text', a.answer, 'accepted', a.state = 'accepted')), '{}')
  from public.photo_answers a where a.letter_id = letter and a.media_id = photo
$function$;
comment on function private.answers_of(uuid,uuid) is 'The answers of a letter about a photo, by what they are about.';

CREATE OR REPLACE FUNCTION private.apply_order_status()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.paid_at is not null and old.paid_at is null then
    -- Also for an order that had expired: the payment was received, so the voucher counts as used.
    update public.voucher_uses set paid_at = new.paid_at, released_at = null where order_id = new.id and paid_at is null;
    delete from public.cart_items c using public.order_items i
    where i.order_id = new.id and c.id = i.cart_item_id and c.user_id = new.user_id;
  end if;
  if new.status in ('failed', 'expired') and new.voucher_code is not null then
    perform private.release_voucher(new.id);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.are_names(names text[])
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
  select cardinality(names) <= 20 and coalesce(bool_and(coalesce(length(name) between 1 and 200, false)), true) from unnest(names) name
$function$;
comment on function private.are_names(text[]) is 'Whether these are at most 20 names, none of them empty or too long.';
grant execute on function private.are_names(text[]) to anon;
grant execute on function private.are_names(text[]) to authenticated;
grant execute on function private.are_names(text[]) to service_role;

CREATE OR REPLACE FUNCTION private.are_of_one_shot(photo public.media_details, raw public.media_details, apart interval)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.name_stem(photo.file_name) = private.name_stem(raw.file_name) and case
    when photo.file_taken_source in ('exif', 'xmp') and photo.file_taken_at like '%T%' and raw.file_taken_source in ('exif', 'xmp')
      and raw.file_taken_at like '%T%'
    then abs(extract(epoch from photo.file_taken_at::timestamp - raw.file_taken_at::timestamp)) <= 2
    -- Without both times, a camera's number in the name counts. Cameras write both files at once, and people copy them so.
    else private.name_stem(raw.file_name) ~ '\d{3}' and apart between interval '-1 day' and interval '1 day'
  end
$function$;
comment on function private.are_of_one_shot(public.media_details,public.media_details,interval) is 'Whether a photo and a raw photo have one name and were taken at the same time. `apart` is the time between their arrivals.';

CREATE OR REPLACE FUNCTION private.are_one_item(photo uuid, part uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select from public.media p join public.media_details pd on pd.media_id = p.id, public.media v join public.media_details vd on vd.media_id = v.id
    where p.id = photo and v.id = part and p.id <> v.id and p.memory_id = v.memory_id
      and p.type = 'image' and p.state = 'ready' and v.motion_of is null
      -- A video inside the photo's file may be here as a second file as well, but only once.
      and not exists (select from public.media m where m.motion_of = p.id)
      -- What one person added, and what is seen by the same people.
      and pd.user_id is not distinct from vd.user_id and pd.guest_id is not distinct from vd.guest_id
      and p.moderation = v.moderation and p.moderation in ('shown', 'held', 'hidden')
      and pd.mime_type in ('image/jpeg', 'image/heic', 'image/heif')
      and case when v.type = 'image' then v.state = 'ready' and vd.mime_type like 'image/x-%' and private.are_of_one_shot(pd, vd, p.created_at - v.created_at)
      else vd.mime_type in ('video/quicktime', 'video/mp4') and coalesce(
        pd.content_identifier = vd.content_identifier,
        -- Phones record three seconds; a longer film of the same name is another item.
        private.name_stem(pd.file_name) = private.name_stem(vd.file_name) and v.duration <= 6
          and coalesce(private.agree_in_time(pd, vd),
            -- A person gives both names by chance, a camera or an export does not.
            (vd.mime_type = 'video/quicktime' or private.name_stem(vd.file_name) ~ '\d{3}')
              and abs(extract(epoch from p.created_at - v.created_at)) < 86400)) end
  )
$function$;
comment on function private.are_one_item(uuid,uuid) is 'Whether a photo and another file are one item. A video: by the identifier in both, else by name, length and time. A raw photo: by name and time.';

CREATE OR REPLACE FUNCTION private.asked_part_ids(of_memory uuid)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(e.id), '{}') from public.memory_entries e
  join public.memories m on m.id = e.memory_id and m.deleted_at is null
  where e.memory_id = of_memory and e.asks_replies
    and (private.is_manager(of_memory) or of_memory = any (private.joined_memory_ids())
      or e.audience = 'all' and of_memory = any (private.shared_memory_ids('view')))
$function$;
comment on function private.asked_part_ids(uuid) is 'The parts of a memory''s day that ask the caller for a reply.';

CREATE OR REPLACE FUNCTION private.attach_back(front uuid, back uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  part public.media;
begin
  select * into part from public.media m where m.id = back;
  -- Its texts and its place stay in its row, for the case that the two are separated again.
  update public.media m set motion_of = front, is_back = true, moderation = 'attached', is_cover = false where m.id = back;
  update public.media m set is_cover = m.is_cover or part.is_cover, position = coalesce(m.position, part.position),
    back_text = private.words_on_back(part) where m.id = front;
  perform private.give_to_photo(back, front);
end
$function$;
comment on function private.attach_back(uuid,uuid) is 'Makes one item of two photos, of which the first is shown in lists.';

CREATE OR REPLACE FUNCTION private.audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- What people wrote, who they are and where they live: the log outlives their accounts.
  left_out constant text[] := array['revision'] || case tg_argv[1] when 'personal'
    then array['email', 'address', 'name', 'dates', 'words', 'message', 'body', 'search', 'user_id', 'updated_at'] else '{}' end;
  old_row constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  new_row constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  removed jsonb;
  added jsonb;
begin
  if not private.is_staff() then
    return null;
  end if;
  select jsonb_object_agg(key, value) into removed from jsonb_each(old_row)
  where value is distinct from new_row -> key and key <> all (left_out);
  select jsonb_object_agg(key, value) into added from jsonb_each(new_row)
  where value is distinct from old_row -> key and key <> all (left_out);
  if old_row is distinct from new_row then
    perform private.record_action(tg_table_name || '.' || lower(tg_op), coalesce(new_row, old_row) ->> tg_argv[0], removed, added);
  end if;
  return null;
end
$function$;
comment on function private.audit_change() is 'Records a change of a row by staff. Arguments: the key column; "personal" where columns hold what people wrote.';

CREATE OR REPLACE FUNCTION private.back_of(front uuid)
 RETURNS SETOF storage.objects
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select o.* from public.media m join storage.objects o on o.id = m.id where m.motion_of = front and m.is_back and m.moderation = 'attached'
$function$;
comment on function private.back_of(uuid) is 'The stored back of a photo, for those who may see the photo.';
grant execute on function private.back_of(uuid) to anon;
grant execute on function private.back_of(uuid) to authenticated;
grant execute on function private.back_of(uuid) to service_role;

CREATE OR REPLACE FUNCTION private.begin_account_act(person uuid, action text, reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.person_to_change(person::text, reason);
  perform private.record_action(action, person::text, null, null, reason);
end
$function$;
comment on function private.begin_account_act(uuid,text,text) is 'Locks an account and records what the server is about to do with it for an administrator. Only the server calls it.';

CREATE OR REPLACE FUNCTION private.begin_device_attempt(share text, device uuid)
 RETURNS TABLE(allowed boolean, tries_left integer, locked_until timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;
comment on function private.begin_device_attempt(text,uuid) is 'Counts an attempt of a device that was admitted to the link before. No row if its allowance is used up; then the attempt counts like a stranger''s.';

CREATE OR REPLACE FUNCTION private.begin_refund(wanted text, part integer, reason text, request uuid)
 RETURNS TABLE(id uuid, order_id uuid, amount integer, state text, payment_intent text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  sold public.orders;
  known public.refunds;
  available integer;
  asked integer;
begin
  perform private.require_role('admin');
  select * into sold from public.orders o where o.number = wanted or o.id::text = wanted for update;
  if not found then
    raise exception 'There is no such order.' using errcode = 'PT404', hint = 'not_found';
  end if;
  select * into known from public.refunds r where r.id = begin_refund.request;
  if not found then
    if sold.status <> 'paid' or sold.payment_intent is null then
      raise exception 'Only an order that is paid can be refunded.' using errcode = 'PT409', hint = 'not_refundable';
    end if;
    available := sold.total - sold.refunded - coalesce((select sum(r.amount) from public.refunds r
      where r.order_id = sold.id and r.state = 'asked'), 0);
    asked := coalesce(part, available);
    if asked <= 0 or asked > available then
      raise exception 'Only % can be refunded.', to_char(available / 100.0, 'FM999999990.00') || ' ' || sold.currency
        using errcode = 'PT409', hint = 'over_refund';
    end if;
    insert into public.refunds (id, order_id, amount, reason)
    values (begin_refund.request, sold.id, asked, btrim(begin_refund.reason)) returning * into known;
    perform private.record_action('order.refund', sold.id::text, jsonb_build_object('refunded', sold.refunded),
      jsonb_build_object('amount', asked, 'currency', sold.currency), begin_refund.reason);
  elsif known.order_id <> sold.id or known.amount <> coalesce(part, known.amount) then
    raise exception 'This refund was asked for with other values.' using errcode = 'PT409', hint = 'conflict';
  end if;
  return query select known.id, sold.id, known.amount, known.state, sold.payment_intent;
end
$function$;
comment on function private.begin_refund(text,integer,text,uuid) is 'Notes down that an administrator refunds a part of a paid order (its number or id), or all that is left, before the provider is asked. Raises PT409 for more than is left.';
grant execute on function private.begin_refund(text,integer,text,uuid) to authenticated;
grant execute on function private.begin_refund(text,integer,text,uuid) to service_role;

CREATE OR REPLACE FUNCTION private.begin_share_attempt(share text, address text)
 RETURNS TABLE(allowed boolean, tries_left integer, locked_until timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  link_allowance constant integer := 5;
  -- Higher, so that one visitor does not lock out everybody behind the same router.
  address_allowance constant integer := 20;
  by_address private.share_attempts;
  by_link private.share_attempts;
begin
  -- Always locks the address first, so that two attempts cannot deadlock. A locked address creates no row for the link, so
  -- invented share ids do not fill the table.
  by_address := private.hold_share_attempts('address:' || address);
  if by_address.locked_until is not null then
    -- The caller is let in when both locks have ended.
    return query select false, 0, greatest(by_address.locked_until,
      (select a.locked_until from private.share_attempts a where a.key = private.share_attempts_key(share)));
    return;
  end if;
  by_link := private.hold_share_attempts(private.share_attempts_key(share));
  if by_link.locked_until is not null then
    return query select false, 0, by_link.locked_until;
    return;
  end if;

  update private.share_attempts a set failures = a.failures + 1, forget_at = clock_timestamp() + interval '1 day',
    locked_until = clock_timestamp() + private.share_lock(a.failures + 1, address_allowance)
    where a.key = by_address.key returning a.* into by_address;
  update private.share_attempts a set failures = a.failures + 1, forget_at = clock_timestamp() + interval '7 days',
    locked_until = clock_timestamp() + private.share_lock(a.failures + 1, link_allowance)
    where a.key = by_link.key returning a.* into by_link;
  update public.share_links l set locked_until = by_link.locked_until
    where l.id in (select private.links_of_one_secret(share)) and l.locked_until is distinct from by_link.locked_until;

  -- Each attempt adds at most two rows and removes ten. Rows locked by others are skipped.
  delete from private.share_attempts where key in (
    select a.key from private.share_attempts a where a.forget_at < clock_timestamp()
    order by a.forget_at limit 10 for update skip locked
  );
  return query select true,
    greatest(0, least(link_allowance - by_link.failures, address_allowance - by_address.failures)),
    greatest(by_link.locked_until, by_address.locked_until);
end
$function$;
comment on function private.begin_share_attempt(text,text) is 'Counts an attempt at a PIN before it is checked, so that parallel guesses are counted as well. If not allowed, nothing was counted and nothing may be checked.';

CREATE OR REPLACE FUNCTION private.begin_waiting_subscriptions()
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with begun as (
    update public.user_subscriptions set status = 'active' where status = 'waiting' and starts_at <= now() returning 1
  ) select count(*)::integer from begun
$function$;
comment on function private.begin_waiting_subscriptions() is 'Activates waiting subscriptions whose start has passed, and returns how many. Limits apply from the start itself; this only updates the status for readers.';

CREATE OR REPLACE FUNCTION private.blocked_memory_ids()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(b.memory_id), '{}') from public.memory_blocks b
  where b.user_id = auth.uid() or b.guest_id = (auth.jwt() -> 'share' ->> 'guest')::uuid
$function$;
comment on function private.blocked_memory_ids() is 'The memories that the caller is blocked from.';

CREATE OR REPLACE FUNCTION private.can_comment(memory uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.is_owner(memory) or coalesce(private.member_role(memory) in ('co-owner', 'contributor'), false)
    or coalesce(private.link_rights(memory) in ('comment', 'contribute'), false)
$function$;
comment on function private.can_comment(uuid) is 'Whether the caller may comment on a memory.';
grant execute on function private.can_comment(uuid) to anon;
grant execute on function private.can_comment(uuid) to authenticated;
grant execute on function private.can_comment(uuid) to service_role;

CREATE OR REPLACE FUNCTION private.can_contribute(memory uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.is_owner(memory) or coalesce(private.member_role(memory) in ('co-owner', 'contributor'), false)
    or coalesce(private.link_rights(memory) in ('contribute', 'upload'), false)
$function$;
comment on function private.can_contribute(uuid) is 'Whether the caller may add to a memory.';
grant execute on function private.can_contribute(uuid) to anon;
grant execute on function private.can_contribute(uuid) to authenticated;
grant execute on function private.can_contribute(uuid) to service_role;

CREATE OR REPLACE FUNCTION private.can_read_credits(memory uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.is_owner(memory) or private.member_role(memory) is not null or exists (
    select from private.open_link() l
    join public.memories m on m.id = memory and (m.id = l.memory_id or m.album_id = l.album_id) and not m.draft
    where l.shows_names and l.rights <> 'upload')
$function$;
comment on function private.can_read_credits(uuid) is 'Whether the caller may read the names of authors in a memory.';
grant execute on function private.can_read_credits(uuid) to anon;
grant execute on function private.can_read_credits(uuid) to authenticated;
grant execute on function private.can_read_credits(uuid) to service_role;

CREATE OR REPLACE FUNCTION private.can_view(memory uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.is_owner(memory) or private.member_role(memory) is not null
    or coalesce(private.link_rights(memory) in ('view', 'comment', 'contribute'), false)
$function$;
comment on function private.can_view(uuid) is 'Whether the caller may see a memory.';
grant execute on function private.can_view(uuid) to anon;
grant execute on function private.can_view(uuid) to authenticated;
grant execute on function private.can_view(uuid) to service_role;

CREATE OR REPLACE FUNCTION private.cards_to_engrave(wanted text[])
 RETURNS TABLE(id uuid, code text, place integer, making text, state text, name text, dates text, finish text, language text, address jsonb, order_id uuid, order_number text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select c.id, c.code, row_number() over (order by o.number, c.order_item_id, c.place)::integer, c.making, c.state, c.name, c.dates,
    c.finish, c.language, d.address, o.id, o.number
  from public.orders o join public.metal_cards c on c.order_id = o.id
  left join public.card_deliveries d on d.card_id = c.id
  where (o.number = any (wanted) or o.id::text = any (wanted) or c.id::text = any (wanted) or c.code = any (wanted)) and o.status = 'paid' and c.making in ('ordered', 'engraved')
    and (not private.is_caller() or private.has_role('admin', 'fulfilment'))
  order by 3
$function$;
comment on function private.cards_to_engrave(text[]) is 'The cards of paid orders that are to be engraved, by numbers or ids of orders and by ids or codes of cards. Empty unless the caller is an administrator, fulfilment or the server.';
grant execute on function private.cards_to_engrave(text[]) to authenticated;
grant execute on function private.cards_to_engrave(text[]) to service_role;

CREATE OR REPLACE FUNCTION private.check_day_questions()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  question jsonb;
  ids text[] := '{}';
begin
  if jsonb_typeof(new.questions) <> 'array' or jsonb_array_length(new.questions) > 8 then
    raise exception 'Please ask at most 8 questions.' using errcode = 'PT400', hint = 'too_many_questions';
  end if;
  for question in select * from jsonb_array_elements(new.questions) loop
    if coalesce(question ->> 'id', '') !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' or question ->> 'id' = any (ids)
      or coalesce(question ->> 'kind', '') not in ('text', 'one', 'several')
      or jsonb_typeof(question -> 'text') <> 'string' or length(btrim(question ->> 'text')) not between 1 and 200
      or coalesce(jsonb_typeof(question -> 'choices'), '') <> 'array'
      or question - '{id,kind,text,choices}'::text[] <> '{}'::jsonb then
      raise exception 'A question needs a text of 1 to 200 characters.' using errcode = 'PT400', hint = 'wrong_question';
    end if;
    ids := array_append(ids, question ->> 'id');
    if question ->> 'kind' = 'text' and question -> 'choices' <> '[]'::jsonb
      or question ->> 'kind' <> 'text' and (jsonb_array_length(question -> 'choices') not between 2 and 12
        or exists (select from jsonb_array_elements(question -> 'choices') c
          where jsonb_typeof(c) <> 'string' or length(btrim(c #>> '{}')) not between 1 and 100)
        or (select count(distinct c) from jsonb_array_elements_text(question -> 'choices') c) <> jsonb_array_length(question -> 'choices')) then
      raise exception 'A question with choices needs 2 to 12 different ones.' using errcode = 'PT400', hint = 'wrong_choices';
    end if;
  end loop;
  return new;
end
$function$;
comment on function private.check_day_questions() is 'Refuses questions that no reply could answer.';

CREATE OR REPLACE FUNCTION private.check_memories(owner uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.lock_account(owner);
  if (select count(*) from public.memories where user_id = owner and deleted_at is null) > (select max_memories from private.limits_of(owner)) then
    raise exception 'The plan holds no more memories' using errcode = 'PT402', hint = 'memory_limit';
  end if;
end
$function$;
comment on function private.check_memories(uuid) is 'Refuses if an account has more memories than its plan allows. Drafts count; memories in the trash do not.';

CREATE OR REPLACE FUNCTION private.check_service_items()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  item jsonb;
  ids text[] := '{}';
begin
  if jsonb_typeof(new.items) <> 'array' or jsonb_array_length(new.items) > 60 then
    raise exception 'An order of service has at most 60 entries.' using errcode = 'PT400', hint = 'too_many_items';
  end if;
  for item in select * from jsonb_array_elements(new.items) loop
    if jsonb_typeof(item) <> 'object' or item - '{id,kind,title,by,text}'::text[] <> '{}'::jsonb
      or coalesce(item ->> 'id', '') !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' or item ->> 'id' = any (ids)
      or coalesce(item ->> 'kind', '') not in ('hymn', 'reading', 'prayer', 'music', 'words', 'part')
      or coalesce(jsonb_typeof(item -> 'title'), '') <> 'string' or length(item ->> 'title') > 200
      or coalesce(jsonb_typeof(item -> 'by'), '') <> 'string' or length(item ->> 'by') > 200
      or coalesce(jsonb_typeof(item -> 'text'), '') <> 'string' or length(item ->> 'text') > 10000 then
      raise exception 'This entry of the order of service is malformed or too long.' using errcode = 'PT400', hint = 'wrong_item';
    end if;
    ids := array_append(ids, item ->> 'id');
  end loop;
  return new;
end
$function$;
comment on function private.check_service_items() is 'Refuses entries of an order of service that cannot be printed.';

CREATE OR REPLACE FUNCTION private.checked_day_answers(questions jsonb, answers jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  question jsonb;
  given jsonb;
  checked jsonb := '{}';
begin
  if jsonb_typeof(answers) <> 'object' then
    raise exception 'The answers have the wrong shape.' using errcode = 'PT400', hint = 'wrong_answers';
  end if;
  -- An answer to a question that is gone is left out.
  for question in select * from jsonb_array_elements(questions) loop
    given := answers -> (question ->> 'id');
    continue when given is null or given = '[]'::jsonb;
    if jsonb_typeof(given) <> 'array' or question ->> 'kind' <> 'several' and jsonb_array_length(given) > 1
      or exists (select from jsonb_array_elements(given) a where jsonb_typeof(a) <> 'string')
      or (select count(distinct a) from jsonb_array_elements(given) a) <> jsonb_array_length(given) then
      raise exception 'The answers have the wrong shape.' using errcode = 'PT400', hint = 'wrong_answers';
    end if;
    if question ->> 'kind' = 'text' then
      if length(given ->> 0) > 500 then
        raise exception 'An answer has at most 500 characters.' using errcode = 'PT400', hint = 'answer_too_long';
      end if;
      continue when btrim(given ->> 0) = '';
    elsif not question -> 'choices' @> given then
      raise exception 'The choices of this question were changed. Please choose again.' using errcode = 'PT409', hint = 'choice_gone';
    end if;
    checked := checked || jsonb_build_object(question ->> 'id', given);
  end loop;
  return checked;
end
$function$;
comment on function private.checked_day_answers(jsonb,jsonb) is 'Returns the answers to questions that exist; refuses those that do not fit their question.';

CREATE OR REPLACE FUNCTION private.chosen_share_id(memory uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.share_id_from(s.secret || memory)
  from (select nullif(current_setting('skies.share_secret', true), '') as secret) s
  where s.secret is not null
    and not exists (select from public.share_links l where l.memory_id = chosen_share_id.memory and l.is_first)
$function$;
comment on function private.chosen_share_id(uuid) is 'The share id that the first link of a memory of this transaction will have; null once the memory has its first link.';
grant execute on function private.chosen_share_id(uuid) to authenticated;
grant execute on function private.chosen_share_id(uuid) to service_role;

CREATE OR REPLACE FUNCTION private.clear_held_notice(memory uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from public.notices n where n.memory_id = memory and n.kind = 'held' and n.read_at is null
    and not exists (select from public.comments c where c.memory_id = memory and c.moderation = 'held')
    and not exists (select from public.stories s where s.memory_id = memory and s.moderation = 'held')
    and not exists (select from public.media m where m.memory_id = memory and m.moderation = 'held')
    and not exists (select from public.reactions r where r.memory_id = memory and r.moderation = 'held')
    and not exists (select from public.picture_requests p where p.memory_id = memory and p.state = 'open')
$function$;
comment on function private.clear_held_notice(uuid) is 'Deletes the notice about held items and open requests if none is left.';

CREATE OR REPLACE FUNCTION private.clear_held_notice_of_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.clear_held_notice(old.memory_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.close_report()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if new.outcome is distinct from old.outcome then
    new.settled_at := case when new.outcome is not null then now() end;
    new.settled_by := case when new.outcome is not null then auth.uid() end;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.close_with_outcome()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.inbox_items i set state = case when new.outcome is null then 'open' else 'closed' end where i.report_id = new.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.collect_deleted_media()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not exists (select from public.media m where m.id = old.id) then
    return old;
  end if;
  -- Collected, so that deleting five hundred photos updates counts and notices once.
  perform set_config('skies.deleted', concat_ws(',', nullif(current_setting('skies.deleted', true), ''), old.id), true);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.commission_of(total integer, tax integer, refunded integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case when total <= 0 then 0
    else div(3::numeric * (total - refunded) * (total - tax) + 5::numeric * total, 10::numeric * total) end::integer
$function$;
comment on function private.commission_of(integer,integer,integer) is '30 % of what remains of a payment without its tax, in whole pence or cents, half a penny rounded up. Refunds contain the same share of tax. The same rule as in shared/commission.ts.';

CREATE OR REPLACE FUNCTION private.confirm_voucher_use()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.voucher_uses set paid_at = coalesce(paid_at, new.paid_at, now()), released_at = null where order_id = new.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.copy_secret_to_cards()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  cards constant uuid[] := (select array_agg(c.id) from public.share_links l
    join public.share_links c on c.memory_id = l.memory_id and c.for_card
    where l.id = coalesce(new.link_id, old.link_id) and l.is_first);
begin
  if tg_op = 'DELETE' then
    delete from public.share_pins where link_id = any (cards);
  elsif cards is not null then
    insert into public.share_pins (link_id, hash, kind, sealed) select card, new.hash, new.kind, new.sealed from unnest(cards) card
    on conflict (link_id) do update set hash = excluded.hash, kind = excluded.kind, sealed = excluded.sealed;
  end if;
  return null;
end
$function$;
comment on function private.copy_secret_to_cards() is 'Copies the PIN or passphrase of a memory''s first link to the links of its cards. Visitors have to enter the new one.';

CREATE OR REPLACE FUNCTION private.copy_sold_terms()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.name is null then
    select p.name, p.max_memories, p.storage_gb, p.term_years
    into new.name, new.max_memories, new.storage_gb, new.term_years
    from public.subscription_plans p where p.id = new.plan_id;
  end if;
  -- A granted plan is valued at its catalogue price.
  if new.order_id is null and new.amount is null then
    new.currency := 'GBP';
    new.amount := private.list_worth(new.plan_id, new.term_years, new.starts_at, new.expires_at);
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.count_affiliate_click(code text, visitor uuid)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with counted as (
    insert into public.affiliate_clicks as c (affiliate_id)
    select a.id from public.affiliates a
    where a.code = upper(btrim(count_affiliate_click.code)) and a.state = 'active' and a.user_id is distinct from visitor
    on conflict on constraint affiliate_clicks_pkey do update set clicks = c.clicks + 1
    returning 1
  ) select exists (select from counted)
$function$;
comment on function private.count_affiliate_click(text,uuid) is 'Counts a browser that opened a referral link today, except the affiliate''s own. Returns whether it was counted.';

CREATE OR REPLACE FUNCTION private.count_bytes(payer uuid, more_stored bigint, more_held bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  grows constant boolean := more_stored > 0 or more_held > 0;
  used private.account_use;
  room bigint;
begin
  -- Other transactions that add to this account wait until this one ends.
  update private.account_use set stored = stored + more_stored, held = held + more_held
  where account = payer returning * into used;
  -- The row of an account that is being deleted is gone, and no longer needed.
  if not grows then
    return;
  end if;
  if used.account is null then
    perform private.lock_account(payer);
    update private.account_use set stored = stored + more_stored, held = held + more_held
    where account = payer returning * into used;
  end if;
  select storage_bytes into room from private.limits_of(payer);
  if used.stored + used.held > room and used.held > 0 then
    perform private.release_idle_uploads(payer);
    select * into used from private.account_use where account = payer;
  end if;
  if used.stored + used.held > room then
    raise exception 'There is not enough room left for this file' using errcode = 'PT507', hint = 'storage_full';
  end if;
end
$function$;
comment on function private.count_bytes(uuid,bigint,bigint) is 'Adds to the byte counts of an account, or subtracts, and refuses an increase beyond the limit of its plan.';

CREATE OR REPLACE FUNCTION private.count_comments()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    perform private.add_to_counts(n.memory_id, 0, count(*)) from new_rows n
    where n.moderation = 'shown' and n.media_id is null and n.deleted_at is null group by n.memory_id;
  elsif tg_op = 'DELETE' then
    perform private.add_to_counts(o.memory_id, 0, -count(*)) from old_rows o
    where o.moderation = 'shown' and o.media_id is null and o.deleted_at is null group by o.memory_id;
  else
    perform private.add_to_counts(c.memory_id, 0, sum(c.sign)) from (
      select -1 as sign, o.memory_id, o.moderation, o.media_id, o.deleted_at from old_rows o
      union all select 1, n.memory_id, n.moderation, n.media_id, n.deleted_at from new_rows n) c
    where c.moderation = 'shown' and c.media_id is null and c.deleted_at is null group by c.memory_id;
  end if;
  return null;
end
$function$;
comment on function private.count_comments() is 'Adds what changed to the counts of comments.';

CREATE OR REPLACE FUNCTION private.count_figures()
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  today constant date := (now() at time zone 'utc')::date;
  -- The last day that was counted may have gone on after that.
  since constant date := coalesce((select max(f.day) from private.daily_figures f),
    (select (min(u.created_at) at time zone 'utc')::date from auth.users u), today);
begin
  -- One process counts at a time.
  if not pg_try_advisory_xact_lock(hashtext('private.count_figures')) then
    return false;
  end if;
  perform private.merge_totals();
  insert into private.daily_figures as known (day, sign_ups, memories, photos, videos)
  select d.day::date, coalesce(max(n.amount) filter (where n.what = 'sign_ups'), 0), coalesce(max(n.amount) filter (where n.what = 'memories'), 0),
    coalesce(max(n.amount) filter (where n.what = 'photos'), 0), coalesce(max(n.amount) filter (where n.what = 'videos'), 0)
  from generate_series(since::timestamp, today::timestamp, interval '1 day') d (day)
    left join (
      select split_part(t.kind, ' ', 2) as what, split_part(t.kind, ' ', 3)::date as day, sum(t.amount) as amount
      from private.totals t where t.kind >= 'new ' and t.kind < 'new!' group by 1, 2) n on n.day = d.day::date
  group by 1
  on conflict (day) do update set sign_ups = greatest(known.sign_ups, excluded.sign_ups), memories = greatest(known.memories, excluded.memories),
    photos = greatest(known.photos, excluded.photos), videos = greatest(known.videos, excluded.videos);
  with sums as (
    select t.kind, sum(t.amount)::bigint as amount from private.totals t group by t.kind
  ), total as (
    select coalesce(max(s.amount) filter (where s.kind = 'accounts'), 0) as accounts,
      coalesce(sum(s.amount) filter (where s.kind > 'active ' || (today - 30) and s.kind < 'active!'), 0) as active,
      coalesce(max(s.amount) filter (where s.kind = 'memories'), 0) as memories,
      coalesce(max(s.amount) filter (where s.kind = 'media'), 0) as media,
      coalesce(max(s.amount) filter (where s.kind = 'stored'), 0) as stored,
      coalesce(jsonb_object_agg(substr(s.kind, 6), s.amount) filter (where s.kind like 'card %' and s.amount <> 0), '{}') as cards
    from sums s
  )
  update private.daily_figures f set counted_at = now(), accounts = t.accounts, active = t.active, all_memories = t.memories,
    all_media = t.media, stored = t.stored, cards = t.cards
  from total t where f.day = today;
  -- No figure counts these days again.
  delete from private.totals t where t.kind >= 'new ' and t.kind < 'new!' and split_part(t.kind, ' ', 3)::date < since
    or t.kind >= 'active ' and t.kind < 'active!' and split_part(t.kind, ' ', 2)::date < today - 30;
  return true;
end
$function$;
comment on function private.count_figures() is 'Writes the figures of today, and of every day since it was last called, from the totals. A job calls it.';

CREATE OR REPLACE FUNCTION private.count_media()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    perform private.add_to_counts(n.memory_id, count(*), 0) from new_rows n
    where n.moderation = 'shown' and n.state <> 'broken' group by n.memory_id;
  elsif tg_op = 'DELETE' then
    perform private.add_to_counts(o.memory_id, -count(*), 0) from old_rows o
    where o.moderation = 'shown' and o.state <> 'broken' group by o.memory_id;
  else
    perform private.add_to_counts(c.memory_id, sum(c.sign), 0) from (
      select -1 as sign, o.memory_id, o.moderation, o.state from old_rows o
      union all select 1, n.memory_id, n.moderation, n.state from new_rows n) c
    where c.moderation = 'shown' and c.state <> 'broken' group by c.memory_id;
  end if;
  return null;
end
$function$;
comment on function private.count_media() is 'Adds what changed to the counts of photos.';

CREATE OR REPLACE FUNCTION private.count_objects()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    perform private.count_bytes(payer, bytes, 0) from (
      select private.payer_of(bucket_id, name) as payer, sum((metadata ->> 'size')::bigint)::bigint as bytes
      from added group by 1 order by 1
    ) changes where payer is not null and bytes <> 0;
  elsif tg_op = 'DELETE' then
    perform private.count_bytes(payer, -bytes, 0) from (
      select private.payer_of(bucket_id, name) as payer, sum((metadata ->> 'size')::bigint)::bigint as bytes
      from gone group by 1 order by 1
    ) changes where payer is not null and bytes <> 0;
  else
    perform private.count_bytes(payer, bytes, 0) from (
      select payer, sum(bytes)::bigint as bytes from (
        select private.payer_of(bucket_id, name) as payer, -(metadata ->> 'size')::bigint as bytes from gone
        union all
        select private.payer_of(bucket_id, name), (metadata ->> 'size')::bigint from added
      ) both_sides group by 1 order by 1
    ) changes where payer is not null and bytes <> 0;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.count_slideshow_items()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' and exists (select from public.slideshow_items i
    where i.slideshow_id in (select r.slideshow_id from changed r) group by i.slideshow_id having count(*) > 300) then
    raise exception 'A slideshow has at most 300 photos.' using errcode = 'PT400', hint = 'too_many_pictures';
  end if;
  update public.slideshows s set changes = s.changes + 1 where s.id in (select r.slideshow_id from changed r);
  return null;
end
$function$;
comment on function private.count_slideshow_items() is 'Counts a change of the photos of a slideshow, and refuses more than 300.';

CREATE OR REPLACE FUNCTION private.count_stream_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.memory_entries e set stream_changes = e.stream_changes + 1
  where e.id = case tg_op when 'DELETE' then old.entry_id else new.entry_id end;
  return null;
end
$function$;
comment on function private.count_stream_change() is 'Counts a change of a livestream''s address as a change of its entry.';

CREATE OR REPLACE FUNCTION private.counted_activity(of_account uuid DEFAULT NULL::uuid)
 RETURNS SETOF private.activity
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with own as (select m.id, m.user_id from public.memories m where of_account is null or m.user_id = of_account)
  select own.id, own.user_id, max(x.created_at), (x.created_at at time zone 'utc')::date, d.user_id, count(*)::integer, null::uuid, null::uuid
    from own join public.media x on x.memory_id = own.id join public.media_details d on d.media_id = x.id
    where x.moderation not in ('deleted', 'attached') group by 1, 2, 4, 5
  union all
  select own.id, own.user_id, s.created_at, null, null, null, s.id, null from own join public.stories s on s.memory_id = own.id
  union all
  select own.id, own.user_id, p.created_at, null, null, null, null, p.user_id from own join public.memory_members p on p.memory_id = own.id
$function$;
comment on function private.counted_activity(uuid) is 'What the rows of private.activity have to add up to, counted from their sources.';

CREATE OR REPLACE FUNCTION private.counted_memories(of_account uuid DEFAULT NULL::uuid)
 RETURNS SETOF public.memory_counts
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select m.id, p.many, c.many from public.memories m
  cross join lateral (select count(*)::integer as many from public.media x 
    where x.memory_id = m.id and x.moderation = 'shown' and x.state <> 'broken') p
  cross join lateral (select count(*)::integer as many from public.comments x 
    where x.memory_id = m.id and x.moderation = 'shown' and x.media_id is null and x.deleted_at is null) c
  where (of_account is null or m.user_id = of_account) and (p.many > 0 or c.many > 0)
$function$;
comment on function private.counted_memories(uuid) is 'What the rows of memory_counts have to add up to, counted from photos and comments.';

CREATE OR REPLACE FUNCTION private.counted_money()
 RETURNS SETOF private.daily_money
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select m.day, m.currency, sum(m.paid)::bigint, sum(m.returned)::bigint from (
    select (o.paid_at at time zone 'utc')::date as day, o.currency, o.total as paid, 0 as returned
      from public.orders o where o.paid_at is not null
    union all
    select (r.returned_at at time zone 'utc')::date, r.currency, 0, r.amount from private.returned_amounts r) m
  group by m.day, m.currency having sum(m.paid) <> 0 or sum(m.returned) <> 0
$function$;
comment on function private.counted_money() is 'What the rows of private.daily_money have to add up to, counted from orders and refunds.';

CREATE OR REPLACE FUNCTION private.counted_sums(of_account uuid DEFAULT NULL::uuid)
 RETURNS SETOF private.media_sums
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select m.id, m.user_id,
    (count(*) filter (where x.type = 'image' and x.moderation not in ('deleted', 'attached')))::integer,
    (count(*) filter (where x.type = 'video' and x.moderation not in ('deleted', 'attached')))::integer,
    coalesce(sum(x.size + x.poster_size) filter (where x.moderation <> 'deleted'), 0)::bigint,
    coalesce(sum(x.size + x.poster_size) filter (where x.moderation = 'deleted'), 0)::bigint,
    coalesce(max(x.size) filter (where x.moderation not in ('deleted', 'attached')), 0),
    (count(*) filter (where x.type = 'audio' and x.moderation not in ('deleted', 'attached')))::integer
  from public.memories m join public.media x on x.memory_id = m.id
  where of_account is null or m.user_id = of_account group by m.id
$function$;
comment on function private.counted_sums(uuid) is 'What the rows of private.media_sums have to add up to, counted from photos, videos and recordings.';

CREATE OR REPLACE FUNCTION private.covered_memory_ids()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with reached as materialized (
    select p.memory_id as id from public.memory_members p where p.user_id = (select auth.uid()) and p.role <> 'co-owner'
    union
    select m.id from private.open_link() l join public.memories m on m.id = l.memory_id or m.album_id = l.album_id)
  select coalesce(array_agg(r.memory_id), '{}') from reached
  join public.reveals r on r.memory_id = reached.id and not r.revealed and coalesce(r.reveal_at > now(), true)
  where not exists (select from public.memories m where m.id = r.memory_id and m.user_id = (select auth.uid()))
    and not exists (select from public.memory_members p
      where p.memory_id = r.memory_id and p.user_id = (select auth.uid()) and p.role = 'co-owner')
$function$;
comment on function private.covered_memory_ids() is 'The memories that wait for their reveal, and that the caller reaches as a member or by a link without managing them.';
grant execute on function private.covered_memory_ids() to anon;
grant execute on function private.covered_memory_ids() to authenticated;
grant execute on function private.covered_memory_ids() to service_role;

CREATE OR REPLACE FUNCTION private.date_in_name(file_name text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
declare
  -- 2024-07-14, 20240714, 2024_0714.
  year_first constant text := '(?<!\d)((?:18|19|20)\d\d)([-_.]?)(0[1-9]|1[0-2])(?:\2|(?<=_\d\d))(0[1-9]|[12]\d|3[01])';
  -- 14.07.2024, and 14-07-2024 after the @ of a messenger's export. Elsewhere, hyphens may separate an American date.
  day_first constant text := '(?:(?<!\d)(?=\d\d\.)|(?<=@))(0[1-9]|[12]\d|3[01])([-.])(0[1-9]|1[0-2])\2((?:19|20)\d\d)';
  -- Up to three words stand between day and time, in the language of the device.
  clock constant text := '(?:(?:[-_ T.,@]+(?:\D{1,16} )?)?([01]\d|2[0-3]|\d(?=[-_.: ]))([-_.: h]?)([0-5]\d)(?:\6|m)([0-5]\d)(?:\d{3})?(?!\d)(?:[\s\u202F]?([AaPp])\.?[Mm])?|(?!\d))';
  -- Milliseconds since 1970, from September 2001 on, as a whole name or after these words.
  epoch constant text := '(?:^|^(?:mmexport|wx_camera_|microMsg\.|FB_IMG_|IMG_|VID_|image_|video_|photo_|img|pic_|Messenger_creation_))(1\d{12})(?:[-_. ()~]\d{0,3}\)?)?(?:\.\w+)?$';
  parts text[] := regexp_match(file_name, year_first || clock);
  day text := parts[1] || '-' || parts[3] || '-' || parts[4];
  hour integer;
begin
  if file_name ~* '(^|[^a-z])(scan|scn|scansione|numeri[sz])' then
    return null;
  end if;
  if parts is null or private.date_span(day) is null then
    parts := regexp_match(file_name, day_first || clock);
    day := parts[4] || '-' || parts[3] || '-' || parts[1];
  end if;
  if parts is null and file_name ~* '^picsart_' then
    parts := regexp_match(file_name, '^\w+?_(\d\d)(-)(\d\d)-(\d\d)_(\d\d)(-)(\d\d)-(\d\d)()', 'i');
    day := '20' || parts[1] || '-' || parts[3] || '-' || parts[4];
  end if;
  if parts is null then
    parts := regexp_match(file_name, epoch, 'i');
    return to_char(to_timestamp(parts[1]::bigint / 1000) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS');
  end if;
  if private.date_span(day) is null then
    return null;
  end if;
  hour := parts[5]::integer;
  if hour is null then
    return day;
  end if;
  if parts[9] <> '' then
    hour := hour % 12 + case upper(parts[9]) when 'P' then 12 else 0 end;
  end if;
  return day || 'T' || lpad(hour::text, 2, '0') || ':' || parts[7] || ':' || parts[8];
end
$function$;
comment on function private.date_in_name(text) is 'The date, and the time if there is one, in a file name; null without one.';

CREATE OR REPLACE FUNCTION private.date_of_evidence(evidence jsonb, file_name text, seconds double precision, OUT taken_at text, OUT source text)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  named constant text := private.date_in_name(file_name);
  is_local boolean;
  gap numeric;
  -- A header may be written when the recording ends.
  slack constant numeric := 60 + least(coalesce(seconds, 0), 86400);
begin
  -- The order of all sources, for all kinds of files.
  select e.at, e.source, e.local into taken_at, source, is_local
  from (
    select x.at, x.source, coalesce(x.local, false) as local, x.kind, x.n
    from rows from (jsonb_to_recordset(evidence) as (kind text, source text, at text, local boolean))
      with ordinality as x (kind, source, at, local, n)
    union all select named, 'name', true, 'name', 0
  ) e join (values
    ('taken', 1), ('digitized', 2), ('gps', 3), ('header', 4), ('export', 5), ('name', 6), ('modified', 7)
  ) r (kind, rank) using (kind)
  where private.is_plausible_time(e.at)
  order by r.rank, e.n limit 1;
  if taken_at not like '%T%' then
    -- Another source may have the time of that day.
    select e.at, e.source into taken_at, source
    from (select taken_at as at, source, 0 as n union all
      (select x.at, x.source, 1 from jsonb_to_recordset(evidence) as x (source text, at text)
        where x.at like taken_at || 'T%' and private.is_plausible_time(x.at) limit 1) union all
      select named, 'name', 2 where named like taken_at || 'T%') e
    order by e.at like '%T%' desc, e.n limit 1;
  elsif not is_local and private.is_plausible_time(named) and named like '%T%' then
    -- Most clocks in headers are in UTC, and names in local time, which is whole quarters of an hour away.
    gap := extract(epoch from taken_at::timestamp - named::timestamp);
    if gap between -15 * 3600 - 60 and 15 * 3600 + slack and mod(mod(gap + 60, 900) + 900, 900) <= 60 + slack then
      taken_at := named;
    end if;
  end if;
end
$function$;
comment on function private.date_of_evidence(jsonb,text,double precision) is 'The most reliable date among those of a file and its name, and its source. A time that may be in UTC is replaced by a local time in the name that agrees with it. `seconds` is the length of a video.';

CREATE OR REPLACE FUNCTION private.date_of_file(recorded text, exported text, file_name text, OUT taken_at text, OUT source text)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  latest constant text := private.date_order(to_char(now() at time zone 'utc' + interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS'));
begin
  for taken_at, source in values
    (left(recorded, 19), 'video'), (left(exported, 19), 'takeout'), (private.date_in_name(file_name), 'name')
  loop
    -- A clock that is ahead by more than a time zone was not set.
    if private.date_span(taken_at) is not null and private.date_order(taken_at) <= latest then
      return;
    end if;
  end loop;
  taken_at := null;
  source := null;
end
$function$;
comment on function private.date_of_file(text,text,text) is 'When a file was taken, from what is known before its tags are read: the movie header, the export, or the file name.';

CREATE OR REPLACE FUNCTION private.date_order(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
  select case when parts is not null then
    parts[1] || replace(parts[2], 'X', '0')
      || '-' || coalesce(case when parts[3] > '20' then lpad(((parts[3]::integer - 20) * 3)::text, 2, '0') else parts[3] end, '01')
      || '-' || coalesce(parts[4], '01') || 'T' || coalesce(parts[5], '00:00:00') || ' '
      || case when parts[2] = 'X' then 0 when parts[3] is null then 1 when parts[3] > '20' then 2 when parts[4] is null then 3
           when parts[5] is null then 4 else 5 end
      || case when value like '%~' then 1 else 0 end
  end
  from regexp_match(value, '^(\d{3})([\dX])(?:-(\d\d)(?:-(\d\d)(?:T(\d\d:\d\d:\d\d))?)?)?~?$') parts
$function$;
comment on function private.date_order(text) is 'A sort key for approximate dates: by the earliest moment, then the longer period first, then the date without ~ first.';
grant execute on function private.date_order(text) to anon;
grant execute on function private.date_order(text) to authenticated;
grant execute on function private.date_order(text) to service_role;

CREATE OR REPLACE FUNCTION private.date_photo(photo uuid, evidence jsonb)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update public.media_details d set file_taken_at = c.taken_at, file_taken_source = c.source,
    taken_source = case when d.taken_source = 'person' then d.taken_source else c.source end
  from public.media_details own
    left join storage.objects o on o.id = own.media_id
    cross join lateral private.date_of_evidence(
      -- The date of an imported account's export is in the row only.
      evidence || case own.file_taken_source when 'takeout' then private.evidence_of_upload(null, own.file_taken_at)
        else private.evidence_of_upload(null, o.user_metadata ->> 'taken') end,
      own.file_name, null) c
  where own.media_id = photo and d.media_id = own.media_id
$function$;
comment on function private.date_photo(uuid,jsonb) is 'Dates a photo by the tags in its file. A person''s date stays; the date of the file is stored beside it.';

CREATE OR REPLACE FUNCTION private.date_span(value text)
 RETURNS tsrange
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
declare
  parts constant text[] := regexp_match(value,
    '^(\d{3})([\dX])(?:-(\d\d)(?:-(\d\d)(?:T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d))?)?)?~?$');
  first_year constant integer := (parts[1] || replace(parts[2], 'X', '0'))::integer;
  month integer := parts[3]::integer;
  day constant integer := parts[4]::integer;
  since timestamp;
  until timestamp;
begin
  if parts is null or first_year = 0 or parts[2] = 'X' and month is not null then
    return null;
  end if;
  if month is null then
    since := make_timestamp(first_year, 1, 1, 0, 0, 0);
    return tsrange(since, since + case parts[2] when 'X' then interval '10 years' else interval '1 year' end);
  end if;
  if month between 21 and 24 and day is null then
    since := make_timestamp(first_year, (month - 20) * 3, 1, 0, 0, 0);
    return tsrange(since, since + interval '3 months');
  end if;
  if month not between 1 and 12 then
    return null;
  end if;
  since := make_timestamp(first_year, month, 1, 0, 0, 0);
  until := since + interval '1 month';
  if day is null then
    return tsrange(since, until);
  end if;
  since := since + make_interval(days => day - 1);
  if day = 0 or since >= until then
    return null;
  end if;
  if parts[5] is null then
    return tsrange(since, since + interval '1 day');
  end if;
  since := since + parts[5]::time;
  return tsrange(since, since, '[]');
end
$function$;
comment on function private.date_span(text) is 'The period that an approximate date covers. Null if the text is not a date, for example 31 February.';
grant execute on function private.date_span(text) to anon;
grant execute on function private.date_span(text) to authenticated;
grant execute on function private.date_span(text) to service_role;

CREATE OR REPLACE FUNCTION private.dated_entries(of_memory uuid, own uuid[], of_class text, since date, until date, within boolean, of_month_day text)
 RETURNS TABLE(kind text, row_id uuid, memory_id uuid, whole boolean, on_date text, first_day date)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 60
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
declare
  most constant integer := 60;
begin
  if of_month_day is not null then
    return query
      select e.kind, e.row_id, e.memory_id, true, e.on_date, e.first_day from private.search_entries e
      where e.memory_id = of_memory and e.class = of_class and e.month_day >= of_month_day and e.month_day < of_month_day || '~'
      order by e.month_day limit most;
    return query
      select e.kind, e.row_id, e.memory_id, true, e.on_date, e.first_day from private.search_entries e
      where e.account = auth.uid() and e.memory_id = any (own) and e.class = of_class
        and e.month_day >= of_month_day and e.month_day < of_month_day || '~'
      order by e.month_day limit most;
    return;
  end if;
  return query
    -- The longest and the shortest period of each precision in days, so that the index lists only dates that match.
    with bounds as materialized (
      select p.precision,
        coalesce(case when within then since else since - p.longest end, '-infinity') as first,
        coalesce(case when within then until - p.shortest else until end, 'infinity') as last
      from (values (0, 0, 0), (1, 30, 27), (2, 91, 89), (3, 365, 364), (4, 3652, 3651)) p (precision, longest, shortest))
    select e.kind, e.row_id, e.memory_id, (since is null or e.first_day >= since) and (until is null or e.last_day <= until),
      e.on_date, e.first_day
    from bounds b
    cross join lateral (
      (select e.* from private.search_entries e
        where e.memory_id = of_memory and e.class = of_class and e.precision = b.precision and e.first_day between b.first and b.last
          and (since is null or case when within then e.first_day else e.last_day end >= since)
          and (until is null or case when within then e.last_day else e.first_day end <= until)
        order by e.first_day limit most)
      union all
      (select e.* from private.search_entries e
        where of_memory is null and e.account = auth.uid() and e.class = of_class and e.precision = b.precision
          and e.first_day between b.first and b.last and e.memory_id = any (own)
          and (since is null or case when within then e.first_day else e.last_day end >= since)
          and (until is null or case when within then e.last_day else e.first_day end <= until)
        order by e.first_day limit most)) e;
end
$function$;
comment on function private.dated_entries(uuid,uuid[],text,date,date,boolean,text) is 'Entries of a memory, or of all memories of the caller, with a date in a period or on a day of any year.';

CREATE OR REPLACE FUNCTION private.day_of(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
  select regexp_replace(value, 'T[0-9:]+', '')
$function$;
comment on function private.day_of(text) is 'An approximate time without its time of day.';

CREATE OR REPLACE FUNCTION private.day_reply_result(reply public.day_replies)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('id', reply.id, 'waiting', reply.waiting_since is not null, 'revision', reply.revision)
$function$;
comment on function private.day_reply_result(public.day_replies) is 'What save_day_reply answers.';

CREATE OR REPLACE FUNCTION private.decide_request()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if new.state <> old.state then
    new.decided_at := case when new.state <> 'open' then now() end;
    new.decided_by := case when new.state <> 'open' then auth.uid() end;
  end if;
  return new;
end
$function$;
comment on function private.decide_request() is 'Notes when and by whom a request about a picture was decided.';

CREATE OR REPLACE FUNCTION private.decline_emailed_invitation(share text, token_hash text, undo boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  invitation public.invitations;
  link constant uuid := (select l.id from public.share_links l where l.share_id = share and l.invitation_id is not null);
begin
  if not private.is_invited(link, token_hash) then
    return false;
  end if;
  select i.* into invitation from public.share_links l join public.invitations i on i.id = l.invitation_id
  where l.id = link for update of i;
  if not undo and invitation.state = 'open' then
    update public.invitations i set state = 'declined', settled_at = now() where i.id = invitation.id;
    return true;
  end if;
  if not undo or invitation.state <> 'declined' then
    return not undo and invitation.state = 'declined';
  end if;
  -- Somebody may have been invited anew, and then that email opens the memory.
  if invitation.settled_at < now() - interval '1 day' or exists (select from public.invitations i
      where i.memory_id = invitation.memory_id and i.email = invitation.email and i.state = 'open') then
    return false;
  end if;
  update public.invitations i set state = 'open', settled_at = null where i.id = invitation.id;
  -- What was revoked by declining, and nothing else: all that one transaction writes has the same time.
  update public.share_links l set revoked_at = null where l.id = link and l.revoked_at = invitation.settled_at;
  return true;
end
$function$;
comment on function private.decline_emailed_invitation(text,text,boolean) is 'Declines the open invitation whose email has this token, or takes that back within a day. Returns whether it is declined or open again. Only the server calls it.';

CREATE OR REPLACE FUNCTION private.delete_film()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from storage.objects where bucket_id = 'films' and name = old.object_name;
  return null;
end
$function$;
comment on function private.delete_film() is 'Deletes the file of a film that was replaced, withdrawn or deleted.';

CREATE OR REPLACE FUNCTION private.delete_memory_objects()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Ends unfinished uploads, and frees the space reserved for them while the owner is still known.
  if to_regclass('storage.uploads') is not null then
    delete from storage.uploads where name like old.id || '/%' and finished_at is null;
  end if;
  delete from storage.objects where bucket_id in ('media', 'posters') and name like old.id || '/%';
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION private.delete_merged()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.pictured_people p set deleted = new.deleted where p.merged_into = new.id and p.deleted <> new.deleted;
  return null;
end
$function$;
comment on function private.delete_merged() is 'Deletes and restores the entries that are merged into a person together with it.';

CREATE OR REPLACE FUNCTION private.delete_motion()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from storage.objects o using public.media v where v.motion_of = old.id and o.id = v.id;
  return old;
end
$function$;
comment on function private.delete_motion() is 'Deletes a photo''s video for good with it.';

CREATE OR REPLACE FUNCTION private.delete_poster()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from storage.objects where bucket_id = 'posters' and name = old.poster_name;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.delete_reactions(of_media uuid[], of_comments uuid[])
 RETURNS TABLE(id uuid, media_id uuid, comment_id uuid, was text)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with found as (
    select r.id, r.media_id, r.comment_id, r.moderation from public.reactions r
    where (r.media_id = any (of_media) or r.comment_id = any (of_comments)) and r.moderation <> 'deleted' order by r.id for update
  ), done as (
    update public.reactions r set moderation = 'deleted' from found where r.id = found.id returning r.id
  )
  select found.id, found.media_id, found.comment_id, found.moderation from found join done using (id)
$function$;
comment on function private.delete_reactions(uuid[],uuid[]) is 'Hides the reactions to photos and comments as deleted. Returns each with its previous moderation state.';

CREATE OR REPLACE FUNCTION private.describe_cover()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'UPDATE' and new.cover is not distinct from old.cover then
    return new;
  end if;
  new.cover_width := null;
  new.cover_height := null;
  new.cover_colour := null;
  new.cover_placeholder := null;
  if new.cover is not null then
    -- Locked, so that it is not cleared away as unused before this post names it.
    select (o.metadata ->> 'width')::integer, (o.metadata ->> 'height')::integer into new.cover_width, new.cover_height
    from storage.objects o where o.bucket_id = 'covers' and o.name = new.cover for share;
    if not found then
      raise exception 'There is no such picture.' using errcode = '23503', hint = 'cover_missing';
    end if;
    perform pg_notify('cover_waiting', '');
  end if;
  return new;
end
$function$;
comment on function private.describe_cover() is 'Refuses a cover that is not stored, and notes its size. Colour and placeholder follow from a job.';

CREATE OR REPLACE FUNCTION private.due_reply_mails(at timestamp with time zone)
 RETURNS TABLE(kind text, dedupe_key text, guest_id uuid, email text, language text, name text, memory text, time_zone text, url text, closes_at timestamp with time zone, closes_zone text, parts jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with due as (
    select r.id, 'closing' as kind, s.closes_at::text as moment from public.day_reply_settings s
    join public.day_replies r on r.memory_id = s.memory_id
    where s.closes_at > at and s.closes_at <= at + interval '3 days' and (r.answer is null or r.answer = 'maybe')
      and r.updated_at <= s.closes_at - interval '3 days'
    union all
    select distinct r.id, 'coming', e.on_date::text from public.memory_entries e
    join public.day_replies r on r.memory_id = e.memory_id and e.id = any (r.part_ids)
    where e.asks_replies and e.on_date between (at - interval '1 day')::date::text and (at + interval '2 days')::date::text
      and public.begins_at(e) > at and public.begins_at(e) <= at + interval '1 day'
      and (r.answer = 'maybe' or r.answer = 'yes' and r.waiting_since is null)
      and r.updated_at <= public.begins_at(e) - interval '1 day'
    union all
    select r.id, 'place', r.admitted_at::text from public.day_replies r
    where r.admitted_at > at - interval '1 day' and r.answer = 'yes' and r.waiting_since is null
    union all
    -- Half an hour after the last of several changes.
    select r.id, 'changed', max(e.revised_at)::text from public.memory_entries e
    join public.day_replies r on r.memory_id = e.memory_id and e.id = any (r.part_ids) and r.answer in ('yes', 'maybe')
    where e.part is not null and e.revised_at > at - interval '1 day' and e.revised_at > r.updated_at and e.audience = 'all'
      and public.begins_at(e) > at
    group by r.id having max(e.revised_at) <= at - interval '30 minutes'
  )
  select d.kind, k.key, g.id, g.email, g.language, r.names[1], m.person_name, g.time_zone, g.site || '/shared/' || l.share_id,
    s.closes_at, s.time_zone, p.parts
  from due d
  cross join lateral (select 'day-reply:' || d.kind || ':' || d.id || ':' || d.moment as key) k
  join public.day_replies r on r.id = d.id
  join public.day_reply_settings s on s.memory_id = r.memory_id
  join public.memories m on m.id = r.memory_id and m.deleted_at is null and not m.draft
  join public.guests g on g.id = r.guest_id and g.email is not null and g.blocked_at is null
  join public.share_links l on l.id = g.link_id and l.shared_at is not null and l.revoked_at is null and l.rights <> 'upload'
    and coalesce(l.expires_at > at, true) and (l.memory_id = m.id or l.album_id = m.album_id)
  cross join lateral (
    -- As the guest sees them.
    select jsonb_agg(jsonb_build_object('title', e.title, 'place', e.place, 'day', e.on_date, 'time', e.starts_at, 'timeZone', e.time_zone)
      order by public.begins_at(e), e.id) as parts
    from public.memory_entries e where e.memory_id = m.id and e.asks_replies and e.audience = 'all'
      and (d.kind = 'closing' or e.id = any (r.part_ids)) and (d.kind <> 'coming' or e.on_date::text = d.moment)
  ) p
  where p.parts is not null and not exists (select from private.outbox o where o.dedupe_key = k.key)
$function$;
comment on function private.due_reply_mails(timestamp with time zone) is 'Emails to guests about a day: three days before replies close, a day before the day, when they have moved up from the waiting list, and after changes of parts to which they come. Each once, and only while their link shows the memory.';

CREATE OR REPLACE FUNCTION private.earn_commission()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  left_over constant integer := private.commission_of(new.total, new.tax, new.refunded);
  whole constant integer := private.commission_of(new.total, new.tax, 0);
begin
  -- Also for an affiliate who was paused or left since: an earned commission follows its payment.
  update public.commissions set base = new.total - new.tax, earned = whole, reversed = whole - left_over,
    held = new.status = 'disputed'
  where order_id = new.id;
  if not found then
    insert into public.commissions (affiliate_id, order_id, currency, base, earned, reversed, held, earned_at, payable_at)
    select a.id, new.id, new.currency, new.total - new.tax, whole, whole - left_over, new.status = 'disputed',
      new.paid_at, new.paid_at + interval '30 days'
    from public.affiliates a join auth.users u on u.id = a.user_id
    where a.code = new.affiliate_code and whole > 0
      -- Nobody earns a commission on their own purchases.
      and a.user_id is distinct from new.user_id and lower(u.email) is distinct from lower(new.email);
  end if;
  return null;
end
$function$;
comment on function private.earn_commission() is 'Sets the commission of an order from its current payment. Can be repeated without effect.';

CREATE OR REPLACE FUNCTION private.edit_of(object storage.objects)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(
    case object.bucket_id when 'media' then (select m.edit from public.media m where m.id = object.id) end,
    case object.bucket_id when 'posters' then (select m.edit from public.media m where m.poster_name = object.name limit 1) end)
$function$;
comment on function private.edit_of(storage.objects) is 'The edit by which an object is shown, for those who may see the object; null for most.';
grant execute on function private.edit_of(storage.objects) to anon;
grant execute on function private.edit_of(storage.objects) to authenticated;
grant execute on function private.edit_of(storage.objects) to service_role;

CREATE OR REPLACE FUNCTION private.edited_size(edit jsonb, width integer, height integer)
 RETURNS integer[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  -- The frame of a straightened picture is the largest of the same shape inside it.
  select array[
    greatest(1, floor(t.across * f.scale * (edit -> 'crop' ->> 2)::double precision + 0.5)),
    greatest(1, floor(t.down * f.scale * (edit -> 'crop' ->> 3)::double precision + 0.5))]::integer[]
  from (select case when (edit ->> 'turn')::integer % 180 = 0 then width else height end::double precision as across,
    case when (edit ->> 'turn')::integer % 180 = 0 then height else width end::double precision as down,
    radians(abs((edit ->> 'straighten')::double precision)) as angle) t,
  lateral (select least(t.across / (t.across * cos(t.angle) + t.down * sin(t.angle)), t.down / (t.across * sin(t.angle) + t.down * cos(t.angle))) as scale) f
$function$;
comment on function private.edited_size(jsonb,integer,integer) is 'The size in pixels of an upright picture as an edit shows it.';
grant execute on function private.edited_size(jsonb,integer,integer) to anon;
grant execute on function private.edited_size(jsonb,integer,integer) to authenticated;
grant execute on function private.edited_size(jsonb,integer,integer) to service_role;

CREATE OR REPLACE FUNCTION private.end_work()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.work w where w.subject = (to_jsonb(old) ->> tg_argv[0])::uuid;
  return null;
end
$function$;
comment on function private.end_work() is 'Deletes the work on a deleted row. Argument: the column of its id.';

CREATE OR REPLACE FUNCTION private.enqueue_card_email(cards uuid[], told text, cards_url text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into private.outbox (kind, template, language, recipient, props, dedupe_key)
  select 'mail', 'cards-' || told, o.language, o.email,
    jsonb_build_object('number', o.number, 'cards', count(*), 'cardsUrl', cards_url, 'carrier', max(coalesce(d.carrier, '')),
      'trackingNumber', max(coalesce(d.tracking_number, '')), 'trackingUrl', max(coalesce(d.tracking_url, ''))),
    'cards-' || told || ':' || min(c.id::text) || case when told = 'sent' then max(coalesce(d.tracking_number, '')) else '' end
  from public.metal_cards c join public.orders o on o.id = c.order_id
  left join public.card_deliveries d on d.card_id = c.id
  where c.id = any (cards) and (not private.is_caller() or private.has_role('admin', 'fulfilment'))
  group by o.id
  on conflict (dedupe_key) do nothing
$function$;
comment on function private.enqueue_card_email(uuid[],text,text) is 'Enqueues an email to the buyer of these cards ("engraved", "sent") in the transaction of the change.';
grant execute on function private.enqueue_card_email(uuid[],text,text) to authenticated;
grant execute on function private.enqueue_card_email(uuid[],text,text) to service_role;

CREATE OR REPLACE FUNCTION private.enqueue_edit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- An attempt that has begun shows another edit. Without its claim it stores nothing.
  delete from private.work w where w.kind = 'edits' and w.subject = new.id;
  insert into private.work (kind, subject) values ('edits', new.id);
  return null;
end
$function$;
comment on function private.enqueue_edit() is 'Lets a job make the copies, the placeholder and the colour of a photo that is shown in another way.';

CREATE OR REPLACE FUNCTION private.enqueue_work()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  item constant jsonb := to_jsonb(new);
begin
  insert into private.work (kind, subject, due_at, seconds)
  values (tg_argv[0], (item ->> tg_argv[1])::uuid, (item ->> tg_argv[2])::timestamptz,
    case tg_argv[0] when 'video-copies' then coalesce((item ->> 'duration')::real, (item ->> 'size')::real / 1e6) else 0 end)
  on conflict (subject, kind) do nothing;
  return null;
end
$function$;
comment on function private.enqueue_work() is 'Enqueues a row whose state is "waiting". Arguments: the kind of work, the columns of the id and of the time since when it waits. A container that was not read yet has about a megabyte for each second.';

CREATE OR REPLACE FUNCTION private.erase_account(person uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  recipients text[];
begin
  -- Rows follow by their foreign keys, stored bytes by their rows; messages know their reader by the address alone.
  delete from auth.users u where u.id = person returning array_remove(array[u.email, '+' || u.phone], null) into recipients;
  delete from private.outbox o where o.recipient = any (recipients);
  return recipients is not null;
end
$function$;
comment on function private.erase_account(uuid) is 'Deletes an account with all that is theirs, and the messages to it. Returns false where there is none.';

CREATE OR REPLACE FUNCTION private.erase_avatar()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from storage.objects where bucket_id = 'avatars' and name = private.picture_name(old.id);
  return old;
end
$function$;
comment on function private.erase_avatar() is 'Deletes the picture of a deleted account; a job of the storage removes the bytes.';

CREATE OR REPLACE FUNCTION private.erase_traces()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  address constant text := lower(old.email);
  names constant text[] := array_remove(array[(select nullif(p.full_name, '') from public.profiles p where p.id = old.id), address], null);
begin
  -- First, so that no change below touches a row whose account is about to go.
  delete from public.notices n where n.user_id = old.id;
  -- What was added to the memories of others belongs to these memories, and stays there without a name.
  update public.media_credits c set name = '' from public.media_details d
  where d.media_id = c.media_id and d.user_id = old.id and c.name <> '' and not private.owns_memory(old.id, c.memory_id);
  update public.story_credits c set name = '' from public.stories s
  where s.id = c.story_id and s.user_id = old.id and c.name <> '' and not private.owns_memory(old.id, c.memory_id);
  update public.comment_credits c set name = '' from public.comments s
  where s.id = c.comment_id and s.user_id = old.id and c.name <> '' and not private.owns_memory(old.id, c.memory_id);
  update public.reaction_credits c set name = '' from public.reactions s
  where s.id = c.reaction_id and s.user_id = old.id and c.name <> '' and not private.owns_memory(old.id, c.memory_id);
  update storage.objects o set owner = null, owner_id = null from public.media x join public.media_details d on d.media_id = x.id
  where d.user_id = old.id and o.owner_id = old.id::text and not private.owns_memory(old.id, x.memory_id)
    and (o.id = x.id or o.bucket_id = 'posters' and o.name = x.poster_name);
  update public.notices n set actor_name = '', actor_key = case when n.actor_key = '' then '' else gen_random_uuid()::text end
  where n.actor_key = old.id::text
    or n.comment_id in (select c.id from public.comments c where c.user_id = old.id)
    or n.story_id in (select s.id from public.stories s where s.user_id = old.id)
    or n.media_id in (select d.media_id from public.media_details d where d.user_id = old.id)
    or n.actor_name = any (names) and (n.memory_id in (select m.memory_id from public.memory_members m where m.user_id = old.id)
      or exists (select from public.memories m where m.id = n.memory_id and m.user_id = old.id));
  delete from public.invitations i where i.email = address or i.accepted_by = old.id;
  delete from private.correspondents c where c.email = address;
  -- The wish to get no emails outlives the account: it is about the address.
  delete from public.email_preferences e where e.email = address and not e.unsubscribed;
  delete from public.contact_messages c where lower(c.email) = address;
  update public.inbox_items i set search = private.search_words(concat_ws(' ', r.kind, r.reason, r.words)) from public.reports r
  where r.id = i.report_id and (r.user_id = old.id or lower(r.email) = address);
  update public.reports r set email = null where r.user_id = old.id or lower(r.email) = address;
  -- The law asks for sales. An order that was not paid is none; one that may still be paid goes when its time is over.
  delete from public.orders o where o.user_id = old.id and o.status in ('failed', 'expired');
  delete from private.outbox o where lower(o.recipient) = address or o.recipient = '+' || old.phone;
  update private.outbox o set bcc = null where lower(o.bcc) = address;
  -- The hosted platform keeps uploads elsewhere. Without their row the bytes are removed within the hour.
  if to_regclass('storage.uploads') is not null then
    delete from storage.uploads u where u.caller ->> 'sub' = old.id::text;
  end if;
  return old;
end
$function$;
comment on function private.erase_traces() is 'Removes a deleted account from rows that do not belong to it: names at contributions, messages to it, what knows it by its address.';

CREATE OR REPLACE FUNCTION private.evidence_of_upload(recorded text, exported text)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  -- A time with a zone is local; without one it may be in UTC.
  select jsonb_build_array(
    jsonb_build_object('kind', 'header', 'source', 'video', 'at', left(recorded, 19), 'local', length(recorded) > 19),
    jsonb_build_object('kind', 'export', 'source', 'takeout', 'at', left(exported, 19), 'local', length(exported) > 19))
$function$;
comment on function private.evidence_of_upload(text,text) is 'The dates of a file that are known before its tags are read: of a movie''s header and of the export that it came with.';

CREATE OR REPLACE FUNCTION private.fill_changed_places()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.fill_day_places(new.memory_id);
  return null;
end
$function$;
comment on function private.fill_changed_places() is 'Gives places that a higher limit has made free.';

CREATE OR REPLACE FUNCTION private.fill_day_places(of_memory uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  settings public.day_reply_settings;
  taken integer;
  waiting record;
begin
  select * into settings from public.day_reply_settings s where s.memory_id = of_memory for update;
  if settings.memory_id is null then
    return;
  end if;
  select coalesce(sum(cardinality(r.names)), 0) into taken from public.day_replies r
  where r.memory_id = of_memory and r.answer = 'yes' and r.waiting_since is null;
  for waiting in
    -- A locked one is being deleted with its account or link.
    select r.id, cardinality(r.names) as persons from public.day_replies r
    where r.memory_id = of_memory and r.waiting_since is not null order by r.waiting_since, r.id for update skip locked
  loop
    -- A household for which there will never be room does not block the others.
    continue when waiting.persons > settings.places;
    exit when taken + waiting.persons > settings.places;
    update public.day_replies r set waiting_since = null, admitted_at = now() where r.id = waiting.id;
    taken := taken + waiting.persons;
  end loop;
end
$function$;
comment on function private.fill_day_places(uuid) is 'Gives free places to the replies that wait, in the order of the list: a household moves up as a whole, and nobody overtakes it.';

CREATE OR REPLACE FUNCTION private.fill_left_places()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.fill_day_places(l.memory_id)
  from (select distinct o.memory_id from old_rows o where o.answer = 'yes' order by o.memory_id) l;
  return null;
end
$function$;
comment on function private.fill_left_places() is 'Gives the places of deleted replies to those that wait.';

CREATE OR REPLACE FUNCTION private.find_other_half()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_table_name = 'media' then
    perform private.join_to_photo(new.id);
    perform private.pair_by_name(new.id);
  elsif exists (select from public.media m where m.id = new.media_id and m.type = 'video') then
    perform private.join_to_photo(new.media_id);
  end if;
  return null;
end
$function$;
comment on function private.find_other_half() is 'Looks for the photo of a video as it comes, and for the other half of a photo once its file was read: the second file finds the first.';

CREATE OR REPLACE FUNCTION private.fit_edit()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  file integer[] := array[new.width, new.height];
begin
  if tg_op = 'UPDATE' then
    -- Only the server writes a size, which is that of the file.
    if old.edit is not null and (new.width, new.height) is not distinct from (old.width, old.height) then
      file := array[(old.edit -> 'of' ->> 0)::integer, (old.edit -> 'of' ->> 1)::integer];
    end if;
    if new.edit -> 'blur' is distinct from old.edit -> 'blur' then
      -- A file that turns out to have several pages has no edit, and would be shown whole.
      if new.state = 'waiting' and current_user in ('anon', 'authenticated') then
        raise exception 'The photo is still being read.' using errcode = 'PT400';
      end if;
      -- A job makes them again. Until then, nothing shows what is hidden now.
      new.placeholder := null;
      new.colour := null;
    end if;
    -- A picture that turns out to have several pages is shown as a paper.
    if new.pages is distinct from old.pages and new.pages is not null then
      new.edit := null;
    end if;
  end if;
  if new.edit is not null then
    -- The check refuses what this leaves alone.
    if jsonb_typeof(new.edit) <> 'object' or not private.is_edit(new.edit - 'of') then
      return new;
    end if;
    new.edit := nullif(new.edit - 'of', '{"turn": 0, "straighten": 0, "crop": [0, 0, 1, 1]}');
  end if;
  new.width := file[1];
  new.height := file[2];
  if new.edit is not null and file[1] > 0 and file[2] > 0 then
    new.edit := new.edit || jsonb_build_object('of', file);
    file := private.edited_size(new.edit, file[1], file[2]);
    new.width := file[1];
    new.height := file[2];
  end if;
  return new;
end
$function$;
comment on function private.fit_edit() is 'Gives an edited photo the size in which it is shown, and one without an edit that of its file.';

CREATE OR REPLACE FUNCTION private.follow_asker_in_letters()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_table_name = 'users' then
    update public.photo_letters l set changes = l.changes + 1 where l.asker_id = new.id;
  elsif tg_op = 'INSERT' then
    update public.photo_letters l set changes = l.changes + 1 where l.memory_id = new.memory_id and l.asker_id = new.user_id;
  else
    update public.photo_letters l set changes = l.changes + 1 where l.memory_id = old.memory_id and l.asker_id = old.user_id;
  end if;
  return null;
end
$function$;
comment on function private.follow_asker_in_letters() is 'Tells the pages of letters that the rights of the member who asked have changed, by their role, a block or a suspension.';

CREATE OR REPLACE FUNCTION private.follow_card()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if old.link_id is distinct from new.link_id then
    delete from public.share_links where id = old.link_id;
  end if;
  if old.blocked is distinct from new.blocked then
    update public.share_links set revoked_at = case when new.blocked is not null then now() end where id = new.link_id;
  end if;
  -- Once claimed, the secret that was printed for its pack is no longer valid.
  if new.claimed_at is not null and old.claimed_at is null then
    delete from public.card_secrets where card_id = new.id;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.follow_earlier_claim()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  existing boolean;
begin
  if tg_op = 'DELETE' then
    delete from private.work w where w.kind = tg_argv[0] and w.subject = old.media_id;
    return null;
  end if;
  if tg_op = 'INSERT' then
    -- Its statement updates an existing row, which is followed then. A row of the queue itself is no claim.
    execute format('select exists (select from %s where media_id = $1)', tg_relid::regclass) into existing using new.media_id;
    if existing or new.until = '-infinity' then
      return new;
    end if;
  end if;
  if tg_op = 'UPDATE' and new.attempts <= old.attempts then
    update private.work w set due_at = new.until, attempts = w.attempts + new.attempts - old.attempts
    where w.kind = tg_argv[0] and w.subject = new.media_id and w.claim is null;
  else
    update private.work w set due_at = new.until, attempts = w.attempts + 1, claim = null
    where w.kind = tg_argv[0] and w.subject = new.media_id and w.due_at <= now();
  end if;
  return case when found then new end;
end
$function$;
comment on function private.follow_earlier_claim() is 'For the version before, until the next one: its claim takes a row of private.work, and is refused while another process holds that. Argument: the kind of work.';

CREATE OR REPLACE FUNCTION private.follow_in_search()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  changed uuid[];
  kind text := tg_argv[0];
  columns constant text := (select string_agg(format('%%1$s.%I::text', c), ', ') from unnest(string_to_array(tg_argv[2], ' ')) c);
begin
  if tg_op = 'UPDATE' then
    execute format('select array_agg(n.%2$I) from new_rows n join old_rows o on o.%2$I = n.%2$I where (%1$s) is distinct from (%3$s)',
      format(columns, 'n'), tg_argv[1], format(columns, 'o')) into changed;
  elsif tg_op = 'INSERT' then
    execute format('select array_agg(n.%I) from new_rows n', tg_argv[1]) into changed;
  else
    execute format('select array_agg(o.%I) from old_rows o', tg_argv[1]) into changed;
  end if;
  if changed is null then
    return null;
  end if;
  perform private.index_for_search(kind, changed);
  if kind = 'memory' and tg_op = 'UPDATE' then
    -- A new owner finds all of the memory among their own.
    for kind, changed in execute $sql$
      select e.kind, array_agg(e.row_id) from new_rows n join old_rows o on o.id = n.id and o.user_id <> n.user_id
      join private.search_entries e on e.memory_id = n.id and e.kind <> 'memory' group by e.kind $sql$
    loop
      perform private.index_for_search(kind, changed);
    end loop;
  elsif kind = 'photo' and tg_op = 'UPDATE' then
    perform private.index_for_search('file', changed);
    perform private.index_for_search('person', p.ids)
    from (select private.person_roots(array_agg(distinct n.person_id)) as ids from public.media_names n where n.media_id = any (changed)) p
    where p.ids is not null;
    perform private.index_for_search('comment', c.ids)
    from (select array_agg(id) as ids from public.comments where media_id = any (changed)) c where c.ids is not null;
  elsif kind = 'comment' and tg_op = 'UPDATE' then
    perform private.index_for_search('comment', c.ids)
    from (select array_agg(id) as ids from public.comments where parent_id = any (changed)) c where c.ids is not null;
  end if;
  return null;
end
$function$;
comment on function private.follow_in_search() is 'Keeps the search index up to date.';

CREATE OR REPLACE FUNCTION private.follow_invitation()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.share_links l set
    rights = case when new.state = 'accepted' then private.accepted_rights(coalesce((select p.role from public.memory_members p
        where p.memory_id = new.memory_id and p.user_id = new.accepted_by), new.role))
      else private.invited_rights(new.role) end,
    revoked_at = case when new.state in ('open', 'accepted') then l.revoked_at else coalesce(l.revoked_at, now()) end
  where l.invitation_id = new.id;
  -- Pages that others opened by the letter ask the share gate, which tells them to sign in.
  if new.state = 'accepted' and old.state <> 'accepted' then
    update public.link_versions v set devices_removed = v.devices_removed + 1
    from public.share_links l where l.invitation_id = new.id and v.link_id = l.id;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.follow_kind()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.share_links l set rights = private.usual_rights(new.kind)
  where l.memory_id = new.id and l.is_first and l.shared_at is null and l.rights = private.usual_rights(old.kind);
  return null;
end
$function$;
comment on function private.follow_kind() is 'Gives a first link that nobody has shared yet the usual right of the memory''s new kind.';

CREATE OR REPLACE FUNCTION private.follow_letter()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if new.withdrawn_at is not null then
    new.withdrawn_at := coalesce(old.withdrawn_at, now());
  end if;
  if (new.withdrawn_at is null) <> (old.withdrawn_at is null) or new.asker_id is distinct from old.asker_id then
    new.version := new.version + 1;
  end if;
  return new;
end
$function$;
comment on function private.follow_letter() is 'Increases the version of a letter whose access changes.';

CREATE OR REPLACE FUNCTION private.follow_link_on_wall()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.walls w set changes = w.changes + 1 where w.link_id = new.id;
  return null;
end
$function$;
comment on function private.follow_link_on_wall() is 'Tells screens that the link of their QR code has changed.';

CREATE OR REPLACE FUNCTION private.follow_media_in_slideshows()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'UPDATE' then
    update public.slideshows s set changes = s.changes + 1
      where s.id in (select i.slideshow_id from public.slideshow_items i where i.media_id = new.id);
    if new.memory_id <> old.memory_id then
      delete from public.slideshow_items i where i.media_id = new.id;
      update public.slideshows s set music_id = null where s.music_id = new.id;
    end if;
    if new.memory_id = old.memory_id and new.moderation = 'shown' and new.edit -> 'blur' is not distinct from old.edit -> 'blur' then
      return null;
    end if;
  end if;
  with gone as (delete from private.film_media f where f.media_id = old.id returning f.slideshow_id),
  ended as (delete from private.work w using gone where w.subject = gone.slideshow_id)
  update public.slideshow_films f set state = 'withdrawn', progress = null, failure = null, object_name = null, size = null,
    seconds = null, made_at = null, made_of = null, expires_at = null
  from gone where f.slideshow_id = gone.slideshow_id;
  return null;
end
$function$;
comment on function private.follow_media_in_slideshows() is 'Removes every film with a photo or music that was hidden, blurred, deleted or moved, and counts a changed caption as a change of its slideshows. What moves to another memory leaves them.';

CREATE OR REPLACE FUNCTION private.follow_memory_in_letters()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.photo_letters l set changes = l.changes + 1,
    version = l.version + case when new.deleted_at is distinct from old.deleted_at then 1 else 0 end
  where l.memory_id = new.id;
  return null;
end
$function$;
comment on function private.follow_memory_in_letters() is 'Tells the pages of letters that their memory has another name or owner, or was deleted.';

CREATE OR REPLACE FUNCTION private.follow_memory_on_wall()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.walls w set changes = w.changes + 1,
    version = w.version + case when new.deleted_at is distinct from old.deleted_at then 1 else 0 end,
    shows_pictures = w.shows_pictures and (new.kind <> 'tribute' or old.kind = 'tribute')
  where w.memory_id = new.id;
  return null;
end
$function$;
comment on function private.follow_memory_on_wall() is 'Tells screens that the name of their memory has changed, or that it was deleted. A memory that becomes a tribute shows no pictures until its family allows it.';

CREATE OR REPLACE FUNCTION private.follow_moved_photo()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  new.person_id := private.person_in(new.memory_id, old.person_id, new.media_id);
  select p.deleted into new.person_deleted from public.pictured_people p where p.id = new.person_id;
  return new;
end
$function$;
comment on function private.follow_moved_photo() is 'Names on a photo that moves to another memory become names of people in that memory''s list.';

CREATE OR REPLACE FUNCTION private.follow_object()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.media m set object_name = new.name, memory_id = (storage.foldername(new.name))[1]::uuid,
    is_cover = m.is_cover and m.memory_id = (storage.foldername(new.name))[1]::uuid, position = null
  where m.id = new.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.follow_people_in_search()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  people uuid[];
  photos uuid[];
begin
  if tg_table_name = 'media_names' then
    if tg_op = 'DELETE' then
      select array_agg(distinct o.person_id), array_agg(distinct o.media_id) into people, photos from old_rows o;
    elsif tg_op = 'INSERT' then
      select array_agg(distinct n.person_id), array_agg(distinct n.media_id) into people, photos from new_rows n;
    else
      -- A point that moves changes nothing here.
      select array_agg(distinct c.person_id), array_agg(distinct c.media_id) into people, photos from (
        (select n.person_id, n.media_id, n.memory_id, n.person_deleted from new_rows n
          except select o.person_id, o.media_id, o.memory_id, o.person_deleted from old_rows o)
        union all (select o.person_id, o.media_id, o.memory_id, o.person_deleted from old_rows o
          except select n.person_id, n.media_id, n.memory_id, n.person_deleted from new_rows n)) c;
    end if;
  elsif tg_op = 'DELETE' then
    select array_agg(o.id) into people from old_rows o;
  else
    select array_agg(n.id) || array_agg(o.merged_into) || array_agg(n.merged_into) into people
    from new_rows n join old_rows o on o.id = n.id
    where (o.name, o.other_names, o.merged_into, o.deleted) is distinct from (n.name, n.other_names, n.merged_into, n.deleted);
    select array_agg(distinct n.media_id) into photos from public.media_names n
    where n.person_id in (select unnest(private.merged_people(p.id)) from new_rows p where p.id = any (people));
  end if;
  if people is not null then
    perform private.index_for_search('person', people || private.person_roots(people));
  end if;
  if photos is not null then
    perform private.index_for_search('photo', photos);
  end if;
  return null;
end
$function$;
comment on function private.follow_people_in_search() is 'Keeps people, and the names on photos, in the search index.';

CREATE OR REPLACE FUNCTION private.follow_photo()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  video public.media;
begin
  select * into video from public.media m where m.motion_of = new.id;
  if video.id is not null and video.memory_id <> new.memory_id then
    update storage.objects o set name = new.memory_id || '/' || split_part(o.name, '/', 2)
    where o.bucket_id = 'media' and o.id = video.id;
    update storage.objects o set name = new.memory_id || '/' || split_part(o.name, '/', 2)
    where o.bucket_id = 'posters' and o.name = video.poster_name;
  end if;
  return null;
end
$function$;
comment on function private.follow_photo() is 'Moves the video of a photo to another memory with it.';

CREATE OR REPLACE FUNCTION private.follow_photo_in_letters()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.photo_letters l set changes = l.changes + 1 where l.memory_id = old.memory_id and old.id = any (l.media_ids);
  return null;
end
$function$;
comment on function private.follow_photo_in_letters() is 'Tells the pages of letters that one of their photos was hidden, shown, moved or deleted.';

CREATE OR REPLACE FUNCTION private.follow_poster()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op <> 'INSERT' and (tg_op = 'DELETE' or new.name <> old.name) then
    update public.media set poster_name = null, poster_size = 0, placeholder = null, colour = null, state = 'ready' where poster_name = old.name;
  end if;
  if tg_op <> 'DELETE' then
    update public.media set poster_name = new.name, poster_size = coalesce((new.metadata ->> 'size')::bigint, 0), state = 'waiting'
    where object_name = left(new.name, -4) and type = 'video';
    perform pg_notify('media_waiting', '');
  end if;
  return null;
end
$function$;
comment on function private.follow_poster() is 'Stores the name of a video''s poster in its row, which then waits for the renditions of the poster.';

CREATE OR REPLACE FUNCTION private.follow_reveal()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  new.revealed_at := case when new.revealed then coalesce(case when tg_op = 'UPDATE' and old.revealed then old.revealed_at end, now()) end;
  if not new.revealed and coalesce(new.reveal_at > now(), true) then
    new.announced_at := null;
    delete from public.notices n where n.memory_id = new.memory_id and n.kind = 'revealed' and n.read_at is null;
  elsif tg_op = 'INSERT' then
    -- Nothing was hidden before, e.g. in an imported memory.
    new.announced_at := now();
  end if;
  return new;
end
$function$;
comment on function private.follow_reveal() is 'Notes when a memory is revealed, and takes back the notices of a reveal that was undone.';

CREATE OR REPLACE FUNCTION private.follow_role()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.share_links l set rights = private.accepted_rights(new.role) from public.invitations i
  where i.id = l.invitation_id and i.memory_id = new.memory_id and i.accepted_by = new.user_id
    and l.rights <> private.accepted_rights(new.role);
  return null;
end
$function$;
comment on function private.follow_role() is 'Gives the links of the invitations that a member accepted the rights of the member''s role.';

CREATE OR REPLACE FUNCTION private.follow_wall()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  present constant integer := old.anchor_tick + case when old.is_paused then 0
    else floor(extract(epoch from greatest(now() - old.anchored_at, interval '0')) / old.pace)::integer end;
begin
  if new.revoked_at is not null then
    new.revoked_at := coalesce(old.revoked_at, now());
  end if;
  if new.wall_id <> old.wall_id or (new.revoked_at is null) <> (old.revoked_at is null) then
    new.version := old.version + 1;
  end if;
  if new.link_id is distinct from old.link_id or new.expires_at is distinct from old.expires_at then
    new.changes := old.changes + 1;
  end if;
  if new.step <> old.step or new.pace <> old.pace or new.is_paused <> old.is_paused then
    new.anchor_tick := present + sign(new.step - old.step);
    new.anchored_at := now();
  end if;
  return new;
end
$function$;
comment on function private.follow_wall() is 'Increases the version of a wall whose access changes, and continues the sequence of pictures from the present one after the remote control was used.';

CREATE OR REPLACE FUNCTION private.forget_additions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.activity where user_id = old.id;
  return null;
end
$function$;
comment on function private.forget_additions() is 'Deletes the rows of a deleted account from the ledger of additions. They add up to nothing: its photos have no author any more.';

CREATE OR REPLACE FUNCTION private.forget_damage(object uuid, file_version text, was_mended boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  was_told boolean;
  memory uuid;
begin
  delete from private.damaged_files d where d.object_id = object and d.version = file_version
  returning d.told_at is not null into was_told;
  if not found then
    return;
  end if;
  if was_mended then
    update private.read_back r set mended = r.mended + 1;
  end if;
  if was_told then
    select i.memory_id into memory from public.media i where i.id = object;
    -- An unread notice is no longer true; how many others it counts is.
    update public.notices n set count = n.count - 1 where n.memory_id = memory and n.kind = 'file-lost' and n.read_at is null and n.count > 0;
    delete from public.notices n where n.memory_id = memory and n.kind = 'file-lost' and n.read_at is null and n.count = 0;
  end if;
end
$function$;
comment on function private.forget_damage(uuid,text,boolean) is 'Deletes the row of a file whose bytes are right again, and corrects the unread notice about it.';

CREATE OR REPLACE FUNCTION private.give_to_photo(from_file uuid, to_photo uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update public.comments c set media_id = to_photo where c.media_id = from_file;
  update public.reactions r set media_id = to_photo where r.media_id = from_file and not exists (select from public.reactions x
    where x.media_id = to_photo and x.kind = r.kind and x.user_id is not distinct from r.user_id and x.guest_id is not distinct from r.guest_id);
  update public.memory_entries e set media_id = to_photo where e.media_id = from_file;
  update public.albums a set cover_media_id = to_photo where a.cover_media_id = from_file;
  update public.notices n set media_id = to_photo where n.media_id = from_file;
  update public.slideshow_items i set media_id = to_photo where i.media_id = from_file and not exists (select from public.slideshow_items x
    where x.media_id = to_photo and x.slideshow_id = i.slideshow_id);
$function$;
comment on function private.give_to_photo(uuid,uuid) is 'What was said and made of a file that becomes part of an item is the item''s.';

CREATE OR REPLACE FUNCTION private.grant_sold_plans()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (select from public.order_items i where i.order_id = new.id and i.kind = 'plan') then
    perform private.recalculate_subscriptions(new.user_id);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.guard_merge()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform from public.memories m where m.id = new.memory_id for no key update;
  if new.merged_into is not null and new.merged_into is distinct from old.merged_into then
    if new.merged_into = any (private.merged_people(new.id)) then
      raise exception 'Two people cannot be merged into each other.' using errcode = '23514';
    end if;
    if exists (select from public.pictured_people p where p.id = new.merged_into and p.deleted) then
      raise exception 'This person was deleted.' using errcode = '23514';
    end if;
  end if;
  return new;
end
$function$;
comment on function private.guard_merge() is 'Refuses merges into each other and into deleted people, one change of a memory''s people after the other.';

CREATE OR REPLACE FUNCTION private.guest_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select g.id from private.open_link() l join public.guests g on g.link_id = l.id
  where auth.role() = 'anon' and g.id = (auth.jwt() -> 'share' ->> 'guest')::uuid and g.blocked_at is null
$function$;
comment on function private.guest_id() is 'The id of the guest that the caller is, while their link is open and they are not blocked; otherwise null.';
grant execute on function private.guest_id() to anon;
grant execute on function private.guest_id() to authenticated;
grant execute on function private.guest_id() to service_role;

CREATE OR REPLACE FUNCTION private.hand_over_sums()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.merge_sums(new.id);
  update private.activity a set account = new.user_id where a.ctid = any (array(
    select l.ctid from private.activity l where l.memory_id = new.id for update skip locked));
  update public.trash t set account = new.user_id where t.memory_id = new.id;
  return null;
end
$function$;
comment on function private.hand_over_sums() is 'Moves the sums of a memory to its new owner.';

CREATE OR REPLACE FUNCTION private.hand_over_use()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  stored_bytes bigint := coalesce((select sum((metadata ->> 'size')::bigint) from storage.objects
    where bucket_id in ('media', 'posters') and name like new.id || '/%'), 0);
  held_bytes bigint := 0;
begin
  if to_regclass('storage.uploads') is not null then
    with moved as (
      update storage.uploads set account = new.user_id where name like new.id || '/%' and finished_at is null returning size
    ) select coalesce(sum(size), 0) into held_bytes from moved;
  end if;
  perform private.count_bytes(old.user_id, -stored_bytes, -held_bytes);
  perform private.count_bytes(new.user_id, stored_bytes, held_bytes);
  perform private.check_memories(new.user_id);
  return null;
end
$function$;
comment on function private.hand_over_use() is 'Moves the storage used by a memory to the account of its new owner, where there must be enough space.';

CREATE OR REPLACE FUNCTION private.has_blocked_guest(link uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from public.guests g where g.link_id = link and g.blocked_at is not null)
$function$;
comment on function private.has_blocked_guest(uuid) is 'Whether somebody who came by a link is blocked. The link of an invitation stays revoked meanwhile, because they could come back under another name.';

CREATE OR REPLACE FUNCTION private.has_required_aal()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.has_second_factor()
    or not exists (select from auth.mfa_factors f where f.user_id = auth.uid() and f.status = 'verified')
$function$;
comment on function private.has_required_aal() is 'Whether the session has the required authentication level: aal2 if the person has a verified second factor, otherwise any.';
grant execute on function private.has_required_aal() to authenticated;

CREATE OR REPLACE FUNCTION private.has_role(VARIADIC roles text[])
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case
    when coalesce(auth.jwt() -> 'app_metadata' ->> 'role' = any (roles), false) is false then false
    when not private.has_second_factor() then false
    when auth.jwt() ->> 'session_id' is null then true
    else exists (select from auth.users u where u.id = auth.uid() and u.raw_app_meta_data ->> 'role' = any (roles))
  end
$function$;
comment on function private.has_role(text[]) is 'Whether the caller has one of these staff roles (admin, support, fulfilment, editor), by the token and by the account, and has used a second factor.';
grant execute on function private.has_role(text[]) to authenticated;
grant execute on function private.has_role(text[]) to service_role;

CREATE OR REPLACE FUNCTION private.has_second_factor()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case
    when auth.jwt() ->> 'aal' is distinct from 'aal2' then false
    when auth.jwt() ->> 'session_id' is null then true
    else exists (select from auth.sessions s where s.id = (auth.jwt() ->> 'session_id')::uuid and s.aal = 'aal2')
  end
$function$;
comment on function private.has_second_factor() is 'Whether the session is at aal2, by its token and by its row: removing the factor lowers the row at once.';

CREATE OR REPLACE FUNCTION private.hide_content_by(memory uuid, person uuid, guest uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  of_table text;
  part jsonb;
  hidden jsonb := '[]';
begin
  foreach of_table in array '{media,stories,comments,reactions}'::text[] loop
    execute format(
      'with theirs as (select id, moderation from public.%1$I
         where memory_id = $1 and %2$s and moderation not in (''hidden'', ''deleted'', ''attached'') order by id for update),
       done as (update public.%1$I t set moderation = ''hidden'' from theirs where t.id = theirs.id returning t.id)
       select coalesce(jsonb_agg(jsonb_build_object(''kind'', $4, ''id'', theirs.id, ''was'', theirs.moderation)), ''[]'')
       from theirs join done using (id)', of_table,
      case of_table when 'media' then
        'id in (select d.media_id from public.media_details d where d.memory_id = $1 and (d.user_id = $2 or d.guest_id = $3))'
      else '(user_id = $2 or guest_id = $3)' end)
    into part using memory, person, guest,
      (case of_table when 'stories' then 'story' when 'comments' then 'comment' when 'reactions' then 'reaction' else 'media' end);
    hidden := hidden || part;
  end loop;
  return hidden;
end
$function$;
comment on function private.hide_content_by(uuid,uuid,uuid) is 'Hides everything that somebody added to a memory. Returns each item and its previous state.';

CREATE OR REPLACE FUNCTION private.hold_changed_media()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.role() in ('anon', 'authenticated') and private.initial_moderation(new.memory_id) = 'held' then
    new.moderation := 'held';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.hold_named_media()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.media m set moderation = 'held'
  where m.id in (select n.media_id from new_rows n where private.initial_moderation(n.memory_id) = 'held') and m.moderation = 'shown';
  return null;
end
$function$;
comment on function private.hold_named_media() is 'A name on a photo awaits approval where a caption does.';

CREATE OR REPLACE FUNCTION private.hold_share_attempts(wanted text)
 RETURNS private.share_attempts
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into private.share_attempts as known (key, forget_at) values (wanted, clock_timestamp() + interval '1 day')
  on conflict (key) do update set
    failures = case when known.forget_at > clock_timestamp() then known.failures else 0 end,
    locked_until = case when known.locked_until > clock_timestamp() then known.locked_until end
  returning *
$function$;

CREATE OR REPLACE FUNCTION private.hold_upload()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  new.account := private.payer_of(new.bucket_id, new.name);
  if new.account is not null then
    perform private.count_bytes(new.account, 0, new.size);
  end if;
  return new;
end
$function$;
comment on function private.hold_upload() is 'Reserves the announced size of a resumable upload from its start.';

CREATE OR REPLACE FUNCTION private.html_text(html text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
  select btrim(regexp_replace(replace(replace(replace(replace(replace(replace(
    regexp_replace(html, '<[^>]*>', ' ', 'g'),
    '&nbsp;', ' '), '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&#39;', ''''), '&amp;', '&'), '\s+', ' ', 'g'))
$function$;
comment on function private.html_text(text) is 'The text of HTML on one line.';
grant execute on function private.html_text(text) to anon;
grant execute on function private.html_text(text) to authenticated;

CREATE OR REPLACE FUNCTION private.index_for_search(of_kind text, ids uuid[] DEFAULT NULL::uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from private.search_entries e where e.row_id = any (ids) and e.kind = of_kind;
  insert into private.search_entries (kind, row_id, part, memory_id, account, class, words, on_date, first_day, last_day, precision, month_day)
  select t.kind, t.row_id, t.part, t.memory_id, m.user_id, t.class, private.search_lexemes(t.memory_id, m.user_id, t.class, t.value, t.name), d.on_date,
    lower(d.span)::date, d.last_day,
    case when d.span is null then null when d.last_day = lower(d.span)::date then 0 when d.last_day - lower(d.span)::date < 32 then 1
      when d.last_day - lower(d.span)::date < 93 then 2 when d.last_day - lower(d.span)::date < 367 then 3 else 4 end,
    substring(d.on_date from '^\d{4}-((?:0\d|1[0-2])(?:-\d\d)?)')
  from private.search_texts(of_kind, ids) t
  join public.memories m on m.id = t.memory_id
  cross join lateral (select t.on_date, private.date_span(t.on_date) as span) s
  cross join lateral (select s.on_date, s.span,
    (upper(s.span) - case when upper_inc(s.span) then interval '0' else interval '1 day' end)::date as last_day) d
  on conflict (row_id, kind, part) do update set memory_id = excluded.memory_id, account = excluded.account, words = excluded.words, on_date = excluded.on_date,
    first_day = excluded.first_day, last_day = excluded.last_day, precision = excluded.precision, month_day = excluded.month_day;
end
$function$;
comment on function private.index_for_search(text,uuid[]) is 'Writes the entries of rows of a kind anew; without ids, of all rows, which have none yet.';

CREATE OR REPLACE FUNCTION private.initial_moderation(memory uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case
    when private.is_owner(memory) or private.member_role(memory) in ('co-owner', 'contributor') then 'shown'
    when exists (select from private.open_link() where moderated) then 'held'
    else 'shown'
  end
$function$;
comment on function private.initial_moderation(uuid) is 'The initial moderation state of what the caller adds to a memory: shown, or held until a manager approves it.';
grant execute on function private.initial_moderation(uuid) to anon;
grant execute on function private.initial_moderation(uuid) to authenticated;
grant execute on function private.initial_moderation(uuid) to service_role;

CREATE OR REPLACE FUNCTION private.invited_rights(role text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case role when 'contributor' then 'contribute' else 'view' end
$function$;
comment on function private.invited_rights(text) is 'Rights of the holder of an open invitation''s letter: those of a contributor''s, and only a look by the others.';

CREATE OR REPLACE FUNCTION private.is_admin()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.has_role('admin')
$function$;
comment on function private.is_admin() is 'Whether the caller is an administrator who has used a second factor.';
grant execute on function private.is_admin() to authenticated;
grant execute on function private.is_admin() to service_role;

CREATE OR REPLACE FUNCTION private.is_blocked(memory uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from public.memory_blocks b where b.memory_id = memory
    and (b.user_id = auth.uid() or b.guest_id = (auth.jwt() -> 'share' ->> 'guest')::uuid))
$function$;
comment on function private.is_blocked(uuid) is 'Whether the caller is blocked from a memory.';

CREATE OR REPLACE FUNCTION private.is_blocked_from_link(of_link uuid, people uuid[], of_guests uuid[], hashes text[])
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from public.share_links l join public.memory_blocks b on b.memory_id = l.memory_id
      where l.id = of_link and (b.user_id = any (people) or b.guest_id = any (of_guests)))
    or exists (select from public.guests g
      where g.link_id = of_link and (g.blocked_at is not null or exists (select from public.memory_blocks b
          join public.share_links l on l.id = of_link and l.memory_id = b.memory_id where b.guest_id = g.id))
        and (g.id = any (of_guests)
          or exists (select from private.guest_keys k where k.guest_id = g.id and k.hash = any (hashes))))
$function$;
comment on function private.is_blocked_from_link(uuid,uuid[],uuid[],text[]) is 'Whether one of these people or guests, or the owner of one of these keys, is blocked from a link. Only the server calls it.';

CREATE OR REPLACE FUNCTION private.is_blur(parts jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case when jsonb_typeof(parts) = 'array' then jsonb_array_length(parts) between 1 and 50 and not exists (
    select from jsonb_array_elements(case when jsonb_typeof(parts) = 'array' then parts else '[]' end) part
    -- A value of another type, or with more decimals, has another text.
    where not case when part::text ~ ('^\[' || array_to_string(array_fill('(0|1|0\.\d{1,4})'::text, array[4]), ', ') || '\]$')
      then (part ->> 2)::numeric >= 0.005 and (part ->> 3)::numeric >= 0.005
        and (part ->> 0)::numeric + (part ->> 2)::numeric <= 1 and (part ->> 1)::numeric + (part ->> 3)::numeric <= 1
      else false end)
  else false end
$function$;
comment on function private.is_blur(jsonb) is 'Whether these are 1 to 50 parts of a photo that can be blurred, by the rules of shared/photo-edit.ts.';
grant execute on function private.is_blur(jsonb) to anon;
grant execute on function private.is_blur(jsonb) to authenticated;
grant execute on function private.is_blur(jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.is_caller()
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(auth.role(), '') in ('anon', 'authenticated')
$function$;
comment on function private.is_caller() is 'Whether the statement runs for a request of a person, and not for the server itself.';
grant execute on function private.is_caller() to authenticated;
grant execute on function private.is_caller() to service_role;

CREATE OR REPLACE FUNCTION private.is_certainly_before(a text, b text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select coalesce(a not like '%~' and b not like '%~' and private.date_span(a) << private.date_span(b), false)
$function$;
grant execute on function private.is_certainly_before(text,text) to anon;
grant execute on function private.is_certainly_before(text,text) to authenticated;
grant execute on function private.is_certainly_before(text,text) to service_role;

CREATE OR REPLACE FUNCTION private.is_edit(edit jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  -- PostgreSQL sorts the keys. A value of another type, or with more decimals, has another text.
  select case when edit::text ~ ('^\{("of": \[[1-9]\d{0,8}, [1-9]\d{0,8}\], )?("blur": \[\[[^"{}]+\]\], )?"crop": \[' || (array_to_string(array_fill('(0|1|0\.\d{1,4})'::text, array[4]), ', ')) ||
    '\], "turn": (0|90|180|270), "straighten": -?\d{1,2}(\.\d)?\}$')
  then abs((edit ->> 'straighten')::numeric) <= 45
    and (edit -> 'crop' ->> 2)::numeric >= 0.05 and (edit -> 'crop' ->> 3)::numeric >= 0.05
    and (edit -> 'crop' ->> 0)::numeric + (edit -> 'crop' ->> 2)::numeric <= 1
    and (edit -> 'crop' ->> 1)::numeric + (edit -> 'crop' ->> 3)::numeric <= 1
    and (not edit ? 'blur' or private.is_blur(edit -> 'blur'))
  else false end
$function$;
comment on function private.is_edit(jsonb) is 'Whether it is a complete edit of a photo, by the rules of shared/photo-edit.ts.';
grant execute on function private.is_edit(jsonb) to anon;
grant execute on function private.is_edit(jsonb) to authenticated;
grant execute on function private.is_edit(jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.is_engravable(words text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
  select length(words) <= 2000 and normalize(left(words, 2000), NFC) ~ ('^['
    || '\u0020\u0022\u0026-\u0029\u002b-\u003b\u0041-\u005a\u0061-\u007a\u00aa-\u00ab\u00b7\u00ba-\u00bb\u00c0-\u00d6'
    || '\u00d8-\u00f6\u00f8-\u017e\u018f\u0192\u01a0-\u01a1\u01af-\u01b0\u01c4-\u01dc\u01e6-\u01e7\u01ea-\u01eb'
    || '\u01fa-\u021b\u022a-\u022d\u0230-\u0233\u0237\u0251\u0259\u0261\u0300-\u0301\u0303-\u0304\u0308-\u0309\u0323'
    || '\u0375\u037a\u0384\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u03d7-\u03e1\u0401-\u044f\u0451-\u045f'
    || '\u0462-\u0463\u046a-\u046b\u0490-\u0493\u0496-\u0497\u049a-\u049b\u04a2-\u04a3\u04ae-\u04b1\u04ba-\u04bb'
    || '\u04d8-\u04d9\u04e8-\u04e9\u1e08-\u1e09\u1e0c-\u1e0f\u1e14-\u1e17\u1e1c-\u1e1d\u1e20-\u1e21\u1e24-\u1e25'
    || '\u1e2a-\u1e2b\u1e2e-\u1e2f\u1e36-\u1e3b\u1e42-\u1e49\u1e4c-\u1e53\u1e5a-\u1e69\u1e6c-\u1e6f\u1e78-\u1e7b'
    || '\u1e80-\u1e85\u1e8e-\u1e8f\u1e92-\u1e93\u1e97\u1e9e\u1ea0-\u1ef9\u1f00-\u1f15\u1f18-\u1f1d\u1f20-\u1f45'
    || '\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d\u1f80-\u1fb4\u1fb6-\u1fc4\u1fc6-\u1fd3\u1fd6-\u1fdb'
    || '\u1fdd-\u1fef\u1ff2-\u1ff4\u1ff6-\u1ffe\u2013-\u2014\u2018-\u2019\u201c-\u201d'
    || ']*$')
$function$;
comment on function private.is_engravable(text) is 'Whether the engraver''s typeface has all characters of a text.';
grant execute on function private.is_engravable(text) to authenticated;
grant execute on function private.is_engravable(text) to service_role;

CREATE OR REPLACE FUNCTION private.is_engraving(engraving jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_typeof(engraving) = 'object', false)
    and length(coalesce(engraving ->> 'name', '')) <= 48 and length(coalesce(engraving ->> 'dates', '')) <= 40
    and private.is_engravable(coalesce(engraving ->> 'name', '') || coalesce(engraving ->> 'dates', ''))
$function$;
comment on function private.is_engraving(jsonb) is 'Whether a card can have this text: {name, dates}.';
grant execute on function private.is_engraving(jsonb) to authenticated;
grant execute on function private.is_engraving(jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.is_expected(memory uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE COST 200
AS $function$
begin
  return false;
end
$function$;
comment on function private.is_expected(uuid) is 'Never called. Its cost tells the planner that testing a memory without an index is expensive.';
grant execute on function private.is_expected(uuid) to anon;
grant execute on function private.is_expected(uuid) to authenticated;

CREATE OR REPLACE FUNCTION private.is_invitation_link(share text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from public.share_links l where l.share_id = share and l.invitation_id is not null)
$function$;
comment on function private.is_invitation_link(text) is 'Whether a share id belongs to an invitation''s email, also after the invitation has ended. Only the server calls it.';

CREATE OR REPLACE FUNCTION private.is_invited(of_link uuid, token_hash text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from private.invitation_tokens t where t.hash = token_hash and t.link_id = of_link)
$function$;
comment on function private.is_invited(uuid,text) is 'Whether a token belongs to an invitation link. Only the server calls it.';

CREATE OR REPLACE FUNCTION private.is_less(one public.user_subscriptions, other public.user_subscriptions)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select one.storage_gb < other.storage_gb
    or one.max_memories is not null and (other.max_memories is null or one.max_memories < other.max_memories)
$function$;
comment on function private.is_less(public.user_subscriptions,public.user_subscriptions) is 'Whether one plan, as sold, is smaller than another in any limit.';

CREATE OR REPLACE FUNCTION private.is_link_manager(link uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from public.share_links l left join public.albums a on a.id = l.album_id
    where l.id = link and (private.is_manager(l.memory_id) or a.user_id = auth.uid() and a.deleted_at is null and private.has_required_aal()))
$function$;
comment on function private.is_link_manager(uuid) is 'Whether the caller may change a link.';

CREATE OR REPLACE FUNCTION private.is_manager(memory uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.is_owner(memory) or coalesce(private.member_role(memory) = 'co-owner', false)
$function$;
comment on function private.is_manager(uuid) is 'Whether the caller owns or co-owns a memory.';
grant execute on function private.is_manager(uuid) to anon;
grant execute on function private.is_manager(uuid) to authenticated;
grant execute on function private.is_manager(uuid) to service_role;

CREATE OR REPLACE FUNCTION private.is_named(value text, find text, forgiving boolean)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(private.search_lexemes(nil, nil, 'w', value, '') @@ (
    select replace(string_agg(private.word_query(word, case when forgiving then '~' else 'w' end), ' & '), '§', '00000000m')::tsquery
    from unnest(private.needed_words(private.query_words(find))) word), false)
  from (values ('00000000-0000-0000-0000-000000000000'::uuid)) n (nil)
$function$;
comment on function private.is_named(text,text,boolean) is 'Whether a name matches a search.';
grant execute on function private.is_named(text,text,boolean) to anon;
grant execute on function private.is_named(text,text,boolean) to authenticated;

CREATE OR REPLACE FUNCTION private.is_on_back(front text, back text, find text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(count(*) filter (where t.behind like '% ' || w.form || '%') > count(*) filter (where t.before like '% ' || w.form || '%')
    -- Nothing of a misspelt search is in the text as it was typed.
    or count(*) > 0 and front = '', false)
  from (select ' ' || private.search_key(front) as before, ' ' || private.search_key(back) as behind) t,
    unnest(private.needed_words(private.query_words(find))) word, unnest(string_to_array(word, '|')) form,
    lateral (select left(form, greatest(4, length(form) - 2)) as form) w
$function$;
comment on function private.is_on_back(text,text,text) is 'Whether the words of a search are on the back of a print rather than in the text of its front.';
grant execute on function private.is_on_back(text,text,text) to anon;
grant execute on function private.is_on_back(text,text,text) to authenticated;

CREATE OR REPLACE FUNCTION private.is_open_letter(letter public.photo_letters)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select letter.withdrawn_at is null and letter.expires_at > now() and coalesce(private.may_ask(letter.memory_id, letter.asker_id), false)
$function$;
comment on function private.is_open_letter(public.photo_letters) is 'Whether a letter''s link opens now.';

CREATE OR REPLACE FUNCTION private.is_own(by_user uuid, by_guest uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(by_user = auth.uid(), false) or coalesce(by_guest = private.guest_id(), false)
$function$;
comment on function private.is_own(uuid,uuid) is 'Whether something belongs to the caller, signed in or guest.';
grant execute on function private.is_own(uuid,uuid) to anon;
grant execute on function private.is_own(uuid,uuid) to authenticated;
grant execute on function private.is_own(uuid,uuid) to service_role;

CREATE OR REPLACE FUNCTION private.is_own_media(media uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from public.media_details d where d.media_id = media and private.is_own(d.user_id, d.guest_id))
$function$;
comment on function private.is_own_media(uuid) is 'Whether the caller, signed in or guest, added a photo or video.';
grant execute on function private.is_own_media(uuid) to anon;
grant execute on function private.is_own_media(uuid) to authenticated;
grant execute on function private.is_own_media(uuid) to service_role;

CREATE OR REPLACE FUNCTION private.is_owner(memory uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce((select m.user_id = auth.uid() and private.has_required_aal() from public.memories m
    where m.id = memory and m.deleted_at is null), false)
$function$;
comment on function private.is_owner(uuid) is 'Whether the caller owns a memory.';
grant execute on function private.is_owner(uuid) to anon;
grant execute on function private.is_owner(uuid) to authenticated;
grant execute on function private.is_owner(uuid) to service_role;

CREATE OR REPLACE FUNCTION private.is_plausible_time(value text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.date_span(value) is not null
    -- Before the first photo.
    and value collate "C" >= '1826'
    -- A clock that is ahead by more than a time zone was not set.
    and private.date_order(value) <= private.date_order(to_char(now() at time zone 'utc' + interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS'))
    -- Clocks begin at these times when they lose power. Only a clock gives a time; a person writes "1970" without one.
    and not (value like '%T%' and value ~ '^(1904-01-01|1969-12-31|1970-01-01|1979-12-31|1980-01-01|2000-01-01|2002-12-08T12:00)')
$function$;
comment on function private.is_plausible_time(text) is 'Whether a file''s date may be true: a real date, not in the future, and not the time at which an unset clock begins.';

CREATE OR REPLACE FUNCTION private.is_staff()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.has_role('admin', 'support', 'fulfilment', 'editor') or coalesce(auth.role() = 'service_role', false)
$function$;
comment on function private.is_staff() is 'Whether the caller has any staff role, or is the command line of the server, which has the service key.';

CREATE OR REPLACE FUNCTION private.is_suspended(until timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(until > now(), false)
$function$;

CREATE OR REPLACE FUNCTION private.issue_cards()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  made record;
  bears jsonb;
begin
  if new.status = 'refunded' and old.status <> 'refunded' then
    -- Cards that are already engraved are kept. None of the others opens anything from now on.
    update public.metal_cards set making = 'cancelled', memory_id = null
    where order_id = new.id and making in ('waiting', 'ordered');
    return null;
  end if;
  if new.status <> 'paid' or old.status = 'paid' then
    -- The delivery address may be known later than the payment.
    update public.card_deliveries set address = new.delivery where order_id = new.id and address is null and new.delivery is not null;
    return null;
  end if;
  -- For a deleted account no card is made, and none returns after a dispute.
  if new.user_id is null then
    return null;
  end if;
  for made in
    select i.id as item_id, i.kind, i.details, n.place from public.order_items i,
      generate_series(1, case i.kind when 'card' then i.quantity
        else i.quantity * coalesce((i.terms ->> 'included_cards')::integer, 0) end) as n (place)
    where i.order_id = new.id order by i.id, n.place
  loop
    -- Text that cannot be engraved was refused before the sale. Of an older order, the card waits for another text.
    bears := case when made.kind = 'card' and private.is_engraving(made.details -> 'engraving') then made.details -> 'engraving' end;
    insert into public.metal_cards (user_id, order_id, order_item_id, place, making, name, dates, finish, language)
    values (new.user_id, new.id, made.item_id, made.place,
      case when jsonb_typeof(bears) = 'object' then 'ordered' else 'waiting' end,
      coalesce(bears ->> 'name', ''), coalesce(bears ->> 'dates', ''),
      case when bears ->> 'finish' in ('steel', 'gold', 'black') then bears ->> 'finish' else 'steel' end,
      case when bears ->> 'language' in ('en', 'it') then bears ->> 'language' else 'en' end)
    -- An existing card keeps its state, unless it was cancelled by mistake.
    on conflict on constraint one_card_a_place do update set making = excluded.making where metal_cards.making = 'cancelled';
    if found and jsonb_typeof(bears) = 'object' then
      update public.metal_cards c set memory_id = m.id
      from public.memories m
      where c.order_item_id = made.item_id and c.place = made.place and m.id::text = bears ->> 'memory_id' and not m.draft
        and (m.user_id = new.user_id or exists (select from public.memory_members p
          where p.memory_id = m.id and p.user_id = new.user_id and p.role = 'co-owner'));
    end if;
  end loop;
  insert into public.card_deliveries (card_id, user_id, order_id, address)
  select c.id, new.user_id, new.id, new.delivery from public.metal_cards c where c.order_id = new.id and new.user_id is not null
  on conflict do nothing;
  return null;
end
$function$;
comment on function private.issue_cards() is 'Creates the cards of a paid order; those included in plans wait for their text. Cancels cards that are not engraved when the order is refunded.';

CREATE OR REPLACE FUNCTION private.join_to_photo(item uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  own public.media_details;
  kind text;
  other uuid;
  photo uuid;
  part public.media;
begin
  select * into own from public.media_details d where d.media_id = item;
  select case when own.mime_type like 'image/x-%' then 'raw' else m.type end into kind from public.media m where m.id = item;
  -- Of two that arrive at once the second finds the first. One lock for this and for times, so that no two wait in a circle.
  perform pg_advisory_xact_lock(hashtextextended('media of a day ' || own.memory_id, 0));
  select c.media_id into other from (
    select d.media_id, 1 as rank from public.media_details d
    where d.memory_id = own.memory_id and d.content_identifier = own.content_identifier
    union all
    select d.media_id, 2 from public.media_details d
    where d.memory_id = own.memory_id and private.name_stem(d.file_name) = private.name_stem(own.file_name)
  ) c join public.media m on m.id = c.media_id
  where case kind when 'image' then private.are_one_item(item, c.media_id) else private.are_one_item(c.media_id, item) end
  order by c.rank, m.created_at, m.id limit 1;
  if other is null then
    return;
  end if;
  photo := case kind when 'image' then item else other end;
  select * into part from public.media m where m.id = case kind when 'image' then other else item end for update;
  perform from public.media m where m.id = photo for update;
  if not private.are_one_item(photo, part.id) then
    return;
  end if;
  update public.media m set motion_of = photo, moderation = 'attached', is_cover = false, position = null where m.id = part.id;
  update public.media m set motion = case part.type when 'video' then 'waiting' else m.motion end, is_cover = m.is_cover or part.is_cover,
    position = coalesce(m.position, part.position),
    caption = coalesce(nullif(m.caption, ''), part.caption), alt_text = coalesce(nullif(m.alt_text, ''), part.alt_text)
  where m.id = photo;
  if part.taken_at is not null and exists (select from public.media m where m.id = photo and m.taken_at is null) then
    update public.media_details d set taken_source = v.taken_source, file_taken_at = v.file_taken_at, file_taken_source = v.file_taken_source
    from public.media_details v where d.media_id = photo and v.media_id = part.id;
    update public.media m set taken_at = (select d.taken_at from public.media_details d where d.media_id = part.id) where m.id = photo;
  end if;
  perform private.give_to_photo(part.id, photo);
  delete from private.work w where w.subject = part.id and w.kind in ('video-streams', 'video-copies');
end
$function$;
comment on function private.join_to_photo(uuid) is 'Makes one item of a photo, video or raw photo that has just come, or was just made ready, and of its other half, if that is here.';

CREATE OR REPLACE FUNCTION private.joined_memory_ids()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.member_memory_ids('{co-owner,contributor,viewer}')
$function$;
comment on function private.joined_memory_ids() is 'The memories of other people that the caller is a member of, by no link.';
grant execute on function private.joined_memory_ids() to authenticated;
grant execute on function private.joined_memory_ids() to service_role;

CREATE OR REPLACE FUNCTION private.keep_blur()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Who added the photo may blur more. Somebody may have asked for what is blurred already.
  if current_user in ('anon', 'authenticated') and not private.is_manager(old.memory_id) and exists (
    select from jsonb_array_elements(old.edit -> 'blur') part
    where not exists (
      select from jsonb_array_elements(case when jsonb_typeof(new.edit -> 'blur') = 'array' then new.edit -> 'blur' else '[]' end) kept where kept = part))
  then
    raise exception 'Only the managers of the memory show again what was blurred.' using errcode = '42501';
  end if;
  return new;
end
$function$;
comment on function private.keep_blur() is 'Refuses that somebody who manages no memory shows again what is blurred in a photo.';

CREATE OR REPLACE FUNCTION private.keep_first_link()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if old.is_first and exists (select from public.memories where id = old.memory_id) then
    raise exception 'The first link of a memory can be revoked or made anew, not deleted.'
      using errcode = 'PT409', hint = 'first_link';
  end if;
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_in_trash()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.moderation := 'deleted';
  return new;
end
$function$;
comment on function private.keep_in_trash() is 'Keeps items in the trash. Only the functions of the trash, which run as the owner of the tables, restore them.';

CREATE OR REPLACE FUNCTION private.keep_original()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception 'A stored photo or video is never written over.' using errcode = 'PT409', hint = 'Duplicate';
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_profile()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.profiles as known (id, full_name)
  values (new.id, left(coalesce(new.raw_user_meta_data ->> 'full_name', ''), 200))
  on conflict (id) do update set full_name = excluded.full_name where known.full_name <> excluded.full_name;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_revision()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'UPDATE' and (new.slug, new.title, new.summary, new.body, new.author, new.cover, new.cover_alt) is not distinct from
    (old.slug, old.title, old.summary, old.body, old.author, old.cover, old.cover_alt) then
    return null;
  end if;
  insert into public.blog_revisions (slug, language, title, summary, body, author, published_at, cover, cover_alt, written_by)
  values (old.slug, old.language, old.title, old.summary, old.body, old.author, old.published_at, old.cover, old.cover_alt, auth.uid());
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.known_guest(of_link uuid, hashes text[])
 RETURNS SETOF public.guests
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update public.guests g set last_seen = now() from private.guest_keys k
  where k.guest_id = g.id and k.hash = any (hashes) and g.link_id = of_link and g.blocked_at is null
  returning g.*
$function$;
comment on function private.known_guest(uuid,text[]) is 'The guest of a link who has one of these keys. Updates when they were last seen.';

CREATE OR REPLACE FUNCTION private.leave_entries()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.memory_entries e set media_id = null where e.media_id = new.id and e.memory_id <> new.memory_id;
  return null;
end
$function$;
comment on function private.leave_entries() is 'Removes a photo that was moved to another memory from the timeline entries of the earlier one.';

CREATE OR REPLACE FUNCTION private.leave_prompt()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.prompt_id := null;
  return new;
end
$function$;
comment on function private.leave_prompt() is 'A photo that moves to another memory answers no prompt there.';

CREATE OR REPLACE FUNCTION private.left_of(worth integer, starts_at timestamp with time zone, expires_at timestamp with time zone, at timestamp with time zone)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select worth * greatest(extract(epoch from expires_at - greatest(at, starts_at)), 0)
    / extract(epoch from expires_at - starts_at)
$function$;
comment on function private.left_of(integer,timestamp with time zone,timestamp with time zone,timestamp with time zone) is 'The unused part of a plan''s value at a moment, in proportion to time, in pence or cents.';

CREATE OR REPLACE FUNCTION private.letter_media_ids()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(m.id order by array_position(l.media_ids, m.id)), '{}')
  from private.open_letter() l join public.media m on m.id = any (l.media_ids) and m.memory_id = l.memory_id
    and m.moderation = 'shown' and m.state = 'ready' and m.type = 'image' and m.pages is null and m.motion_of is null
$function$;
comment on function private.letter_media_ids() is 'The photos that the caller''s letter asks about, without those that are hidden, deleted or moved.';
grant execute on function private.letter_media_ids() to anon;
grant execute on function private.letter_media_ids() to service_role;

CREATE OR REPLACE FUNCTION private.limit_images()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception 'File is too large' using errcode = 'PT413', hint = 'too_large';
end
$function$;
comment on function private.limit_images() is 'Refuses a photo or paper that is too large. The limit of the bucket is that of videos.';

CREATE OR REPLACE FUNCTION private.limit_memories()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.check_memories(user_id) from (select distinct user_id from added order by 1) owners;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.limit_people()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_table_name = 'pictured_people' then
    if (select count(*) from (select from public.pictured_people p where p.memory_id = new.memory_id limit 5000) p) >= 5000 then
      raise exception 'A memory can have 5000 people.' using errcode = '23514';
    end if;
  elsif (select count(*) from (select from public.media_names n where n.media_id = new.media_id limit 100) n) >= 100 then
    raise exception 'A photo can have 100 names.' using errcode = '23514';
  end if;
  return new;
end
$function$;
comment on function private.limit_people() is 'Refuses more than 5000 people of a memory and 100 names on a photo.';

CREATE OR REPLACE FUNCTION private.limits_of(account uuid)
 RETURNS TABLE(plan_id text, name text, max_memories integer, storage_gb integer, storage_bytes bigint, expires_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with held as (
    select s.plan_id, s.name, s.max_memories, s.storage_gb, s.expires_at from public.user_subscriptions s
    where s.user_id = account and (s.status = 'active' or s.status = 'waiting' and s.starts_at <= now())
      and s.expires_at > now() order by s.expires_at desc limit 1
  ), counting as (
    select * from held
    union all
    select p.id, p.name, p.max_memories, p.storage_gb, null from public.subscription_plans p
    where p.id = 'skies-starter' and not exists (select from held)
  )
  select c.plan_id, c.name, c.max_memories, c.storage_gb, c.storage_gb::bigint * 1024 * 1024 * 1024, c.expires_at
  from counting c
$function$;
comment on function private.limits_of(uuid) is 'The limits of an account: those of its plan or of the free one. Always returns one row.';

CREATE OR REPLACE FUNCTION private.link_for_card(memory uuid, code text, language text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  made uuid;
begin
  if not exists (select from public.memories where id = memory and not draft) then
    raise exception 'A card opens memories that are published.' using errcode = 'PT409', hint = 'draft';
  end if;
  insert into public.share_links (memory_id, for_card, label, rights)
  select m.id, true, (case language when 'it' then 'Carta ' else 'Card ' end) || right(code, 4),
    case when l.shared_at is not null and l.rights <> 'upload' then l.rights else private.usual_rights(m.kind) end
  from public.memories m left join public.share_links l on l.memory_id = m.id and l.is_first
  where m.id = memory returning id into made;
  -- The card has the same secret as the memory's first link. Locks that link, so that a concurrent change of the secret
  -- waits.
  perform from public.share_links l where l.memory_id = memory and l.is_first for share of l;
  insert into public.share_pins (link_id, hash, kind, sealed)
  select made, p.hash, p.kind, p.sealed from public.share_links l join public.share_pins p on p.link_id = l.id
  where l.memory_id = memory and l.is_first;
  return made;
end
$function$;
comment on function private.link_for_card(uuid,text,text) is 'Creates the link of a card with the PIN or passphrase of the memory''s first link, and returns its id.';

CREATE OR REPLACE FUNCTION private.link_preview(share text)
 RETURNS TABLE(link_id uuid, version integer, name text, language text, memory_id uuid, cover text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select l.id, l.version, coalesce(m.person_name, a.name),
    case when coalesce(u.raw_user_meta_data ->> 'language', s.language) = 'it' then 'it' else 'en' end,
    coalesce(c.memory_id, case when l.preview = 'cover' and l.rights <> 'upload' then m.id end), c.cover
  from public.share_links l
  left join public.memories m on m.id = l.memory_id and not m.draft and m.deleted_at is null
  left join public.albums a on a.id = l.album_id and a.deleted_at is null
  join auth.users u on u.id = coalesce(m.user_id, a.user_id)
  left join public.notice_settings s on s.user_id = u.id
  left join lateral (
    select o.id as memory_id, concat_ws(' ', p.id, p.poster_name, o.cover_x, o.cover_y) as cover
    from public.memories o join public.media p on p.memory_id = o.id and p.is_cover and p.moderation = 'shown' and p.state = 'ready'
    where l.preview = 'cover' and l.rights <> 'upload' and (o.id = m.id or o.album_id = a.id and not o.draft and o.deleted_at is null)
      -- Before the reveal only a cover that a manager added.
      and (not exists (select from public.reveals r where r.memory_id = o.id and not r.revealed and coalesce(r.reveal_at > now(), true))
        or exists (select from public.media_details d where d.media_id = p.id and d.user_id in (select private.managers_of(o.id))))
    order by o.album_position, o.created_at, o.id limit 1) c on true
  where l.share_id = share and l.preview <> 'nothing' and l.shared_at is not null and l.revoked_at is null
    and coalesce(l.expires_at > now(), true) and l.invitation_id is null
    and l.asks is null and not exists (select from public.share_pins p where p.link_id = l.id)
$function$;
comment on function private.link_preview(text) is 'What the preview of the link with this share id tells: the name, the owner''s language and, if the cover may be shown, its memory and what identifies the cover. No row if it tells nothing.';

CREATE OR REPLACE FUNCTION private.link_rights(memory uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select l.rights from private.open_link() l
  join public.memories m on m.id = memory and (m.id = l.memory_id or m.album_id = l.album_id) and not m.draft
  where not (select private.is_blocked(memory))
$function$;
comment on function private.link_rights(uuid) is 'The rights in a memory of the link that the caller came by; null if it does not open the memory.';

CREATE OR REPLACE FUNCTION private.linked_album_ids()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(album_id), '{}') from private.open_link() where album_id is not null and rights <> 'upload'
$function$;
grant execute on function private.linked_album_ids() to anon;
grant execute on function private.linked_album_ids() to authenticated;
grant execute on function private.linked_album_ids() to service_role;

CREATE OR REPLACE FUNCTION private.linked_memory_ids(wanted text[])
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(m.id), '{}') from private.open_link() l
  join public.memories m on (m.id = l.memory_id or m.album_id = l.album_id) and not m.draft
  where l.rights = any (wanted) and m.id <> all ((select private.blocked_memory_ids())::uuid[])
$function$;
comment on function private.linked_memory_ids(text[]) is 'The memories that the caller''s link opens with one of these rights.';
grant execute on function private.linked_memory_ids(text[]) to anon;
grant execute on function private.linked_memory_ids(text[]) to authenticated;
grant execute on function private.linked_memory_ids(text[]) to service_role;

CREATE OR REPLACE FUNCTION private.links_of_one_secret(share text)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select id from public.share_links where share_id = share
  union
  select other.link_id from public.share_links l join public.share_pins own on own.link_id = l.id
  join public.share_pins other on other.hash = own.hash where l.share_id = share
$function$;
comment on function private.links_of_one_secret(text) is 'The link with this share id, and all other links with the same secret.';

CREATE OR REPLACE FUNCTION private.list_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  member_name text;
begin
  -- With a lock: a change of the name at the same time finds this row, or is read here.
  select p.full_name into member_name from public.profiles p where p.id = new.user_id for share;
  insert into private.member_names as listed (memory_id, user_id, role, name)
  values (new.memory_id, new.user_id, new.role, coalesce(member_name, ''))
  on conflict (memory_id, user_id) do update set role = excluded.role where listed.role <> excluded.role;
  return null;
end
$function$;
comment on function private.list_member() is 'Writes the name of a member, and changes of the role, for the order of people.';

CREATE OR REPLACE FUNCTION private.list_worth(plan text, term_years integer, starts_at timestamp with time zone, expires_at timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce((
    select case when isfinite(expires_at) then least(
      round(p.amount * extract(epoch from expires_at - starts_at) / extract(epoch from starts_at + make_interval(years => coalesce(term_years, 1)) - starts_at)), 2000000000) end
    from public.plan_prices p where p.plan_id = plan and p.currency = 'GBP'), 0)::integer
$function$;
comment on function private.list_worth(text,integer,timestamp with time zone,timestamp with time zone) is 'The catalogue price of a period of a plan, in pence.';

CREATE OR REPLACE FUNCTION private.lock_account(wanted uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.account_use (account) values (wanted) on conflict do nothing;
  perform from private.account_use where account = wanted for update;
end
$function$;
comment on function private.lock_account(uuid) is 'Locks an account until the transaction ends.';

CREATE OR REPLACE FUNCTION private.lock_fronts(ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if cardinality(ids) > 1000 then
    raise exception 'At most 1,000 photos are changed at once.' using errcode = 'PT400';
  end if;
  if exists (select from unnest(ids) i left join public.media m on m.id = i and m.moderation <> 'deleted' where m.id is null or not private.is_manager(m.memory_id)) then
    raise exception 'This photo is not in one of your memories.' using errcode = 'PT404';
  end if;
  -- In a fixed order, so that two concurrent requests cannot deadlock.
  perform pg_advisory_xact_lock(hashtextextended('media of a day ' || o.memory_id, 0))
  from (select distinct m.memory_id from public.media m where m.id = any (ids) order by 1) o;
  perform from public.media m where m.id = any (ids) or m.motion_of = any (ids) order by m.id for update;
end
$function$;
comment on function private.lock_fronts(uuid[]) is 'Refuses photos that the caller does not manage, and locks the others and what is attached to them.';

CREATE OR REPLACE FUNCTION private.mail_cadence(person uuid, memory uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case
    -- Nothing to an address that is not confirmed or has unsubscribed.
    when u.email is null or u.email_confirmed_at is null
      or exists (select from public.email_preferences e where e.email = lower(u.email) and e.unsubscribed) then 'never'
    when memory is null then coalesce(s.mail, 'daily')
    -- No longer a member.
    when m.user_id is distinct from person and p.role is null then 'never'
    else coalesce(w.mail, s.mail, case when p.role = 'viewer' and m.user_id <> person then 'never' else 'daily' end)
  end
  from auth.users u
  left join public.notice_settings s on s.user_id = u.id
  left join public.notice_preferences w on w.user_id = u.id and w.memory_id = memory
  left join public.memories m on m.id = memory
  left join public.memory_members p on p.memory_id = memory and p.user_id = u.id
  where u.id = person
$function$;
comment on function private.mail_cadence(uuid,uuid) is 'How often a person gets emails about a memory, or about their account if the memory is null: instantly, daily, weekly or never.';

CREATE OR REPLACE FUNCTION private.make_first_link()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.share_links (memory_id, share_id, is_first, shared_at, rights)
  values (new.id, private.chosen_share_id(new.id), true, null, private.usual_rights(new.kind));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.make_media()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  is_pdf constant boolean := new.metadata ->> 'mimetype' = 'application/pdf';
  kind constant text := case when is_pdf then 'image' else split_part(new.metadata ->> 'mimetype', '/', 1) end;
  memory constant uuid := (storage.foldername(new.name))[1]::uuid;
  guest constant uuid := private.guest_id();
  name constant text := private.name_of_author(new.owner, guest);
  taken record;
begin
  select * into taken from private.date_of_evidence(
    private.evidence_of_upload(new.metadata ->> 'recorded', new.user_metadata ->> 'taken'),
    coalesce(new.user_metadata ->> 'filename', ''), (new.metadata ->> 'duration')::double precision);
  insert into public.media (id, memory_id, type, size, object_name, width, height, duration, taken_at, state, moderation, visitor_copy, pages)
  values (
    new.id, memory, kind, (new.metadata ->> 'size')::bigint, new.name,
    (new.metadata ->> 'width')::integer, (new.metadata ->> 'height')::integer, (new.metadata ->> 'duration')::real,
    taken.taken_at, case when kind in ('video', 'audio') then 'ready' else 'waiting' end,
    case when auth.role() in ('anon', 'authenticated') then private.initial_moderation(memory) else 'shown' end,
    case when kind in ('video', 'audio') then 'waiting' end, case when is_pdf then 1 end
  );
  insert into public.media_details (media_id, memory_id, user_id, guest_id, file_name, mime_type,
    taken_at, taken_source, file_taken_at, file_taken_source, content_hash, content_identifier)
  values (
    new.id, memory, new.owner, guest, left(coalesce(new.user_metadata ->> 'filename', ''), 255), new.metadata ->> 'mimetype',
    taken.taken_at, taken.source, taken.taken_at, taken.source, new.metadata ->> 'sha256',
    new.metadata ->> 'contentIdentifier'
  );
  if name <> '' then
    insert into public.media_credits (media_id, memory_id, name) values (new.id, memory, name);
  end if;
  if guest is not null then
    perform private.add_to_receipt(guest, new.id);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.managed_memory_ids()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.owned_memory_ids() || private.shared_memory_ids('manage')
$function$;
comment on function private.managed_memory_ids() is 'All memories that the caller owns or co-owns. The cost grows with their number, so it is only for questions about all of them.';

CREATE OR REPLACE FUNCTION private.managers_of(memory uuid)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select m.user_id from public.memories m where m.id = memory
  union all
  select p.user_id from public.memory_members p join public.memories m on m.id = p.memory_id and not m.draft
  where p.memory_id = memory and p.role = 'co-owner'
$function$;

CREATE OR REPLACE FUNCTION private.mark_details_in_trash()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.media_details d set in_trash = n.moderation = 'deleted'
  from new_rows n join old_rows o using (id)
  where d.media_id = n.id and (n.moderation = 'deleted') <> (o.moderation = 'deleted');
  return null;
end
$function$;
comment on function private.mark_details_in_trash() is 'Marks the details of photos and videos that move to the trash or back.';

CREATE OR REPLACE FUNCTION private.mark_front()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.media m set has_back = true, back_width = new.width, back_height = new.height where m.id = new.motion_of;
  return null;
end
$function$;
comment on function private.mark_front() is 'Marks the photo to which a back was attached, and gives it the size of the back.';

CREATE OR REPLACE FUNCTION private.mark_raw()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.media m set has_raw = true where m.id = new.motion_of;
  return null;
end
$function$;
comment on function private.mark_raw() is 'Marks the photo to which a raw photo was attached.';

CREATE OR REPLACE FUNCTION private.mask_mentions(body text, people uuid[])
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  person text;
begin
  -- The longest first, because one name may begin with another.
  for person in select p.full_name from public.profiles p where p.id = any (people) and p.full_name <> ''
    order by length(p.full_name) desc, p.full_name loop
    body := replace(body, '@' || person, '@…');
  end loop;
  return body;
end
$function$;
comment on function private.mask_mentions(text,uuid[]) is 'The text with "@…" in place of every mention of these people.';

CREATE OR REPLACE FUNCTION private.may_ask(memory uuid, person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (
    select from public.memories m where m.id = memory and not m.draft and m.deleted_at is null
      and (m.user_id = person or exists (select from public.memory_members p
          where p.memory_id = m.id and p.user_id = person and p.role in ('co-owner', 'contributor'))
        and not exists (select from public.memory_blocks b where b.memory_id = m.id and b.user_id = person)))
    and exists (select from auth.users u where u.id = person and not private.is_suspended(u.banned_until))
$function$;
comment on function private.may_ask(uuid,uuid) is 'Whether an account may ask people outside about photos of a memory: its owner, co-owners and contributors, unless they are blocked or suspended.';

CREATE OR REPLACE FUNCTION private.may_be_sides(front uuid, back uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select from public.media f join public.media_details fd on fd.media_id = f.id, public.media b join public.media_details bd on bd.media_id = b.id
    where f.id = front and b.id = back and f.id <> b.id and f.memory_id = b.memory_id
      and f.type = 'image' and b.type = 'image' and f.pages is null and b.pages is null and f.state = 'ready' and b.state = 'ready'
      -- A raw photo may become part of a JPEG, and a part has none of its own.
      and fd.mime_type not like 'image/x-%' and bd.mime_type not like 'image/x-%'
      and f.motion_of is null and not exists (select from public.media m where m.motion_of in (f.id, b.id))
      -- What one person added, and what is seen by the same people.
      and fd.user_id is not distinct from bd.user_id and fd.guest_id is not distinct from bd.guest_id
      and f.moderation = b.moderation and f.moderation in ('shown', 'held', 'hidden')
  )
$function$;
comment on function private.may_be_sides(uuid,uuid) is 'Whether two photos can be one item: ready, of one person and memory, seen by the same people, and neither a part of a photo nor a photo with one.';

CREATE OR REPLACE FUNCTION private.may_follow(old_status text, new_status text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select old_status = new_status or case old_status
    when 'pending' then new_status in ('paid', 'failed', 'expired', 'refunded', 'disputed')
    when 'failed' then new_status in ('paid', 'expired', 'refunded', 'disputed')
    when 'expired' then new_status in ('paid', 'refunded', 'disputed')
    when 'paid' then new_status in ('refunded', 'disputed')
    when 'disputed' then new_status in ('paid', 'refunded')
    when 'refunded' then new_status in ('paid', 'disputed')
  end
$function$;

CREATE OR REPLACE FUNCTION private.may_restore(item public.trash)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(item.deleted_by = auth.uid() and private.has_required_aal() or item.guest_id = private.guest_id(), false)
    and case item.kind
      when 'memory' then exists (select from public.memories m where m.id = item.id and m.user_id = auth.uid())
      when 'album' then exists (select from public.albums a where a.id = item.id and a.user_id = auth.uid())
      when 'media' then private.is_manager(item.memory_id) or private.can_contribute(item.memory_id)
        and private.is_own_media(item.id)
      when 'story' then private.is_manager(item.memory_id) or private.can_contribute(item.memory_id)
        and exists (select from public.stories s where s.id = item.id and private.is_own(s.user_id, s.guest_id))
      else (private.is_manager(item.memory_id) or private.can_comment(item.memory_id)
          and exists (select from public.comments c where c.id = item.id and private.is_own(c.user_id, c.guest_id)))
        and not exists (select from public.comments c join public.media m on m.id = c.media_id
          where c.id = item.id and m.moderation = 'deleted')
    end
$function$;
comment on function private.may_restore(public.trash) is 'Whether the caller deleted this and still has the rights to do so.';

CREATE OR REPLACE FUNCTION private.member_memory_ids(wanted text[])
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(p.memory_id), '{}') from public.memory_members p
  join public.memories m on m.id = p.memory_id and not m.draft
  where p.user_id = auth.uid() and p.role = any (wanted) and (select private.has_required_aal())
    and m.id <> all ((select private.blocked_memory_ids())::uuid[])
$function$;
comment on function private.member_memory_ids(text[]) is 'The memories in which the caller has one of these roles.';

CREATE OR REPLACE FUNCTION private.member_role(memory uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select p.role from public.memory_members p join public.memories m on m.id = p.memory_id and not m.draft
  where p.memory_id = memory and p.user_id = auth.uid() and (select private.has_required_aal())
    and not (select private.is_blocked(memory))
$function$;
comment on function private.member_role(uuid) is 'The caller''s role as a member of a memory; null if they are not one.';

CREATE OR REPLACE FUNCTION private.memory_of(object_name text)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE
RETURN ("substring"(object_name, '^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/'::text))::uuid;
comment on function private.memory_of(text) is 'The memory that an object belongs to, by its first folder; null if that is not an id.';
grant execute on function private.memory_of(text) to anon;
grant execute on function private.memory_of(text) to authenticated;
grant execute on function private.memory_of(text) to service_role;

CREATE OR REPLACE FUNCTION private.merge_additions(of_memory uuid, on_day date, by_user uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with merged as (
    delete from private.activity a where a.ctid = any (array(
      select l.ctid from private.activity l where l.memory_id = of_memory and l.day = on_day and l.user_id is not distinct from by_user
      for update skip locked))
    returning a.*
  )
  insert into private.activity (memory_id, account, at, day, user_id, items)
  select of_memory, m.user_id, max(a.at), on_day, by_user, sum(a.items)
  from merged a join public.memories m on m.id = of_memory group by m.user_id having sum(a.items) <> 0
$function$;
comment on function private.merge_additions(uuid,date,uuid) is 'Merges the rows of one person''s additions to a memory on a day into one, or none.';

CREATE OR REPLACE FUNCTION private.merge_sums(of_memory uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with merged as (
    delete from private.media_sums s where s.ctid = any (array(
      select l.ctid from private.media_sums l where l.memory_id = of_memory for update skip locked))
    returning s.*
  )
  insert into private.media_sums (memory_id, account, images, videos, recordings, bytes, bytes_in_trash, largest)
  select of_memory, m.user_id, sum(s.images), sum(s.videos), sum(s.recordings), sum(s.bytes), sum(s.bytes_in_trash),
    -- Items of transactions that have not committed are in the rows that those add.
    coalesce((select x.size from public.media x where x.memory_id = of_memory and x.moderation not in ('deleted', 'attached')
      order by x.size desc limit 1), 0)
  from merged s join public.memories m on m.id = of_memory group by m.user_id
$function$;
comment on function private.merge_sums(uuid) is 'Merges the rows of a memory in the ledger of sums into one.';

CREATE OR REPLACE FUNCTION private.merge_totals()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
BEGIN ATOMIC
 WITH merged AS (
          DELETE FROM private.totals t
           WHERE (t.ctid = ANY (ARRAY( SELECT s.ctid
                    FROM private.totals s
                  FOR UPDATE OF s SKIP LOCKED)))
           RETURNING t.kind,
             t.amount
         )
  INSERT INTO private.totals (kind, amount)  SELECT m.kind,
             sum(m.amount) AS sum
            FROM merged m
           GROUP BY m.kind
          HAVING (sum(m.amount) <> (0)::numeric);
END;
comment on function private.merge_totals() is 'Merges the rows of each total into one.';

CREATE OR REPLACE FUNCTION private.merged_people(person uuid)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with recursive family (id) as (
    select person union select p.id from public.pictured_people p join family f on p.merged_into = f.id
  ) select array_agg(id) from family
$function$;
comment on function private.merged_people(uuid) is 'A person and all entries that are merged into it.';
grant execute on function private.merged_people(uuid) to anon;
grant execute on function private.merged_people(uuid) to authenticated;
grant execute on function private.merged_people(uuid) to service_role;

CREATE OR REPLACE FUNCTION private.misspellings(word text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
declare
  size constant integer := length(word);
  keys text[] := array[word];
  skeleton text;
begin
  if size not between 4 and 24 or word ~ '[0-9]' then
    return keys;
  end if;
  for i in 1..size loop
    keys := keys || (left(word, i - 1) || substr(word, i + 1));
  end loop;
  if size >= 6 then
    skeleton := regexp_replace(translate(word, 'aeiouy', ''), '(.)\1+', '\1', 'g');
    if length(skeleton) >= 4 then
      keys := keys || ('^' || skeleton);
    end if;
  end if;
  return keys;
end
$function$;
comment on function private.misspellings(text) is 'Keys that two spellings of a word share: without one of its letters, and without vowels and doubled letters. A wrong, missing, additional or swapped letter leaves one in common.';

CREATE OR REPLACE FUNCTION private.most_ledger_rows()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN 8;

CREATE OR REPLACE FUNCTION private.move_album_to_trash()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  filed jsonb;
begin
  with taken as (
    update public.memories m set album_id = null from (select x.id, x.album_position from public.memories x
      where x.album_id = old.id order by x.id for update) found
    where m.id = found.id returning found.id, found.album_position
  )
  select coalesce(jsonb_object_agg(taken.id, taken.album_position), '{}') into filed from taken;
  update public.albums a set deleted_at = now() where a.id = old.id;
  update public.share_links l set version = l.version + 1 where l.album_id = old.id;
  perform private.record_deletion('album', old.id, null, jsonb_build_object('memories', filed), 'public.albums', to_jsonb(old));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.move_comment_to_trash(comment public.comments)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  before jsonb := jsonb_build_object('moderation', comment.moderation,
    'reactions', (select jsonb_object_agg(r.id, r.was) from private.delete_reactions(null, array[comment.id]) r));
  head_was text;
begin
  if exists (select from public.comments a where a.parent_id = comment.id and a.moderation <> 'deleted') then
    before := before || private.take_comment_text(comment.id);
  else
    update public.comments c set moderation = 'deleted' where c.id = comment.id;
    -- A row that was kept only for this reply is deleted with it.
    update public.comments c set moderation = 'deleted' from public.comments head
    where c.id = comment.parent_id and head.id = c.id and c.deleted_at is not null and c.moderation <> 'deleted'
      and not exists (select from public.comments a where a.parent_id = c.id and a.moderation <> 'deleted')
    returning head.moderation into head_was;
  end if;
  perform private.record_deletion('comment', comment.id, comment.memory_id,
    before || jsonb_strip_nulls(jsonb_build_object('head', head_was)), 'public.comments', to_jsonb(comment));
end
$function$;

CREATE OR REPLACE FUNCTION private.move_media_to_trash()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- A photo and its video are one item, whichever of them is named.
  ids constant uuid[] := array(select distinct coalesce(m.motion_of, m.id) from public.media m
    where m.id = any (string_to_array(nullif(current_setting('skies.deleted', true), ''), ',')::uuid[]));
  photo public.media;
  talk jsonb;
  given jsonb;
  entries jsonb;
  albums jsonb;
begin
  if cardinality(ids) = 0 then
    return null;
  end if;
  perform set_config('skies.deleted', '', true);
  perform from public.media m where m.id = any (ids) order by m.id for update;
  with found as (
    select c.id, c.media_id, c.moderation from public.comments c
    where c.media_id = any (ids) and c.moderation <> 'deleted' order by c.id for update
  ), done as (
    update public.comments c set moderation = 'deleted' from found where c.id = found.id returning c.id
  )
  select jsonb_object_agg(media_id, said) into talk from (
    select media_id, jsonb_object_agg(id, moderation) as said from found join done using (id) group by media_id) by_photo;
  select jsonb_object_agg(photo_id, was) into given from (
    select coalesce(r.media_id, c.media_id) as photo_id, jsonb_object_agg(r.id, r.was) as was
    from private.delete_reactions(ids, array(select c::uuid from jsonb_each(talk) p, jsonb_object_keys(p.value) c)) r
    left join public.comments c on c.id = r.comment_id group by 1) by_photo;
  -- Rows that refer to a photo are shown and changed without it meanwhile.
  with taken as (
    update public.memory_entries e set media_id = null from (select x.id, x.media_id from public.memory_entries x
      where x.media_id = any (ids) order by x.id for update) found where e.id = found.id returning found.id, found.media_id
  )
  select jsonb_object_agg(media_id, of_photo) into entries
  from (select media_id, jsonb_agg(id) as of_photo from taken group by media_id) by_photo;
  with taken as (
    update public.albums a set cover_media_id = null from (select x.id, x.cover_media_id from public.albums x
      where x.cover_media_id = any (ids) order by x.id for update) found where a.id = found.id returning found.id, found.cover_media_id
  )
  select jsonb_object_agg(cover_media_id, of_photo) into albums
  from (select cover_media_id, jsonb_agg(id) as of_photo from taken group by cover_media_id) by_photo;
  for photo in select * from public.media m where m.id = any (ids) order by m.id loop
    perform private.record_deletion('media', photo.id, photo.memory_id, jsonb_build_object('moderation', photo.moderation,
      'cover', photo.is_cover, 'comments', talk -> photo.id::text, 'reactions', given -> photo.id::text,
      'entries', entries -> photo.id::text, 'albums', albums -> photo.id::text),
      'public.media', to_jsonb(photo));
  end loop;
  update public.media m set moderation = 'deleted', is_cover = false where m.id = any (ids) or m.motion_of = any (ids);
  update public.notices n set media_id = null where n.media_id = any (ids);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.move_memory_to_trash()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Ends unfinished uploads.
  if to_regclass('storage.uploads') is not null then
    delete from storage.uploads where name like old.id || '/%' and finished_at is null;
  end if;
  delete from public.handovers h where h.memory_id = old.id;
  update public.memories m set deleted_at = now(), draft = true where m.id = old.id;
  perform private.record_deletion('memory', old.id, old.id, jsonb_build_object('draft', old.draft), 'public.memories', to_jsonb(old));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.move_story_to_trash()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.stories s set moderation = 'deleted' where s.id = old.id;
  perform private.record_deletion('story', old.id, old.memory_id, jsonb_build_object('moderation', old.moderation),
    'public.stories', to_jsonb(old));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.name_account_of_trash()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  new.account := (select m.user_id from public.memories m where m.id = new.memory_id);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.name_of(person uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce((select p.full_name from public.profiles p where p.id = person), '')
$function$;

CREATE OR REPLACE FUNCTION private.name_of_author(person uuid, guest uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce((select g.name from public.guests g where g.id = guest), private.name_of(person))
$function$;

CREATE OR REPLACE FUNCTION private.name_picture()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.name := private.picture_name(new.name::uuid);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.name_stem(file_name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
  select nullif(lower(regexp_replace(file_name, '(\.MP)?\.[^.]*$', '', 'i')), '')
$function$;
comment on function private.name_stem(text) is 'A file''s name without its ending, in small letters; also without the .MP of a motion photo.';
grant execute on function private.name_stem(text) to service_role;

CREATE OR REPLACE FUNCTION private.needed_words(words text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
  select case when cardinality(needed) > 0 then needed else words end from (select array(
    select word from unnest(words) with ordinality w (word, n)
    where ts_lexize('english_stem', split_part(word, '|', 1)) <> '{}' and ts_lexize('italian_stem', split_part(word, '|', 1)) <> '{}'
      and word <> all ('{photo,photos,picture,pictures,foto,fotografia,fotografie,immagine,immagini,video,videos,born,died,nato,nata,nati,morto,morta}')
    order by n) as needed) w
$function$;
comment on function private.needed_words(text[]) is 'The words that a result must contain: without articles, prepositions and words such as photo, unless there are no others.';

CREATE OR REPLACE FUNCTION private.new_card_code()
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  alphabet constant text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  random bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
  made text := '';
  i integer;
begin
  -- Bytes 9 to 15 of a version 4 UUID are random; each letter takes five bits.
  foreach i in array array[9, 10, 11, 12, 13, 14, 25, 26, 27, 28, 29, 30] loop
    made := made || substr(alphabet, get_byte(random, i) % 32 + 1, 1);
  end loop;
  return made;
end
$function$;
grant execute on function private.new_card_code() to service_role;

CREATE OR REPLACE FUNCTION private.new_letter_key(letter uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  key constant text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
begin
  update public.photo_letters l set version = l.version + 1 where l.id = letter;
  insert into private.letter_keys (letter_id, hash) values (letter, encode(sha256(convert_to(key, 'utf8')), 'hex'))
  on conflict (letter_id) do update set hash = excluded.hash;
  return key;
end
$function$;
comment on function private.new_letter_key(uuid) is 'Gives a letter a new key, which is stored only as a hash, and returns it. Its earlier link ends.';

CREATE OR REPLACE FUNCTION private.new_share_id()
 RETURNS text
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.share_id_from(gen_random_uuid()::text || gen_random_uuid()::text)
$function$;
grant execute on function private.new_share_id() to authenticated;
grant execute on function private.new_share_id() to service_role;

CREATE OR REPLACE FUNCTION private.next_order_number()
 RETURNS text
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select 'SK-' || to_char(now() at time zone 'utc', 'YYYY') || '-' || lpad(nextval('private.order_numbers')::text, 6, '0')
$function$;
grant execute on function private.next_order_number() to service_role;

CREATE OR REPLACE FUNCTION private.note_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.activity (memory_id, account, at, member_id)
  select m.id, m.user_id, new.created_at, new.user_id from public.memories m where m.id = new.memory_id
  on conflict (memory_id, member_id) where member_id is not null do update set at = excluded.at;
  return null;
end
$function$;
comment on function private.note_member() is 'Adds a member to the recent activity.';

CREATE OR REPLACE FUNCTION private.note_paid()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op <> 'INSERT' then
    perform private.add_money(old.paid_at, old.currency, -old.total, 0);
  end if;
  if tg_op <> 'DELETE' then
    perform private.add_money(new.paid_at, new.currency, new.total, 0);
  end if;
  return null;
end
$function$;
comment on function private.note_paid() is 'Adds what an order paid to the sums of its day.';

CREATE OR REPLACE FUNCTION private.note_returned()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.returned_amounts (order_id, currency, amount) values (new.id, new.currency, new.refunded - old.refunded);
  return null;
end
$function$;
comment on function private.note_returned() is 'Keeps each refund of an order with its day, for the figures.';

CREATE OR REPLACE FUNCTION private.note_returned_amount()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op <> 'INSERT' then
    perform private.add_money(old.returned_at, old.currency, 0, -old.amount);
  end if;
  if tg_op <> 'DELETE' then
    perform private.add_money(new.returned_at, new.currency, 0, new.amount);
  end if;
  return null;
end
$function$;
comment on function private.note_returned_amount() is 'Adds a refund to the sums of its day.';

CREATE OR REPLACE FUNCTION private.note_revision()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.revised_at := now();
  return new;
end
$function$;
comment on function private.note_revision() is 'Notes when the content of an entry changes.';

CREATE OR REPLACE FUNCTION private.note_story()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.activity (memory_id, account, at, story_id)
  select m.id, m.user_id, new.created_at, new.id from public.memories m where m.id = new.memory_id
  on conflict (story_id) where story_id is not null do update set at = excluded.at;
  return null;
end
$function$;
comment on function private.note_story() is 'Adds a story to the recent activity.';

CREATE OR REPLACE FUNCTION private.note_use()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.account_days as known (account, used_on)
  select n.user_id, (max(greatest(n.created_at, n.refreshed_at)) at time zone 'utc')::date from new_rows n group by 1 order by 1
  on conflict (account) do update set used_on = excluded.used_on where known.used_on < excluded.used_on;
  return null;
end
$function$;
comment on function private.note_use() is 'Notes the day on which sessions began or were continued.';

CREATE OR REPLACE FUNCTION private.notify_added(memory uuid, adder uuid, guest uuid, first_one uuid, how_many integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into public.notices as known (user_id, memory_id, kind, media_id, actor_name, actor_key, count)
  select p.id, memory, 'added', first_one, private.name_of_author(adder, guest), coalesce(adder, guest)::text, how_many
  from private.people_to_notify(memory, adder) p (id)
  -- In a fixed order, so that two concurrent uploads cannot deadlock.
  where coalesce(adder, guest) is not null and p.id is distinct from adder and p.id is distinct from auth.uid() order by p.id
  on conflict (user_id, memory_id, actor_key) where kind = 'added' and read_at is null do update set
    count = known.count + excluded.count, media_id = excluded.media_id, since = least(known.since, excluded.since),
    created_at = greatest(known.created_at, excluded.created_at), email_due_since = coalesce(known.email_due_since, excluded.email_due_since)
$function$;
comment on function private.notify_added(uuid,uuid,uuid,uuid,integer) is 'Notifies the members of a memory about uploads: those of one person are one notice until it is read.';

CREATE OR REPLACE FUNCTION private.notify_broken_media()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.memory_withdrawals (memory_id, kind, ids)
  select old_rows.memory_id, 'broken', array_agg(old_rows.id)
  from old_rows join new_rows using (id) left join public.reveals r on r.memory_id = old_rows.memory_id
  where old_rows.moderation = 'shown' and old_rows.state <> 'broken'
    and new_rows.moderation = 'shown' and new_rows.state = 'broken' and new_rows.memory_id = old_rows.memory_id
  group by old_rows.memory_id, case when r.memory_id is not null then old_rows.id end;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_held(memory uuid, author uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into public.notices as known (user_id, memory_id, kind)
  select k.id, memory, 'held' from private.managers_of(memory) k (id)
  where k.id is distinct from author and k.id is distinct from auth.uid() order by k.id
  on conflict (user_id, memory_id) where kind = 'held' and read_at is null do update
  set created_at = greatest(known.created_at, excluded.created_at), email_due_since = coalesce(known.email_due_since, excluded.email_due_since)
$function$;
comment on function private.notify_held(uuid,uuid) is 'Notifies the managers of a memory that something is held.';

CREATE OR REPLACE FUNCTION private.notify_media_waiting()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform pg_notify('media_waiting', '');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_new_notices()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform pg_notify('notices', '');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_of_changed_media()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.clear_held_notice(memory_id) from (select distinct o.memory_id from old_rows o join new_rows n using (id)
    where o.moderation = 'held' and n.moderation <> 'held' order by 1) decided;
  perform private.notify_added(memory_id, user_id, guest_id, first_one, how_many) from (
    select n.memory_id, d.user_id, d.guest_id, (array_agg(n.id order by n.created_at, n.id))[1] as first_one, count(*)::integer as how_many
    from old_rows o join new_rows n using (id) join public.media_details d on d.media_id = n.id
    where o.moderation = 'held' and n.moderation = 'shown'
    group by n.memory_id, d.user_id, d.guest_id order by n.memory_id, d.user_id, d.guest_id) admitted;
  perform private.notify_held(memory_id, user_id) from (
    select distinct n.memory_id, d.user_id from old_rows o join new_rows n using (id) join public.media_details d on d.media_id = n.id
    where n.moderation = 'held' and (o.moderation, o.memory_id) is distinct from (n.moderation, n.memory_id) order by 1, 2) waiting;
  perform private.recount_added(memory_id, adder) from (
    select distinct o.memory_id, coalesce(d.user_id, d.guest_id) as adder
    from old_rows o join new_rows n using (id) join public.media_details d on d.media_id = n.id
    where o.moderation = 'shown' and (o.moderation, o.memory_id) is distinct from (n.moderation, n.memory_id) order by 1, 2
  ) lost where adder is not null;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_of_comment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'UPDATE' and new.deleted_at is not null then
    delete from public.notices n where n.comment_id = new.id;
    return null;
  end if;
  if new.moderation = 'held' then
    perform private.notify_held(new.memory_id, new.user_id);
    return null;
  end if;
  if tg_op = 'UPDATE' then
    if old.moderation <> 'held' then
      return null;
    end if;
    perform private.clear_held_notice(new.memory_id);
  end if;
  if new.moderation = 'shown' then
    insert into public.notices (user_id, memory_id, kind, comment_id, media_id, actor_name)
    select p.id, new.memory_id, case
        when p.id = any (new.mentions) then 'mention'
        when new.parent_id is not null and exists (select from public.comments c
          where (c.id = new.parent_id or c.parent_id = new.parent_id) and c.user_id = p.id) then 'answer'
        else 'comment' end,
      new.id, new.media_id, coalesce((select n.name from public.comment_credits n where n.comment_id = new.id), '')
    from private.people_to_notify(new.memory_id, new.user_id) p (id)
    where p.id is distinct from new.user_id and p.id is distinct from auth.uid();
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_of_invitation()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.notices (user_id, memory_id, kind, actor_name)
  select told.id, new.memory_id, new.state, coalesce(nullif(private.name_of(auth.uid()), ''), new.email)
  from (select m.user_id as id from public.memories m where m.id = new.memory_id union select new.invited_by) told
  where told.id is not null and told.id is distinct from auth.uid();
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_of_lock()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- A card is locked together with the link that has the same secret; one notice is enough.
  if new.for_card and exists (
    select from public.share_pins own join public.share_pins other on other.hash = own.hash
    join public.share_links l on l.id = other.link_id where own.link_id = new.id and not l.for_card
  ) then
    return null;
  end if;
  if new.locked_until > coalesce(old.locked_until, '-infinity') then
    update public.notices n set count = n.count + 1
    where n.link_id = new.id and n.kind = 'locked' and n.created_at > now() - interval '1 day';
    if not found then
      insert into public.notices (user_id, memory_id, kind, link_id)
      select told.id, new.memory_id, 'locked', new.id from (
        select k.id from private.managers_of(new.memory_id) k (id)
        union select a.user_id from public.albums a where a.id = new.album_id
      ) told;
    end if;
  elsif new.locked_until is null and new.version = old.version then
    delete from public.notices n where n.link_id = new.id and n.kind = 'locked' and n.count = 1 and n.mailed_at is null;
    update public.notices n set count = n.count - 1 where n.link_id = new.id and n.kind = 'locked' and n.count > 1
      and n.created_at > now() - interval '1 day';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_of_media()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    perform private.notify_added(memory_id, user_id, guest_id, first_one, how_many) from (
      select a.memory_id, a.user_id, a.guest_id, (array_agg(m.id order by m.created_at, m.id))[1] as first_one, count(*)::integer as how_many
      from added a join public.media m on m.id = a.media_id where m.moderation = 'shown'
      group by a.memory_id, a.user_id, a.guest_id order by a.memory_id, a.user_id, a.guest_id
    ) new_ones;
    perform private.notify_held(memory_id, user_id) from (
      select distinct a.memory_id, a.user_id from added a join public.media m on m.id = a.media_id where m.moderation = 'held' order by 1, 2
    ) waiting;
  else
    perform private.recount_added(memory_id, adder)
      from (select distinct memory_id, coalesce(user_id, guest_id) as adder from gone order by 1, 2) lost where adder is not null;
    perform private.clear_held_notice(memory_id) from (select distinct memory_id from gone order by 1) decided;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_of_new_owner()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.notices (user_id, memory_id, kind, actor_name)
  select old.user_id, new.id, 'taken-over', private.name_of(new.user_id)
  where old.user_id is distinct from auth.uid();
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_of_offer()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  owner uuid := (select m.user_id from public.memories m where m.id = coalesce(new.memory_id, old.memory_id));
begin
  if tg_op = 'INSERT' then
    insert into public.notices (user_id, memory_id, kind, actor_name)
    select new.to_user, new.memory_id, 'offered', private.name_of(owner) where new.to_user is distinct from auth.uid();
    return null;
  end if;
  delete from public.notices n where n.user_id = old.to_user and n.memory_id = old.memory_id and n.kind = 'offered' and n.read_at is null;
  -- Accepting first removes the new owner from the members, so somebody who is still a member has declined.
  if old.to_user = auth.uid() and exists (select from public.memory_members p where p.memory_id = old.memory_id and p.user_id = old.to_user) then
    insert into public.notices (user_id, memory_id, kind, actor_name)
    select owner, old.memory_id, 'offer-declined', private.name_of(old.to_user) where owner is not null;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_of_reaction()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op <> 'DELETE' and new.moderation = 'held' then
    perform private.notify_held(new.memory_id, new.user_id);
  elsif tg_op <> 'INSERT' and old.moderation = 'held' then
    perform private.clear_held_notice(old.memory_id);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_of_request()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    if new.state = 'open' then
      perform private.notify_held(new.memory_id, new.user_id);
    end if;
    return null;
  end if;
  perform private.clear_held_notice(old.memory_id);
  if tg_op = 'UPDATE' and new.state <> old.state and new.user_id is not null then
    delete from public.notices n where n.user_id = new.user_id and n.media_id = new.media_id and n.read_at is null
      and n.kind in ('request-done', 'request-declined');
    insert into public.notices (user_id, memory_id, kind, media_id, actor_name)
    select new.user_id, new.memory_id, 'request-' || new.state, new.media_id, private.name_of(auth.uid())
    where new.state <> 'open' and new.user_id is distinct from auth.uid();
  end if;
  return null;
end
$function$;
comment on function private.notify_of_request() is 'Tells managers of a request about a picture, and the account that asked what was decided.';

CREATE OR REPLACE FUNCTION private.notify_of_story()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.moderation = 'held' then
    perform private.notify_held(new.memory_id, new.user_id);
    return null;
  end if;
  if tg_op = 'UPDATE' then
    if old.moderation <> 'held' then
      return null;
    end if;
    perform private.clear_held_notice(new.memory_id);
  end if;
  if new.moderation = 'shown' then
    insert into public.notices (user_id, memory_id, kind, story_id, actor_name)
    select p.id, new.memory_id, 'story', new.id, coalesce((select n.name from public.story_credits n where n.story_id = new.id), '')
    from private.people_to_notify(new.memory_id, new.user_id) p (id)
    where p.id is distinct from new.user_id and p.id is distinct from auth.uid();
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_orders_without_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform pg_notify('orders_without_account', '');
  return null;
end
$function$;
comment on function private.notify_orders_without_account() is 'Wakes the job that closes payment pages of deleted accounts and refunds their payments.';

CREATE OR REPLACE FUNCTION private.notify_outbox()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform pg_notify('outbox', '');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_withdrawn()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.memory_withdrawals (memory_id, kind, ids)
  select old_rows.memory_id, tg_argv[0], array_agg(old_rows.id)
  from old_rows join new_rows using (id) join public.memories m on m.id = old_rows.memory_id
  left join public.reveals r on r.memory_id = old_rows.memory_id
  where old_rows.moderation = 'shown' and (new_rows.moderation <> 'shown' or new_rows.memory_id <> old_rows.memory_id)
  group by old_rows.memory_id, case when r.memory_id is not null then old_rows.id end;
  if found then
    delete from public.memory_withdrawals w
    where w.created_at < now() - interval '1 hour' and w.memory_id in (select memory_id from old_rows);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_work()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform pg_notify('work', new.kind);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.open_letter()
 RETURNS SETOF public.photo_letters
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select l.* from public.photo_letters l
  where l.id = (auth.jwt() -> 'letter' ->> 'id')::uuid and l.version = (auth.jwt() -> 'letter' ->> 'version')::integer
    and auth.role() = 'anon' and private.is_open_letter(l)
$function$;
comment on function private.open_letter() is 'The letter by whose link the caller came, while it is open and the link is current.';

CREATE OR REPLACE FUNCTION private.open_link()
 RETURNS SETOF public.share_links
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select l.* from public.share_links l
  where l.id = (auth.jwt() -> 'share' ->> 'link')::uuid and l.version = (auth.jwt() -> 'share' ->> 'version')::integer
    and l.shared_at is not null and l.revoked_at is null and coalesce(l.expires_at > now(), true)
    and (l.invitation_id is null
      or exists (select from public.invitations i where i.id = l.invitation_id
        and (i.state = 'open' or i.state = 'accepted' and i.accepted_by = auth.uid())))
    and not exists (select from public.guests g where g.id = (auth.jwt() -> 'share' ->> 'guest')::uuid and g.blocked_at is not null)
    and (auth.jwt() -> 'share' ->> 'device' is null
      or exists (select from public.link_devices d where d.id = (auth.jwt() -> 'share' ->> 'device')::uuid))
$function$;
comment on function private.open_link() is 'The link that the caller came by, while its version is current and it is open.';

CREATE OR REPLACE FUNCTION private.open_wall()
 RETURNS SETOF public.walls
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select w.* from public.walls w join public.memories m on m.id = w.memory_id and not m.draft and m.deleted_at is null
  where w.id = (auth.jwt() -> 'wall' ->> 'id')::uuid and w.version = (auth.jwt() -> 'wall' ->> 'version')::integer
    and auth.role() = 'anon' and w.revoked_at is null and coalesce(w.expires_at > now(), true)
$function$;
comment on function private.open_wall() is 'The wall whose screen the caller is, while its version is current and it is on.';

CREATE OR REPLACE FUNCTION private.own_address()
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select lower(u.email) from auth.users u where u.id = auth.uid() and u.email_confirmed_at is not null
$function$;
comment on function private.own_address() is 'The confirmed email address of the signed-in person as it is now, which may differ from the one in their token.';
grant execute on function private.own_address() to authenticated;

CREATE OR REPLACE FUNCTION private.owned_memory_ids()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(id), '{}') from public.memories
  where user_id = auth.uid() and deleted_at is null and (select private.has_required_aal())
$function$;
grant execute on function private.owned_memory_ids() to service_role;

CREATE OR REPLACE FUNCTION private.owns_memory(person uuid, memory uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from public.memories m where m.id = memory and m.user_id = person)
$function$;
comment on function private.owns_memory(uuid,uuid) is 'Whether a memory belongs to this account.';

CREATE OR REPLACE FUNCTION private.pair_by_name(item uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  own public.media_details;
  stem text;
  pair record;
begin
  select * into own from public.media_details d where d.media_id = item;
  stem := private.name_stem(own.file_name);
  if stem is null or not exists (select from public.media m where m.id = item and m.moderation in ('shown', 'held', 'hidden')) then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('media of a day ' || own.memory_id, 0));
  select c.front, c.back into pair from (
    select d.media_id as front, item as back, 1 as rank from public.media_details d
    where d.memory_id = own.memory_id and stem like '%\_b' and private.name_stem(d.file_name) = left(stem, -2)
    union all
    select item, d.media_id, 2 from public.media_details d
    where d.memory_id = own.memory_id and private.name_stem(d.file_name) = stem || '_b'
  ) c join public.media m on m.id in (c.front, c.back) and m.id <> item join public.media b on b.id = c.back
  where b.is_back is null and private.may_be_sides(c.front, c.back)
  order by c.rank, m.created_at, m.id limit 1;
  if found then
    perform from public.media m where m.id in (pair.front, pair.back) order by m.id for update;
    if private.may_be_sides(pair.front, pair.back) then
      perform private.attach_back(pair.front, pair.back);
    end if;
  end if;
end
$function$;
comment on function private.pair_by_name(uuid) is 'Makes one item of a photo that was just made ready and the other side of the print, as scanners name both: IMG_1.jpg and IMG_1_b.jpg.';

CREATE OR REPLACE FUNCTION private.paragraphs(words text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE STRICT
 SET search_path TO ''
AS $function$
  select '<p>' || regexp_replace(regexp_replace(replace(replace(replace(replace(btrim(words), '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;'),
    '\s*\n\s*\n\s*', '</p><p>', 'g'), '\n', '<br>', 'g') || '</p>'
$function$;

CREATE OR REPLACE FUNCTION private.pass_on_trash(person uuid, of_memory uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update public.trash t set deleted_by = m.user_id from public.memories m
  where m.id = t.memory_id and t.deleted_by = person and (of_memory is null or m.id = of_memory) and m.user_id <> person
    -- Both accounts may be deleted by one command.
    and exists (select from auth.users u where u.id = m.user_id)
    and case t.kind
      when 'media' then not exists (select from public.media_details d where d.media_id = t.id and d.user_id = person)
      when 'story' then not exists (select from public.stories s where s.id = t.id and s.user_id = person)
      when 'comment' then not exists (select from public.comments c where c.id = t.id and c.user_id = person)
      else false end
$function$;
comment on function private.pass_on_trash(uuid,uuid) is 'Passes what a person deleted from the memories of others to the owners of these memories, except what that person had added.';

CREATE OR REPLACE FUNCTION private.pass_on_trash_of_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.pass_on_trash(old.id);
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION private.pass_on_trash_of_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.owns_memory(old.user_id, old.memory_id) and not exists (select from public.memory_members p
    where p.memory_id = old.memory_id and p.user_id = old.user_id and p.role = 'co-owner') then
    perform private.pass_on_trash(old.user_id, old.memory_id);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.payable_to(affiliate uuid, currency text)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select (coalesce((select sum(c.amount) from public.commissions c
      where c.affiliate_id = affiliate and c.currency = payable_to.currency and not c.held and c.payable_at <= now()), 0)
    - coalesce((select sum(p.amount) from public.payouts p
      where p.affiliate_id = affiliate and p.currency = payable_to.currency), 0))::integer
$function$;
comment on function private.payable_to(uuid,text) is 'The amount that can be paid to an affiliate now. Negative if a commission was reversed after it was paid out; later commissions offset it.';

CREATE OR REPLACE FUNCTION private.payer_of(in_bucket text, object_name text)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select m.user_id from public.memories m
  where in_bucket in ('media', 'posters') and object_name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/'
    and m.id = left(object_name, 36)::uuid
$function$;
comment on function private.payer_of(text,text) is 'The account whose limit an object counts towards: the owner of its memory. Null if nobody''s.';

CREATE OR REPLACE FUNCTION private.people_named(memory uuid, mentions uuid[])
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(array_agg(p.id order by p.id), '{}') from public.memory_people(memory) p where p.id = any (mentions)
$function$;
comment on function private.people_named(uuid,uuid[]) is 'Those of these people who are members, as far as the caller may see the members.';

CREATE OR REPLACE FUNCTION private.people_of(memory uuid)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select m.user_id from public.memories m where m.id = memory
  union all
  select p.user_id from public.memory_members p join public.memories m on m.id = p.memory_id and not m.draft where p.memory_id = memory
$function$;
comment on function private.people_of(uuid) is 'The owner and all members of a memory; for a draft only the owner.';

CREATE OR REPLACE FUNCTION private.people_to_notify(memory uuid, author uuid)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (select from public.reveals r where r.memory_id = memory and not r.revealed and coalesce(r.reveal_at > now(), true))
    and not exists (select from private.managers_of(memory) k (id) where k.id = author) then
    return query select private.managers_of(memory);
  else
    return query select private.people_of(memory);
  end if;
end
$function$;
comment on function private.people_to_notify(uuid,uuid) is 'The members who are notified of what somebody added to a memory: before the reveal only managers, unless a manager added it.';

CREATE OR REPLACE FUNCTION private.person_in(memory uuid, person uuid, photo uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  from_entry public.pictured_people;
  entry uuid;
begin
  with recursive roots as (
    select p.* from public.pictured_people p where p.id = person
    union select p.* from public.pictured_people p join roots r on p.id = r.merged_into
  ) select * into from_entry from roots where merged_into is null;
  select p.id into entry from public.pictured_people p
  where p.memory_id = memory and p.merged_into is null and p.deleted = from_entry.deleted
    and private.search_key(p.name) = private.search_key(from_entry.name)
    and (p.born_year, p.died_year) is not distinct from (from_entry.born_year, from_entry.died_year)
    and not exists (select from public.media_names n where n.media_id = photo and n.person_id = p.id)
  order by p.created_at, p.id limit 1;
  if entry is null then
    insert into public.pictured_people (memory_id, name, other_names, born_year, died_year, deleted)
    values (memory, from_entry.name, from_entry.other_names, from_entry.born_year, from_entry.died_year, from_entry.deleted)
    returning id into entry;
    insert into public.pictured_identities (person_id, memory_id)
    select entry, i.memory_id from public.pictured_identities i where i.person_id = from_entry.id;
  end if;
  return entry;
end
$function$;
comment on function private.person_in(uuid,uuid,uuid) is 'The entry of a person in another memory''s list: one with the same name and years, or a new one.';

CREATE OR REPLACE FUNCTION private.person_roots(people uuid[])
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with recursive up (id, merged_into) as (
    select p.id, p.merged_into from public.pictured_people p where p.id = any (people)
    union select p.id, p.merged_into from public.pictured_people p join up on p.id = up.merged_into
  ) select array_agg(id) from up where merged_into is null
$function$;
comment on function private.person_roots(uuid[]) is 'The entries that people are shown as: themselves, or those that they are merged into.';
grant execute on function private.person_roots(uuid[]) to anon;
grant execute on function private.person_roots(uuid[]) to authenticated;
grant execute on function private.person_roots(uuid[]) to service_role;

CREATE OR REPLACE FUNCTION private.person_to_change(whom text, reason text)
 RETURNS auth.users
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  person auth.users;
begin
  if nullif(btrim(reason), '') is null then
    raise exception 'Say why.' using errcode = 'PT400', hint = 'validation_failed';
  end if;
  select * into person from auth.users u
  where case when whom ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then u.id = whom::uuid else lower(u.email) = lower(btrim(whom)) end
  for update;
  if not found then
    raise exception 'Nobody has an account with this address.' using errcode = 'PT404', hint = 'no_account';
  end if;
  if person.id = auth.uid() then
    raise exception 'Another administrator does this with your account.' using errcode = 'PT409', hint = 'own_account';
  end if;
  return person;
end
$function$;
comment on function private.person_to_change(text,text) is 'The account of an address or id, locked, for an act of an administrator who says why. Nobody acts on their own account here.';

CREATE OR REPLACE FUNCTION private.person_words(person uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with recursive up (id, merged_into, words) as (
    select p.id, p.merged_into, concat_ws(' ', p.name, array_to_string(p.other_names, ' ')) from public.pictured_people p where p.id = person
    union select p.id, p.merged_into, concat_ws(' ', p.name, array_to_string(p.other_names, ' '))
    from public.pictured_people p join up on p.id = up.merged_into
  ) select string_agg(words, ' ') from up
$function$;
comment on function private.person_words(uuid) is 'All names of a person, also of the entries that this one is merged into.';

CREATE OR REPLACE FUNCTION private.picture_name(account uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select substr(encode(sha256(account::text::bytea), 'hex'), 1, 32)::uuid::text
$function$;
comment on function private.picture_name(uuid) is 'The name of an account''s object in the bucket avatars: the first half of the SHA-256 of its id, written as a UUID.';
grant execute on function private.picture_name(uuid) to anon;
grant execute on function private.picture_name(uuid) to authenticated;
grant execute on function private.picture_name(uuid) to service_role;

CREATE OR REPLACE FUNCTION private.plain_text(html text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select left(btrim(regexp_replace(regexp_replace(html, '<[^>]*>', ' ', 'g'), '\s+', ' ', 'g')), 200)
$function$;

CREATE OR REPLACE FUNCTION private.position_in_day(of_media uuid, memory uuid, exact text)
 RETURNS double precision
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  day constant text := private.day_of(exact);
  own constant text collate "C" := private.date_order(exact);
  earliest constant text collate "C" := private.date_order(day);
  latest constant text collate "C" := left(own, 10) || 'U';
  -- Wide enough for thousands of photos in between, because photos of one day arrive in any order.
  wide constant double precision := 1e9;
  near constant double precision := 1e5;
  before record;
  after record;
begin
  if exact is null or exact = day then
    return null;
  end if;
  -- Locks the day, so that of two uploads at once the second sees the first.
  perform pg_advisory_xact_lock(hashtextextended('media of a day ' || memory, 0));
  select m.time_order, m.created_at, d.taken_order into before from public.media_details d join public.media m on m.id = d.media_id
  where d.memory_id = memory and d.taken_order <= own and d.taken_order >= earliest and m.taken_at = day
    and m.time_order is not null and m.id <> of_media
  order by d.taken_order desc limit 1;
  if before.taken_order = own then
    return before.time_order;
  end if;
  select m.time_order, m.created_at into after from public.media_details d join public.media m on m.id = d.media_id
  where d.memory_id = memory and d.taken_order > own and d.taken_order < latest and m.taken_at = day
    and m.time_order is not null and m.id <> of_media
  order by d.taken_order limit 1;
  return case
    when before.time_order is null and after.time_order is null then 0
    when after.time_order is null then before.time_order + wide
    when before.time_order is null then after.time_order - wide
    -- Close to the one that was added last: the next one is likely to belong there, and needs space on the other side.
    when after.created_at > before.created_at then after.time_order - least(near, (after.time_order - before.time_order) / 2)
    else before.time_order + least(near, (after.time_order - before.time_order) / 2)
  end;
end
$function$;
comment on function private.position_in_day(uuid,uuid,text) is 'The position of a photo with this time among those of its memory on the same day; null for a date without a time.';

CREATE OR REPLACE FUNCTION private.prepare_comment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  parent public.comments;
begin
  if auth.role() in ('anon', 'authenticated') then
    new.moderation := private.initial_moderation(new.memory_id);
    new.mentions := private.people_named(new.memory_id, new.mentions);
  end if;
  if new.guest_id is not null then
    perform private.rate_limit_guest('comments', 60);
  end if;
  select * into parent from public.comments where id = new.parent_id;
  if auth.role() in ('anon', 'authenticated') and new.parent_id is not null and (parent.id is null or parent.memory_id <> new.memory_id
    or parent.moderation = 'deleted'
    or parent.moderation <> 'shown' and not private.is_own(parent.user_id, parent.guest_id)
      and not private.is_manager(parent.memory_id)) then
    raise exception 'What this answers is not there any more.' using errcode = 'PT404', hint = 'not_there';
  end if;
  -- A reply to a reply joins the same thread, and all of a thread is about the same photo.
  new.parent_id := coalesce(parent.parent_id, new.parent_id);
  if parent.id is not null then
    new.media_id := parent.media_id;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.prepare_prompt()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  new.text := auth.typed_line(new.text);
  if tg_op = 'INSERT' then
    new.position := coalesce((select max(p.position) from public.prompts p where p.memory_id = new.memory_id), 0) + 1;
  end if;
  return new;
end
$function$;
comment on function private.prepare_prompt() is 'Cleans the text of a prompt; a new one is last.';

CREATE OR REPLACE FUNCTION private.prepare_reaction()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.role() in ('anon', 'authenticated') then
    new.moderation := private.initial_moderation(new.memory_id);
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.prepare_share_ids()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if coalesce(current_setting('skies.share_secret', true), '') = '' then
    perform set_config('skies.share_secret', gen_random_uuid()::text || gen_random_uuid()::text, true);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.prepare_slideshow()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  new.title := auth.typed_line(new.title);
  if new.music_id is not null and (tg_op = 'INSERT' or new.music_id is distinct from old.music_id) and not exists (
    select from public.media m where m.id = new.music_id and m.memory_id = new.memory_id and m.type = 'audio' and m.moderation = 'shown') then
    raise exception 'The music is a recording of this memory.' using errcode = 'PT400', hint = 'slideshow_music';
  end if;
  if tg_op = 'INSERT' and (select count(*) from public.slideshows s where s.memory_id = new.memory_id) >= 50 then
    raise exception 'A memory has at most 50 slideshows.' using errcode = 'PT400', hint = 'too_many_slideshows';
  end if;
  if tg_op = 'UPDATE' and (old.pace, old.shows_captions, old.music_id) is distinct from (new.pace, new.shows_captions, new.music_id) then
    new.changes := old.changes + 1;
  end if;
  return new;
end
$function$;
comment on function private.prepare_slideshow() is 'Cleans the title, refuses music of another memory and too many slideshows, and counts changes that a film would show.';

CREATE OR REPLACE FUNCTION private.prepare_story()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if auth.role() in ('anon', 'authenticated') then
    new.moderation := private.initial_moderation(new.memory_id);
  end if;
  if new.guest_id is not null then
    perform private.rate_limit_guest('stories', 30);
  end if;
  new.position := coalesce((select max(s.position) from public.stories s where s.memory_id = new.memory_id), 0) + 1;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.prepare_wall()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- The family allows pictures of a person by a step of its own.
  if exists (select from public.memories m where m.id = new.memory_id and m.kind = 'tribute') then
    new.shows_pictures := false;
  end if;
  return new;
end
$function$;
comment on function private.prepare_wall() is 'Leaves out the pictures on a new wall of a tribute.';

CREATE OR REPLACE FUNCTION private.publish_link_version()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.link_versions (link_id, version, shows_names, moderated)
  values (new.id, new.version, new.shows_names, new.moderated)
  on conflict (link_id) do update
  set version = excluded.version, shows_names = excluded.shows_names, moderated = excluded.moderated;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.publish_removed_device()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.link_versions v set devices_removed = v.devices_removed + 1 where v.link_id = old.link_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.purge_comment(comment_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  comment public.comments;
begin
  select * into comment from public.comments c where c.id = purge_comment.comment_id for update;
  if comment.id is null or comment.deleted_at is null and comment.moderation <> 'deleted' then
    return;
  end if;
  if exists (select from public.comments a where a.parent_id = comment.id) then
    if comment.deleted_at is null then
      perform private.take_comment_text(comment.id);
    end if;
    return;
  end if;
  delete from public.comments c where c.id = comment.id;
  delete from public.comments c where c.id = comment.parent_id and c.deleted_at is not null
    and not exists (select from public.comments a where a.parent_id = c.id)
    and not exists (select from public.trash t where t.kind = 'comment' and t.id = c.id);
end
$function$;
comment on function private.purge_comment(uuid) is 'Deletes a comment permanently. While it has replies, including deleted ones, its empty row is kept.';

CREATE OR REPLACE FUNCTION private.purge_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Restored items are skipped. A job of the storage removes the bytes.
  delete from storage.objects o using gone g, public.media m
  where g.kind = 'media' and g.id in (m.id, m.motion_of) and m.moderation = 'deleted' and o.id = m.id;
  delete from public.stories s using gone g where g.kind = 'story' and s.id = g.id and s.moderation = 'deleted';
  perform private.purge_comment(g.id) from gone g where g.kind = 'comment';
  delete from public.albums a using gone g where g.kind = 'album' and a.id = g.id and a.deleted_at is not null;
  delete from public.memories m using gone g where g.kind = 'memory' and m.id = g.id and m.deleted_at is not null;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.purge_people()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from public.pictured_people where deleted_at < now() - interval '30 days'
$function$;
comment on function private.purge_people() is 'Permanently deletes people that have been in the trash for 30 days.';

CREATE OR REPLACE FUNCTION private.purge_trash(most integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  -- Each process takes rows that are not locked by another; an earlier restore keeps its row.
  with due as (
    select t.kind, t.id from public.trash t where t.deleted_at < now() - interval '30 days'
    order by t.deleted_at limit most for update skip locked
  ), gone as (
    delete from public.trash t using due where t.kind = due.kind and t.id = due.id returning t.id
  ) select count(*)::integer from gone
$function$;
comment on function private.purge_trash(integer) is 'Permanently deletes what has been in the trash for 30 days, up to a number of items. Returns how many.';

CREATE OR REPLACE FUNCTION private.push_grown_notice()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.notice_pushes (notice_id, user_id)
  select new.id, new.user_id where exists (select from public.push_devices d where d.user_id = new.user_id)
  on conflict do nothing;
  return null;
end
$function$;
comment on function private.push_grown_notice() is 'Tells the devices of a person again when an unread notice counts more, for example further photos.';

CREATE OR REPLACE FUNCTION private.push_new_notices()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.notice_pushes (notice_id, user_id)
  select n.id, n.user_id from new_rows n
  where n.read_at is null and exists (select from public.push_devices d where d.user_id = n.user_id)
  on conflict do nothing;
  return null;
end
$function$;
comment on function private.push_new_notices() is 'Adds new notices of people with devices to those about which the devices are told.';

CREATE OR REPLACE FUNCTION private.query_words(find text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
  with typed as materialized (
    select t.place, string_to_array(left(private.search_key(t.word), 400), ' ') as parts,
      -- What follows an elision: "dell'estate" is found by "estate".
      left(private.search_key(substring(t.word from '[''’‘ʼ`´]([^''’‘ʼ`´]+)$')), 60) as ending
    from regexp_split_to_table(left(find, 200), '\s+') with ordinality t (word, place)),
  words as (
    select left(p.part, 60) || coalesce(
        case when cardinality(t.parts) = 1 and length(t.ending) > 2 and t.ending !~ ' ' then '|' || t.ending end, '') as word,
      min(t.place * 1000 + p.n) as n
    from typed t cross join lateral unnest(t.parts) with ordinality p (part, n) where p.part <> '' group by 1 order by 2 limit 12)
  select coalesce(array_agg(word order by n), '{}') from words
$function$;
comment on function private.query_words(text) is 'The words of a search, at most 12; a word with an elision has its ending after a bar.';

CREATE OR REPLACE FUNCTION private.raise_link_version()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.version := old.version + 1;
  if new.share_id <> old.share_id then
    new.admitted_since_version := new.version;
    new.locked_until := null;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.raise_versions_of_links()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  was constant uuid := case when tg_op <> 'INSERT' then old.album_id end;
  is_in constant uuid := case when tg_op <> 'DELETE' then new.album_id end;
  grows constant boolean := tg_op <> 'DELETE' and not new.draft;
begin
  if tg_op = 'UPDATE' and new.draft <> old.draft then
    update public.share_links set version = version + 1 where memory_id = new.id;
  end if;
  update public.share_links
  set version = version + 1, grown = grown + case when grows and album_id = is_in then 1 else 0 end
  where album_id = any (array[was, is_in])
    -- When an account is deleted, several memories of a deleted album reach this trigger, and a row cannot be changed twice
    -- by one command.
    and exists (select from public.albums a where a.id = share_links.album_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.rate_limit_guest(in_table text, most integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  wait integer;
begin
  -- So long counts the oldest of the newest `most` rows.
  execute format('select ceil(extract(epoch from created_at + interval ''1 hour'' - now())) from public.%I
      where guest_id = $1 and created_at > now() - interval ''1 hour'' order by created_at desc offset $2 - 1 limit 1', in_table)
    into wait using private.guest_id(), most;
  if wait is not null then
    raise exception 'So much was written within an hour that the next has to wait a little.'
      using errcode = 'PT429', hint = 'too_fast', detail = wait;
  end if;
end
$function$;
comment on function private.rate_limit_guest(text,integer) is 'Refuses if a guest has written this many rows within an hour.';

CREATE OR REPLACE FUNCTION private.recalculate_subscriptions(account uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  held public.user_subscriptions[] := '{}';
  bought record;
  next public.user_subscriptions;
  other public.user_subscriptions;
  ahead public.user_subscriptions;
  worth numeric;
  free_from timestamptz;
  place integer;
begin
  perform private.lock_account(account);
  for bought in
    select s.id, s.created_at as at, s as given, null::public.orders as paid, null::public.order_items as item, p as plan, 0 as line
    from public.user_subscriptions s join public.subscription_plans p on p.id = s.plan_id
    where s.user_id = account and s.order_id is null and s.status in ('active', 'replaced')
    union all
    select coalesce(s.id, gen_random_uuid()), o.paid_at, s, o, i, p, i.position
    from public.orders o join public.order_items i on i.order_id = o.id and i.kind = 'plan'
    join public.subscription_plans p on p.id = i.plan_id
    left join public.user_subscriptions s on s.order_item_id = i.id
    where o.user_id = account and o.status in ('paid', 'disputed')
      and coalesce((i.terms ->> 'term_years')::integer, p.term_years) is not null
    order by 2, 7, 1
  loop
    if (bought.paid).id is null then
      next := bought.given;
      next.status := 'active';
      next.replaced_at := null;
      held := array_append(held, next);
      continue;
    end if;
    next := private.sold_plan(bought.paid, bought.item, bought.plan);
    next.id := bought.id;
    next.user_id := account;

    ahead := null;
    worth := 0;
    foreach other in array held loop
      continue when other.status = 'replaced' or other.expires_at <= bought.at;
      if (select p.position from public.subscription_plans p where p.id = other.plan_id) < (bought.plan).position then
        worth := worth + private.left_of(other.amount + other.credit, other.starts_at, other.expires_at, bought.at);
      elsif ahead.id is null or other.expires_at > ahead.expires_at then
        ahead := other;
      end if;
    end loop;

    if ahead.id is null then
      -- The first plan, or a larger one, which gets the remaining value of those it replaces.
      next.credit := ceil(worth);
      next.expires_at := next.starts_at + make_interval(years => next.term_years);
      next.expires_at := next.expires_at + make_interval(days => coalesce(ceil(worth
        * extract(epoch from next.expires_at - next.starts_at) / 86400 / nullif((bought.item).unit_amount, 0))::integer, 0));
    else
      -- The same plan extends the current one; a smaller one starts when the current one ends.
      next.starts_at := ahead.expires_at;
      next.expires_at := next.starts_at + make_interval(years => next.term_years);
    end if;
    -- Smaller plans follow it one after the other.
    free_from := next.expires_at;
    for place in select n from generate_subscripts(held, 1) n order by (held[n]).starts_at loop
      other := held[place];
      continue when other.status = 'replaced' or other.expires_at <= bought.at;
      if ahead.id is null then
        other.status := 'replaced';
        other.replaced_at := bought.at;
      elsif other.starts_at >= ahead.expires_at then
        other.starts_at := free_from;
        other.expires_at := free_from + make_interval(years => other.term_years);
        free_from := other.expires_at;
      end if;
      held[place] := other;
    end loop;
    held := array_append(held, next);
  end loop;

  update public.user_subscriptions s set status = 'refunded'
  from public.orders o where o.id = s.order_id and s.user_id = account and o.status = 'refunded' and s.status <> 'refunded';
  insert into public.user_subscriptions as s
  select (h).* from (
    select private.with_status(k, held) as h from unnest(held) k
  ) settled
  on conflict (id) do update set status = excluded.status, starts_at = excluded.starts_at, expires_at = excluded.expires_at,
    amount = excluded.amount, credit = excluded.credit, replaced_at = excluded.replaced_at
  where (s.status, s.starts_at, s.expires_at, s.amount, s.credit, s.replaced_at)
    is distinct from (excluded.status, excluded.starts_at, excluded.expires_at, excluded.amount, excluded.credit, excluded.replaced_at);
end
$function$;
comment on function private.recalculate_subscriptions(uuid) is 'Sets an account''s subscriptions from its payments, refunds and grants. Can be repeated without effect.';

CREATE OR REPLACE FUNCTION private.record_action(action text, subject text, before jsonb DEFAULT NULL::jsonb, after jsonb DEFAULT NULL::jsonb, reason text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into public.audit_log (actor, role, address, action, subject, before, after, reason)
  values (auth.uid(), coalesce(auth.jwt() -> 'app_metadata' ->> 'role', auth.role(), 'service_role'), auth.jwt() ->> 'address',
    action, subject, before, after, nullif(btrim(reason), ''))
$function$;
comment on function private.record_action(text,text,jsonb,jsonb,text) is 'Adds a row to the audit log for the caller. For functions that staff call.';

CREATE OR REPLACE FUNCTION private.record_author()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  name constant text := private.name_of_author(new.user_id, new.guest_id);
begin
  if name <> '' then
    execute format('insert into public.%I values ($1, $2, $3)', tg_argv[0]) using new.id, new.memory_id, name;
  end if;
  return null;
end
$function$;
comment on function private.record_author() is 'Inserts the author''s name into the credits table that the trigger names.';

CREATE OR REPLACE FUNCTION private.record_deletion(of_kind text, item uuid, of_memory uuid, before jsonb, relation regclass, old_row jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.trash (kind, id, memory_id, deleted_by, guest_id, was)
  values (of_kind, item, of_memory, auth.uid(), case when auth.uid() is null then private.guest_id() end, before);
  -- On the hosted platform realtime reports this as an update.
  if to_regprocedure('realtime.announce_deletion(regclass, jsonb)') is not null then
    perform realtime.announce_deletion(relation, old_row);
  end if;
end
$function$;
comment on function private.record_deletion(text,uuid,uuid,jsonb,regclass,jsonb) is 'Inserts the row in the trash for an item that was just hidden, and notifies open pages.';

CREATE OR REPLACE FUNCTION private.record_original_text()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  written constant text := current_setting('skies.words')::jsonb ->> new.id::text;
begin
  update public.comment_credits n set words = written where n.comment_id = new.id;
  if not found and written is not null then
    insert into public.comment_credits (comment_id, memory_id, name, words) values (new.id, new.memory_id, '', written);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.record_source()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  execute format('insert into private.content_sources (link_id, %I) select l.id, $1 from private.open_link() l', tg_argv[0]) using new.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.recount_added(memory uuid, adder uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  with now_there as (
    select n.id, n.count as before, (select count(*) from public.media m
      join public.media_details d on d.media_id = m.id where m.memory_id = memory
      and coalesce(d.user_id, d.guest_id) = adder and m.moderation = 'shown' and m.created_at between n.since and n.created_at) as left_over
    from public.notices n where n.memory_id = memory and n.kind = 'added' and n.actor_key = adder::text
      -- The notice of an account that is being deleted is deleted with it, and cannot be changed before.
      and exists (select from auth.users u where u.id = n.user_id)
  ), emptied as (
    delete from public.notices n using now_there t where n.id = t.id and t.left_over = 0
  )
  update public.notices n set count = t.left_over, mailed_count = least(n.mailed_count, t.left_over)
  from now_there t where n.id = t.id and t.left_over > 0 and t.left_over <> t.before;
end
$function$;
comment on function private.recount_added(uuid,uuid) is 'Corrects the counts in notices about uploads of a person or guest after some were removed.';

CREATE OR REPLACE FUNCTION private.recount_totals()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  lock table auth.users, private.account_days, public.memories, public.media, private.account_use, public.metal_cards in share row exclusive mode;
  delete from private.totals;
  insert into private.totals (kind, amount)
  select t.kind, t.amount from (
    select 'accounts', count(*) from auth.users
    union all select 'active ' || d.used_on, count(*) from private.account_days d group by 1
    union all select 'memories', count(*) from public.memories m where m.deleted_at is null
    union all select 'media', count(*) from public.media m where m.moderation not in ('deleted', 'attached')
    union all select 'stored', sum(a.stored) from private.account_use a
    union all select 'card ' || c.making, count(*) from public.metal_cards c group by 1
    union all
    select n.kind, count(*) from (
      select 'new sign_ups ' || (u.created_at at time zone 'utc')::date as kind, u.created_at from auth.users u
      union all select 'new memories ' || (m.created_at at time zone 'utc')::date, m.created_at from public.memories m
      union all select case m.type when 'image' then 'new photos ' else 'new videos ' end || (m.created_at at time zone 'utc')::date, m.created_at
      from public.media m where m.type in ('image', 'video', 'audio') and m.moderation <> 'attached'
    ) n
    -- What the figures may not have counted yet.
    where n.created_at at time zone 'utc' >= coalesce((select max(f.day) from private.daily_figures f), '-infinity') group by 1
  ) t (kind, amount)
  where t.amount <> 0;
end
$function$;
comment on function private.recount_totals() is 'Counts the totals from the tables, for rows that were loaded without triggers. Changes wait meanwhile.';

CREATE OR REPLACE FUNCTION private.referring_code(code text, visited_at timestamp with time zone, buyer uuid, address text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select a.code from public.affiliates a join auth.users u on u.id = a.user_id
  where a.code = upper(btrim(referring_code.code)) and a.state = 'active'
    -- Clocks of phones can be wrong by an hour.
    and visited_at between now() - interval '30 days' and now() + interval '1 hour'
    and a.user_id is distinct from buyer and lower(u.email) is distinct from lower(address)
$function$;
comment on function private.referring_code(text,timestamp with time zone,uuid,text) is 'The referral code that counts for a purchase now: of an active affiliate, at most 30 days old, and not the buyer''s own; otherwise null.';

CREATE OR REPLACE FUNCTION private.refund_device_attempt(share text, device uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  secret constant text := private.share_attempts_key(share);
begin
  perform private.hold_share_attempts('devices:' || secret);
  update private.share_attempts set failures = greatest(failures - 1, 0)
  where key in ('devices:' || secret, 'device:' || device || ' ' || secret);
end
$function$;
comment on function private.refund_device_attempt(text,uuid) is 'Removes the count of a device''s correct attempt.';

CREATE OR REPLACE FUNCTION private.refund_order_without_account()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into public.refunds (id, order_id, amount, reason, automatic, asked_by)
  values (gen_random_uuid(), new.id, new.total - new.refunded, 'Paid after the account was deleted', true, null);
  return null;
end
$function$;
comment on function private.refund_order_without_account() is 'Refunds an order that was paid after its account was deleted.';

CREATE OR REPLACE FUNCTION private.refund_share_attempt(share text, address text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Only its own count: knowing one PIN does not clear failed attempts, here or at other links. A lock that exists now was
  -- set by this attempt, or by one that would not have reached the limit without it.
  update private.share_attempts set failures = greatest(failures - 1, 0), locked_until = null
    where key = 'address:' || address;
  update private.share_attempts set failures = greatest(failures - 1, 0), locked_until = null
    where key = private.share_attempts_key(share);
  update public.share_links set locked_until = null
    where id in (select private.links_of_one_secret(share)) and locked_until is not null;
end
$function$;
comment on function private.refund_share_attempt(text,text) is 'Removes the count of a correct attempt.';

CREATE OR REPLACE FUNCTION private.refund_unmade_cards()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Orders before cards, like a payment. Once both are locked, no card can be engraved or refunded meanwhile.
  perform from public.orders o where o.id in (select c.order_id from public.metal_cards c where c.user_id = old.id) order by o.id for update;
  perform from public.metal_cards c where c.user_id = old.id order by c.id for update;
  insert into public.refunds (id, order_id, amount, reason, automatic, asked_by)
  select gen_random_uuid(), f.order_id, f.amount, 'Cards not engraved when the account was deleted', true, null
  from (
    select o.id as order_id, least(
      (select round(sum(i.total::numeric / i.quantity)) from public.metal_cards c join public.order_items i on i.id = c.order_item_id
       where c.order_id = o.id and c.user_id = old.id and c.making in ('waiting', 'ordered') and i.kind = 'card'),
      o.total - o.refunded - coalesce((select sum(r.amount) from public.refunds r where r.order_id = o.id and r.state = 'asked'), 0)
    )::integer as amount
    from public.orders o
    where o.id in (select c.order_id from public.metal_cards c where c.user_id = old.id) and o.status in ('paid', 'disputed')
  ) f where f.amount > 0;
  return old;
end
$function$;
comment on function private.refund_unmade_cards() is 'Refunds the cards that were bought and are not engraved when their holder deletes the account; they are cancelled. Cards that a plan includes have no price of their own.';

CREATE OR REPLACE FUNCTION private.refuse_album_of_another()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not exists (select from public.albums a where a.id = new.album_id and a.user_id = new.user_id) then
    raise exception 'A memory is in an album of its owner' using errcode = '23503', table = 'memories', constraint = 'memories_album_id_fkey';
  end if;
  return null;
end
$function$;
comment on function private.refuse_album_of_another() is 'Refuses an album that is not the memory''s owner''s. The owner of an album never changes.';

CREATE OR REPLACE FUNCTION private.refuse_as_avatar()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception 'An avatar is uploaded, not moved here' using errcode = '42501';
end
$function$;

CREATE OR REPLACE FUNCTION private.refuse_blocked_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Blocking locks the memory, so that one of two concurrent changes waits and sees the other.
  perform from public.memories m where m.id = new.memory_id for share;
  if exists (select from public.memory_blocks b where b.memory_id = new.memory_id and b.user_id = new.user_id) then
    raise exception 'There is no such invitation to you.' using errcode = 'PT404';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception 'The audit log cannot be changed.' using errcode = '42501';
end
$function$;

CREATE OR REPLACE FUNCTION private.refuse_engraving()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  raise exception 'The text on a card cannot be engraved.' using errcode = 'PT400', hint = 'not_engravable';
end
$function$;
comment on function private.refuse_engraving() is 'Refuses a text that is too long or has characters that the engraver''s typeface lacks.';

CREATE OR REPLACE FUNCTION private.register_guest(of_link uuid, of_version integer, hashes text[], as_name text, at_email text, in_language text, in_zone text, at_site text)
 RETURNS SETOF public.guests
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  link public.share_links;
  found uuid;
  wait integer;
begin
  -- Locks the link, so that the number of guests per day is exact and one key creates one guest.
  select * into link from public.share_links l where l.id = of_link for no key update;
  if link.id is null or link.version <> of_version or link.revoked_at is not null or link.expires_at <= now() then
    raise exception 'This link is not open any more.' using errcode = 'PT410', hint = 'revoked';
  end if;
  if link.rights = 'view' and not exists (select from public.memories m join public.memory_entries e on e.memory_id = m.id
      where (m.id = link.memory_id or m.album_id = link.album_id) and not m.draft and e.asks_replies and e.audience = 'all') then
    raise exception 'This link is for looking only.' using errcode = 'PT403', hint = 'view_only';
  end if;
  select g.id into found from public.guests g join private.guest_keys k on k.guest_id = g.id
  where k.hash = any (hashes) and g.link_id = of_link;
  if found is null then
    select ceil(extract(epoch from g.created_at + interval '1 day' - now())) into wait from public.guests g
    where g.link_id = of_link and g.created_at > now() - interval '1 day' order by g.created_at desc offset 299 limit 1;
    if wait is not null then
      raise exception 'Too many people have signed here today.' using errcode = 'PT429', hint = 'too_many_guests', detail = wait;
    end if;
    insert into public.guests (link_id, name, email, language, time_zone, site)
    values (of_link, as_name, at_email, in_language, in_zone, at_site) returning id into found;
    insert into private.guest_keys (hash, guest_id) values (hashes[1], found);
  else
    update public.guests g set name = as_name, email = at_email, language = in_language, time_zone = in_zone,
      site = at_site, last_seen = now()
    where g.id = found and g.blocked_at is null;
  end if;
  return query select * from public.guests g where g.id = found and g.blocked_at is null;
end
$function$;
comment on function private.register_guest(uuid,integer,text[],text,text,text,text,text) is 'Registers a guest at a link under a key, or updates the name of the guest that the key belongs to. The hash for a new key comes first in the list. Returns no row for a blocked guest. Only the server calls it.';

CREATE OR REPLACE FUNCTION private.register_link_device(of_link uuid, of_version integer, key_hash text, as_name text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;
comment on function private.register_link_device(uuid,integer,text,text) is 'Admits a device to a link in this version, and returns its id. Keeps the 1000 devices of a link that were seen last. Only the server calls it.';

CREATE OR REPLACE FUNCTION private.release_idle_uploads(of_account uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  claims constant text := coalesce(current_setting('request.jwt.claims', true), '');
  upload record;
begin
  perform storage.end_expired_uploads(of_account);
  -- Skips an upload that is being finished: its transaction waits for the account.
  for upload in
    select u.id, u.bucket_id, u.name, u.active_at < now() - interval '30 minutes' as is_idle,
      -- A link's version changes with its settings, and then its guests open it again.
      case when l.id is null then u.caller else jsonb_set(u.caller, '{share,version}', to_jsonb(l.version)) end as caller
    from storage.uploads u
    left join public.share_links l on l.id = (u.caller #>> '{share,link}')::uuid
    where u.account = of_account and u.finished_at is null
    for update of u skip locked
  loop
    perform set_config('request.jwt.claims', upload.caller::text, true);
    if upload.is_idle or not storage.may_upload(upload.bucket_id, upload.name) then
      update storage.uploads set account = null where id = upload.id;
    end if;
  end loop;
  perform set_config('request.jwt.claims', claims, true);
end
$function$;
comment on function private.release_idle_uploads(uuid) is 'Releases the storage that an account reserves for uploads whose caller has lost the right to add, or has sent nothing for half an hour. They can still be resumed within a day, if there is room.';

CREATE OR REPLACE FUNCTION private.release_upload()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.count_bytes(old.account, 0, -old.size);
  return null;
end
$function$;
comment on function private.release_upload() is 'Releases the reservation of an upload that ended; if it succeeded, its object is counted in the same transaction.';

CREATE OR REPLACE FUNCTION private.release_voucher(order_id uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  update public.voucher_uses u set released_at = now()
  where u.order_id = release_voucher.order_id and u.released_at is null and u.paid_at is null
$function$;
comment on function private.release_voucher(uuid) is 'Releases the use reserved for an order that was not paid. Paid uses are kept.';

CREATE OR REPLACE FUNCTION private.remove_from_receipt(media uuid, guest uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.outbox o set props = jsonb_set(o.props, '{files}', coalesce(
    (select jsonb_agg(f) from jsonb_array_elements(o.props -> 'files') f where f ->> 'id' <> media::text), '[]'))
  from private.guest_receipts l where l.guest_id = guest and o.id = l.outbox_id and o.state = 'waiting' and o.attempts = 0;
  delete from private.outbox o using private.guest_receipts l
  where l.guest_id = guest and o.id = l.outbox_id and o.state = 'waiting' and o.props -> 'files' = '[]';
end
$function$;
comment on function private.remove_from_receipt(uuid,uuid) is 'Removes a file that was deleted before the receipt was sent.';

CREATE OR REPLACE FUNCTION private.remove_media_from_receipt()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'DELETE' then
    perform private.remove_from_receipt(old.media_id, old.guest_id);
  else
    perform private.remove_from_receipt(d.media_id, d.guest_id) from public.media_details d
    where d.media_id = new.id and d.guest_id is not null;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.remove_part_from_replies()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.day_replies r set part_ids = array_remove(r.part_ids, old.id)
  where r.memory_id = old.memory_id and old.id = any (r.part_ids);
  return null;
end
$function$;
comment on function private.remove_part_from_replies() is 'Removes a deleted part of the day from the replies.';

CREATE OR REPLACE FUNCTION private.rename_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  person constant uuid := case tg_op when 'DELETE' then old.id else new.id end;
  new_name constant text := coalesce(case tg_op when 'DELETE' then '' else new.full_name end, '');
begin
  update private.member_names n set name = new_name where n.user_id = person and n.name <> new_name;
  return null;
end
$function$;
comment on function private.rename_member() is 'Changes the name of a person in the order of people of each memory.';

CREATE OR REPLACE FUNCTION private.renew_invitation_email(share text)
 RETURNS TABLE(email text, token text, memory text, inviter text, inviter_email text, language text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  invitation public.invitations;
  link constant uuid := (select l.id from public.share_links l where l.share_id = share and l.revoked_at is null);
begin
  select i.* into invitation from public.share_links l join public.invitations i on i.id = l.invitation_id
  join public.memories m on m.id = i.memory_id and not m.draft and m.deleted_at is null
  where l.id = link and i.state = 'open' for update of i;
  if invitation.id is null then
    return;
  end if;
  update public.share_links l set expires_at = now() + interval '90 days' where l.id = link;
  token := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  insert into private.invitation_tokens (hash, link_id) values (encode(sha256(convert_to(token, 'utf8')), 'hex'), link);
  update public.invitations i set sent_at = now() where i.id = invitation.id;
  select invitation.email, m.person_name, coalesce(nullif(p.full_name, ''), u.email, ''), coalesce(u.email, ''), invitation.language
  into email, memory, inviter, inviter_email, language
  from public.memories m
  left join auth.users u on u.id = coalesce(invitation.invited_by, m.user_id)
  left join public.profiles p on p.id = u.id
  where m.id = invitation.memory_id;
  return next;
end
$function$;
comment on function private.renew_invitation_email(text) is 'A new token for the email of an open invitation, valid for 90 days, by the share id of its link, and what the email says. No row for other links. Only the server calls it, and sends the email to the invited address.';

CREATE OR REPLACE FUNCTION private.renew_link()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  link constant uuid := coalesce(new.link_id, old.link_id);
begin
  update public.share_links
  set version = version + 1, admitted_since_version = version + 1, locked_until = null,
    asks = (select kind from public.share_pins where link_id = link),
    shared_at = coalesce(shared_at, case when tg_op <> 'DELETE' then now() end)
  where id = link;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.report_process(process text, states jsonb, refused jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.job_states (process, job, status, started_at, succeeded_at, failures, error_at, error)
  select report_process.process, s.name, s.status, s."startedAt", s."succeededAt", s.failures,
    (s.error ->> 'at')::timestamptz, left(s.error ->> 'message', 1000)
  from jsonb_to_recordset(states) s (name text, status text, "startedAt" timestamptz, "succeededAt" timestamptz, failures integer, error jsonb)
  on conflict on constraint job_states_pkey do update set status = excluded.status, started_at = excluded.started_at, succeeded_at = excluded.succeeded_at,
    failures = excluded.failures, error_at = excluded.error_at, error = excluded.error, seen_at = now();
  insert into private.refusals as known (area, count) select r.key, r.value::bigint from jsonb_each_text(refused) r
  on conflict (day, area) do update set count = known.count + excluded.count;
  delete from private.job_states s where s.seen_at < now() - interval '1 hour';
  delete from private.refusals r where r.day < current_date - 400;
end
$function$;
comment on function private.report_process(text,jsonb,jsonb) is 'Keeps what a process of the server tells of its jobs and of the requests that its limits refused since it last told.';

CREATE OR REPLACE FUNCTION private.reported_item(report public.reports)
 RETURNS TABLE(state text, owner uuid, author uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(x.moderation, 'gone'), m.user_id, x.author
  from (select 1) always
  left join public.memories m on m.id = report.memory_id
  left join lateral (
    select case when m.deleted_at is null then 'shown' else 'deleted' end as moderation, m.user_id as author where report.kind = 'memory' and m.id is not null
    union all
    select o.moderation, d.user_id from public.media o left join public.media_details d on d.media_id = o.id
    where report.kind = 'media' and o.id = report.item_id
    union all
    select s.moderation, s.user_id from public.stories s where report.kind = 'story' and s.id = report.item_id
    union all
    select c.moderation, c.user_id from public.comments c where report.kind = 'comment' and c.id = report.item_id
  ) x on true
$function$;

CREATE OR REPLACE FUNCTION private.reprice_carts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.cart_items set currency = currency
  where currency = new.currency and (plan_id = to_jsonb(new) ->> 'plan_id' or product_id = to_jsonb(new) ->> 'product_id');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.republish_author()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  execute format('update public.%I set name = name where %I = $1 and memory_id = $2', tg_argv[0], tg_argv[1]) using new.id, new.memory_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.require_role(VARIADIC roles text[])
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.has_role(variadic roles) and auth.role() is distinct from 'service_role' then
    raise exception 'There is nothing at this path.' using errcode = 'PT404', hint = 'not_found';
  end if;
end
$function$;
comment on function private.require_role(text[]) is 'Refuses everybody but these roles and the command line, with the answer for a function that does not exist.';

CREATE OR REPLACE FUNCTION private.reschedule_notice()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.email_due_since is null then
    delete from private.notice_emails e where e.notice_id = new.id;
  else
    insert into private.notice_emails (notice_id, user_id) values (new.id, new.user_id) on conflict do nothing;
  end if;
  return null;
end
$function$;
comment on function private.reschedule_notice() is 'Adds a notice to those whose email is due, or removes it.';

CREATE OR REPLACE FUNCTION private.reschedule_notices_of()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  person constant uuid := case tg_op when 'DELETE' then old.user_id else new.user_id end;
begin
  -- Not those of a job that has locked them, which could otherwise wait for this transaction.
  update private.notice_emails e set due_at = '-infinity' where e.notice_id in (
    select l.notice_id from private.notice_emails l where l.user_id = person and l.due_at > '-infinity' for update skip locked);
  return null;
end
$function$;
comment on function private.reschedule_notices_of() is 'Has the due times of a person''s emails computed again after their settings changed.';

CREATE OR REPLACE FUNCTION private.reschedule_reminders()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.memory_reminders r set due_at = '-infinity' where r.memory_id = new.id;
  return null;
end
$function$;
comment on function private.reschedule_reminders() is 'Has the due times of a memory''s reminders computed again after its dates changed.';

CREATE OR REPLACE FUNCTION private.resend_receipt(order_id uuid, mail jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  sold public.orders;
begin
  perform private.require_role('admin', 'support');
  select * into sold from public.orders o where o.id = resend_receipt.order_id for update;
  -- Pressed twice, it is one email.
  if exists (select from private.outbox b where b.state = 'waiting' and b.template = 'receipt' and b.dedupe_key like 'receipt of ' || sold.id || '%') then
    return;
  end if;
  insert into private.outbox (kind, template, language, recipient, props, dedupe_key)
  values ('mail', 'receipt', sold.language, sold.email, mail, 'receipt of ' || sold.id || ' again ' || gen_random_uuid());
  perform private.record_action('order.receipt', sold.id::text);
end
$function$;
comment on function private.resend_receipt(uuid,jsonb) is 'Enqueues the receipt of an order once more, with these values for its template.';
grant execute on function private.resend_receipt(uuid,jsonb) to authenticated;
grant execute on function private.resend_receipt(uuid,jsonb) to service_role;

CREATE OR REPLACE FUNCTION private.reserve_voucher(code text, account uuid, order_id uuid, plan_ids text[])
 RETURNS numeric
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  found public.vouchers;
  reason text;
begin
  -- Other transactions that use this voucher wait until this one ends.
  select * into found from public.vouchers v where v.code = upper(btrim(reserve_voucher.code)) for update;
  reason := coalesce(private.usable_voucher(found, account, array[reserve_voucher.order_id]),
    case when not found.applies_to_cards
      and not exists (select from unnest(reserve_voucher.plan_ids) p where coalesce(p = any (found.plan_ids), true))
      then 'voucher_plans' end);
  if reason is not null then
    raise exception 'Invalid voucher code' using errcode = 'PT409', hint = reason;
  end if;
  insert into public.voucher_uses as u (voucher_id, order_id, user_id, percentage)
  values (found.id, reserve_voucher.order_id, account, found.percentage)
  on conflict on constraint voucher_uses_order_id_key do update
    set voucher_id = excluded.voucher_id, percentage = excluded.percentage, released_at = null, used_at = now();
  return found.percentage;
end
$function$;
comment on function private.reserve_voucher(text,uuid,uuid,text[]) is 'Reserves one use of a voucher for an order and returns its percentage. Raises PT409, with the reason as hint, if it cannot be used. plan_ids are the plans in the order; empty if it contains only cards. Repeating it for the same order has no effect.';

CREATE OR REPLACE FUNCTION private.reset_share_attempts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- The count is kept while another link still has the old secret.
  if tg_op <> 'INSERT' and not exists (select from public.share_pins where hash = old.hash) then
    delete from private.share_attempts where key = private.secret_attempts_key(old.hash);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.restore_children(was jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.comments c set moderation = b.value
  from jsonb_each_text(nullif(was -> 'comments', 'null')) b where c.id = b.key::uuid and c.moderation = 'deleted';
  update public.reactions r set moderation = b.value
  from jsonb_each_text(nullif(was -> 'reactions', 'null')) b where r.id = b.key::uuid and r.moderation = 'deleted';
end
$function$;
comment on function private.restore_children(jsonb) is 'Restores the moderation state of comments and reactions that were deleted together with an item.';

CREATE OR REPLACE FUNCTION private.restore_comment(item public.trash)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  comment public.comments;
  head public.comments;
begin
  select * into comment from public.comments c where c.id = item.id for update;
  select * into head from public.comments c where c.id = comment.parent_id for update;
  -- Its parent is in the trash as well: the parent's row is restored without its text.
  if head.moderation = 'deleted' then
    if head.deleted_at is null then
      update public.trash t set was = t.was || private.take_comment_text(head.id) where t.kind = 'comment' and t.id = head.id;
    end if;
    update public.comments c set moderation = coalesce(item.was ->> 'head',
      (select t.was ->> 'moderation' from public.trash t where t.kind = 'comment' and t.id = head.id), 'shown')
    where c.id = head.id;
  end if;
  if comment.deleted_at is not null then
    if item.was ->> 'name' <> '' then
      insert into public.comment_credits (comment_id, memory_id, name) values (comment.id, comment.memory_id, item.was ->> 'name');
    end if;
    update public.comments c set deleted_at = null, body = item.was ->> 'words',
      mentions = array(select jsonb_array_elements_text(item.was -> 'mentions'))::uuid[] where c.id = comment.id;
  end if;
  update public.comments c set moderation = item.was ->> 'moderation' where c.id = comment.id and c.moderation = 'deleted';
end
$function$;

CREATE OR REPLACE FUNCTION private.revise()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if new.revision is distinct from old.revision then
    raise exception 'This was changed in the meantime.' using errcode = 'PT409', hint = 'conflict';
  end if;
  new.revision := old.revision + 1;
  return new;
end
$function$;
comment on function private.revise() is 'Refuses an update that names another revision than the row''s, and counts a change of its content.';

CREATE OR REPLACE FUNCTION private.revoke_link_of_blocked_guest()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  link public.share_links;
begin
  select l.* into link from public.guests g join public.share_links l on l.id = g.link_id
  where g.id = new.guest_id and l.invitation_id is not null;
  update public.invitations i set state = 'withdrawn', settled_at = now() where i.id = link.invitation_id and i.state = 'open';
  update public.share_links l set revoked_at = now() where l.id = link.id and l.revoked_at is null;
  return null;
end
$function$;
comment on function private.revoke_link_of_blocked_guest() is 'Revokes the invitation link of a blocked guest, who could otherwise come back under another name.';

CREATE OR REPLACE FUNCTION private.revoke_link_of_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.share_links l set revoked_at = now() from public.invitations i
  where i.id = l.invitation_id and l.revoked_at is null and i.memory_id = old.memory_id and i.accepted_by = old.user_id
    -- When the memory is deleted, so are its links.
    and exists (select from public.memories m where m.id = old.memory_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.schedule_new_notices()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.notice_emails (notice_id, user_id)
  select n.id, n.user_id from new_rows n where n.email_due_since is not null on conflict do nothing;
  return null;
end
$function$;
comment on function private.schedule_new_notices() is 'Adds new notices to those whose email is due.';

CREATE OR REPLACE FUNCTION private.search_candidates(find text, since date, until date, within boolean, month_day text, of_memory uuid, forgiving boolean, file_names boolean)
 RETURNS TABLE(kind text, row_id uuid, memory_id uuid, whole boolean, on_date text, first_day date)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 100
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
declare
  most constant integer := 200;
  me constant uuid := auth.uid();
  is_dated constant boolean := since is not null or until is not null or month_day is not null;
  typed constant text[] := private.query_words(find);
  needed text[] := private.needed_words(typed);
  classes constant text[] := case when forgiving then '{~}' else '{w,p,c,f}' end;
  own uuid[];
  shared uuid[];
  managed uuid[];
  -- Scopes of the index, the memories in each, and the places of the words that they have to contain.
  space record;
  class text;
  condition text;
  as_typed text;
begin
  if not private.has_required_aal() or needed = '{}' and not is_dated then
    return;
  end if;
  -- Beside a date, "in the" needs no match.
  if is_dated and needed = typed and private.needed_words(array_append(typed, 'x')) = '{x}' then
    needed := '{}';
  end if;
  own := array(select m.id from public.memories m where m.user_id = me and m.deleted_at is null and not m.draft
    and (of_memory is null or m.id = of_memory));
  shared := array(select i from unnest(private.shared_memory_ids('view')) i where of_memory is null or i = of_memory
    except select unnest(own));
  managed := own || array(select i from unnest(private.shared_memory_ids('manage')) i where i = any (shared));

  if needed <> '{}' then
    for space in
      with named as materialized (
        -- Words of a memory's name are met by all that is in it.
        select e.memory_id as id, array_agg(distinct w.n) as met from unnest(needed) with ordinality w (word, n)
        cross join lateral (select e.* from private.search_entries e
          where e.words @@ (quote_literal(left(me::text, 8) || 'on' || split_part(w.word, '|', 1)) || ':*')::tsquery
            and e.memory_id = any (own) limit 50) e
        group by 1
        union all
        select m.id, array_agg(w.n) from unnest(shared) s (id) join public.memories m on m.id = s.id
        cross join lateral (select ' ' || private.search_key(m.person_name) as key offset 0) k
        join unnest(needed) with ordinality w (word, n) on k.key like '% ' || split_part(w.word, '|', 1) || '%'
        group by 1)
      select left(me::text, 8) || 'o' as scope, own as ids, '{}'::bigint[] as met, false as is_named
        where cardinality(own) > 0 and of_memory is null
      union all select left(i::text, 8) || 'm', array[i], '{}', false from unnest(shared) i
      union all select left(i::text, 8) || 'm', array[i], '{}', false from unnest(own) i where of_memory is not null
      union all select left(n.id::text, 8) || 'm', array[n.id], n.met, true from named n
    loop
      -- With a date, the date alone is left of "Rose 1958" in the memory of Rose.
      continue when cardinality(space.met) = cardinality(needed) and not is_dated;
      foreach class in array classes loop
        continue when class = 'f' and (not file_names or is_dated or not space.ids && managed);
        condition := (select string_agg(private.word_query(
            -- Misspellings also join a word with its neighbour: "sand castle".
            case when forgiving then concat_ws('|', word, needed[n - 1] || word, word || needed[n + 1]) else word end, class), ' & ')
          from unnest(needed) with ordinality w (word, n) where n <> all (space.met));
        if condition is null then
          return query select e.* from private.dated_entries(space.ids[1], null, class, since, until, within, month_day) e;
          continue;
        end if;
        as_typed := (select string_agg(quote_literal(space.scope || class || split_part(word, '|', 1)), ' & ')
          from unnest(needed) with ordinality w (word, n) where n <> all (space.met));
        return query
          select e.kind, e.row_id, e.memory_id, e.words @@ as_typed::tsquery, e.on_date, e.first_day
          from private.search_entries e
          where e.words @@ replace(condition, '§', space.scope)::tsquery and e.memory_id = any (space.ids)
            and (not is_dated or e.first_day is not null)
            and (since is null or case when within then e.first_day else e.last_day end >= since)
            and (until is null or case when within then e.last_day else e.first_day end <= until)
            and (search_candidates.month_day is null or e.month_day like search_candidates.month_day || '%')
          limit most;
      end loop;
    end loop;
    return;
  end if;

  foreach class in array '{w,p}'::text[] loop
    if of_memory is null and cardinality(own) > 0 then
      return query select e.* from private.dated_entries(null, own, class, since, until, within, month_day) e;
    end if;
    return query select e.* from unnest(case when of_memory is null then shared else own || shared end) i
      cross join lateral private.dated_entries(i, null, class, since, until, within, month_day) e limit most;
  end loop;
end
$function$;
comment on function private.search_candidates(text,date,date,boolean,text,uuid,boolean,boolean) is 'Entries of the search index that match words and dates, in memories that the caller sees; names of files in those that they manage. At most 200 of each class and scope.';
grant execute on function private.search_candidates(text,date,date,boolean,text,uuid,boolean,boolean) to anon;
grant execute on function private.search_candidates(text,date,date,boolean,text,uuid,boolean,boolean) to authenticated;

CREATE OR REPLACE FUNCTION private.search_excerpt(value text, find text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  size constant integer := 220;
  -- As long as the text itself, so that positions are the same.
  folded constant text := lower(translate(value, 'àáâãäåèéêëìíîïòóôõöùúûüçñÀÁÂÃÄÅÈÉÊËÌÍÎÏÒÓÔÕÖÙÚÛÜÇÑ',
    'aaaaaaeeeeiiiiooooouuuucnAAAAAAEEEEIIIIOOOOOUUUUCN'));
  place integer;
begin
  if length(value) <= size then
    return value;
  end if;
  select min(nullif(strpos(folded, left(form, greatest(4, length(form) - 2))), 0)) into place
  from unnest(private.needed_words(private.query_words(find))) word, unnest(string_to_array(word, '|')) form;
  if place is null or place < size - 60 then
    return left(value, size) || '…';
  end if;
  return '…' || regexp_replace(substr(value, place - 80, size), '^\S*\s', '')
    || case when place - 80 + size < length(value) then '…' else '' end;
end
$function$;
comment on function private.search_excerpt(text,text) is 'The part of a long text that has the first word of a search.';
grant execute on function private.search_excerpt(text,text) to anon;
grant execute on function private.search_excerpt(text,text) to authenticated;

CREATE OR REPLACE FUNCTION private.search_key(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
  select btrim(regexp_replace(
    replace(replace(replace(replace(
      translate(
        lower(regexp_replace(
          normalize(regexp_replace(regexp_replace(value, '(\S{250})(?=\S)', '\1 ', 'g'),
            '[''’‘ʼʹ`´ʻ\u034f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20e3\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]', '', 'g'), NFKD),
          '[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]', '', 'g')),
        'ıłøđðħŧŋĸςȼɨƒىیک', 'iloddhtnkσcifييك'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u1680\u2000-\u206f\u3000-\u3003]+', ' ', 'g'))
$function$;
comment on function private.search_key(text) is 'The form in which names are searched: without accents, case, apostrophes and punctuation, with single spaces.';
grant execute on function private.search_key(text) to authenticated;
grant execute on function private.search_key(text) to service_role;

CREATE OR REPLACE FUNCTION private.search_lexemes(memory uuid, account uuid, class text, value text, name text)
 RETURNS tsvector
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
declare
  -- Both "lestate" and "estate" for "l'estate".
  typed constant text := left(value, 100000);
  words constant text[] := array(
    select distinct left(word, 60) from unnest(string_to_array(private.search_key(typed), ' ')
      || case when typed ~ '[''’‘ʼ`´]' then string_to_array(private.search_key(translate(typed, '''’‘ʼ`´', '      ')), ' ') end) word
    where word <> '' limit 12000);
begin
  return coalesce((
    select array_to_tsvector(array_agg(scope || lexeme))
    from unnest(array[left(memory::text, 8) || 'm', left(account::text, 8) || 'o']) scope
    cross join (
      select class || word as lexeme from unnest(words) word
      union select class || unnest(private.word_forms(word)) from unnest(words) word where class <> 'f'
      union select '~' || unnest(private.misspellings(word) || private.word_forms(word)) from unnest(words[:1500]) word where class <> 'f'
      union select 'n' || word from unnest(string_to_array(private.search_key(name), ' ')) word where word <> '') l), '');
end
$function$;
comment on function private.search_lexemes(uuid,uuid,text,text,text) is 'What the search index stores of a text, and of the name of a memory.';

CREATE OR REPLACE FUNCTION private.search_query(value text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
  select string_agg(quote_literal(word) || ':*', ' & ')::tsquery
  from unnest(array_remove(string_to_array(private.search_key(left(value, 500)), ' '), '')) word
$function$;
comment on function private.search_query(text) is 'Finds texts with words that begin like these. Null where there is no word.';

CREATE OR REPLACE FUNCTION private.search_texts(of_kind text, ids uuid[] DEFAULT NULL::uuid[])
 RETURNS TABLE(kind text, row_id uuid, part smallint, memory_id uuid, class text, value text, on_date text, name text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  case of_kind
    when 'memory' then return query
      select 'memory'::text, m.id, d.part::smallint, m.id, 'w'::text,
        case d.part when 0 then m.person_name || ' ' || private.html_text(m.description) else '' end, d.on_date::text,
        case d.part when 0 then m.person_name else '' end
      from public.memories m
      cross join lateral (values (0, null), (1, m.birth_date::text), (2, m.passing_date::text), (3, m.event_date::text)) d (part, on_date)
      where (ids is null or m.id = any (ids)) and (d.part = 0 or d.on_date is not null);
    when 'story' then return query
      select 'story'::text, s.id, 0::smallint, s.memory_id, 'w'::text, s.title || ' ' || private.html_text(s.body), null::text, ''
      from public.stories s where (ids is null or s.id = any (ids)) and s.moderation = 'shown';
    when 'moment' then return query
      select 'moment'::text, e.id, 0::smallint, e.memory_id, 'w'::text, concat_ws(' ', e.title, e.place, e.note), e.on_date::text, ''
      from public.memory_entries e where (ids is null or e.id = any (ids)) and e.audience = 'all';
    when 'comment' then return query
      select 'comment'::text, c.id, 0::smallint, c.memory_id, 'c'::text, c.body, null::text, ''
      from public.comments c
      left join public.comments p on p.id = c.parent_id
      left join public.media m on m.id = c.media_id
      where (ids is null or c.id = any (ids)) and c.moderation = 'shown' and c.deleted_at is null
        and (p.id is null or p.moderation = 'shown') and (m.id is null or m.moderation = 'shown' and m.state <> 'broken');
    when 'photo' then return query
      select 'photo'::text, m.id, 0::smallint, m.memory_id, 'p'::text, concat_ws(' ', m.caption, m.alt_text, m.back_text, n.names), m.taken_at::text, ''
      from public.media m
      cross join lateral (select string_agg(private.person_words(n.person_id), ' ') as names from public.media_names n
        where n.media_id = m.id and not n.person_deleted) n
      where (ids is null or m.id = any (ids)) and m.moderation = 'shown' and m.state <> 'broken'
        and (m.caption <> '' or m.alt_text <> '' or m.back_text <> '' or m.taken_at is not null or n.names is not null);
    when 'person' then return query
      -- Of entries merged into a person, only those on a photo that every viewer sees.
      select 'person'::text, p.id, 0::smallint, p.memory_id, 'w'::text, string_agg(private.person_words(f.id), ' '), null::text, ''
      from public.pictured_people p
      cross join lateral unnest(private.merged_people(p.id)) f (id)
      where (ids is null or p.id = any (ids)) and p.merged_into is null and not p.deleted
        and exists (select from public.media_names n join public.media m on m.id = n.media_id
          where n.person_id = f.id and not n.person_deleted and m.moderation = 'shown' and m.state <> 'broken')
      group by p.id;
    when 'file' then return query
      select 'file'::text, m.id, 0::smallint, m.memory_id, 'f'::text, d.file_name, null::text, ''
      from public.media m join public.media_details d on d.media_id = m.id
      where (ids is null or m.id = any (ids)) and m.moderation = 'shown' and m.state <> 'broken' and d.file_name <> '';
  end case;
end
$function$;
comment on function private.search_texts(text,uuid[]) is 'The texts and dates that the search index holds of rows of a kind; without ids, of all.';

CREATE OR REPLACE FUNCTION private.search_words(value text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
  select array_to_tsvector(array_remove(string_to_array(private.search_key(left(value, 500)), ' '), ''))
$function$;
comment on function private.search_words(text) is 'The words of a name or an address, in lower case, without any grammar.';
grant execute on function private.search_words(text) to authenticated;
grant execute on function private.search_words(text) to service_role;

CREATE OR REPLACE FUNCTION private.secret_attempts_key(hash text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select 'secret:' || pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(hash, 'UTF8')), 'hex')
$function$;

CREATE OR REPLACE FUNCTION private.send_entry()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  item public.inbox_items;
  message public.contact_messages;
  report public.reports;
  recipient text;
begin
  select * into item from public.inbox_items i where i.id = new.item_id for update;
  if new.kind = 'note' then
    update public.inbox_items i set state = 'open' where i.id = item.id and i.state = 'new';
    return null;
  end if;
  select * into message from public.contact_messages m where m.id = item.message_id;
  select * into report from public.reports r where r.id = item.report_id;
  recipient := coalesce(message.email, report.email);
  if recipient is null then
    raise exception 'They left no address for an answer.' using errcode = 'PT409', hint = 'no_address';
  end if;
  insert into private.outbox (kind, template, language, recipient, props, dedupe_key)
  values ('mail', 'note', coalesce(message.language, report.language), recipient,
    jsonb_build_object('sort', 'answer',
      'subject', case when message.id is not null then 'Re: ' || message.subject
        when report.language = 'it' then 'La tua segnalazione a Skies' else 'Your report to Skies' end,
      'html', private.paragraphs(new.body) || '<blockquote>'
        || coalesce(message.message, private.paragraphs(nullif(btrim(report.words), '')), '') || '</blockquote>'),
    'answer ' || new.id);
  update public.inbox_items i set state = 'answered' where i.id = item.id and i.state in ('new', 'open');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.separate_time_of_day()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  exact text := new.taken_at;
begin
  if tg_op = 'UPDATE' and new.memory_id <> old.memory_id then
    exact := coalesce((select d.taken_at from public.media_details d where d.media_id = new.id), exact);
  elsif tg_op = 'UPDATE' then
    update public.media_details d set taken_at = exact, taken_source = case
      when coalesce(auth.role(), '') not in ('anon', 'authenticated') or d.taken_at is not distinct from exact then d.taken_source
      when d.file_taken_at is not distinct from exact then d.file_taken_source
      else 'person' end
    where d.media_id = new.id;
  end if;
  new.taken_at := private.day_of(exact);
  new.time_order := private.position_in_day(new.id, new.memory_id, exact);
  return new;
end
$function$;
comment on function private.separate_time_of_day() is 'Stores the time of day in media_details, and only the order of photos within a day in the row that visitors can read. Records whether a person set the date or restored the one in the file. A date that a person removed stays removed.';

CREATE OR REPLACE FUNCTION private.set_original_text_aside()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  aside constant jsonb := coalesce(nullif(current_setting('skies.words', true), ''), '{}')::jsonb - new.id::text;
  unnamed constant text := private.mask_mentions(new.body, new.mentions);
begin
  perform set_config('skies.words',
    (case when unnamed <> new.body then aside || jsonb_build_object(new.id, new.body) else aside end)::text, true);
  new.body := unnamed;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.set_picture()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  new.picture := case when new.name <> '' then (select private.picture_name(c.user_id) from public.comments c where c.id = new.comment_id) end;
  return new;
end
$function$;
comment on function private.set_picture() is 'Names the picture of a comment''s author together with the author.';

CREATE OR REPLACE FUNCTION private.settle_refund(request uuid, outcome text, provider_id text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  settled public.refunds;
begin
  perform private.require_role('admin');
  update public.refunds r set state = outcome, provider_id = settle_refund.provider_id, settled_at = now()
  where r.id = request and r.state = 'asked' returning * into settled;
  if found and outcome = 'refused' then
    perform private.record_action('order.refund_refused', settled.order_id::text, null, jsonb_build_object('amount', settled.amount));
  end if;
end
$function$;
comment on function private.settle_refund(uuid,text,text) is 'Notes down what the payment provider answered to a refund: done or refused.';
grant execute on function private.settle_refund(uuid,text,text) to authenticated;
grant execute on function private.settle_refund(uuid,text,text) to service_role;

CREATE OR REPLACE FUNCTION private.share_attempts_key(share text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return coalesce(
    (select private.secret_attempts_key(p.hash) from public.share_links l join public.share_pins p on p.link_id = l.id
      where l.share_id = share),
    'link:' || share);
end
$function$;
comment on function private.share_attempts_key(text) is 'The key under which attempts at a link are counted: by its secret, otherwise by its share id. Unknown links use the latter.';

CREATE OR REPLACE FUNCTION private.share_id_from(secret text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  alphabet constant text := '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  bytes bytea;
  made text := '';
begin
  for round in 1..1000 loop
    bytes := sha256(convert_to(round || ' ' || secret, 'UTF8'));
    for i in 0..31 loop
      -- Values over 247 would favour the first letters.
      if get_byte(bytes, i) < 248 then
        made := made || substr(alphabet, get_byte(bytes, i) % 62 + 1, 1);
        if length(made) = 22 then return made; end if;
      end if;
    end loop;
  end loop;
end
$function$;
comment on function private.share_id_from(text) is 'The share id that follows from a secret: 22 characters of base 62 carry 130 bits, which cannot be guessed.';

CREATE OR REPLACE FUNCTION private.share_lock(failures integer, allowance integer)
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case when failures >= allowance then (array[
    interval '5 minutes', interval '15 minutes', interval '1 hour', interval '4 hours', interval '24 hours'
  ])[least(failures - allowance + 1, 5)] end
$function$;
comment on function private.share_lock(integer,integer) is 'How long the last of this many failed attempts locks; null while attempts are left.';

CREATE OR REPLACE FUNCTION private.shared_credited_memory_ids()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.member_memory_ids('{co-owner,contributor,viewer}') || coalesce((
    select array_agg(m.id) from private.open_link() l
    join public.memories m on (m.id = l.memory_id or m.album_id = l.album_id) and not m.draft
    where l.shows_names and l.rights <> 'upload'), '{}')
$function$;
comment on function private.shared_credited_memory_ids() is 'Memories of other people in which the caller may read the names of authors.';
grant execute on function private.shared_credited_memory_ids() to anon;
grant execute on function private.shared_credited_memory_ids() to authenticated;
grant execute on function private.shared_credited_memory_ids() to service_role;

CREATE OR REPLACE FUNCTION private.shared_memory_ids(to_do text)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case to_do
    when 'view' then private.member_memory_ids('{co-owner,contributor,viewer}') || private.linked_memory_ids('{view,comment,contribute}')
    when 'comment' then private.member_memory_ids('{co-owner,contributor}') || private.linked_memory_ids('{comment,contribute}')
    when 'contribute' then private.member_memory_ids('{co-owner,contributor}') || private.linked_memory_ids('{contribute,upload}')
    when 'read details' then private.member_memory_ids('{co-owner,contributor}')
    when 'manage' then private.member_memory_ids('{co-owner}')
  end
$function$;
comment on function private.shared_memory_ids(text) is 'Memories of other people that the caller may view, comment on, contribute to, read the details of or manage. Policies find the caller''s own memories by an index instead, so that a list costs the same however many there are.';
grant execute on function private.shared_memory_ids(text) to anon;
grant execute on function private.shared_memory_ids(text) to authenticated;
grant execute on function private.shared_memory_ids(text) to service_role;

CREATE OR REPLACE FUNCTION private.show_to_earlier_version()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    execute format('insert into private.%I (media_id) values ($1) on conflict do nothing', tg_argv[0]) using new.subject;
  else
    execute format('delete from private.%I where media_id = $1', tg_argv[0]) using old.subject;
  end if;
  return null;
end
$function$;
comment on function private.show_to_earlier_version() is 'For the version before, until the next one: keeps its queue like private.work. Argument: its table.';

CREATE OR REPLACE FUNCTION private.sold_plan(paid public.orders, item public.order_items, plan public.subscription_plans)
 RETURNS public.user_subscriptions
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  sold public.user_subscriptions;
begin
  sold.plan_id := item.plan_id;
  sold.order_id := paid.id;
  sold.order_item_id := item.id;
  sold.created_at := paid.paid_at;
  sold.starts_at := paid.paid_at;
  sold.status := 'active';
  sold.name := coalesce(item.terms ->> 'name', plan.name);
  sold.max_memories := case when item.terms ? 'max_memories' then (item.terms ->> 'max_memories')::integer else plan.max_memories end;
  sold.storage_gb := coalesce((item.terms ->> 'storage_gb')::integer, plan.storage_gb);
  sold.term_years := coalesce((item.terms ->> 'term_years')::integer, plan.term_years);
  sold.currency := paid.currency;
  -- A refunded part has no value.
  sold.amount := round(item.total::numeric * (paid.total - paid.refunded) / greatest(paid.total, 1));
  sold.credit := 0;
  return sold;
end
$function$;
comment on function private.sold_plan(public.orders,public.order_items,public.subscription_plans) is 'The subscription that results from a line of a paid order if no other plan is held.';

CREATE OR REPLACE FUNCTION private.suggest_names(photo uuid, names jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into public.media_name_suggestions (media_id, memory_id, name, x, y)
  select distinct on (n.name) m.id, m.memory_id, n.name, n.x, n.y
  from public.media m
  join storage.objects o on o.id = m.id
  cross join lateral (
    select auth.typed_line(f.name) as name, f.x, f.y from jsonb_to_recordset(names) as f (name text, x real, y real)
    union all
    select auth.typed_line(p.name #>> '{}'), null, null
    from jsonb_array_elements(case jsonb_typeof(o.user_metadata -> 'people') when 'array' then o.user_metadata -> 'people' else '[]' end)
      with ordinality as p (name, place)
    where p.place <= 100 and jsonb_typeof(p.name) = 'string') n
  where m.id = photo and length(n.name) between 1 and 200
  order by n.name, n.x nulls last
  on conflict do nothing
$function$;
comment on function private.suggest_names(uuid,jsonb) is 'Stores the names in a photo''s file, and those of the export that it came with, as suggestions.';

CREATE OR REPLACE FUNCTION private.sum_media()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    perform private.add_to_sums(x.memory_id, x.images, x.videos, x.recordings, x.bytes, x.bytes_in_trash, x.largest) from (
      select n.memory_id, count(*) filter (where n.type = 'image' and n.moderation not in ('deleted', 'attached')) as images,
        count(*) filter (where n.type = 'video' and n.moderation not in ('deleted', 'attached')) as videos,
        count(*) filter (where n.type = 'audio' and n.moderation not in ('deleted', 'attached')) as recordings,
        coalesce(sum(n.size + n.poster_size) filter (where n.moderation <> 'deleted'), 0)::bigint as bytes,
        coalesce(sum(n.size + n.poster_size) filter (where n.moderation = 'deleted'), 0)::bigint as bytes_in_trash,
        coalesce(max(n.size) filter (where n.moderation not in ('deleted', 'attached')), 0) as largest
      from new_rows n group by n.memory_id) x;
  elsif tg_op = 'DELETE' then
    perform private.add_to_sums(x.memory_id, -x.images, -x.videos, -x.recordings, -x.bytes, -x.bytes_in_trash, 0) from (
      select o.memory_id, count(*) filter (where o.type = 'image' and o.moderation not in ('deleted', 'attached')) as images,
        count(*) filter (where o.type = 'video' and o.moderation not in ('deleted', 'attached')) as videos,
        count(*) filter (where o.type = 'audio' and o.moderation not in ('deleted', 'attached')) as recordings,
        coalesce(sum(o.size + o.poster_size) filter (where o.moderation <> 'deleted'), 0)::bigint as bytes,
        coalesce(sum(o.size + o.poster_size) filter (where o.moderation = 'deleted'), 0)::bigint as bytes_in_trash
      from old_rows o group by o.memory_id) x;
  else
    perform private.add_to_sums(x.memory_id, x.images, x.videos, x.recordings, x.bytes, x.bytes_in_trash, x.largest) from (
      select c.memory_id, coalesce(sum(c.sign) filter (where c.type = 'image' and c.moderation not in ('deleted', 'attached')), 0) as images,
        coalesce(sum(c.sign) filter (where c.type = 'video' and c.moderation not in ('deleted', 'attached')), 0) as videos,
        coalesce(sum(c.sign) filter (where c.type = 'audio' and c.moderation not in ('deleted', 'attached')), 0) as recordings,
        coalesce(sum(c.sign * c.bytes) filter (where c.moderation <> 'deleted'), 0)::bigint as bytes,
        coalesce(sum(c.sign * c.bytes) filter (where c.moderation = 'deleted'), 0)::bigint as bytes_in_trash,
        coalesce(max(c.size) filter (where c.sign = 1 and c.moderation not in ('deleted', 'attached')), 0) as largest
      from (
        select side.* from new_rows n join old_rows o using (id)
        cross join lateral (values (-1, o.memory_id, o.type, o.moderation, o.size, o.size + o.poster_size),
          (1, n.memory_id, n.type, n.moderation, n.size, n.size + n.poster_size)) side (sign, memory_id, type, moderation, size, bytes)
        where (n.memory_id, n.type, n.moderation, n.size, n.poster_size) is distinct from (o.memory_id, o.type, o.moderation, o.size, o.poster_size)
      ) c group by c.memory_id) x
    where x.images <> 0 or x.videos <> 0 or x.recordings <> 0 or x.bytes <> 0 or x.bytes_in_trash <> 0 or x.largest <> 0;
  end if;
  return null;
end
$function$;
comment on function private.sum_media() is 'Adds what changed to the sums of memories.';

CREATE OR REPLACE FUNCTION private.take_comment_text(comment_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  words jsonb;
begin
  select jsonb_build_object('words', coalesce(n.words, c.body), 'mentions', c.mentions, 'name', coalesce(n.name, ''))
  into words from public.comments c left join public.comment_credits n on n.comment_id = c.id where c.id = take_comment_text.comment_id;
  update public.comments c set body = '', mentions = '{}', deleted_at = now() where c.id = take_comment_text.comment_id;
  delete from public.comment_credits n where n.comment_id = take_comment_text.comment_id;
  return words;
end
$function$;
comment on function private.take_comment_text(uuid) is 'Empties a comment whose row is kept. Returns its text, its mentions and its author''s name.';

CREATE OR REPLACE FUNCTION private.tally_additions(of_memory uuid, by_user uuid, on_day date, more bigint, latest timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if more = 0 then
    return;
  end if;
  insert into private.activity (memory_id, account, at, day, user_id, items)
  select m.id, m.user_id, latest, on_day, by_user, more from public.memories m where m.id = of_memory;
  if (select count(*) from (select from private.activity a where a.memory_id = of_memory and a.day = on_day
      and a.user_id is not distinct from by_user limit private.most_ledger_rows() + 1) a) > private.most_ledger_rows() then
    perform private.merge_additions(of_memory, on_day, by_user);
  end if;
end
$function$;
comment on function private.tally_additions(uuid,uuid,date,bigint,timestamp with time zone) is 'Changes the number of items that a person added to a memory on a day by a difference.';

CREATE OR REPLACE FUNCTION private.tally_deleted_media()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.tally_additions(old.memory_id, d.user_id, (old.created_at at time zone 'utc')::date, -1, old.created_at)
  from public.media_details d where d.media_id = old.id;
  return old;
end
$function$;
comment on function private.tally_deleted_media() is 'Counts a deleted photo or video before the row that names the person who added it is deleted, too.';

CREATE OR REPLACE FUNCTION private.tally_details()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    perform private.tally_additions(c.memory_id, c.user_id, c.day, c.items, c.latest) from (
      select x.memory_id, n.user_id, (x.created_at at time zone 'utc')::date as day, count(*) as items, max(x.created_at) as latest
      from new_rows n join public.media x on x.id = n.media_id where x.moderation not in ('deleted', 'attached')
      group by 1, 2, 3) c;
  else
    -- The account of the person who added it was deleted.
    perform private.tally_additions(c.memory_id, c.user_id, c.day, c.items, c.latest) from (
      select x.memory_id, side.user_id, (x.created_at at time zone 'utc')::date as day, sum(side.sign) as items, max(x.created_at) as latest
      from new_rows n join old_rows o using (media_id) join public.media x on x.id = n.media_id
      cross join lateral (values (-1, o.user_id), (1, n.user_id)) side (sign, user_id)
      where n.user_id is distinct from o.user_id and x.moderation not in ('deleted', 'attached')
      group by 1, 2, 3) c;
  end if;
  return null;
end
$function$;
comment on function private.tally_details() is 'Counts added photos and videos by the person who added them.';

CREATE OR REPLACE FUNCTION private.tally_media()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.tally_additions(c.memory_id, c.user_id, c.day, c.items, c.latest) from (
    select side.memory_id, d.user_id, (side.created_at at time zone 'utc')::date as day, sum(side.sign) as items, max(side.created_at) as latest
    from new_rows n join old_rows o using (id) join public.media_details d on d.media_id = n.id
    cross join lateral (values (-1, o.memory_id, o.moderation, o.created_at), (1, n.memory_id, n.moderation, n.created_at))
      side (sign, memory_id, moderation, created_at)
    where (n.memory_id, n.moderation, n.created_at) is distinct from (o.memory_id, o.moderation, o.created_at)
      and side.moderation not in ('deleted', 'attached')
    group by 1, 2, 3) c;
  return null;
end
$function$;
comment on function private.tally_media() is 'Counts photos and videos that move to the trash, back, or to another memory.';

CREATE OR REPLACE FUNCTION private.tell_of_lost_file(object uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  lost record;
begin
  select coalesce(i.motion_of, i.id) as media_id, i.memory_id, m.user_id into lost
  from public.media i join public.memories m on m.id = i.memory_id
  where i.id = object and i.moderation <> 'deleted' and m.deleted_at is null;
  if not found then
    return false;
  end if;
  update private.damaged_files d set told_at = now()
  where d.object_id = object and d.lost_at is not null and d.told_at is null;
  if not found then
    return false;
  end if;
  -- Damage of a disk concerns many files: they are one notice for each memory, and one email a day.
  insert into public.notices as n (user_id, memory_id, kind, media_id, email_due_since)
  values (lost.user_id, lost.memory_id, 'file-lost', lost.media_id, now() + interval '1 hour')
  on conflict (user_id, memory_id) where kind = 'file-lost' and read_at is null do update
  set count = n.count + 1, created_at = now(),
    email_due_since = coalesce(n.email_due_since, greatest(now() + interval '1 hour', n.mailed_at + interval '1 day'));
  return true;
end
$function$;
comment on function private.tell_of_lost_file(uuid) is 'Tells the owner of a memory, once, that a photo or video cannot be repaired. False if there is nobody to tell, or they know.';

CREATE OR REPLACE FUNCTION private.touch_updated_at()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.updated_at = now();
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.turned(edit jsonb, degrees integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
declare
  shown jsonb := coalesce(edit - 'of', '{"turn": 0, "straighten": 0, "crop": [0, 0, 1, 1]}');
begin
  for quarter in 1 .. (degrees / 90 % 4 + 4) % 4 loop
    shown := shown || jsonb_build_object('turn', ((shown ->> 'turn')::integer + 90) % 360, 'crop', jsonb_build_array(
      trim_scale(1 - (shown -> 'crop' ->> 1)::numeric - (shown -> 'crop' ->> 3)::numeric), shown -> 'crop' -> 0, shown -> 'crop' -> 3, shown -> 'crop' -> 2));
  end loop;
  return shown;
end
$function$;
comment on function private.turned(jsonb,integer) is 'An edit after turning the shown picture clockwise by a multiple of 90 degrees.';
grant execute on function private.turned(jsonb,integer) to anon;
grant execute on function private.turned(jsonb,integer) to authenticated;
grant execute on function private.turned(jsonb,integer) to service_role;

CREATE OR REPLACE FUNCTION private.type_invitation()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.email := auth.typed_address(new.email);
  -- Not for invitations of an imported account, which may have been sent before this rule.
  if current_user in ('anon', 'authenticated') and new.email !~ '@[^\s@.]+(\.[^\s@.]+)+$' then
    raise exception 'Invalid email format' using errcode = '23514';
  end if;
  return new;
end
$function$;
comment on function private.type_invitation() is 'Stores the address in the form that its person''s account has.';

CREATE OR REPLACE FUNCTION private.type_person()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.name := auth.typed_line(new.name);
  new.other_names := array(select distinct auth.typed_line(n) from unnest(new.other_names) n where n is null or auth.typed_line(n) <> new.name);
  if new.deleted then
    new.deleted_at := coalesce(case when tg_op = 'UPDATE' then old.deleted_at end, new.deleted_at, now());
  else
    new.deleted_at := null;
  end if;
  return new;
end
$function$;
comment on function private.type_person() is 'Stores names in their typed form, and since when a person is in the trash.';

CREATE OR REPLACE FUNCTION private.typed_voucher(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select btrim(upper(translate(
    regexp_replace(
      normalize(regexp_replace(coalesce(left(value, 2000), ''),
        '[\u034f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20e3\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]', '', 'g'), NFKC),
      '[[:space:]"''“”„‘’«»‹›().,;:!?<>{}*_`´|/\[\]\\]+', '', 'g'),
    '‐‑‒–—―−٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९',
    '-------012345678901234567890123456789')), '-')
$function$;
comment on function private.typed_voucher(text) is 'The code of a voucher as stored: capitals, digits and hyphens, without spaces, quotation marks and punctuation around or in it.';

CREATE OR REPLACE FUNCTION private.uncovered_ids(of_kind text)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  guest constant uuid := private.guest_id();
  memory uuid;
  authors uuid[];
begin
  foreach memory in array private.covered_memory_ids() loop
    authors := array_append(array(select private.managers_of(memory)), auth.uid());
    if of_kind in ('media', 'any') then
      return query
        select d.media_id from public.media_details d where d.memory_id = memory and d.user_id = any (authors)
        union all
        select d.media_id from public.media_details d where d.memory_id = memory and d.guest_id = guest;
    end if;
    if of_kind in ('comment', 'any') then
      return query
        select c.id from public.comments c left join public.comments p on p.id = c.parent_id
        where c.memory_id = memory and (c.user_id = auth.uid() or c.guest_id = guest
          or c.user_id = any (authors) and (c.parent_id is null or p.user_id = any (authors) or p.guest_id = guest));
    end if;
    if of_kind in ('reaction', 'any') then
      return query select r.id from public.reactions r where r.memory_id = memory and (r.user_id = any (authors) or r.guest_id = guest);
    end if;
    if of_kind in ('story', 'any') then
      return query select s.id from public.stories s where s.memory_id = memory and (s.user_id = any (authors) or s.guest_id = guest);
    end if;
  end loop;
end
$function$;
comment on function private.uncovered_ids(text) is 'What the caller may see of the memories that wait for their reveal: own contributions, and those of managers that answer nothing hidden.';
grant execute on function private.uncovered_ids(text) to anon;
grant execute on function private.uncovered_ids(text) to authenticated;
grant execute on function private.uncovered_ids(text) to service_role;

CREATE OR REPLACE FUNCTION private.usable_voucher(wanted public.vouchers, account uuid, sparing uuid[] DEFAULT '{}'::uuid[])
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case
    when wanted.id is null or not wanted.active
      or exists (select from public.campaigns c where c.id = wanted.campaign_id and not c.active) then 'voucher_unknown'
    when wanted.starts_at > now() or wanted.ends_at <= now() then 'voucher_over'
    when uses.total >= wanted.max_uses then 'voucher_used_up'
    when uses.own >= wanted.max_uses_per_person then 'voucher_used'
  end
  from (
    select count(*) as total, count(*) filter (where u.user_id = account) as own from public.voucher_uses u
    where u.voucher_id = wanted.id and u.released_at is null and u.order_id <> all (sparing)
  ) uses
$function$;
comment on function private.usable_voucher(public.vouchers,uuid,uuid[]) is 'Why an account cannot use a voucher now, as a hint; null if it can. Uses for the given orders are not counted.';

CREATE OR REPLACE FUNCTION private.usual_rights(kind text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select case when kind = 'event' then 'contribute' else 'comment' end
$function$;
comment on function private.usual_rights(text) is 'What visitors of a memory''s links may do unless a manager chooses otherwise: add to an event, comment on a tribute.';

CREATE OR REPLACE FUNCTION private.validate_affiliate()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    new.code := coalesce(new.code, left(private.new_card_code(), 8));
    return new;
  end if;
  if new.user_id is null then
    new.state := 'left';
  end if;
  if private.is_caller() and not private.is_admin() and 'paused' in (old.state, new.state) and new.state <> old.state then
    raise exception 'Only an administrator pauses and resumes.' using errcode = '42501';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.validate_album()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if auth.uid() is distinct from old.user_id and coalesce(auth.role(), '') in ('anon', 'authenticated')
    and new.user_id = old.user_id then
    raise exception 'Only its owner can move a memory between albums.' using errcode = '42501';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.validate_card()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  administers constant boolean := not private.is_caller() or private.has_role('admin', 'fulfilment');
begin
  -- Fulfilment says how far a card is, and nothing about what is on it or what it opens.
  if private.is_caller() and private.has_role('fulfilment') and new.user_id is distinct from auth.uid()
    and (new.name, new.dates, new.finish, new.language, new.memory_id, new.claimed_at, new.blocked)
      is distinct from (old.name, old.dates, old.finish, old.language, old.memory_id, old.claimed_at, old.blocked) then
    raise exception 'Fulfilment changes how far a card is, and nothing else.' using errcode = '42501';
  end if;
  if new.making <> old.making then
    if not administers and not (old.making = 'waiting' and new.making = 'ordered'
      and exists (select from public.card_deliveries d where d.card_id = new.id and d.address is not null)) then
      raise exception 'Only its engraver knows how far a card is.' using errcode = '42501';
    end if;
    new.engraved_at := case when new.making in ('engraved', 'sent', 'returned') then coalesce(new.engraved_at, now()) end;
    new.sent_at := case when new.making in ('sent', 'returned')
      then case when old.making = 'returned' then now() else coalesce(new.sent_at, now()) end end;
    new.returned_at := case when new.making = 'returned' then now() when new.making = 'sent' then old.returned_at end;
  end if;
  if (new.name, new.dates, new.finish, new.language) is distinct from (old.name, old.dates, old.finish, old.language)
    and old.making not in ('waiting', 'ordered') and new.user_id is not null then
    raise exception 'This card is engraved already.' using errcode = 'PT409', hint = 'engraved';
  end if;
  if new.user_id is null and old.user_id is not null then
    -- The text of a deleted account is removed, and nothing is engraved for it.
    new.name := '';
    new.dates := '';
    new.making := case when new.making in ('waiting', 'ordered') then 'cancelled' else new.making end;
  end if;

  -- A card that was given away opens nothing until it is claimed again.
  if new.claimed_at is null and old.claimed_at is not null then
    new.memory_id := null;
  end if;
  -- Its link was deleted by a manager of the memory, or together with the memory.
  if new.link_id is null and old.link_id is not null and new.memory_id is not distinct from old.memory_id then
    new.memory_id := null;
  end if;
  if new.memory_id is distinct from old.memory_id then
    new.link_id := null;
    if new.memory_id is not null then
      if private.is_caller() and not private.is_manager(new.memory_id) then
        raise exception 'A card opens memories that its holder keeps.' using errcode = '42501';
      end if;
      if new.blocked is not null then
        raise exception 'This card is switched off.' using errcode = 'PT409', hint = 'blocked';
      end if;
      new.link_id := private.link_for_card(new.memory_id, new.code, new.language);
      new.claimed_at := coalesce(new.claimed_at, now());
    end if;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.validate_cart_item()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  pence integer;
begin
  if tg_op = 'INSERT' then
    -- Rows inserted together share one list of columns: values that a row does not give arrive as null.
    new.id := coalesce(new.id, gen_random_uuid());
    new.user_id := coalesce(new.user_id, auth.uid());
    new.quantity := coalesce(new.quantity, 1);
    new.additional_cards := coalesce(new.additional_cards, 0);
    new.currency := coalesce(new.currency, 'GBP');
    new.item := coalesce(new.item, '{}');
    new.created_at := coalesce(new.created_at, now());
    -- Checked here, because this trigger reads the cart before the policy is applied.
    if auth.role() = 'authenticated' and new.user_id is distinct from auth.uid() then
      raise exception 'This is somebody else''s cart.' using errcode = '42501';
    end if;
    -- A client that sends only the metadata described in Spec §3 is supported.
    if num_nonnulls(new.plan_id, new.product_id) = 0 then
      new.plan_id := new.item ->> 'plan_id';
      new.product_id := case when new.plan_id is null then new.item ->> 'product_id' end;
      new.additional_cards := greatest(new.additional_cards, coalesce((new.item ->> 'additional_cards')::integer, 0));
      new.quantity := greatest(new.quantity, coalesce((new.item ->> 'quantity')::integer, 1));
    end if;
    -- A cart holds one plan: a new one replaces the previous one.
    if new.plan_id is not null then
      delete from public.cart_items where user_id = new.user_id and plan_id is not null;
    end if;
    if (select count(*) from public.cart_items where user_id = new.user_id) >= 50 then
      raise exception 'A cart holds 50 lines.' using errcode = 'PT409', hint = 'cart_full';
    end if;
  end if;
  pence := coalesce(
    (select p.amount from public.plan_prices p where p.plan_id = new.plan_id and p.currency = new.currency),
    (select p.amount from public.product_prices p where p.product_id = new.product_id and p.currency = new.currency));
  if pence is null then
    raise exception 'This is not for sale.' using errcode = 'PT400', hint = 'not_for_sale';
  end if;
  new.price := pence / 100.0;
  new.item := new.item || jsonb_strip_nulls(jsonb_build_object('plan_id', new.plan_id, 'product_id', new.product_id,
    'additional_cards', new.additional_cards, 'quantity', new.quantity));
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.validate_comment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- No caller can set deleted_at; withdraw_comment() does, and checks the caller. Row policies refuse every caller a change
  -- into or out of the trash.
  if coalesce(auth.role(), '') not in ('anon', 'authenticated') or new.deleted_at is distinct from old.deleted_at
    or 'deleted' in (old.moderation, new.moderation) then
    return new;
  end if;
  if (new.body, new.mentions) is distinct from (old.body, old.mentions) then
    if not private.is_own(old.user_id, old.guest_id) or old.deleted_at is not null then
      raise exception 'Only its author can change a comment.' using errcode = '42501';
    end if;
    new.edited_at := now();
    new.mentions := private.people_named(new.memory_id, new.mentions);
    if new.moderation = 'shown' and private.initial_moderation(new.memory_id) = 'held' then
      new.moderation := 'held';
      return new;
    end if;
  end if;
  if new.moderation is distinct from old.moderation and not private.is_manager(old.memory_id) then
    raise exception 'Only managers of the memory can hide its comments.' using errcode = '42501';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.validate_delivery()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_caller() or private.has_role('admin', 'fulfilment') then
    return new;
  end if;
  if not exists (select from public.metal_cards c where c.id = new.card_id and c.making in ('waiting', 'ordered')) then
    raise exception 'This card is engraved already.' using errcode = 'PT409', hint = 'engraved';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.validate_inbox_item()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.report_id is not null and (new.state = 'closed') is distinct from
    (select r.outcome is not null from public.reports r where r.id = new.report_id) then
    raise exception 'A report is closed by a decision.' using errcode = 'PT409', hint = 'undecided';
  end if;
  if new.assignee is distinct from old.assignee and new.assignee is not null then
    if not exists (select from auth.users u where u.id = new.assignee and u.raw_app_meta_data ->> 'role' in ('admin', 'support')) then
      raise exception 'Administrators and support take messages.' using errcode = '22023', hint = 'validation_failed';
    end if;
    if new.state = 'new' then
      new.state := 'open';
    end if;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.validate_invitation()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Not for the functions below, which run as the table's owner and check the caller themselves.
  if current_user not in ('anon', 'authenticated') then
    return new;
  end if;
  if tg_op = 'INSERT' then
    if new.role = 'co-owner' and not private.is_owner(new.memory_id) then
      raise exception 'Only its owner can share the ownership of a memory.' using errcode = '42501';
    end if;
    return new;
  end if;
  if new.role = 'co-owner' and old.role <> 'co-owner' and not private.is_owner(old.memory_id) then
    raise exception 'Only its owner can share the ownership of a memory.' using errcode = '42501';
  end if;
  if old.state <> 'open' or new.state not in ('open', 'withdrawn') then
    raise exception 'This invitation is settled.' using errcode = 'PT409', hint = 'settled';
  end if;
  new.settled_at := case when new.state <> 'open' then now() end;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.validate_link()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if coalesce(auth.role(), '') not in ('anon', 'authenticated') then
    return new;
  end if;
  if new.expires_at <= now() and (tg_op = 'INSERT' or new.expires_at is distinct from old.expires_at) then
    raise exception 'A link can not end in the past.' using errcode = 'PT400', hint = 'ends_in_the_past';
  end if;
  if tg_op = 'UPDATE' and new.revoked_at is not null then
    new.revoked_at := coalesce(old.revoked_at, now());
  end if;
  if tg_op = 'UPDATE' then
    new.shared_at := coalesce(old.shared_at, case when new.shared_at is not null then now() end);
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.validate_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Not for the functions above, and not for deletions together with a memory or an account, which run as the table's owner.
  if current_user not in ('anon', 'authenticated') or old.user_id = auth.uid() and tg_op = 'DELETE' then
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  if (old.role = 'co-owner' or tg_op = 'UPDATE' and new.role = 'co-owner') and not private.is_owner(old.memory_id) then
    raise exception 'Only its owner decides who co-owns a memory.' using errcode = '42501';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$function$;

CREATE OR REPLACE FUNCTION private.validate_order()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.may_follow(old.status, new.status) then
    raise exception 'An order that is % does not become %.', old.status, new.status;
  end if;
  if new.status in ('paid', 'refunded', 'disputed') then
    new.paid_at := coalesce(old.paid_at, new.paid_at, now());
  end if;
  if new.refunded > old.refunded then
    new.refunded_at := coalesce(new.refunded_at, now());
  end if;
  new.revision := old.revision + 1;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.validate_payout()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  payable integer;
begin
  -- Checked here, because this function reads the balance before the policy is applied.
  if private.is_caller() and not private.is_admin() then
    raise exception 'Only an administrator records payouts.' using errcode = '42501';
  end if;
  -- Serialises concurrent payouts.
  perform 1 from public.affiliates where id = new.affiliate_id for no key update;
  payable := private.payable_to(new.affiliate_id, new.currency);
  if new.amount > payable then
    raise exception 'Only % can be paid out now.', to_char(payable / 100.0, 'FM999999990.00') || ' ' || new.currency
      using errcode = 'PT409', hint = 'over_balance';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.validate_story()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Row policies refuse every caller a change into or out of the trash; the functions of the trash do that.
  if coalesce(auth.role(), '') not in ('anon', 'authenticated') or 'deleted' in (old.moderation, new.moderation) then
    return new;
  end if;
  if (new.position, new.moderation) is distinct from (old.position, old.moderation)
    and not private.is_manager(old.memory_id) then
    raise exception 'Only managers of the memory can order and hide its stories.' using errcode = '42501';
  end if;
  if (new.title, new.body) is distinct from (old.title, old.body) then
    if not private.is_own(old.user_id, old.guest_id) then
      raise exception 'Only its author can change the words of a story.' using errcode = '42501';
    end if;
    if old.moderation = 'shown' and private.initial_moderation(old.memory_id) = 'held' then
      new.moderation := 'held';
    end if;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.validate_wall()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if new.link_id is not null and (tg_op = 'INSERT' or new.link_id is distinct from old.link_id) and not exists (
    select from public.share_links l where l.id = new.link_id and l.memory_id = new.memory_id
      and l.rights in ('contribute', 'upload') and l.invitation_id is null) then
    raise exception 'The QR code leads to a link of this memory that allows adding.' using errcode = 'PT400', hint = 'wall_link';
  end if;
  if new.expires_at <= now() and coalesce(auth.role(), '') in ('anon', 'authenticated')
    and (tg_op = 'INSERT' or new.expires_at is distinct from old.expires_at) then
    raise exception 'A link can not end in the past.' using errcode = 'PT400', hint = 'ends_in_the_past';
  end if;
  return new;
end
$function$;
comment on function private.validate_wall() is 'Refuses a QR code that leads elsewhere, and an end in the past.';

CREATE OR REPLACE FUNCTION private.voucher_covers(code text, plan_id text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce((
    select case when voucher_covers.plan_id is null then v.applies_to_cards
      else coalesce(voucher_covers.plan_id = any (v.plan_ids), true) end
    from public.vouchers v where v.code = upper(btrim(voucher_covers.code))), false)
$function$;
comment on function private.voucher_covers(text,text) is 'Whether a voucher applies to this plan, or to cards if the plan is null.';

CREATE OR REPLACE FUNCTION private.waits_for_reveal(memory uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select from public.reveals r where r.memory_id = memory and not r.revealed and coalesce(r.reveal_at > now(), true))
$function$;
comment on function private.waits_for_reveal(uuid) is 'Whether guests see only their own contributions to a memory until its reveal. A wall then shows nothing.';

CREATE OR REPLACE FUNCTION private.wall_memory_id(to_show text)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select w.memory_id from private.open_wall() w where case to_show
    when 'pictures' then w.shows_pictures when 'words' then w.shows_words when 'candles' then w.shows_candles
    when 'names' then w.shows_names when 'anything' then true end
    and not private.waits_for_reveal(w.memory_id)
$function$;
comment on function private.wall_memory_id(text) is 'The memory whose wall the caller is, if the wall shows this: pictures, words, candles, names or anything.';
grant execute on function private.wall_memory_id(text) to anon;
grant execute on function private.wall_memory_id(text) to service_role;

CREATE OR REPLACE FUNCTION private.warn_about_storage(account uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  used private.account_use;
  room bigint;
  level smallint;
begin
  select * into used from private.account_use u where u.account = warn_about_storage.account;
  select l.storage_bytes into room from private.limits_of(account) l;
  level := case when used.stored >= room then 100 when used.stored * 100 > room * 90 then 90
    when used.stored * 100 > room * 75 then 75 else 0 end;
  if level = used.last_warning_percent or used.account is null then
    return;
  end if;
  update private.account_use u set last_warning_percent = level where u.account = warn_about_storage.account;
  -- The previous warning is outdated, whether usage went up or down.
  delete from public.notices n where n.user_id = account and n.kind in ('storage-75', 'storage-90', 'storage-full') and n.read_at is null;
  if level > used.last_warning_percent then
    insert into public.notices (user_id, kind)
    values (account, case level when 75 then 'storage-75' when 90 then 'storage-90' else 'storage-full' end);
  end if;
end
$function$;
comment on function private.warn_about_storage(uuid) is 'Warns an account whose usage has just exceeded 75 or 90 percent, or its limit.';

CREATE OR REPLACE FUNCTION private.watch_plan()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.warn_about_storage(new.user_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.watch_storage()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.warn_about_storage(new.account);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.with_status(plan public.user_subscriptions, held public.user_subscriptions[])
 RETURNS public.user_subscriptions
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  -- A renewal of the same plan is active from the start, so that its end counts.
  if plan.status <> 'replaced' then
    plan.status := case when plan.starts_at <= now() or exists (
        select from unnest(held) h where h.plan_id = plan.plan_id and h.status <> 'replaced'
          and h.starts_at <= now() and h.expires_at > now() and not private.is_less(plan, h))
      then 'active' else 'waiting' end;
  end if;
  return plan;
end
$function$;
comment on function private.with_status(public.user_subscriptions,public.user_subscriptions[]) is 'Sets whether a plan is active or waiting, given all plans that the account has.';

CREATE OR REPLACE FUNCTION private.word_forms(word text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
declare
  base constant text := case word
    when 'children' then 'child' when 'grandchildren' then 'grandchild' when 'men' then 'man' when 'women' then 'woman'
    when 'feet' then 'foot' when 'teeth' then 'tooth' when 'mice' then 'mouse' when 'wives' then 'wife' when 'knives' then 'knife'
    when 'leaves' then 'leaf' when 'lives' then 'life' when 'people' then 'person' when 'sang' then 'sing' when 'sung' then 'sing'
    when 'went' then 'go' when 'gone' then 'go' when 'swam' then 'swim' when 'taught' then 'teach' when 'built' then 'build'
    when 'bought' then 'buy' when 'wrote' then 'write' when 'written' then 'write' when 'ran' then 'run' when 'met' then 'meet'
    when 'uomini' then 'uomo' when 'zii' then 'zio' when 'zia' then 'zio' when 'zie' then 'zio' when 'uova' then 'uovo'
    when 'dita' then 'dito' when 'braccia' then 'braccio' when 'nozze' then 'matrimonio' else word end;
begin
  return array_remove(pg_catalog.ts_lexize('english_stem', base) || pg_catalog.ts_lexize('italian_stem', base), '');
end
$function$;
comment on function private.word_forms(text) is 'The stems of a word in English and in Italian; irregular plurals and pasts have the stem of the base form.';

CREATE OR REPLACE FUNCTION private.word_query(word text, class text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
 SET search_path TO ''
AS $function$
  select '(' || string_agg(distinct quote_literal('§' || class || key) || suffix, ' | ') || ')' from (
    select form as key, case when class <> '~' and length(form) > 1 then ':*' else '' end as suffix from unnest(string_to_array(word, '|')) form
    union all
    select unnest(private.word_forms(form)), '' from unnest(string_to_array(word, '|')) form where class <> 'f'
    union all
    select unnest(private.misspellings(form)), '' from unnest(string_to_array(word, '|')) form where class = '~') k
$function$;
comment on function private.word_query(text,text) is 'The condition for a word as text of a tsquery, with a sign in the place of the scope.';

CREATE OR REPLACE FUNCTION private.words_on_back(back public.media)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select left(concat_ws(E'\n', nullif(back.caption, ''), nullif(back.alt_text, '')), 20000)
$function$;
comment on function private.words_on_back(public.media) is 'The text of a photo as the words of its print''s back.';

CREATE OR REPLACE FUNCTION private.write_code_plainly()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  new.code := upper(btrim(new.code));
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.accept_emailed_invitation()
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  asked public.invitations;
begin
  select * into asked from public.invitations i
  where i.id = (select l.invitation_id from private.open_link() l) and private.has_required_aal() for update;
  if asked.id is null then
    raise exception 'There is no such invitation to you.' using errcode = 'PT404';
  end if;
  -- A manager may open an invitation email of their own, and a member may open theirs again.
  if private.is_manager(asked.memory_id) or asked.accepted_by = auth.uid() then
    return asked.memory_id;
  end if;
  if asked.state <> 'open' then
    raise exception 'This invitation is not open any more.' using errcode = 'PT409', hint = 'settled';
  end if;
  -- An email is easily forwarded, so co-ownership requires the invited address.
  if asked.role = 'co-owner' and asked.email is distinct from private.own_address() then
    raise exception 'Only the address that was invited can share the ownership.' using errcode = 'PT403', hint = 'other_address';
  end if;
  perform private.accept_invitation(asked);
  return asked.memory_id;
end
$function$;
comment on function public.accept_emailed_invitation() is 'Accepts the invitation whose email the signed-in caller opened, and returns the memory. Co-ownership requires the invited address.';
grant execute on function public.accept_emailed_invitation() to authenticated;
grant execute on function public.accept_emailed_invitation() to service_role;

CREATE OR REPLACE FUNCTION public.accept_handover(memory_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  owner uuid;
begin
  select m.user_id into owner from public.handovers h join public.memories m on m.id = h.memory_id
  where h.memory_id = accept_handover.memory_id and h.to_user = auth.uid() and m.deleted_at is null and private.has_required_aal()
  -- Locks the offer as well: if two requests accept at once, the second one finds no offer.
  for update;
  if owner is null then
    raise exception 'This memory is not offered to you.' using errcode = 'PT404';
  end if;
  delete from public.memory_members p where p.memory_id = accept_handover.memory_id and p.user_id = auth.uid();
  -- The triggers and keys of this update remove it from the old owner's album and check the new owner's plan.
  update public.memories m set album_id = null, album_position = 0, user_id = auth.uid() where m.id = accept_handover.memory_id;
  insert into public.memory_members (memory_id, user_id, role) values (accept_handover.memory_id, owner, 'co-owner');
end
$function$;
comment on function public.accept_handover(uuid) is 'Makes the signed-in person the owner of a memory that was offered to them. The previous owner becomes a co-owner.';
grant execute on function public.accept_handover(uuid) to authenticated;
grant execute on function public.accept_handover(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.answer_invitation(invitation_id uuid, accept boolean)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  asked public.invitations;
begin
  select * into asked from public.invitations i
  where i.id = invitation_id and i.email = private.own_address() and private.has_required_aal()
    and not exists (select from public.memories m where m.id = i.memory_id and m.deleted_at is not null) for update;
  if asked.id is null then
    raise exception 'There is no such invitation to you.' using errcode = 'PT404';
  end if;
  if asked.state <> 'open' then
    -- Answered before, for example by a double click: the first answer counts.
    if not accept and asked.state = 'declined' or accept and asked.state = 'accepted' and asked.accepted_by = auth.uid() then
      return asked.memory_id;
    end if;
    raise exception 'This invitation is not open any more.' using errcode = 'PT409', hint = 'settled';
  end if;
  if accept then
    perform private.accept_invitation(asked);
  else
    update public.invitations set state = 'declined', settled_at = now() where id = invitation_id;
  end if;
  return asked.memory_id;
end
$function$;
comment on function public.answer_invitation(uuid,boolean) is 'Accepts or declines an invitation to the caller''s confirmed address. Returns the id of the memory.';
grant execute on function public.answer_invitation(uuid,boolean) to authenticated;
grant execute on function public.answer_invitation(uuid,boolean) to service_role;

CREATE OR REPLACE FUNCTION public.answer_photo(media_id uuid, who text, taken text, place text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_variable
declare
  letter constant public.photo_letters := (select l from private.open_letter() l);
  given record;
begin
  if letter.id is null then
    raise exception 'This question has ended.' using errcode = 'PT410', hint = 'letter_ended';
  end if;
  if media_id <> all (private.letter_media_ids()) then
    raise exception 'There is no such photo.' using errcode = 'PT404', hint = 'not_found';
  end if;
  for given in
    select g.about, coalesce(auth.typed_line(g.answer), '') as answer
    from (values ('who', who), ('when', taken), ('where', place)) g (about, answer)
  loop
    if length(given.answer) > 500 then
      raise exception 'An answer has at most 500 characters.' using errcode = 'PT400', hint = 'answer_too_long';
    end if;
    if given.answer = '' then
      delete from public.photo_answers a
      where a.letter_id = letter.id and a.media_id = answer_photo.media_id and a.about = given.about and a.state <> 'accepted';
    else
      insert into public.photo_answers as a (letter_id, memory_id, media_id, about, answer)
      values (letter.id, letter.memory_id, media_id, given.about, given.answer)
      on conflict on constraint one_answer_of_a_letter do update set answer = excluded.answer, state = 'new', updated_at = now()
      where a.state <> 'accepted' and a.answer <> excluded.answer;
    end if;
  end loop;
  return private.answers_of(letter.id, media_id);
end
$function$;
comment on function public.answer_photo(uuid,text,text,text) is 'Saves what the person who was asked says about a photo; an empty text removes an answer. The same again changes nothing, and accepted answers stay as they are. Returns the stored answers.';
grant execute on function public.answer_photo(uuid,text,text,text) to anon;
grant execute on function public.answer_photo(uuid,text,text,text) to service_role;

CREATE OR REPLACE FUNCTION public.apply_voucher(code_text text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  wanted constant text := private.typed_voucher(code_text);
  -- A session without the required authentication level is treated as anonymous.
  person constant uuid := case when private.has_required_aal() then auth.uid() end;
  found public.vouchers;
  own_pending uuid[];
begin
  if wanted = '' then
    return jsonb_build_object('valid', false, 'discount_percentage', 0, 'message', 'No voucher code provided');
  end if;
  select * into found from public.vouchers v where v.code = wanted;
  -- A person who returns from the payment page keeps the use that is reserved for them: the next checkout closes that page. It
  -- cannot close a page whose payment a bank processes, so such a use counts.
  select coalesce(array_agg(u.order_id), '{}') into own_pending
  from public.voucher_uses u join public.orders o on o.id = u.order_id
  where u.user_id = person and u.paid_at is null and u.released_at is null and not o.processing;
  if private.usable_voucher(found, person, own_pending) is not null then
    return jsonb_build_object('valid', false, 'discount_percentage', 0, 'message', 'Invalid voucher code');
  end if;
  return jsonb_build_object('valid', true, 'discount_percentage', found.percentage, 'message', '',
    'plan_ids', found.plan_ids, 'applies_to_cards', found.applies_to_cards);
end
$function$;
comment on function public.apply_voucher(text) is 'The discount of a code for the caller (Spec §7): valid, discount_percentage and message, and for a valid code what it applies to.';
grant execute on function public.apply_voucher(text) to anon;
grant execute on function public.apply_voucher(text) to authenticated;
grant execute on function public.apply_voucher(text) to service_role;

CREATE OR REPLACE FUNCTION public.arrange_album(album_id uuid, ids uuid[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update public.memories m set album_position = wanted.place
  from (
    select x.id, row_number() over (order by named.place, x.album_position, x.created_at, x.id) as place
    from public.memories x left join unnest(ids) with ordinality as named (id, place) on named.id = x.id
    where x.album_id = arrange_album.album_id and x.user_id = auth.uid()
  ) wanted
  where m.id = wanted.id and m.album_position is distinct from wanted.place
$function$;
comment on function public.arrange_album(uuid,uuid[]) is 'Orders the memories of one of the caller''s albums by these ids; others follow in their current order.';
grant execute on function public.arrange_album(uuid,uuid[]) to authenticated;
grant execute on function public.arrange_album(uuid,uuid[]) to service_role;

CREATE OR REPLACE FUNCTION public.arrange_albums(ids uuid[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update public.albums a set position = wanted.place
  from (
    select x.id, row_number() over (order by named.place, x.position, x.created_at, x.id) as place
    from public.albums x left join unnest(ids) with ordinality as named (id, place) on named.id = x.id
    where x.user_id = auth.uid()
  ) wanted
  where a.id = wanted.id and a.position is distinct from wanted.place
$function$;
comment on function public.arrange_albums(uuid[]) is 'Orders the caller''s albums by these ids; others follow in their current order.';
grant execute on function public.arrange_albums(uuid[]) to authenticated;
grant execute on function public.arrange_albums(uuid[]) to service_role;

CREATE OR REPLACE FUNCTION public.arrange_media(memory_id uuid, ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_manager(arrange_media.memory_id) then
    raise exception 'This memory is not one of yours.' using errcode = 'PT404';
  end if;
  update public.media m set position = place
  from unnest(ids) with ordinality as wanted (id, place)
  where m.id = wanted.id and m.memory_id = arrange_media.memory_id and m.position is distinct from place;
  update public.memories m set media_order = 'arranged' where m.id = arrange_media.memory_id and media_order <> 'arranged';
end
$function$;
comment on function public.arrange_media(uuid,uuid[]) is 'Orders a memory''s photos and videos by these ids, and shows them in that order; others follow. Only for managers.';
grant execute on function public.arrange_media(uuid,uuid[]) to authenticated;
grant execute on function public.arrange_media(uuid,uuid[]) to service_role;

CREATE OR REPLACE FUNCTION public.arrange_prompts(memory_id uuid, ids uuid[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update public.prompts p set position = wanted.place
  from unnest(ids) with ordinality as wanted (id, place)
  where p.id = wanted.id and p.memory_id = arrange_prompts.memory_id and p.position is distinct from wanted.place
$function$;
comment on function public.arrange_prompts(uuid,uuid[]) is 'Orders a memory''s prompts by these ids. For callers who are not managers nothing changes.';
grant execute on function public.arrange_prompts(uuid,uuid[]) to authenticated;
grant execute on function public.arrange_prompts(uuid,uuid[]) to service_role;

CREATE OR REPLACE FUNCTION public.arrange_slideshow(slideshow uuid, pictures uuid[], revision integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  update public.slideshows s set arranged = s.arranged + 1, revision = arrange_slideshow.revision where s.id = slideshow;
  if not found then
    raise exception 'There is no such slideshow among yours.' using errcode = 'PT404';
  end if;
  delete from public.slideshow_items i where i.slideshow_id = slideshow;
  insert into public.slideshow_items (slideshow_id, media_id, position)
  select slideshow, m.id, min(p.place) from unnest(pictures) with ordinality as p (id, place)
  join public.media m on m.id = p.id
  join public.slideshows s on s.id = slideshow and s.memory_id = m.memory_id
  where m.type = 'image' and m.pages is null and m.state <> 'broken' and m.moderation = 'shown'
  group by m.id on conflict do nothing;
  return arrange_slideshow.revision + 1;
end
$function$;
comment on function public.arrange_slideshow(uuid,uuid[],integer) is 'Sets the photos of a slideshow and their order, and returns its new revision. Photos that are not shown now keep their place. Only for managers.';
grant execute on function public.arrange_slideshow(uuid,uuid[],integer) to authenticated;
grant execute on function public.arrange_slideshow(uuid,uuid[],integer) to service_role;

CREATE OR REPLACE FUNCTION public.arrange_stories(memory_id uuid, ids uuid[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update public.stories s set position = wanted.place
  from unnest(ids) with ordinality as wanted (id, place)
  where s.id = wanted.id and s.memory_id = arrange_stories.memory_id and s.position is distinct from wanted.place
$function$;
comment on function public.arrange_stories(uuid,uuid[]) is 'Orders a memory''s stories by these ids. For callers who are not managers nothing changes.';
grant execute on function public.arrange_stories(uuid,uuid[]) to authenticated;
grant execute on function public.arrange_stories(uuid,uuid[]) to service_role;

CREATE OR REPLACE FUNCTION public.ask_about_photos(letter_id uuid, memory_id uuid, media_ids uuid[], recipient text, note text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_variable
declare
  me constant uuid := auth.uid();
  wait integer;
begin
  if not private.is_manager(memory_id) and coalesce(private.member_role(memory_id) <> 'contributor', true)
    or not private.may_ask(memory_id, me) then
    raise exception 'There is no such memory.' using errcode = 'PT404', hint = 'not_found';
  end if;
  -- One question at a time, so that the limit is exact.
  perform from auth.users u where u.id = me for no key update;
  -- The same question again, for example after a lost answer.
  if exists (select from public.photo_letters l where l.id = letter_id and l.asker_id = me and l.memory_id = ask_about_photos.memory_id) then
    return private.new_letter_key(letter_id);
  end if;
  select ceil(extract(epoch from l.created_at + interval '1 day' - now())) into wait from public.photo_letters l
  where l.asker_id = me and l.created_at > now() - interval '1 day' order by l.created_at desc offset 29 limit 1;
  if wait is not null then
    raise exception 'You can ask 30 times a day.' using errcode = 'PT429', hint = 'too_many_letters', detail = wait;
  end if;
  if coalesce(cardinality(media_ids), 0) not between 1 and 10
    or cardinality(media_ids) <> (select count(*) from public.media m where m.id = any (media_ids) and m.memory_id = ask_about_photos.memory_id
      and m.moderation = 'shown' and m.state = 'ready' and m.type = 'image' and m.pages is null and m.motion_of is null
      -- Before a reveal, contributors see only their own photos.
      and (m.memory_id <> all (private.covered_memory_ids()) or m.id = any (private.added_media_ids()))) then
    raise exception 'Please choose one to ten photos of this memory.' using errcode = 'PT400', hint = 'letter_photos';
  end if;
  insert into public.photo_letters (id, memory_id, asker_id, recipient, note, media_ids)
  values (letter_id, memory_id, me, left(auth.typed_line(recipient), 100), left(btrim(coalesce(note, '')), 1000), media_ids);
  return private.new_letter_key(letter_id);
end
$function$;
comment on function public.ask_about_photos(uuid,uuid,uuid[],text,text) is 'Asks one person about one to ten photos of a memory and returns the key of the link, which is told only once. For owner, co-owners and contributors, 30 times a day. The same id again gives the question a new key.';
grant execute on function public.ask_about_photos(uuid,uuid,uuid[],text,text) to authenticated;
grant execute on function public.ask_about_photos(uuid,uuid,uuid[],text,text) to service_role;

CREATE OR REPLACE FUNCTION public.asked_by(letter public.photo_letters)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.name_of(l.asker_id) from public.photo_letters l where l.id = letter.id
    and (l.asker_id = auth.uid() and (select private.has_required_aal()) or private.is_manager(l.memory_id))
$function$;
comment on function public.asked_by(public.photo_letters) is 'The name of the member who asked, for those who may read the letter.';
grant execute on function public.asked_by(public.photo_letters) to authenticated;
grant execute on function public.asked_by(public.photo_letters) to service_role;

CREATE OR REPLACE FUNCTION public.begins_at(public.memory_entries)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case when $1.part is not null then timezone($1.time_zone, $1.on_date::date + coalesce($1.starts_at, time '00:00')) end
$function$;
comment on function public.begins_at(public.memory_entries) is 'When a part of a day begins; without a time at the beginning of its day. Computed, because rules of time zones change.';
grant execute on function public.begins_at(public.memory_entries) to anon;
grant execute on function public.begins_at(public.memory_entries) to authenticated;
grant execute on function public.begins_at(public.memory_entries) to service_role;

CREATE OR REPLACE FUNCTION public.block_person(memory_id uuid, person uuid DEFAULT NULL::uuid, guest uuid DEFAULT NULL::uuid, hide boolean DEFAULT false)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  memory public.memories;
  was text;
  block uuid;
  shown_as text;
begin
  -- In the same order of locks as accepting.
  perform from public.handovers h where h.memory_id = block_person.memory_id for update;
  perform from public.invitations i where i.memory_id = block_person.memory_id and i.state = 'open' order by i.id for update;
  select * into memory from public.memories m
  where m.id = block_person.memory_id and private.is_manager(m.id) for no key update;
  if memory.id is null then
    raise exception 'This memory is not one of yours.' using errcode = 'PT404';
  end if;
  if num_nonnulls(person, guest) <> 1 or person = auth.uid() then
    raise exception 'One person is blocked at a time, and nobody blocks themselves.' using errcode = 'PT400';
  end if;
  if person = memory.user_id then
    raise exception 'The owner of a memory can not be blocked.' using errcode = '42501';
  end if;
  select p.role into was from public.memory_members p where p.memory_id = memory.id and p.user_id = person;
  if was = 'co-owner' and memory.user_id is distinct from auth.uid() then
    raise exception 'Only its owner decides who co-owns a memory.' using errcode = '42501';
  end if;
  if was is null and not exists (select from public.media_details x where x.memory_id = memory.id and (x.user_id = person or x.guest_id = guest))
    and not exists (select from public.stories x where x.memory_id = memory.id and (x.user_id = person or x.guest_id = guest))
    and not exists (select from public.comments x where x.memory_id = memory.id and (x.user_id = person or x.guest_id = guest))
    and not exists (select from public.reactions x where x.memory_id = memory.id and (x.user_id = person or x.guest_id = guest))
    and not exists (select from public.guests g join public.share_links l on l.id = g.link_id where g.id = guest and l.memory_id = memory.id)
    and not exists (select from public.memory_blocks b where b.memory_id = memory.id and (b.user_id = person or b.guest_id = guest)) then
    raise exception 'There is no such person here.' using errcode = 'PT404', hint = 'not_there';
  end if;
  shown_as := coalesce((select g.name from public.guests g where g.id = guest), private.name_of(person));
  insert into public.memory_blocks as known (memory_id, user_id, guest_id, name, role, blocked_by)
  values (memory.id, person, guest, shown_as, was, auth.uid())
  on conflict on constraint once do update set role = coalesce(known.role, excluded.role) returning id into block;
  delete from public.memory_members p where p.memory_id = memory.id and p.user_id = person;
  update public.invitations i set state = 'withdrawn', settled_at = now()
  where i.memory_id = memory.id and i.state = 'open'
    and i.email = (select lower(u.email) from auth.users u where u.id = person);
  -- A link to an album also opens other memories, which the manager of one of them may not decide about.
  update public.guests g set blocked_at = coalesce(g.blocked_at, now()) from public.share_links l
  where g.id = guest and l.id = g.link_id
    and (l.memory_id = memory.id or l.album_id = memory.album_id and memory.user_id = auth.uid());
  -- Every open page of a link requests a new token, which blocked people do not get.
  update public.share_links l set version = version + 1
  where l.memory_id = memory.id or l.album_id = memory.album_id;
  return jsonb_build_object('id', block, 'hidden',
    case when hide then private.hide_content_by(memory.id, person, guest) else '[]'::jsonb end);
end
$function$;
comment on function public.block_person(uuid,uuid,uuid,boolean) is 'Blocks a person or a guest from a memory, and optionally hides what they added. Returns the id of the block and what was hidden. Only for managers.';
grant execute on function public.block_person(uuid,uuid,uuid,boolean) to authenticated;
grant execute on function public.block_person(uuid,uuid,uuid,boolean) to service_role;

CREATE OR REPLACE FUNCTION public.campaign_use()
 RETURNS TABLE(id uuid, name text, active boolean, created_at timestamp with time zone, percentage numeric, ends_at timestamp with time zone, codes integer, paid integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_role('admin');
  return query select c.id, c.name, c.active, c.created_at, max(v.percentage), max(v.ends_at), count(*)::integer,
    (count(*) filter (where exists (select from public.voucher_uses u where u.voucher_id = v.id and u.paid_at is not null)))::integer
  from public.campaigns c join public.vouchers v on v.campaign_id = c.id group by c.id order by c.created_at desc;
end
$function$;
comment on function public.campaign_use() is 'All campaigns, the newest first, with the number of their codes and of those used in paid orders.';
grant execute on function public.campaign_use() to authenticated;
grant execute on function public.campaign_use() to service_role;

CREATE OR REPLACE FUNCTION public.content_hash(public.media)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select d.content_hash from public.media_details d where d.media_id = $1.id
$function$;
grant execute on function public.content_hash(public.media) to anon;
grant execute on function public.content_hash(public.media) to authenticated;
grant execute on function public.content_hash(public.media) to service_role;

CREATE OR REPLACE FUNCTION public.create_campaign(name text, percentage numeric, codes integer, prefix text DEFAULT ''::text, ends_at timestamp with time zone DEFAULT NULL::timestamp with time zone, plan_ids text[] DEFAULT NULL::text[], applies_to_cards boolean DEFAULT true)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  made uuid;
  beginning constant text := upper(btrim(coalesce(prefix, '')));
begin
  perform private.require_role('admin');
  if codes is null or codes not between 1 and 1000 then
    raise exception 'A campaign has 1 to 1000 codes.' using errcode = 'PT400', hint = 'validation_failed';
  end if;
  if beginning !~ '^([A-Z0-9]{1,20})?$' then
    raise exception 'A code begins with up to 20 letters and figures.' using errcode = 'PT400', hint = 'validation_failed';
  end if;
  insert into public.campaigns (name) values (btrim(create_campaign.name)) returning id into made;
  -- Each has 60 random bits, as the codes of cards: nobody finds one from another.
  insert into public.vouchers (code, percentage, ends_at, max_uses, plan_ids, applies_to_cards, campaign_id)
  select concat_ws('-', nullif(beginning, ''), private.new_card_code()), create_campaign.percentage, create_campaign.ends_at, 1,
    create_campaign.plan_ids, create_campaign.applies_to_cards, made
  from generate_series(1, create_campaign.codes);
  perform private.record_action('campaigns.create', made::text, null, jsonb_build_object('name', create_campaign.name,
    'percentage', create_campaign.percentage, 'codes', create_campaign.codes, 'ends_at', create_campaign.ends_at,
    'plan_ids', create_campaign.plan_ids, 'applies_to_cards', create_campaign.applies_to_cards));
  return jsonb_build_object('id', made,
    'codes', (select jsonb_agg(v.code order by v.code) from public.vouchers v where v.campaign_id = made));
end
$function$;
comment on function public.create_campaign(text,numeric,integer,text,timestamp with time zone,text[],boolean) is 'Makes a campaign of so many single-use codes and returns its id and the codes. Each code is the prefix and twelve random letters.';
grant execute on function public.create_campaign(text,numeric,integer,text,timestamp with time zone,text[],boolean) to authenticated;
grant execute on function public.create_campaign(text,numeric,integer,text,timestamp with time zone,text[],boolean) to service_role;

CREATE OR REPLACE FUNCTION public.delete_day_reply(reply_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  memory constant uuid := (select r.memory_id from public.day_replies r where r.id = delete_day_reply.reply_id
    and (private.is_manager(r.memory_id)
      or (r.guest_id = private.guest_id() or r.user_id = auth.uid()) and cardinality(private.asked_part_ids(r.memory_id)) > 0));
begin
  if memory is null or not private.has_required_aal() then
    raise exception 'There is no such reply.' using errcode = 'PT404', hint = 'reply_gone';
  end if;
  perform from public.memories m where m.id = memory for key share;
  perform from public.day_reply_settings s where s.memory_id = memory for update;
  delete from public.day_replies r where r.id = delete_day_reply.reply_id;
end
$function$;
comment on function public.delete_day_reply(uuid) is 'Deletes a reply: for managers, and for the guest or account that gave it. Its places go to those that wait.';
grant execute on function public.delete_day_reply(uuid) to anon;
grant execute on function public.delete_day_reply(uuid) to authenticated;
grant execute on function public.delete_day_reply(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.delete_forever(items jsonb)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with gone as (
    delete from public.trash t using jsonb_to_recordset(items) as i (kind text, id uuid)
    where t.kind = i.kind and t.id = i.id and private.has_required_aal() and t.deleted_by = auth.uid()
      -- A removed manager cannot permanently delete what they only moved to the trash.
      and private.may_restore(t) returning t.id
  ) select count(*)::integer from gone
$function$;
comment on function public.delete_forever(jsonb) is 'Permanently deletes items ({kind, id}) that the caller moved to the trash and may still manage. Returns how many.';
grant execute on function public.delete_forever(jsonb) to authenticated;
grant execute on function public.delete_forever(jsonb) to service_role;

CREATE OR REPLACE FUNCTION public.deleted_items(of_memory uuid DEFAULT NULL::uuid, skip integer DEFAULT 0)
 RETURNS TABLE(kind text, id uuid, memory_id uuid, memory_name text, name text, deleted_at timestamp with time zone, purged_at timestamp with time zone, bytes bigint, media jsonb, total bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_sort TO 'off'
AS $function$
#variable_conflict use_column
declare
  page constant integer := 300;
  -- One more than is counted exactly.
  most constant integer := greatest(skip, 0) + 1001;
  trashed refcursor;
  item public.trash;
  items public.trash[] := '{}';
  many integer := 0;
  -- Thousands of photos of one memory need one check.
  managed uuid[] := '{}';
  closed uuid[] := '{}';
  checked uuid[] := '{}';
begin
  if of_memory is null then
    open trashed for select t.* from public.trash t where t.deleted_by = auth.uid() order by t.deleted_at desc, t.kind, t.id;
  else
    open trashed for select t.* from public.trash t where t.deleted_by = auth.uid() and t.memory_id = of_memory and t.kind <> 'memory'
      order by t.deleted_at desc, t.kind, t.id;
  end if;
  loop
    fetch trashed into item;
    exit when not found or many = most;
    if item.kind in ('media', 'story') then
      if item.memory_id <> all (checked) then
        checked := checked || item.memory_id;
        if private.is_manager(item.memory_id) then
          managed := managed || item.memory_id;
        elsif not private.can_contribute(item.memory_id) then
          closed := closed || item.memory_id;
        end if;
      end if;
      continue when item.memory_id = any (closed);
      continue when item.memory_id <> all (managed) and not private.may_restore(item);
    else
      continue when not private.may_restore(item);
    end if;
    many := many + 1;
    if many > skip and many <= skip + page then
      items := items || item;
    end if;
  end loop;
  close trashed;
  return query
    select t.kind, t.id, t.memory_id, coalesce(r.person_name, ''),
      coalesce(case t.kind
        when 'memory' then r.person_name
        when 'album' then a.name
        when 'media' then coalesce(nullif(m.caption, ''), d.file_name)
        when 'story' then coalesce(nullif(s.title, ''), private.plain_text(s.body))
        else left(coalesce(t.was ->> 'words', n.words, c.body), 200) end, ''),
      t.deleted_at, t.deleted_at + interval '30 days',
      case t.kind when 'media' then m.size + coalesce((select v.size from public.media v where v.motion_of = m.id), 0)
        when 'memory' then (select coalesce(sum(l.bytes + l.bytes_in_trash), 0)::bigint from private.media_sums l where l.memory_id = t.id)
        else 0 end,
      case when m.id is not null then jsonb_build_object('id', m.id, 'type', m.type, 'placeholder', m.placeholder,
        'colour', m.colour) end,
      many::bigint
    from unnest(items) t
    left join public.memories r on r.id = t.memory_id
    left join public.albums a on a.id = t.album_id
    left join public.media m on m.id = t.media_id
    left join public.media_details d on d.media_id = m.id
    left join public.stories s on s.id = t.story_id
    left join public.comments c on c.id = t.comment_id
    left join public.comment_credits n on n.comment_id = c.id
    order by t.deleted_at desc, t.kind, t.id;
end
$function$;
comment on function public.deleted_items(uuid,integer) is 'Items that the signed-in person deleted and may restore, optionally of one memory, newest first: up to 300 after an offset, when each is deleted permanently and its size. The total is exact up to 1000 after the offset, otherwise the offset plus 1001.';
grant execute on function public.deleted_items(uuid,integer) to authenticated;
grant execute on function public.deleted_items(uuid,integer) to service_role;

CREATE OR REPLACE FUNCTION public.desk_affiliates(find text DEFAULT ''::text, after timestamp with time zone DEFAULT 'infinity'::timestamp with time zone, after_id uuid DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid, size integer DEFAULT 50)
 RETURNS TABLE(id uuid, email text, code text, state text, created_at timestamp with time zone, balances jsonb, clicks integer, busiest_day integer, purchases integer, own_purchases integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
begin
  perform private.require_role('admin');
  return query
    with page as (
      select a.id, u.email::text as email, a.user_id, a.code, a.state, a.created_at
      from public.affiliates a left join auth.users u on u.id = a.user_id
      where (a.created_at, a.id) < (desk_affiliates.after, desk_affiliates.after_id)
        and (coalesce(desk_affiliates.find, '') = '' or a.code = upper(btrim(desk_affiliates.find))
          or starts_with(lower(u.email), lower(btrim(desk_affiliates.find))))
      order by a.created_at desc, a.id desc limit least(greatest(size, 1), 200)
    )
    select p.id, p.email, p.code, p.state, p.created_at,
      (select coalesce(jsonb_agg(jsonb_build_object('currency', m.currency, 'earned', m.earned, 'paid_out', m.paid_out,
          'payable', private.payable_to(p.id, m.currency)) order by m.currency desc), '[]')
       from (select k.currency, coalesce((select sum(c.amount) from public.commissions c
             where c.affiliate_id = p.id and c.currency = k.currency), 0) as earned,
           coalesce((select sum(o.amount) from public.payouts o where o.affiliate_id = p.id and o.currency = k.currency), 0) as paid_out
         from (values ('GBP'), ('EUR')) k (currency)) m where m.earned <> 0 or m.paid_out <> 0),
      coalesce(seen.clicks, 0)::integer, coalesce(seen.busiest, 0)::integer,
      (select count(*) from public.commissions c where c.affiliate_id = p.id and c.earned_at > now() - interval '30 days')::integer,
      (select count(*) from public.orders o where o.affiliate_code = p.code and o.paid_at is not null
        and (o.user_id = p.user_id or lower(o.email) = lower(p.email)
          or o.delivery -> 'address' in (select d.address -> 'address' from public.card_deliveries d where d.user_id = p.user_id)))::integer
    from page p
    left join lateral (select sum(k.clicks) as clicks, max(k.clicks) as busiest from public.affiliate_clicks k
      where k.affiliate_id = p.id and k.day > current_date - 30) seen on true
    order by p.created_at desc, p.id desc;
end
$function$;
comment on function public.desk_affiliates(text,timestamp with time zone,uuid,integer) is 'Affiliates, the newest first, after the one of a time and id, with what they earned, were paid and can be paid in pence or cents, and what speaks against them: clicks and the busiest day of 30 days, purchases of 30 days, and purchases that went to the affiliate''s own email or postal address. find is a code or the beginning of an email address. Reads from indexes, whatever the planner thinks.';
grant execute on function public.desk_affiliates(text,timestamp with time zone,uuid,integer) to authenticated;
grant execute on function public.desk_affiliates(text,timestamp with time zone,uuid,integer) to service_role;

CREATE OR REPLACE FUNCTION public.desk_figures(period text DEFAULT 'day'::text)
 RETURNS TABLE(since date, is_current boolean, sign_ups bigint, memories bigint, photos bigint, videos bigint, accounts bigint, active bigint, all_memories bigint, all_media bigint, stored bigint, revenue jsonb, refunds jsonb, cards jsonb, counted_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  many constant integer := case period when 'month' then 12 when 'week' then 26 else 30 end;
  unit constant text := case when period in ('month', 'week') then period else 'day' end;
  first_day constant timestamp := date_trunc(unit, now() at time zone 'utc') - (2 * many - 1) * ('1 ' || unit)::interval;
begin
  perform private.require_role('admin', 'support');
  return query
    with money as (
      select m.since, coalesce(jsonb_object_agg(m.currency, m.paid) filter (where m.paid <> 0), '{}') as revenue,
        coalesce(jsonb_object_agg(m.currency, m.returned) filter (where m.returned <> 0), '{}') as refunds
      from (
        select date_trunc(unit, d.day::timestamp) as since, d.currency, sum(d.paid)::bigint as paid, sum(d.returned)::bigint as returned
        from private.daily_money d where d.day >= first_day::date group by 1, 2) m
      group by 1
    ), days as (
      select date_trunc(unit, f.day::timestamp) as since, sum(f.sign_ups) as sign_ups, sum(f.memories) as memories, sum(f.photos) as photos,
        sum(f.videos) as videos, (array_agg(f order by f.day desc))[1] as last
      from private.daily_figures f where f.day >= first_day::date group by 1
    )
    select p.since::date, p.place > many, coalesce(d.sign_ups, 0)::bigint, coalesce(d.memories, 0)::bigint, coalesce(d.photos, 0)::bigint,
      coalesce(d.videos, 0)::bigint, (d.last).accounts, (d.last).active, (d.last).all_memories, (d.last).all_media, (d.last).stored,
      coalesce(m.revenue, '{}'), coalesce(m.refunds, '{}'), coalesce((d.last).cards, '{}'), (d.last).counted_at
    from generate_series(first_day, now() at time zone 'utc', ('1 ' || unit)::interval) with ordinality p (since, place)
    left join days d on d.since = p.since left join money m on m.since = p.since order by p.since;
end
$function$;
comment on function public.desk_figures(text) is 'Thirty days, 26 weeks or twelve months up to now, and as many before them to compare with: what came in each, and the totals at its end. For administrators and support.';
grant execute on function public.desk_figures(text) to authenticated;
grant execute on function public.desk_figures(text) to service_role;

CREATE OR REPLACE FUNCTION public.desk_file_failures()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_role('admin');
  return jsonb_build_object(
    'given_up', (select count(*) from private.file_failures f where f.given_up_at is not null),
    'retried', (select count(*) from private.file_failures f where f.given_up_at is null),
    'files', (
      select coalesce(jsonb_agg(to_jsonb(l)), '[]') from (
        select f.object_id, f.job, f.reason, f.failures, f.failed_at, f.given_up_at, o.metadata ->> 'mimetype' as mime_type,
          (o.metadata ->> 'size')::bigint as size
        from private.file_failures f join storage.objects o on o.id = f.object_id
        order by f.given_up_at is null, f.failed_at desc, f.object_id limit 50) l));
end
$function$;
comment on function public.desk_file_failures() is 'How many files could not be prepared, and the newest fifty: those that were given up first, then those that are tried again. Never a name or a memory. For administrators.';
grant execute on function public.desk_file_failures() to authenticated;
grant execute on function public.desk_file_failures() to service_role;

CREATE OR REPLACE FUNCTION public.desk_inbox(find text DEFAULT ''::text, stage text DEFAULT 'unsettled'::text, about text DEFAULT ''::text, taken text DEFAULT ''::text, before_at timestamp with time zone DEFAULT NULL::timestamp with time zone, before_id uuid DEFAULT NULL::uuid)
 RETURNS TABLE(id uuid, kind text, state text, assignee uuid, assignee_name text, sender text, subject text, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
begin
  perform private.require_role('admin', 'support');
  -- Written anew for each call, so that the planner sees which index fits.
  return query execute
    'select i.id, i.kind, i.state, i.assignee, coalesce(nullif(private.name_of(i.assignee), ''''), a.email::text), coalesce(m.name, r.email, ''''),
       coalesce(m.subject, r.reason), i.created_at
     from (select * from public.inbox_items i where (i.created_at, i.id) < ($1, $2)'
    || case stage when 'all' then '' when 'unsettled' then ' and i.state <> ''closed''' else ' and i.state = $3' end
    || case when about = '' then '' else ' and i.kind = $4' end
    || case taken when '' then '' when 'nobody' then ' and i.assignee is null' else ' and i.assignee = auth.uid()' end
    || case when find ~* '^\s*[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\s*$' then ' and i.id = btrim($6)::uuid'
      when private.search_query(find) is not null then ' and i.search @@ $5' else '' end
    || ' order by i.created_at desc, i.id desc limit 50) i
     left join public.contact_messages m on m.id = i.message_id left join public.reports r on r.id = i.report_id
     left join auth.users a on a.id = i.assignee
     order by i.created_at desc, i.id desc'
  using coalesce(before_at, 'infinity'), coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
    stage, about, private.search_query(find), find;
end
$function$;
comment on function public.desk_inbox(text,text,text,text,timestamp with time zone,uuid) is 'Fifty messages and reports, the newest first: of a state (or unsettled, all), about message or report, taken by me or nobody, and with find those with words that begin so, or the one of an id. For administrators and support. It turns sequential scans off for itself: the planner cannot know how many words begin like a few letters, and reading every message is never right for fifty of them.';
grant execute on function public.desk_inbox(text,text,text,text,timestamp with time zone,uuid) to authenticated;
grant execute on function public.desk_inbox(text,text,text,text,timestamp with time zone,uuid) to service_role;

CREATE OR REPLACE FUNCTION public.desk_inbox_item(item uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  found_one jsonb;
begin
  perform private.require_role('admin', 'support');
  select jsonb_build_object('id', i.id, 'kind', i.kind, 'state', i.state, 'assignee', i.assignee, 'created_at', i.created_at,
    'message', (select jsonb_build_object('name', m.name, 'email', m.email, 'subject', m.subject, 'html', m.message)
      from public.contact_messages m where m.id = i.message_id),
    'report', (
      select jsonb_build_object('kind', r.kind, 'reason', r.reason, 'words', r.words, 'email', r.email, 'outcome', r.outcome,
        'settled_at', r.settled_at, 'settled_by', private.account_label(r.settled_by),
        'reporter', private.account_label(r.user_id), 'guest', r.guest_id is not null,
        'item_state', x.state, 'owner', private.account_label(x.owner), 'author', private.account_label(x.author),
        'of_item', (select count(*) from public.reports o where o.item_id = r.item_id),
        'of_memory', (select count(*) from public.reports o where o.memory_id = r.memory_id),
        'of_owner', (select count(*) from public.reports o join public.memories m on m.id = o.memory_id where m.user_id = x.owner))
      from public.reports r cross join lateral private.reported_item(r) x where r.id = i.report_id),
    'entries', (
      select coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'kind', e.kind, 'body', e.body, 'created_at', e.created_at,
        'author', private.account_label(e.author), 'mail', o.state) order by e.created_at, e.id), '[]')
      from public.inbox_entries e left join private.outbox o on o.dedupe_key = 'answer ' || e.id where e.item_id = i.id),
    'staff', (
      select coalesce(jsonb_agg(private.account_label(u.id) order by u.created_at, u.id), '[]')
      from auth.users u where u.raw_app_meta_data ? 'role' and u.raw_app_meta_data ->> 'role' in ('admin', 'support')))
  into found_one from public.inbox_items i where i.id = item;
  if found_one is null then
    raise exception 'There is nothing here.' using errcode = 'PT404', hint = 'not_found';
  end if;
  return found_one;
end
$function$;
comment on function public.desk_inbox_item(uuid) is 'A message or a report with answers, notes and who can take it. Of what was reported only its kind and state, how often, and whose it is. For administrators and support.';
grant execute on function public.desk_inbox_item(uuid) to authenticated;
grant execute on function public.desk_inbox_item(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.desk_names(ids uuid[])
 RETURNS TABLE(id uuid, email text, full_name text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_role('admin');
  return query select u.id, coalesce(u.email, '+' || u.phone), coalesce(p.full_name, '')
    from auth.users u left join public.profiles p on p.id = u.id where u.id = any (ids[:200]);
end
$function$;
comment on function public.desk_names(uuid[]) is 'The addresses and names of accounts that are still there, for the audit log. For administrators.';
grant execute on function public.desk_names(uuid[]) to authenticated;
grant execute on function public.desk_names(uuid[]) to service_role;

CREATE OR REPLACE FUNCTION public.desk_outbox(kind text DEFAULT 'dead'::text, before_at timestamp with time zone DEFAULT NULL::timestamp with time zone, before_id uuid DEFAULT NULL::uuid)
 RETURNS TABLE(id uuid, medium text, template text, language text, recipient text, attempts integer, created_at timestamp with time zone, due_at timestamp with time zone, expired boolean, last_error text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  last_id constant uuid := coalesce(before_id, case when kind = 'dead' then 'ffffffff-ffff-ffff-ffff-ffffffffffff' else '00000000-0000-0000-0000-000000000000' end::uuid);
begin
  perform private.require_role('admin');
  if kind = 'dead' then
    return query select o.id, o.kind, o.template, o.language, o.recipient, o.attempts, o.created_at, o.settled_at,
        coalesce(o.expires_at < now(), false), o.last_error
      from private.outbox o where o.state = 'dead' and (o.settled_at, o.id) < (coalesce(before_at, 'infinity'), last_id)
      order by o.settled_at desc, o.id desc limit 50;
  else
    return query select o.id, o.kind, o.template, o.language, o.recipient, o.attempts, o.created_at, o.next_attempt_at,
        coalesce(o.expires_at < now(), false), o.last_error
      from private.outbox o where o.state = 'waiting' and o.next_attempt_at >= coalesce(before_at, '-infinity')
        and (o.next_attempt_at, o.id) > (coalesce(before_at, '-infinity'), last_id)
      order by o.next_attempt_at, o.id limit 50;
  end if;
end
$function$;
comment on function public.desk_outbox(text,timestamp with time zone,uuid) is 'Fifty emails and text messages: those that were given up, the newest first, or those that wait, the next first. Never what is in them. For administrators.';
grant execute on function public.desk_outbox(text,timestamp with time zone,uuid) to authenticated;
grant execute on function public.desk_outbox(text,timestamp with time zone,uuid) to service_role;

CREATE OR REPLACE FUNCTION public.desk_people(find text DEFAULT ''::text, kind text DEFAULT 'all'::text, before_at timestamp with time zone DEFAULT NULL::timestamp with time zone, before_id uuid DEFAULT NULL::uuid)
 RETURNS TABLE(id uuid, email text, full_name text, role text, suspended boolean, plan text, created_at timestamp with time zone, last_sign_in_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
declare
  -- An account lies before every row of the first page.
  last_at constant timestamptz := coalesce(before_at, 'infinity');
  last_id constant uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  wanted constant tsquery := private.search_query(find);
  page uuid[];
begin
  perform private.require_role('admin', 'support');
  if find ~* '^\s*[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\s*$' then
    page := array[btrim(find)::uuid];
  elsif wanted is not null then
    page := array(
      select u.id from auth.users u where u.id in (
        select w.id from auth.users w where private.search_words(w.email) @@ wanted
        union all
        select p.id from public.profiles p where private.search_words(p.full_name) @@ wanted)
      and (u.created_at, u.id) < (last_at, last_id)
      and (kind = 'all' or kind = 'staff' and u.raw_app_meta_data ? 'role' or kind = 'suspended' and private.is_suspended(u.banned_until))
      order by u.created_at desc, u.id desc limit 50);
  elsif kind = 'staff' then
    page := array(select u.id from auth.users u where u.raw_app_meta_data ? 'role' and (u.created_at, u.id) < (last_at, last_id)
      order by u.created_at desc, u.id desc limit 50);
  elsif kind = 'suspended' then
    page := array(select u.id from auth.users u
      where u.banned_until is not null and u.banned_until > now() and (u.created_at, u.id) < (last_at, last_id)
      order by u.created_at desc, u.id desc limit 50);
  else
    page := array(select u.id from auth.users u where (u.created_at, u.id) < (last_at, last_id)
      order by u.created_at desc, u.id desc limit 50);
  end if;
  return query
    select u.id, u.email, private.name_of(u.id), u.raw_app_meta_data ->> 'role', private.is_suspended(u.banned_until),
      (select l.name from private.limits_of(u.id) l), u.created_at, u.last_sign_in_at
    from auth.users u where u.id = any (page) order by u.created_at desc, u.id desc;
end
$function$;
comment on function public.desk_people(text,text,timestamp with time zone,uuid) is 'Fifty accounts, the newest first: all, staff or suspended; with find those whose address or name has words that begin so, or the one of an id. For administrators and support. It turns sequential scans off for itself: the planner cannot know how many words begin like a few letters, and reading every account is never right for fifty of them.';
grant execute on function public.desk_people(text,text,timestamp with time zone,uuid) to authenticated;
grant execute on function public.desk_people(text,text,timestamp with time zone,uuid) to service_role;

CREATE OR REPLACE FUNCTION public.desk_person(person uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  found_one jsonb;
begin
  perform private.require_role('admin', 'support');
  select jsonb_build_object(
    'id', u.id, 'email', u.email, 'phone', u.phone, 'full_name', coalesce(p.full_name, ''),
    'role', u.raw_app_meta_data ->> 'role', 'language', u.raw_user_meta_data ->> 'language',
    'suspended', private.is_suspended(u.banned_until), 'confirmed', u.confirmed_at is not null,
    'created_at', u.created_at, 'last_sign_in_at', u.last_sign_in_at,
    'providers', (select coalesce(jsonb_agg(i.provider order by i.provider), '[]') from auth.identities i where i.user_id = u.id),
    'counts', (
      select jsonb_build_object('memories', count(*) filter (where m.deleted_at is null), 'in_trash', count(*) filter (where m.deleted_at is not null),
        'photos', coalesce(sum(x.photos), 0), 'videos', coalesce(sum(x.videos), 0))
      from public.memories m cross join lateral (
        select count(*) filter (where o.type = 'image') as photos, count(*) filter (where o.type in ('video', 'audio')) as videos from public.media o
        where o.memory_id = m.id and o.moderation not in ('deleted', 'attached')) x
      where m.user_id = u.id),
    'stored', coalesce((select a.stored + a.held from private.account_use a where a.account = u.id), 0),
    'plan', (select to_jsonb(l) from private.limits_of(u.id) l),
    'plans', (
      select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'status', s.status, 'starts_at', s.starts_at,
        'expires_at', s.expires_at, 'order_id', s.order_id) order by s.starts_at desc, s.id), '[]')
      from public.user_subscriptions s where s.user_id = u.id),
    'orders', (
      select coalesce(jsonb_agg(to_jsonb(o) order by o.created_at desc, o.id), '[]')
      from (select o.id, o.number, o.status, o.currency, o.total, o.refunded, o.created_at from public.orders o
        where o.user_id = u.id order by o.created_at desc, o.id limit 20) o),
    'sessions', (
      select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'user_agent', s.user_agent, 'ip', split_part(s.ip, '/', 1), 'aal', s.aal,
        'created_at', s.created_at, 'last_seen_at', greatest(s.created_at, s.refreshed_at)) order by greatest(s.created_at, s.refreshed_at) desc), '[]')
      from auth.sessions s where s.user_id = u.id and (s.not_after is null or s.not_after > now())),
    'factors', (
      select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'type', f.factor_type, 'name', f.friendly_name, 'status', f.status,
        'created_at', f.created_at) order by f.created_at), '[]')
      from auth.mfa_factors f where f.user_id = u.id))
  into found_one from auth.users u left join public.profiles p on p.id = u.id where u.id = person;
  if found_one is null then
    raise exception 'There is nothing here.' using errcode = 'PT404', hint = 'not_found';
  end if;
  return found_one;
end
$function$;
comment on function public.desk_person(uuid) is 'What an account has: counts, plan, orders, sessions and second factors without their secrets; nothing of what is in its memories. For administrators and support.';
grant execute on function public.desk_person(uuid) to authenticated;
grant execute on function public.desk_person(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.desk_queues()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_role('admin', 'support');
  return jsonb_build_object(
    'outbox', (select count(*) from private.outbox o where o.state = 'waiting'),
    'failed_mails', (select count(*) from private.outbox o where o.state = 'dead'),
    'photos', (select count(*) from public.media m where m.state = 'waiting'),
    'videos', (select count(*) from public.media m where m.type in ('video', 'audio') and (m.playback is null or m.playback in ('waiting', 'making'))),
    'reports', (select count(*) from public.reports r where r.settled_at is null),
    'messages', (select count(*) from public.inbox_items i where i.kind = 'message' and i.state in ('new', 'open')));
end
$function$;
comment on function public.desk_queues() is 'What waits now: emails, photos, videos and recordings to be made ready, emails that were given up, open reports, and messages that nobody has answered or closed. For administrators and support.';
grant execute on function public.desk_queues() to authenticated;
grant execute on function public.desk_queues() to service_role;

CREATE OR REPLACE FUNCTION public.desk_read_back()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_role('admin');
  return jsonb_build_object(
    'round', (
      select jsonb_build_object('started_at', r.started_at, 'finished_at', r.finished_at, 'bytes_per_day', r.bytes_per_day,
        'stored_files', r.stored_files, 'round_files', r.round_files, 'files', r.files, 'bytes', r.bytes,
        'differences', r.differences, 'mended', r.mended)
      from private.read_back r),
    'mending', (select count(*) from private.damaged_files d where d.lost_at is null),
    'lost', (select count(*) from private.damaged_files d where d.lost_at is not null),
    'files', (
      select coalesce(jsonb_agg(to_jsonb(l)), '[]') from (
        select d.object_id, d.kind, d.found_at, d.reason, d.lost_at, d.told_at, o.bucket_id as bucket, o.metadata ->> 'mimetype' as mime_type,
          (o.metadata ->> 'size')::bigint as size
        from private.damaged_files d join storage.objects o on o.id = d.object_id and o.version = d.version
        order by d.lost_at is null, d.found_at desc, d.object_id limit 50) l));
end
$function$;
comment on function public.desk_read_back() is 'The round that reads stored files again, and the newest fifty damaged files: those without a copy first. Never a name or a memory. For administrators.';
grant execute on function public.desk_read_back() to authenticated;
grant execute on function public.desk_read_back() to service_role;

CREATE OR REPLACE FUNCTION public.desk_system()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_role('admin');
  return jsonb_build_object(
    'jobs', (
      select coalesce(jsonb_agg(to_jsonb(s) order by s.failures > 0 desc, s.job, s.process), '[]')
      from private.job_states s where s.seen_at > now() - interval '1 hour'),
    'refusals', (select coalesce(jsonb_object_agg(r.area, r.count), '{}') from private.refusals r where r.day = (now() at time zone 'utc')::date),
    'outbox', jsonb_build_object(
      'waiting', (select count(*) from private.outbox o where o.state = 'waiting'),
      'dead', (select count(*) from private.outbox o where o.state = 'dead')),
    'database_bytes', pg_database_size(current_database()),
    'database_version', current_setting('server_version'),
    'tables', (
      select jsonb_agg(to_jsonb(t)) from (
        select c.oid::regclass::text as name, pg_total_relation_size(c.oid) as bytes, greatest(c.reltuples, 0)::bigint as rows
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'r' and n.nspname in ('public', 'private', 'auth', 'storage') order by 2 desc, 1 limit 8) t),
    'storage', jsonb_build_object(
      'stored', (select coalesce(sum(u.stored), 0) from private.account_use u),
      'uploads', (select count(*) from storage.uploads u where u.finished_at is null),
      'upload_bytes', (select coalesce(sum(u.size), 0) from storage.uploads u where u.finished_at is null),
      'discarded', (select count(*) from storage.discarded),
      'orphans', (select count(*) from storage.objects o where o.bucket_id = 'media' and o.created_at < now() - interval '1 day'
        and not exists (select from public.media m where m.id = o.id))),
    'schema', (select max(m.name) from migrations.applied m where m.name like 'product/%'));
end
$function$;
comment on function public.desk_system() is 'The state of the installation: jobs of every process, refusals of today, emails, and the sizes of database and storage. For administrators.';
grant execute on function public.desk_system() to authenticated;
grant execute on function public.desk_system() to service_role;

CREATE OR REPLACE FUNCTION public.discard_film(slideshow uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not exists (select from public.slideshows s where s.id = slideshow and private.is_manager(s.memory_id)) then
    raise exception 'There is no such slideshow among yours.' using errcode = 'PT404';
  end if;
  -- In the order of the job that stores a film.
  perform from public.slideshow_films f where f.slideshow_id = slideshow for update;
  delete from private.work w where w.subject = slideshow;
  update public.slideshow_films f set state = 'ready', progress = null, failure = null
    where f.slideshow_id = slideshow and f.state in ('waiting', 'making') and f.object_name is not null;
  if not found then
    delete from public.slideshow_films f where f.slideshow_id = slideshow;
  end if;
end
$function$;
comment on function public.discard_film(uuid) is 'Cancels the making of a film, which leaves the film before; or deletes a film that is not being made. Only for managers.';
grant execute on function public.discard_film(uuid) to authenticated;
grant execute on function public.discard_film(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.empty_trash(of_others boolean DEFAULT false)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with gone as (
    delete from public.trash t
    where private.has_required_aal() and case when of_others
      then t.deleted_by is distinct from auth.uid()
        and t.memory_id in (select m.id from public.memories m where m.user_id = auth.uid())
      else t.deleted_by = auth.uid() and private.may_restore(t) end
    returning t.id
  ) select count(*)::integer from gone
$function$;
comment on function public.empty_trash(boolean) is 'Permanently deletes everything that the caller moved to the trash, or, with of_others, what others deleted in the caller''s own memories, which uses their storage. Returns how many.';
grant execute on function public.empty_trash(boolean) to authenticated;
grant execute on function public.empty_trash(boolean) to service_role;

CREATE OR REPLACE FUNCTION public.end_granted_plan(subscription uuid, reason text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  plan public.user_subscriptions;
begin
  perform private.require_role('admin');
  select * into plan from public.user_subscriptions s where s.id = subscription and s.order_id is null and s.status in ('active', 'waiting') for update;
  if not found then
    raise exception 'There is no granted plan to end. One that was bought ends with a refund.' using errcode = 'PT404', hint = 'not_found';
  end if;
  perform private.person_to_change(plan.user_id::text, reason);
  update public.user_subscriptions s set status = 'cancelled' where s.id = subscription;
  perform private.recalculate_subscriptions(plan.user_id);
  perform private.record_action('person.plan', plan.user_id::text, jsonb_build_object('plan', plan.plan_id), null, reason);
  return (select to_jsonb(l) from private.limits_of(plan.user_id) l);
end
$function$;
comment on function public.end_granted_plan(uuid,text) is 'Ends a plan that was granted without a payment. Nothing is deleted: the limits change. For administrators.';
grant execute on function public.end_granted_plan(uuid,text) to authenticated;
grant execute on function public.end_granted_plan(uuid,text) to service_role;

CREATE OR REPLACE FUNCTION public.end_session(session_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from auth.sessions s where s.id = session_id and s.user_id = auth.uid() and private.has_required_aal();
  return found;
end
$function$;
comment on function public.end_session(uuid) is 'Ends one of the signed-in person''s sessions and all its tokens. Returns false if it is not theirs.';
grant execute on function public.end_session(uuid) to authenticated;
grant execute on function public.end_session(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.erase_person(whom text, reason text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  person auth.users;
begin
  perform private.require_role('admin');
  person := private.person_to_change(whom, reason);
  perform private.erase_account(person.id);
  perform private.record_action('person.erase', person.id::text, null, null, reason);
  return jsonb_build_object('id', person.id, 'erased', true);
end
$function$;
comment on function public.erase_person(text,text) is 'Deletes an account exactly as its person would. Nothing brings it back. For administrators and the command line.';
grant execute on function public.erase_person(text,text) to authenticated;
grant execute on function public.erase_person(text,text) to service_role;

CREATE OR REPLACE FUNCTION public.file_name(public.media)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select d.file_name from public.media_details d where d.media_id = $1.id
$function$;
grant execute on function public.file_name(public.media) to anon;
grant execute on function public.file_name(public.media) to authenticated;
grant execute on function public.file_name(public.media) to service_role;

CREATE OR REPLACE FUNCTION public.finishes_at(public.memory_entries)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case when $1.part is null then null
    when $1.starts_at is null then timezone($1.time_zone, $1.on_date::date + interval '1 day')
    when $1.ends_at is null then timezone($1.time_zone, $1.on_date::date + $1.starts_at) + interval '1 hour'
    else timezone($1.time_zone, $1.on_date::date + $1.ends_at + case when $1.ends_at <= $1.starts_at then interval '1 day' else interval '0' end) end
$function$;
comment on function public.finishes_at(public.memory_entries) is 'When a part of a day ends: after an hour if only its begin has a time, at the end of its day if it has none.';
grant execute on function public.finishes_at(public.memory_entries) to anon;
grant execute on function public.finishes_at(public.memory_entries) to authenticated;
grant execute on function public.finishes_at(public.memory_entries) to service_role;

CREATE OR REPLACE FUNCTION public.grant_plan(email text, plan text, years integer DEFAULT NULL::integer, reason text DEFAULT 'Given from the command line'::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  term integer := (select coalesce(years, p.term_years) from public.subscription_plans p where p.id = plan and p.term_years is not null);
  person auth.users;
begin
  perform private.require_role('admin');
  person := private.person_to_change(email, reason);
  if term is null then
    raise exception 'There is no such plan to give.' using errcode = 'PT404', hint = 'no_plan',
      detail = (select string_agg(p.id, ', ' order by p.position) from public.subscription_plans p where p.term_years is not null);
  end if;
  if term not between 1 and 100 then
    raise exception 'A plan is given for 1 to 100 years.' using errcode = 'PT400', hint = 'years';
  end if;
  insert into public.user_subscriptions (user_id, plan_id, expires_at) values (person.id, plan, now() + make_interval(years => term));
  perform private.record_action('person.plan', person.id::text, null, jsonb_build_object('plan', plan, 'years', term), reason);
  return (select to_jsonb(l) from private.limits_of(person.id) l);
end
$function$;
comment on function public.grant_plan(text,text,integer,text) is 'Grants a plan to the account of an address or id from now on, for its own term or the given number of years, without a payment. Returns the limits that apply. For administrators and the command line.';
grant execute on function public.grant_plan(text,text,integer,text) to authenticated;
grant execute on function public.grant_plan(text,text,integer,text) to service_role;

CREATE OR REPLACE FUNCTION public.guest_id(public.media)
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select d.guest_id from public.media_details d where d.media_id = $1.id
$function$;
grant execute on function public.guest_id(public.media) to anon;
grant execute on function public.guest_id(public.media) to authenticated;
grant execute on function public.guest_id(public.media) to service_role;

CREATE OR REPLACE FUNCTION public.invitation_email(invitation_id uuid)
 RETURNS TABLE(share_id text, token text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  asked public.invitations;
  link public.share_links;
begin
  select * into asked from public.invitations i
  where i.id = invitation_email.invitation_id and i.state = 'open' and private.is_manager(i.memory_id) for update;
  if asked.id is null then
    raise exception 'There is no such open invitation.' using errcode = 'PT404';
  end if;
  insert into public.share_links as known (memory_id, invitation_id, rights, expires_at)
  values (asked.memory_id, asked.id, private.invited_rights(asked.role), now() + interval '90 days')
  on conflict on constraint share_links_invitation_id_key do update set expires_at = excluded.expires_at
  returning known.* into link;
  share_id := link.share_id;
  token := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  insert into private.invitation_tokens (hash, link_id) values (encode(sha256(convert_to(token, 'utf8')), 'hex'), link.id);
  return next;
end
$function$;
comment on function public.invitation_email(uuid) is 'A new token for an email of an open invitation, valid for 90 days, and its share id. Earlier emails stay valid. Only for managers.';
grant execute on function public.invitation_email(uuid) to authenticated;
grant execute on function public.invitation_email(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.invite_to_day(reply_id uuid, link_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  memory constant uuid := (select r.memory_id from public.day_replies r
    where r.id = invite_to_day.reply_id and private.is_manager(r.memory_id));
  reply public.day_replies;
  guest uuid;
  token constant text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
begin
  -- In the same order of locks as saving.
  perform from public.memories m where m.id = memory for key share;
  perform from public.day_reply_settings s where s.memory_id = memory for update;
  select * into reply from public.day_replies r where r.id = invite_to_day.reply_id and r.memory_id = memory;
  if reply.id is null then
    raise exception 'There is no such reply.' using errcode = 'PT404', hint = 'reply_gone';
  end if;
  if reply.user_id is not null or reply.guest_id is not null and reply.invited_at is null then
    raise exception 'Who replied by themselves has a link of their own.' using errcode = 'PT409', hint = 'own_link';
  end if;
  update public.share_links l set shared_at = coalesce(l.shared_at, now())
  where l.id = invite_to_day.link_id and l.memory_id = memory and l.rights <> 'upload' and l.invitation_id is null and not l.for_card
    and l.revoked_at is null and coalesce(l.expires_at > now(), true);
  if not found then
    raise exception 'This link is not open any more.' using errcode = 'PT410', hint = 'revoked';
  end if;
  if reply.guest_id is null then
    insert into public.guests (link_id, name) values (invite_to_day.link_id, reply.names[1]) returning id into guest;
  else
    guest := reply.guest_id;
    delete from private.guest_keys k where k.guest_id = guest;
    update public.guests g set link_id = invite_to_day.link_id where g.id = guest and g.link_id <> invite_to_day.link_id;
  end if;
  -- The token has 244 random bits, so its hash needs no key.
  insert into private.guest_keys (hash, guest_id) values (encode(sha256(convert_to(token, 'utf8')), 'hex'), guest);
  update public.day_replies r set guest_id = guest, invited_at = now() where r.id = reply.id;
  return token;
end
$function$;
comment on function public.invite_to_day(uuid,uuid) is 'Makes the personal link of a household that managers have written down, by one of the memory''s links, and returns its key, which is stored only as a hash. Earlier keys of the household end.';
grant execute on function public.invite_to_day(uuid,uuid) to authenticated;
grant execute on function public.invite_to_day(uuid,uuid) to service_role;

CREATE OR REPLACE FUNCTION public.is_open(letter public.photo_letters)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select private.is_open_letter(l) from public.photo_letters l where l.id = letter.id
    and (l.asker_id = auth.uid() and (select private.has_required_aal()) or private.is_manager(l.memory_id))
$function$;
comment on function public.is_open(public.photo_letters) is 'Whether the letter''s link opens now, for those who may read the letter.';
grant execute on function public.is_open(public.photo_letters) to authenticated;
grant execute on function public.is_open(public.photo_letters) to service_role;

CREATE OR REPLACE FUNCTION public.let_back_person(whom text, reason text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  person auth.users;
begin
  perform private.require_role('admin');
  person := private.person_to_change(whom, reason);
  update auth.users u set banned_until = null, updated_at = now() where u.id = person.id;
  perform private.record_action('person.let_back', person.id::text, null, null, reason);
  return jsonb_build_object('id', person.id, 'suspended', false);
end
$function$;
comment on function public.let_back_person(text,text) is 'Lets a suspended person sign in again. For administrators and the command line.';
grant execute on function public.let_back_person(text,text) to authenticated;
grant execute on function public.let_back_person(text,text) to service_role;

CREATE OR REPLACE FUNCTION public.letter_contents()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('memory', m.person_name, 'asker', private.name_of(l.asker_id), 'recipient', l.recipient, 'note', l.note,
    'now', now(), 'ends_at', l.expires_at, 'photos', coalesce((
      select jsonb_agg(jsonb_build_object('id', x.id, 'object_name', x.object_name, 'width', x.width, 'height', x.height,
        'colour', x.colour, 'placeholder', x.placeholder, 'answers', private.answers_of(l.id, x.id)) order by array_position(l.media_ids, x.id))
      from public.media x where x.id = any (private.letter_media_ids())), '[]'))
  from private.open_letter() l join public.memories m on m.id = l.memory_id
$function$;
comment on function public.letter_contents() is 'What the link of a letter shows: the memory''s name, who asks whom, and the photos with the answers so far. Null for every other caller.';
grant execute on function public.letter_contents() to anon;
grant execute on function public.letter_contents() to service_role;

CREATE OR REPLACE FUNCTION public.link_openings(link_id uuid)
 RETURNS TABLE(opened_at timestamp with time zone, times integer, device text, person text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select o.opened_at, o.times, o.device, p.full_name
  from public.share_openings o left join public.profiles p on p.id = o.user_id
  where o.link_id = link_openings.link_id and private.is_link_manager(link_openings.link_id)
  order by o.opened_at desc, o.id desc limit 1000
$function$;
comment on function public.link_openings(uuid) is 'When a link was opened, newest first, and by whom if they were signed in. Empty unless the caller manages the link.';
grant execute on function public.link_openings(uuid) to authenticated;
grant execute on function public.link_openings(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.media(memory public.memories)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('type', m.type, 'size', m.size) order by m.created_at, m.id), '[]')
  from public.media m where m.memory_id = memory.id
$function$;
comment on function public.media(public.memories) is 'The photos and videos of a memory, each with its type and its size in bytes, as a computed column.';
grant execute on function public.media(public.memories) to anon;
grant execute on function public.media(public.memories) to authenticated;
grant execute on function public.media(public.memories) to service_role;

CREATE OR REPLACE FUNCTION public.memory_people(memory_id uuid, skip integer DEFAULT 0, most integer DEFAULT NULL::integer)
 RETURNS TABLE(id uuid, name text, role text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_sort TO 'off'
AS $function$
  select people.id, people.name, people.role
  from (
    select m.user_id as id, private.name_of(m.user_id) as name, 'owner' as role, 0 as rank
    from public.memories m where m.id = memory_people.memory_id
    union all
    (select n.user_id, n.name, n.role, n.rank from private.member_names n where n.memory_id = memory_people.memory_id
      order by n.rank, n.name, n.user_id limit case when most >= 0 then most + greatest(skip, 0) end)
  ) people
  where (private.is_owner(memory_people.memory_id) or private.member_role(memory_people.memory_id) is not null)
    and private.has_required_aal()
  order by people.rank, people.name, people.id
  offset greatest(skip, 0) limit case when most >= 0 then most end
$function$;
comment on function public.memory_people(uuid,integer,integer) is 'The members of a memory with their names, the owner first. Empty for callers who are not members themselves.';
grant execute on function public.memory_people(uuid,integer,integer) to anon;
grant execute on function public.memory_people(uuid,integer,integer) to authenticated;
grant execute on function public.memory_people(uuid,integer,integer) to service_role;

CREATE OR REPLACE FUNCTION public.memory_rights(memory_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with memory as (
    select m.id, private.is_owner(m.id) as owned, private.member_role(m.id) as member
    from public.memories m where m.id = memory_rights.memory_id
  ), may as (
    select id, owned, member,
      private.is_manager(id) as manages, private.can_view(id) as views, private.can_contribute(id) as contributes
    from memory
  )
  select coalesce((
    select jsonb_build_object(
      'role', case when owned then 'owner' when member is not null then member else 'visitor' end,
      'delete', owned, 'manage', manages,
      'view', views,
      'contribute', contributes,
      'comment', private.can_comment(id),
      'download', manages or member is not null or exists (select from private.open_link() where allows_download))
    from may where views or contributes),
    '{"role": null, "delete": false, "manage": false, "view": false, "contribute": false, "comment": false, "download": false}')
$function$;
comment on function public.memory_rights(uuid) is 'The caller''s rights in a memory, for the page. The row policies follow the same rules.';
grant execute on function public.memory_rights(uuid) to anon;
grant execute on function public.memory_rights(uuid) to authenticated;
grant execute on function public.memory_rights(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.moderate(items jsonb, decision text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  kept constant uuid[] := private.managed_memory_ids();
  of_table text;
  part jsonb;
  changed jsonb := '[]';
begin
  if decision is null or decision not in ('shown', 'held', 'hidden') then
    raise exception 'A decision is shown, held or hidden.' using errcode = 'PT400';
  end if;
  if jsonb_typeof(items) is distinct from 'array' or jsonb_array_length(items) > 1000 then
    raise exception 'At most 1,000 items are decided at once.' using errcode = 'PT400';
  end if;
  foreach of_table in array '{media,stories,comments,reactions}'::text[] loop
    execute format(
      'with wanted as (select (i ->> ''id'')::uuid as id, i ->> ''was'' as was from jsonb_array_elements($1) i where i ->> ''kind'' = $2),
       found as (select t.id, t.moderation from public.%1$I t join wanted w on w.id = t.id
         where t.memory_id = any ($3) and t.moderation not in ($4, ''deleted'', ''attached'') and coalesce(w.was, t.moderation) = t.moderation
         order by t.id for update of t),
       done as (update public.%1$I t set moderation = $4 from found where t.id = found.id returning t.id)
       select coalesce(jsonb_agg(jsonb_build_object(''kind'', $2, ''id'', found.id, ''was'', found.moderation)), ''[]'')
       from found join done using (id)', of_table)
    into part using items,
      (case of_table when 'stories' then 'story' when 'comments' then 'comment' when 'reactions' then 'reaction' else 'media' end),
      kept, decision;
    changed := changed || part;
  end loop;
  return changed;
end
$function$;
comment on function public.moderate(jsonb,text) is 'Shows, holds or hides items ({kind: media|story|comment|reaction, id, was}) of memories that the caller manages, in one transaction. Items that do not exist, have changed or are not the caller''s to decide are skipped. Returns those that changed and their previous state.';
grant execute on function public.moderate(jsonb,text) to authenticated;
grant execute on function public.moderate(jsonb,text) to service_role;

CREATE OR REPLACE FUNCTION public.moderation_queue(memory_id uuid, state text)
 RETURNS TABLE(kind text, id uuid, created_at timestamp with time zone, name text, user_id uuid, guest_id uuid, link_id uuid, link_label text, title text, words text, media jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with items as (
    select 'media' as kind, m.id, m.created_at, private.name_of_author(d.user_id, d.guest_id) as name, d.user_id, d.guest_id,
      d.file_name as title, m.caption as words, m.id as about, a.link_id
    from public.media m left join public.media_details d on d.media_id = m.id left join private.content_sources a on a.media_id = m.id
    where m.memory_id = moderation_queue.memory_id and m.moderation = moderation_queue.state
    union all
    select 'story', s.id, s.created_at, coalesce(n.name, ''), s.user_id, s.guest_id, s.title, left(s.body, 20000), null, a.link_id
    from public.stories s left join private.content_sources a on a.story_id = s.id
      left join public.story_credits n on n.story_id = s.id
    where s.memory_id = moderation_queue.memory_id and s.moderation = moderation_queue.state
    union all
    select 'comment', c.id, c.created_at, coalesce(n.name, ''), c.user_id, c.guest_id, '', coalesce(n.words, c.body), c.media_id, a.link_id
    from public.comments c left join private.content_sources a on a.comment_id = c.id
      left join public.comment_credits n on n.comment_id = c.id
    where c.memory_id = moderation_queue.memory_id and c.moderation = moderation_queue.state and c.deleted_at is null
    union all
    select 'reaction', r.id, r.created_at, coalesce(n.name, ''), r.user_id, r.guest_id, r.kind, '', r.media_id, a.link_id
    from public.reactions r left join private.content_sources a on a.reaction_id = r.id
      left join public.reaction_credits n on n.reaction_id = r.id
    where r.memory_id = moderation_queue.memory_id and r.moderation = moderation_queue.state
  )
  select i.kind, i.id, i.created_at, i.name, i.user_id, i.guest_id, l.id, l.label, i.title, i.words,
    case when x.id is not null then jsonb_build_object('id', x.id, 'type', x.type, 'object_name', x.object_name,
      'poster_name', x.poster_name, 'placeholder', x.placeholder, 'colour', x.colour, 'width', x.width, 'height', x.height,
      'state', x.state) end
  from items i
  left join public.guests g on g.id = i.guest_id
  left join public.share_links l on l.id = coalesce(i.link_id, g.link_id)
  left join public.media x on x.id = i.about
  where private.is_manager(moderation_queue.memory_id) and moderation_queue.state in ('held', 'hidden')
  order by case when moderation_queue.state = 'held' then i.created_at end, i.created_at desc, i.id limit 500
$function$;
comment on function public.moderation_queue(uuid,text) is 'Held items of a memory, oldest first, or with "hidden" the hidden ones, newest first: at most 500, with who added them and through which link. Empty unless the caller manages the memory.';
grant execute on function public.moderation_queue(uuid,text) to authenticated;
grant execute on function public.moderation_queue(uuid,text) to service_role;

CREATE OR REPLACE FUNCTION public.move_media(memory_id uuid, ids uuid[], before uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  lower double precision;
  upper double precision;
  step double precision;
  many constant integer := cardinality(ids);
begin
  if not private.is_manager(move_media.memory_id) then
    raise exception 'This memory is not one of yours.' using errcode = 'PT404';
  end if;
  -- Locks the memory, so that two managers arrange one after the other.
  perform from public.memories m where m.id = move_media.memory_id for no key update;
  for attempt in 1..2 loop
    if before is null then
      select coalesce(max(m.position), 0) into lower from public.media m
        where m.memory_id = move_media.memory_id and m.id <> all (ids);
      upper := lower + many + 1;
    else
      select m.position into upper from public.media m
        where m.memory_id = move_media.memory_id and m.id = before and m.id <> all (ids);
      if upper is null then
        raise exception 'There is no arranged photo to put these before.' using errcode = 'PT409', hint = 'not_arranged';
      end if;
      select max(m.position) into lower from public.media m
        where m.memory_id = move_media.memory_id and m.position < upper and m.id <> all (ids);
      lower := coalesce(lower, upper - many - 1);
    end if;
    step := (upper - lower) / (many + 1);
    exit when step > 1e-6;
    -- No space is left between two positions: all are renumbered once.
    update public.media m set position = numbered.place
    from (select a.id, row_number() over (order by a.position) as place from public.media a
      where a.memory_id = move_media.memory_id and a.position is not null) as numbered
    where m.id = numbered.id;
  end loop;
  update public.media m set position = lower + step * wanted.place
  from unnest(ids) with ordinality as wanted (id, place)
  where m.id = wanted.id and m.memory_id = move_media.memory_id;
  update public.memories m set media_order = 'arranged' where m.id = move_media.memory_id and media_order <> 'arranged';
end
$function$;
comment on function public.move_media(uuid,uuid[],uuid) is 'Moves photos and videos, in this order, before another one of the memory, or to the end. Only for managers.';
grant execute on function public.move_media(uuid,uuid[],uuid) to authenticated;
grant execute on function public.move_media(uuid,uuid[],uuid) to service_role;

CREATE OR REPLACE FUNCTION public.my_affiliate_balances()
 RETURNS TABLE(currency text, earned integer, reversed integer, waiting integer, payable integer, paid_out integer)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with own as (select a.id from public.affiliates a where a.user_id = auth.uid()),
  movements as (
    select c.currency, c.earned, c.reversed, c.amount, c.held or c.payable_at > now() as waits, 0 as paid
    from public.commissions c where c.affiliate_id in (select id from own)
    union all
    select p.currency, 0, 0, 0, false, p.amount from public.payouts p where p.affiliate_id in (select id from own)
  )
  select m.currency, sum(m.earned)::integer, sum(m.reversed)::integer,
    coalesce(sum(m.amount) filter (where m.waits), 0)::integer,
    (coalesce(sum(m.amount) filter (where not m.waits), 0) - sum(m.paid))::integer, sum(m.paid)::integer
  from movements m group by m.currency order by m.currency desc
$function$;
comment on function public.my_affiliate_balances() is 'The caller''s commissions, a row for each currency: earned = reversed + waiting + payable + paid_out. In pence or cents.';
grant execute on function public.my_affiliate_balances() to authenticated;
grant execute on function public.my_affiliate_balances() to service_role;

CREATE OR REPLACE FUNCTION public.my_invitations()
 RETURNS TABLE(id uuid, memory_id uuid, person_name text, kind text, role text, inviter_name text, note text, created_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select i.id, i.memory_id, m.person_name, m.kind, i.role, coalesce(p.full_name, ''), i.note, i.created_at
  from public.invitations i join public.memories m on m.id = i.memory_id and not m.draft
  left join public.profiles p on p.id = i.invited_by
  where i.state = 'open' and i.email = private.own_address() and private.has_required_aal()
    and i.memory_id <> all (private.blocked_memory_ids())
  order by i.created_at desc
$function$;
comment on function public.my_invitations() is 'The open invitations to the signed-in person''s confirmed address.';
grant execute on function public.my_invitations() to authenticated;
grant execute on function public.my_invitations() to service_role;

CREATE OR REPLACE FUNCTION public.my_sessions()
 RETURNS TABLE(id uuid, user_agent text, ip text, created_at timestamp with time zone, last_seen_at timestamp with time zone, is_current boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select s.id, s.user_agent, split_part(s.ip::text, '/', 1), s.created_at,
    greatest(s.created_at, s.refreshed_at), s.id::text = auth.jwt() ->> 'session_id'
  from auth.sessions s
  where s.user_id = auth.uid() and (s.not_after is null or s.not_after > now()) and private.has_required_aal()
  order by 6 desc, 5 desc
$function$;
comment on function public.my_sessions() is 'The sessions of the signed-in person: the current one first, then by last use.';
grant execute on function public.my_sessions() to authenticated;
grant execute on function public.my_sessions() to service_role;

CREATE OR REPLACE FUNCTION public.name_key(memory public.memories)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select private.search_key(memory.person_name)
$function$;
comment on function public.name_key(public.memories) is 'The name as a search compares it.';
grant execute on function public.name_key(public.memories) to authenticated;
grant execute on function public.name_key(public.memories) to service_role;

CREATE OR REPLACE FUNCTION public.name_people(memory_id uuid, media_ids uuid[], person_id uuid, name text DEFAULT NULL::text, x real DEFAULT NULL::real, y real DEFAULT NULL::real)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
#variable_conflict use_column
begin
  if name_people.name is not null then
    insert into public.pictured_people (id, memory_id, name)
    values (name_people.person_id, name_people.memory_id, name_people.name) on conflict do nothing;
  end if;
  if name_people.x is not null then
    update public.media_names n set x = name_people.x, y = name_people.y
    where n.media_id = any (name_people.media_ids) and n.person_id = name_people.person_id
      and (n.x, n.y) is distinct from (name_people.x, name_people.y);
  end if;
  return query
    insert into public.media_names (media_id, person_id, memory_id, x, y)
    select m.id, name_people.person_id, m.memory_id, name_people.x, name_people.y from public.media m
    where m.id = any (name_people.media_ids) and m.memory_id = name_people.memory_id
    order by m.id
    on conflict do nothing returning media_id;
end
$function$;
comment on function public.name_people(uuid,uuid[],uuid,text,real,real) is 'Names a person on photos and videos of a memory, and adds the person to its list if there is a name and no such person. Row policies decide who may. Returns the ids of those that did not have the name.';
grant execute on function public.name_people(uuid,uuid[],uuid,text,real,real) to anon;
grant execute on function public.name_people(uuid,uuid[],uuid,text,real,real) to authenticated;
grant execute on function public.name_people(uuid,uuid[],uuid,text,real,real) to service_role;

CREATE OR REPLACE FUNCTION public.order_events(order_id uuid)
 RETURNS TABLE(happened_at timestamp with time zone, kind text, state text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_role('admin', 'support', 'fulfilment');
  return query
    select coalesce(b.settled_at, b.created_at), b.template, b.state from private.outbox b
    where b.template in ('receipt', 'order-refunded', 'order-disputed', 'payment-failed')
      and b.recipient = (select o.email from public.orders o where o.id = order_events.order_id)
      and b.dedupe_key like '% of ' || order_events.order_id || '%'
    union all
    select e.created, case e.type when 'charge.refunded' then 'refunded' when 'charge.dispute.created' then 'disputed'
      else 'dispute-closed' end, null::text from private.payment_events e
    where e.order_id = order_events.order_id
      and e.type in ('charge.refunded', 'charge.dispute.created', 'charge.dispute.closed')
    order by 1;
end
$function$;
comment on function public.order_events(uuid) is 'What happened with an order that its row does not show: emails of the last 30 days with their state, refunds and disputes. For staff.';
grant execute on function public.order_events(uuid) to authenticated;
grant execute on function public.order_events(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.own_id(comment public.comments)
 RETURNS uuid
 LANGUAGE sql
 STABLE
RETURN CASE WHEN ((comment).user_id = auth.uid()) THEN (comment).user_id ELSE NULL::uuid END;
comment on function public.own_id(public.comments) is 'The id of the caller''s account if it wrote the comment, otherwise null, as a computed column.';
grant execute on function public.own_id(public.comments) to anon;
grant execute on function public.own_id(public.comments) to authenticated;
grant execute on function public.own_id(public.comments) to service_role;

CREATE OR REPLACE FUNCTION public.own_id(reply public.day_replies)
 RETURNS uuid
 LANGUAGE sql
 STABLE
RETURN CASE WHEN ((reply).user_id = auth.uid()) THEN (reply).user_id ELSE NULL::uuid END;
comment on function public.own_id(public.day_replies) is 'As of comments.';
grant execute on function public.own_id(public.day_replies) to anon;
grant execute on function public.own_id(public.day_replies) to authenticated;
grant execute on function public.own_id(public.day_replies) to service_role;

CREATE OR REPLACE FUNCTION public.own_id(details public.media_details)
 RETURNS uuid
 LANGUAGE sql
 STABLE
RETURN CASE WHEN ((details).user_id = auth.uid()) THEN (details).user_id ELSE NULL::uuid END;
comment on function public.own_id(public.media_details) is 'As of comments: whether the caller''s account added the photo or video.';
grant execute on function public.own_id(public.media_details) to anon;
grant execute on function public.own_id(public.media_details) to authenticated;
grant execute on function public.own_id(public.media_details) to service_role;

CREATE OR REPLACE FUNCTION public.own_id(reaction public.reactions)
 RETURNS uuid
 LANGUAGE sql
 STABLE
RETURN CASE WHEN ((reaction).user_id = auth.uid()) THEN (reaction).user_id ELSE NULL::uuid END;
comment on function public.own_id(public.reactions) is 'As of comments.';
grant execute on function public.own_id(public.reactions) to anon;
grant execute on function public.own_id(public.reactions) to authenticated;
grant execute on function public.own_id(public.reactions) to service_role;

CREATE OR REPLACE FUNCTION public.own_id(story public.stories)
 RETURNS uuid
 LANGUAGE sql
 STABLE
RETURN CASE WHEN ((story).user_id = auth.uid()) THEN (story).user_id ELSE NULL::uuid END;
comment on function public.own_id(public.stories) is 'As of comments.';
grant execute on function public.own_id(public.stories) to anon;
grant execute on function public.own_id(public.stories) to authenticated;
grant execute on function public.own_id(public.stories) to service_role;

CREATE OR REPLACE FUNCTION public.pair_sides(fronts uuid[], backs uuid[])
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  pair record;
begin
  perform private.lock_fronts(fronts || backs);
  for pair in select p.front, p.back from unnest(fronts, backs) as p (front, back) loop
    if not private.may_be_sides(pair.front, pair.back) then
      raise exception 'These photos cannot be the front and the back of one print.' using errcode = 'PT409', hint = 'not_sides';
    end if;
    perform private.attach_back(pair.front, pair.back);
    return next pair.front;
  end loop;
end
$function$;
comment on function public.pair_sides(uuid[],uuid[]) is 'Makes one item of each front and the back at the same place of the second list, or of none (PT409). Returns the fronts. Only for managers.';
grant execute on function public.pair_sides(uuid[],uuid[]) to authenticated;
grant execute on function public.pair_sides(uuid[],uuid[]) to service_role;

CREATE OR REPLACE FUNCTION public.payable_affiliates()
 RETURNS TABLE(email text, currency text, payable integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select u.email, c.currency, private.payable_to(a.id, c.currency)
  from public.affiliates a join auth.users u on u.id = a.user_id, (values ('GBP'), ('EUR')) c (currency)
  where private.payable_to(a.id, c.currency) > 0
  order by u.email, c.currency desc
$function$;
comment on function public.payable_affiliates() is 'Affiliates whose commissions can be paid out now, with the amount in pence or cents: a row for each person and currency.';
grant execute on function public.payable_affiliates() to service_role;

CREATE OR REPLACE FUNCTION public.personalise_card(card_id uuid, words jsonb, address jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  insert into public.card_deliveries (card_id, address) values (personalise_card.card_id, personalise_card.address)
  on conflict on constraint card_deliveries_pkey do update set address = personalise_card.address;
  update public.metal_cards c set name = coalesce(words ->> 'name', ''), dates = coalesce(words ->> 'dates', ''),
    finish = coalesce(words ->> 'finish', 'steel'), language = coalesce(words ->> 'language', 'en'),
    memory_id = (words ->> 'memory_id')::uuid, making = 'ordered'
  where c.id = personalise_card.card_id;
end
$function$;
comment on function public.personalise_card(uuid,jsonb,jsonb) is 'Sets the text on one of the caller''s waiting cards, what it opens (words: name, dates, finish, language, memory_id) and its address, and orders it.';
grant execute on function public.personalise_card(uuid,jsonb,jsonb) to authenticated;
grant execute on function public.personalise_card(uuid,jsonb,jsonb) to service_role;

CREATE OR REPLACE FUNCTION public.photo_outline(memory_id uuid, sort_by text DEFAULT 'taken'::text)
 RETURNS TABLE(keys text, kinds text, colours text, ratios real[], dates text[], cover text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select string_agg(left(s.id::text, 8), ''), string_agg(s.kind, ''), string_agg(s.colour, ''),
    array_agg(s.ratio), array_agg(s.date), max(left(s.id::text, 8)) filter (where s.is_cover)
  from (
    select m.id, m.is_cover, case when m.pages is not null then 'p' else left(m.type, 1) end as kind,
      coalesce(substr(m.colour, 2, 1) || substr(m.colour, 4, 1) || substr(m.colour, 6, 1), '---') as colour,
      case when m.width > 0 and m.height > 0 then round(m.width::numeric / m.height, 3)::real end as ratio,
      -- A time of upload belongs to a day only in the reader's time zone.
      case when sort_by = 'added' then to_char(m.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI"Z"') else m.taken_at::text end as date
    from public.media m
    where m.memory_id = photo_outline.memory_id and m.moderation = 'shown'
    order by
      case when sort_by = 'arranged' then m.position end,
      case when sort_by in ('taken', 'arranged') then m.taken_order end,
      case when sort_by = 'newest' then m.taken_order end desc nulls last,
      case when sort_by in ('taken', 'arranged') then coalesce(m.time_order, '-infinity') end,
      case when sort_by = 'newest' then coalesce(m.time_order, '-infinity') end desc,
      case when sort_by in ('newest', 'added') then m.created_at end desc,
      case when sort_by in ('newest', 'added') then m.id end desc,
      m.created_at, m.id
  ) s
  having count(*) > 0
$function$;
comment on function public.photo_outline(uuid,text) is 'The places, sizes, colours and dates of a memory''s photos in the order of its gallery, a letter or a list item for each: keys are the first eight characters of the ids, kinds i, v, a and p for papers, colours three digits. No row without photos. sort_by is as memories.media_order.';
grant execute on function public.photo_outline(uuid,text) to anon;
grant execute on function public.photo_outline(uuid,text) to authenticated;
grant execute on function public.photo_outline(uuid,text) to service_role;

CREATE OR REPLACE FUNCTION public.photos_by_key(memory_id uuid, keys text[])
 RETURNS SETOF public.media
 LANGUAGE sql
 STABLE ROWS 100
 SET search_path TO ''
AS $function$
  select m.* from unnest(keys[1:1000]) k (key)
  -- By their ids. Otherwise all photos of the memory could be read for each.
  cross join lateral (select x.* from public.media x
    where x.id between (k.key || '-0000-0000-0000-000000000000')::uuid and (k.key || '-ffff-ffff-ffff-ffffffffffff')::uuid offset 0) m
  where m.memory_id = photos_by_key.memory_id and m.moderation = 'shown'
$function$;
comment on function public.photos_by_key(uuid,text[]) is 'The photos of a memory whose ids begin with these keys of photo_outline, at most a thousand keys.';
grant execute on function public.photos_by_key(uuid,text[]) to anon;
grant execute on function public.photos_by_key(uuid,text[]) to authenticated;
grant execute on function public.photos_by_key(uuid,text[]) to service_role;

CREATE OR REPLACE FUNCTION public.put_in_album(album_id uuid, ids uuid[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update public.memories m set album_id = put_in_album.album_id, album_position = wanted.place + coalesce(
    (select max(x.album_position) from public.memories x where x.album_id = put_in_album.album_id), 0)
  from unnest(ids) with ordinality as wanted (id, place)
  where m.id = wanted.id and m.user_id = auth.uid() and m.album_id is distinct from put_in_album.album_id
$function$;
comment on function public.put_in_album(uuid,uuid[]) is 'Moves memories of the caller to the end of an album, out of their previous one; null removes them from albums.';
grant execute on function public.put_in_album(uuid,uuid[]) to authenticated;
grant execute on function public.put_in_album(uuid,uuid[]) to service_role;

CREATE OR REPLACE FUNCTION public.read_at(wall public.walls)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$ select now() $function$;
comment on function public.read_at(public.walls) is 'The server''s time, from which a remote control computes what screens show.';
grant execute on function public.read_at(public.walls) to authenticated;
grant execute on function public.read_at(public.walls) to service_role;

CREATE OR REPLACE FUNCTION public.recent_activity()
 RETURNS TABLE(kind text, memory_id uuid, memory_name text, mine boolean, author text, items bigint, at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_sort TO 'off'
AS $function$
#variable_conflict use_column
declare
  me constant uuid := auth.uid();
  most constant integer := 8;
  newest cursor for
    select a.*, m.person_name, s.user_id as story_user_id, n.name as author from private.activity a
    join public.memories m on m.id = a.memory_id and m.user_id = me and m.deleted_at is null
    left join public.stories s on s.id = a.story_id
    left join public.story_credits n on n.story_id = a.story_id
    where a.account = me and (a.story_id is null or s.moderation <> 'deleted')
    order by a.at desc;
  event record;
  -- Additions that were counted: memory, day and person.
  counted text[] := '{}';
  total bigint;
  events jsonb[] := '{}';
begin
  if not private.has_required_aal() then
    return;
  end if;
  open newest;
  loop
    fetch newest into event;
    exit when not found;
    -- Events of the same time are ordered below.
    exit when cardinality(events) >= most and event.at < (events[most] ->> 'at')::timestamptz;
    total := 1;
    if event.day is not null then
      continue when concat_ws('/', event.memory_id, event.day, event.user_id) = any (counted);
      counted := counted || concat_ws('/', event.memory_id, event.day, event.user_id);
      select sum(a.items) into total from private.activity a
      where a.memory_id = event.memory_id and a.day = event.day and a.user_id is not distinct from event.user_id;
      continue when total <= 0;
    end if;
    events := events || jsonb_build_object(
      'kind', case when event.day is not null then 'added' when event.story_id is not null then 'told' else 'joined' end,
      'memory_id', event.memory_id, 'memory_name', event.person_name,
      'mine', event.member_id is null and coalesce(coalesce(event.user_id, event.story_user_id) = me, false),
      'author', coalesce(event.author, (select p.full_name from public.profiles p where p.id = event.member_id)),
      'items', total, 'at', event.at);
  end loop;
  close newest;
  return query
    select e.kind, e.memory_id, e.memory_name, e.mine, e.author, e.items, e.at from unnest(events) o
      cross join lateral jsonb_to_record(o)
        as e (kind text, memory_id uuid, memory_name text, mine boolean, author text, items bigint, at timestamptz)
    union all
    (select 'began', m.id, m.person_name, true, null, 1::bigint, m.created_at from public.memories m
      where m.user_id = me and m.deleted_at is null order by m.created_at desc, m.id limit most)
    order by 7 desc, 1, 2 limit most;
end
$function$;
comment on function public.recent_activity() is 'The eight latest events in the signed-in person''s own memories: uploads by day, stories, new members, new memories.';
grant execute on function public.recent_activity() to authenticated;
grant execute on function public.recent_activity() to service_role;

CREATE OR REPLACE FUNCTION public.record_payout(email text, amount numeric, currency text, reference text DEFAULT ''::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  wanted uuid;
  recorded uuid;
begin
  perform private.require_role('admin');
  select a.id into wanted from public.affiliates a join auth.users u on u.id = a.user_id
  where lower(u.email) = lower(btrim(record_payout.email));
  if wanted is null then
    raise exception 'There is no affiliate with this address.' using errcode = 'PT404';
  end if;
  if amount <= 0 or amount * 100 <> trunc(amount * 100) then
    raise exception 'This is no amount of money: %', amount using errcode = 'PT400';
  end if;
  insert into public.payouts (affiliate_id, currency, amount, reference)
  values (wanted, upper(record_payout.currency), (record_payout.amount * 100)::integer, coalesce(record_payout.reference, ''))
  returning id into recorded;
  return jsonb_build_object('id', recorded, 'left', private.payable_to(wanted, upper(record_payout.currency)));
end
$function$;
comment on function public.record_payout(text,numeric,text,text) is 'Records a payout to an affiliate in pounds or euros. Raises PT409 if it exceeds what is payable. Returns its id, and the rest in pence or cents.';
grant execute on function public.record_payout(text,numeric,text,text) to authenticated;
grant execute on function public.record_payout(text,numeric,text,text) to service_role;

CREATE OR REPLACE FUNCTION public.register_push_device(endpoint text, p256dh text, auth text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;
comment on function public.register_push_device(text,text,text) is 'Sends the notifications of the caller to this device, as long as its session lasts. The arguments are those of the browser''s PushSubscription.';
grant execute on function public.register_push_device(text,text,text) to authenticated;
grant execute on function public.register_push_device(text,text,text) to service_role;

CREATE OR REPLACE FUNCTION public.remake_link(link_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  new_share constant text := private.new_share_id();
begin
  update public.share_links set share_id = new_share where id = link_id and private.is_link_manager(id);
  if not found then
    raise exception 'There is no such link among yours.' using errcode = 'PT404';
  end if;
  return new_share;
end
$function$;
comment on function public.remake_link(uuid) is 'Gives a link a new share id and returns it. The old one no longer works. Only for managers.';
grant execute on function public.remake_link(uuid) to authenticated;
grant execute on function public.remake_link(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.remake_wall(wall uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  address constant text := private.new_share_id();
begin
  update public.walls w set wall_id = address where w.id = remake_wall.wall and private.is_manager(w.memory_id);
  if not found then
    raise exception 'There is no such wall among yours.' using errcode = 'PT404';
  end if;
  return address;
end
$function$;
comment on function public.remake_wall(uuid) is 'Gives a wall a new address and returns it. The old one no longer works. Only for managers.';
grant execute on function public.remake_wall(uuid) to authenticated;
grant execute on function public.remake_wall(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.remove_cover(memory_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_manager(remove_cover.memory_id) then
    raise exception 'This memory is not one of yours.' using errcode = 'PT404';
  end if;
  update public.media m set is_cover = false where m.memory_id = remove_cover.memory_id and m.is_cover;
end
$function$;
comment on function public.remove_cover(uuid) is 'Removes the cover of a memory, which shows its sky again. Only for managers.';
grant execute on function public.remove_cover(uuid) to authenticated;
grant execute on function public.remove_cover(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.renew_letter(letter_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_variable
begin
  update public.photo_letters l set expires_at = now() + interval '60 days', withdrawn_at = null,
    asker_id = case when private.may_ask(l.memory_id, l.asker_id) then l.asker_id else auth.uid() end
  where l.id = letter_id and private.may_ask(l.memory_id, auth.uid())
    and (private.is_manager(l.memory_id) or l.asker_id = auth.uid() and private.member_role(l.memory_id) = 'contributor');
  if not found then
    raise exception 'There is no such question among yours.' using errcode = 'PT404', hint = 'not_found';
  end if;
  return private.new_letter_key(letter_id);
end
$function$;
comment on function public.renew_letter(uuid) is 'Gives a question a new link for 60 days and returns its key; the earlier link ends. For the member who asked and managers.';
grant execute on function public.renew_letter(uuid) to authenticated;
grant execute on function public.renew_letter(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.request_film(slideshow uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  memory constant uuid := (select s.memory_id from public.slideshows s where s.id = slideshow and private.is_manager(s.memory_id));
begin
  if memory is null then
    raise exception 'There is no such slideshow among yours.' using errcode = 'PT404';
  end if;
  if (select count(*) from public.slideshow_films f where f.memory_id = memory and f.slideshow_id <> slideshow
    and f.state in ('waiting', 'making')) >= 3 then
    raise exception 'Three films of this memory are being made.' using errcode = 'PT400', hint = 'too_many_films';
  end if;
  insert into public.slideshow_films as f (slideshow_id, memory_id) values (slideshow, memory)
  on conflict (slideshow_id) do update set state = 'waiting', progress = null, failure = null, requested_at = now()
    where f.state not in ('waiting', 'making');
end
$function$;
comment on function public.request_film(uuid) is 'Has the film of a slideshow made. The film before stays until the new one is ready. Only for managers.';
grant execute on function public.request_film(uuid) to authenticated;
grant execute on function public.request_film(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.restore_cover(media_id uuid, cover_x real, cover_y real)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  memory uuid := (select m.memory_id from public.media m where m.id = media_id and private.is_manager(m.memory_id));
begin
  if memory is null then
    raise exception 'This photo is not in one of your memories.' using errcode = 'PT404';
  end if;
  -- Locks the memory, so that nobody chooses another cover in between.
  perform from public.memories m where m.id = memory for no key update;
  if exists (select from public.media m where m.memory_id = memory and m.is_cover) then
    return false;
  end if;
  perform public.set_cover(restore_cover.media_id);
  update public.memories m set cover_x = restore_cover.cover_x, cover_y = restore_cover.cover_y where m.id = memory;
  return true;
end
$function$;
comment on function public.restore_cover(uuid,real,real) is 'Makes a photo the cover again, with its focal point, unless the memory has another one by now. Only for managers.';
grant execute on function public.restore_cover(uuid,real,real) to authenticated;
grant execute on function public.restore_cover(uuid,real,real) to service_role;

CREATE OR REPLACE FUNCTION public.restore_deleted(items jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  item public.trash;
  restored jsonb := '[]';
begin
  if jsonb_typeof(items) is distinct from 'array' or jsonb_array_length(items) > 1000 then
    raise exception 'At most 1,000 items are restored at once.' using errcode = 'PT400';
  end if;
  for item in
    select t.* from public.trash t join jsonb_to_recordset(items) as i (kind text, id uuid) using (kind, id)
    -- In a fixed order, so that two concurrent requests cannot deadlock.
    order by t.kind, t.id for update of t
  loop
    continue when not private.may_restore(item);
    case item.kind
      when 'media' then
        update public.media m set moderation = item.was ->> 'moderation', is_cover = (item.was ->> 'cover')::boolean
          and not exists (select from public.media x where x.memory_id = m.memory_id and x.is_cover) where m.id = item.id;
        update public.media m set moderation = 'attached' where m.motion_of = item.id;
        -- Notifies open pages about the details as well.
        update public.media_details d set file_name = d.file_name where d.media_id = item.id;
        update public.memory_entries e set media_id = item.id where e.memory_id = item.memory_id and e.media_id is null
          and item.was -> 'entries' ? e.id::text;
        update public.albums a set cover_media_id = item.id where a.cover_media_id is null
          and a.id = any (array(select jsonb_array_elements_text(nullif(item.was -> 'albums', 'null')))::uuid[]);
      when 'story' then
        update public.stories s set moderation = item.was ->> 'moderation' where s.id = item.id;
      when 'comment' then
        perform private.restore_comment(item);
      when 'album' then
        update public.albums a set deleted_at = null where a.id = item.id;
        update public.memories m set album_id = item.id, album_position = f.value::integer
        from jsonb_each_text(item.was -> 'memories') f
        where m.id = f.key::uuid and m.album_id is null and m.user_id = auth.uid();
        update public.share_links l set version = l.version + 1 where l.album_id = item.id;
      when 'memory' then
        update public.memories m set deleted_at = null, draft = (item.was ->> 'draft')::boolean where m.id = item.id;
        perform private.check_memories(auth.uid());
    end case;
    perform private.restore_children(item.was);
    delete from public.trash t where t.kind = item.kind and t.id = item.id;
    restored := restored || jsonb_build_object('kind', item.kind, 'id', item.id, 'memory_id', item.memory_id);
  end loop;
  return restored;
end
$function$;
comment on function public.restore_deleted(jsonb) is 'Restores items ({kind: media|story|comment|album|memory, id}) that the caller deleted and may still manage. Returns those that were restored. Refuses memories beyond the limit of the plan.';
grant execute on function public.restore_deleted(jsonb) to anon;
grant execute on function public.restore_deleted(jsonb) to authenticated;
grant execute on function public.restore_deleted(jsonb) to service_role;

CREATE OR REPLACE FUNCTION public.restore_media_dates(ids uuid[], dates text[], expected text[])
 RETURNS SETOF uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update public.media m set taken_at = former.taken_at
  from unnest(ids, dates, expected) as former (id, taken_at, expected)
    left join public.media_details d on d.media_id = former.id
  where m.id = former.id and coalesce(d.taken_at, m.taken_at) is not distinct from former.expected
  returning m.id
$function$;
comment on function public.restore_media_dates(uuid[],text[],text[]) is 'Sets the dates of photos and videos back, one for each id, if they still have the expected one. Returns the ids of those.';
grant execute on function public.restore_media_dates(uuid[],text[],text[]) to anon;
grant execute on function public.restore_media_dates(uuid[],text[],text[]) to authenticated;
grant execute on function public.restore_media_dates(uuid[],text[],text[]) to service_role;

CREATE OR REPLACE FUNCTION public.restore_order(memory_id uuid, ids uuid[], positions double precision[], expected double precision[], media_order text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_manager(restore_order.memory_id) then
    raise exception 'This memory is not one of yours.' using errcode = 'PT404';
  end if;
  perform from public.memories m where m.id = restore_order.memory_id for no key update;
  if exists (
    select from unnest(ids, expected) as moved (id, place) join public.media m on m.id = moved.id
    where m.memory_id = restore_order.memory_id and m.position is distinct from moved.place
  ) then
    return false;
  end if;
  update public.media m set position = former.place from unnest(ids, positions) as former (id, place)
  where m.id = former.id and m.memory_id = restore_order.memory_id;
  update public.memories m set media_order = restore_order.media_order
  where m.id = restore_order.memory_id and m.media_order = 'arranged' and restore_order.media_order <> 'arranged';
  return true;
end
$function$;
comment on function public.restore_order(uuid,uuid[],double precision[],double precision[],text) is 'Puts photos and videos back to their former positions and the memory to its order, unless one of them was moved since. Only for managers.';
grant execute on function public.restore_order(uuid,uuid[],double precision[],double precision[],text) to authenticated;
grant execute on function public.restore_order(uuid,uuid[],double precision[],double precision[],text) to service_role;

CREATE OR REPLACE FUNCTION public.restore_revision(revision bigint)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  kept public.blog_revisions;
  restored uuid;
begin
  perform private.require_role('admin', 'editor');
  select * into kept from public.blog_revisions r where r.id = restore_revision.revision;
  if not found then
    raise exception 'There is nothing here.' using errcode = 'PT404', hint = 'not_found';
  end if;
  -- Whether it is published stays as it is; a deleted post comes back as a draft.
  insert into public.blog_posts as post (slug, language, title, summary, body, author, cover, cover_alt)
  values (kept.slug, kept.language, kept.title, kept.summary, kept.body, kept.author, kept.cover, kept.cover_alt)
  on conflict (slug, language) do update set title = excluded.title, summary = excluded.summary, body = excluded.body,
    author = excluded.author, cover = excluded.cover, cover_alt = excluded.cover_alt
  returning post.id into restored;
  perform private.record_action('blog.restore', kept.slug, null, jsonb_build_object('language', kept.language, 'revision', kept.id));
  return restored;
end
$function$;
comment on function public.restore_revision(bigint) is 'Puts an earlier version of a post back; a deleted post comes back as a draft. Returns the id of the post. For administrators and editors.';
grant execute on function public.restore_revision(bigint) to authenticated;
grant execute on function public.restore_revision(bigint) to service_role;

CREATE OR REPLACE FUNCTION public.retry_file(object uuid, job text, reason text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  failure private.file_failures;
begin
  perform private.require_role('admin');
  delete from private.file_failures f where f.object_id = object and f.job = retry_file.job and f.given_up_at is not null
  returning * into failure;
  if failure.object_id is null then
    raise exception 'There is no such file to prepare again.' using errcode = 'PT404', hint = 'not_found';
  end if;
  -- Triggers enqueue what waits.
  case retry_file.job
    when 'photos' then
      update public.media m set state = 'waiting' where m.id = object and m.type = 'image';
    when 'video-copies' then
      update public.media m set playback = 'waiting', playback_progress = null,
        visitor_copy = case m.visitor_copy when 'failed' then 'waiting' else m.visitor_copy end,
        state = case m.state when 'broken' then 'ready' else m.state end
      where m.id = object and m.playback = 'failed';
    when 'video-streams' then
      insert into private.work (kind, subject) values ('video-streams', object) on conflict (subject, kind) do nothing;
      update public.media m set visitor_copy = 'waiting' where m.id = object and m.visitor_copy = 'failed';
    when 'motions' then
      update public.media m set motion = 'waiting' where m.id = object and m.motion = 'failed';
    else
      update public.blog_posts p set cover_placeholder = null
      where p.cover = (select o.name from storage.objects o where o.id = object) and p.cover_placeholder = '';
      perform pg_notify('cover_waiting', '');
  end case;
  perform private.record_action('file.retry', object::text, jsonb_build_object('job', failure.job, 'reason', failure.reason), null, reason);
  return jsonb_build_object('id', object, 'job', failure.job);
end
$function$;
comment on function public.retry_file(uuid,text,text) is 'Prepares a file again that a job had given up. For administrators.';
grant execute on function public.retry_file(uuid,text,text) to authenticated;
grant execute on function public.retry_file(uuid,text,text) to service_role;

CREATE OR REPLACE FUNCTION public.retry_message(message uuid, reason text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  found_one private.outbox;
begin
  perform private.require_role('admin');
  select * into found_one from private.outbox o where o.id = message and o.state in ('dead', 'waiting') for update;
  if not found then
    raise exception 'There is no such message to send again.' using errcode = 'PT404', hint = 'not_found';
  end if;
  if found_one.expires_at < now() then
    raise exception 'What this message holds has expired.' using errcode = 'PT410', hint = 'expired';
  end if;
  update private.outbox o set state = 'waiting', settled_at = null, attempts = 0, next_attempt_at = now() where o.id = message;
  perform pg_notify('outbox', '');
  perform private.record_action('outbox.retry', message::text, jsonb_build_object('state', found_one.state),
    jsonb_build_object('template', found_one.template), reason);
  return jsonb_build_object('id', message, 'template', found_one.template);
end
$function$;
comment on function public.retry_message(uuid,text) is 'Sends a message again that was given up, or one that waits, at once. For administrators and the command line.';
grant execute on function public.retry_message(uuid,text) to authenticated;
grant execute on function public.retry_message(uuid,text) to service_role;

CREATE OR REPLACE FUNCTION public.retry_read_back(reason text DEFAULT NULL::text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  files integer;
begin
  perform private.require_role('admin');
  update private.damaged_files d set next_at = now();
  get diagnostics files = row_count;
  perform private.record_action('file.read_again', '', null, jsonb_build_object('files', files), reason);
  return files;
end
$function$;
comment on function public.retry_read_back(text) is 'Has all damaged files read and repaired again, e.g. after a backup was connected. Returns their number. For administrators.';
grant execute on function public.retry_read_back(text) to authenticated;
grant execute on function public.retry_read_back(text) to service_role;

CREATE OR REPLACE FUNCTION public.save_card(changes jsonb, based_on jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  current_terms jsonb;
begin
  perform private.require_role('admin');
  insert into public.products (id, name, position) values ('metal-card', 'Metal card', 1) on conflict (id) do nothing;
  perform from public.products p where p.id = 'metal-card' for update;
  current_terms := jsonb_build_object(
    'prices', (select coalesce(jsonb_object_agg(p.currency, p.amount), '{}')
      from public.product_prices p where p.product_id = 'metal-card'),
    'discounts', (select coalesce(jsonb_object_agg(d.min_quantity, d.percentage), '{}')
      from public.quantity_discounts d where d.product_id = 'metal-card'));
  if current_terms <> based_on then
    raise exception 'This was changed in the meantime.' using errcode = 'PT409', hint = 'conflict';
  end if;
  delete from public.product_prices p
  using jsonb_each(coalesce(changes -> 'prices', '{}')) as price (currency, amount)
  where p.product_id = 'metal-card' and p.currency = price.currency and price.amount = 'null';
  insert into public.product_prices (product_id, currency, amount)
  select 'metal-card', price.currency, price.amount::integer
  from jsonb_each_text(coalesce(changes -> 'prices', '{}')) as price (currency, amount) where price.amount is not null
  on conflict (product_id, currency) do update set amount = excluded.amount;
  if changes ? 'discounts' then
    delete from public.quantity_discounts d
    where d.product_id = 'metal-card' and not (changes -> 'discounts') ? d.min_quantity::text;
    insert into public.quantity_discounts (product_id, min_quantity, percentage)
    select 'metal-card', step.quantity::integer, step.percentage::numeric
    from jsonb_each_text(changes -> 'discounts') as step (quantity, percentage)
    on conflict (product_id, min_quantity) do update set percentage = excluded.percentage;
  end if;
end
$function$;
comment on function public.save_card(jsonb,jsonb) is 'Saves the changed prices of the metal card (null removes one), and its discounts by quantity as a whole, over the values that they are based on. For administrators. Refused (PT409) if the card has other ones by now.';
grant execute on function public.save_card(jsonb,jsonb) to authenticated;
grant execute on function public.save_card(jsonb,jsonb) to service_role;

CREATE OR REPLACE FUNCTION public.save_day_part(memory_id uuid, part_id uuid, changes jsonb, revision integer DEFAULT NULL::integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if save_day_part.revision is null then
    insert into public.memory_entries (id, memory_id, part, title, on_date, starts_at, time_zone, doors_at, ends_at, place, address, map_url,
      directions, parking, accessibility, dress, gifts, gifts_url, contact, note, audience, stream_from)
    select save_day_part.part_id, save_day_part.memory_id, r.part, r.title, r.on_date, r.starts_at, r.time_zone, r.doors_at, r.ends_at,
      coalesce(r.place, ''), coalesce(r.address, ''), coalesce(r.map_url, ''), coalesce(r.directions, ''), coalesce(r.parking, ''),
      coalesce(r.accessibility, ''), coalesce(r.dress, ''), coalesce(r.gifts, ''), coalesce(r.gifts_url, ''), coalesce(r.contact, ''),
      coalesce(r.note, ''), coalesce(r.audience, 'all'), r.stream_from
    from jsonb_populate_record(null::public.memory_entries, changes) r
    on conflict (id) do nothing;
  else
    update public.memory_entries e
    set (part, title, on_date, starts_at, time_zone, doors_at, ends_at, place, address, map_url, directions, parking, accessibility, dress,
        gifts, gifts_url, contact, note, audience, stream_from)
      = (select r.part, r.title, r.on_date, r.starts_at, r.time_zone, r.doors_at, r.ends_at, r.place, r.address, r.map_url, r.directions,
          r.parking, r.accessibility, r.dress, r.gifts, r.gifts_url, r.contact, r.note, r.audience, r.stream_from
        from jsonb_populate_record(e, changes) r),
      revision = save_day_part.revision
    where e.id = save_day_part.part_id and e.memory_id = save_day_part.memory_id;
    if not found then
      raise exception 'There is no such part of the day.' using errcode = 'PT404', hint = 'not_found';
    end if;
  end if;
  if changes ? 'stream_url' then
    delete from public.entry_streams s where s.entry_id = save_day_part.part_id;
    if coalesce(changes ->> 'stream_url', '') <> '' then
      insert into public.entry_streams (entry_id, url) values (save_day_part.part_id, changes ->> 'stream_url');
    end if;
  end if;
end
$function$;
comment on function public.save_day_part(uuid,uuid,jsonb,integer) is 'Adds a part of a day with this id, or changes it over the revision that the change is based on (PT409 if it has another one), together with the address of its livestream (stream_url; empty removes it). Row policies decide who may.';
grant execute on function public.save_day_part(uuid,uuid,jsonb,integer) to authenticated;
grant execute on function public.save_day_part(uuid,uuid,jsonb,integer) to service_role;

CREATE OR REPLACE FUNCTION public.save_day_reply(memory_id uuid, answer text, names text[], part_ids uuid[] DEFAULT '{}'::uuid[], note text DEFAULT ''::text, answers jsonb DEFAULT '{}'::jsonb, revision integer DEFAULT NULL::integer, reply_id uuid DEFAULT NULL::uuid, most integer DEFAULT NULL::integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  memory constant uuid := save_day_reply.memory_id;
  is_host constant boolean := reply_id is not null;
  guest constant uuid := case when not is_host then private.guest_id() end;
  person constant uuid := case when not is_host then auth.uid() end;
  asked constant uuid[] := private.asked_part_ids(memory);
  settings public.day_reply_settings;
  stored public.day_replies;
  saved public.day_replies;
  persons integer;
  before integer;
  taken integer;
  others_wait boolean;
begin
  if not private.has_required_aal() then
    raise exception 'This needs your second factor.' using errcode = '42501';
  end if;
  if is_host and not private.is_manager(memory) or not is_host and cardinality(asked) = 0 then
    raise exception 'There is nothing to reply to.' using errcode = 'PT404', hint = 'not_found';
  end if;
  if not is_host and num_nonnulls(guest, person) = 0 then
    raise exception 'Please give your name first.' using errcode = 'PT403', hint = 'no_name';
  end if;

  -- The memory is locked before its settings, as by its deletion; the settings before any reply.
  perform from public.memories m where m.id = memory and m.deleted_at is null for key share;
  select * into settings from public.day_reply_settings s where s.memory_id = memory for update;
  if settings.memory_id is null then
    raise exception 'There is nothing to reply to.' using errcode = 'PT404', hint = 'not_found';
  end if;
  select * into stored from public.day_replies r where r.memory_id = memory
    and (is_host and r.id = save_day_reply.reply_id or r.guest_id = guest or r.user_id = person);
  if is_host and stored.id is null and exists (select from public.day_replies r where r.id = save_day_reply.reply_id) then
    raise exception 'There is nothing to reply to.' using errcode = 'PT404', hint = 'not_found';
  end if;

  saved := stored;
  saved.memory_id := memory;
  saved.answer := save_day_reply.answer;
  saved.names := array(select auth.typed_line(coalesce(n, '')) from unnest(save_day_reply.names) with ordinality u (n, i) order by i);
  saved.note := btrim(coalesce(save_day_reply.note, ''));
  saved.most := case when is_host then coalesce(save_day_reply.most, stored.most) else stored.most end;
  if saved.answer is null and not is_host or saved.answer not in ('yes', 'no', 'maybe') then
    raise exception 'Please answer yes, no or maybe.' using errcode = 'PT400', hint = 'no_answer';
  end if;
  if saved.answer = 'no' then
    saved.names := saved.names[1:1];
  end if;
  if cardinality(saved.names) = 0 or saved.names[1] = '' then
    raise exception 'Please enter who replies.' using errcode = 'PT400', hint = 'name_missing';
  end if;
  if exists (select from unnest(saved.names) n where length(n) > 100) then
    raise exception 'A name has at most 100 characters.' using errcode = 'PT400', hint = 'name_too_long';
  end if;
  if cardinality(saved.names) > coalesce(saved.most, 20) then
    raise exception 'This reply is for at most % persons.', coalesce(saved.most, 20)
      using errcode = 'PT400', hint = 'too_many_persons', detail = coalesce(saved.most, 20)::text;
  end if;
  if length(saved.note) > 1000 then
    raise exception 'A note has at most 1000 characters.' using errcode = 'PT400', hint = 'note_too_long';
  end if;
  if not coalesce(save_day_reply.part_ids, '{}') <@ asked then
    raise exception 'A part of the day was changed. Please choose again.' using errcode = 'PT409', hint = 'part_gone';
  end if;
  -- Parts that the caller is not asked about stay as they are.
  saved.part_ids := case when saved.answer in ('yes', 'maybe') then array(
    select distinct p from (
      select unnest(save_day_reply.part_ids) union select unnest(coalesce(stored.part_ids, '{}')) except (select unnest(asked) except select unnest(save_day_reply.part_ids))
    ) u (p) order by p) else '{}' end;
  if saved.answer in ('yes', 'maybe') and not is_host and not saved.part_ids && asked then
    raise exception 'Please choose at least one part of the day.' using errcode = 'PT400', hint = 'no_part';
  end if;
  saved.answers := private.checked_day_answers(settings.questions, coalesce(save_day_reply.answers, '{}'));

  -- A repeated request, for example after a double click or a lost answer.
  if stored.id is not null and (stored.answer, stored.names, stored.part_ids, stored.note, stored.answers, stored.most)
      is not distinct from (saved.answer, saved.names, saved.part_ids, saved.note, saved.answers, saved.most) then
    return private.day_reply_result(stored);
  end if;
  if not is_host and settings.closes_at <= now() then
    raise exception 'Replies are closed.' using errcode = 'PT403', hint = 'closed';
  end if;
  if stored.id is not null and save_day_reply.revision is distinct from stored.revision then
    raise exception 'This was changed in the meantime.' using errcode = 'PT409', hint = 'conflict';
  end if;
  if stored.id is null and (save_day_reply.revision is not null) then
    raise exception 'There is no such reply.' using errcode = 'PT404', hint = 'reply_gone';
  end if;
  if stored.id is null and (select count(*) from public.day_replies r where r.memory_id = memory) >= 1000 then
    raise exception 'There are too many replies.' using errcode = 'PT409', hint = 'too_many_replies';
  end if;

  persons := case when saved.answer = 'yes' then cardinality(saved.names) else 0 end;
  before := case when stored.answer = 'yes' then cardinality(stored.names) else 0 end;
  if persons = 0 or settings.places is null then
    saved.waiting_since := null;
  elsif before > 0 and persons <= before then
    -- They keep their place or their turn.
    saved.waiting_since := stored.waiting_since;
  else
    select coalesce(sum(cardinality(r.names)) filter (where r.waiting_since is null), 0), coalesce(bool_or(r.waiting_since is not null), false)
    into taken, others_wait from public.day_replies r
    where r.memory_id = memory and r.answer = 'yes' and r.id is distinct from stored.id;
    if not others_wait and taken + persons <= settings.places then
      saved.waiting_since := null;
    elsif settings.waiting_list and persons <= settings.places and (before = 0 or stored.waiting_since is not null) then
      saved.waiting_since := clock_timestamp();
    else
      raise exception 'There are not enough places left.' using errcode = 'PT409', hint = 'full',
        detail = case when others_wait then 0 else greatest(settings.places - taken - before, 0) end::text;
    end if;
  end if;

  if stored.id is null then
    insert into public.day_replies (id, memory_id, guest_id, user_id, answer, names, part_ids, note, answers, most, waiting_since)
    values (coalesce(save_day_reply.reply_id, gen_random_uuid()), memory, guest, person, saved.answer, saved.names, saved.part_ids,
      saved.note, saved.answers, saved.most, saved.waiting_since)
    returning * into saved;
  else
    update public.day_replies r set answer = saved.answer, names = saved.names, part_ids = saved.part_ids, note = saved.note,
      answers = saved.answers, most = saved.most, waiting_since = saved.waiting_since, updated_at = now(), revision = stored.revision + 1
    where r.id = stored.id returning * into saved;
  end if;
  perform private.fill_day_places(memory);
  select * into saved from public.day_replies r where r.id = saved.id;
  return private.day_reply_result(saved);
end
$function$;
comment on function public.save_day_reply(uuid,text,text[],uuid[],text,jsonb,integer,uuid,integer) is 'Saves the caller''s reply to a memory''s day, or with reply_id, for managers, any reply or a new one, over the revision that the change is based on (PT409 if it has another one). The same reply again changes nothing. Resolves to its id, its revision and whether it waits for places.';
grant execute on function public.save_day_reply(uuid,text,text[],uuid[],text,jsonb,integer,uuid,integer) to anon;
grant execute on function public.save_day_reply(uuid,text,text[],uuid[],text,jsonb,integer,uuid,integer) to authenticated;
grant execute on function public.save_day_reply(uuid,text,text[],uuid[],text,jsonb,integer,uuid,integer) to service_role;

CREATE OR REPLACE FUNCTION public.save_day_reply_settings(memory_id uuid, part_ids uuid[], closes_at timestamp with time zone, time_zone text, places integer, waiting_list boolean, questions jsonb, revision integer DEFAULT NULL::integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
#variable_conflict use_column
begin
  if save_day_reply_settings.revision is null then
    insert into public.day_reply_settings (memory_id, closes_at, time_zone, places, waiting_list, questions)
    values (save_day_reply_settings.memory_id, save_day_reply_settings.closes_at, save_day_reply_settings.time_zone,
      save_day_reply_settings.places, save_day_reply_settings.waiting_list, save_day_reply_settings.questions)
    on conflict do nothing;
  end if;
  if save_day_reply_settings.revision is not null or not found then
    update public.day_reply_settings s
    set closes_at = save_day_reply_settings.closes_at, time_zone = save_day_reply_settings.time_zone, places = save_day_reply_settings.places,
      waiting_list = save_day_reply_settings.waiting_list, questions = save_day_reply_settings.questions,
      revision = coalesce(save_day_reply_settings.revision, 0)
    where s.memory_id = save_day_reply_settings.memory_id
      -- The same settings again, for example after a double click.
      and (s.closes_at, s.time_zone, s.places, s.waiting_list, s.questions) is distinct from (save_day_reply_settings.closes_at,
        save_day_reply_settings.time_zone, save_day_reply_settings.places, save_day_reply_settings.waiting_list, save_day_reply_settings.questions);
    if not found and not exists (select from public.day_reply_settings s where s.memory_id = save_day_reply_settings.memory_id) then
      raise exception 'There are no such replies.' using errcode = 'PT404', hint = 'not_found';
    end if;
  end if;
  update public.memory_entries e set asks_replies = e.id = any (save_day_reply_settings.part_ids)
  where e.memory_id = save_day_reply_settings.memory_id and e.part is not null
    and e.asks_replies <> (e.id = any (save_day_reply_settings.part_ids));
end
$function$;
comment on function public.save_day_reply_settings(uuid,uuid[],timestamp with time zone,text,integer,boolean,jsonb,integer) is 'Saves how people reply to a memory''s day and which parts ask for replies, over the revision that the change is based on (PT409 if it has another one). Row policies decide who may.';
grant execute on function public.save_day_reply_settings(uuid,uuid[],timestamp with time zone,text,integer,boolean,jsonb,integer) to authenticated;
grant execute on function public.save_day_reply_settings(uuid,uuid[],timestamp with time zone,text,integer,boolean,jsonb,integer) to service_role;

CREATE OR REPLACE FUNCTION public.save_plan(plan_id text, changes jsonb, based_on jsonb DEFAULT NULL::jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  current_terms jsonb;
begin
  perform private.require_role('admin');
  if based_on is null then
    insert into public.subscription_plans (id, name, max_memories, storage_gb, term_years, included_cards, position)
    select save_plan.plan_id, r.name, r.max_memories, r.storage_gb, r.term_years, r.included_cards,
      (select coalesce(max(p.position), 0) + 1 from public.subscription_plans p)
    from jsonb_populate_record(null::public.subscription_plans, changes - 'prices') r;
  else
    -- Concurrent saves of this plan wait here, also for its prices.
    select jsonb_build_object('name', p.name, 'max_memories', p.max_memories, 'storage_gb', p.storage_gb,
      'term_years', p.term_years, 'included_cards', p.included_cards)
    into current_terms from public.subscription_plans p where p.id = save_plan.plan_id for update;
    if current_terms is null then
      raise exception 'This plan does not exist.' using errcode = 'PT404';
    end if;
    current_terms := current_terms || jsonb_build_object('prices', (select coalesce(jsonb_object_agg(p.currency, p.amount), '{}')
      from public.plan_prices p where p.plan_id = save_plan.plan_id));
    if current_terms <> based_on then
      raise exception 'This was changed in the meantime.' using errcode = 'PT409', hint = 'conflict';
    end if;
    update public.subscription_plans p
    set (name, max_memories, storage_gb, term_years, included_cards) =
      (select r.name, r.max_memories, r.storage_gb, r.term_years, r.included_cards
       from jsonb_populate_record(p, changes - 'prices') r)
    where p.id = save_plan.plan_id and changes - 'prices' <> '{}';
  end if;
  delete from public.plan_prices p
  using jsonb_each(coalesce(changes -> 'prices', '{}')) as price (currency, amount)
  where p.plan_id = save_plan.plan_id and p.currency = price.currency and price.amount = 'null';
  insert into public.plan_prices (plan_id, currency, amount)
  select save_plan.plan_id, price.currency, price.amount::integer
  from jsonb_each_text(coalesce(changes -> 'prices', '{}')) as price (currency, amount) where price.amount is not null
  on conflict on constraint plan_prices_pkey do update set amount = excluded.amount;
end
$function$;
comment on function public.save_plan(text,jsonb,jsonb) is 'Saves the changed terms of a plan, and its changed prices (null removes one), over the terms that they are based on; creates the plan without them. For administrators. Refused (PT409) if the plan has other terms by now.';
grant execute on function public.save_plan(text,jsonb,jsonb) to authenticated;
grant execute on function public.save_plan(text,jsonb,jsonb) to service_role;

CREATE OR REPLACE FUNCTION public.search(find text, rest text DEFAULT NULL::text, since date DEFAULT NULL::date, until date DEFAULT NULL::date, within boolean DEFAULT false, month_day text DEFAULT NULL::text, memory uuid DEFAULT NULL::uuid, kinds text[] DEFAULT NULL::text[], most integer DEFAULT 6)
 RETURNS TABLE(kind text, id uuid, memory_id uuid, memory_name text, title text, words text, place text, on_date text, photo_id uuid, picture jsonb, "similar" boolean)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  size constant integer := least(greatest(coalesce(most, 6), 1), 60);
  is_dated constant boolean := since is not null or until is not null or month_day is not null;
  is_found boolean := false;
  is_forgiving boolean := false;
begin
  loop
    return query
      with candidates as materialized (
        select * from private.search_candidates(find, null, null, false, null, memory, is_forgiving, true)
        union
        select * from private.search_candidates(coalesce(rest, ''), since, until, coalesce(within, false), month_day, memory, is_forgiving, false)
        where is_dated
      ), distinct_candidates as (
        select distinct on (c.kind, c.row_id) c.* from candidates c where kinds is null or c.kind = any (kinds)
        order by c.kind, c.row_id, c.whole desc, c.first_day
      ), first_candidates as materialized (
        -- The index holds what every viewer may see, therefore the policies below hardly ever leave one out.
        select c.* from (select c.*, row_number() over (partition by c.kind order by c.whole desc, c.first_day, c.row_id) as n
          from distinct_candidates c) c
        where c.n <= size + 6
      ), readable as (
        -- Only what the row policies let the caller read.
        select c.*, m.person_name from first_candidates c
        cross join lateral (select m.person_name from public.memories m where m.id = c.memory_id offset 0) m
        cross join lateral (
          select from public.memories x where c.kind = 'memory' and x.id = c.row_id
          union all select from public.stories x where c.kind = 'story' and x.id = c.row_id
          union all select from public.memory_entries x where c.kind = 'moment' and x.id = c.row_id
          union all select from public.comments x where c.kind = 'comment' and x.id = c.row_id
          union all select from public.media x where c.kind = 'photo' and x.id = c.row_id
          union all select from public.pictured_people x where c.kind = 'person' and x.id = c.row_id
          union all select from public.media x join public.media_details d on d.media_id = x.id
            where c.kind = 'file' and x.id = c.row_id) r
      ), first_ones as (
        select r.* from (select r.*, row_number() over (partition by r.kind order by r.n) as place from readable r) r where r.place <= size
      )
      select f.kind, f.row_id, f.memory_id, f.person_name, d.title, private.search_excerpt(d.words, find), d.place,
        coalesce(f.on_date, d.on_date), d.photo_id,
        (select jsonb_build_object('id', p.id, 'type', p.type, 'placeholder', p.placeholder, 'colour', p.colour,
          'object_name', p.object_name, 'poster_name', p.poster_name, 'on_back', d.on_back) from public.media p
          where p.id = case when f.kind = 'memory' then (select v.id from public.media v where v.memory_id = f.memory_id and v.is_cover)
            else d.photo_id end),
        is_forgiving
      from first_ones f
      cross join lateral (
        select x.person_name as title, private.html_text(x.description) as words, ''::text as place, null::text as on_date, null::uuid as photo_id, false as on_back
          from public.memories x where f.kind = 'memory' and x.id = f.row_id
        union all select x.title, private.html_text(x.body), '', null, null, false from public.stories x where f.kind = 'story' and x.id = f.row_id
        union all select x.title, x.note, x.place, x.on_date::text, x.media_id, false from public.memory_entries x where f.kind = 'moment' and x.id = f.row_id
        union all select '', x.body, '', null, x.media_id, false from public.comments x where f.kind = 'comment' and x.id = f.row_id
        union all select x.caption, case when b.is_there then x.back_text else x.alt_text end, n.names, x.taken_at::text, x.id, b.is_there
          from public.media x
          cross join lateral (select coalesce(string_agg(p.name, ', ' order by p.name), '') as names from public.pictured_people p
            where p.id = any (private.person_roots(array(select n.person_id from public.media_names n where n.media_id = x.id)))) n
          cross join lateral (select x.has_back and private.is_on_back(concat_ws(' ', x.caption, x.alt_text, n.names), x.back_text, find) as is_there) b
          where f.kind = 'photo' and x.id = f.row_id
        union all select x.name, array_to_string(x.other_names, ', '), '', null, (
            select n.media_id from public.media_names n join public.media v on v.id = n.media_id
            where n.person_id = any (private.merged_people(x.id)) limit 1), false
          from public.pictured_people x where f.kind = 'person' and x.id = f.row_id
        union all select x.file_name, '', '', null, x.media_id, false from public.media_details x where f.kind = 'file' and x.media_id = f.row_id) d
      order by f.kind, f.n;
    is_found := found;
    return query
      -- Albums have no entries in the index, because a person has few.
      select 'album'::text, a.id, null::uuid, ''::text, a.name, ''::text, ''::text, null::text, null::uuid, null::jsonb, is_forgiving
      from public.albums a
      where memory is null and (kinds is null or 'album' = any (kinds)) and private.is_named(a.name, find, is_forgiving)
      order by a.name limit size;
    -- Misspellings only if nothing matches as it was typed.
    exit when is_found or found or is_forgiving;
    is_forgiving := true;
  end loop;
end
$function$;
comment on function public.search(text,text,date,date,boolean,text,uuid,text[],integer) is 'Searches memories, stories, comments, captions, people in photos, moments and albums that the caller sees, and names of files in memories that they manage. Words and dates are separate: "rest" is the search without its date.';
grant execute on function public.search(text,text,date,date,boolean,text,uuid,text[],integer) to anon;
grant execute on function public.search(text,text,date,date,boolean,text,uuid,text[],integer) to authenticated;

CREATE OR REPLACE FUNCTION public.separate_sides(fronts uuid[])
 RETURNS TABLE(front uuid, back uuid)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  print public.media;
begin
  perform private.lock_fronts(fronts);
  for print in select m.* from public.media m where m.id = any (fronts) and m.has_back order by m.id loop
    update public.media m set has_back = false, back_width = null, back_height = null, back_text = '' where m.id = print.id;
    return query
      update public.media m set motion_of = null, is_back = false, moderation = print.moderation,
        -- Words that were typed meanwhile are its description.
        caption = case when private.words_on_back(m) = print.back_text then m.caption else '' end,
        alt_text = case when private.words_on_back(m) = print.back_text then m.alt_text else print.back_text end
      where m.motion_of = print.id and m.is_back returning print.id, m.id;
  end loop;
end
$function$;
comment on function public.separate_sides(uuid[]) is 'Makes two photos of each front and its back again. Returns both. Only for managers.';
grant execute on function public.separate_sides(uuid[]) to authenticated;
grant execute on function public.separate_sides(uuid[]) to service_role;

CREATE OR REPLACE FUNCTION public.set_cover(media_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  memory uuid := (select m.memory_id from public.media m
    where m.id = media_id and m.moderation not in ('deleted', 'attached') and m.type <> 'audio'
      and private.is_manager(m.memory_id));
begin
  if memory is null then
    raise exception 'This photo is not in one of your memories.' using errcode = 'PT404';
  end if;
  update public.media set is_cover = false where memory_id = memory and is_cover and id <> media_id;
  update public.media set is_cover = true where id = media_id;
  -- The focal point of the previous cover does not apply.
  update public.memories set cover_x = 0.5, cover_y = 0.5 where id = memory and (cover_x, cover_y) <> (0.5, 0.5);
end
$function$;
comment on function public.set_cover(uuid) is 'Makes a photo the cover of its memory. Only for managers.';
grant execute on function public.set_cover(uuid) to authenticated;
grant execute on function public.set_cover(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.set_media_dates(ids uuid[], dates text[])
 RETURNS SETOF uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  update public.media m set taken_at = wanted.taken_at
  from unnest(ids, dates) as wanted (id, taken_at) left join public.media_details d on d.media_id = wanted.id
  where m.id = wanted.id and coalesce(d.taken_at, m.taken_at) is distinct from wanted.taken_at
  returning m.id
$function$;
comment on function public.set_media_dates(uuid[],text[]) is 'Sets the dates of photos and videos, one for each id, and returns the ids of those that changed.';
grant execute on function public.set_media_dates(uuid[],text[]) to anon;
grant execute on function public.set_media_dates(uuid[],text[]) to authenticated;
grant execute on function public.set_media_dates(uuid[],text[]) to service_role;

CREATE OR REPLACE FUNCTION public.set_staff_role(email text, role text, reason text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  person auth.users;
begin
  perform private.require_role('admin');
  if role is not null and role not in ('admin', 'support', 'fulfilment', 'editor') then
    raise exception 'A role is admin, support, fulfilment or editor.' using errcode = '22023', hint = 'validation_failed';
  end if;
  select * into person from auth.users u where lower(u.email) = lower(btrim(set_staff_role.email)) for update;
  if not found then
    raise exception 'Nobody has this address.' using errcode = 'PT404', hint = 'not_found';
  end if;
  if person.id = auth.uid() then
    raise exception 'Another administrator changes your role.' using errcode = 'PT409', hint = 'own_role';
  end if;
  if person.raw_app_meta_data ->> 'role' is distinct from role then
    update auth.users u set raw_app_meta_data = case when set_staff_role.role is null then u.raw_app_meta_data - 'role'
      else u.raw_app_meta_data || jsonb_build_object('role', set_staff_role.role) end
    where u.id = person.id;
    -- Tokens carry the role: those of before end now.
    delete from auth.sessions s where s.user_id = person.id;
    perform private.record_action('person.role', person.id::text, jsonb_build_object('role', person.raw_app_meta_data ->> 'role'),
      jsonb_build_object('role', role), reason);
  end if;
  return jsonb_build_object('email', person.email, 'role', role,
    'second_factor', exists (select from auth.mfa_factors f where f.user_id = person.id and f.status = 'verified'));
end
$function$;
comment on function public.set_staff_role(text,text,text) is 'Gives a person a staff role, or takes it away with null, and ends their sessions. For administrators and the command line. Whether they have a second factor is in the answer: without one no role counts.';
grant execute on function public.set_staff_role(text,text,text) to authenticated;
grant execute on function public.set_staff_role(text,text,text) to service_role;

CREATE OR REPLACE FUNCTION public.settle_report(report uuid, decision text, reason text, words text DEFAULT ''::text, person uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  settled public.reports;
  item record;
  memory public.memories;
  told boolean := false;
  claims constant text := current_setting('request.jwt.claims', true);
begin
  perform private.require_role('admin', 'support');
  if decision = 'suspend' then
    perform private.require_role('admin');
  elsif decision is null or decision not in ('hide', 'ask', 'nothing', 'reopen') then
    raise exception 'A decision is hide, ask, suspend, nothing or reopen.' using errcode = '22023', hint = 'validation_failed';
  end if;
  if nullif(btrim(reason), '') is null then
    raise exception 'Say why.' using errcode = 'PT400', hint = 'validation_failed';
  end if;
  select * into settled from public.reports r where r.id = settle_report.report for update;
  if not found then
    raise exception 'There is nothing here.' using errcode = 'PT404', hint = 'not_found';
  end if;
  if (settled.outcome is not null) is distinct from (decision = 'reopen') then
    raise exception 'Somebody else has decided meanwhile.' using errcode = 'PT409', hint = 'conflict';
  end if;
  select * into item from private.reported_item(settled);
  select * into memory from public.memories m where m.id = settled.memory_id;
  if decision = 'hide' then
    if settled.kind = 'memory' then
      raise exception 'A whole memory is not hidden.' using errcode = 'PT409', hint = 'not_hidden';
    end if;
    -- As a manager of the memory would: they see it under hidden items, and open pages withdraw it. Triggers let only managers and
    -- the server do this, so it is done as the server.
    perform set_config('request.jwt.claims', '{"role": "service_role"}', true);
    execute format('update public.%I t set moderation = ''hidden'' where t.id = $1 and t.memory_id = $2
      and t.moderation not in (''hidden'', ''deleted'', ''attached'') returning true',
      case settled.kind when 'story' then 'stories' when 'comment' then 'comments' else 'media' end)
    into told using settled.item_id, settled.memory_id;
    perform set_config('request.jwt.claims', claims, true);
  elsif decision = 'suspend' then
    if person is null or person is distinct from item.owner and person is distinct from item.author then
      raise exception 'The account is of neither the owner nor the author.' using errcode = '22023', hint = 'validation_failed';
    end if;
    perform public.suspend_person(person::text, reason);
  elsif decision = 'ask' then
    if item.owner is null then
      raise exception 'Nobody has this memory any more.' using errcode = 'PT409', hint = 'no_owner';
    end if;
    told := true;
  end if;
  if told then
    insert into private.outbox (kind, template, language, recipient, props)
    select 'mail', 'content-reported', case when coalesce(u.raw_user_meta_data ->> 'language', s.language) = 'it' then 'it' else 'en' end, u.email,
      jsonb_build_object('decision', decision, 'item', settled.kind, 'memory', memory.person_name, 'reason', settled.reason,
        'words', left(btrim(coalesce(words, '')), 5000),
        'url', case when settled.site = '' then '' else settled.site || '/memory/' || memory.id || case when decision = 'hide' then '/waiting' else '' end end)
    from auth.users u left join public.notice_settings s on s.user_id = u.id
    where u.id = item.owner and u.email is not null;
  end if;
  if decision = 'ask' then
    update public.inbox_items i set state = 'answered' where i.report_id = settled.id and i.state in ('new', 'open');
  else
    update public.reports r set outcome = case decision when 'reopen' then null when 'nothing' then 'nothing' else 'acted' end
    where r.id = settled.id;
  end if;
  perform private.record_action('report.' || decision, settled.id::text, jsonb_build_object('outcome', settled.outcome),
    jsonb_strip_nulls(jsonb_build_object('item', settled.item_id, 'kind', settled.kind, 'person', person)), reason);
end
$function$;
comment on function public.settle_report(uuid,text,text,text,uuid) is 'Decides about a report, with a reason for the audit log: hide the item and email its owner, ask the owner (the report stays open), suspend the owner or author (administrators only), nothing, or reopen. For administrators and support.';
grant execute on function public.settle_report(uuid,text,text,text,uuid) to authenticated;
grant execute on function public.settle_report(uuid,text,text,text,uuid) to service_role;

CREATE OR REPLACE FUNCTION public.share_id(memory public.memories)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(
    (select l.share_id from public.share_links l where l.memory_id = memory.id and l.is_first),
    private.chosen_share_id(memory.id))
$function$;
comment on function public.share_id(public.memories) is 'The share id of a memory''s first link, as a computed column; null unless the caller manages the memory.';
grant execute on function public.share_id(public.memories) to authenticated;
grant execute on function public.share_id(public.memories) to service_role;

CREATE OR REPLACE FUNCTION public.storage_by_memory(already integer DEFAULT 0, most integer DEFAULT 20)
 RETURNS TABLE(memory_id uuid, name text, bytes bigint, items bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
begin
  if not private.has_required_aal() then
    raise exception 'This needs your second factor' using errcode = '42501';
  end if;
  return query
    with own as (
      -- From an index alone.
      select m.id from public.memories m where m.user_id = auth.uid() and m.deleted_at is null
    ), sums as (
      select s.memory_id, sum(s.bytes) as bytes, sum(s.images + s.videos + s.recordings) as items from private.media_sums s
      where s.account = auth.uid() group by s.memory_id
    ), first as (
      -- Names are read of these only: of all that may be on the page, whose order among equal sizes is that of their names.
      select own.id, coalesce(s.bytes, 0)::bigint as bytes, coalesce(s.items, 0)::bigint as items
      from own left join sums s on s.memory_id = own.id
      order by 2 desc fetch first (greatest(already, 0) + greatest(least(most, 100), 0)) rows with ties
    )
    select m.id, m.person_name, f.bytes, f.items from first f join public.memories m on m.id = f.id
    order by 3 desc, m.person_name, m.id
    offset already limit least(most, 100);
end
$function$;
comment on function public.storage_by_memory(integer,integer) is 'Bytes and items of the signed-in person''s own memories, the largest first: at most 100 after an offset.';
grant execute on function public.storage_by_memory(integer,integer) to authenticated;
grant execute on function public.storage_by_memory(integer,integer) to service_role;

CREATE OR REPLACE FUNCTION public.storage_stats()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := auth.uid();
  most constant integer := 20;
  memory record;
  largest bigint[] := '{}';
  candidates uuid[] := '{}';
  -- From an index alone.
  own constant uuid[] := array(select m.id from public.memories m where m.user_id = me and m.deleted_at is null);
  own_and_deleted constant uuid[] := array(select m.id from public.memories m where m.user_id = me);
begin
  for memory in
    select s.memory_id as id, max(s.largest) as largest from private.media_sums s
    where s.account = me and s.memory_id = any (own) group by s.memory_id order by 2 desc
  loop
    -- No item of the memories that follow is larger.
    exit when cardinality(largest) >= most and memory.largest < largest[most];
    select array_agg(c.size order by c.size desc, c.id), array_agg(c.id order by c.size desc, c.id) into largest, candidates from (
      select u.size, u.id from (
        select * from unnest(largest, candidates) k (size, id)
        union all
        (select x.size, x.id from public.media x where x.memory_id = memory.id and x.moderation not in ('deleted', 'attached')
          order by x.size desc, x.id limit most)) u
      order by u.size desc, u.id limit most) c;
    largest := coalesce(largest, '{}');
    candidates := coalesce(candidates, '{}');
  end loop;
  return public.storage_use() || (
    with sums as (
      select coalesce(sum(s.images) filter (where s.is_own), 0) as images, coalesce(sum(s.videos) filter (where s.is_own), 0) as videos,
        coalesce(sum(s.recordings) filter (where s.is_own), 0) as recordings,
        coalesce(sum(s.bytes_in_trash), 0) + coalesce(sum(s.bytes) filter (where not s.is_own), 0) as trash
      from (select l.*, l.memory_id = any (own) as is_own from private.media_sums l
        where l.account = me and l.memory_id = any (own_and_deleted)) s
    ), items as (
      select x.id, x.memory_id, m.person_name as memory_name, x.type, x.size, x.object_name,
        x.poster_name, x.placeholder, x.width, x.height, x.duration, x.created_at, d.mime_type, d.file_name
      from public.media x join public.memories m on m.id = x.memory_id
      join public.media_details d on d.media_id = x.id where x.id = any (candidates)
    ), of_others as (
      select case t.kind
        when 'media' then (select sum(x.size + x.poster_size) from public.media x where x.id = t.id or x.motion_of = t.id)
        when 'memory' then (select sum(s.bytes + s.bytes_in_trash) from private.media_sums s where s.memory_id = t.id)
        else 0 end as bytes
      from public.trash t join public.memories m on m.id = t.memory_id
      where t.account = me and (t.deleted_by < me or t.deleted_by > me or t.deleted_by is null) and (m.deleted_at is null or t.kind = 'memory')
    )
    select jsonb_build_object(
      'imageCount', (select images from sums),
      'videoCount', (select videos from sums),
      'recordingCount', (select recordings from sums),
      'trash', (select jsonb_build_object('bytes', (select trash from sums),
        'bytesOfOthers', coalesce(sum(bytes), 0), 'itemsOfOthers', count(*)) from of_others),
      'largest', (select coalesce(jsonb_agg(to_jsonb(l) order by l.size desc, l.id), '[]') from items l)
    )
  );
end
$function$;
comment on function public.storage_stats() is 'Storage used by the signed-in person''s own memories (Spec §3): bytes in total and in the trash, counts, and the twenty largest items. The trash is included only in the bytes.';
grant execute on function public.storage_stats() to authenticated;
grant execute on function public.storage_stats() to service_role;

CREATE OR REPLACE FUNCTION public.storage_use()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  plan record;
  used bigint := coalesce((select u.stored from private.account_use u where u.account = auth.uid()), 0);
begin
  if not private.has_required_aal() then
    raise exception 'This needs your second factor' using errcode = '42501';
  end if;
  select * into plan from private.limits_of(auth.uid());
  return jsonb_build_object('totalSize', used, 'maxStorage', plan.storage_bytes,
    'usagePercentage', round(used::numeric * 100 / plan.storage_bytes, 2));
end
$function$;
comment on function public.storage_use() is 'Used and available bytes of the signed-in person''s own memories, read from counters.';
grant execute on function public.storage_use() to authenticated;
grant execute on function public.storage_use() to service_role;

CREATE OR REPLACE FUNCTION public.suspend_person(whom text, reason text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  person auth.users;
begin
  perform private.require_role('admin');
  person := private.person_to_change(whom, reason);
  update auth.users u set banned_until = now() + interval '100 years', updated_at = now() where u.id = person.id;
  -- Each one that ends is told to every process.
  delete from auth.sessions s where s.user_id = person.id;
  delete from auth.one_time_tokens t where t.user_id = person.id;
  perform private.record_action('person.suspend', person.id::text, null, null, reason);
  return jsonb_build_object('id', person.id, 'suspended', true);
end
$function$;
comment on function public.suspend_person(text,text) is 'Lets a person not sign in any more, and ends their sessions and the links that were sent. For administrators and the command line.';
grant execute on function public.suspend_person(text,text) to authenticated;
grant execute on function public.suspend_person(text,text) to service_role;

CREATE OR REPLACE FUNCTION public.swap_sides(fronts uuid[])
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  front public.media;
  back uuid;
  exact text;
begin
  perform private.lock_fronts(fronts);
  for front in select m.* from public.media m where m.id = any (fronts) and m.has_back order by m.id loop
    select m.id into back from public.media m where m.motion_of = front.id and m.is_back;
    continue when back is null;
    update public.media m set has_back = false, back_width = null, back_height = null, back_text = '', is_cover = false where m.id = front.id;
    -- The item keeps its caption, place and date; each description stays with its side.
    update public.media m set motion_of = null, is_back = null, moderation = front.moderation, position = front.position,
      caption = front.caption, alt_text = front.back_text where m.id = back;
    update public.media m set motion_of = back, is_back = true, moderation = 'attached', caption = '' where m.id = front.id;
    update public.media m set is_cover = front.is_cover, back_text = front.alt_text where m.id = back;
    select d.taken_at into exact from public.media_details d where d.media_id = front.id;
    if exact is not null then
      update public.media m set taken_at = exact where m.id = back;
    end if;
    perform private.give_to_photo(front.id, back);
    return next back;
  end loop;
end
$function$;
comment on function public.swap_sides(uuid[]) is 'Makes the back of each front the side that lists show. Returns the new fronts. Only for managers.';
grant execute on function public.swap_sides(uuid[]) to authenticated;
grant execute on function public.swap_sides(uuid[]) to service_role;

CREATE OR REPLACE FUNCTION public.taken_source(public.media)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select d.taken_source from public.media_details d where d.media_id = $1.id
$function$;
grant execute on function public.taken_source(public.media) to anon;
grant execute on function public.taken_source(public.media) to authenticated;
grant execute on function public.taken_source(public.media) to service_role;

CREATE OR REPLACE FUNCTION public.title_key(post public.blog_posts)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  select private.search_key(post.title)
$function$;
comment on function public.title_key(public.blog_posts) is 'The title as a search compares it.';
grant execute on function public.title_key(public.blog_posts) to authenticated;
grant execute on function public.title_key(public.blog_posts) to service_role;

CREATE OR REPLACE FUNCTION public.turn_media(ids uuid[], degrees integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if degrees is null or degrees % 90 <> 0 or abs(degrees) > 270 then
    raise exception 'Pictures are turned by 90, 180 or 270 degrees.' using errcode = 'PT400';
  end if;
  if cardinality(ids) > 1000 then
    raise exception 'At most 1,000 photos are changed at once.' using errcode = 'PT400';
  end if;
  -- In a fixed order, so that two concurrent requests cannot deadlock.
  perform from public.media m where m.id = any (ids) order by m.id for update;
  return query
    update public.media m set edit = private.turned(m.edit, degrees)
    where m.id = any (ids) and m.type = 'image' and m.pages is null returning m.id;
end
$function$;
comment on function public.turn_media(uuid[],integer) is 'Turns photos clockwise by a multiple of 90 degrees, as they are shown. Returns the ids of those that were turned: recordings, papers and what the caller may not change are left alone.';
grant execute on function public.turn_media(uuid[],integer) to anon;
grant execute on function public.turn_media(uuid[],integer) to authenticated;
grant execute on function public.turn_media(uuid[],integer) to service_role;

CREATE OR REPLACE FUNCTION public.unblock_person(block_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  block public.memory_blocks;
begin
  select * into block from public.memory_blocks b
  where b.id = block_id and private.is_manager(b.memory_id) for update;
  -- Already unblocked, for example by another manager.
  if block.id is null then
    return;
  end if;
  if block.role = 'co-owner' and not private.is_owner(block.memory_id) then
    raise exception 'Only its owner decides who co-owns a memory.' using errcode = '42501';
  end if;
  delete from public.memory_blocks b where b.id = block_id;
  update public.guests g set blocked_at = null from public.share_links l, public.memories m
  where g.id = block.guest_id and l.id = g.link_id and m.id = block.memory_id
    and (l.memory_id = m.id or l.album_id = m.album_id and m.user_id = auth.uid());
  insert into public.memory_members (memory_id, user_id, role)
  select block.memory_id, block.user_id, block.role where block.role is not null on conflict do nothing;
  -- What the block ended has the time of its transaction. Invitations and links that ended at another time stay ended.
  update public.invitations i set state = 'open', settled_at = null
  where i.memory_id = block.memory_id and i.state = 'withdrawn' and i.settled_at = block.created_at
    and not exists (select from public.invitations x where x.memory_id = i.memory_id and x.email = i.email and x.state = 'open')
    and not exists (select from public.memory_blocks b join auth.users u on u.id = b.user_id
      where b.memory_id = i.memory_id and lower(u.email) = i.email)
    and not exists (select from public.share_links l where l.invitation_id = i.id and private.has_blocked_guest(l.id));
  update public.share_links l set revoked_at = null from public.invitations i
  where i.memory_id = block.memory_id and l.invitation_id = i.id and l.revoked_at = block.created_at
    and (i.state = 'open' or i.state = 'accepted' and exists (select from public.memory_members p
      where p.memory_id = i.memory_id and p.user_id = i.accepted_by))
    and not private.has_blocked_guest(l.id);
end
$function$;
comment on function public.unblock_person(uuid) is 'Unblocks somebody, who gets their previous role back, and the invitations that the block ended. Repeating it has no effect. Only for managers.';
grant execute on function public.unblock_person(uuid) to authenticated;
grant execute on function public.unblock_person(uuid) to service_role;

CREATE OR REPLACE FUNCTION public.upload_occasion()
 RETURNS TABLE(id uuid, kind text, person_name text, birth_date text, passing_date text, event_date text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select m.id, m.kind, m.person_name, m.birth_date, m.passing_date, m.event_date
  from private.open_link() l join public.memories m on m.id = l.memory_id and not m.draft
  where l.rights = 'upload' and m.id <> all ((select private.blocked_memory_ids())::uuid[])
$function$;
comment on function public.upload_occasion() is 'Name and dates of the memory that the caller''s upload-only link adds to; no row for other callers.';
grant execute on function public.upload_occasion() to anon;
grant execute on function public.upload_occasion() to authenticated;
grant execute on function public.upload_occasion() to service_role;

CREATE OR REPLACE FUNCTION public.user_id(public.media)
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select d.user_id from public.media_details d where d.media_id = $1.id
$function$;
grant execute on function public.user_id(public.media) to anon;
grant execute on function public.user_id(public.media) to authenticated;
grant execute on function public.user_id(public.media) to service_role;

CREATE OR REPLACE FUNCTION public.voucher_use(vouchers uuid[])
 RETURNS TABLE(voucher_id uuid, paid integer, reserved integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_role('admin');
  return query select u.voucher_id, (count(*) filter (where u.paid_at is not null))::integer,
    (count(*) filter (where u.paid_at is null))::integer
  from public.voucher_uses u where u.voucher_id = any (vouchers) and u.released_at is null group by u.voucher_id;
end
$function$;
comment on function public.voucher_use(uuid[]) is 'How often these vouchers were used in paid orders, and are reserved for orders that wait for their payment.';
grant execute on function public.voucher_use(uuid[]) to authenticated;
grant execute on function public.voucher_use(uuid[]) to service_role;

CREATE OR REPLACE FUNCTION public.waiting_counts()
 RETURNS TABLE(memory_id uuid, count bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select held.memory_id, count(*) from (
    select m.memory_id from public.media m where m.moderation = 'held' and m.memory_id = any ((select private.managed_memory_ids())::uuid[])
    union all
    select s.memory_id from public.stories s where s.moderation = 'held' and s.memory_id = any ((select private.managed_memory_ids())::uuid[])
    union all
    select c.memory_id from public.comments c where c.moderation = 'held' and c.memory_id = any ((select private.managed_memory_ids())::uuid[])
    union all
    select r.memory_id from public.reactions r where r.moderation = 'held' and r.memory_id = any ((select private.managed_memory_ids())::uuid[])
    union all
    select p.memory_id from public.picture_requests p join public.media m on m.id = p.media_id
    where p.state = 'open' and m.moderation not in ('deleted', 'attached') and p.memory_id = any ((select private.managed_memory_ids())::uuid[])
  ) held group by held.memory_id
$function$;
comment on function public.waiting_counts() is 'The number of held items and open requests about pictures in each memory that the caller manages, without memories that have none.';
grant execute on function public.waiting_counts() to authenticated;
grant execute on function public.waiting_counts() to service_role;

CREATE OR REPLACE FUNCTION public.wall_head()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object('name', m.person_name, 'kind', m.kind, 'now', now(), 'ends_at', w.expires_at, 'share_id', l.share_id,
    'asks', l.asks, 'waits', private.waits_for_reveal(m.id),
    'candles', case when w.shows_candles and not private.waits_for_reveal(m.id) then (select count(*) from public.reactions r where r.memory_id = m.id
      and r.kind = 'candle' and r.media_id is null and r.comment_id is null and r.moderation = 'shown') end)
  from private.open_wall() w join public.memories m on m.id = w.memory_id
  left join public.share_links l on l.id = w.link_id and l.shared_at is not null and l.revoked_at is null
    and coalesce(l.expires_at > now(), true) and l.rights in ('contribute', 'upload')
$function$;
comment on function public.wall_head() is 'What a screen shows beside pictures and words: the memory''s name and kind, the link for adding, and the number of candles. Null for every other caller.';
grant execute on function public.wall_head() to anon;
grant execute on function public.wall_head() to service_role;

CREATE OR REPLACE FUNCTION public.withdraw_comment(comment_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  comment public.comments;
begin
  select * into comment from public.comments c where c.id = comment_id for update;
  -- A signed-in author can delete their comment even if they can no longer see the memory; a guest only through their link.
  if comment.id is null or not (coalesce(comment.user_id = auth.uid() and private.has_required_aal(), false)
    or coalesce(comment.guest_id = private.guest_id(), false) and private.can_comment(comment.memory_id)
    or private.is_manager(comment.memory_id)) then
    raise exception 'There is no such comment of yours.' using errcode = 'PT404', hint = 'not_there';
  end if;
  if comment.deleted_at is null and comment.moderation <> 'deleted' then
    perform private.move_comment_to_trash(comment);
  end if;
end
$function$;
comment on function public.withdraw_comment(uuid) is 'Moves a comment of the caller, or of a memory they manage, to the trash. A comment with replies keeps an empty row.';
grant execute on function public.withdraw_comment(uuid) to anon;
grant execute on function public.withdraw_comment(uuid) to authenticated;
grant execute on function public.withdraw_comment(uuid) to service_role;

CREATE OR REPLACE FUNCTION realtime.announce_deletion(relation regclass, old_row jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into realtime.changes (schema_name, table_name, type, key, old_record)
  select n.nspname, c.relname, 'DELETE', (select jsonb_object_agg(name, old_row -> name) from unnest(realtime.key_columns(c.oid)) name), old_row
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.oid = relation;
  perform pg_notify('realtime', '');
end
$function$;
comment on function realtime.announce_deletion(regclass,jsonb) is 'Reports a row as deleted to those who could see it, although it is only hidden from now on.';

CREATE OR REPLACE FUNCTION realtime.capture()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  changed jsonb;
begin
  if current_setting('realtime.announces', true) = 'off' then
    return null;
  end if;
  changed := to_jsonb(case when tg_op = 'DELETE' then old else new end);
  insert into realtime.changes (schema_name, table_name, type, key, old_record)
  values (
    tg_table_schema, tg_table_name, tg_op,
    (select jsonb_object_agg(name, changed -> name) from unnest(tg_argv) as name),
    case when tg_op = 'DELETE' then changed end
  );
  -- One notification for each transaction, however many rows it changes. It only asks processes to read.
  perform pg_notify('realtime', '');
  return null;
end
$function$;
comment on function realtime.capture() is 'Records a change of a row. Its arguments are the columns of the primary key.';

CREATE OR REPLACE FUNCTION realtime.key_columns(relation oid)
 RETURNS text[]
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select array_agg(a.attname::text order by k.position)
  from pg_catalog.pg_index i
    cross join unnest(i.indkey::smallint[]) with ordinality as k (attnum, position)
    join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
  where i.indrelid = relation and i.indisprimary
$function$;

CREATE OR REPLACE FUNCTION realtime.notify_session_end()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform pg_notify('realtime', '');
  return null;
end
$function$;
comment on function realtime.notify_session_end() is 'Notifies every process, which closes the channels of a session that has ended.';

CREATE OR REPLACE FUNCTION realtime.select_condition(relation oid, role_name name)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    when not c.relrowsecurity or r.rolsuper or r.rolbypassrls then 'true'
    else concat('(', coalesce(string_agg(p.condition, ' or ') filter (where p.permissive), 'false'), ')',
      string_agg(' and ' || p.condition, '') filter (where not p.permissive))
  end
  from pg_catalog.pg_class c cross join pg_catalog.pg_roles r
    left join lateral (
      select '(' || coalesce(pg_catalog.pg_get_expr(polqual, polrelid), 'true') || ')' as condition, polpermissive as permissive
      from pg_catalog.pg_policy
      where polrelid = c.oid and polcmd in ('r', '*')
        and (polroles = '{0}' or exists (select from unnest(polroles) as granted where pg_catalog.pg_has_role(r.oid, granted, 'usage')))
    ) p on true
  where c.oid = relation and r.rolname = role_name
  group by c.relrowsecurity, r.rolsuper, r.rolbypassrls
$function$;
comment on function realtime.select_condition(oid,name) is 'The row policies for reading a table as a role, as one SQL condition on a row with the table''s name. Used for deleted rows.';

CREATE OR REPLACE FUNCTION realtime.watch_publication()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  watched record;
begin
  -- If two processes start together, the second one finds the triggers in place.
  perform pg_catalog.pg_advisory_xact_lock(7545938);
  for watched in
    with published as (
      select format('%I.%I', p.schemaname, p.tablename)::regclass as relation
      from pg_catalog.pg_publication_tables p where p.pubname = 'supabase_realtime' and p.schemaname <> 'realtime'
    ), wanted as (
      -- The rows of a table without a primary key cannot be read again, so it reports nothing.
      select relation, columns from published cross join realtime.key_columns(relation) as columns where columns is not null
    ), made as (
      select tgrelid::regclass as relation, encode(tgargs, 'escape') as arguments
      from pg_catalog.pg_trigger where tgname = 'realtime_capture'
    )
    select relation, columns, arguments from wanted full join made using (relation)
    where arguments is distinct from (select string_agg(name || '\000', '') from unnest(columns) as name)
  loop
    if watched.arguments is not null then
      execute format('drop trigger realtime_capture on %s', watched.relation);
    end if;
    if watched.columns is not null then
      execute format(
        'create trigger realtime_capture after insert or update or delete on %s for each row execute function realtime.capture(%s)',
        watched.relation, (select string_agg(quote_literal(name), ', ') from unnest(watched.columns) as name));
    end if;
  end loop;
end
$function$;
comment on function realtime.watch_publication() is 'Creates the trigger on every published table and drops it from all others. Changes nothing if all are as they should be.';

CREATE OR REPLACE FUNCTION request.run(role_name text, claims text, statement text, bound text[], read_only boolean DEFAULT false)
 RETURNS TABLE(body text, page bigint, total bigint)
 LANGUAGE plpgsql
AS $function$
begin
  -- Local to the transaction, which consists of this one statement: role and claims end with it.
  perform set_config('role', role_name, true), set_config('request.jwt.claims', claims, true);
  if read_only then
    perform set_config('transaction_read_only', 'on', true);
  end if;
  return query execute statement using bound;
end
$function$;
comment on function request.run(text,text,text,text[],boolean) is 'Runs one statement with a caller''s role and claims in one round trip. Only the server may call it.';

CREATE OR REPLACE FUNCTION rest.check_response(status text, headers text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  is_sendable boolean;
begin
  if status <> '' and status !~ '^[2-5][0-9]{2}$' then
    perform rest.refuse(500, 'PGRST112', 'response.status guc must be a valid status code', null);
  end if;
  if headers <> '' then
    begin
      is_sendable := not exists (
        select from json_array_elements(headers::json) as one
        where not (
          select count(*) = 1 and bool_and(json_typeof(value) = 'string'
            and key ~ '^[-!#$%&''*+.^_`|~0-9A-Za-z]+$' and value #>> '{}' ~ '^[\t\u0020-\u007e\u0080-\u00ff]*$')
          from json_each(one)));
    exception when data_exception then
      is_sendable := false;
    end;
    if not is_sendable then
      perform rest.refuse(500, 'PGRST111',
        'response.headers guc must be a JSON array composed of objects with a single key and a string value', null);
    end if;
  end if;
end
$function$;
comment on function rest.check_response(text,text) is 'Aborts a transaction whose settings response.status and response.headers no response can have.';
grant execute on function rest.check_response(text,text) to anon;
grant execute on function rest.check_response(text,text) to authenticated;
grant execute on function rest.check_response(text,text) to public;
grant execute on function rest.check_response(text,text) to service_role;

CREATE OR REPLACE FUNCTION rest.delete_rows(of anyelement, alias text, condition text, columns text[], keys text[], given text[])
 RETURNS SETOF anyelement
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  relation constant regclass := (select t.typrelid from pg_catalog.pg_type t where t.oid = pg_typeof(of));
  known jsonb;
begin
  execute format('select jsonb_agg(to_jsonb(k)) from (select %s from %s as %I where %s) k',
    (select string_agg(format('%I.%I', alias, c), ', ') from unnest(columns) c), relation, alias, condition)
    into known using given;
  execute format('delete from %s as %I where %s', relation, alias, condition) using given;
  return query execute format('select k.* from jsonb_populate_recordset(null::%1$s, $1) k where not exists (select from %1$s o where %2$s)',
    relation, (select string_agg(format('o.%1$I = k.%1$I', c), ' and ') from unnest(keys) c)) using known;
end
$function$;
comment on function rest.delete_rows(anyelement,text,text,text[],text[],text[]) is 'Deletes as the caller the rows of a table that meet a condition on its alias, with these values. Returns these columns of the rows that the caller could see before and no longer sees.';
grant execute on function rest.delete_rows(anyelement,text,text,text[],text[],text[]) to anon;
grant execute on function rest.delete_rows(anyelement,text,text,text[],text[],text[]) to authenticated;
grant execute on function rest.delete_rows(anyelement,text,text,text[],text[],text[]) to public;
grant execute on function rest.delete_rows(anyelement,text,text,text[],text[],text[]) to service_role;

CREATE OR REPLACE FUNCTION rest.refuse(status integer, code text, message text, details text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
begin
  raise exception using errcode = 'PGRST',
    message = json_build_object('code', code, 'message', message, 'details', details),
    detail = json_build_object('status', status);
end
$function$;
comment on function rest.refuse(integer,text,text,text) is 'Aborts a statement with an error in the protocol''s form.';
grant execute on function rest.refuse(integer,text,text,text) to anon;
grant execute on function rest.refuse(integer,text,text,text) to authenticated;
grant execute on function rest.refuse(integer,text,text,text) to public;
grant execute on function rest.refuse(integer,text,text,text) to service_role;

CREATE OR REPLACE FUNCTION storage.access_to(o storage.objects)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$select private.access_to_object(o)$function$;
comment on function storage.access_to(storage.objects) is 'What the caller may download of an object they can see: original (unchanged bytes), copy (without private metadata) or view (renditions only, no download). A product may replace it.';
grant execute on function storage.access_to(storage.objects) to anon;
grant execute on function storage.access_to(storage.objects) to authenticated;
grant execute on function storage.access_to(storage.objects) to service_role;

CREATE OR REPLACE FUNCTION storage.decide_removals(many integer, as_of timestamp with time zone, keeps_all boolean, only_of text[] DEFAULT NULL::text[])
 RETURNS TABLE(version text, bucket_id text, is_removed boolean)
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  tombstone storage.discarded;
begin
  if keeps_all then
    return;
  end if;
  for tombstone in
    select d.* from storage.discarded d where d.discarded_at <= as_of - interval '1 day' and (only_of is null or d.version = any (only_of))
    order by d.discarded_at limit many for update skip locked
  loop
    -- A transaction that stores this version is still open, so the answer is not yet known.
    continue when not pg_try_advisory_xact_lock(7545940, storage.version_lock(tombstone.version));
    is_removed := not exists (select from storage.objects o where o.version = tombstone.version)
      and not exists (select from storage.uploads u where u.id = tombstone.version and u.finished_at is null);
    if is_removed then
      insert into storage.removed (digest, version, bucket_id)
      values (storage.version_digest(tombstone.version), tombstone.version, tombstone.bucket_id)
      on conflict (digest) do update set version = excluded.version, bucket_id = excluded.bucket_id;
    end if;
    delete from storage.discarded d where d.version = tombstone.version;
    version := tombstone.version;
    bucket_id := tombstone.bucket_id;
    return next;
  end loop;
end
$function$;
comment on function storage.decide_removals(integer,timestamp with time zone,boolean,text[]) is 'Looks again at up to `many` tombstones that are a day old, or at those of some versions, and removes the tombstones. Returns the versions, and whether their bytes may be removed.';

CREATE OR REPLACE FUNCTION storage.discard_unnamed(versions text[], bucket_ids text[], ages double precision[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into storage.discarded as d (version, bucket_id, discarded_at)
  select u.version, max(u.bucket_id),
    now() - make_interval(secs => case when exists (select from storage.removed r where r.digest = storage.version_digest(u.version)) then 86400 else min(u.age) end)
  from unnest(versions, bucket_ids, ages) u (version, bucket_id, age)
  where not exists (select from storage.objects o where o.version = u.version)
    and not exists (select from storage.uploads p where p.id = u.version and p.finished_at is null)
  group by u.version
  on conflict (version) do update set bucket_id = excluded.bucket_id where d.bucket_id = '' and excluded.bucket_id <> ''
$function$;
comment on function storage.discard_unnamed(text[],text[],double precision[]) is 'Adds tombstones, so many seconds old, for bytes that no object and no unfinished upload names. An existing tombstone keeps its date. Bytes that arrive after their removal are due at once.';

CREATE OR REPLACE FUNCTION storage.discard_upload()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into storage.discarded (version, bucket_id, discarded_at) values (old.id, old.bucket_id, now() - interval '1 day')
  on conflict do nothing;
  perform pg_notify('storage_discarded', '');
  return null;
end
$function$;
grant execute on function storage.discard_upload() to public;

CREATE OR REPLACE FUNCTION storage.discard_version()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'DELETE' or new.version is distinct from old.version then
    insert into storage.discarded as d (version, bucket_id) values (old.version, old.bucket_id)
    on conflict (version) do update set bucket_id = excluded.bucket_id, discarded_at = excluded.discarded_at;
    perform pg_notify('storage_discarded', '');
  end if;
  return null;
end
$function$;
grant execute on function storage.discard_version() to public;

CREATE OR REPLACE FUNCTION storage.edit_of(o storage.objects)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$select private.edit_of(o)$function$;
comment on function storage.edit_of(storage.objects) is 'The edit by which copies of an object are shown; null for most. A product may replace it.';
grant execute on function storage.edit_of(storage.objects) to anon;
grant execute on function storage.edit_of(storage.objects) to authenticated;
grant execute on function storage.edit_of(storage.objects) to service_role;

CREATE OR REPLACE FUNCTION storage.end_expired_uploads(of_account uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  -- The cleanup job removes the partial files, as they belong to no upload.
  delete from storage.uploads
  where account = of_account and finished_at is null and created_at < now() - interval '24 hours'
$function$;
comment on function storage.end_expired_uploads(uuid) is 'Deletes an account''s uploads that can no longer be resumed, without waiting for the cleanup job.';

CREATE OR REPLACE FUNCTION storage.extension(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select substring(storage.filename(name) from '\.([^.]*)$')
$function$;
grant execute on function storage.extension(text) to public;

CREATE OR REPLACE FUNCTION storage.filename(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select (string_to_array(name, '/'))[cardinality(string_to_array(name, '/'))]
$function$;
grant execute on function storage.filename(text) to public;

CREATE OR REPLACE FUNCTION storage.finish_upload()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update storage.uploads set finished_at = now() where id = new.version;
  return null;
end
$function$;
grant execute on function storage.finish_upload() to public;

CREATE OR REPLACE FUNCTION storage.foldername(name text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select (string_to_array(name, '/'))[1 : cardinality(string_to_array(name, '/')) - 1]
$function$;
grant execute on function storage.foldername(text) to public;

CREATE OR REPLACE FUNCTION storage.may_upload(in_bucket text, object_name text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
      select auth.role() = 'service_role' or in_bucket not in ('media', 'posters')
        or private.can_contribute(private.memory_of(object_name))
    $function$;
comment on function storage.may_upload(text,text) is 'Whether the caller may still add an object of this name. Asked while its bytes arrive, to end an upload early; the policies decide when the object is stored. A product may replace it.';
grant execute on function storage.may_upload(text,text) to anon;
grant execute on function storage.may_upload(text,text) to authenticated;
grant execute on function storage.may_upload(text,text) to service_role;

CREATE OR REPLACE FUNCTION storage.name_version()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'UPDATE' and new.version = old.version then
    return new;
  end if;
  -- Held until the end of the transaction: nobody decides a removal in between.
  perform pg_advisory_xact_lock_shared(7545940, storage.version_lock(new.version));
  -- Only a later statement sees what was decided while this one waited.
  if exists (select from storage.removed r where r.digest = storage.version_digest(new.version)) then
    raise exception 'The bytes of this file were removed. Send it again.' using errcode = 'PT410', hint = 'gone';
  end if;
  delete from storage.discarded d where d.version = new.version;
  return new;
end
$function$;
grant execute on function storage.name_version() to public;

CREATE OR REPLACE FUNCTION storage.other_side(o storage.objects)
 RETURNS SETOF storage.objects
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select * from private.back_of(o.id)
$function$;
comment on function storage.other_side(storage.objects) is 'The object that is shown as the other side of one that the caller can see, with the same rights. A product may replace it.';
grant execute on function storage.other_side(storage.objects) to anon;
grant execute on function storage.other_side(storage.objects) to authenticated;
grant execute on function storage.other_side(storage.objects) to service_role;

CREATE OR REPLACE FUNCTION storage.precheck_object(new_id uuid, in_bucket text, object_name text, owned_by text, new_version text, facts jsonb, extras jsonb, may_replace boolean)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  perform storage.store_object(new_id, in_bucket, object_name, owned_by, new_version, facts, extras, may_replace);
  raise exception using errcode = 'SR000';
exception when sqlstate 'SR000' then
  -- Leaving the block has rolled back the write and everything its triggers did.
  return;
end
$function$;
comment on function storage.precheck_object(uuid,text,text,text,text,jsonb,jsonb,boolean) is 'Fails exactly as storage.store_object would and writes nothing, so that an upload is refused before its bytes are sent.';
grant execute on function storage.precheck_object(uuid,text,text,text,text,jsonb,jsonb,boolean) to public;

CREATE OR REPLACE FUNCTION storage.remove_objects(in_bucket text, names text[])
 RETURNS SETOF storage.objects
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  known constant storage.objects[] := array(
    select o from storage.objects o where o.bucket_id = in_bucket and o.name = any (names));
begin
  delete from storage.objects o where o.bucket_id = in_bucket and o.name = any (names);
  return query select k.* from unnest(known) k where not exists (select from storage.objects o where o.id = k.id);
end
$function$;
comment on function storage.remove_objects(text,text[]) is 'Deletes as the caller; the policies decide. Returns the objects that the caller could see before and no longer sees.';
grant execute on function storage.remove_objects(text,text[]) to public;

CREATE OR REPLACE FUNCTION storage.store_object(new_id uuid, in_bucket text, object_name text, owned_by text, new_version text, facts jsonb, extras jsonb, may_replace boolean)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  stored uuid := new_id;
begin
  if may_replace then
    insert into storage.objects as o (id, bucket_id, name, owner, owner_id, version, metadata, user_metadata)
    values (new_id, in_bucket, object_name, owned_by::uuid, owned_by, new_version, facts, extras)
    on conflict (bucket_id, name) do update set owner = excluded.owner, owner_id = excluded.owner_id,
      version = excluded.version, metadata = excluded.metadata, user_metadata = excluded.user_metadata, updated_at = now()
    returning o.id into stored;
  else
    -- Without RETURNING, because a caller who may add need not be able to read.
    insert into storage.objects (id, bucket_id, name, owner, owner_id, version, metadata, user_metadata)
    values (new_id, in_bucket, object_name, owned_by::uuid, owned_by, new_version, facts, extras);
  end if;
  return stored;
end
$function$;
comment on function storage.store_object(uuid,text,text,text,text,jsonb,jsonb,boolean) is 'Inserts or updates an object''s row as the caller; the policies decide. Returns the id of the object.';
grant execute on function storage.store_object(uuid,text,text,text,text,jsonb,jsonb,boolean) to public;

CREATE OR REPLACE FUNCTION storage.version_digest(version text)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select sha256(convert_to(version, 'UTF8'))
$function$;
grant execute on function storage.version_digest(text) to public;

CREATE OR REPLACE FUNCTION storage.version_lock(version text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select hashtext(version) & 255
$function$;
comment on function storage.version_lock(text) is 'The advisory lock of a version, within 7545940: shared by transactions that store an object, exclusive while a removal is decided.';
grant execute on function storage.version_lock(text) to public;

create publication supabase_realtime for table
  public.albums,
  public.cart_items,
  public.comment_credits,
  public.comments,
  public.day_replies,
  public.day_reply_settings,
  public.guests,
  public.handovers,
  public.invitations,
  public.link_devices,
  public.link_versions,
  public.media,
  public.media_credits,
  public.media_details,
  public.media_names,
  public.memories,
  public.memory_blocks,
  public.memory_entries,
  public.memory_members,
  public.memory_withdrawals,
  public.metal_cards,
  public.notices,
  public.orders,
  public.photo_answers,
  public.photo_letters,
  public.picture_requests,
  public.pictured_people,
  public.prompts,
  public.reaction_credits,
  public.reactions,
  public.reveals,
  public.share_links,
  public.share_openings,
  public.slideshow_films,
  public.slideshows,
  public.stories,
  public.story_credits,
  public.trash,
  public.user_subscriptions,
  public.walls,
  public.who_questions;
