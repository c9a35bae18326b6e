-- When a photo or video was taken: every source that its file has, in one order. docs/media.md explains the order.

-- File names of phones, messengers and screenshots; docs/media.md lists them. The name of a scan contains the day of the scan, which is ignored.
create or replace function private.date_in_name(file_name text) returns text
language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  -- 2024-07-14, 20240714, 2024_0714.
  year_first constant text := '(?<!\d)((?:18|19|20)\d\d)([-_.]?)(0[1-9]|1[0-2])(?:\2|(?<=_\d\d))(0[1-9]|[12]\d|3[01])';
  -- 14.07.2024, and 14-07-2024 after the @ of a messenger's export. Elsewhere, hyphens may separate an American date.
  day_first constant text := '(?:(?<!\d)(?=\d\d\.)|(?<=@))(0[1-9]|[12]\d|3[01])([-.])(0[1-9]|1[0-2])\2((?:19|20)\d\d)';
  -- Up to three words stand between day and time, in the language of the device.
  clock constant text := '(?:(?:[-_ T.,@]+(?:\D{1,16} )?)?([01]\d|2[0-3]|\d(?=[-_.: ]))([-_.: h]?)([0-5]\d)(?:\6|m)([0-5]\d)(?:\d{3})?(?!\d)(?:[\s\u202F]?([AaPp])\.?[Mm])?|(?!\d))';
  -- Milliseconds since 1970, from September 2001 on, as a whole name or after these words.
  epoch constant text := '(?:^|^(?:mmexport|wx_camera_|microMsg\.|FB_IMG_|IMG_|VID_|image_|video_|photo_|img|pic_|Messenger_creation_))(1\d{12})(?:[-_. ()~]\d{0,3}\)?)?(?:\.\w+)?$';
  parts text[] := regexp_match(file_name, year_first || clock);
  day text := parts[1] || '-' || parts[3] || '-' || parts[4];
  hour integer;
