set local check_function_bodies = off;

-- Nothing may change between the rows that are counted below and the triggers that follow them.
lock table memories, media, media_details, stories, memory_members, trash in share row exclusive mode;

-- The sums of a memory's photos and videos, so that no request adds up what an owner has.
create table private.media_sums (
  memory_id uuid not null references memories on delete cascade,
  account uuid not null,
  images integer not null,
  videos integer not null,
  bytes bigint not null,
  bytes_in_trash bigint not null,
  largest bigint not null
);
comment on table private.media_sums is
  'A ledger: the rows of a memory add up to its sums. Each change of photos and videos adds a row, and waits for nobody. Some changes merge the rows of their memory. Only triggers write it.';
comment on column private.media_sums.account is 'The owner of the memory.';
comment on column private.media_sums.images is 'Photos that are in a list: neither in the trash nor attached to others. So are videos.';
comment on column private.media_sums.bytes is 'Bytes of originals and posters that are not in the trash, attached videos included.';
comment on column private.media_sums.largest is 'No item in a list is larger, in bytes, than the highest value of the memory''s rows.';
create index media_sums_memory_id on private.media_sums (memory_id);
create index media_sums_account on private.media_sums (account, memory_id) include (images, videos, bytes, bytes_in_trash, largest);
alter table private.media_sums enable row level security;

-- What happened in a person's memories, in the order of time.
create table private.activity (
  memory_id uuid not null references memories on delete cascade,
  account uuid not null,
  at timestamptz not null,
  day date,
  user_id uuid,
  items integer,
  story_id uuid references stories on delete cascade,
  member_id uuid,
  foreign key (memory_id, member_id) references memory_members (memory_id, user_id) on delete cascade,
  constraint one_kind check (num_nonnulls(day, story_id, member_id) = 1 and (day is null) = (items is null))
);
comment on table private.activity is
  'Stories, new members and additions of photos, for the recent activity. The rows of one person''s additions to a memory on a day are a ledger: their items add up. Only triggers write it.';
comment on column private.activity.account is 'The owner of the memory.';
comment on column private.activity.day is 'The day (UTC) of additions; null for stories and members.';
comment on column private.activity.user_id is 'The person who added photos; null for guests and for people whose account was deleted.';
create index activity_account on private.activity (account, at desc);
create index activity_additions on private.activity (memory_id, day, user_id) where day is not null;
create unique index activity_story_id on private.activity (story_id) where story_id is not null;
create unique index activity_member_id on private.activity (memory_id, member_id) where member_id is not null;
alter table private.activity enable row level security;

alter table trash add column account uuid;
comment on column trash.account is 'The owner of its memory, whose storage it uses; null for an album. A trigger sets it.';
alter table trash disable trigger user;
update trash t set account = m.user_id from memories m where m.id = t.memory_id;
alter table trash enable trigger user;
create index trash_account on trash (account, deleted_by);

create function private.name_account_of_trash() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.account := (select m.user_id from public.memories m where m.id = new.memory_id);
  return new;
end
$$;
create trigger name_account before insert on trash for each row execute function private.name_account_of_trash();

create index media_largest on media (memory_id, size desc, id) where moderation not in ('deleted', 'attached');

-- The poster's size is part of the row, so that moving a video to the trash needs no other table.
alter table media add column poster_size bigint not null default 0;
comment on column media.poster_size is 'Bytes of the poster; 0 without one.';
-- Without triggers: nobody changed these videos.
alter table media disable trigger user;
update media m set poster_size = (o.metadata ->> 'size')::bigint from storage.objects o
where o.bucket_id = 'posters' and o.name = m.poster_name and o.metadata ->> 'size' is not null;
alter table media enable trigger user;

create or replace function private.follow_poster() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' and (tg_op = 'DELETE' or new.name <> old.name) then
    update public.media set poster_name = null, poster_size = 0, placeholder = null, colour = null, state = 'ready' where poster_name = old.name;
  end if;
  if tg_op <> 'DELETE' then
    update public.media set poster_name = new.name, poster_size = coalesce((new.metadata ->> 'size')::bigint, 0), state = 'waiting'
    where object_name = left(new.name, -4) and type = 'video';
    perform pg_notify('media_waiting', '');
  end if;
  return null;
end
$$;

