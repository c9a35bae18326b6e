-- By which link something came: for its keepers alone, as one link tells of no other.
create table private.arrivals (
  link_id uuid not null references share_links on delete cascade,
  media_id uuid unique references media on delete cascade,
  story_id uuid unique references stories on delete cascade,
  comment_id uuid unique references comments on delete cascade,
  reaction_id uuid unique references reactions on delete cascade,
  check (num_nonnulls(media_id, story_id, comment_id, reaction_id) = 1)
);
comment on table private.arrivals is 'By which link each thing was added that was not added by the memory''s people.';
create index arrivals_link_id on private.arrivals (link_id);
alter table private.arrivals enable row level security;

create function private.note_arrival() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  execute format('insert into private.arrivals (link_id, %I) select l.id, $1 from private.open_link() l', tg_argv[0]) using new.id;
  return null;
end
$$;
create trigger note_arrival after insert on media for each row execute function private.note_arrival('media_id');
create trigger note_arrival after insert on stories for each row execute function private.note_arrival('story_id');
create trigger note_arrival after insert on comments for each row execute function private.note_arrival('comment_id');
create trigger note_arrival after insert on reactions for each row execute function private.note_arrival('reaction_id');

create index media_moderation on media (memory_id, moderation) where moderation <> 'shown';
create index stories_moderation on stories (memory_id, moderation) where moderation <> 'shown';
create index comments_moderation on comments (memory_id, moderation) where moderation <> 'shown';
create index reactions_moderation on reactions (memory_id, moderation) where moderation <> 'shown';

-- Row policies do not tell of a change to those it shuts out: that something is hidden reaches open pages by a row of its own.
create table memory_withdrawals (
  id bigint generated always as identity primary key,
  memory_id uuid not null references memories on delete cascade,
  kind text not null check (kind in ('media', 'broken', 'story', 'comment', 'reaction')),
  ids uuid[] not null,
  created_at timestamptz not null default now()
);
comment on table memory_withdrawals is
  'What was shown in a memory and is not any more, for the pages that still show it; kept for an hour. Seen by whoever sees the memory.';
create index memory_withdrawals_memory_id on memory_withdrawals (memory_id, created_at);

create function private.tell_withdrawn() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.memory_withdrawals (memory_id, kind, ids)
  select old_rows.memory_id, tg_argv[0], array_agg(old_rows.id)
  from old_rows join new_rows using (id) join public.memories m on m.id = old_rows.memory_id
  where old_rows.moderation = 'shown' and (new_rows.moderation <> 'shown' or new_rows.memory_id <> old_rows.memory_id)
  group by old_rows.memory_id;
  if found then
    delete from public.memory_withdrawals w
    where w.created_at < now() - interval '1 hour' and w.memory_id in (select memory_id from old_rows);
  end if;
  return null;
end
$$;
-- Once nothing of a photo can be shown, its waiting tile leaves the open pages too.
create function private.notify_broken_media() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.memory_withdrawals (memory_id, kind, ids)
  select old_rows.memory_id, 'broken', array_agg(old_rows.id)
  from old_rows join new_rows using (id)
  where old_rows.moderation = 'shown' and old_rows.state <> 'broken'
    and new_rows.moderation = 'shown' and new_rows.state = 'broken' and new_rows.memory_id = old_rows.memory_id
  group by old_rows.memory_id;
  return null;
end
$$;
create trigger tell_withdrawn after update on media referencing old table as old_rows new table as new_rows
  for each statement execute function private.tell_withdrawn('media');
create trigger notify_broken_media after update on media referencing old table as old_rows new table as new_rows
  for each statement execute function private.notify_broken_media();
create trigger tell_withdrawn after update on stories referencing old table as old_rows new table as new_rows
  for each statement execute function private.tell_withdrawn('story');
create trigger tell_withdrawn after update on comments referencing old table as old_rows new table as new_rows
  for each statement execute function private.tell_withdrawn('comment');
create trigger tell_withdrawn after update on reactions referencing old table as old_rows new table as new_rows
  for each statement execute function private.tell_withdrawn('reaction');

create table memory_blocks (
  id uuid primary key default gen_random_uuid(),
  memory_id uuid not null references memories on delete cascade,
  user_id uuid references auth.users on delete cascade,
  guest_id uuid references guests on delete cascade,
  name text not null default '',
  role text check (role in ('co-owner', 'contributor', 'viewer')),
  blocked_by uuid references auth.users on delete set null,
  created_at timestamptz not null default now(),
  constraint of_one_person check (num_nonnulls(user_id, guest_id) = 1),
  constraint once unique nulls not distinct (memory_id, user_id, guest_id)
);
comment on table memory_blocks is 'Who is gone from a memory, whatever link they hold. Seen by its keepers; those it is about are not told.';
comment on column memory_blocks.name is 'As they were called then.';
comment on column memory_blocks.role is 'What they were in the memory, and are again once they are let back in.';
create index memory_blocks_user_id on memory_blocks (user_id) where user_id is not null;
create index memory_blocks_guest_id on memory_blocks (guest_id) where guest_id is not null;
create index memory_blocks_blocked_by on memory_blocks (blocked_by);

