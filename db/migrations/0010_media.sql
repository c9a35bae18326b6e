set local check_function_bodies = off;

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
  caption text not null default '' check (length(caption) <= 2000),
  alt_text text not null default '' check (length(alt_text) <= 1000),
  position double precision,
  duration real check (duration >= 0),
  poster_name text,
  moderation text not null default 'shown' check (moderation in ('shown', 'held', 'hidden', 'deleted', 'attached')),
  motion text check (motion in ('waiting', 'ready', 'failed')),
  motion_of uuid unique references media on delete cascade,
  visitor_copy text check (visitor_copy in ('waiting', 'ready', 'failed')),
  playback text check (playback in ('waiting', 'making', 'ready', 'unneeded', 'failed')),
  playback_progress real check (playback_progress between 0 and 1),
  -- A client that was offline for a moment reads only what has changed since.
  updated_at timestamptz not null default now(),
  -- For the foreign keys that keep related rows in one memory.
  unique (id, memory_id),
  constraint attached_to_a_photo check (moderation <> 'attached' or motion_of is not null)
);
comment on table media is
  'A photo or video of a memory, with the columns that every viewer may read: one row for each stored object. Visible to everybody who can see the memory.';
comment on column media.size is 'Size of the original in bytes.';
comment on column media.width is 'In pixels, upright; null until known.';
comment on column media.taken_at is
  'The day on which it was taken, with the precision that is known. A time that is written here is stored in media_details only.';
comment on column media.taken_order is 'Sort key of lists, before time_order; null if the date is unknown.';
comment on column media.time_order is
  'Order among photos of the same day, without revealing the time between them; null if no time is known, which sorts first.';
comment on column media.placeholder is 'A tiny blurred image as a data URL.';
comment on column media.colour is 'The dominant colour as #rrggbb.';
comment on column media.state is
  'waiting for renditions; ready; or broken: stored, but it cannot be shown. Only managers and the person who added it can see a broken one.';
comment on column media.damaged is 'Whether a part of the image data is missing. The rest is shown.';
comment on column media.alt_text is 'Description for people who cannot see it.';
comment on column media.position is 'Order set by managers; null if it was not arranged, which sorts last.';
comment on column media.duration is 'Length of a video in seconds; null until known.';
comment on column media.poster_name is 'The object in the bucket posters that is shown before a video plays.';
comment on column media.moderation is
  'Shown to everyone; held until a manager approves it; hidden by a manager. Held and hidden ones are visible to managers and the person who added it. Deleted: in the trash, hidden from everybody. Attached: the video of a photo, in no list of its own.';
comment on column media.motion is
  'Of a photo that was recorded with a short video: whether the copy of it that plays is waiting to be made, ready, or failed. Null for all others.';
comment on column media.motion_of is
  'Of a video that was recorded with a photo: that photo. The video is in no list; it is deleted, restored and moved with the photo.';
comment on column media.visitor_copy is
  'Of a video: whether people who do not get its original can play it: waiting until a copy without private data is made, ready, or failed because none can be made. Null for photos.';
comment on column media.playback is
  'State of the copy of a video that plays in every browser: null if none is made, unneeded if the original does.';
comment on column media.playback_progress is 'Progress of that copy, from 0 to 1.';
create index media_memory_id on media (memory_id, created_at, id);
create index media_waiting on media (created_at) where state = 'waiting';
create unique index one_cover on media (memory_id) where is_cover;
create index media_poster_name on media (poster_name) where poster_name is not null;
create index media_unplayable on media (created_at) where type = 'video' and (playback is null or playback in ('waiting', 'making'));
create index media_updated_at on media (memory_id, updated_at);
create index media_moderation on media (memory_id, moderation) where moderation <> 'shown';
create trigger touch_updated_at before update on media for each row execute function private.touch_updated_at();
alter table media enable row level security;

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
  content_hash text check (content_hash ~ '^[0-9a-f]{64}$'),
  content_identifier text check (length(content_identifier) <= 100),
  guest_id uuid references guests on delete set null,
  foreign key (media_id, memory_id) references media (id, memory_id) on update cascade on delete cascade
);
comment on table media_details is
  'Further details of a photo or video: who added it and the metadata of its file. Visible to the owner, co-owners and contributors, and to the person who added it.';
comment on column media_details.taken_at is 'When it was taken, in local time.';
comment on column media_details.taken_source is
  'The source of the date: a tag in the file, the sidecar file of an export, the file name, or a person. Export and file name are guesses.';
