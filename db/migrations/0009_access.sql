set local check_function_bodies = off;

-- Memberships are arrays that are read once for each statement, by index: a memory with 2,000 photos costs one check.
-- Functions that run with the owner's rights use these alone; they are empty until the session has the required AAL.
create function private.owned_memory_ids() returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(id), '{}') from public.memories
  where user_id = auth.uid() and deleted_at is null and (select private.has_required_aal())
$$;

create function private.shared_memory_ids(to_do text) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select case to_do
    when 'view' then private.member_memory_ids('{co-owner,contributor,viewer}') || private.linked_memory_ids('{view,comment,contribute}')
    when 'contribute' then private.member_memory_ids('{co-owner,contributor}') || private.linked_memory_ids('{contribute,upload}')
    when 'read details' then private.member_memory_ids('{co-owner,contributor}')
    when 'manage' then private.member_memory_ids('{co-owner}')
  end
$$;
comment on function private.shared_memory_ids is
  'Memories of other people that the caller may view, contribute to, read the details of or manage. Policies find the caller''s own memories by an index instead, so that a list costs the same however many there are.';

-- Arrays that are read once for each statement, by index: a memory with 2,000 photos costs one check.
create function private.open_link() returns setof public.share_links
language sql stable security definer set search_path = '' as $$
  select l.* from public.share_links l
  where l.id = (auth.jwt() -> 'share' ->> 'link')::uuid and l.version = (auth.jwt() -> 'share' ->> 'version')::integer
    and l.shared_at is not null and l.revoked_at is null and coalesce(l.expires_at > now(), true)
    and (l.invitation_id is null
      or exists (select from public.invitations i where i.id = l.invitation_id and i.state in ('open', 'accepted')))
    and not exists (select from public.guests g where g.id = (auth.jwt() -> 'share' ->> 'guest')::uuid and g.blocked_at is not null)
$$;
comment on function private.open_link is 'The link that the caller came by, while its version is current and it is open.';

create function private.linked_memory_ids(wanted text[]) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(m.id), '{}') from private.open_link() l
  join public.memories m on (m.id = l.memory_id or m.album_id = l.album_id) and not m.draft
  where l.rights = any (wanted) and m.id <> all ((select private.blocked_memory_ids())::uuid[])
$$;
comment on function private.linked_memory_ids is 'The memories that the caller''s link opens with one of these rights.';

create function private.member_memory_ids(wanted text[]) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(p.memory_id), '{}') from public.memory_members p
  join public.memories m on m.id = p.memory_id and not m.draft
  where p.user_id = auth.uid() and p.role = any (wanted) and (select private.has_required_aal())
    and m.id <> all ((select private.blocked_memory_ids())::uuid[])
$$;
comment on function private.member_memory_ids is 'The memories in which the caller has one of these roles.';

create function private.managed_memory_ids() returns uuid[] language sql stable security definer set search_path = '' as $$
  select private.owned_memory_ids() || private.shared_memory_ids('manage')
$$;
comment on function private.managed_memory_ids is
  'All memories that the caller owns or co-owns. The cost grows with their number, so it is only for questions about all of them.';