create function private.counted_sums(of_account uuid default null)
returns setof private.media_sums language sql stable security definer set search_path = '' as $$
  select m.id, m.user_id,
    (count(*) filter (where x.type = 'image' and x.moderation not in ('deleted', 'attached')))::integer,
    (count(*) filter (where x.type = 'video' and x.moderation not in ('deleted', 'attached')))::integer,
    coalesce(sum(x.size + x.poster_size) filter (where x.moderation <> 'deleted'), 0)::bigint,
    coalesce(sum(x.size + x.poster_size) filter (where x.moderation = 'deleted'), 0)::bigint,
    coalesce(max(x.size) filter (where x.moderation not in ('deleted', 'attached')), 0)
  from public.memories m join public.media x on x.memory_id = m.id
  where of_account is null or m.user_id = of_account group by m.id
$$;
comment on function private.counted_sums is 'What the rows of private.media_sums have to add up to, counted from photos and videos.';

create function private.counted_activity(of_account uuid default null)
returns setof private.activity language sql stable security definer set search_path = '' as $$
  with own as (select m.id, m.user_id from public.memories m where of_account is null or m.user_id = of_account)
  select own.id, own.user_id, max(x.created_at), (x.created_at at time zone 'utc')::date, d.user_id, count(*)::integer, null::uuid, null::uuid
    from own join public.media x on x.memory_id = own.id join public.media_details d on d.media_id = x.id
    where x.moderation not in ('deleted', 'attached') group by 1, 2, 4, 5
  union all
  select own.id, own.user_id, s.created_at, null, null, null, s.id, null from own join public.stories s on s.memory_id = own.id
  union all
  select own.id, own.user_id, p.created_at, null, null, null, null, p.user_id from own join public.memory_members p on p.memory_id = own.id
$$;
comment on function private.counted_activity is 'What the rows of private.activity have to add up to, counted from their sources.';

insert into private.media_sums select * from private.counted_sums();
insert into private.activity select * from private.counted_activity();

-- Rows of a memory are merged when a ledger has more of them.
create function private.most_ledger_rows() returns integer language sql immutable parallel safe return 8;

-- Only rows that nobody else has locked are merged, moved or deleted, so that ledgers cannot cause a deadlock. What is
-- left over is merged by a later change.
create function private.merge_sums(of_memory uuid) returns void language sql volatile security definer set search_path = '' as $$
  with merged as (
    delete from private.media_sums s where s.ctid = any (array(
      select l.ctid from private.media_sums l where l.memory_id = of_memory for update skip locked))
    returning s.*
  )
  insert into private.media_sums (memory_id, account, images, videos, bytes, bytes_in_trash, largest)
  select of_memory, m.user_id, sum(s.images), sum(s.videos), sum(s.bytes), sum(s.bytes_in_trash),
    -- Items of transactions that have not committed are in the rows that those add.
    coalesce((select x.size from public.media x where x.memory_id = of_memory and x.moderation not in ('deleted', 'attached')
      order by x.size desc limit 1), 0)
  from merged s join public.memories m on m.id = of_memory group by m.user_id
$$;
comment on function private.merge_sums is 'Merges the rows of a memory in the ledger of sums into one.';

create function private.add_to_sums(of_memory uuid, images bigint, videos bigint, bytes bigint, bytes_in_trash bigint, largest bigint)
returns void language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.media_sums (memory_id, account, images, videos, bytes, bytes_in_trash, largest)
  -- Not for a memory that this transaction deletes.
  select m.id, m.user_id, add_to_sums.images, add_to_sums.videos, add_to_sums.bytes, add_to_sums.bytes_in_trash, add_to_sums.largest
  from public.memories m where m.id = of_memory;
  if (select count(*) from (select from private.media_sums s where s.memory_id = of_memory limit private.most_ledger_rows() + 1) s)
    > private.most_ledger_rows() then
    perform private.merge_sums(of_memory);
  end if;
end
$$;
comment on function private.add_to_sums is 'Changes the sums of a memory by differences; largest is the size of the largest item that came.';

