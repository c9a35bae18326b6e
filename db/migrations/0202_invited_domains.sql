-- An address such as anna@example..org receives nothing. shared/credentials.ts has the same rule.
create or replace function private.type_invitation() returns trigger language plpgsql set search_path = '' as $$
begin
  new.email := auth.typed_address(new.email);
  -- Not for invitations of an imported account, which may have been sent before this rule.
  if current_user in ('anon', 'authenticated') and new.email !~ '@[^\s@.]+(\.[^\s@.]+)+$' then
    raise exception 'Invalid email format' using errcode = '23514';
  end if;
  return new;
end
$$;
