set local check_function_bodies = off;

-- No policy calls a function for each row: docs/decisions/0146-policies-without-calls.md.

-- What policies read of rows that the caller may not see, by an index. Views with their owner's rights, like private.own_memories.
create view private.own_media as
  select d.media_id from public.media_details d
  where d.user_id = (select auth.uid()) or d.guest_id = (select private.guest_id());
comment on view private.own_media is
  'Ids of the photos and videos that the caller, signed in or guest, added. It has the rights of its owner, and only policies read it.';

create view private.own_deleted_media as
  select m.id from public.media m join storage.objects o on o.id = m.id
  where m.moderation = 'deleted' and o.owner = (select auth.uid());
comment on view private.own_deleted_media is
  'Ids of the caller''s files whose photo or video is in the trash, where policies hide it. It has the rights of its owner, and only policies read it.';

create view private.hidden_comments as
  select c.id from public.comments c where c.moderation <> 'shown';
comment on view private.hidden_comments is
  'Ids of comments that are not shown: their threads are hidden with them. It has the rights of its owner, and only policies read it.';

create view private.merged_entries as
  select p.id, p.merged_into from public.pictured_people p where p.merged_into is not null;
comment on view private.merged_entries is
  'Which entries of people are merged into which. It has the rights of its owner, and only policies read it.';

create view private.pictures_of_fellows as
  select private.picture_name(p.id) as name from public.profiles p
  where exists (select from public.memory_members f where f.user_id = p.id
      and (exists (select from public.memories m
          where m.id = f.memory_id and m.user_id = (select auth.uid()) and m.deleted_at is null and (select private.has_required_aal()))
        or f.memory_id = any ((select private.joined_memory_ids())::uuid[])))
    or exists (select from public.memories m where m.user_id = p.id
      and m.id = any ((select private.joined_memory_ids())::uuid[]));
comment on view private.pictures_of_fellows is
  'Names of the pictures of accounts that are among the people of a memory with the caller, so that memory_people() tells the caller the name. It has the rights of its owner, and only policies read it.';

revoke all on private.own_media, private.own_deleted_media, private.hidden_comments, private.merged_entries, private.pictures_of_fellows
  from public, anon, authenticated, service_role;
grant select on private.own_media, private.hidden_comments, private.merged_entries to anon, authenticated;
grant select on private.own_deleted_media, private.pictures_of_fellows to authenticated;

create or replace function private.shared_memory_ids(to_do text) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select case to_do
    when 'view' then private.member_memory_ids('{co-owner,contributor,viewer}') || private.linked_memory_ids('{view,comment,contribute}')
    when 'comment' then private.member_memory_ids('{co-owner,contributor}') || private.linked_memory_ids('{comment,contribute}')
    when 'contribute' then private.member_memory_ids('{co-owner,contributor}') || private.linked_memory_ids('{contribute,upload}')
    when 'read details' then private.member_memory_ids('{co-owner,contributor}')
    when 'manage' then private.member_memory_ids('{co-owner}')
  end
$$;
comment on function private.shared_memory_ids is
  'Memories of other people that the caller may view, comment on, contribute to, read the details of or manage. Policies find the caller''s own memories by an index instead, so that a list costs the same however many there are.';

-- PostgreSQL puts this expression in the place of each call, because the function has no settings of its own.
create or replace function private.memory_of(object_name text) returns uuid language sql immutable
  return substring(object_name from '^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/')::uuid;

alter policy "viewers read" on comments using (
  (exists (select from private.own_memories own where own.id = comments.memory_id)
    or memory_id = any ((select private.shared_memory_ids('view'))::uuid[]))
  and (moderation = 'shown' and (parent_id is null or not exists (select from private.hidden_comments h where h.id = comments.parent_id))
    or user_id = (select auth.uid()))
  and (media_id is null or exists (select from media m where m.id = comments.media_id))
  or exists (select from private.own_memories own where own.id = comments.memory_id)
  or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));
alter policy "visitors read" on comments using (
  case when memory_id = any ((select private.shared_memory_ids('view'))::uuid[])
    then moderation = 'shown' and (parent_id is null or not exists (select from private.hidden_comments h where h.id = comments.parent_id))
      and (media_id is null or exists (select from media m where m.id = comments.media_id))
    else false
  end);

