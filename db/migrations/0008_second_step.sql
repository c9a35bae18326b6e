create function private.fully_signed_in() returns boolean language sql stable security definer set search_path = '' as $$
  select auth.jwt() ->> 'aal' = 'aal2'
    or not exists (select from auth.mfa_factors f where f.user_id = auth.uid() and f.status = 'verified')
$$;
comment on function private.fully_signed_in is
  'Whether the signed-in person has taken their second step, or has none to take: a password alone opens nothing of theirs.';
revoke execute on function private.fully_signed_in from public;
grant execute on function private.fully_signed_in to authenticated;

create policy "after the second step" on profiles as restrictive to authenticated
  using ((select private.fully_signed_in()));
create policy "after the second step" on email_preferences as restrictive to authenticated
  using ((select private.fully_signed_in()));
create policy "after the second step" on memories as restrictive to authenticated
  using ((select private.fully_signed_in()));
create policy "after the second step" on media as restrictive to authenticated
  using ((select private.fully_signed_in()));
create policy "after the second step" on share_links as restrictive to authenticated
  using ((select private.fully_signed_in()));
create policy "after the second step" on share_pins as restrictive to authenticated
  using ((select private.fully_signed_in()));
create policy "after the second step" on storage.objects as restrictive to authenticated
  using ((select private.fully_signed_in()));