create function private.blocked_memory_ids() returns uuid[] language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(b.memory_id), '{}') from public.memory_blocks b
  where b.user_id = auth.uid() or b.guest_id = (auth.jwt() -> 'share' ->> 'guest')::uuid
$$;
comment on function private.blocked_memory_ids is 'The memories from which the caller is gone.';

create function private.is_blocked(memory uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from public.memory_blocks b where b.memory_id = memory
    and (b.user_id = auth.uid() or b.guest_id = (auth.jwt() -> 'share' ->> 'guest')::uuid))
$$;
comment on function private.is_blocked is 'Whether the caller is blocked from a memory.';

create or replace function private.open_link() returns setof public.share_links
language sql stable security definer set search_path = '' as $$
  select l.* from public.share_links l
  where l.id = (auth.jwt() -> 'share' ->> 'link')::uuid and l.version = (auth.jwt() -> 'share' ->> 'version')::integer
    and l.shared_at is not null and l.revoked_at is null and coalesce(l.expires_at > now(), true)
    and (l.invitation_id is null
      or exists (select from public.invitations i where i.id = l.invitation_id and i.state in ('open', 'accepted')))
    and not exists (select from public.guests g where g.id = (auth.jwt() -> 'share' ->> 'guest')::uuid and g.blocked_at is not null)
$$;

create or replace function private.linked_memory_ids(wanted text[]) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(m.id), '{}') from private.open_link() l
  join public.memories m on (m.id = l.memory_id or m.album_id = l.album_id) and not m.draft
  where l.rights = any (wanted) and m.id <> all ((select private.blocked_memory_ids())::uuid[])
$$;

create or replace function private.member_memory_ids(wanted text[]) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(p.memory_id), '{}') from public.memory_members p
  join public.memories m on m.id = p.memory_id and not m.draft
  where p.user_id = auth.uid() and p.role = any (wanted) and (select private.fully_signed_in())
    and m.id <> all ((select private.blocked_memory_ids())::uuid[])
$$;

create or replace function private.member_role(memory uuid) returns text
language sql stable security definer set search_path = '' as $$
  select p.role from public.memory_members p join public.memories m on m.id = p.memory_id and not m.draft
  where p.memory_id = memory and p.user_id = auth.uid() and (select private.fully_signed_in())
    and not (select private.is_blocked(memory))
$$;

create or replace function private.link_rights(memory uuid) returns text
language sql stable security definer set search_path = '' as $$
  select l.rights from private.open_link() l
  join public.memories m on m.id = memory and (m.id = l.memory_id or m.album_id = l.album_id) and not m.draft
  where not (select private.is_blocked(memory))
$$;

create or replace function my_invitations()
returns table (id uuid, memory_id uuid, person_name text, kind text, role text, inviter_name text, note text, created_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select i.id, i.memory_id, m.person_name, m.kind, i.role, coalesce(p.full_name, ''), i.note, i.created_at
  from public.invitations i join public.memories m on m.id = i.memory_id and not m.draft
  left join public.profiles p on p.id = i.invited_by
  where i.state = 'open' and i.email = private.own_address() and private.fully_signed_in()
    and i.memory_id <> all (private.blocked_memory_ids())
  order by i.created_at desc
$$;

create function private.keep_blocked_out() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- Whoever blocks holds the memory: of two at once one waits, and finds what the other did.
  perform from public.memories m where m.id = new.memory_id for share;
  if exists (select from public.memory_blocks b where b.memory_id = new.memory_id and b.user_id = new.user_id) then
    raise exception 'There is no such invitation to you.' using errcode = 'PT404';
  end if;
  return new;
end
$$;
create trigger keep_blocked_out before insert on memory_members for each row execute function private.keep_blocked_out();

create function private.turned_away(of_link uuid, people uuid[], of_guests uuid[], hashes text[]) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.share_links l join public.memory_blocks b on b.memory_id = l.memory_id
      where l.id = of_link and (b.user_id = any (people) or b.guest_id = any (of_guests)))
    or exists (select from public.guests g
      where g.link_id = of_link and (g.blocked_at is not null or exists (select from public.memory_blocks b
          join public.share_links l on l.id = of_link and l.memory_id = b.memory_id where b.guest_id = g.id))
        and (g.id = any (of_guests)
          or exists (select from private.guest_keys k where k.guest_id = g.id and k.hash = any (hashes))))
