set local check_function_bodies = off;

-- The link of an accepted invitation gives the rights of its person's current role, and not of the role that was offered.
create or replace function private.follow_invitation() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.share_links l set
    rights = private.invited_rights(coalesce((select p.role from public.memory_members p
      where p.memory_id = new.memory_id and p.user_id = new.accepted_by), new.role)),
    revoked_at = case when new.state in ('open', 'accepted') then l.revoked_at else coalesce(l.revoked_at, now()) end
  where l.invitation_id = new.id;
  return null;
end
$$;

-- Other rights increase the link's version, which ends tokens and notifies open pages.
create function private.follow_role() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.share_links l set rights = private.invited_rights(new.role) from public.invitations i
  where i.id = l.invitation_id and i.memory_id = new.memory_id and i.accepted_by = new.user_id
    and l.rights <> private.invited_rights(new.role);
  return null;
end
$$;
comment on function private.follow_role is
  'Gives the links of the invitations that a member accepted the rights of the member''s role.';
create trigger follow_role after insert or update of role on memory_members
  for each row execute function private.follow_role();
revoke execute on function private.follow_role from public;

update share_links l set rights = private.invited_rights(p.role)
from invitations i join memory_members p on p.memory_id = i.memory_id and p.user_id = i.accepted_by
where i.id = l.invitation_id and l.rights <> private.invited_rights(p.role);

create or replace function unblock_person(block_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  block public.memory_blocks;
begin
  select * into block from public.memory_blocks b
  where b.id = block_id and private.is_manager(b.memory_id) for update;
  -- Already unblocked, for example by another manager.
  if block.id is null then
    return;
  end if;
  if block.role = 'co-owner' and not private.is_owner(block.memory_id) then
    raise exception 'Only its owner decides who co-owns a memory.' using errcode = '42501';
  end if;
  delete from public.memory_blocks b where b.id = block_id;
  update public.guests g set blocked_at = null from public.share_links l, public.memories m
  where g.id = block.guest_id and l.id = g.link_id and m.id = block.memory_id
    and (l.memory_id = m.id or l.album_id = m.album_id and m.user_id = auth.uid());
  insert into public.memory_members (memory_id, user_id, role)
  select block.memory_id, block.user_id, block.role where block.role is not null on conflict do nothing;
  -- What the block ended has the time of its transaction. Invitations and links that ended at another time stay ended.
  update public.invitations i set state = 'open', settled_at = null
  where i.memory_id = block.memory_id and i.state = 'withdrawn' and i.settled_at = block.created_at
    and not exists (select from public.invitations x where x.memory_id = i.memory_id and x.email = i.email and x.state = 'open')
    and not exists (select from public.memory_blocks b join auth.users u on u.id = b.user_id
      where b.memory_id = i.memory_id and lower(u.email) = i.email)
    and not exists (select from public.share_links l where l.invitation_id = i.id and private.has_blocked_guest(l.id));
  update public.share_links l set revoked_at = null from public.invitations i
  where i.memory_id = block.memory_id and l.invitation_id = i.id and l.revoked_at = block.created_at
    and (i.state = 'open' or i.state = 'accepted' and exists (select from public.memory_members p
      where p.memory_id = i.memory_id and p.user_id = i.accepted_by))
    and not private.has_blocked_guest(l.id);
end
$$;
comment on function unblock_person is
  'Unblocks somebody, who gets their previous role back, and the invitations that the block ended. Repeating it has no effect. Only for managers.';

create function private.has_blocked_guest(link uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from public.guests g where g.link_id = link and g.blocked_at is not null)
$$;
comment on function private.has_blocked_guest is
  'Whether somebody who came by a link is blocked. The link of an invitation stays revoked meanwhile, because they could come back under another name.';
revoke execute on function private.has_blocked_guest from public;

-- Items of others that a manager deleted must stay restorable when this person is no longer a manager.
create function private.pass_on_trash(person uuid, of_memory uuid default null) returns void
language sql volatile security definer set search_path = '' as $$
  update public.trash t set deleted_by = m.user_id from public.memories m
  where m.id = t.memory_id and t.deleted_by = person and (of_memory is null or m.id = of_memory) and m.user_id <> person
    -- Both accounts may be deleted by one command.
    and exists (select from auth.users u where u.id = m.user_id)
    and case t.kind
      when 'media' then not exists (select from public.media_details d where d.media_id = t.id and d.user_id = person)
      when 'story' then not exists (select from public.stories s where s.id = t.id and s.user_id = person)
      when 'comment' then not exists (select from public.comments c where c.id = t.id and c.user_id = person)
      else false end
$$;
comment on function private.pass_on_trash is
  'Passes what a person deleted from the memories of others to the owners of these memories, except what that person had added.';

create function private.pass_on_trash_of_member() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not private.owns_memory(old.user_id, old.memory_id) and not exists (select from public.memory_members p
    where p.memory_id = old.memory_id and p.user_id = old.user_id and p.role = 'co-owner') then
    perform private.pass_on_trash(old.user_id, old.memory_id);
  end if;
  return null;
end
$$;
-- Runs at the end of the transaction, because accepting a handover first removes the new owner from the members.
create constraint trigger pass_on_trash after update or delete on memory_members
  deferrable initially deferred for each row when (old.role = 'co-owner') execute function private.pass_on_trash_of_member();

create function private.pass_on_trash_of_account() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.pass_on_trash(old.id);
  return old;
end
$$;
create trigger pass_on_trash before delete on auth.users for each row execute function private.pass_on_trash_of_account();
revoke execute on function private.pass_on_trash, private.pass_on_trash_of_member, private.pass_on_trash_of_account from public;

comment on table trash is
  'Items deleted within the last 30 days, which can be restored. Visible to the person in deleted_by. Deleting a row here deletes its item permanently.';
comment on column trash.deleted_by is
  'The person who deleted it. Once they no longer manage the memory, its owner, unless they had added the item themselves.';

select private.pass_on_trash(t.deleted_by, t.memory_id)
from (select distinct deleted_by, memory_id from trash where deleted_by is not null and memory_id is not null) t
where not private.owns_memory(t.deleted_by, t.memory_id) and not exists (select from memory_members p
  where p.memory_id = t.memory_id and p.user_id = t.deleted_by and p.role = 'co-owner');

-- "infinity" and years of five digits are times for PostgreSQL, but not for browsers and the server: reading a row with one fails.
do $$
declare
  column_of record;
begin
  for column_of in select * from (values
    ('blog_posts', 'published_at'), ('cart_items', 'created_at'), ('invitations', 'sent_at'), ('metal_cards', 'claimed_at'),
    ('notice_preferences', 'paused_until'), ('notice_settings', 'paused_until'), ('notices', 'read_at'), ('payouts', 'paid_at'),
    ('share_links', 'shared_at'), ('share_links', 'expires_at'), ('share_links', 'revoked_at'),
    ('vouchers', 'starts_at'), ('vouchers', 'ends_at'), ('vouchers', 'created_at')) as written (relation, field)
  loop
    execute format('update %1$I set %2$I = least(greatest(%2$I, ''0001-01-02''), ''9999-12-30'')
      where %2$I < ''0001-01-02'' or %2$I > ''9999-12-30''', column_of.relation, column_of.field);
    execute format('alter table %1$I add constraint %3$I check (%2$I between ''0001-01-01 00:00+00'' and ''9999-12-31 00:00+00'')',
      column_of.relation, column_of.field, column_of.field || '_in_years_1_to_9999');
  end loop;
end
$$;
