-- An email is easily forwarded. Co-ownership requires the invited address, so the letter itself gives its holder only a look. An
-- accepted letter opens only for the account that accepted it: everybody else who holds it would stay in for 90 days.
create or replace function private.invited_rights(role text) returns text
language sql immutable set search_path = '' as $$
  select case role when 'contributor' then 'contribute' else 'view' end
$$;
comment on function private.invited_rights(text) is
  'Rights of the holder of an open invitation''s letter: those of a contributor''s, and only a look by the others.';

create function private.accepted_rights(role text) returns text
language sql immutable set search_path = '' as $$
  select case role when 'viewer' then 'view' else 'contribute' end
$$;
comment on function private.accepted_rights(text) is
  'Rights of an accepted invitation''s letter, which opens only for the member who accepted it: those of their role, except managing.';

create or replace function private.follow_invitation() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.share_links l set
    rights = case when new.state = 'accepted' then private.accepted_rights(coalesce((select p.role from public.memory_members p
        where p.memory_id = new.memory_id and p.user_id = new.accepted_by), new.role))
      else private.invited_rights(new.role) end,
    revoked_at = case when new.state in ('open', 'accepted') then l.revoked_at else coalesce(l.revoked_at, now()) end
  where l.invitation_id = new.id;
  -- Pages that others opened by the letter ask the share gate, which tells them to sign in.
  if new.state = 'accepted' and old.state <> 'accepted' then
    update public.link_versions v set devices_removed = v.devices_removed + 1
    from public.share_links l where l.invitation_id = new.id and v.link_id = l.id;
  end if;
  return null;
end
$$;
comment on column link_versions.devices_removed is
  'How often admissions ended: a device was removed, or an invitation accepted. A change makes open pages check whether they are still admitted.';

create or replace function private.follow_role() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.share_links l set rights = private.accepted_rights(new.role) from public.invitations i
  where i.id = l.invitation_id and i.memory_id = new.memory_id and i.accepted_by = new.user_id
    and l.rights <> private.accepted_rights(new.role);
  return null;
end
$$;

create or replace function private.open_link() returns setof public.share_links
language sql stable security definer set search_path = '' as $$
  select l.* from public.share_links l
  where l.id = (auth.jwt() -> 'share' ->> 'link')::uuid and l.version = (auth.jwt() -> 'share' ->> 'version')::integer
    and l.shared_at is not null and l.revoked_at is null and coalesce(l.expires_at > now(), true)
    and (l.invitation_id is null
      or exists (select from public.invitations i where i.id = l.invitation_id
        and (i.state = 'open' or i.state = 'accepted' and i.accepted_by = auth.uid())))
    and not exists (select from public.guests g where g.id = (auth.jwt() -> 'share' ->> 'guest')::uuid and g.blocked_at is not null)
    and (auth.jwt() -> 'share' ->> 'device' is null
      or exists (select from public.link_devices d where d.id = (auth.jwt() -> 'share' ->> 'device')::uuid))
$$;

update share_links l set rights = private.invited_rights(i.role) from invitations i
where i.id = l.invitation_id and i.state = 'open' and l.rights <> private.invited_rights(i.role);

revoke execute on all functions in schema private from public;
