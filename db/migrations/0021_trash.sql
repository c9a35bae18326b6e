set local check_function_bodies = off;

-- Deleted items. The item's own row stays in its table, hidden by policies; this row allows restoring it.
create table trash (
  kind text not null check (kind in ('media', 'story', 'comment', 'album', 'memory')),
  id uuid not null,
  memory_id uuid references memories on delete cascade,
  deleted_by uuid references auth.users on delete cascade,
  guest_id uuid references guests on delete cascade,
  deleted_at timestamptz not null default now(),
  was jsonb not null default '{}',
  media_id uuid generated always as (case kind when 'media' then id end) stored references media on delete cascade,
  story_id uuid generated always as (case kind when 'story' then id end) stored references stories on delete cascade,
  comment_id uuid generated always as (case kind when 'comment' then id end) stored references comments on delete cascade,
  album_id uuid generated always as (case kind when 'album' then id end) stored references albums on delete cascade,
  primary key (kind, id),
  constraint by_one_person check (num_nonnulls(deleted_by, guest_id) = 1),
  constraint in_a_memory check ((kind = 'album') = (memory_id is null))
);
comment on table trash is
  'Items deleted within the last 30 days, which can be restored. Visible to the person who deleted them. Deleting a row here deletes its item permanently.';
comment on column trash.id is 'The id in the table of its kind.';
comment on column trash.memory_id is 'The memory that it belongs to, or the memory itself; null for an album.';
comment on column trash.was is
  'What restoring needs: the previous moderation state, what was deleted with it, and the text of a comment whose row was kept.';
create index trash_deleted_by on trash (deleted_by, deleted_at desc);
create index trash_deleted_at on trash (deleted_at);
create index trash_memory_id on trash (memory_id);
create index trash_guest_id on trash (guest_id) where guest_id is not null;
create unique index trash_media_id on trash (media_id) where media_id is not null;
create unique index trash_story_id on trash (story_id) where story_id is not null;
create unique index trash_comment_id on trash (comment_id) where comment_id is not null;
create unique index trash_album_id on trash (album_id) where album_id is not null;
alter table trash enable row level security;

-- Row policies do not apply to the service role, and its bulk updates must not restore anything.
create function private.keep_in_trash() returns trigger language plpgsql set search_path = '' as $$
begin
  new.moderation := 'deleted';
  return new;
end
$$;
comment on function private.keep_in_trash is
  'Keeps items in the trash. Only the functions of the trash, which run as the owner of the tables, restore them.';
create trigger t10_keep_in_trash before update of moderation on media for each row
  when (old.moderation = 'deleted' and current_user = 'service_role') execute function private.keep_in_trash();
create trigger t10_keep_in_trash before update of moderation on stories for each row
  when (old.moderation = 'deleted' and current_user = 'service_role') execute function private.keep_in_trash();
create trigger t10_keep_in_trash before update of moderation on comments for each row
  when (old.moderation = 'deleted' and current_user = 'service_role') execute function private.keep_in_trash();
create trigger keep_in_trash before update of moderation on reactions for each row
  when (old.moderation = 'deleted' and current_user = 'service_role') execute function private.keep_in_trash();

create function private.record_deletion(of_kind text, item uuid, of_memory uuid, before jsonb, relation regclass, old_row jsonb)
returns void language plpgsql security definer set search_path = '' as $$
begin
  insert into public.trash (kind, id, memory_id, deleted_by, guest_id, was)
  values (of_kind, item, of_memory, auth.uid(), case when auth.uid() is null then private.guest_id() end, before);
  -- On the hosted platform realtime reports this as an update.
  if to_regprocedure('realtime.announce_deletion(regclass, jsonb)') is not null then
    perform realtime.announce_deletion(relation, old_row);
  end if;
end
$$;
comment on function private.record_deletion is
  'Inserts the row in the trash for an item that was just hidden, and notifies open pages.';

