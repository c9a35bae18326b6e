create function private.fully_signed_in() returns boolean language sql stable security definer set search_path = '' as $$
  select auth.jwt() ->> 'aal' = 'aal2'
    or not exists (select from auth.mfa_factors f where f.user_id = auth.uid() and f.status = 'verified')
$$;
comment on function private.fully_signed_in is
  'Whether the signed-in person has taken their second step, or has none to take: a password alone opens nothing of theirs.';
revoke execute on function private.fully_signed_in from public;
grant execute on function private.fully_signed_in to authenticated;

create function my_sessions()
returns table (id uuid, user_agent text, ip text, created_at timestamptz, last_seen_at timestamptz, is_current boolean)
language sql stable security definer set search_path = '' as $$
  select s.id, s.user_agent, split_part(s.ip::text, '/', 1), s.created_at,
    greatest(s.created_at, s.refreshed_at), s.id::text = auth.jwt() ->> 'session_id'
  from auth.sessions s
  where s.user_id = auth.uid() and (s.not_after is null or s.not_after > now()) and private.fully_signed_in()
  order by 6 desc, 5 desc
$$;
comment on function my_sessions is 'Where the signed-in person is signed in: this device first, then by when it was last seen.';

create function end_session(session_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from auth.sessions s where s.id = session_id and s.user_id = auth.uid() and private.fully_signed_in();
  return found;
end
$$;
comment on function end_session is
  'Signs one of the signed-in person''s devices out; false where it is none of theirs. All its tokens end at once.';

revoke execute on function my_sessions, end_session from public, anon;
grant execute on function my_sessions, end_session to authenticated;