$$;
comment on function private.turned_away is
  'Whether a link''s door knows one of these people or guests, or the holder of one of these keys, as blocked. The server alone asks.';

create function private.hide_of(memory uuid, person uuid, guest uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  of_table text;
  part jsonb;
  hidden jsonb := '[]';
begin
  foreach of_table in array '{media,stories,comments,reactions}'::text[] loop
    execute format(
      'with theirs as (select id, moderation from public.%1$I
         where memory_id = $1 and %2$s and moderation not in (''hidden'', ''deleted'', ''attached'') order by id for update),
       done as (update public.%1$I t set moderation = ''hidden'' from theirs where t.id = theirs.id returning t.id)
       select coalesce(jsonb_agg(jsonb_build_object(''kind'', $4, ''id'', theirs.id, ''was'', theirs.moderation)), ''[]'')
       from theirs join done using (id)', of_table,
      case of_table when 'media' then
        'id in (select d.media_id from public.media_details d where d.memory_id = $1 and (d.user_id = $2 or d.guest_id = $3))'
      else '(user_id = $2 or guest_id = $3)' end)
    into part using memory, person, guest,
      (case of_table when 'stories' then 'story' when 'comments' then 'comment' when 'reactions' then 'reaction' else 'media' end);
    hidden := hidden || part;
  end loop;
  return hidden;
end
$$;
comment on function private.hide_of is 'Hides all that somebody added to a memory; answers with each and what it was before.';

create function block_person(memory_id uuid, person uuid default null, guest uuid default null, hide boolean default false)
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  memory public.memories;
  was text;
  block uuid;
  shown_as text;
begin
  -- In the order in which accepting takes them.
  perform from public.handovers h where h.memory_id = block_person.memory_id for update;
  perform from public.invitations i where i.memory_id = block_person.memory_id and i.state = 'open' order by i.id for update;
  select * into memory from public.memories m
  where m.id = block_person.memory_id and private.is_manager(m.id) for no key update;
  if memory.id is null then
    raise exception 'This memory is not one of yours.' using errcode = 'PT404';
  end if;
  if num_nonnulls(person, guest) <> 1 or person = auth.uid() then
    raise exception 'One person is blocked at a time, and nobody blocks themselves.' using errcode = 'PT400';
  end if;
  if person = memory.user_id then
    raise exception 'The owner of a memory can not be blocked.' using errcode = '42501';
  end if;
  select p.role into was from public.memory_members p where p.memory_id = memory.id and p.user_id = person;
  if was = 'co-owner' and memory.user_id is distinct from auth.uid() then
    raise exception 'Only its owner decides who co-owns a memory.' using errcode = '42501';
  end if;
  if was is null and not exists (select from public.media_details x where x.memory_id = memory.id and (x.user_id = person or x.guest_id = guest))
    and not exists (select from public.stories x where x.memory_id = memory.id and (x.user_id = person or x.guest_id = guest))
    and not exists (select from public.comments x where x.memory_id = memory.id and (x.user_id = person or x.guest_id = guest))
    and not exists (select from public.reactions x where x.memory_id = memory.id and (x.user_id = person or x.guest_id = guest))
    and not exists (select from public.guests g join public.share_links l on l.id = g.link_id where g.id = guest and l.memory_id = memory.id)
    and not exists (select from public.memory_blocks b where b.memory_id = memory.id and (b.user_id = person or b.guest_id = guest)) then
    raise exception 'There is no such person here.' using errcode = 'PT404', hint = 'not_there';
  end if;
  shown_as := coalesce((select g.name from public.guests g where g.id = guest), private.name_of(person));
  insert into public.memory_blocks as known (memory_id, user_id, guest_id, name, role, blocked_by)
  values (memory.id, person, guest, shown_as, was, auth.uid())
  on conflict on constraint once do update set role = coalesce(known.role, excluded.role) returning id into block;
  delete from public.memory_members p where p.memory_id = memory.id and p.user_id = person;
  update public.invitations i set state = 'withdrawn', settled_at = now()
  where i.memory_id = memory.id and i.state = 'open'
    and i.email = (select lower(u.email) from auth.users u where u.id = person);
  -- A link to an album lets its guests into other memories too, and whoever keeps one of them does not speak for those.
  update public.guests g set blocked_at = coalesce(g.blocked_at, now()) from public.share_links l
  where g.id = guest and l.id = g.link_id
    and (l.memory_id = memory.id or l.album_id = memory.album_id and memory.user_id = auth.uid());
  -- Every open page of a link asks its door again, which knows whom it does not let in.
  update public.share_links l set version = version + 1
  where l.memory_id = memory.id or l.album_id = memory.album_id;
  return jsonb_build_object('id', block, 'hidden',
    case when hide then private.hide_of(memory.id, person, guest) else '[]'::jsonb end);
