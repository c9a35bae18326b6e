-- Reveals: until a time or a press, guests see only their own contributions (decision 0130).
set local check_function_bodies = off;

create table reveals (
  memory_id uuid primary key references memories on delete cascade,
  reveal_at timestamptz constraint reveal_at_in_years_1_to_9999 check (reveal_at between '0001-01-01 00:00+00' and '9999-12-31 00:00+00'),
  time_zone text not null default 'UTC' check (time_zone ~ '^(UTC|Etc/(UTC|GMT|GMT[+-](\d|1[0-4]))|(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)(/[A-Za-z_-]+){1,2})$'
    and timezone(time_zone, timestamp '2000-01-01 00:00') is not null),
  revealed boolean not null default false,
  revealed_at timestamptz,
  announced_at timestamptz,
  revision integer not null default 1
);
comment on table reveals is
  'Until when a memory''s guests see only their own contributions and those of its managers. Visible to everybody who can see the memory.';
comment on column reveals.reveal_at is 'When everything becomes visible; null until a manager reveals it.';
comment on column reveals.time_zone is 'IANA name of the time zone in which reveal_at was chosen.';
comment on column reveals.revealed is 'Whether a manager has revealed everything, whatever reveal_at says.';
comment on column reveals.revealed_at is 'When a manager revealed everything; null if none did.';
comment on column reveals.announced_at is 'When the members were notified of the reveal; null before.';
comment on column reveals.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
create index reveals_unannounced on reveals (reveal_at) where announced_at is null;

create function private.follow_reveal() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.revealed_at := case when new.revealed then coalesce(case when tg_op = 'UPDATE' and old.revealed then old.revealed_at end, now()) end;
  if not new.revealed and coalesce(new.reveal_at > now(), true) then
    new.announced_at := null;
    delete from public.notices n where n.memory_id = new.memory_id and n.kind = 'revealed' and n.read_at is null;
  elsif tg_op = 'INSERT' then
    -- Nothing was hidden before, e.g. in an imported memory.
    new.announced_at := now();
  end if;
  return new;
end
$$;
comment on function private.follow_reveal is 'Notes when a memory is revealed, and takes back the notices of a reveal that was undone.';
create trigger t15_revise before update on reveals for each row
  when ((old.reveal_at, old.time_zone, old.revealed, old.revision) is distinct from (new.reveal_at, new.time_zone, new.revealed, new.revision))
  execute function private.revise();
create trigger t20_follow_reveal before insert or update of reveal_at, revealed on reveals for each row
  execute function private.follow_reveal();

create function private.covered_memory_ids() returns uuid[] language sql stable security definer set search_path = '' as $$
  with reached as materialized (
    select p.memory_id as id from public.memory_members p where p.user_id = (select auth.uid()) and p.role <> 'co-owner'
    union
    select m.id from private.open_link() l join public.memories m on m.id = l.memory_id or m.album_id = l.album_id)
  select coalesce(array_agg(r.memory_id), '{}') from reached
  join public.reveals r on r.memory_id = reached.id and not r.revealed and coalesce(r.reveal_at > now(), true)
  where not exists (select from public.memories m where m.id = r.memory_id and m.user_id = (select auth.uid()))
    and not exists (select from public.memory_members p
      where p.memory_id = r.memory_id and p.user_id = (select auth.uid()) and p.role = 'co-owner')
$$;
comment on function private.covered_memory_ids is
  'The memories that wait for their reveal, and that the caller reaches as a member or by a link without managing them.';

create function private.uncovered_ids(of_kind text) returns setof uuid language plpgsql stable security definer set search_path = '' as $$
declare
  guest constant uuid := private.guest_id();
  memory uuid;
  authors uuid[];
begin
  foreach memory in array private.covered_memory_ids() loop
    authors := array_append(array(select private.managers_of(memory)), auth.uid());
    if of_kind in ('media', 'any') then
      return query
        select d.media_id from public.media_details d where d.memory_id = memory and d.user_id = any (authors)
        union all
        select d.media_id from public.media_details d where d.memory_id = memory and d.guest_id = guest;
    end if;
    if of_kind in ('comment', 'any') then
      return query
        select c.id from public.comments c left join public.comments p on p.id = c.parent_id
        where c.memory_id = memory and (c.user_id = auth.uid() or c.guest_id = guest
          or c.user_id = any (authors) and (c.parent_id is null or p.user_id = any (authors) or p.guest_id = guest));
    end if;
    if of_kind in ('reaction', 'any') then
      return query select r.id from public.reactions r where r.memory_id = memory and (r.user_id = any (authors) or r.guest_id = guest);
    end if;
    if of_kind in ('story', 'any') then
      return query select s.id from public.stories s where s.memory_id = memory and (s.user_id = any (authors) or s.guest_id = guest);
    end if;
  end loop;
