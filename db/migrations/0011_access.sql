-- Who else may look after a memory, add to it, or see it.
create table memory_members (
  memory_id uuid not null references memories on delete cascade,
  user_id uuid not null references auth.users on delete cascade,
  role text not null check (role in ('co-owner', 'contributor', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (memory_id, user_id)
);
comment on table memory_members is 'The people of a memory beside its owner. Seen by its keepers, and by each of themselves.';
comment on column memory_members.role is
  'A co-owner does all that the owner does but delete it and hand it over; a contributor adds and comments; a viewer looks.';
create index memory_members_user_id on memory_members (user_id);

alter table share_links
  alter column memory_id drop not null,
  add column album_id uuid references albums on delete cascade,
  add column label text not null default '' check (length(label) <= 100),
  add column rights text not null default 'view' check (rights in ('view', 'comment', 'contribute', 'upload')),
  add column expires_at timestamptz,
  add column revoked_at timestamptz,
  add column allows_download boolean not null default true,
  add constraint opens_one_thing check (num_nonnulls(memory_id, album_id) = 1);
comment on table share_links is 'A way in to a memory, or to a whole album, for whoever holds the link. Only their keepers see it as a row.';
comment on column share_links.rights is 'What its holders may do; "upload" adds without seeing what is there.';
comment on column share_links.revoked_at is 'From then on it opens nothing.';
comment on column share_links.allows_download is 'Whether its holders may take copies with them, or only look.';
create index share_links_album_id on share_links (album_id, created_at, id) where album_id is not null;

-- What was opened under another state of the link is closed: its tokens name the version they were made under.
create function private.raise_link_version() returns trigger language plpgsql set search_path = '' as $$
begin
  new.version := old.version + 1;
  return new;
end
$$;
create trigger raise_link_version before update on share_links for each row
  when ((old.rights, old.expires_at, old.revoked_at, old.allows_download, old.share_id)
    is distinct from (new.rights, new.expires_at, new.revoked_at, new.allows_download, new.share_id))
  execute function private.raise_link_version();

-- All of them as arrays, read once a statement: a memory with 2,000 photos costs one check, by index.
create function private.open_link() returns setof public.share_links
language sql stable security definer set search_path = '' as $$
  select l.* from public.share_links l
  where l.id = (auth.jwt() -> 'share' ->> 'link')::uuid and l.version = (auth.jwt() -> 'share' ->> 'version')::integer
    and l.revoked_at is null and coalesce(l.expires_at > now(), true)
$$;
comment on function private.open_link is 'The link that the caller came by, while it opens what it opened.';

create function private.linked_memory_ids(wanted text[]) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(m.id), '{}') from private.open_link() l
  join public.memories m on (m.id = l.memory_id or m.album_id = l.album_id) and not m.draft
  where l.rights = any (wanted)
$$;
comment on function private.linked_memory_ids is 'The memories that the caller''s link opens with one of these rights.';

create function private.member_memory_ids(wanted text[]) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(p.memory_id), '{}') from public.memory_members p
  join public.memories m on m.id = p.memory_id and not m.draft
  where p.user_id = auth.uid() and p.role = any (wanted)
$$;
comment on function private.member_memory_ids is 'The memories to which the caller belongs in one of these roles.';

create or replace function private.shared_memory_ids(to_do text) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select case to_do
    when 'view' then private.member_memory_ids('{co-owner,contributor,viewer}') || private.linked_memory_ids('{view,comment,contribute}')
    when 'contribute' then private.member_memory_ids('{co-owner,contributor}') || private.linked_memory_ids('{contribute,upload}')
    when 'read details' then private.member_memory_ids('{co-owner,contributor}')
    when 'manage' then private.member_memory_ids('{co-owner}')
  end
$$;
comment on function private.shared_memory_ids is
  'The memories of other people that the caller may view, contribute to, read the details of or manage. Policies find the caller''s own memories by an index instead, so that a list costs the same however many there are.';

create function private.managed_memory_ids() returns uuid[] language sql stable security definer set search_path = '' as $$
  select private.owned_memory_ids() || private.shared_memory_ids('manage')
$$;
comment on function private.managed_memory_ids is
  'All memories that the caller owns or co-owns. It costs by their number: for questions about all of them only.';