-- The same questions about one memory. The cost does not depend on how many the caller owns.
create function private.is_owner(memory uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select coalesce((select m.user_id = auth.uid() and private.has_required_aal() from public.memories m
    where m.id = memory and m.deleted_at is null), false)
$$;
comment on function private.is_owner is 'Whether the caller owns a memory.';

create function private.member_role(memory uuid) returns text
language sql stable security definer set search_path = '' as $$
  select p.role from public.memory_members p join public.memories m on m.id = p.memory_id and not m.draft
  where p.memory_id = memory and p.user_id = auth.uid() and (select private.has_required_aal())
    and not (select private.is_blocked(memory))
$$;
comment on function private.member_role is 'The caller''s role as a member of a memory; null if they are not one.';

create function private.link_rights(memory uuid) returns text
language sql stable security definer set search_path = '' as $$
  select l.rights from private.open_link() l
  join public.memories m on m.id = memory and (m.id = l.memory_id or m.album_id = l.album_id) and not m.draft
  where not (select private.is_blocked(memory))
$$;
comment on function private.link_rights is
  'The rights in a memory of the link that the caller came by; null if it does not open the memory.';

create function private.is_manager(memory uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select private.is_owner(memory) or coalesce(private.member_role(memory) = 'co-owner', false)
$$;
comment on function private.is_manager is 'Whether the caller owns or co-owns a memory.';

create function private.can_view(memory uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select private.is_owner(memory) or private.member_role(memory) is not null
    or coalesce(private.link_rights(memory) in ('view', 'comment', 'contribute'), false)
$$;
comment on function private.can_view is 'Whether the caller may see a memory.';

create function private.can_contribute(memory uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select private.is_owner(memory) or coalesce(private.member_role(memory) in ('co-owner', 'contributor'), false)
    or coalesce(private.link_rights(memory) in ('contribute', 'upload'), false)
$$;
comment on function private.can_contribute is 'Whether the caller may add to a memory.';

create function private.can_comment(memory uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select private.is_owner(memory) or coalesce(private.member_role(memory) in ('co-owner', 'contributor'), false)
    or coalesce(private.link_rights(memory) in ('comment', 'contribute'), false)
$$;
comment on function private.can_comment is 'Whether the caller may comment on a memory.';

create function private.memory_of(object_name text) returns uuid language sql immutable set search_path = '' as $$
  select substring(object_name from '^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/')::uuid
$$;
comment on function private.memory_of is
  'The memory that an object belongs to, by its first folder; null if that is not an id.';

create function private.linked_album_ids() returns uuid[] language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(album_id), '{}') from private.open_link() where album_id is not null and rights <> 'upload'
$$;

create function memory_rights(memory_id uuid) returns jsonb language sql stable security definer set search_path = '' as $$
  with memory as (
    select m.id, private.is_owner(m.id) as owned, private.member_role(m.id) as member
    from public.memories m where m.id = memory_rights.memory_id
  ), may as (
    select id, owned, member,
      private.is_manager(id) as manages, private.can_view(id) as views, private.can_contribute(id) as contributes
    from memory
  )
  select coalesce((
    select jsonb_build_object(
      'role', case when owned then 'owner' when member is not null then member else 'visitor' end,
      'delete', owned, 'manage', manages,
      'view', views,
      'contribute', contributes,
      'comment', private.can_comment(id),
      'download', manages or member is not null or exists (select from private.open_link() where allows_download))
    from may where views or contributes),
    '{"role": null, "delete": false, "manage": false, "view": false, "contribute": false, "comment": false, "download": false}')
$$;
comment on function memory_rights is 'The caller''s rights in a memory, for the page. The row policies follow the same rules.';

create function private.added_media_ids() returns uuid[] language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(added.media_id), '{}') from (
    select d.media_id from public.media_details d
    where d.user_id = auth.uid() and d.memory_id = any (private.shared_memory_ids('contribute'))
    union all
    select d.media_id from public.media_details d
    where d.guest_id = private.guest_id() and d.memory_id = any (private.linked_memory_ids('{contribute,upload}'))
  ) added
$$;
comment on function private.added_media_ids is
  'What the caller added to memories of other people, where they may still contribute.';

create function private.is_deleted_media(media_id uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from public.media m where m.id = media_id and m.moderation = 'deleted')
$$;
comment on function private.is_deleted_media is 'Whether a photo or video is in the trash, where row policies hide it.';

-- Guests can download their own originals.
create function private.access_to_object(object storage.objects) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when auth.role() = 'service_role' or object.owner = auth.uid()
      or private.is_manager(private.memory_of(object.name))
      or auth.role() = 'anon' and exists (select from public.media_details d where d.media_id = object.id and d.guest_id = private.guest_id())
      then 'original'
    when auth.jwt() ? 'share' and not exists (select from private.open_link() where allows_download)
      and coalesce(private.member_role(private.memory_of(object.name)), '') not in ('contributor', 'viewer') then 'view'
    else 'copy'
  end
$$;
comment on function private.access_to_object is
  'What the caller may download of an object that they can see: the original, a cleaned copy, or only a view.';

create function private.is_link_manager(link uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from public.share_links l left join public.albums a on a.id = l.album_id
    where l.id = link and (private.is_manager(l.memory_id) or a.user_id = auth.uid() and a.deleted_at is null and private.has_required_aal()))
$$;
comment on function private.is_link_manager is 'Whether the caller may change a link.';

create function private.initial_moderation(memory uuid) returns text language sql stable security definer set search_path = '' as $$
  select case
    when private.is_owner(memory) or private.member_role(memory) in ('co-owner', 'contributor') then 'shown'
    when exists (select from private.open_link() where moderated) then 'held'
    else 'shown'
  end
$$;
comment on function private.initial_moderation is
  'The initial moderation state of what the caller adds to a memory: shown, or held until a manager approves it.';

create function private.is_shown_comment(comment_id uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from public.comments c where c.id = comment_id and c.moderation = 'shown')
$$;
comment on function private.is_shown_comment is
  'Whether the parent of a comment is shown. If the first comment of a thread is hidden, the thread is hidden.';

create function private.guest_id() returns uuid language sql stable security definer set search_path = '' as $$
  select g.id from private.open_link() l join public.guests g on g.link_id = l.id
  where auth.role() = 'anon' and g.id = (auth.jwt() -> 'share' ->> 'guest')::uuid and g.blocked_at is null
$$;
comment on function private.guest_id is
  'The id of the guest that the caller is, while their link is open and they are not blocked; otherwise null.';

create function private.is_own(by_user uuid, by_guest uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select coalesce(by_user = auth.uid(), false) or coalesce(by_guest = private.guest_id(), false)
$$;
comment on function private.is_own is 'Whether something belongs to the caller, signed in or guest.';

create function private.is_own_media(media uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from public.media_details d where d.media_id = media and private.is_own(d.user_id, d.guest_id))
$$;
comment on function private.is_own_media is 'Whether the caller, signed in or guest, added a photo or video.';

create function private.blocked_memory_ids() returns uuid[] language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(b.memory_id), '{}') from public.memory_blocks b
  where b.user_id = auth.uid() or b.guest_id = (auth.jwt() -> 'share' ->> 'guest')::uuid
$$;
comment on function private.blocked_memory_ids is 'The memories that the caller is blocked from.';

create function private.is_blocked(memory uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from public.memory_blocks b where b.memory_id = memory
    and (b.user_id = auth.uid() or b.guest_id = (auth.jwt() -> 'share' ->> 'guest')::uuid))
$$;
comment on function private.is_blocked is 'Whether the caller is blocked from a memory.';

create function private.shared_credited_memory_ids() returns uuid[] language sql stable security definer set search_path = '' as $$
  select private.member_memory_ids('{co-owner,contributor,viewer}') || coalesce((
    select array_agg(m.id) from private.open_link() l
    join public.memories m on (m.id = l.memory_id or m.album_id = l.album_id) and not m.draft
    where l.shows_names and l.rights <> 'upload'), '{}')
$$;
comment on function private.shared_credited_memory_ids is
  'Memories of other people in which the caller may read the names of authors.';

create function private.can_read_credits(memory uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select private.is_owner(memory) or private.member_role(memory) is not null or exists (
    select from private.open_link() l
    join public.memories m on m.id = memory and (m.id = l.memory_id or m.album_id = l.album_id) and not m.draft
    where l.shows_names and l.rights <> 'upload')
$$;
comment on function private.can_read_credits is 'Whether the caller may read the names of authors in a memory.';

grant select on memories to anon;
grant select, insert (id, kind, person_name, description, birth_date, passing_date, event_date, draft, album_id),
  update (kind, person_name, description, birth_date, passing_date, event_date, draft, album_id, album_position,
    cover_x, cover_y, media_order), delete on memories to authenticated;
-- A case and not an "or": the planner multiplies the selectivity of an "or" with that of the list's own condition, estimates
-- one row instead of twenty memories of one owner, and reads and sorts all that the owner has.
create policy "viewers read" on memories for select to anon, authenticated
  using (case when user_id = (select auth.uid()) then true else id = any ((select private.shared_memory_ids('view'))::uuid[]) end);
create policy "owner adds" on memories for insert to authenticated with check (user_id = (select auth.uid()));
create policy "owner deletes" on memories for delete to authenticated using (user_id = (select auth.uid()));
create policy "managers change" on memories for update to authenticated
  using (user_id = (select auth.uid()) or id = any ((select private.shared_memory_ids('manage'))::uuid[]))
  -- Only the owner can see a draft, so nobody else may turn a published memory into one.
  with check (private.is_manager(id) and (not draft or user_id = (select auth.uid())));

grant select, insert (id, memory_id, album_id, label, rights, expires_at, allows_download, moderated, shows_names),
  update (shared_at, label, rights, expires_at, revoked_at, allows_download, moderated, shows_names), delete
  on share_links to authenticated;
create policy "managers" on share_links to authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[])
    or exists (select from albums a where a.id = album_id and a.user_id = (select auth.uid())))
  with check (private.is_manager(memory_id) or exists (select from albums a where a.id = album_id and a.user_id = (select auth.uid())));

grant select (link_id), insert (link_id, hash, kind), update (hash, kind), delete on share_pins to authenticated;
create policy "managers of the link" on share_pins to authenticated
  using (exists (select from share_links l where l.id = link_id)) with check (exists (select from share_links l where l.id = link_id));

grant select on albums to anon;
grant select, insert (id, name, cover_media_id, position), update (name, cover_media_id, position), delete
  on albums to authenticated;
create policy "owner and visitors read" on albums for select to anon, authenticated
  using (user_id = (select auth.uid()) or id = any ((select private.linked_album_ids())::uuid[]));
create policy "owner adds" on albums for insert to authenticated with check (user_id = (select auth.uid()));
create policy "owner changes" on albums for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "owner deletes" on albums for delete to authenticated using (user_id = (select auth.uid()));

grant select, update (role), delete on memory_members to authenticated;
create policy "member and managers read" on memory_members for select to authenticated
  using (user_id = (select auth.uid())
    or exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));
create policy "member leaves, managers remove" on memory_members for delete to authenticated
  using (user_id = (select auth.uid())
    or exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));
