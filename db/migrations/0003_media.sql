insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('media', 'media', false, 50 * 1024 * 1024,
    '{image/jpeg,image/png,image/webp,image/gif,image/avif,image/tiff,image/heic,image/heif}');

create table media (
  id uuid primary key references storage.objects on delete cascade,
  memory_id uuid not null references memories on delete cascade,
  type text not null check (type in ('image', 'video')),
  size bigint not null check (size >= 0),
  object_name text not null unique,
  width integer,
  height integer,
  taken_at approximate_time,
  taken_order text collate "C" generated always as (private.date_order(taken_at)) stored,
  time_order double precision,
  placeholder text,
  colour text,
  state text not null default 'waiting' check (state in ('waiting', 'ready', 'broken')),
  damaged boolean not null default false,
  is_cover boolean not null default false,
  created_at timestamptz not null default now(),
  -- For the keys by which what is said of it stays in one memory.
  unique (id, memory_id)
);
comment on table media is
  'A photo or video of a memory, and no more of it than its page shows to everyone: one row beside each stored object. Seen by whoever sees the memory.';
comment on column media.size is 'Bytes of the original.';
comment on column media.width is 'Pixels as seen upright; null until known.';
comment on column media.taken_at is
  'The day on which it was taken, or as much as is known of it. A time that is written here is kept in media_details alone.';
comment on column media.taken_order is 'What lists sort by, and then by time_order; null where nothing is known.';
comment on column media.time_order is
  'Its place among those of the same day, of which it does not tell how far they are apart; null where no time is known, which comes first.';
comment on column media.placeholder is 'A tiny blurred picture as a data URL.';
comment on column media.colour is 'The dominant colour as #rrggbb.';
comment on column media.state is 'waiting for its renditions, ready, or broken: stored, but nothing of it can be shown; only its managers and its adder see the row.';
comment on column media.damaged is 'Whether a part of a photo''s data is missing; the rest is shown.';
create index media_memory_id on media (memory_id, created_at, id);
create index media_waiting on media (created_at) where state = 'waiting';
create unique index one_cover on media (memory_id) where is_cover;

create table media_details (
  media_id uuid primary key,
  memory_id uuid not null,
  user_id uuid references auth.users on delete set null,
  file_name text not null default '',
  mime_type text not null default '',
  taken_at approximate_time,
  taken_source text check (taken_source in ('exif', 'xmp', 'iptc', 'png', 'video', 'takeout', 'name', 'person')),
  taken_order text collate "C" generated always as (private.date_order(taken_at)) stored,
  file_taken_at approximate_time,
  file_taken_source text,
  foreign key (media_id, memory_id) references media (id, memory_id) on update cascade on delete cascade
);
comment on table media_details is
  'What a photo or video tells beyond its picture: who added it, and what its file says. Seen by the memory''s owner, co-owners and contributors, and by who added it.';
comment on column media_details.taken_at is 'When it was taken, by the clock where that was.';
comment on column media_details.taken_source is
  'What says so: a tag in the file, the file beside it in an export, its name, or a person. An export and a name are guesses.';
comment on column media_details.file_taken_at is 'What the file itself says, which a person may have corrected in taken_at.';
create index media_details_memory_id on media_details (memory_id, taken_order);
create index media_details_media_memory on media_details (media_id, memory_id);
create index media_details_user_id on media_details (user_id, memory_id);

-- Names that phones, messengers and screenshots give: IMG_20240714_160509, PXL_…, VID-20240714-WA0001, signal-2024-07-14-160509,
-- WhatsApp Image 2024-07-14 at 16.05.09, photo_2024-07-14_16-05-09. A scanner's name has the day of the scan, which says nothing.
create function private.date_in_name(file_name text) returns text language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  parts constant text[] := regexp_match(file_name, '(?<!\d)((?:18|19|20)\d\d)([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?:'
    || '(?:[-_ T.]+(?:(?:at|um|alle|ore|om|kl) )?)?([01]\d|2[0-3]|\d(?=[-_.:]))([-_.:]?)([0-5]\d)\6([0-5]\d)(?:\d{3})?(?!\d)(?:[\s\u202F]?([AP])M)?'
    || '|(?!\d))');
  day constant text := parts[1] || '-' || parts[3] || '-' || parts[4];
  hour integer := parts[5]::integer;
begin
  if parts is null or file_name ~* '(^|[^a-z])(scan|scn|scansione|numeri[sz])' or private.date_span(day) is null then
    return null;
  end if;
  if hour is null then
    return day;
  end if;
  if parts[9] is not null then
    hour := hour % 12 + case parts[9] when 'P' then 12 else 0 end;
  end if;
  return day || 'T' || lpad(hour::text, 2, '0') || ':' || parts[7] || ':' || parts[8];
end
$$;
comment on function private.date_in_name is 'The date, and the time where there is one, that a file''s name contains; null without one.';

create function private.date_of_file(recorded text, exported text, file_name text, out taken_at text, out source text)
language plpgsql stable set search_path = '' as $$
declare
  latest constant text := private.date_order(to_char(now() at time zone 'utc' + interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS'));
begin
  for taken_at, source in values
    (left(recorded, 19), 'video'), (left(exported, 19), 'takeout'), (private.date_in_name(file_name), 'name')
  loop
    -- A clock that is ahead by more than a time zone was never set.
    if private.date_span(taken_at) is not null and private.date_order(taken_at) <= latest then
      return;
    end if;
  end loop;
  taken_at := null;
  source := null;
end
$$;
comment on function private.date_of_file is
  'When a file was taken as far as is known before its tags are read: from the movie, the export that it came with, or its name.';

revoke execute on function private.date_in_name, private.date_of_file from public;

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
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('view'))::uuid[]));

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
  using (bucket_id = 'media' and exists (select from public.media m where m.id = objects.id));
create policy "media into one's own memories" on storage.objects for insert to authenticated
  with check (bucket_id = 'media' and cardinality(storage.foldername(name)) = 1
    and (storage.foldername(name))[1] = any ((select private.owned_memory_ids()::text[])::text[]));
create policy "media out of one's own memories" on storage.objects for delete to authenticated
  using (bucket_id = 'media' and (storage.foldername(name))[1] = any ((select private.owned_memory_ids()::text[])::text[]));

alter publication supabase_realtime add table media;
