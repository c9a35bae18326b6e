set local check_function_bodies = off;

-- Visitors of a link without an account are not told the ids of accounts. Column privileges withhold them, so policies for
-- `anon` read none of these columns in subqueries, which run with the caller's privileges. `auth.uid()` is null for `anon`:
-- the arms about a person's own rows are left out, and they were never true.
--
-- A case and not an "and": see "viewers read" of memories. A bare "memory_id = any (…)" is multiplied with the list's own
-- condition, and its index is preferred to the index that has the list's order.

alter policy "viewers read" on memories to authenticated;
create policy "visitors read" on memories for select to anon
  using (case when id = any ((select private.shared_memory_ids('view'))::uuid[]) then true else false end);

alter policy "owner and visitors read" on albums to authenticated;
create policy "visitors read" on albums for select to anon
  using (id = any ((select private.linked_album_ids())::uuid[]));

alter policy "viewers read" on media to authenticated;
create policy "visitors read" on media for select to anon
  using (case when id = any ((select private.added_media_ids())::uuid[]) then true
    else moderation = 'shown' and state <> 'broken' and memory_id = any ((select private.shared_memory_ids('view'))::uuid[]) end);
alter policy "managers and the person who added it change" on media to authenticated;
create policy "guest changes own" on media for update to anon
  using (id = any ((select private.added_media_ids())::uuid[]));

alter policy "contributors, and the person who added it, read" on media_details to authenticated;
create policy "guest reads own" on media_details for select to anon
  using (guest_id = (select private.guest_id()) and exists (select from media m where m.id = media_id));

alter policy "people who see names, and the author, read" on media_credits to authenticated;
create policy "visitors who see names, and the guest, read" on media_credits for select to anon
  using (exists (select from media m where m.id = media_id
    and (m.memory_id = any ((select private.shared_credited_memory_ids())::uuid[]) or private.is_own_media(m.id))));

alter policy "viewers read" on memory_entries to authenticated;
create policy "visitors read" on memory_entries for select to anon
  using (case when memory_id = any ((select private.shared_memory_ids('view'))::uuid[]) then true else false end);

alter policy "viewers read" on memory_withdrawals to authenticated;
create policy "visitors read" on memory_withdrawals for select to anon
  using (case when memory_id = any ((select private.shared_memory_ids('view'))::uuid[]) then true else false end);

alter policy "viewers read" on stories to authenticated;
create policy "visitors read" on stories for select to anon
  using (case when memory_id = any ((select private.shared_memory_ids('view'))::uuid[]) then moderation = 'shown' else false end);
alter policy "people who see names, and the author, read" on story_credits to authenticated;
create policy "visitors who see names, and the guest, read" on story_credits for select to anon
  using (exists (select from stories s where s.id = story_id
    and (s.memory_id = any ((select private.shared_credited_memory_ids())::uuid[]) or s.guest_id = (select private.guest_id()))));

alter policy "viewers read" on comments to authenticated;
create policy "visitors read" on comments for select to anon
  using (case when memory_id = any ((select private.shared_memory_ids('view'))::uuid[])
    then moderation = 'shown' and (parent_id is null or private.is_shown_comment(parent_id))
      and (media_id is null or exists (select from media m where m.id = media_id))
    else false end);
alter policy "people who see names, and the author, read" on comment_credits to authenticated;
create policy "visitors who see names, and the guest, read" on comment_credits for select to anon
  using (exists (select from comments c where c.id = comment_id
    and (c.memory_id = any ((select private.shared_credited_memory_ids())::uuid[]) or c.guest_id = (select private.guest_id()))));

alter policy "viewers read" on reactions to authenticated;
create policy "visitors read" on reactions for select to anon
  using (case when memory_id = any ((select private.shared_memory_ids('view'))::uuid[])
    then (moderation = 'shown' or guest_id = (select private.guest_id()))
      and (media_id is null or exists (select from media m where m.id = media_id))
      and (comment_id is null or exists (select from comments c where c.id = comment_id))
    else false end);
alter policy "people who see names, and the author, read" on reaction_credits to authenticated;
create policy "visitors who see names, and the guest, read" on reaction_credits for select to anon
  using (exists (select from reactions r where r.id = reaction_id
    and (r.memory_id = any ((select private.shared_credited_memory_ids())::uuid[]) or r.guest_id = (select private.guest_id()))));

-- An avatar is named by its account's id.
alter policy "avatars: people who see the person's name read" on storage.objects to authenticated;

revoke select on memories, albums, stories, comments, reactions from anon;
grant select (id, kind, person_name, description, birth_date, passing_date, event_date, draft, created_at, updated_at, deleted_at,
  album_id, album_position, cover_x, cover_y, media_order, revision) on memories to anon;
grant select (id, name, cover_media_id, "position", created_at, updated_at, deleted_at, revision) on albums to anon;
grant select (id, memory_id, title, body, "position", moderation, created_at, updated_at, guest_id, revision) on stories to anon;
grant select (id, memory_id, media_id, parent_id, body, moderation, created_at, edited_at, deleted_at, guest_id, revision)
  on comments to anon;
grant select (id, memory_id, media_id, comment_id, kind, created_at, guest_id, moderation) on reactions to anon;

comment on column comments.mentions is 'Members whom it mentions. Not readable by visitors without an account, as no id of an account.';
comment on column memories.user_id is 'The owner. As every id of an account not readable by visitors without one.';

-- Requests embed albums and memories in each other by this key, so it has no column that visitors may not read. A trigger
-- checks what the key with both columns did.
alter table memories drop constraint memories_album_id_fkey,
  add constraint memories_album_id_fkey foreign key (album_id) references albums (id) on delete set null;
create function private.refuse_album_of_another() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.albums a where a.id = new.album_id and a.user_id = new.user_id) then
    raise exception 'A memory is in an album of its owner' using errcode = '23503', table = 'memories', constraint = 'memories_album_id_fkey';
  end if;
  return null;
end
$$;
comment on function private.refuse_album_of_another is 'Refuses an album that is not the memory''s owner''s. The owner of an album never changes.';
revoke execute on function private.refuse_album_of_another from public, anon, authenticated, service_role;
create trigger refuse_album_of_another after insert or update of album_id, user_id on memories for each row
  when (new.album_id is not null) execute function private.refuse_album_of_another();