create function private.sum_media() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.add_to_sums(x.memory_id, x.images, x.videos, x.bytes, x.bytes_in_trash, x.largest) from (
      select n.memory_id, count(*) filter (where n.type = 'image' and n.moderation not in ('deleted', 'attached')) as images,
        count(*) filter (where n.type = 'video' and n.moderation not in ('deleted', 'attached')) as videos,
        coalesce(sum(n.size + n.poster_size) filter (where n.moderation <> 'deleted'), 0)::bigint as bytes,
        coalesce(sum(n.size + n.poster_size) filter (where n.moderation = 'deleted'), 0)::bigint as bytes_in_trash,
        coalesce(max(n.size) filter (where n.moderation not in ('deleted', 'attached')), 0) as largest
      from new_rows n group by n.memory_id) x;
  elsif tg_op = 'DELETE' then
    perform private.add_to_sums(x.memory_id, -x.images, -x.videos, -x.bytes, -x.bytes_in_trash, 0) from (
      select o.memory_id, count(*) filter (where o.type = 'image' and o.moderation not in ('deleted', 'attached')) as images,
        count(*) filter (where o.type = 'video' and o.moderation not in ('deleted', 'attached')) as videos,
        coalesce(sum(o.size + o.poster_size) filter (where o.moderation <> 'deleted'), 0)::bigint as bytes,
        coalesce(sum(o.size + o.poster_size) filter (where o.moderation = 'deleted'), 0)::bigint as bytes_in_trash
      from old_rows o group by o.memory_id) x;
  else
    perform private.add_to_sums(x.memory_id, x.images, x.videos, x.bytes, x.bytes_in_trash, x.largest) from (
      select c.memory_id, coalesce(sum(c.sign) filter (where c.type = 'image' and c.moderation not in ('deleted', 'attached')), 0) as images,
        coalesce(sum(c.sign) filter (where c.type = 'video' and c.moderation not in ('deleted', 'attached')), 0) as videos,
        coalesce(sum(c.sign * c.bytes) filter (where c.moderation <> 'deleted'), 0)::bigint as bytes,
        coalesce(sum(c.sign * c.bytes) filter (where c.moderation = 'deleted'), 0)::bigint as bytes_in_trash,
        coalesce(max(c.size) filter (where c.sign = 1 and c.moderation not in ('deleted', 'attached')), 0) as largest
      from (
        select side.* from new_rows n join old_rows o using (id)
        cross join lateral (values (-1, o.memory_id, o.type, o.moderation, o.size, o.size + o.poster_size),
          (1, n.memory_id, n.type, n.moderation, n.size, n.size + n.poster_size)) side (sign, memory_id, type, moderation, size, bytes)
        where (n.memory_id, n.type, n.moderation, n.size, n.poster_size) is distinct from (o.memory_id, o.type, o.moderation, o.size, o.poster_size)
      ) c group by c.memory_id) x
    where x.images <> 0 or x.videos <> 0 or x.bytes <> 0 or x.bytes_in_trash <> 0 or x.largest <> 0;
  end if;
  return null;
end
$$;
comment on function private.sum_media is 'Adds what changed to the sums of memories.';
create trigger sum_new_media after insert on media referencing new table as new_rows
  for each statement execute function private.sum_media();
create trigger sum_changed_media after update on media referencing old table as old_rows new table as new_rows
  for each statement execute function private.sum_media();
create trigger sum_deleted_media after delete on media referencing old table as old_rows
  for each statement execute function private.sum_media();

create function private.merge_additions(of_memory uuid, on_day date, by_user uuid)
returns void language sql volatile security definer set search_path = '' as $$
  with merged as (
    delete from private.activity a where a.ctid = any (array(
      select l.ctid from private.activity l where l.memory_id = of_memory and l.day = on_day and l.user_id is not distinct from by_user
      for update skip locked))
    returning a.*
  )
  insert into private.activity (memory_id, account, at, day, user_id, items)
  select of_memory, m.user_id, max(a.at), on_day, by_user, sum(a.items)
  from merged a join public.memories m on m.id = of_memory group by m.user_id having sum(a.items) <> 0
$$;
comment on function private.merge_additions is 'Merges the rows of one person''s additions to a memory on a day into one, or none.';

create function private.tally_additions(of_memory uuid, by_user uuid, on_day date, more bigint, latest timestamptz)
returns void language plpgsql volatile security definer set search_path = '' as $$
begin
  if more = 0 then
    return;
  end if;
  insert into private.activity (memory_id, account, at, day, user_id, items)
  select m.id, m.user_id, latest, on_day, by_user, more from public.memories m where m.id = of_memory;
  if (select count(*) from (select from private.activity a where a.memory_id = of_memory and a.day = on_day
      and a.user_id is not distinct from by_user limit private.most_ledger_rows() + 1) a) > private.most_ledger_rows() then
    perform private.merge_additions(of_memory, on_day, by_user);
  end if;
end
$$;
comment on function private.tally_additions is 'Changes the number of items that a person added to a memory on a day by a difference.';

