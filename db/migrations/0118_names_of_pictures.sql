set local check_function_bodies = off;

-- A picture's object was named by the account's id, which visitors of a link may not learn (0117). Now it is named by a hash of
-- it: an id is random, so the name does not reveal it, and everybody who knows the id can find the picture.
create function private.picture_name(account uuid) returns text language sql immutable set search_path = '' as $$
  select substr(encode(sha256(account::text::bytea), 'hex'), 1, 32)::uuid::text
$$;
comment on function private.picture_name is
  'The name of an account''s object in the bucket avatars: the first half of the SHA-256 of its id, written as a UUID.';
revoke execute on function private.picture_name from public;
grant execute on function private.picture_name to anon, authenticated, service_role;

create index profiles_picture_name on profiles (private.picture_name(id));
create or replace function private.person_of(object_name text) returns uuid language sql stable security definer set search_path = '' as $$
  select p.id from public.profiles p where private.picture_name(p.id) = object_name
$$;
comment on function private.person_of is 'The account whose picture an object is; null if it is nobody''s.';

alter table comment_credits add column picture text;
comment on column comment_credits.picture is
  'The name of the author''s picture in the bucket avatars, whether or not there is one. Null for guests and without a name.';
create function private.set_picture() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.picture := case when new.name <> '' then (select private.picture_name(c.user_id) from public.comments c where c.id = new.comment_id) end;
  return new;
end
$$;
comment on function private.set_picture is 'Names the picture of a comment''s author together with the author.';
revoke execute on function private.set_picture from public, anon, authenticated, service_role;
create trigger set_picture before insert or update of name on comment_credits for each row execute function private.set_picture();
update comment_credits set name = name where name <> '';
create index comment_credits_picture on comment_credits (picture) where picture is not null;

alter policy "avatars: person adds" on storage.objects
  with check (bucket_id = 'avatars' and name = (select private.picture_name(auth.uid())));
alter policy "avatars: person replaces" on storage.objects
  using (bucket_id = 'avatars' and name = (select private.picture_name(auth.uid())))
  with check (bucket_id = 'avatars' and name = (select private.picture_name(auth.uid())));
alter policy "avatars: person removes" on storage.objects
  using (bucket_id = 'avatars' and name = (select private.picture_name(auth.uid())));
-- The policy of `comment_credits` applies to the subquery: a picture is visible with the name of its person, never without it.
alter policy "avatars: people who see the person's name read" on storage.objects to anon, authenticated
  using (bucket_id = 'avatars' and (name = (select private.picture_name(auth.uid()))
    or exists (select from comment_credits n where n.picture = objects.name)
    or (select auth.uid()) is not null and private.is_fellow_member(private.person_of(name))));

-- Pages of the version before upload under the account's id.
create function private.name_picture() returns trigger language plpgsql set search_path = '' as $$
begin
  new.name := private.picture_name(new.name::uuid);
  return new;
end
$$;
revoke execute on function private.name_picture from public, anon, authenticated, service_role;
create trigger name_picture before insert on storage.objects for each row
  when (new.bucket_id = 'avatars' and new.name = auth.uid()::text) execute function private.name_picture();

create or replace function private.erase_avatar() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from storage.objects where bucket_id = 'avatars' and name = private.picture_name(old.id);
  return old;
end
$$;

update storage.objects set name = private.picture_name(name::uuid)
where bucket_id = 'avatars' and name ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';
