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
create index share_links_album_id on share_links (album_id) where album_id is not null;

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

create function private.kept_memory_ids() returns uuid[] language sql stable security definer set search_path = '' as $$
  select private.owned_memory_ids() || private.member_memory_ids('{co-owner}')
$$;
comment on function private.kept_memory_ids is 'The memories that the caller looks after: owns, or owns with others.';

create function private.contributable_memory_ids() returns uuid[] language sql stable security definer set search_path = '' as $$
  select private.owned_memory_ids() || private.member_memory_ids('{co-owner,contributor}')
    || private.linked_memory_ids('{contribute,upload}')
$$;
comment on function private.contributable_memory_ids is 'The memories to which the caller may add.';

create function private.commentable_memory_ids() returns uuid[] language sql stable security definer set search_path = '' as $$
  select private.owned_memory_ids() || private.member_memory_ids('{co-owner,contributor}')
    || private.linked_memory_ids('{comment,contribute}')
$$;
comment on function private.commentable_memory_ids is 'The memories on which the caller may comment.';

create or replace function private.visible_memory_ids() returns uuid[] language sql stable security definer set search_path = '' as $$
  select private.owned_memory_ids() || private.member_memory_ids('{co-owner,contributor,viewer}')
    || private.linked_memory_ids('{view,comment,contribute}')
$$;

create function private.owned_album_ids() returns uuid[] language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(id), '{}') from public.albums where user_id = auth.uid()
$$;

create function private.linked_album_ids() returns uuid[] language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(album_id), '{}') from private.open_link() where album_id is not null and rights <> 'upload'
$$;

create function memory_rights(memory_id uuid) returns jsonb language sql stable security definer set search_path = '' as $$
  with memory as (
    select m.id, m.user_id = auth.uid() as owned,
      (select p.role from public.memory_members p where p.memory_id = m.id and p.user_id = auth.uid() and not m.draft) as member
    from public.memories m where m.id = memory_rights.memory_id
  ), may as (
    select id, owned, member,
      id = any (private.kept_memory_ids()) as keeps,
      id = any (private.visible_memory_ids() || private.contributable_memory_ids()) as enters
    from memory
  )
  select coalesce((
    select jsonb_build_object(
      'role', case when owned then 'owner' when member is not null then member else 'visitor' end,
      'own', owned, 'keep', keeps,
      'see', id = any (private.visible_memory_ids()),
      'contribute', id = any (private.contributable_memory_ids()),
      'comment', id = any (private.commentable_memory_ids()),
      'download', keeps or member is not null or exists (select from private.open_link() where allows_download))
    from may where enters),
    '{"role": null, "own": false, "keep": false, "see": false, "contribute": false, "comment": false, "download": false}')
$$;
comment on function memory_rights is
  'What the caller may do with a memory, for a page to offer; the row policies decide by the same sets.';

revoke execute on all functions in schema private from public;
revoke execute on function memory_rights from public;
grant execute on function private.kept_memory_ids, private.contributable_memory_ids, private.commentable_memory_ids,
  private.visible_memory_ids, private.linked_memory_ids, private.owned_album_ids, private.linked_album_ids
  to anon, authenticated, service_role;
grant execute on function memory_rights to anon, authenticated, service_role;

drop policy "its owner changes" on memories;
create policy "its keepers change" on memories for update to authenticated
  using (id = any ((select private.kept_memory_ids())::uuid[])) with check (id = any ((select private.kept_memory_ids())::uuid[]));
grant insert (album_id), update (album_id, album_position) on memories to authenticated;

alter table memory_members enable row level security;
grant select, delete on memory_members to authenticated;
create policy "the member and the keepers" on memory_members for select to authenticated
  using (user_id = (select auth.uid()) or memory_id = any ((select private.kept_memory_ids())::uuid[]));
create policy "the member leaves, a keeper parts with them" on memory_members for delete to authenticated
  using (user_id = (select auth.uid()) or memory_id = any ((select private.kept_memory_ids())::uuid[]));

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
  using (memory_id = any ((select private.kept_memory_ids())::uuid[]) or album_id = any ((select private.owned_album_ids())::uuid[]))
  with check (memory_id = any ((select private.kept_memory_ids())::uuid[]) or album_id = any ((select private.owned_album_ids())::uuid[]));
grant insert (id, memory_id, album_id, label, rights, expires_at, allows_download),
  update (label, rights, expires_at, revoked_at, allows_download) on share_links to authenticated;

create policy "after the second step" on memory_members as restrictive to authenticated
  using ((select private.fully_signed_in()));
create policy "after the second step" on albums as restrictive to authenticated
  using ((select private.fully_signed_in()));

alter publication supabase_realtime add table memory_members, albums;