end
$$;
comment on function private.uncovered_ids is
  'What the caller may see of the memories that wait for their reveal: own contributions, and those of managers that answer nothing hidden.';

alter table reveals enable row level security;
grant select on reveals to anon, authenticated;
grant insert (memory_id, reveal_at, time_zone), update (reveal_at, time_zone, revealed, revision) on reveals to authenticated;
create policy "required authentication level" on reveals as restrictive for all to authenticated using ((select private.has_required_aal()));
create policy "viewers of the memory read" on reveals for select to anon, authenticated
  using (exists (select from memories m where m.id = memory_id));
create policy "managers add" on reveals for insert to authenticated with check (private.is_manager(memory_id));
create policy "managers change" on reveals for update to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));
alter publication supabase_realtime add table reveals;

-- Restrictive, so that no other policy of these tables can show what waits.
create policy "not before the reveal" on media as restrictive for select to anon, authenticated
  using (memory_id <> all ((select private.covered_memory_ids())::uuid[]) or id in (select private.uncovered_ids('media')));
create policy "not before the reveal" on media_details as restrictive for select to anon, authenticated
  using (memory_id <> all ((select private.covered_memory_ids())::uuid[]) or media_id in (select private.uncovered_ids('media')));
create policy "not before the reveal" on media_names as restrictive for all to anon, authenticated
  using (memory_id <> all ((select private.covered_memory_ids())::uuid[]) or media_id in (select private.uncovered_ids('media')));
create policy "not before the reveal" on media_name_suggestions as restrictive for all to anon, authenticated
  using (memory_id <> all ((select private.covered_memory_ids())::uuid[]) or media_id in (select private.uncovered_ids('media')));
create policy "not before the reveal" on who_questions as restrictive for all to anon, authenticated
  using (memory_id <> all ((select private.covered_memory_ids())::uuid[]) or media_id in (select private.uncovered_ids('media')));
create policy "not before the reveal" on pictured_people as restrictive for select to anon, authenticated
  using (memory_id <> all ((select private.covered_memory_ids())::uuid[])
    or exists (select from media_names n where n.person_id = any (private.merged_people(pictured_people.id))));
create policy "not before the reveal" on comments as restrictive for select to anon, authenticated
  using (memory_id <> all ((select private.covered_memory_ids())::uuid[])
    or user_id = (select auth.uid()) or guest_id = (select private.guest_id()) or id in (select private.uncovered_ids('comment')));
create policy "not before the reveal" on reactions as restrictive for select to anon, authenticated
  using (memory_id <> all ((select private.covered_memory_ids())::uuid[])
    or user_id = (select auth.uid()) or guest_id = (select private.guest_id()) or id in (select private.uncovered_ids('reaction')));
create policy "not before the reveal" on stories as restrictive for select to anon, authenticated
  using (memory_id <> all ((select private.covered_memory_ids())::uuid[])
    or user_id = (select auth.uid()) or guest_id = (select private.guest_id()) or id in (select private.uncovered_ids('story')));
create policy "not before the reveal" on memory_counts as restrictive for select to anon, authenticated
  using (memory_id <> all ((select private.covered_memory_ids())::uuid[]));
create policy "not before the reveal" on memory_withdrawals as restrictive for select to anon, authenticated
  using (memory_id <> all ((select private.covered_memory_ids())::uuid[]) or ids <@ array(select private.uncovered_ids('any')));
create policy "not before the reveal" on notices as restrictive for select to authenticated
  using (kind <> 'added' or coalesce(memory_id <> all ((select private.covered_memory_ids())::uuid[]), true)
    or media_id in (select private.uncovered_ids('media')));

-- Notifications.
alter table notices drop constraint notices_kind_check, add constraint notices_kind_check check (kind in ('comment', 'answer', 'mention',
  'added', 'story', 'held', 'accepted', 'declined', 'offered', 'offer-declined', 'taken-over', 'locked', 'storage-75', 'storage-90',
  'storage-full', 'birthday', 'passing', 'event', 'file-lost', 'revealed'));