create function private.tally_details() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.tally_additions(c.memory_id, c.user_id, c.day, c.items, c.latest) from (
      select x.memory_id, n.user_id, (x.created_at at time zone 'utc')::date as day, count(*) as items, max(x.created_at) as latest
      from new_rows n join public.media x on x.id = n.media_id where x.moderation not in ('deleted', 'attached')
      group by 1, 2, 3) c;
  else
    -- The account of the person who added it was deleted.
    perform private.tally_additions(c.memory_id, c.user_id, c.day, c.items, c.latest) from (
      select x.memory_id, side.user_id, (x.created_at at time zone 'utc')::date as day, sum(side.sign) as items, max(x.created_at) as latest
      from new_rows n join old_rows o using (media_id) join public.media x on x.id = n.media_id
      cross join lateral (values (-1, o.user_id), (1, n.user_id)) side (sign, user_id)
      where n.user_id is distinct from o.user_id and x.moderation not in ('deleted', 'attached')
      group by 1, 2, 3) c;
  end if;
  return null;
end
$$;
comment on function private.tally_details is 'Counts added photos and videos by the person who added them.';
create trigger tally_new_details after insert on media_details referencing new table as new_rows
  for each statement execute function private.tally_details();
create trigger tally_changed_details after update on media_details referencing old table as old_rows new table as new_rows
  for each statement execute function private.tally_details();

create function private.tally_media() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.tally_additions(c.memory_id, c.user_id, c.day, c.items, c.latest) from (
    select side.memory_id, d.user_id, (side.created_at at time zone 'utc')::date as day, sum(side.sign) as items, max(side.created_at) as latest
    from new_rows n join old_rows o using (id) join public.media_details d on d.media_id = n.id
    cross join lateral (values (-1, o.memory_id, o.moderation, o.created_at), (1, n.memory_id, n.moderation, n.created_at))
      side (sign, memory_id, moderation, created_at)
    where (n.memory_id, n.moderation, n.created_at) is distinct from (o.memory_id, o.moderation, o.created_at)
      and side.moderation not in ('deleted', 'attached')
    group by 1, 2, 3) c;
  return null;
end
$$;
comment on function private.tally_media is 'Counts photos and videos that move to the trash, back, or to another memory.';
create trigger tally_changed_media after update on media referencing old table as old_rows new table as new_rows
  for each statement execute function private.tally_media();

create function private.tally_deleted_media() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.tally_additions(old.memory_id, d.user_id, (old.created_at at time zone 'utc')::date, -1, old.created_at)
  from public.media_details d where d.media_id = old.id;
  return old;
end
$$;
comment on function private.tally_deleted_media is 'Counts a deleted photo or video before the row that names the person who added it is deleted, too.';
create trigger t95_tally_deleted_media before delete on media for each row when (old.moderation not in ('deleted', 'attached'))
  execute function private.tally_deleted_media();

create function private.note_story() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into private.activity (memory_id, account, at, story_id)
  select m.id, m.user_id, new.created_at, new.id from public.memories m where m.id = new.memory_id
  on conflict (story_id) where story_id is not null do update set at = excluded.at;
  return null;
end
$$;
comment on function private.note_story is 'Adds a story to the recent activity.';
create trigger note_activity after insert or update of created_at on stories for each row execute function private.note_story();

create function private.note_member() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into private.activity (memory_id, account, at, member_id)
  select m.id, m.user_id, new.created_at, new.user_id from public.memories m where m.id = new.memory_id
  on conflict (memory_id, member_id) where member_id is not null do update set at = excluded.at;
  return null;
end
$$;
comment on function private.note_member is 'Adds a member to the recent activity.';
create trigger note_activity after insert or update of created_at on memory_members for each row execute function private.note_member();

create function private.hand_over_sums() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.merge_sums(new.id);
  update private.activity a set account = new.user_id where a.ctid = any (array(
    select l.ctid from private.activity l where l.memory_id = new.id for update skip locked));
  update public.trash t set account = new.user_id where t.memory_id = new.id;
  return null;
end
$$;
comment on function private.hand_over_sums is 'Moves the sums of a memory to its new owner.';
create trigger hand_over_sums after update of user_id on memories for each row when (old.user_id is distinct from new.user_id)
  execute function private.hand_over_sums();
create index activity_memory_id on private.activity (memory_id);

revoke execute on all functions in schema private from public;
revoke execute on function private.add_to_sums, private.merge_sums, private.sum_media, private.merge_additions, private.tally_additions,
  private.tally_details, private.tally_media, private.tally_deleted_media, private.note_story, private.note_member,
  private.hand_over_sums, private.name_account_of_trash, private.counted_sums, private.counted_activity, private.most_ledger_rows
  from anon, authenticated, service_role;
