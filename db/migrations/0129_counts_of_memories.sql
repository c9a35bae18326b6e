set local check_function_bodies = off;

-- Nothing may change between the rows that are counted below and the triggers that follow them.
lock table memories, media, comments in share row exclusive mode;

-- Pages and lists of memories show how much is in each, and counted every photo and comment.
create table memory_counts (
  memory_id uuid not null references memories on delete cascade,
  photos integer not null,
  comments integer not null
);
comment on table memory_counts is
  'A ledger, as private.media_sums: the rows of a memory add up to its counts. Visible to everybody who can see the memory. Only triggers write it.';
comment on column memory_counts.photos is 'Photos and videos that every viewer sees: shown and not broken.';
comment on column memory_counts.comments is 'Shown comments on the memory itself, without deleted ones that have replies.';
create index memory_counts_memory_id on memory_counts (memory_id) include (photos, comments);
alter table memory_counts enable row level security;
grant select on memory_counts to anon, authenticated;
create policy "viewers of the memory read" on memory_counts for select to anon, authenticated
  using (exists (select from memories m where m.id = memory_id));
create policy "required authentication level" on memory_counts as restrictive to authenticated
  using ((select private.has_required_aal()));

create function private.counted_memories(of_account uuid default null)
returns setof public.memory_counts language sql stable security definer set search_path = '' as $$
  select m.id, p.many, c.many from public.memories m
  cross join lateral (select count(*)::integer as many from public.media x 
    where x.memory_id = m.id and x.moderation = 'shown' and x.state <> 'broken') p
  cross join lateral (select count(*)::integer as many from public.comments x 
    where x.memory_id = m.id and x.moderation = 'shown' and x.media_id is null and x.deleted_at is null) c
  where (of_account is null or m.user_id = of_account) and (p.many > 0 or c.many > 0)
$$;
comment on function private.counted_memories is 'What the rows of memory_counts have to add up to, counted from photos and comments.';
insert into memory_counts select * from private.counted_memories();

create function private.add_to_counts(of_memory uuid, photos bigint, comments bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if add_to_counts.photos = 0 and add_to_counts.comments = 0 then
    return;
  end if;
  insert into public.memory_counts (memory_id, photos, comments)
  -- Not for a memory that this transaction deletes.
  select m.id, add_to_counts.photos, add_to_counts.comments from public.memories m where m.id = of_memory;
  if (select count(*) from (select from public.memory_counts c where c.memory_id = of_memory limit private.most_ledger_rows() + 1) c)
    > private.most_ledger_rows() then
    -- Only rows that nobody else has locked, as in private.merge_sums.
    with merged as (
      delete from public.memory_counts c where c.ctid = any (array(
        select l.ctid from public.memory_counts l where l.memory_id = of_memory for update skip locked))
      returning c.*
    )
    insert into public.memory_counts (memory_id, photos, comments)
    select of_memory, sum(c.photos), sum(c.comments) from merged c having count(*) > 0;
  end if;
end
$$;
comment on function private.add_to_counts is 'Changes the counts of a memory by differences.';

create function private.count_media() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.add_to_counts(n.memory_id, count(*), 0) from new_rows n
    where n.moderation = 'shown' and n.state <> 'broken' group by n.memory_id;
  elsif tg_op = 'DELETE' then
    perform private.add_to_counts(o.memory_id, -count(*), 0) from old_rows o
    where o.moderation = 'shown' and o.state <> 'broken' group by o.memory_id;
  else
    perform private.add_to_counts(c.memory_id, sum(c.sign), 0) from (
      select -1 as sign, o.memory_id, o.moderation, o.state from old_rows o
      union all select 1, n.memory_id, n.moderation, n.state from new_rows n) c
    where c.moderation = 'shown' and c.state <> 'broken' group by c.memory_id;
  end if;
  return null;
end
$$;
comment on function private.count_media is 'Adds what changed to the counts of photos.';
create trigger count_new_media after insert on media referencing new table as new_rows
  for each statement execute function private.count_media();
create trigger count_changed_media after update on media referencing old table as old_rows new table as new_rows
  for each statement execute function private.count_media();
create trigger count_deleted_media after delete on media referencing old table as old_rows
  for each statement execute function private.count_media();

create function private.count_comments() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.add_to_counts(n.memory_id, 0, count(*)) from new_rows n
    where n.moderation = 'shown' and n.media_id is null and n.deleted_at is null group by n.memory_id;
  elsif tg_op = 'DELETE' then
    perform private.add_to_counts(o.memory_id, 0, -count(*)) from old_rows o
    where o.moderation = 'shown' and o.media_id is null and o.deleted_at is null group by o.memory_id;
  else
    perform private.add_to_counts(c.memory_id, 0, sum(c.sign)) from (
      select -1 as sign, o.memory_id, o.moderation, o.media_id, o.deleted_at from old_rows o
      union all select 1, n.memory_id, n.moderation, n.media_id, n.deleted_at from new_rows n) c
    where c.moderation = 'shown' and c.media_id is null and c.deleted_at is null group by c.memory_id;
  end if;
  return null;
end
$$;
comment on function private.count_comments is 'Adds what changed to the counts of comments.';
create trigger count_new_comments after insert on comments referencing new table as new_rows
  for each statement execute function private.count_comments();
create trigger count_changed_comments after update on comments referencing old table as old_rows new table as new_rows
  for each statement execute function private.count_comments();
create trigger count_deleted_comments after delete on comments referencing old table as old_rows
  for each statement execute function private.count_comments();

revoke execute on function private.counted_memories, private.add_to_counts, private.count_media, private.count_comments
  from public, anon, authenticated, service_role;
