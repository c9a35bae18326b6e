set local check_function_bodies = off;

-- The link through which something was added. Only for managers, because visitors of one link must not learn about others.
create table private.content_sources (
  link_id uuid not null references share_links on delete cascade,
  media_id uuid unique references media on delete cascade,
  story_id uuid unique references stories on delete cascade,
  comment_id uuid unique references comments on delete cascade,
  reaction_id uuid unique references reactions on delete cascade,
  check (num_nonnulls(media_id, story_id, comment_id, reaction_id) = 1)
);
comment on table private.content_sources is 'The link through which each item was added by somebody who is not a member.';
create index content_sources_link_id on private.content_sources (link_id);
alter table private.content_sources enable row level security;

-- Row policies hide a change from readers who lose access to the row. A row in this table tells open pages that something was
-- hidden.
create table memory_withdrawals (
  id bigint generated always as identity primary key,
  memory_id uuid not null references memories on delete cascade,
  kind text not null check (kind in ('media', 'broken', 'story', 'comment', 'reaction')),
  ids uuid[] not null,
  created_at timestamptz not null default now()
);
comment on table memory_withdrawals is
  'Items of a memory that are no longer shown, for pages that still show them; kept for an hour. Visible to everybody who can see the memory.';
create index memory_withdrawals_memory_id on memory_withdrawals (memory_id, created_at);
alter table memory_withdrawals enable row level security;

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
comment on table memory_blocks is
  'People who are blocked from a memory, whatever link they have. Visible to its managers; blocked people are not told.';
comment on column memory_blocks.name is 'Their name at that time.';
comment on column memory_blocks.role is 'Their role at that time, which they get back when they are unblocked.';
create index memory_blocks_user_id on memory_blocks (user_id) where user_id is not null;
create index memory_blocks_guest_id on memory_blocks (guest_id) where guest_id is not null;
create index memory_blocks_blocked_by on memory_blocks (blocked_by);
alter table memory_blocks enable row level security;

create table reports (
  id uuid primary key default gen_random_uuid(),
  memory_id uuid references memories on delete set null,
  kind text not null check (kind in ('memory', 'media', 'story', 'comment')),
  item_id uuid not null,
  reason text not null check (reason in ('hurtful', 'private', 'not-theirs', 'unlawful', 'unwanted', 'other')),
  words text not null default '' check (length(words) <= 2000),
  email text check (length(email) <= 254),
  user_id uuid references auth.users on delete set null,
  guest_id uuid references guests on delete set null,
  created_at timestamptz not null default now(),
  outcome text check (outcome in ('acted', 'nothing')),
  settled_at timestamptz,
  settled_by uuid references auth.users on delete set null,
  constraint settled_with_an_outcome check ((outcome is null) = (settled_at is null))
);
comment on table reports is
  'Reports of problems in a memory. A report changes nothing by itself. Visible to its author and to administrators; only the server writes it.';
comment on column reports.item_id is 'The photo, story or comment, or the memory itself.';
comment on column reports.email is 'Address for an answer, not confirmed.';
create index reports_memory_id on reports (memory_id);
create index reports_user_id on reports (user_id);
create index reports_guest_id on reports (guest_id) where guest_id is not null;
create index reports_settled_by on reports (settled_by) where settled_by is not null;
create index reports_open on reports (created_at) where settled_at is null;
alter table reports enable row level security;

create function private.record_source() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  execute format('insert into private.content_sources (link_id, %I) select l.id, $1 from private.open_link() l', tg_argv[0]) using new.id;
  return null;
end
$$;
create trigger record_source after insert on media for each row execute function private.record_source('media_id');
create trigger t10_record_source after insert on stories for each row execute function private.record_source('story_id');
create trigger t10_record_source after insert on comments for each row execute function private.record_source('comment_id');
create trigger t10_record_source after insert on reactions for each row execute function private.record_source('reaction_id');

create function private.notify_withdrawn() returns trigger language plpgsql security definer set search_path = '' as $$
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
create trigger notify_withdrawn after update on media referencing old table as old_rows new table as new_rows
  for each statement execute function private.notify_withdrawn('media');
