alter table storage.uploads add column account uuid;
comment on column storage.uploads.account is
  'Whose allowance its bytes are held against until it ends; null where nothing counts them. The product fills it in.';
create index uploads_account on storage.uploads (account) where finished_at is null;

create function storage.end_expired_uploads(of_account uuid) returns void
language sql volatile security definer set search_path = '' as $$
  -- The sweep removes their parts, as parts that belong to no upload.
  delete from storage.uploads
  where account = of_account and finished_at is null and created_at < now() - interval '24 hours'
$$;
comment on function storage.end_expired_uploads is
  'Forgets an account''s uploads that nobody can go on with any more, without waiting for the sweep to come by.';
revoke execute on function storage.end_expired_uploads from public;
