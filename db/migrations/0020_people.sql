create table invitations (
  id uuid primary key default gen_random_uuid(),
  memory_id uuid not null references memories on delete cascade,
  email text not null check (email = lower(email) and length(email) <= 254 and email ~ '^[^\s@]+@[^\s@]+\.[^\s@]+$'),
  role text not null check (role in ('co-owner', 'contributor', 'viewer')),
  note text not null default '' check (length(note) <= 1000),
  invited_by uuid default auth.uid() references auth.users on delete set null,
  state text not null default 'open' check (state in ('open', 'accepted', 'declined', 'withdrawn')),
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  settled_at timestamptz,
  accepted_by uuid references auth.users on delete set null,
  check ((state = 'open') = (settled_at is null))
);
comment on table invitations is 'People asked by email to a memory. Seen by its keepers; who is asked learns of theirs by my_invitations().';
comment on column invitations.accepted_by is 'The account that accepted it, which need not have the address that was invited.';
comment on column invitations.sent_at is 'When its letter last went out; null where it never did.';
create unique index one_open_invitation on invitations (memory_id, email) where state = 'open';
create index invitations_email on invitations (email) where state = 'open';
create index invitations_invited_by on invitations (invited_by);
create index invitations_accepted_by on invitations (accepted_by) where accepted_by is not null;

alter table share_links add column invitation_id uuid unique references invitations on delete cascade;
comment on column share_links.invitation_id is
  'The invitation whose letters lead here. Such a link opens by the token of a letter alone, while the invitation is open or accepted.';

create function private.mind_invitation() returns trigger language plpgsql set search_path = '' as $$
begin
  -- Not for the functions below, which run as the table's owner and have asked who calls.
  if current_user not in ('anon', 'authenticated') then
    return new;
  end if;
  if tg_op = 'INSERT' then
    if new.role = 'co-owner' and not private.is_owner(new.memory_id) then
      raise exception 'Only its owner can share the ownership of a memory.' using errcode = '42501';
    end if;
    return new;
  end if;
  if new.role = 'co-owner' and old.role <> 'co-owner' and not private.is_owner(old.memory_id) then
    raise exception 'Only its owner can share the ownership of a memory.' using errcode = '42501';
  end if;
  if old.state <> 'open' or new.state not in ('open', 'withdrawn') then
    raise exception 'This invitation is settled.' using errcode = 'PT409', hint = 'settled';
  end if;
  new.settled_at := case when new.state <> 'open' then now() end;
  return new;
end
$$;
create trigger mind_invitation before insert or update on invitations
  for each row execute function private.mind_invitation();

create function my_invitations()
returns table (id uuid, memory_id uuid, person_name text, kind text, role text, inviter_name text, note text, created_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select i.id, i.memory_id, m.person_name, m.kind, i.role, coalesce(p.full_name, ''), i.note, i.created_at
  from public.invitations i join public.memories m on m.id = i.memory_id and not m.draft
  left join public.profiles p on p.id = i.invited_by
  where i.state = 'open' and i.email = private.own_address() and private.fully_signed_in()
  order by i.created_at desc
$$;
comment on function my_invitations is 'The open invitations to the signed-in person''s confirmed address.';

create function private.accept_invitation(asked public.invitations) returns void
language plpgsql security definer set search_path = '' as $$
begin
  update public.invitations set state = 'accepted', settled_at = now(), accepted_by = auth.uid() where id = asked.id;
  if not exists (select from public.memories where id = asked.memory_id and user_id = auth.uid()) then
    insert into public.memory_members as known (memory_id, user_id, role) values (asked.memory_id, auth.uid(), asked.role)
    -- An invitation never takes away what somebody already may.
    on conflict (memory_id, user_id) do update set role = excluded.role
      where array_position('{viewer,contributor,co-owner}'::text[], excluded.role)
        > array_position('{viewer,contributor,co-owner}'::text[], known.role);
  end if;
end
$$;

create function answer_invitation(invitation_id uuid, accept boolean) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  asked public.invitations;
begin
  select * into asked from public.invitations i
  where i.id = invitation_id and i.email = private.own_address() and private.fully_signed_in()
    and not exists (select from public.memories m where m.id = i.memory_id and m.deleted_at is not null) for update;
  if asked.id is null then
    raise exception 'There is no such invitation to you.' using errcode = 'PT404';
  end if;
  if asked.state <> 'open' then
    -- Answered before, as by a double click: the answer stands.
    if not accept and asked.state = 'declined' or accept and asked.state = 'accepted' and asked.accepted_by = auth.uid() then
      return asked.memory_id;
    end if;
    raise exception 'This invitation is not open any more.' using errcode = 'PT409', hint = 'settled';
  end if;
  if accept then
    perform private.accept_invitation(asked);
  else
    update public.invitations set state = 'declined', settled_at = now() where id = invitation_id;
  end if;
  return asked.memory_id;
end
$$;
comment on function answer_invitation is
  'Accepts or declines an invitation to one''s own confirmed address; returns the memory it is to.';

-- Roles: keepers set those below their own, and only the owner makes or unmakes co-owners.
create function private.mind_member() returns trigger language plpgsql set search_path = '' as $$
begin
  -- Not for the functions above, nor where people go with their memory or account, which is the owner of the table's doing.
  if current_user not in ('anon', 'authenticated') or old.user_id = auth.uid() and tg_op = 'DELETE' then
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  if (old.role = 'co-owner' or tg_op = 'UPDATE' and new.role = 'co-owner') and not private.is_owner(old.memory_id) then
    raise exception 'Only its owner decides who co-owns a memory.' using errcode = '42501';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
create trigger mind_member before update or delete on memory_members
  for each row execute function private.mind_member();
grant update (role) on memory_members to authenticated;
create policy "its keepers change" on memory_members for update to authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));

