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
