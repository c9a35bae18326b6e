set local check_function_bodies = off;

create table albums (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users on delete cascade,
  name text not null check (length(btrim(name)) between 1 and 200),
  cover_media_id uuid,
  position integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- For the foreign key that restricts a memory to albums of its own owner.
  unique (id, user_id)
);
comment on table albums is 'A named group of memories. Deleting an album does not delete its memories.';
comment on column albums.position is 'Order among the owner''s albums; equal positions are ordered by creation.';
comment on column albums.deleted_at is 'When it was moved to the trash. Hidden from every caller until it is restored.';
create index albums_user_id on albums (user_id, position, created_at, id);
create index albums_cover_media_id on albums (cover_media_id);
create trigger touch_updated_at before update on albums for each row execute function private.touch_updated_at();
alter table albums enable row level security;

create table memories (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users on delete cascade,
  kind text not null default 'tribute' check (kind in ('tribute', 'event')),
  person_name text not null default '' check (length(person_name) <= 200),
  description html not null default '' check (length(description) <= 200000),
  birth_date approximate_date,
  passing_date approximate_date,
  event_date approximate_date,
  draft boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  album_id uuid,
  album_position integer not null default 0,
  cover_x real not null default 0.5 check (cover_x between 0 and 1),
  cover_y real not null default 0.5 check (cover_y between 0 and 1),
  media_order text not null default 'taken' check (media_order in ('taken', 'newest', 'added', 'arranged')),
  constraint named_once_published check (draft or length(btrim(person_name)) > 0),
  constraint dates_in_order check (not private.is_certainly_before(passing_date, birth_date)),
  -- Deleting a memory revokes the same access as withdrawing it.
  constraint closed_while_deleted check (draft or deleted_at is null),
  -- A memory and its album have the same owner.
  constraint memories_album_id_fkey foreign key (album_id, user_id) references albums (id, user_id)
    on delete set null (album_id)
);
comment on table memories is
  'A tribute to a person or a collection from an event. Visible to its owner, its members and people who came by a share link.';
comment on column memories.person_name is 'Name of the person or the event.';
comment on column memories.draft is
  'True while the owner is creating it; photos may already be uploaded. Links to a draft do not work.';
comment on column memories.deleted_at is 'When it was moved to the trash. Hidden from every caller until it is restored.';
comment on column memories.album_id is 'Its album, or null.';
comment on column memories.cover_x is
  'Focal point of the cover, which is never cropped, as a fraction of the width from the left.';
comment on column memories.cover_y is 'As cover_x, as a fraction of the height from the top.';
comment on column memories.media_order is
  'Order of photos and videos for all viewers: by date, by date from the newest, as added, or arranged by hand.';
create index memories_user_id on memories (user_id, created_at desc, id);
-- For the question whether all of a person's memories are events.
create index memories_kind on memories (user_id, kind);
-- Row policies use this index to decide whether the caller owns a memory.
create index memories_own on memories (user_id, id) where deleted_at is null;
create index memories_album_id on memories (album_id, album_position, created_at, id) where album_id is not null;
create trigger touch_updated_at before update on memories for each row execute function private.touch_updated_at();
alter table memories enable row level security;