create table handovers (
  memory_id uuid primary key references memories on delete cascade,
  to_user uuid not null references auth.users on delete cascade,
  created_at timestamptz not null default now(),
  -- Only to one of its people, and no longer than they are one.
  foreign key (memory_id, to_user) references memory_members (memory_id, user_id) on delete cascade
);
comment on table handovers is 'Memories whose owner offers them to one of their people. Nothing changes until that person accepts.';
create index handovers_to_user on handovers (to_user);

create function accept_handover(memory_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  owner uuid;
begin
  select m.user_id into owner from public.handovers h join public.memories m on m.id = h.memory_id
  where h.memory_id = accept_handover.memory_id and h.to_user = auth.uid() and m.deleted_at is null and private.fully_signed_in()
  -- The offer too: of two that accept at once the second finds it gone.
  for update;
  if owner is null then
    raise exception 'This memory is not offered to you.' using errcode = 'PT404';
  end if;
  delete from public.memory_members p where p.memory_id = accept_handover.memory_id and p.user_id = auth.uid();
  -- It leaves the old owner's album, and the new owner's plan must hold it; both are the update's own triggers and keys.
  update public.memories m set album_id = null, album_position = 0, user_id = auth.uid() where m.id = accept_handover.memory_id;
  insert into public.memory_members (memory_id, user_id, role) values (accept_handover.memory_id, owner, 'co-owner');
end
$$;
comment on function accept_handover is
  'Makes the signed-in person the owner of a memory that was offered to them; the owner before becomes a co-owner.';

create or replace function private.owner_files() returns trigger language plpgsql set search_path = '' as $$
begin
  if auth.uid() is distinct from old.user_id and coalesce(auth.role(), '') in ('anon', 'authenticated')
    and new.user_id = old.user_id then
    raise exception 'Only its owner can move a memory between albums.' using errcode = '42501';
  end if;
  return new;
end
$$;

revoke execute on function private.mind_invitation, private.accept_invitation, private.mind_member, my_invitations, answer_invitation, accept_handover from public;
revoke execute on function my_invitations, answer_invitation, accept_handover from anon;
grant execute on function my_invitations, answer_invitation, accept_handover to authenticated;

alter table invitations enable row level security;
grant select, insert (id, memory_id, email, role, note), update (role, note, state, sent_at) on invitations to authenticated;
create policy "the memory's keepers" on invitations to authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]))
  with check (private.is_manager(memory_id));
create policy "after the second step" on invitations as restrictive to authenticated
  using ((select private.fully_signed_in()));

alter table handovers enable row level security;
grant select, insert (memory_id, to_user), delete on handovers to authenticated;
create policy "the owner offers and takes back" on handovers to authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid())))
  with check (private.is_owner(memory_id));
create policy "who is offered it sees" on handovers for select to authenticated using (to_user = (select auth.uid()));
create policy "who is offered it declines" on handovers for delete to authenticated using (to_user = (select auth.uid()));
create policy "after the second step" on handovers as restrictive to authenticated
  using ((select private.fully_signed_in()));

alter publication supabase_realtime add table invitations, handovers;

-- A letter whose recipient has unsubscribed by the time it would go out is not sent, which is no failure.
alter table private.outbox drop constraint outbox_state_check;
alter table private.outbox add constraint outbox_state_check check (state in ('waiting', 'sent', 'dead', 'skipped'));