create function private.people_to_notify(memory uuid, author uuid) returns setof uuid language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from public.reveals r where r.memory_id = memory and not r.revealed and coalesce(r.reveal_at > now(), true))
    and not exists (select from private.managers_of(memory) k (id) where k.id = author) then
    return query select private.managers_of(memory);
  else
    return query select private.people_of(memory);
  end if;
end
$$;
comment on function private.people_to_notify is
  'The members who are notified of what somebody added to a memory: before the reveal only managers, unless a manager added it.';

create or replace function private.notify_added(memory uuid, adder uuid, guest uuid, first_one uuid, how_many integer)
returns void language sql security definer set search_path = '' as $$
  insert into public.notices as known (user_id, memory_id, kind, media_id, actor_name, actor_key, count)
  select p.id, memory, 'added', first_one, private.name_of_author(adder, guest), coalesce(adder, guest)::text, how_many
  from private.people_to_notify(memory, adder) p (id)
  -- In a fixed order, so that two concurrent uploads cannot deadlock.
  where coalesce(adder, guest) is not null and p.id is distinct from adder and p.id is distinct from auth.uid() order by p.id
  on conflict (user_id, memory_id, actor_key) where kind = 'added' and read_at is null do update set
    count = known.count + excluded.count, media_id = excluded.media_id, since = least(known.since, excluded.since),
    created_at = greatest(known.created_at, excluded.created_at), email_due_since = coalesce(known.email_due_since, excluded.email_due_since)
$$;

create or replace function private.notify_of_comment() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and new.deleted_at is not null then
    delete from public.notices n where n.comment_id = new.id;
    return null;
  end if;
  if new.moderation = 'held' then
    perform private.notify_held(new.memory_id, new.user_id);
    return null;
  end if;
  if tg_op = 'UPDATE' then
    if old.moderation <> 'held' then
      return null;
    end if;
    perform private.clear_held_notice(new.memory_id);
  end if;
  if new.moderation = 'shown' then
    insert into public.notices (user_id, memory_id, kind, comment_id, media_id, actor_name)
    select p.id, new.memory_id, case
        when p.id = any (new.mentions) then 'mention'
        when new.parent_id is not null and exists (select from public.comments c
          where (c.id = new.parent_id or c.parent_id = new.parent_id) and c.user_id = p.id) then 'answer'
        else 'comment' end,
      new.id, new.media_id, coalesce((select n.name from public.comment_credits n where n.comment_id = new.id), '')
    from private.people_to_notify(new.memory_id, new.user_id) p (id)
    where p.id is distinct from new.user_id and p.id is distinct from auth.uid();
  end if;
  return null;
end
$$;

create or replace function private.notify_of_story() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.moderation = 'held' then
    perform private.notify_held(new.memory_id, new.user_id);
    return null;
  end if;
  if tg_op = 'UPDATE' then
    if old.moderation <> 'held' then
      return null;
    end if;
    perform private.clear_held_notice(new.memory_id);
  end if;
  if new.moderation = 'shown' then
    insert into public.notices (user_id, memory_id, kind, story_id, actor_name)
    select p.id, new.memory_id, 'story', new.id, coalesce((select n.name from public.story_credits n where n.story_id = new.id), '')
    from private.people_to_notify(new.memory_id, new.user_id) p (id)
    where p.id is distinct from new.user_id and p.id is distinct from auth.uid();
  end if;
  return null;
end
$$;

create function private.announce_reveals(at timestamptz) returns void language plpgsql security definer set search_path = '' as $$
declare
  due record;
begin
  for due in
    -- A press can be undone for a moment, before anybody is notified.
    select r.memory_id from public.reveals r join public.memories m on m.id = r.memory_id and m.deleted_at is null and not m.draft
    where r.announced_at is null and case when r.revealed then r.revealed_at <= at - interval '20 seconds' else r.reveal_at <= at end
    order by r.memory_id for update of r skip locked
  loop
    update public.reveals r set announced_at = at where r.memory_id = due.memory_id;
    insert into public.notices (user_id, memory_id, kind)
    with others as materialized (
      -- Of guests without an account one row is enough.
      select distinct c.user_id from (
        select d.user_id from public.media_details d join public.media m on m.id = d.media_id and m.moderation = 'shown'
        where d.memory_id = due.memory_id
        union all select c.user_id from public.comments c where c.memory_id = due.memory_id and c.moderation = 'shown'
        union all select s.user_id from public.stories s where s.memory_id = due.memory_id and s.moderation = 'shown') c
      where not exists (select from private.managers_of(due.memory_id) k (id) where k.id = c.user_id))
    select p.user_id, due.memory_id, 'revealed' from public.memory_members p
    where p.memory_id = due.memory_id and p.role <> 'co-owner'
      and exists (select from others o where o.user_id is distinct from p.user_id)
    order by p.user_id;
  end loop;