create trigger notify_withdrawn after update on stories referencing old table as old_rows new table as new_rows
  for each statement execute function private.notify_withdrawn('story');
create trigger notify_withdrawn after update on comments referencing old table as old_rows new table as new_rows
  for each statement execute function private.notify_withdrawn('comment');
create trigger notify_withdrawn after update on reactions referencing old table as old_rows new table as new_rows
  for each statement execute function private.notify_withdrawn('reaction');

-- If a photo cannot be shown at all, its placeholder is removed from open pages.
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
create trigger notify_broken_media after update on media referencing old table as old_rows new table as new_rows
  for each statement execute function private.notify_broken_media();

create function private.refuse_blocked_member() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- Blocking locks the memory, so that one of two concurrent changes waits and sees the other.
  perform from public.memories m where m.id = new.memory_id for share;
  if exists (select from public.memory_blocks b where b.memory_id = new.memory_id and b.user_id = new.user_id) then
    raise exception 'There is no such invitation to you.' using errcode = 'PT404';
  end if;
  return new;
end
$$;
create trigger refuse_blocked_member before insert on memory_members for each row execute function private.refuse_blocked_member();

create function private.is_blocked_from_link(of_link uuid, people uuid[], of_guests uuid[], hashes text[]) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.share_links l join public.memory_blocks b on b.memory_id = l.memory_id
      where l.id = of_link and (b.user_id = any (people) or b.guest_id = any (of_guests)))
    or exists (select from public.guests g
      where g.link_id = of_link and (g.blocked_at is not null or exists (select from public.memory_blocks b
          join public.share_links l on l.id = of_link and l.memory_id = b.memory_id where b.guest_id = g.id))
        and (g.id = any (of_guests)
          or exists (select from private.guest_keys k where k.guest_id = g.id and k.hash = any (hashes))))
$$;
comment on function private.is_blocked_from_link is
  'Whether one of these people or guests, or the owner of one of these keys, is blocked from a link. Only the server calls it.';

create function private.hide_content_by(memory uuid, person uuid, guest uuid) returns jsonb
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
comment on function private.hide_content_by is
  'Hides everything that somebody added to a memory. Returns each item and its previous state.';

create function block_person(memory_id uuid, person uuid default null, guest uuid default null, hide boolean default false)
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  memory public.memories;
  was text;
  block uuid;
  shown_as text;
begin
  -- In the same order of locks as accepting.
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
  -- A link to an album also opens other memories, which the manager of one of them may not decide about.
  update public.guests g set blocked_at = coalesce(g.blocked_at, now()) from public.share_links l
  where g.id = guest and l.id = g.link_id
    and (l.memory_id = memory.id or l.album_id = memory.album_id and memory.user_id = auth.uid());
  -- Every open page of a link requests a new token, which blocked people do not get.
  update public.share_links l set version = version + 1
  where l.memory_id = memory.id or l.album_id = memory.album_id;
  return jsonb_build_object('id', block, 'hidden',
    case when hide then private.hide_content_by(memory.id, person, guest) else '[]'::jsonb end);
end
$$;
comment on function block_person is
  'Blocks a person or a guest from a memory, and optionally hides what they added. Returns the id of the block and what was hidden. Only for managers.';

create function unblock_person(block_id uuid) returns void language plpgsql security definer set search_path = '' as $$
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
end
$$;
comment on function unblock_person is
  'Unblocks somebody, who gets their previous role back. Repeating it has no effect. Only for managers.';

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
  'Shows, holds or hides items ({kind: media|story|comment|reaction, id, was}) of memories that the caller manages, in one transaction. Items that do not exist, have changed or are not the caller''s to decide are skipped. Returns those that changed and their previous state.';

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
comment on function waiting_counts is
  'The number of held items in each memory that the caller manages, without memories that have none.';

create function private.close_report() returns trigger language plpgsql set search_path = '' as $$
begin
  if new.outcome is distinct from old.outcome then
    new.settled_at := case when new.outcome is not null then now() end;
    new.settled_by := case when new.outcome is not null then auth.uid() end;
  end if;
  return new;