create function private.delete_reactions(of_media uuid[], of_comments uuid[])
returns table (id uuid, media_id uuid, comment_id uuid, was text) language sql volatile security definer set search_path = '' as $$
  with found as (
    select r.id, r.media_id, r.comment_id, r.moderation from public.reactions r
    where (r.media_id = any (of_media) or r.comment_id = any (of_comments)) and r.moderation <> 'deleted' order by r.id for update
  ), done as (
    update public.reactions r set moderation = 'deleted' from found where r.id = found.id returning r.id
  )
  select found.id, found.media_id, found.comment_id, found.moderation from found join done using (id)
$$;
comment on function private.delete_reactions is
  'Hides the reactions to photos and comments as deleted. Returns each with its previous moderation state.';

-- A DELETE by a person inserts a row here and deletes nothing. Deletions by the server, and those that follow from the
-- deletion of an account or a memory, are permanent: they run as the owner of the tables.
create function private.collect_deleted_media() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.media m where m.id = old.id) then
    return old;
  end if;
  -- Collected, so that deleting five hundred photos updates counts and notices once.
  perform set_config('skies.deleted', concat_ws(',', nullif(current_setting('skies.deleted', true), ''), old.id), true);
  return null;
end
$$;
create trigger t10_move_to_trash before delete on storage.objects for each row
  when (old.bucket_id = 'media' and current_user in ('anon', 'authenticated')) execute function private.collect_deleted_media();

create function private.move_media_to_trash() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  -- A photo and its video are one item, whichever of them is named.
  ids constant uuid[] := array(select distinct coalesce(m.motion_of, m.id) from public.media m
    where m.id = any (string_to_array(nullif(current_setting('skies.deleted', true), ''), ',')::uuid[]));
  photo public.media;
  talk jsonb;
  given jsonb;
  entries jsonb;
  albums jsonb;
begin
  if cardinality(ids) = 0 then
    return null;
  end if;
  perform set_config('skies.deleted', '', true);
  perform from public.media m where m.id = any (ids) order by m.id for update;
  with found as (
    select c.id, c.media_id, c.moderation from public.comments c
    where c.media_id = any (ids) and c.moderation <> 'deleted' order by c.id for update
  ), done as (
    update public.comments c set moderation = 'deleted' from found where c.id = found.id returning c.id
  )
  select jsonb_object_agg(media_id, said) into talk from (
    select media_id, jsonb_object_agg(id, moderation) as said from found join done using (id) group by media_id) by_photo;
  select jsonb_object_agg(photo_id, was) into given from (
    select coalesce(r.media_id, c.media_id) as photo_id, jsonb_object_agg(r.id, r.was) as was
    from private.delete_reactions(ids, array(select c::uuid from jsonb_each(talk) p, jsonb_object_keys(p.value) c)) r
    left join public.comments c on c.id = r.comment_id group by 1) by_photo;
  -- Rows that refer to a photo are shown and changed without it meanwhile.
  with taken as (
    update public.memory_entries e set media_id = null from (select x.id, x.media_id from public.memory_entries x
      where x.media_id = any (ids) order by x.id for update) found where e.id = found.id returning found.id, found.media_id
  )
  select jsonb_object_agg(media_id, of_photo) into entries
  from (select media_id, jsonb_agg(id) as of_photo from taken group by media_id) by_photo;
  with taken as (
    update public.albums a set cover_media_id = null from (select x.id, x.cover_media_id from public.albums x
      where x.cover_media_id = any (ids) order by x.id for update) found where a.id = found.id returning found.id, found.cover_media_id
  )
  select jsonb_object_agg(cover_media_id, of_photo) into albums
  from (select cover_media_id, jsonb_agg(id) as of_photo from taken group by cover_media_id) by_photo;
  for photo in select * from public.media m where m.id = any (ids) order by m.id loop
    perform private.record_deletion('media', photo.id, photo.memory_id, jsonb_build_object('moderation', photo.moderation,
      'cover', photo.is_cover, 'comments', talk -> photo.id::text, 'reactions', given -> photo.id::text,
      'entries', entries -> photo.id::text, 'albums', albums -> photo.id::text),
      'public.media', to_jsonb(photo));
  end loop;
  update public.media m set moderation = 'deleted', is_cover = false where m.id = any (ids) or m.motion_of = any (ids);
  update public.notices n set media_id = null where n.media_id = any (ids);
  return null;
end
$$;
create trigger move_to_trash after delete on storage.objects for each statement execute function private.move_media_to_trash();

