set local check_function_bodies = off;

-- Restoring and permanent deletion.
create function private.restore_children(was jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.comments c set moderation = b.value
  from jsonb_each_text(nullif(was -> 'comments', 'null')) b where c.id = b.key::uuid and c.moderation = 'deleted';
  update public.reactions r set moderation = b.value
  from jsonb_each_text(nullif(was -> 'reactions', 'null')) b where r.id = b.key::uuid and r.moderation = 'deleted';
end
$$;
comment on function private.restore_children is
  'Restores the moderation state of comments and reactions that were deleted together with an item.';

create function private.restore_comment(item public.trash) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  comment public.comments;
  head public.comments;
begin
  select * into comment from public.comments c where c.id = item.id for update;
  select * into head from public.comments c where c.id = comment.parent_id for update;
  -- Its parent is in the trash as well: the parent's row is restored without its text.
  if head.moderation = 'deleted' then
    if head.deleted_at is null then
      update public.trash t set was = t.was || private.take_comment_text(head.id) where t.kind = 'comment' and t.id = head.id;
    end if;
    update public.comments c set moderation = coalesce(item.was ->> 'head',
      (select t.was ->> 'moderation' from public.trash t where t.kind = 'comment' and t.id = head.id), 'shown')
    where c.id = head.id;
  end if;
  if comment.deleted_at is not null then
    if item.was ->> 'name' <> '' then
      insert into public.comment_credits (comment_id, memory_id, name) values (comment.id, comment.memory_id, item.was ->> 'name');
    end if;
    update public.comments c set deleted_at = null, body = item.was ->> 'words',
      mentions = array(select jsonb_array_elements_text(item.was -> 'mentions'))::uuid[] where c.id = comment.id;
  end if;
  update public.comments c set moderation = item.was ->> 'moderation' where c.id = comment.id and c.moderation = 'deleted';
end
$$;

create function private.purge_comment(comment_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  comment public.comments;
begin
  select * into comment from public.comments c where c.id = purge_comment.comment_id for update;
  if comment.id is null or comment.deleted_at is null and comment.moderation <> 'deleted' then
    return;
  end if;
  if exists (select from public.comments a where a.parent_id = comment.id) then
    if comment.deleted_at is null then
      perform private.take_comment_text(comment.id);
    end if;
    return;
  end if;
  delete from public.comments c where c.id = comment.id;
  delete from public.comments c where c.id = comment.parent_id and c.deleted_at is not null
    and not exists (select from public.comments a where a.parent_id = c.id)
    and not exists (select from public.trash t where t.kind = 'comment' and t.id = c.id);
end
$$;
comment on function private.purge_comment is
  'Deletes a comment permanently. While it has replies, including deleted ones, its empty row is kept.';

create function private.purge_deleted() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- Restored items are skipped. A job of the storage removes the bytes.
  delete from storage.objects o using gone g, public.media m
  where g.kind = 'media' and g.id in (m.id, m.motion_of) and m.moderation = 'deleted' and o.id = m.id;
  delete from public.stories s using gone g where g.kind = 'story' and s.id = g.id and s.moderation = 'deleted';
  perform private.purge_comment(g.id) from gone g where g.kind = 'comment';
  delete from public.albums a using gone g where g.kind = 'album' and a.id = g.id and a.deleted_at is not null;
  delete from public.memories m using gone g where g.kind = 'memory' and m.id = g.id and m.deleted_at is not null;
  return null;
end
$$;
create trigger purge_deleted after delete on trash referencing old table as gone
  for each statement execute function private.purge_deleted();

create function private.may_restore(item public.trash) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(item.deleted_by = auth.uid() and private.has_required_aal() or item.guest_id = private.guest_id(), false)
    and case item.kind
      when 'memory' then exists (select from public.memories m where m.id = item.id and m.user_id = auth.uid())
      when 'album' then exists (select from public.albums a where a.id = item.id and a.user_id = auth.uid())
      when 'media' then private.is_manager(item.memory_id) or private.can_contribute(item.memory_id)
        and private.is_own_media(item.id)
      when 'story' then private.is_manager(item.memory_id) or private.can_contribute(item.memory_id)
        and exists (select from public.stories s where s.id = item.id and private.is_own(s.user_id, s.guest_id))
      else (private.is_manager(item.memory_id) or private.can_comment(item.memory_id)
          and exists (select from public.comments c where c.id = item.id and private.is_own(c.user_id, c.guest_id)))
        and not exists (select from public.comments c join public.media m on m.id = c.media_id
          where c.id = item.id and m.moderation = 'deleted')
    end
$$;
comment on function private.may_restore is 'Whether the caller deleted this and still has the rights to do so.';

create function restore_deleted(items jsonb) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  item public.trash;
  restored jsonb := '[]';
begin
  if jsonb_typeof(items) is distinct from 'array' or jsonb_array_length(items) > 1000 then
    raise exception 'At most 1,000 items are restored at once.' using errcode = 'PT400';
  end if;
  for item in
    select t.* from public.trash t join jsonb_to_recordset(items) as i (kind text, id uuid) using (kind, id)
    -- In a fixed order, so that two concurrent requests cannot deadlock.
    order by t.kind, t.id for update of t
  loop
    continue when not private.may_restore(item);
    case item.kind
      when 'media' then
        update public.media m set moderation = item.was ->> 'moderation', is_cover = (item.was ->> 'cover')::boolean
          and not exists (select from public.media x where x.memory_id = m.memory_id and x.is_cover) where m.id = item.id;
        update public.media m set moderation = 'attached' where m.motion_of = item.id;
        -- Notifies open pages about the details as well.
        update public.media_details d set file_name = d.file_name where d.media_id = item.id;
        update public.memory_entries e set media_id = item.id where e.memory_id = item.memory_id and e.media_id is null
          and item.was -> 'entries' ? e.id::text;
        update public.albums a set cover_media_id = item.id where a.cover_media_id is null
          and a.id = any (array(select jsonb_array_elements_text(nullif(item.was -> 'albums', 'null')))::uuid[]);
      when 'story' then
        update public.stories s set moderation = item.was ->> 'moderation' where s.id = item.id;
      when 'comment' then
        perform private.restore_comment(item);
      when 'album' then
        update public.albums a set deleted_at = null where a.id = item.id;
        update public.memories m set album_id = item.id, album_position = f.value::integer
        from jsonb_each_text(item.was -> 'memories') f
        where m.id = f.key::uuid and m.album_id is null and m.user_id = auth.uid();
        update public.share_links l set version = l.version + 1 where l.album_id = item.id;
      when 'memory' then
        update public.memories m set deleted_at = null, draft = (item.was ->> 'draft')::boolean where m.id = item.id;
        perform private.check_memories(auth.uid());
    end case;
    perform private.restore_children(item.was);
    delete from public.trash t where t.kind = item.kind and t.id = item.id;
    restored := restored || jsonb_build_object('kind', item.kind, 'id', item.id, 'memory_id', item.memory_id);
  end loop;
  return restored;
end
$$;
comment on function restore_deleted is
  'Restores items ({kind: media|story|comment|album|memory, id}) that the caller deleted and may still manage. Returns those that were restored. Refuses memories beyond the limit of the plan.';

create function delete_forever(items jsonb) returns integer language sql volatile security definer set search_path = '' as $$
  with gone as (
    delete from public.trash t using jsonb_to_recordset(items) as i (kind text, id uuid)
    where t.kind = i.kind and t.id = i.id and private.has_required_aal() and t.deleted_by = auth.uid()
      -- A removed manager cannot permanently delete what they only moved to the trash.
      and private.may_restore(t) returning t.id
  ) select count(*)::integer from gone
$$;
comment on function delete_forever is
  'Permanently deletes items ({kind, id}) that the caller moved to the trash and may still manage. Returns how many.';

create function empty_trash(of_others boolean default false) returns integer
language sql volatile security definer set search_path = '' as $$
  with gone as (
    delete from public.trash t
    where private.has_required_aal() and case when of_others
      then t.deleted_by is distinct from auth.uid()
        and t.memory_id in (select m.id from public.memories m where m.user_id = auth.uid())
      else t.deleted_by = auth.uid() and private.may_restore(t) end
    returning t.id
  ) select count(*)::integer from gone
$$;
comment on function empty_trash is
  'Permanently deletes everything that the caller moved to the trash, or, with of_others, what others deleted in the caller''s own memories, which uses their storage. Returns how many.';

create function private.purge_trash(most integer) returns integer language sql volatile security definer set search_path = '' as $$
  -- Each process takes rows that are not locked by another; an earlier restore keeps its row.
  with due as (
    select t.kind, t.id from public.trash t where t.deleted_at < now() - interval '30 days'
    order by t.deleted_at limit most for update skip locked
  ), gone as (
    delete from public.trash t using due where t.kind = due.kind and t.id = due.id returning t.id
  ) select count(*)::integer from gone
$$;
comment on function private.purge_trash is
  'Permanently deletes what has been in the trash for 30 days, up to a number of items. Returns how many.';

create function private.plain_text(html text) returns text language sql immutable set search_path = '' as $$
  select left(btrim(regexp_replace(regexp_replace(html, '<[^>]*>', ' ', 'g'), '\s+', ' ', 'g')), 200)
$$;

create function deleted_items(of_memory uuid default null, skip integer default 0) returns table (kind text, id uuid, memory_id uuid,
  memory_name text, name text, deleted_at timestamptz, purged_at timestamptz, bytes bigint, media jsonb, total bigint)
language sql stable security definer set search_path = '' as $$
  with mine as materialized (
    select t as item from public.trash t
    where t.deleted_by = auth.uid() and (of_memory is null or t.memory_id = of_memory and t.kind <> 'memory')
  ), managed as materialized (
    select d.memory_id from (select distinct (m.item).memory_id from mine m) d where private.is_manager(d.memory_id)
  ), shown as materialized (
    select (t.item).*, count(*) over () as total from mine t
    -- Thousands of photos of one memory need one check.
    where case when (t.item).kind in ('media', 'story') and (t.item).memory_id in (select g.memory_id from managed g) then true
      else private.may_restore(t.item) end
    order by (t.item).deleted_at desc, (t.item).kind, (t.item).id limit 300 offset skip
  )
  select t.kind, t.id, t.memory_id, coalesce(r.person_name, ''),
    coalesce(case t.kind
      when 'memory' then r.person_name
      when 'album' then a.name
      when 'media' then coalesce(nullif(m.caption, ''), d.file_name)
      when 'story' then coalesce(nullif(s.title, ''), private.plain_text(s.body))
      else left(coalesce(t.was ->> 'words', n.words, c.body), 200) end, ''),
    t.deleted_at, t.deleted_at + interval '30 days',
    case t.kind when 'media' then m.size + coalesce((select v.size from public.media v where v.motion_of = m.id), 0)
      when 'memory' then (select coalesce(sum((o.metadata ->> 'size')::bigint), 0)::bigint from storage.objects o
        where o.bucket_id in ('media', 'posters') and o.name like t.id || '/%') else 0 end,
    case when m.id is not null then jsonb_build_object('id', m.id, 'type', m.type, 'placeholder', m.placeholder,
      'colour', m.colour) end,
    t.total
  from shown t
  left join public.memories r on r.id = t.memory_id
  left join public.albums a on a.id = t.album_id
  left join public.media m on m.id = t.media_id
  left join public.media_details d on d.media_id = m.id
  left join public.stories s on s.id = t.story_id
  left join public.comments c on c.id = t.comment_id
  left join public.comment_credits n on n.comment_id = c.id
  order by t.deleted_at desc, t.kind, t.id
$$;
comment on function deleted_items is
  'Items that the signed-in person deleted and may restore, optionally of one memory, newest first: up to 300 after an offset, with the total number, when each is deleted permanently and its size.';

revoke execute on all functions in schema private from public;
revoke execute on function restore_deleted, delete_forever, empty_trash, deleted_items from public, anon, authenticated;
grant execute on function restore_deleted to anon, authenticated;
grant execute on function delete_forever, empty_trash, deleted_items to authenticated;