begin
  if file_name ~* '(^|[^a-z])(scan|scn|scansione|numeri[sz])' then
    return null;
  end if;
  if parts is null or private.date_span(day) is null then
    parts := regexp_match(file_name, day_first || clock);
    day := parts[4] || '-' || parts[3] || '-' || parts[1];
  end if;
  if parts is null and file_name ~* '^picsart_' then
    parts := regexp_match(file_name, '^\w+?_(\d\d)(-)(\d\d)-(\d\d)_(\d\d)(-)(\d\d)-(\d\d)()', 'i');
    day := '20' || parts[1] || '-' || parts[3] || '-' || parts[4];
  end if;
  if parts is null then
    parts := regexp_match(file_name, epoch, 'i');
    return to_char(to_timestamp(parts[1]::bigint / 1000) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS');
  end if;
  if private.date_span(day) is null then
    return null;
  end if;
  hour := parts[5]::integer;
  if hour is null then
    return day;
  end if;
  if parts[9] <> '' then
    hour := hour % 12 + case upper(parts[9]) when 'P' then 12 else 0 end;
  end if;
  return day || 'T' || lpad(hour::text, 2, '0') || ':' || parts[7] || ':' || parts[8];
end
$$;

create function private.is_plausible_time(value text) returns boolean language sql stable set search_path = '' as $$
  select private.date_span(value) is not null
    -- Before the first photo.
    and value collate "C" >= '1826'
    -- A clock that is ahead by more than a time zone was not set.
    and private.date_order(value) <= private.date_order(to_char(now() at time zone 'utc' + interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS'))
    -- Clocks begin at these times when they lose power. Only a clock gives a time; a person writes "1970" without one.
    and not (value like '%T%' and value ~ '^(1904-01-01|1969-12-31|1970-01-01|1979-12-31|1980-01-01|2000-01-01|2002-12-08T12:00)')
$$;
comment on function private.is_plausible_time is
  'Whether a file''s date may be true: a real date, not in the future, and not the time at which an unset clock begins.';

create function private.date_of_evidence(evidence jsonb, file_name text, seconds double precision, out taken_at text, out source text)
language plpgsql stable set search_path = '' as $$
declare
  named constant text := private.date_in_name(file_name);
  is_local boolean;
  gap numeric;
  -- A header may be written when the recording ends.
  slack constant numeric := 60 + least(coalesce(seconds, 0), 86400);
begin
  -- The order of all sources, for all kinds of files.
  select e.at, e.source, e.local into taken_at, source, is_local
  from (
    select x.at, x.source, coalesce(x.local, false) as local, x.kind, x.n
    from rows from (jsonb_to_recordset(evidence) as (kind text, source text, at text, local boolean))
      with ordinality as x (kind, source, at, local, n)
    union all select named, 'name', true, 'name', 0
  ) e join (values
    ('taken', 1), ('digitized', 2), ('gps', 3), ('header', 4), ('export', 5), ('name', 6), ('modified', 7)
  ) r (kind, rank) using (kind)
  where private.is_plausible_time(e.at)
  order by r.rank, e.n limit 1;
  if taken_at not like '%T%' then
    -- Another source may have the time of that day.
    select e.at, e.source into taken_at, source
    from (select taken_at as at, source, 0 as n union all
      (select x.at, x.source, 1 from jsonb_to_recordset(evidence) as x (source text, at text)
        where x.at like taken_at || 'T%' and private.is_plausible_time(x.at) limit 1) union all
      select named, 'name', 2 where named like taken_at || 'T%') e
    order by e.at like '%T%' desc, e.n limit 1;
  elsif not is_local and private.is_plausible_time(named) and named like '%T%' then
    -- Most clocks in headers are in UTC, and names in local time, which is whole quarters of an hour away.
    gap := extract(epoch from taken_at::timestamp - named::timestamp);
    if gap between -15 * 3600 - 60 and 15 * 3600 + slack and mod(mod(gap + 60, 900) + 900, 900) <= 60 + slack then
      taken_at := named;
    end if;
  end if;
end
$$;
comment on function private.date_of_evidence is
  'The most reliable date among those of a file and its name, and its source. A time that may be in UTC is replaced by a local time in the name that agrees with it. `seconds` is the length of a video.';

create or replace function private.make_media() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  kind constant text := split_part(new.metadata ->> 'mimetype', '/', 1);
  memory constant uuid := (storage.foldername(new.name))[1]::uuid;
  guest constant uuid := private.guest_id();
  name constant text := private.name_of_author(new.owner, guest);
  taken record;
begin
  select * into taken from private.date_of_evidence(
    private.evidence_of_upload(new.metadata ->> 'recorded', new.user_metadata ->> 'taken'),
    coalesce(new.user_metadata ->> 'filename', ''), (new.metadata ->> 'duration')::double precision);
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

create function private.evidence_of_upload(recorded text, exported text) returns jsonb language sql immutable set search_path = '' as $$
  -- A time with a zone is local; without one it may be in UTC.
  select jsonb_build_array(
    jsonb_build_object('kind', 'header', 'source', 'video', 'at', left(recorded, 19), 'local', length(recorded) > 19),
    jsonb_build_object('kind', 'export', 'source', 'takeout', 'at', left(exported, 19), 'local', length(exported) > 19))
$$;
comment on function private.evidence_of_upload is
  'The dates of a file that are known before its tags are read: of a movie''s header and of the export that it came with.';

create function private.date_photo(photo uuid, evidence jsonb) returns void language sql volatile set search_path = '' as $$
  update public.media_details d set file_taken_at = c.taken_at, file_taken_source = c.source,
    taken_source = case when d.taken_source = 'person' then d.taken_source else c.source end
  from public.media_details own
    left join storage.objects o on o.id = own.media_id
    cross join lateral private.date_of_evidence(
      -- The date of an imported account's export is in the row only.
      evidence || case own.file_taken_source when 'takeout' then private.evidence_of_upload(null, own.file_taken_at)
        else private.evidence_of_upload(null, o.user_metadata ->> 'taken') end,
      own.file_name, null) c
  where own.media_id = photo and d.media_id = own.media_id
$$;
comment on function private.date_photo is
  'Dates a photo by the tags in its file. A person''s date stays; the date of the file is stored beside it.';

-- Dates of existing rows change where the stored data suffice: headers of videos that a name corrects, and unset clocks.
-- A date that a person typed stays.
create temporary table redated on commit drop as
  select d.media_id, c.taken_at, c.source from public.media_details d
    join storage.objects o on o.id = d.media_id
    cross join lateral private.date_of_evidence(
      private.evidence_of_upload(
        case d.file_taken_source when 'video' then d.file_taken_at end,
        case d.file_taken_source when 'takeout' then d.file_taken_at else o.user_metadata ->> 'taken' end),
      d.file_name, (o.metadata ->> 'duration')::double precision) c
  where (d.file_taken_source = 'video' or not private.is_plausible_time(d.file_taken_at))
    and c.taken_at is distinct from d.file_taken_at;
update public.media_details d set file_taken_at = r.taken_at, file_taken_source = r.source,
  taken_source = case when d.taken_source = 'person' then d.taken_source else r.source end
from redated r where d.media_id = r.media_id;
update public.media m set taken_at = r.taken_at
from redated r join public.media_details d on d.media_id = r.media_id
where m.id = r.media_id and d.taken_source is distinct from 'person';

revoke execute on function private.is_plausible_time, private.date_of_evidence, private.evidence_of_upload, private.date_photo from public;