end
$$;
comment on function private.announce_reveals is
  'Notifies the members of memories that were revealed, each once, if others have contributed something that they could not see.';

-- Announcements of withdrawals: before the reveal one for each item, so that each reaches only who could see it.
create or replace function private.notify_withdrawn() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.memory_withdrawals (memory_id, kind, ids)
  select old_rows.memory_id, tg_argv[0], array_agg(old_rows.id)
  from old_rows join new_rows using (id) join public.memories m on m.id = old_rows.memory_id
  left join public.reveals r on r.memory_id = old_rows.memory_id
  where old_rows.moderation = 'shown' and (new_rows.moderation <> 'shown' or new_rows.memory_id <> old_rows.memory_id)
  group by old_rows.memory_id, case when r.memory_id is not null then old_rows.id end;
  if found then
    delete from public.memory_withdrawals w
    where w.created_at < now() - interval '1 hour' and w.memory_id in (select memory_id from old_rows);
  end if;
  return null;
end
$$;

create or replace function private.notify_broken_media() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.memory_withdrawals (memory_id, kind, ids)
  select old_rows.memory_id, 'broken', array_agg(old_rows.id)
  from old_rows join new_rows using (id) left join public.reveals r on r.memory_id = old_rows.memory_id
  where old_rows.moderation = 'shown' and old_rows.state <> 'broken'
    and new_rows.moderation = 'shown' and new_rows.state = 'broken' and new_rows.memory_id = old_rows.memory_id
  group by old_rows.memory_id, case when r.memory_id is not null then old_rows.id end;
  return null;
end
$$;

create or replace function private.link_preview(share text)
returns table (link_id uuid, version integer, name text, language text, memory_id uuid, cover text)
language sql stable security definer set search_path = '' as $$
  select l.id, l.version, coalesce(m.person_name, a.name),
    case when coalesce(u.raw_user_meta_data ->> 'language', s.language) = 'it' then 'it' else 'en' end,
    coalesce(c.memory_id, case when l.preview = 'cover' and l.rights <> 'upload' then m.id end), c.cover
  from public.share_links l
  left join public.memories m on m.id = l.memory_id and not m.draft and m.deleted_at is null
  left join public.albums a on a.id = l.album_id and a.deleted_at is null
  join auth.users u on u.id = coalesce(m.user_id, a.user_id)
  left join public.notice_settings s on s.user_id = u.id
  left join lateral (
    select o.id as memory_id, concat_ws(' ', p.id, p.poster_name, o.cover_x, o.cover_y) as cover
    from public.memories o join public.media p on p.memory_id = o.id and p.is_cover and p.moderation = 'shown' and p.state = 'ready'
    where l.preview = 'cover' and l.rights <> 'upload' and (o.id = m.id or o.album_id = a.id and not o.draft and o.deleted_at is null)
      -- Before the reveal only a cover that a manager added.
      and (not exists (select from public.reveals r where r.memory_id = o.id and not r.revealed and coalesce(r.reveal_at > now(), true))
        or exists (select from public.media_details d where d.media_id = p.id and d.user_id in (select private.managers_of(o.id))))
    order by o.album_position, o.created_at, o.id limit 1) c on true
  where l.share_id = share and l.preview <> 'nothing' and l.shared_at is not null and l.revoked_at is null
    and coalesce(l.expires_at > now(), true) and l.invitation_id is null
    and l.asks is null and not exists (select from public.share_pins p where p.link_id = l.id)
$$;

revoke execute on function private.follow_reveal, private.covered_memory_ids, private.uncovered_ids, private.people_to_notify,
  private.announce_reveals from public, anon, authenticated, service_role;
grant execute on function private.covered_memory_ids, private.uncovered_ids to anon, authenticated, service_role;
