-- What those who may read a photo's details ask for beside its own columns: computed columns, null for everyone else. They run as
-- their caller, and the policy of media_details decides.
create function user_id(media) returns uuid language sql stable set search_path = '' as $$
  select d.user_id from public.media_details d where d.media_id = $1.id
$$;
create function guest_id(media) returns uuid language sql stable set search_path = '' as $$
  select d.guest_id from public.media_details d where d.media_id = $1.id
$$;
create function file_name(media) returns text language sql stable set search_path = '' as $$
  select d.file_name from public.media_details d where d.media_id = $1.id
$$;
create function content_hash(media) returns text language sql stable set search_path = '' as $$
  select d.content_hash from public.media_details d where d.media_id = $1.id
$$;
create function taken_source(media) returns text language sql stable set search_path = '' as $$
  select d.taken_source from public.media_details d where d.media_id = $1.id
$$;
revoke execute on function user_id(media), guest_id(media), file_name(media), content_hash(media), taken_source(media) from public;
grant execute on function user_id(media), guest_id(media), file_name(media), content_hash(media), taken_source(media) to anon, authenticated, service_role;

alter publication supabase_realtime add table media_details;
