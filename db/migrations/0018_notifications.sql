set local check_function_bodies = off;

-- Notices, inserted in the transaction of the event.
create function private.notify_held(memory uuid, author uuid) returns void
language sql volatile security definer set search_path = '' as $$
  insert into public.notices as known (user_id, memory_id, kind)
  select k.id, memory, 'held' from private.managers_of(memory) k (id)
  where k.id is distinct from author and k.id is distinct from auth.uid() order by k.id
  on conflict (user_id, memory_id) where kind = 'held' and read_at is null do update
  set created_at = greatest(known.created_at, excluded.created_at), email_due_since = coalesce(known.email_due_since, excluded.email_due_since)
$$;
comment on function private.notify_held is 'Notifies the managers of a memory that something is held.';

create function private.clear_held_notice(memory uuid) returns void
language sql volatile security definer set search_path = '' as $$
  delete from public.notices n where n.memory_id = memory and n.kind = 'held' and n.read_at is null
    and not exists (select from public.comments c where c.memory_id = memory and c.moderation = 'held')
    and not exists (select from public.stories s where s.memory_id = memory and s.moderation = 'held')
    and not exists (select from public.media m where m.memory_id = memory and m.moderation = 'held')
    and not exists (select from public.reactions r where r.memory_id = memory and r.moderation = 'held')
$$;
comment on function private.clear_held_notice is 'Deletes the notice about held items if none is left.';

create function private.notify_of_comment() returns trigger language plpgsql security definer set search_path = '' as $$
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
    from private.people_of(new.memory_id) p (id)
    where p.id is distinct from new.user_id and p.id is distinct from auth.uid();
  end if;
  return null;
end
$$;
create trigger t40_notify_of_new_comment after insert on comments for each row execute function private.notify_of_comment();
create trigger t20_notify_of_comment after update on comments for each row
  when ((old.moderation, old.deleted_at) is distinct from (new.moderation, new.deleted_at))
  execute function private.notify_of_comment();

create function private.notify_of_story() returns trigger language plpgsql security definer set search_path = '' as $$
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
    from private.people_of(new.memory_id) p (id)
    where p.id is distinct from new.user_id and p.id is distinct from auth.uid();
  end if;
  return null;
end
$$;
create trigger t30_notify_of_new_story after insert on stories for each row execute function private.notify_of_story();
create trigger t10_notify_of_story after update on stories for each row
  when (old.moderation <> new.moderation) execute function private.notify_of_story();

create function private.notify_of_reaction() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'DELETE' and new.moderation = 'held' then
    perform private.notify_held(new.memory_id, new.user_id);
  elsif tg_op <> 'INSERT' and old.moderation = 'held' then
    perform private.clear_held_notice(old.memory_id);
  end if;
  return null;
end
$$;
create trigger t30_notify_of_new_reaction after insert on reactions for each row
  when (new.moderation = 'held') execute function private.notify_of_reaction();
create trigger t10_notify_of_reaction after update on reactions for each row
  when (old.moderation <> new.moderation) execute function private.notify_of_reaction();
create trigger notify_of_deleted_reaction after delete on reactions for each row
  when (old.moderation = 'held') execute function private.notify_of_reaction();

create function private.clear_held_notice_of_deleted() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.clear_held_notice(old.memory_id);
  return null;
end
$$;
create trigger clear_held_notice after delete on comments for each row
  when (old.moderation = 'held') execute function private.clear_held_notice_of_deleted();
create trigger clear_held_notice after delete on stories for each row
  when (old.moderation = 'held') execute function private.clear_held_notice_of_deleted();

create function private.notify_added(memory uuid, adder uuid, guest uuid, first_one uuid, how_many integer) returns void
language sql volatile security definer set search_path = '' as $$
  insert into public.notices as known (user_id, memory_id, kind, media_id, actor_name, actor_key, count)
  select p.id, memory, 'added', first_one, private.name_of_author(adder, guest), coalesce(adder, guest)::text, how_many
  from private.people_of(memory) p (id)
  -- In a fixed order, so that two concurrent uploads cannot deadlock.
  where coalesce(adder, guest) is not null and p.id is distinct from adder and p.id is distinct from auth.uid() order by p.id
  on conflict (user_id, memory_id, actor_key) where kind = 'added' and read_at is null do update set
    count = known.count + excluded.count, media_id = excluded.media_id, since = least(known.since, excluded.since),
    created_at = greatest(known.created_at, excluded.created_at), email_due_since = coalesce(known.email_due_since, excluded.email_due_since)
