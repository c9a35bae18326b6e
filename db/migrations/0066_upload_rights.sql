-- Storage reserved for uploads that are not going on is released when it is needed.
create function private.release_idle_uploads(of_account uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function private.release_idle_uploads is
  'Releases the storage that an account reserves for uploads whose caller has lost the right to add, or has sent nothing for half an hour. They can still be resumed within a day, if there is room.';
revoke execute on function private.release_idle_uploads from public;

create or replace function private.count_bytes(payer uuid, more_stored bigint, more_held bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
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
$$;

-- The hosted platform keeps uploads elsewhere.
do $$
begin
  if to_regprocedure('storage.may_upload(text, text)') is not null then
    create or replace function storage.may_upload(in_bucket text, object_name text) returns boolean
    language sql stable set search_path = '' as $may$
      select auth.role() = 'service_role' or in_bucket not in ('media', 'posters')
        or private.can_contribute(private.memory_of(object_name))
    $may$;
    create trigger release_idle_upload after update of account on storage.uploads for each row
      when (old.account is not null and old.finished_at is null and new.account is null and new.finished_at is null)
      execute function private.release_upload();
    create trigger hold_upload_again before update of active_at on storage.uploads for each row
      when (old.account is null and old.finished_at is null)
      execute function private.hold_upload();
  end if;
end
$$;
