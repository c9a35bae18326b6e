-- A token lives for an hour. What it says about its session and account may become untrue before: the level after a second factor
-- was removed, the role, the addresses, and that the account is not banned. Every process then reads them again.

create trigger notify_session_level after update of aal on auth.sessions
  for each row when (old.aal is distinct from new.aal) execute function auth.notify_session_ended();
create trigger realtime_session_level after update of aal on auth.sessions
  for each row when (old.aal is distinct from new.aal) execute function realtime.notify_session_end();

create function auth.notify_account_changed() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('session_ended', s.id::text) from auth.sessions s where s.user_id = new.id;
  perform pg_notify('realtime', '');
  return null;
end
$$;
comment on function auth.notify_account_changed is
  'Makes every server process read the claims of an account''s sessions again.';
revoke execute on function auth.notify_account_changed from public;
create trigger notify_account_changed after update of email, phone, raw_app_meta_data, banned_until on auth.users
  for each row when ((old.email, old.phone, old.raw_app_meta_data, old.banned_until)
    is distinct from (new.email, new.phone, new.raw_app_meta_data, new.banned_until))
  execute function auth.notify_account_changed();

create function auth.lower_sessions() returns trigger language plpgsql security definer set search_path = '' as $$
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
$$;
comment on function auth.lower_sessions is
  'Lowers the sessions that had verified a removed factor to aal1, and all of the person''s sessions after the last one.';
revoke execute on function auth.lower_sessions from public;
create trigger lower_sessions_deleted after delete on auth.mfa_factors
  for each row when (old.status = 'verified') execute function auth.lower_sessions();
create trigger lower_sessions after update of status on auth.mfa_factors
  for each row when (old.status = 'verified' and new.status <> 'verified') execute function auth.lower_sessions();