comment on column media_details.file_taken_at is 'The date in the file, which a person may have corrected in taken_at.';
comment on column media_details.content_hash is 'SHA-256 of the original in hex, to find duplicates.';
comment on column media_details.content_identifier is
  'The identifier by which a phone marks a photo and a video as one; null for most files.';
comment on column media_details.guest_id is
  'The guest who added it; null for signed-in people, and after the guest was deleted.';
create index media_details_memory_id on media_details (memory_id, taken_order);
create index media_details_media_memory on media_details (media_id, memory_id);
create index media_details_user_id on media_details (user_id, memory_id);
create index media_details_guest_id on media_details (guest_id) where guest_id is not null;
alter table media_details enable row level security;

-- Claims of workers. They are in a table of their own, so that a claim does not notify readers of the media row.
create table private.media_claims (
  media_id uuid primary key references media on delete cascade,
  attempts integer not null default 1,
  until timestamptz not null
);
comment on table private.media_claims is
  'Claims on media that wait for renditions. A claim ends at its time or when the row is done; the number of attempts is limited.';

-- Both are inserted by private.make_media() when a file arrives. In a table of their own, so that a separate policy decides
-- who can read them.
create table media_credits (
  media_id uuid primary key,
  memory_id uuid not null,
  name text not null check (length(name) <= 200),
  foreign key (media_id, memory_id) references media (id, memory_id) on update cascade on delete cascade
);
comment on table media_credits is
  'The name under which each photo and video was added. Visible to members and to visitors of a link that shows names.';
create index media_credits_memory_id on media_credits (memory_id);
create index media_credits_media_memory on media_credits (media_id, memory_id);
alter table media_credits enable row level security;

-- One email for each visit tells a guest which of their files have arrived.
create table private.guest_receipts (
  guest_id uuid primary key references guests on delete cascade,
  outbox_id uuid not null
);
comment on table private.guest_receipts is 'The receipt that collects a guest''s uploads until ten minutes after the last one.';
alter table private.guest_receipts enable row level security;

-- A video is ready as soon as it is stored. It waits only for renditions of its poster.
create function private.make_media() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  kind constant text := split_part(new.metadata ->> 'mimetype', '/', 1);
  memory constant uuid := (storage.foldername(new.name))[1]::uuid;
  guest constant uuid := private.guest_id();
  name constant text := private.name_of_author(new.owner, guest);
  taken record;
begin
  select * into taken
  from private.date_of_file(new.metadata ->> 'recorded', new.user_metadata ->> 'taken', new.user_metadata ->> 'filename');
  insert into public.media (id, memory_id, type, size, object_name, width, height, duration, taken_at, state, moderation, visitor_copy)
  values (
    new.id, memory, kind, (new.metadata ->> 'size')::bigint, new.name,
    (new.metadata ->> 'width')::integer, (new.metadata ->> 'height')::integer, (new.metadata ->> 'duration')::real,
    taken.taken_at, case kind when 'video' then 'ready' else 'waiting' end,
    case when auth.role() in ('anon', 'authenticated') then private.initial_moderation(memory) else 'shown' end,
    case kind when 'video' then 'waiting' end
  );
  insert into public.media_details (media_id, memory_id, user_id, guest_id, file_name, mime_type,
    taken_at, taken_source, file_taken_at, file_taken_source, content_hash, content_identifier)
  values (
    new.id, memory, new.owner, guest, left(coalesce(new.user_metadata ->> 'filename', ''), 255), new.metadata ->> 'mimetype',
    taken.taken_at, taken.source, taken.taken_at, taken.source, new.metadata ->> 'sha256',
    new.metadata ->> 'contentIdentifier'
  );
  if name <> '' then
    insert into public.media_credits (media_id, memory_id, name) values (new.id, memory, name);
  end if;
  if guest is not null then
    perform private.add_to_receipt(guest, new.id);
  end if;
  return null;
end
$$;
create trigger make_media after insert on storage.objects
  for each row when (new.bucket_id = 'media') execute function private.make_media();

create function private.notify_media_waiting() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_notify('media_waiting', '');
  return null;
end
$$;
create trigger notify_media_waiting after insert on media
  for each statement execute function private.notify_media_waiting();