create function private.move_story_to_trash() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.stories s set moderation = 'deleted' where s.id = old.id;
  perform private.record_deletion('story', old.id, old.memory_id, jsonb_build_object('moderation', old.moderation),
    'public.stories', to_jsonb(old));
  return null;
end
$$;
create trigger t10_move_to_trash before delete on stories for each row
  when (current_user in ('anon', 'authenticated')) execute function private.move_story_to_trash();

create function private.move_album_to_trash() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  filed jsonb;
begin
  with taken as (
    update public.memories m set album_id = null from (select x.id, x.album_position from public.memories x
      where x.album_id = old.id order by x.id for update) found
    where m.id = found.id returning found.id, found.album_position
  )
  select coalesce(jsonb_object_agg(taken.id, taken.album_position), '{}') into filed from taken;
  update public.albums a set deleted_at = now() where a.id = old.id;
  update public.share_links l set version = l.version + 1 where l.album_id = old.id;
  perform private.record_deletion('album', old.id, null, jsonb_build_object('memories', filed), 'public.albums', to_jsonb(old));
  return null;
end
$$;
create trigger t10_move_to_trash before delete on albums for each row
  when (current_user in ('anon', 'authenticated')) execute function private.move_album_to_trash();

create function private.move_memory_to_trash() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- Ends unfinished uploads.
  if to_regclass('storage.uploads') is not null then
    delete from storage.uploads where name like old.id || '/%' and finished_at is null;
  end if;
  delete from public.handovers h where h.memory_id = old.id;
  update public.memories m set deleted_at = now(), draft = true where m.id = old.id;
  perform private.record_deletion('memory', old.id, old.id, jsonb_build_object('draft', old.draft), 'public.memories', to_jsonb(old));
  return null;
end
$$;
-- Before the trigger that deletes a memory's stored objects, which then does not run.
create trigger t10_move_to_trash before delete on memories for each row
  when (current_user in ('anon', 'authenticated')) execute function private.move_memory_to_trash();

-- A comment with replies keeps an empty row, so that the replies keep their place.
create function private.move_comment_to_trash(comment public.comments) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  before jsonb := jsonb_build_object('moderation', comment.moderation,
    'reactions', (select jsonb_object_agg(r.id, r.was) from private.delete_reactions(null, array[comment.id]) r));
  head_was text;
begin
  if exists (select from public.comments a where a.parent_id = comment.id and a.moderation <> 'deleted') then
    before := before || private.take_comment_text(comment.id);
  else
    update public.comments c set moderation = 'deleted' where c.id = comment.id;
    -- A row that was kept only for this reply is deleted with it.
    update public.comments c set moderation = 'deleted' from public.comments head
    where c.id = comment.parent_id and head.id = c.id and c.deleted_at is not null and c.moderation <> 'deleted'
      and not exists (select from public.comments a where a.parent_id = c.id and a.moderation <> 'deleted')
    returning head.moderation into head_was;
  end if;
  perform private.record_deletion('comment', comment.id, comment.memory_id,
    before || jsonb_strip_nulls(jsonb_build_object('head', head_was)), 'public.comments', to_jsonb(comment));
end
$$;

create function private.take_comment_text(comment_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  words jsonb;
begin
  select jsonb_build_object('words', coalesce(n.words, c.body), 'mentions', c.mentions, 'name', coalesce(n.name, ''))
  into words from public.comments c left join public.comment_credits n on n.comment_id = c.id where c.id = take_comment_text.comment_id;
  update public.comments c set body = '', mentions = '{}', deleted_at = now() where c.id = take_comment_text.comment_id;
  delete from public.comment_credits n where n.comment_id = take_comment_text.comment_id;
  return words;
end
$$;
comment on function private.take_comment_text is
  'Empties a comment whose row is kept. Returns its text, its mentions and its author''s name.';

grant select (kind, id, memory_id, deleted_by, guest_id, deleted_at) on trash to anon, authenticated;
create policy "person who deleted it reads" on trash for select to authenticated using (deleted_by = (select auth.uid()));
create policy "guest who deleted it reads" on trash for select to anon using (guest_id = (select private.guest_id()));

revoke execute on all functions in schema private from public;