-- Members who manage a memory, contribute to it or view it.
create table memory_members (
  memory_id uuid not null references memories on delete cascade,
  user_id uuid not null references auth.users on delete cascade,
  role text not null check (role in ('co-owner', 'contributor', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (memory_id, user_id)
);
comment on table memory_members is
  'Members of a memory besides its owner. Visible to its managers and to each member themselves.';
comment on column memory_members.role is
  'A co-owner can do everything except delete the memory and transfer it; a contributor adds content and comments; a viewer only views.';
create index memory_members_user_id on memory_members (user_id);
alter table memory_members enable row level security;

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
comment on table invitations is
  'Invitations by email. Visible to the memory''s managers; invited people read theirs through my_invitations().';
comment on column invitations.accepted_by is 'The account that accepted it. Its address may differ from the invited one.';
comment on column invitations.sent_at is 'When its email was last sent; null if never.';
create unique index one_open_invitation on invitations (memory_id, email) where state = 'open';
create index invitations_email on invitations (email) where state = 'open';
create index invitations_invited_by on invitations (invited_by);
create index invitations_accepted_by on invitations (accepted_by) where accepted_by is not null;
alter table invitations enable row level security;

create table handovers (
  memory_id uuid primary key references memories on delete cascade,
  to_user uuid not null references auth.users on delete cascade,
  created_at timestamptz not null default now(),
  -- Only to a member, and only while they are one.
  foreign key (memory_id, to_user) references memory_members (memory_id, user_id) on delete cascade
);
comment on table handovers is 'Offers to transfer the ownership of a memory to a member. Nothing changes until they accept.';
create index handovers_to_user on handovers (to_user);
alter table handovers enable row level security;

-- Only the owner puts a memory into an album, even if others manage the memory.
create function private.validate_album() returns trigger language plpgsql set search_path = '' as $$
begin
  if auth.uid() is distinct from old.user_id and coalesce(auth.role(), '') in ('anon', 'authenticated')
    and new.user_id = old.user_id then
    raise exception 'Only its owner can move a memory between albums.' using errcode = '42501';
  end if;
  return new;
end
$$;
create trigger validate_album before update on memories for each row
  when ((old.album_id, old.album_position) is distinct from (new.album_id, new.album_position))
  execute function private.validate_album();

-- These run as their caller: the row policies decide which rows they change.
create function arrange_albums(ids uuid[]) returns void language sql volatile set search_path = '' as $$
  update public.albums a set position = wanted.place
  from (
    select x.id, row_number() over (order by named.place, x.position, x.created_at, x.id) as place
    from public.albums x left join unnest(ids) with ordinality as named (id, place) on named.id = x.id
    where x.user_id = auth.uid()
  ) wanted
  where a.id = wanted.id and a.position is distinct from wanted.place
$$;
comment on function arrange_albums is 'Orders the caller''s albums by these ids; others follow in their current order.';

create function arrange_album(album_id uuid, ids uuid[]) returns void language sql volatile set search_path = '' as $$
  update public.memories m set album_position = wanted.place
  from (
    select x.id, row_number() over (order by named.place, x.album_position, x.created_at, x.id) as place
    from public.memories x left join unnest(ids) with ordinality as named (id, place) on named.id = x.id
    where x.album_id = arrange_album.album_id and x.user_id = auth.uid()
  ) wanted
  where m.id = wanted.id and m.album_position is distinct from wanted.place
$$;
comment on function arrange_album is
  'Orders the memories of one of the caller''s albums by these ids; others follow in their current order.';

create function put_in_album(album_id uuid, ids uuid[]) returns void language sql volatile set search_path = '' as $$
  update public.memories m set album_id = put_in_album.album_id, album_position = wanted.place + coalesce(
    (select max(x.album_position) from public.memories x where x.album_id = put_in_album.album_id), 0)
  from unnest(ids) with ordinality as wanted (id, place)
  where m.id = wanted.id and m.user_id = auth.uid() and m.album_id is distinct from put_in_album.album_id
$$;
comment on function put_in_album is
  'Moves memories of the caller to the end of an album, out of their previous one; null removes them from albums.';

-- Runs as its caller: the row policies decide what is counted.
create function recent_activity()
returns table (kind text, memory_id uuid, memory_name text, mine boolean, author text, items bigint, at timestamptz)
language sql stable set search_path = '' as $$
  with own as (select m.id, m.person_name, m.created_at from public.memories m where m.user_id = auth.uid())
  (select 'added', own.id, own.person_name, coalesce(d.user_id = auth.uid(), false), null, count(*), max(x.created_at)
    from own join public.media x on x.memory_id = own.id and x.moderation <> 'attached' left join public.media_details d on d.media_id = x.id
    -- Uploads of one person on one day are one entry.
    group by own.id, own.person_name, d.user_id, (x.created_at at time zone 'utc')::date)
  union all
  select 'told', own.id, own.person_name, coalesce(s.user_id = auth.uid(), false), n.name, 1, s.created_at
    from own join public.stories s on s.memory_id = own.id left join public.story_credits n on n.story_id = s.id
  union all
  select 'joined', own.id, own.person_name, false, null, 1, p.created_at
    from own join public.memory_members p on p.memory_id = own.id
  union all
  select 'began', own.id, own.person_name, true, null, 1, own.created_at from own
  order by 7 desc, 1, 2 limit 8
$$;
comment on function recent_activity is
  'The eight latest events in the signed-in person''s own memories: uploads by day, stories, new members, new memories.';

create function private.validate_invitation() returns trigger language plpgsql set search_path = '' as $$
begin
  -- Not for the functions below, which run as the table's owner and check the caller themselves.
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
create trigger validate_invitation before insert or update on invitations
  for each row execute function private.validate_invitation();

create function my_invitations()
returns table (id uuid, memory_id uuid, person_name text, kind text, role text, inviter_name text, note text, created_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select i.id, i.memory_id, m.person_name, m.kind, i.role, coalesce(p.full_name, ''), i.note, i.created_at
  from public.invitations i join public.memories m on m.id = i.memory_id and not m.draft
  left join public.profiles p on p.id = i.invited_by
  where i.state = 'open' and i.email = private.own_address() and private.has_required_aal()
    and i.memory_id <> all (private.blocked_memory_ids())
  order by i.created_at desc
$$;
comment on function my_invitations is 'The open invitations to the signed-in person''s confirmed address.';

create function private.accept_invitation(asked public.invitations) returns void
language plpgsql security definer set search_path = '' as $$
begin
  update public.invitations set state = 'accepted', settled_at = now(), accepted_by = auth.uid() where id = asked.id;
  if not exists (select from public.memories where id = asked.memory_id and user_id = auth.uid()) then
    insert into public.memory_members as known (memory_id, user_id, role) values (asked.memory_id, auth.uid(), asked.role)
    -- Accepting never lowers an existing role.
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
  where i.id = invitation_id and i.email = private.own_address() and private.has_required_aal()
    and not exists (select from public.memories m where m.id = i.memory_id and m.deleted_at is not null) for update;
  if asked.id is null then
    raise exception 'There is no such invitation to you.' using errcode = 'PT404';
  end if;
  if asked.state <> 'open' then
    -- Answered before, for example by a double click: the first answer counts.
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
  'Accepts or declines an invitation to the caller''s confirmed address. Returns the id of the memory.';

-- Managers set roles below their own; only the owner adds and removes co-owners.
create function private.validate_member() returns trigger language plpgsql set search_path = '' as $$
begin
  -- Not for the functions above, and not for deletions together with a memory or an account, which run as the table's owner.
  if current_user not in ('anon', 'authenticated') or old.user_id = auth.uid() and tg_op = 'DELETE' then
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  if (old.role = 'co-owner' or tg_op = 'UPDATE' and new.role = 'co-owner') and not private.is_owner(old.memory_id) then
    raise exception 'Only its owner decides who co-owns a memory.' using errcode = '42501';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
create trigger validate_member before update or delete on memory_members
  for each row execute function private.validate_member();

create function accept_handover(memory_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  owner uuid;
begin
  select m.user_id into owner from public.handovers h join public.memories m on m.id = h.memory_id
  where h.memory_id = accept_handover.memory_id and h.to_user = auth.uid() and m.deleted_at is null and private.has_required_aal()
  -- Locks the offer as well: if two requests accept at once, the second one finds no offer.
  for update;
  if owner is null then
    raise exception 'This memory is not offered to you.' using errcode = 'PT404';
  end if;
  delete from public.memory_members p where p.memory_id = accept_handover.memory_id and p.user_id = auth.uid();
  -- The triggers and keys of this update remove it from the old owner's album and check the new owner's plan.
  update public.memories m set album_id = null, album_position = 0, user_id = auth.uid() where m.id = accept_handover.memory_id;
  insert into public.memory_members (memory_id, user_id, role) values (accept_handover.memory_id, owner, 'co-owner');
end
$$;
comment on function accept_handover is
  'Makes the signed-in person the owner of a memory that was offered to them. The previous owner becomes a co-owner.';

create function memory_people(memory_id uuid) returns table (id uuid, name text, role text)
language sql stable security definer set search_path = '' as $$
  select people.id, private.name_of(people.id), people.role
  from (
    select m.user_id as id, 'owner' as role, 0 as rank from public.memories m where m.id = memory_people.memory_id
    union all
    select p.user_id, p.role, case p.role when 'co-owner' then 1 when 'contributor' then 2 else 3 end
    from public.memory_members p where p.memory_id = memory_people.memory_id
  ) people
  where (private.is_owner(memory_people.memory_id) or private.member_role(memory_people.memory_id) is not null)
    and private.has_required_aal()
  order by people.rank, 2, people.id
$$;
comment on function memory_people is
  'The members of a memory with their names. Empty for callers who are not members themselves.';

revoke execute on all functions in schema private from public;
revoke execute on function arrange_albums, arrange_album, put_in_album, recent_activity, my_invitations, answer_invitation,
  accept_handover, memory_people from public, anon, authenticated;
-- For anonymous callers it is empty: a page may ask before its visitor has signed in.
grant execute on function memory_people to anon, authenticated;
grant execute on function arrange_albums, arrange_album, put_in_album, recent_activity, my_invitations, answer_invitation,
  accept_handover to authenticated;
