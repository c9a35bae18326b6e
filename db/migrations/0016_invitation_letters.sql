set local check_function_bodies = off;

-- The email of an invitation contains a link created for this invitation, and a token that is not stored.
create table private.invitation_tokens (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  link_id uuid not null references share_links on delete cascade,
  created_at timestamptz not null default now()
);
comment on table private.invitation_tokens is
  'SHA-256 of the token in each invitation email. A token has 244 random bits, so the hash needs no key. Only the server can read it.';
create index invitation_tokens_link_id on private.invitation_tokens (link_id);
alter table private.invitation_tokens enable row level security;

create function private.invited_rights(role text) returns text language sql immutable set search_path = '' as $$
  select case role when 'viewer' then 'view' else 'contribute' end
$$;
comment on function private.invited_rights is
  'Rights of an invited person before they have an account: those of their role, except managing.';

create function invitation_email(invitation_id uuid) returns table (share_id text, token text)
language plpgsql security definer set search_path = '' as $$
declare
  asked public.invitations;
  link public.share_links;
begin
  select * into asked from public.invitations i
  where i.id = invitation_email.invitation_id and i.state = 'open' and private.is_manager(i.memory_id) for update;
  if asked.id is null then
    raise exception 'There is no such open invitation.' using errcode = 'PT404';
  end if;
  insert into public.share_links as known (memory_id, invitation_id, rights, expires_at)
  values (asked.memory_id, asked.id, private.invited_rights(asked.role), now() + interval '90 days')
  on conflict on constraint share_links_invitation_id_key do update set expires_at = excluded.expires_at
  returning known.* into link;
  share_id := link.share_id;
  token := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  insert into private.invitation_tokens (hash, link_id) values (encode(sha256(convert_to(token, 'utf8')), 'hex'), link.id);
  return next;
end
$$;
comment on function invitation_email is
  'A new token for an email of an open invitation, valid for 90 days, and its share id. Earlier emails stay valid. Only for managers.';

create function private.is_invited(of_link uuid, token_hash text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from private.invitation_tokens t where t.hash = token_hash and t.link_id = of_link)
$$;
comment on function private.is_invited is 'Whether a token belongs to an invitation link. Only the server calls it.';

-- The link ends with its invitation. Increasing its version revokes access and notifies open pages.
create function private.follow_invitation() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.share_links l set
    rights = private.invited_rights(new.role),
    revoked_at = case when new.state in ('open', 'accepted') then l.revoked_at else coalesce(l.revoked_at, now()) end
  where l.invitation_id = new.id;
  return null;
end
$$;
create trigger follow_invitation after update on invitations
  for each row when ((old.role, old.state) is distinct from (new.role, new.state)) execute function private.follow_invitation();

-- Invitation emails of a former member no longer work.
create function private.revoke_link_of_member() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.share_links l set revoked_at = now() from public.invitations i
  where i.id = l.invitation_id and l.revoked_at is null and i.memory_id = old.memory_id and i.accepted_by = old.user_id
    -- When the memory is deleted, so are its links.
    and exists (select from public.memories m where m.id = old.memory_id);
  return null;
end
$$;
create trigger revoke_link_of_member after delete on memory_members
  for each row execute function private.revoke_link_of_member();

create function private.revoke_link_of_blocked_guest() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  link public.share_links;
begin
  select l.* into link from public.guests g join public.share_links l on l.id = g.link_id
  where g.id = new.guest_id and l.invitation_id is not null;
  update public.invitations i set state = 'withdrawn', settled_at = now() where i.id = link.invitation_id and i.state = 'open';
  update public.share_links l set revoked_at = now() where l.id = link.id and l.revoked_at is null;
  return null;
end
$$;
comment on function private.revoke_link_of_blocked_guest is
  'Revokes the invitation link of a blocked guest, who could otherwise come back under another name.';
create trigger revoke_link_of_blocked_guest after insert on memory_blocks
  for each row when (new.guest_id is not null) execute function private.revoke_link_of_blocked_guest();

create function accept_emailed_invitation() returns uuid language plpgsql security definer set search_path = '' as $$
declare
  asked public.invitations;
begin
  select * into asked from public.invitations i
  where i.id = (select l.invitation_id from private.open_link() l) and private.has_required_aal() for update;
  if asked.id is null then
    raise exception 'There is no such invitation to you.' using errcode = 'PT404';
  end if;
  -- A manager may open an invitation email of their own, and a member may open theirs again.
  if private.is_manager(asked.memory_id) or asked.accepted_by = auth.uid() then
    return asked.memory_id;
  end if;
  if asked.state <> 'open' then
    raise exception 'This invitation is not open any more.' using errcode = 'PT409', hint = 'settled';
  end if;
  -- An email is easily forwarded, so co-ownership requires the invited address.
  if asked.role = 'co-owner' and asked.email is distinct from private.own_address() then
    raise exception 'Only the address that was invited can share the ownership.' using errcode = 'PT403', hint = 'other_address';
  end if;
  perform private.accept_invitation(asked);
  return asked.memory_id;
end
$$;
comment on function accept_emailed_invitation is
  'Accepts the invitation whose email the signed-in caller opened, and returns the memory. Co-ownership requires the invited address.';

revoke execute on all functions in schema private from public;
revoke execute on function invitation_email, accept_emailed_invitation from public, anon, authenticated;
grant execute on function invitation_email, accept_emailed_invitation to authenticated;
