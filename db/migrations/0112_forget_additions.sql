-- A person's additions in the ledger of the activity go with the account. Deleting an account first sets the authors of photos to
-- null, for which the ledger's triggers write rows with the old author: so the rows are deleted at the end of the transaction.
create function private.forget_additions() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from private.activity where user_id = old.id;
  return null;
end
$$;
comment on function private.forget_additions is
  'Deletes the rows of a deleted account from the ledger of additions. They add up to nothing: its photos have no author any more.';
create constraint trigger forget_additions after delete on auth.users deferrable initially deferred for each row
  execute function private.forget_additions();
delete from private.activity a where a.user_id is not null and not exists (select from auth.users u where u.id = a.user_id);

revoke execute on function private.forget_additions from public, anon, authenticated, service_role;
