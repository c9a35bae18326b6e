create table albums (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users on delete cascade,
  name text not null check (length(btrim(name)) between 1 and 200),
  cover_media_id uuid references media on delete set null,
  position integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- For the key by which a memory names only albums of its own owner.
  unique (id, user_id)
);
comment on table albums is 'A named group of memories. Deleting it deletes none of them.';
comment on column albums.position is 'Its place among its owner''s albums; equal ones stand as they were made.';
comment on column albums.deleted_at is 'When it was moved to the trash; no caller sees the row until it is restored.';
create index albums_user_id on albums (user_id, position, created_at, id);
create index albums_cover_media_id on albums (cover_media_id);
create trigger touch_updated_at before update on albums for each row execute function private.touch_updated_at();

alter table memories
  add column album_id uuid,
  add column album_position integer not null default 0,
  -- A memory and its album belong to the same person, whoever writes the row.
  add constraint memories_album_id_fkey foreign key (album_id, user_id) references albums (id, user_id)
    on delete set null (album_id);
comment on column memories.album_id is 'The album it is in; null for none.';
create index memories_album_id on memories (album_id, album_position, created_at, id) where album_id is not null;

-- An album is its owner's way of keeping order, whoever else looks after the memory.
create function private.owner_files() returns trigger language plpgsql set search_path = '' as $$
begin
  if auth.uid() is distinct from old.user_id and auth.role() <> 'service_role' then
    raise exception 'Only its owner can move a memory between albums.' using errcode = '42501';
  end if;
  return new;
end
$$;
create trigger owner_files before update on memories for each row
  when ((old.album_id, old.album_position) is distinct from (new.album_id, new.album_position))
  execute function private.owner_files();
revoke execute on function private.owner_files from public;
