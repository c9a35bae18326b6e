-- What of a stored object is downloaded, as it was measured: an archive says it of every file before its bytes.
create table private.measured_files (
  object_id uuid not null references storage.objects on delete cascade,
  form text not null check (length(form) <= 20),
  version text not null,
  type text not null,
  size bigint check (size >= 0),
  crc32 bigint check (crc32 between 0 and 4294967295),
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  primary key (object_id, form),
  constraint measured_or_not check (num_nonnulls(size, crc32, sha256) in (0, 3))
);
comment on table private.measured_files is
  'Length and checksums of an object''s bytes and of the copies that were made of it, so that none is read twice to know them.';
comment on column private.measured_files.form is 'The original, a copy without what its device wrote into it, or a rendition.';
comment on column private.measured_files.version is 'Of the object when it was measured; a later version is another file.';
comment on column private.measured_files.size is 'Bytes; null, as its checksums are, where this form can not be made of it.';

create table private.prepared_downloads (
  ticket_hash text primary key,
  caller jsonb not null,
  user_id uuid references auth.users on delete cascade,
  link_id uuid references share_links on delete cascade,
  manifest text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
comment on table private.prepared_downloads is
  'Archives that somebody may fetch for a day: whose rights are asked at every use, and what is in them. Only the server reads it.';
comment on column private.prepared_downloads.ticket_hash is 'SHA-256 of what the address carries: a copy of this table opens nothing.';
comment on column private.prepared_downloads.manifest is 'Files and pages in their order, as JSON: every range of the archive is cut from the same list.';
create index prepared_downloads_expires_at on private.prepared_downloads (expires_at);
create index prepared_downloads_user_id on private.prepared_downloads (user_id);
create index prepared_downloads_link_id on private.prepared_downloads (link_id);

-- These run as their caller: the row policies decide what they reach.
create function arrange_albums(ids uuid[]) returns void language sql volatile set search_path = '' as $$
  update public.albums a set position = wanted.place
  from (
    select x.id, row_number() over (order by named.place, x.position, x.created_at, x.id) as place
    from public.albums x left join unnest(ids) with ordinality as named (id, place) on named.id = x.id
    where x.user_id = auth.uid()
  ) wanted
  where a.id = wanted.id and a.position is distinct from wanted.place
$$;
comment on function arrange_albums is 'Gives one''s albums the order of these ids; those not named come after, in the order they have.';

create function arrange_album(album_id uuid, ids uuid[]) returns void language sql volatile set search_path = '' as $$
  update public.memories m set album_position = wanted.place
  from (
    select x.id, row_number() over (order by named.place, x.album_position, x.created_at, x.id) as place
    from public.memories x left join unnest(ids) with ordinality as named (id, place) on named.id = x.id
    where x.album_id = arrange_album.album_id and x.user_id = auth.uid()
  ) wanted
  where m.id = wanted.id and m.album_position is distinct from wanted.place
$$;
comment on function arrange_album is
  'Gives the memories of one''s album the order of these ids; those not named come after, in the order they have.';

create function put_in_album(album_id uuid, ids uuid[]) returns void language sql volatile set search_path = '' as $$
  update public.memories m set album_id = put_in_album.album_id, album_position = wanted.place + coalesce(
    (select max(x.album_position) from public.memories x where x.album_id = put_in_album.album_id), 0)
  from unnest(ids) with ordinality as wanted (id, place)
  where m.id = wanted.id and m.user_id = auth.uid() and m.album_id is distinct from put_in_album.album_id
$$;
comment on function put_in_album is 'Puts one''s memories at the end of an album, out of whichever they were in; null takes them out.';

revoke execute on function arrange_albums, arrange_album, put_in_album from public, anon;
grant execute on function arrange_albums, arrange_album, put_in_album to authenticated;