end
$$;
comment on function block_person is
  'Shuts one person, or one guest, out of a memory, and hides what they added where that is wished; answers with the block''s id and what was hidden. Only keepers can.';

create function unblock_person(block_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  block public.memory_blocks;
begin
  select * into block from public.memory_blocks b
  where b.id = block_id and private.is_manager(b.memory_id) for update;
  -- Let in before, as by a second keeper.
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
end
$$;
comment on function unblock_person is 'Lets somebody back into a memory, as what they were; lets nobody in twice. Only keepers can.';

create function moderate(items jsonb, decision text) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  kept constant uuid[] := private.managed_memory_ids();
  of_table text;
  part jsonb;
  changed jsonb := '[]';
begin
  if decision is null or decision not in ('shown', 'held', 'hidden') then
    raise exception 'A decision is shown, held or hidden.' using errcode = 'PT400';
  end if;
  if jsonb_typeof(items) is distinct from 'array' or jsonb_array_length(items) > 1000 then
    raise exception 'At most 1,000 items are decided at once.' using errcode = 'PT400';
  end if;
  foreach of_table in array '{media,stories,comments,reactions}'::text[] loop
    execute format(
      'with wanted as (select (i ->> ''id'')::uuid as id, i ->> ''was'' as was from jsonb_array_elements($1) i where i ->> ''kind'' = $2),
       found as (select t.id, t.moderation from public.%1$I t join wanted w on w.id = t.id
         where t.memory_id = any ($3) and t.moderation not in ($4, ''deleted'', ''attached'') and coalesce(w.was, t.moderation) = t.moderation
         order by t.id for update of t),
       done as (update public.%1$I t set moderation = $4 from found where t.id = found.id returning t.id)
       select coalesce(jsonb_agg(jsonb_build_object(''kind'', $2, ''id'', found.id, ''was'', found.moderation)), ''[]'')
       from found join done using (id)', of_table)
    into part using items,
      (case of_table when 'stories' then 'story' when 'comments' then 'comment' when 'reactions' then 'reaction' else 'media' end),
      kept, decision;
    changed := changed || part;
  end loop;
  return changed;
end
$$;
comment on function moderate is
  'Shows, holds or hides items ({kind: media|story|comment|reaction, id, was}) of memories that the caller keeps, in one transaction. Those that are not what they were, not there, or not the caller''s to decide stay as they are; answers with those that changed and what they were.';

create function waiting_counts() returns table (memory_id uuid, count bigint)
language sql stable security definer set search_path = '' as $$
  select held.memory_id, count(*) from (
    select m.memory_id from public.media m where m.moderation = 'held' and m.memory_id = any ((select private.managed_memory_ids())::uuid[])
    union all
    select s.memory_id from public.stories s where s.moderation = 'held' and s.memory_id = any ((select private.managed_memory_ids())::uuid[])
    union all
    select c.memory_id from public.comments c where c.moderation = 'held' and c.memory_id = any ((select private.managed_memory_ids())::uuid[])
    union all
    select r.memory_id from public.reactions r where r.moderation = 'held' and r.memory_id = any ((select private.managed_memory_ids())::uuid[])
  ) held group by held.memory_id
$$;
comment on function waiting_counts is 'How much waits for a yes in each memory that the caller keeps; memories where nothing does are not there.';

-- So that an invitation appears, and goes, while one looks: what is not told can not be shown.
create policy "whose address it is" on invitations for select to authenticated using (email = (select private.own_address()));

revoke execute on function private.note_arrival, private.tell_withdrawn, private.notify_broken_media, private.blocked_memory_ids, private.is_blocked, private.keep_blocked_out,
  private.turned_away, private.hide_of, block_person, unblock_person, moderate, waiting_counts from public;
revoke execute on function block_person, unblock_person, moderate, waiting_counts from anon;
grant execute on function block_person, unblock_person, moderate, waiting_counts to authenticated, service_role;

alter table memory_withdrawals enable row level security;
grant select on memory_withdrawals to anon, authenticated;
create policy "whoever may see the memory" on memory_withdrawals for select to anon, authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('view'))::uuid[]));
create policy "after the second step" on memory_withdrawals as restrictive to authenticated
  using ((select private.fully_signed_in()));

alter table memory_blocks enable row level security;
grant select on memory_blocks to authenticated;
create policy "the memory's keepers" on memory_blocks for select to authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));
create policy "after the second step" on memory_blocks as restrictive to authenticated
  using ((select private.fully_signed_in()));

alter publication supabase_realtime add table memory_withdrawals, memory_blocks;
