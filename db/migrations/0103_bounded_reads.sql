set local check_function_bodies = off;

-- Indexes for reads whose cost would otherwise grow with what an owner has.
create index memories_drafts on memories (user_id, created_at desc) where draft and deleted_at is null;
create index memories_albums_first on memories (album_id, album_position, created_at, id, user_id)
  where album_id is not null and deleted_at is null and draft is false;
create index media_covers on media (memory_id) where is_cover is true;
create index media_choices on media (memory_id, taken_order, time_order nulls first, created_at, id)
  where type = 'image' and state = 'ready' and moderation = 'shown';
create index comments_of_memory on comments (memory_id, created_at, id) where media_id is null;
create index reactions_of_memory on reactions (memory_id, created_at, id) where media_id is null and comment_id is null;
create index share_openings_link_id on share_openings (link_id, opened_at desc);

-- The restrictive policy of the trash called a function for each row.
alter table media_details add column in_trash boolean not null default false;
comment on column media_details.in_trash is
  'Whether the photo or video is in the trash, so that the policy does not read it for each row. A trigger sets it.';
update media_details d set in_trash = true from media m where m.id = d.media_id and m.moderation = 'deleted';

create function private.mark_details_in_trash() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.media_details d set in_trash = n.moderation = 'deleted'
  from new_rows n join old_rows o using (id)
  where d.media_id = n.id and (n.moderation = 'deleted') <> (o.moderation = 'deleted');
  return null;
end
$$;
comment on function private.mark_details_in_trash is 'Marks the details of photos and videos that move to the trash or back.';
create trigger mark_details_in_trash after update on media referencing old table as old_rows new table as new_rows
  for each statement execute function private.mark_details_in_trash();
alter policy "not in the trash" on media_details using (not in_trash);

revoke execute on all functions in schema private from public;
revoke execute on function private.mark_details_in_trash from anon, authenticated, service_role;