$$;
comment on function private.notify_added is
  'Notifies the members of a memory about uploads: those of one person are one notice until it is read.';

create function private.recount_added(memory uuid, adder uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  with now_there as (
    select n.id, n.count as before, (select count(*) from public.media m
      join public.media_details d on d.media_id = m.id where m.memory_id = memory
      and coalesce(d.user_id, d.guest_id) = adder and m.moderation = 'shown' and m.created_at between n.since and n.created_at) as left_over
    from public.notices n where n.memory_id = memory and n.kind = 'added' and n.actor_key = adder::text
      -- The notice of an account that is being deleted is deleted with it, and cannot be changed before.
      and exists (select from auth.users u where u.id = n.user_id)
  ), emptied as (
    delete from public.notices n using now_there t where n.id = t.id and t.left_over = 0
  )
  update public.notices n set count = t.left_over, mailed_count = least(n.mailed_count, t.left_over)
  from now_there t where n.id = t.id and t.left_over > 0 and t.left_over <> t.before;
end
$$;
comment on function private.recount_added is
  'Corrects the counts in notices about uploads of a person or guest after some were removed.';

create function private.notify_of_media() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.notify_added(memory_id, user_id, guest_id, first_one, how_many) from (
      select a.memory_id, a.user_id, a.guest_id, (array_agg(m.id order by m.created_at, m.id))[1] as first_one, count(*)::integer as how_many
      from added a join public.media m on m.id = a.media_id where m.moderation = 'shown'
      group by a.memory_id, a.user_id, a.guest_id order by a.memory_id, a.user_id, a.guest_id
    ) new_ones;
    perform private.notify_held(memory_id, user_id) from (
      select distinct a.memory_id, a.user_id from added a join public.media m on m.id = a.media_id where m.moderation = 'held' order by 1, 2
    ) waiting;
  else
    perform private.recount_added(memory_id, adder)
      from (select distinct memory_id, coalesce(user_id, guest_id) as adder from gone order by 1, 2) lost where adder is not null;
    perform private.clear_held_notice(memory_id) from (select distinct memory_id from gone order by 1) decided;
  end if;
  return null;
end
$$;
create trigger notify_of_new_media after insert on media_details referencing new table as added
  for each statement execute function private.notify_of_media();
create trigger notify_of_deleted_media after delete on media_details referencing old table as gone
  for each statement execute function private.notify_of_media();

-- Once for each statement: hiding or deleting five hundred photos together is one recount.
create function private.notify_of_changed_media() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.clear_held_notice(memory_id) from (select distinct o.memory_id from old_rows o join new_rows n using (id)
    where o.moderation = 'held' and n.moderation <> 'held' order by 1) decided;
  perform private.notify_added(memory_id, user_id, guest_id, first_one, how_many) from (
    select n.memory_id, d.user_id, d.guest_id, (array_agg(n.id order by n.created_at, n.id))[1] as first_one, count(*)::integer as how_many
    from old_rows o join new_rows n using (id) join public.media_details d on d.media_id = n.id
    where o.moderation = 'held' and n.moderation = 'shown'
    group by n.memory_id, d.user_id, d.guest_id order by n.memory_id, d.user_id, d.guest_id) admitted;
  perform private.notify_held(memory_id, user_id) from (
    select distinct n.memory_id, d.user_id from old_rows o join new_rows n using (id) join public.media_details d on d.media_id = n.id
    where n.moderation = 'held' and (o.moderation, o.memory_id) is distinct from (n.moderation, n.memory_id) order by 1, 2) waiting;
  perform private.recount_added(memory_id, adder) from (
    select distinct o.memory_id, coalesce(d.user_id, d.guest_id) as adder
    from old_rows o join new_rows n using (id) join public.media_details d on d.media_id = n.id
    where o.moderation = 'shown' and (o.moderation, o.memory_id) is distinct from (n.moderation, n.memory_id) order by 1, 2
  ) lost where adder is not null;
  return null;
end
$$;
create trigger notify_of_changed_media after update on media referencing old table as old_rows new table as new_rows
  for each statement execute function private.notify_of_changed_media();

create function private.notify_of_invitation() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.notices (user_id, memory_id, kind, actor_name)
  select told.id, new.memory_id, new.state, coalesce(nullif(private.name_of(auth.uid()), ''), new.email)
  from (select m.user_id as id from public.memories m where m.id = new.memory_id union select new.invited_by) told
  where told.id is not null and told.id is distinct from auth.uid();
  return null;
end
$$;
create trigger notify_of_invitation after update on invitations for each row
  when (old.state = 'open' and new.state in ('accepted', 'declined')) execute function private.notify_of_invitation();

create function private.notify_of_offer() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  owner uuid := (select m.user_id from public.memories m where m.id = coalesce(new.memory_id, old.memory_id));
begin
  if tg_op = 'INSERT' then
    insert into public.notices (user_id, memory_id, kind, actor_name)
    select new.to_user, new.memory_id, 'offered', private.name_of(owner) where new.to_user is distinct from auth.uid();
    return null;
  end if;
  delete from public.notices n where n.user_id = old.to_user and n.memory_id = old.memory_id and n.kind = 'offered' and n.read_at is null;
  -- Accepting first removes the new owner from the members, so somebody who is still a member has declined.
  if old.to_user = auth.uid() and exists (select from public.memory_members p where p.memory_id = old.memory_id and p.user_id = old.to_user) then
    insert into public.notices (user_id, memory_id, kind, actor_name)
    select owner, old.memory_id, 'offer-declined', private.name_of(old.to_user) where owner is not null;
  end if;
  return null;
end
$$;
create trigger notify_of_offer after insert or delete on handovers for each row execute function private.notify_of_offer();

create function private.notify_of_new_owner() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.notices (user_id, memory_id, kind, actor_name)
  select old.user_id, new.id, 'taken-over', private.name_of(new.user_id)
  where old.user_id is distinct from auth.uid();
  return null;
end
$$;
create trigger notify_of_new_owner after update of user_id on memories for each row
  when (old.user_id <> new.user_id) execute function private.notify_of_new_owner();

-- An attempt is counted before it is checked. A lock that a correct attempt caused for a moment is removed with its count.
create function private.notify_of_lock() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- A card is locked together with the link that has the same secret; one notice is enough.
  if new.for_card and exists (
    select from public.share_pins own join public.share_pins other on other.hash = own.hash
    join public.share_links l on l.id = other.link_id where own.link_id = new.id and not l.for_card
  ) then
    return null;
  end if;
  if new.locked_until > coalesce(old.locked_until, '-infinity') then
    update public.notices n set count = n.count + 1
    where n.link_id = new.id and n.kind = 'locked' and n.created_at > now() - interval '1 day';
    if not found then
      insert into public.notices (user_id, memory_id, kind, link_id)
      select told.id, new.memory_id, 'locked', new.id from (
        select k.id from private.managers_of(new.memory_id) k (id)
        union select a.user_id from public.albums a where a.id = new.album_id
      ) told;
    end if;
  elsif new.locked_until is null and new.version = old.version then
    delete from public.notices n where n.link_id = new.id and n.kind = 'locked' and n.count = 1 and n.mailed_at is null;
    update public.notices n set count = n.count - 1 where n.link_id = new.id and n.kind = 'locked' and n.count > 1
      and n.created_at > now() - interval '1 day';
  end if;
  return null;
end
$$;
create trigger notify_of_lock after update of locked_until on share_links for each row
  when (old.locked_until is distinct from new.locked_until) execute function private.notify_of_lock();

create function private.warn_about_storage(account uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  used private.account_use;
  room bigint;
  level smallint;
begin
  select * into used from private.account_use u where u.account = warn_about_storage.account;
  select l.storage_bytes into room from private.limits_of(account) l;
  level := case when used.stored >= room then 100 when used.stored * 100 > room * 90 then 90
    when used.stored * 100 > room * 75 then 75 else 0 end;
  if level = used.last_warning_percent or used.account is null then
    return;
  end if;
  update private.account_use u set last_warning_percent = level where u.account = warn_about_storage.account;
  -- The previous warning is outdated, whether usage went up or down.
  delete from public.notices n where n.user_id = account and n.kind in ('storage-75', 'storage-90', 'storage-full') and n.read_at is null;
  if level > used.last_warning_percent then
    insert into public.notices (user_id, kind)
    values (account, case level when 75 then 'storage-75' when 90 then 'storage-90' else 'storage-full' end);
  end if;
end
$$;
comment on function private.warn_about_storage is
  'Warns an account whose usage has just exceeded 75 or 90 percent, or its limit.';

create function private.watch_storage() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.warn_about_storage(new.account);
  return null;
end
$$;
create trigger watch_storage after insert or update of stored on private.account_use
  for each row when (new.stored > 0 or new.last_warning_percent > 0) execute function private.watch_storage();

create function private.watch_plan() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.warn_about_storage(new.user_id);
  return null;
end
$$;
create trigger watch_plan after insert or update on user_subscriptions for each row execute function private.watch_plan();

revoke execute on all functions in schema private from public;