end
$$;
create trigger close_report before update on reports for each row execute function private.close_report();

create function moderation_queue(memory_id uuid, state text)
returns table (kind text, id uuid, created_at timestamptz, name text, user_id uuid, guest_id uuid, link_id uuid, link_label text,
  title text, words text, media jsonb)
language sql stable security definer set search_path = '' as $$
  with items as (
    select 'media' as kind, m.id, m.created_at, private.name_of_author(d.user_id, d.guest_id) as name, d.user_id, d.guest_id,
      d.file_name as title, m.caption as words, m.id as about, a.link_id
    from public.media m left join public.media_details d on d.media_id = m.id left join private.content_sources a on a.media_id = m.id
    where m.memory_id = moderation_queue.memory_id and m.moderation = moderation_queue.state
    union all
    select 'story', s.id, s.created_at, coalesce(n.name, ''), s.user_id, s.guest_id, s.title, left(s.body, 20000), null, a.link_id
    from public.stories s left join private.content_sources a on a.story_id = s.id
      left join public.story_credits n on n.story_id = s.id
    where s.memory_id = moderation_queue.memory_id and s.moderation = moderation_queue.state
    union all
    select 'comment', c.id, c.created_at, coalesce(n.name, ''), c.user_id, c.guest_id, '', coalesce(n.words, c.body), c.media_id, a.link_id
    from public.comments c left join private.content_sources a on a.comment_id = c.id
      left join public.comment_credits n on n.comment_id = c.id
    where c.memory_id = moderation_queue.memory_id and c.moderation = moderation_queue.state and c.deleted_at is null
    union all
    select 'reaction', r.id, r.created_at, coalesce(n.name, ''), r.user_id, r.guest_id, r.kind, '', r.media_id, a.link_id
    from public.reactions r left join private.content_sources a on a.reaction_id = r.id
      left join public.reaction_credits n on n.reaction_id = r.id
    where r.memory_id = moderation_queue.memory_id and r.moderation = moderation_queue.state
  )
  select i.kind, i.id, i.created_at, i.name, i.user_id, i.guest_id, l.id, l.label, i.title, i.words,
    case when x.id is not null then jsonb_build_object('id', x.id, 'type', x.type, 'object_name', x.object_name,
      'poster_name', x.poster_name, 'placeholder', x.placeholder, 'colour', x.colour, 'width', x.width, 'height', x.height,
      'state', x.state) end
  from items i
  left join public.guests g on g.id = i.guest_id
  left join public.share_links l on l.id = coalesce(i.link_id, g.link_id)
  left join public.media x on x.id = i.about
  where private.is_manager(moderation_queue.memory_id) and moderation_queue.state in ('held', 'hidden')
  order by case when moderation_queue.state = 'held' then i.created_at end, i.created_at desc, i.id limit 500
$$;
comment on function moderation_queue is
  'Held items of a memory, oldest first, or with "hidden" the hidden ones, newest first: at most 500, with who added them and through which link. Empty unless the caller manages the memory.';

grant select on memory_withdrawals to anon, authenticated;
create policy "viewers read" on memory_withdrawals for select to anon, authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('view'))::uuid[]));

grant select on memory_blocks to authenticated;
create policy "managers" on memory_blocks for select to authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));

-- Without settled_by: privileges on columns belong to roles, so the author of a report would read it too.
grant select (id, memory_id, kind, item_id, reason, words, email, user_id, created_at, outcome, settled_at),
  update (outcome) on reports to authenticated;
create policy "author reads" on reports for select to authenticated using (user_id = (select auth.uid()));
create policy "administrators read" on reports for select to authenticated using ((select private.is_admin()));
create policy "administrators close" on reports for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));

revoke execute on all functions in schema private from public;
revoke execute on function block_person, unblock_person, moderate, waiting_counts, moderation_queue
  from public, anon, authenticated;
grant execute on function block_person, unblock_person, moderate, waiting_counts, moderation_queue to authenticated;
