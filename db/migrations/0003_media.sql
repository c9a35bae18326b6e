insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('media', 'media', false, 50 * 1024 * 1024,
    '{image/jpeg,image/png,image/webp,image/gif,image/avif,image/heic,image/heif}');

create table media (
  id uuid primary key references storage.objects on delete cascade,
  memory_id uuid not null references memories on delete cascade,
  user_id uuid references auth.users on delete set null,
  type text not null check (type in ('image', 'video')),
  size bigint not null check (size >= 0),
  object_name text not null unique,
  file_name text not null default '',
  mime_type text not null,
  width integer,
  height integer,
  taken_at timestamp,
  placeholder text,
  colour text,
  state text not null default 'waiting' check (state in ('waiting', 'ready', 'broken')),
  is_cover boolean not null default false,
  created_at timestamptz not null default now()
);
comment on table media is 'A photo or video of a memory: one row beside each stored object. Seen by whoever sees the memory.';
comment on column media.size is 'Bytes of the original.';
comment on column media.width is 'Pixels as seen upright; null until known.';
comment on column media.taken_at is 'The camera''s own clock, in no time zone.';
comment on column media.placeholder is 'A tiny blurred picture as a data URL.';
comment on column media.colour is 'The dominant colour as #rrggbb.';
comment on column media.state is 'waiting for its renditions, ready, or broken: kept, but not a picture anyone can show.';
create index media_memory_id on media (memory_id, created_at, id);
create index media_user_id on media (user_id);
create index media_waiting on media (created_at) where state = 'waiting';
create unique index one_cover on media (memory_id) where is_cover;

-- The row beside a stored object, made in the transaction that stores it: never one without the other.
create function private.make_media() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.media (id, memory_id, user_id, type, size, object_name, file_name, mime_type, width, height)
  values (
    new.id, (storage.foldername(new.name))[1]::uuid, new.owner, split_part(new.metadata ->> 'mimetype', '/', 1),
    (new.metadata ->> 'size')::bigint, new.name, left(coalesce(new.user_metadata ->> 'filename', ''), 255),
    new.metadata ->> 'mimetype', (new.metadata ->> 'width')::integer, (new.metadata ->> 'height')::integer
  );
  return null;
end
$$;
create trigger make_media after insert on storage.objects
  for each row when (new.bucket_id = 'media') execute function private.make_media();

-- Who works on a waiting row, beside it rather than in it: those who watch the row need not hear of every claim.
create table private.media_claims (
  media_id uuid primary key references media on delete cascade,
  attempts integer not null default 1,
  until timestamptz not null
);
comment on table private.media_claims is
  'Claims on media that wait for their renditions. One lasts until its time is over or its row is done; attempts are bounded.';

create function private.tell_media_waits() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_notify('media_waiting', '');
  return null;
end
$$;
create trigger tell_media_waits after insert on media
  for each statement execute function private.tell_media_waits();

-- A memory takes its stored objects with it; their bytes follow by the storage's own job.
create function private.delete_memory_objects() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from storage.objects where bucket_id = 'media' and name like old.id || '/%';
  return old;
end
$$;
create trigger delete_memory_objects before delete on memories
  for each row execute function private.delete_memory_objects();

alter table media enable row level security;
grant select on media to anon, authenticated;
create policy "whoever may see the memory" on media for select to anon, authenticated
  using (memory_id = any ((select private.visible_memory_ids())::uuid[]));

create function set_cover(media_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  memory uuid := (select m.memory_id from public.media m
    where m.id = media_id and m.memory_id = any (private.owned_memory_ids()));
begin
  if memory is null then
    raise exception 'This photo is not in one of your memories.' using errcode = 'PT404';
  end if;
  update public.media set is_cover = false where memory_id = memory and is_cover and id <> media_id;
  update public.media set is_cover = true where id = media_id;
end
$$;
comment on function set_cover is 'Makes a photo the cover of its memory; only the memory''s owner can.';
revoke execute on function set_cover from public, anon;
grant execute on function set_cover to authenticated;

create policy "media of memories one may see" on storage.objects for select to anon, authenticated
  using (bucket_id = 'media' and (storage.foldername(name))[1] = any ((select private.visible_memory_ids()::text[])::text[]));
create policy "media into one's own memories" on storage.objects for insert to authenticated
  with check (bucket_id = 'media' and cardinality(storage.foldername(name)) = 1
    and (storage.foldername(name))[1] = any ((select private.owned_memory_ids()::text[])::text[]));
create policy "media out of one's own memories" on storage.objects for delete to authenticated
  using (bucket_id = 'media' and (storage.foldername(name))[1] = any ((select private.owned_memory_ids()::text[])::text[]));

alter publication supabase_realtime add table media;