create policy "managers change" on memory_members for update to authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));

grant select on link_versions to anon, authenticated;
create policy "visitors of the link read" on link_versions for select to anon, authenticated
  using (link_id = ((select auth.jwt()) -> 'share' ->> 'link')::uuid);

grant select on share_openings to authenticated;
create policy "managers and visitor read" on share_openings for select to authenticated
  using (user_id = (select auth.uid()) or exists (select from share_links l where l.id = link_id));

grant select, insert (id, memory_id, email, role, note), update (role, note, state, sent_at) on invitations to authenticated;
create policy "managers" on invitations to authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]))
  with check (private.is_manager(memory_id));
-- Realtime only reports rows that the reader can see: this makes an invitation appear and disappear on an open page.
create policy "invited person reads" on invitations for select to authenticated using (email = (select private.own_address()));

grant select, insert (memory_id, to_user), delete on handovers to authenticated;
create policy "owner offers and withdraws" on handovers to authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid())))
  with check (private.is_owner(memory_id));
create policy "receiver reads" on handovers for select to authenticated using (to_user = (select auth.uid()));
create policy "receiver declines" on handovers for delete to authenticated using (to_user = (select auth.uid()));

grant select (id, link_id, name, created_at, last_seen, blocked_at) on guests to authenticated;
grant select (id, link_id, name, email, created_at, last_seen, blocked_at) on guests to anon;
create policy "guest reads own" on guests for select to anon using (id = (select private.guest_id()));
create policy "managers read" on guests for select to authenticated
  using (exists (select from share_links l where l.id = link_id));

revoke execute on all functions in schema private from public;
revoke execute on function memory_rights from public, anon, authenticated;
grant execute on function memory_rights to anon, authenticated;
grant execute on function private.is_shown_comment to anon, authenticated;
grant execute on function private.shared_memory_ids, private.linked_memory_ids, private.is_owner, private.is_manager,
  private.can_view, private.can_contribute, private.can_comment, private.memory_of, private.linked_album_ids,
  private.added_media_ids, private.is_deleted_media, private.access_to_object, private.initial_moderation, private.guest_id,
  private.is_own, private.is_own_media, private.shared_credited_memory_ids, private.can_read_credits
  to anon, authenticated, service_role;
grant execute on function private.owned_memory_ids to service_role;

-- The hosted platform serves files itself and does not have this function.
do $$
begin
  if to_regprocedure('storage.access_to(storage.objects)') is not null then
    create or replace function storage.access_to(o storage.objects) returns text language sql stable set search_path = '' as
      'select private.access_to_object(o)';
  end if;
end
$$;