-- A person is visible by a name in a photo, also by one of an entry that is merged into them.
alter policy "editors, and viewers of a photo with the name, read" on pictured_people using (
  exists (select from private.own_memories own where own.id = pictured_people.memory_id)
  or memory_id = any ((select private.shared_memory_ids('read details'))::uuid[])
  or not deleted and exists (
    with recursive family (id) as (
      select pictured_people.id union select e.id from private.merged_entries e join family f on e.merged_into = f.id
    ) select from family f join media_names n on n.person_id = f.id));
alter policy "visitors who see a photo with the name read" on pictured_people using (
  not deleted and exists (
    with recursive family (id) as (
      select pictured_people.id union select e.id from private.merged_entries e join family f on e.merged_into = f.id
    ) select from family f join media_names n on n.person_id = f.id));
alter policy "not before the reveal" on pictured_people using (
  memory_id <> all ((select private.covered_memory_ids())::uuid[])
  or exists (
    with recursive family (id) as (
      select pictured_people.id union select e.id from private.merged_entries e join family f on e.merged_into = f.id
    ) select from family f join media_names n on n.person_id = f.id));

-- Visitors without an account have no uploads of their own and no fellows.
alter policy "media: viewers read" on storage.objects using (
  bucket_id = 'media' and exists (select from public.media m where m.id = objects.id));
create policy "media: person who uploads reads" on storage.objects for select to authenticated using (
  bucket_id = 'media' and owner = (select auth.uid())
  and not exists (select from private.own_deleted_media d where d.id = objects.id)
  and (exists (select from private.own_memories own where own.id = private.memory_of(objects.name))
    or private.memory_of(name) = any ((select private.shared_memory_ids('contribute'))::uuid[])));

alter policy "avatars: people who see the person's name read" on storage.objects using (
  bucket_id = 'avatars' and (
    name = (select private.picture_name(auth.uid()))
    or exists (select from public.comment_credits n where n.picture = objects.name)));
create policy "avatars: people of the same memory read" on storage.objects for select to authenticated using (
  bucket_id = 'avatars' and exists (select from private.pictures_of_fellows f where f.name = objects.name));

-- The other policies ask for a right in the row's memory: it is one of the caller's own, or of the set that is shared with them.
create function private.without_call(rule text, name text, instead text) returns text language sql immutable set search_path = '' as $$
  select regexp_replace(rule, 'private\.' || name || '\((private\.memory_of\([^()]*\)|[^()]*)\)', '(' || instead || ')', 'g')
$$;

do $$
declare
  changed record;
  given text[];
  instead text;
  rights constant text[][] := array[
    ['is_owner', null], ['is_manager', 'manage'], ['can_comment', 'comment'], ['can_contribute', 'contribute'], ['can_view', 'view']];
begin
  for changed in
    select format('%I on %I.%I', p.policyname, p.schemaname, p.tablename) as policy, p.roles,
      -- In the view, "id" would be another column.
      regexp_replace(p.qual, '\((id)\)', format('(%I.id)', p.tablename), 'g') as readable,
      regexp_replace(p.with_check, '\((id)\)', format('(%I.id)', p.tablename), 'g') as writable
    from pg_policies p
    where concat(p.qual, p.with_check) ~ 'private\.(is_owner|is_manager|can_comment|can_contribute|can_view|is_own_media)\(|storage\.foldername\('
  loop
    if cardinality(changed.roles) > 1 then raise exception 'Visitors may not read the view: %', changed.policy; end if;
    foreach given slice 1 in array rights loop
      -- Visitors without an account own nothing.
      instead := concat_ws(' or ',
        case when changed.roles <> '{anon}' then 'exists (select from private.own_memories own where own.id = \1)' end,
        format('\1 = any ((select private.shared_memory_ids(%L))::uuid[])', given[2]));
      if given[2] is null then instead := 'exists (select from private.own_memories own where own.id = \1)'; end if;
      changed.readable := private.without_call(changed.readable, given[1], instead);
      changed.writable := private.without_call(changed.writable, given[1], instead);
    end loop;
    changed.readable := private.without_call(changed.readable, 'is_own_media',
      'exists (select from private.own_media added where added.media_id = \1)');
    changed.writable := replace(changed.writable, 'cardinality(storage.foldername(name)) = 1', 'cardinality(path_tokens) = 2');
    execute concat_ws(' ', 'alter policy', changed.policy, 'using (' || changed.readable || ')', 'with check (' || changed.writable || ')');
  end loop;
end
$$;

drop function private.without_call(text, text, text);
drop function private.is_shown_comment(uuid), private.is_fellow_member(uuid), private.person_of(text), private.is_deleted_media(uuid);
