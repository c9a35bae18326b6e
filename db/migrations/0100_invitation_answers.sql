-- Mail gateways cut and encode links, and people who are invited may have no account. The server's functions, which get the link
-- of an invitation's email, send the email again and let its reader decline.
alter table invitations add column language text check (language in ('en', 'it'));
comment on column invitations.language is 'The language of its email; null for that of the person who invites.';
grant insert (language), update (language) on invitations to authenticated;

drop trigger t15_revise on invitations;
create trigger t15_revise before update on invitations for each row
  when ((old.role, old.note, old.state, old.language, old.revision) is distinct from (new.role, new.note, new.state, new.language, new.revision))
  execute function private.revise();

create function private.is_invitation_link(share text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.share_links l where l.share_id = share and l.invitation_id is not null)
$$;
comment on function private.is_invitation_link is
  'Whether a share id belongs to an invitation''s email, also after the invitation has ended. Only the server calls it.';

create function private.renew_invitation_email(share text)
returns table (email text, token text, memory text, inviter text, inviter_email text, language text)
language plpgsql security definer set search_path = '' as $$
declare
  invitation public.invitations;
  link constant uuid := (select l.id from public.share_links l where l.share_id = share and l.revoked_at is null);
begin
  select i.* into invitation from public.share_links l join public.invitations i on i.id = l.invitation_id
  join public.memories m on m.id = i.memory_id and not m.draft and m.deleted_at is null
  where l.id = link and i.state = 'open' for update of i;
  if invitation.id is null then
    return;
  end if;
  update public.share_links l set expires_at = now() + interval '90 days' where l.id = link;
  token := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  insert into private.invitation_tokens (hash, link_id) values (encode(sha256(convert_to(token, 'utf8')), 'hex'), link);
  update public.invitations i set sent_at = now() where i.id = invitation.id;
  select invitation.email, m.person_name, coalesce(nullif(p.full_name, ''), u.email, ''), coalesce(u.email, ''), invitation.language
  into email, memory, inviter, inviter_email, language
  from public.memories m
  left join auth.users u on u.id = coalesce(invitation.invited_by, m.user_id)
  left join public.profiles p on p.id = u.id
  where m.id = invitation.memory_id;
  return next;
end
$$;
comment on function private.renew_invitation_email is
  'A new token for the email of an open invitation, valid for 90 days, by the share id of its link, and what the email says. No row for other links. Only the server calls it, and sends the email to the invited address.';

create function private.decline_emailed_invitation(share text, token_hash text, undo boolean) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  invitation public.invitations;
  link constant uuid := (select l.id from public.share_links l where l.share_id = share and l.invitation_id is not null);
begin
  if not private.is_invited(link, token_hash) then
    return false;
  end if;
  select i.* into invitation from public.share_links l join public.invitations i on i.id = l.invitation_id
  where l.id = link for update of i;
  if not undo and invitation.state = 'open' then
    update public.invitations i set state = 'declined', settled_at = now() where i.id = invitation.id;
    return true;
  end if;
  if not undo or invitation.state <> 'declined' then
    return not undo and invitation.state = 'declined';
  end if;
  -- Somebody may have been invited anew, and then that email opens the memory.
  if invitation.settled_at < now() - interval '1 day' or exists (select from public.invitations i
      where i.memory_id = invitation.memory_id and i.email = invitation.email and i.state = 'open') then
    return false;
  end if;
  update public.invitations i set state = 'open', settled_at = null where i.id = invitation.id;
  -- What was revoked by declining, and nothing else: all that one transaction writes has the same time.
  update public.share_links l set revoked_at = null where l.id = link and l.revoked_at = invitation.settled_at;
  return true;
end
$$;
comment on function private.decline_emailed_invitation is
  'Declines the open invitation whose email has this token, or takes that back within a day. Returns whether it is declined or open again. Only the server calls it.';
revoke execute on function private.is_invitation_link, private.renew_invitation_email, private.decline_emailed_invitation from public;
