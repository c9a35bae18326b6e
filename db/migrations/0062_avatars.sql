set local check_function_bodies = off;

-- One picture of each account, named by its id. Not a path of a memory, so no rule about memories applies to it.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('avatars', 'avatars', false, 1024 * 1024, '{image/jpeg,image/png,image/webp}');

create function private.is_fellow_member(person uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from public.memory_members p where p.user_id = person
      and (private.is_owner(p.memory_id) or private.member_role(p.memory_id) is not null))
    or exists (select from public.memories m where m.user_id = person and private.member_role(m.id) is not null)
$$;
comment on function private.is_fellow_member is
  'Whether the caller and this account are both among the people of a memory, so that memory_people() tells the caller the name.';

create function private.person_of(object_name text) returns uuid language sql immutable set search_path = '' as $$
  select substring(object_name from '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$')::uuid
$$;
comment on function private.person_of is 'The account whose picture an object is; null if its name is not an id.';

create policy "avatars: person adds" on storage.objects for insert to authenticated
  with check (bucket_id = 'avatars' and name = (select auth.uid())::text);
create policy "avatars: person replaces" on storage.objects for update to authenticated
  using (bucket_id = 'avatars' and name = (select auth.uid())::text)
  with check (bucket_id = 'avatars' and name = (select auth.uid())::text);
-- A row policy sees the row before or after a change, never both: whoever may move a video could move it here, past the limits
-- of this bucket.
create function private.refuse_as_avatar() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception 'An avatar is uploaded, not moved here' using errcode = '42501';
end
$$;
create trigger refuse_as_avatar before update of bucket_id on storage.objects for each row
  when (new.bucket_id = 'avatars' and old.bucket_id <> 'avatars') execute function private.refuse_as_avatar();
create policy "avatars: person removes" on storage.objects for delete to authenticated
  using (bucket_id = 'avatars' and name = (select auth.uid())::text);
-- The policies of the two tables apply to the subquery: a picture is visible with the name of its person, never without it.
create policy "avatars: people who see the person's name read" on storage.objects for select to anon, authenticated
  using (bucket_id = 'avatars' and (name = (select auth.uid())::text
    or exists (select from comments c join comment_credits n on n.comment_id = c.id where c.user_id = private.person_of(objects.name))
    or (select auth.uid()) is not null and private.is_fellow_member(private.person_of(name))));

create function private.erase_avatar() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from storage.objects where bucket_id = 'avatars' and name = old.id::text;
  return old;
end
$$;
comment on function private.erase_avatar is 'Deletes the picture of a deleted account; a job of the storage removes the bytes.';
create trigger erase_avatar before delete on auth.users for each row execute function private.erase_avatar();

revoke execute on function private.is_fellow_member, private.person_of, private.refuse_as_avatar, private.erase_avatar
  from public;
grant execute on function private.is_fellow_member, private.person_of to anon, authenticated;
