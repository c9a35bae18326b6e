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
