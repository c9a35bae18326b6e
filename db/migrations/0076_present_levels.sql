-- A token's level and role count only as long as its session and account still have them. Tokens without a session are made by the
-- server itself, for example to read a notice as its recipient, or have had their claims replaced by the present ones.
create function private.has_second_factor() returns boolean language sql stable security definer set search_path = '' as $$
  select case
    when auth.jwt() ->> 'aal' is distinct from 'aal2' then false
    when auth.jwt() ->> 'session_id' is null then true
    else exists (select from auth.sessions s where s.id = (auth.jwt() ->> 'session_id')::uuid and s.aal = 'aal2')
  end
$$;
comment on function private.has_second_factor is
  'Whether the session is at aal2, by its token and by its row: removing the factor lowers the row at once.';
revoke execute on function private.has_second_factor from public;

create or replace function private.has_required_aal() returns boolean
language sql stable security definer set search_path = '' as $$
  select private.has_second_factor()
    or not exists (select from auth.mfa_factors f where f.user_id = auth.uid() and f.status = 'verified')
$$;

create or replace function private.has_role(variadic roles text[]) returns boolean
language sql stable security definer set search_path = '' as $$
  select case
    when coalesce(auth.jwt() -> 'app_metadata' ->> 'role' = any (roles), false) is false then false
    when not private.has_second_factor() then false
    when auth.jwt() ->> 'session_id' is null then true
    else exists (select from auth.users u where u.id = auth.uid() and u.raw_app_meta_data ->> 'role' = any (roles))
  end
$$;
comment on function private.has_role is
  'Whether the caller has one of these staff roles (admin, support, fulfilment, editor), by the token and by the account, and has used a second factor.';