-- The same questions about one memory. They cost the same whatever the caller owns.
create function private.is_owner(memory uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select coalesce((select m.user_id = auth.uid() and private.fully_signed_in() from public.memories m
    where m.id = memory and m.deleted_at is null), false)
$$;
comment on function private.is_owner is 'Whether the caller owns a memory.';

create function private.member_role(memory uuid) returns text language sql stable security definer set search_path = '' as $$
  select p.role from public.memory_members p join public.memories m on m.id = p.memory_id and not m.draft
  where p.memory_id = memory and p.user_id = auth.uid() and (select private.fully_signed_in())
$$;
comment on function private.member_role is 'The caller''s role in a memory of somebody else; null for none.';

create function private.link_rights(memory uuid) returns text language sql stable security definer set search_path = '' as $$
  select l.rights from private.open_link() l
  join public.memories m on m.id = memory and (m.id = l.memory_id or m.album_id = l.album_id) and not m.draft
$$;
comment on function private.link_rights is 'What the link that the caller came by allows in a memory; null where it does not open it.';

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
comment on function private.memory_of is 'The memory in whose folder an object is stored; null where its first folder is not an id.';

create function private.linked_album_ids() returns uuid[] language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(album_id), '{}') from private.open_link() where album_id is not null and rights <> 'upload'
$$;

create function memory_rights(memory_id uuid) returns jsonb language sql stable security definer set search_path = '' as $$
  with memory as (
    select m.id, private.is_owner(m.id) as owned, private.member_role(m.id) as member
    from public.memories m where m.id = memory_rights.memory_id
  ), may as (
    select id, owned, member,
      private.is_manager(id) as keeps, private.can_view(id) as sees, private.can_contribute(id) as adds
    from memory
  )
  select coalesce((
    select jsonb_build_object(
      'role', case when owned then 'owner' when member is not null then member else 'visitor' end,
      'own', owned, 'keep', keeps,
      'see', sees,
      'contribute', adds,
      'comment', private.can_comment(id),
      'download', keeps or member is not null or exists (select from private.open_link() where allows_download))
    from may where sees or adds),
    '{"role": null, "own": false, "keep": false, "see": false, "contribute": false, "comment": false, "download": false}')
$$;
comment on function memory_rights is
  'What the caller may do with a memory, for a page to offer; the row policies decide by the same rules.';

revoke execute on all functions in schema private from public;
revoke execute on function memory_rights from public;
revoke execute on function private.owned_memory_ids from anon, authenticated;
grant execute on function private.is_owner, private.is_manager, private.can_view, private.can_contribute, private.can_comment,
  private.memory_of, private.shared_memory_ids, private.linked_memory_ids, private.linked_album_ids
  to anon, authenticated, service_role;
grant execute on function memory_rights to anon, authenticated, service_role;

drop policy "its owner changes" on memories;
create policy "its keepers change" on memories for update to authenticated
  using (user_id = (select auth.uid()) or id = any ((select private.shared_memory_ids('manage'))::uuid[]))
  -- A draft is seen by its owner alone: nobody else may make one of a published memory.
  with check (private.is_manager(id) and (not draft or user_id = (select auth.uid())));
grant insert (album_id), update (album_id, album_position) on memories to authenticated;

alter table memory_members enable row level security;
grant select, delete on memory_members to authenticated;
create policy "the member and the keepers" on memory_members for select to authenticated
  using (user_id = (select auth.uid())
    or exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));
create policy "the member leaves, a keeper parts with them" on memory_members for delete to authenticated
  using (user_id = (select auth.uid())
    or exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));

alter table albums enable row level security;
grant select on albums to anon, authenticated;
grant insert (id, name, cover_media_id, position), update (name, cover_media_id, position), delete on albums to authenticated;
create policy "its owner, and whom its link lets in" on albums for select to anon, authenticated
  using (user_id = (select auth.uid()) or id = any ((select private.linked_album_ids())::uuid[]));
create policy "its owner adds" on albums for insert to authenticated with check (user_id = (select auth.uid()));
create policy "its owner changes" on albums for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "its owner deletes" on albums for delete to authenticated using (user_id = (select auth.uid()));

drop policy "the memory's owner" on share_links;
create policy "who keeps what it opens" on share_links to authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[])
    or exists (select from albums a where a.id = album_id and a.user_id = (select auth.uid())))
  with check (private.is_manager(memory_id) or exists (select from albums a where a.id = album_id and a.user_id = (select auth.uid())));
grant insert (id, memory_id, album_id, label, rights, expires_at, allows_download),
  update (label, rights, expires_at, revoked_at, allows_download) on share_links to authenticated;

create policy "after the second step" on memory_members as restrictive to authenticated
  using ((select private.fully_signed_in()));
create policy "after the second step" on albums as restrictive to authenticated
  using ((select private.fully_signed_in()));

alter publication supabase_realtime add table memory_members, albums;
