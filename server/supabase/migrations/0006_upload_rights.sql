-- An upload takes as long as its bytes need. Its caller may lose the right to it in between.
alter table storage.uploads add column active_at timestamptz not null default now();
comment on column storage.uploads.active_at is 'The last request that wrote bytes, to the minute.';

create function storage.may_upload(in_bucket text, object_name text) returns boolean
language sql stable set search_path = '' as $$
  select true
$$;
comment on function storage.may_upload is
  'Whether the caller may still add an object of this name. Asked while its bytes arrive, to end an upload early; the policies decide when the object is stored. A product may replace it.';
revoke execute on function storage.may_upload from public;
grant execute on function storage.may_upload to anon, authenticated, service_role;