create function set_cover(media_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  memory uuid := (select m.memory_id from public.media m
    where m.id = media_id and m.moderation not in ('deleted', 'attached') and private.is_manager(m.memory_id));
begin
  if memory is null then
    raise exception 'This photo is not in one of your memories.' using errcode = 'PT404';
  end if;
  update public.media set is_cover = false where memory_id = memory and is_cover and id <> media_id;
  update public.media set is_cover = true where id = media_id;
  -- The focal point of the previous cover does not apply.
  update public.memories set cover_x = 0.5, cover_y = 0.5 where id = memory and (cover_x, cover_y) <> (0.5, 0.5);
end
$$;
comment on function set_cover is 'Makes a photo the cover of its memory. Only for managers.';

create function arrange_media(memory_id uuid, ids uuid[]) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_manager(arrange_media.memory_id) then
    raise exception 'This memory is not one of yours.' using errcode = 'PT404';
  end if;
  update public.media m set position = place
  from unnest(ids) with ordinality as wanted (id, place)
  where m.id = wanted.id and m.memory_id = arrange_media.memory_id and m.position is distinct from place;
  update public.memories m set media_order = 'arranged' where m.id = arrange_media.memory_id and media_order <> 'arranged';
end
$$;
comment on function arrange_media is
  'Orders a memory''s photos and videos by these ids, and shows them in that order; others follow. Only for managers.';

-- Positions are fractions, so that moving one photo among two thousand changes one row.
create function move_media(memory_id uuid, ids uuid[], before uuid default null)
returns void language plpgsql security definer set search_path = '' as $$
declare
  lower double precision;
  upper double precision;
  step double precision;
  many constant integer := cardinality(ids);
begin
  if not private.is_manager(move_media.memory_id) then
    raise exception 'This memory is not one of yours.' using errcode = 'PT404';
  end if;
  -- Locks the memory, so that two managers arrange one after the other.
  perform from public.memories m where m.id = move_media.memory_id for no key update;
  for attempt in 1..2 loop
    if before is null then
      select coalesce(max(m.position), 0) into lower from public.media m
        where m.memory_id = move_media.memory_id and m.id <> all (ids);
      upper := lower + many + 1;
    else
      select m.position into upper from public.media m
        where m.memory_id = move_media.memory_id and m.id = before and m.id <> all (ids);
      if upper is null then
        raise exception 'There is no arranged photo to put these before.' using errcode = 'PT409', hint = 'not_arranged';
      end if;
      select max(m.position) into lower from public.media m
        where m.memory_id = move_media.memory_id and m.position < upper and m.id <> all (ids);
      lower := coalesce(lower, upper - many - 1);
    end if;
    step := (upper - lower) / (many + 1);
    exit when step > 1e-6;
    -- No space is left between two positions: all are renumbered once.
    update public.media m set position = numbered.place
    from (select a.id, row_number() over (order by a.position) as place from public.media a
      where a.memory_id = move_media.memory_id and a.position is not null) as numbered
    where m.id = numbered.id;
  end loop;
  update public.media m set position = lower + step * wanted.place
  from unnest(ids) with ordinality as wanted (id, place)
  where m.id = wanted.id and m.memory_id = move_media.memory_id;
  update public.memories m set media_order = 'arranged' where m.id = move_media.memory_id and media_order <> 'arranged';
end
$$;
comment on function move_media is
  'Moves photos and videos, in this order, before another one of the memory, or to the end. Only for managers.';

create function remove_cover(memory_id uuid) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_manager(remove_cover.memory_id) then
    raise exception 'This memory is not one of yours.' using errcode = 'PT404';
  end if;
  update public.media m set is_cover = false where m.memory_id = remove_cover.memory_id and m.is_cover;
end
$$;
comment on function remove_cover is 'Removes the cover of a memory, which shows its sky again. Only for managers.';

-- A changed text has to be approved again.
create function private.hold_changed_media() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if auth.role() in ('anon', 'authenticated') and private.initial_moderation(new.memory_id) = 'held' then
    new.moderation := 'held';
  end if;
  return new;
end
$$;
create trigger t30_hold_changed_media before update on media for each row
  when ((old.caption, old.alt_text) is distinct from (new.caption, new.alt_text) and old.moderation = 'shown')
  execute function private.hold_changed_media();

create function private.add_to_receipt(guest uuid, media uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  of_guest public.guests;
  item constant jsonb := (select jsonb_build_object('id', m.id, 'name', left(d.file_name, 120), 'at', m.created_at,
    'memory', r.person_name) from public.media m join public.media_details d on d.media_id = m.id
    join public.memories r on r.id = m.memory_id where m.id = media);
  letter uuid;
  token text;
begin
  -- Every row that names the guest has locked the guest's key already, for which two such locks would wait for each other.
  select * into of_guest from public.guests g where g.id = guest for no key update;
  if of_guest.email is null then
    return;
  end if;
  update private.outbox o set props = jsonb_set(o.props, '{files}', (o.props -> 'files') || item),
    next_attempt_at = now() + interval '10 minutes'
  from private.guest_receipts l where l.guest_id = guest and o.id = l.outbox_id and o.state = 'waiting' and o.attempts = 0;
  if found then
    return;
  end if;
  token := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  insert into private.guest_keys (hash, guest_id) values (encode(sha256(convert_to(token, 'utf8')), 'hex'), guest);
  insert into private.outbox (kind, template, language, recipient, props, next_attempt_at)
  select 'mail', 'guest-receipt', of_guest.language, of_guest.email,
    jsonb_build_object('name', of_guest.name, 'timeZone', of_guest.time_zone, 'files', jsonb_build_array(item),
      'url', of_guest.site || '/shared/' || s.share_id || '#guest=' || token, 'until', s.expires_at),
    now() + interval '10 minutes'
  from public.share_links s where s.id = of_guest.link_id returning id into letter;
  insert into private.guest_receipts (guest_id, outbox_id) values (guest, letter)
  on conflict (guest_id) do update set outbox_id = excluded.outbox_id;
end
$$;
comment on function private.add_to_receipt is
  'Adds a file to the email that a guest with an address gets ten minutes after the last upload, with a link of its own.';

create function private.remove_from_receipt(media uuid, guest uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.outbox o set props = jsonb_set(o.props, '{files}', coalesce(
    (select jsonb_agg(f) from jsonb_array_elements(o.props -> 'files') f where f ->> 'id' <> media::text), '[]'))
  from private.guest_receipts l where l.guest_id = guest and o.id = l.outbox_id and o.state = 'waiting' and o.attempts = 0;
  delete from private.outbox o using private.guest_receipts l
  where l.guest_id = guest and o.id = l.outbox_id and o.state = 'waiting' and o.props -> 'files' = '[]';
end
$$;
comment on function private.remove_from_receipt is 'Removes a file that was deleted before the receipt was sent.';

create function private.remove_media_from_receipt() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    perform private.remove_from_receipt(old.media_id, old.guest_id);
  else
    perform private.remove_from_receipt(d.media_id, d.guest_id) from public.media_details d
    where d.media_id = new.id and d.guest_id is not null;
  end if;
  return null;
end
$$;
create trigger remove_media_from_receipt after delete on media_details
  for each row when (old.guest_id is not null) execute function private.remove_media_from_receipt();
create trigger remove_deleted_from_receipt after update of moderation on media
  for each row when (old.moderation <> 'deleted' and new.moderation = 'deleted') execute function private.remove_media_from_receipt();

-- Who may write the caption may also correct the date that the file gives.
grant select, update (taken_at, caption, alt_text) on media to anon, authenticated;
create policy "viewers read" on media for select to anon, authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[])
    or moderation = 'shown' and state <> 'broken' and memory_id = any ((select private.shared_memory_ids('view'))::uuid[])
    or id = any ((select private.added_media_ids())::uuid[]));
create policy "managers and the person who added it change" on media for update to anon, authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[])
    or id = any ((select private.added_media_ids())::uuid[]));

grant select on media_details to anon, authenticated;
create policy "contributors, and the person who added it, read" on media_details for select to anon, authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or (memory_id = any ((select private.shared_memory_ids('read details'))::uuid[])
        or user_id = (select auth.uid()) or guest_id = (select private.guest_id()))
      and exists (select from media m where m.id = media_id));

grant select on media_credits to anon, authenticated;
create policy "people who see names, and the author, read" on media_credits for select to anon, authenticated
  using (exists (select from media m where m.id = media_id and (exists (select from memories own where own.id = m.memory_id and own.user_id = (select auth.uid()))
    or m.memory_id = any ((select private.shared_credited_memory_ids())::uuid[])
    or private.is_own_media(m.id))));

revoke execute on all functions in schema private from public;
revoke execute on function set_cover, arrange_media, move_media, remove_cover from public, anon, authenticated;
grant execute on function set_cover, arrange_media, move_media, remove_cover to authenticated;

alter table albums add foreign key (cover_media_id) references media on delete set null;
