-- Recordings: voices and songs are kept, played everywhere and counted as a kind of their own.
update storage.buckets set allowed_mime_types = allowed_mime_types || '{audio/mp4,audio/mpeg,audio/aac,audio/wav,audio/aiff,audio/flac,audio/ogg,audio/webm,audio/matroska,audio/amr,audio/x-caf,audio/x-ms-wma}'
where id = 'media';

alter table media drop constraint media_type_check;
alter table media add constraint media_type_check check (type in ('image', 'video', 'audio'));
alter table media add constraint media_cover_check check (not is_cover or type <> 'audio');
alter table media add column peaks text constraint media_peaks_check check (peaks ~ '^[0-9a-z]{1,240}$');
alter table media drop constraint media_alt_text_check;
alter table media add constraint media_alt_text_check check (length(alt_text) <= case type when 'audio' then 20000 else 1000 end);
comment on column media.alt_text is 'Description for people who cannot see it; of a recording, the words that are said.';
comment on table media is 'A photo, video or recording of a memory, with the columns that every viewer may read: one row for each stored object. Visible to everybody who can see the memory.';
comment on column media.duration is 'Length of a video or recording in seconds; null until known.';
comment on column media.peaks is 'Of a recording: its loudness in equal parts of its length, each from 0 to z (35). Null for all others, and until it is known.';
comment on column media.visitor_copy is 'Of a video or recording: whether people who do not get its original can play it: waiting until a copy without private data is made, ready, or failed because none can be made. Null for photos.';
comment on column media.playback is 'State of the copy of a video or recording that plays in every browser: null if none is made, unneeded if the original does.';

drop index media_unplayable;
create index media_unplayable on media (created_at) where type in ('video', 'audio') and (playback is null or playback in ('waiting', 'making'));
drop index media_visitor_copies;
create index media_visitor_copies on media (id) where type in ('video', 'audio') and visitor_copy = 'waiting';
drop trigger enqueue_video_copy on media;
create trigger enqueue_video_copy after insert on media for each row when (new.type in ('video', 'audio')) execute function private.enqueue_video_copy();
comment on function private.enqueue_video_copy() is 'Enqueues a new video or recording for copying its streams.';

CREATE OR REPLACE FUNCTION private.make_media()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    taken.taken_at, case when kind in ('video', 'audio') then 'ready' else 'waiting' end,
    case when auth.role() in ('anon', 'authenticated') then private.initial_moderation(memory) else 'shown' end,
    case when kind in ('video', 'audio') then 'waiting' end
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
$function$;

-- Sums of memories count recordings beside photos and videos.
alter table private.media_sums add column recordings integer not null default 0;
alter table private.media_sums alter column recordings drop default;
comment on column private.media_sums.images is 'Photos that are in a list: neither in the trash nor attached to others. So are videos and recordings.';
drop index private.media_sums_account;
create index media_sums_account on private.media_sums (account, memory_id) include (images, videos, recordings, bytes, bytes_in_trash, largest);
drop function private.add_to_sums(uuid, bigint, bigint, bigint, bigint, bigint);

CREATE OR REPLACE FUNCTION private.add_to_sums(of_memory uuid, images bigint, videos bigint, recordings bigint, bytes bigint, bytes_in_trash bigint, largest bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.media_sums (memory_id, account, images, videos, recordings, bytes, bytes_in_trash, largest)
  -- Not for a memory that this transaction deletes.
  select m.id, m.user_id, add_to_sums.images, add_to_sums.videos, add_to_sums.recordings, add_to_sums.bytes, add_to_sums.bytes_in_trash, add_to_sums.largest
  from public.memories m where m.id = of_memory;
  if (select count(*) from (select from private.media_sums s where s.memory_id = of_memory limit private.most_ledger_rows() + 1) s)
    > private.most_ledger_rows() then
    perform private.merge_sums(of_memory);
  end if;
end
$function$;
comment on function private.add_to_sums(uuid,bigint,bigint,bigint,bigint,bigint,bigint) is 'Changes the sums of a memory by differences; largest is the size of the largest item that came.';
revoke execute on function private.add_to_sums(uuid, bigint, bigint, bigint, bigint, bigint, bigint) from public, anon, authenticated, service_role;

CREATE OR REPLACE FUNCTION private.merge_sums(of_memory uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with merged as (
    delete from private.media_sums s where s.ctid = any (array(
      select l.ctid from private.media_sums l where l.memory_id = of_memory for update skip locked))
    returning s.*
  )
  insert into private.media_sums (memory_id, account, images, videos, recordings, bytes, bytes_in_trash, largest)
  select of_memory, m.user_id, sum(s.images), sum(s.videos), sum(s.recordings), sum(s.bytes), sum(s.bytes_in_trash),
    -- Items of transactions that have not committed are in the rows that those add.
    coalesce((select x.size from public.media x where x.memory_id = of_memory and x.moderation not in ('deleted', 'attached')
      order by x.size desc limit 1), 0)
  from merged s join public.memories m on m.id = of_memory group by m.user_id
$function$;
comment on function private.merge_sums(uuid) is 'Merges the rows of a memory in the ledger of sums into one.';

CREATE OR REPLACE FUNCTION private.counted_sums(of_account uuid DEFAULT NULL::uuid)
 RETURNS SETOF private.media_sums
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select m.id, m.user_id,
    (count(*) filter (where x.type = 'image' and x.moderation not in ('deleted', 'attached')))::integer,
    (count(*) filter (where x.type = 'video' and x.moderation not in ('deleted', 'attached')))::integer,
    coalesce(sum(x.size + x.poster_size) filter (where x.moderation <> 'deleted'), 0)::bigint,
    coalesce(sum(x.size + x.poster_size) filter (where x.moderation = 'deleted'), 0)::bigint,
    coalesce(max(x.size) filter (where x.moderation not in ('deleted', 'attached')), 0),
    (count(*) filter (where x.type = 'audio' and x.moderation not in ('deleted', 'attached')))::integer
  from public.memories m join public.media x on x.memory_id = m.id
  where of_account is null or m.user_id = of_account group by m.id
$function$;
comment on function private.counted_sums(uuid) is 'What the rows of private.media_sums have to add up to, counted from photos, videos and recordings.';

CREATE OR REPLACE FUNCTION private.sum_media()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'INSERT' then
    perform private.add_to_sums(x.memory_id, x.images, x.videos, x.recordings, x.bytes, x.bytes_in_trash, x.largest) from (
      select n.memory_id, count(*) filter (where n.type = 'image' and n.moderation not in ('deleted', 'attached')) as images,
        count(*) filter (where n.type = 'video' and n.moderation not in ('deleted', 'attached')) as videos,
        count(*) filter (where n.type = 'audio' and n.moderation not in ('deleted', 'attached')) as recordings,
        coalesce(sum(n.size + n.poster_size) filter (where n.moderation <> 'deleted'), 0)::bigint as bytes,
        coalesce(sum(n.size + n.poster_size) filter (where n.moderation = 'deleted'), 0)::bigint as bytes_in_trash,
        coalesce(max(n.size) filter (where n.moderation not in ('deleted', 'attached')), 0) as largest
      from new_rows n group by n.memory_id) x;
  elsif tg_op = 'DELETE' then
    perform private.add_to_sums(x.memory_id, -x.images, -x.videos, -x.recordings, -x.bytes, -x.bytes_in_trash, 0) from (
      select o.memory_id, count(*) filter (where o.type = 'image' and o.moderation not in ('deleted', 'attached')) as images,
        count(*) filter (where o.type = 'video' and o.moderation not in ('deleted', 'attached')) as videos,
        count(*) filter (where o.type = 'audio' and o.moderation not in ('deleted', 'attached')) as recordings,
        coalesce(sum(o.size + o.poster_size) filter (where o.moderation <> 'deleted'), 0)::bigint as bytes,
        coalesce(sum(o.size + o.poster_size) filter (where o.moderation = 'deleted'), 0)::bigint as bytes_in_trash
      from old_rows o group by o.memory_id) x;
  else
    perform private.add_to_sums(x.memory_id, x.images, x.videos, x.recordings, x.bytes, x.bytes_in_trash, x.largest) from (
      select c.memory_id, coalesce(sum(c.sign) filter (where c.type = 'image' and c.moderation not in ('deleted', 'attached')), 0) as images,
        coalesce(sum(c.sign) filter (where c.type = 'video' and c.moderation not in ('deleted', 'attached')), 0) as videos,
        coalesce(sum(c.sign) filter (where c.type = 'audio' and c.moderation not in ('deleted', 'attached')), 0) as recordings,
        coalesce(sum(c.sign * c.bytes) filter (where c.moderation <> 'deleted'), 0)::bigint as bytes,
        coalesce(sum(c.sign * c.bytes) filter (where c.moderation = 'deleted'), 0)::bigint as bytes_in_trash,
        coalesce(max(c.size) filter (where c.sign = 1 and c.moderation not in ('deleted', 'attached')), 0) as largest
      from (
        select side.* from new_rows n join old_rows o using (id)
        cross join lateral (values (-1, o.memory_id, o.type, o.moderation, o.size, o.size + o.poster_size),
          (1, n.memory_id, n.type, n.moderation, n.size, n.size + n.poster_size)) side (sign, memory_id, type, moderation, size, bytes)
        where (n.memory_id, n.type, n.moderation, n.size, n.poster_size) is distinct from (o.memory_id, o.type, o.moderation, o.size, o.poster_size)
      ) c group by c.memory_id) x
    where x.images <> 0 or x.videos <> 0 or x.recordings <> 0 or x.bytes <> 0 or x.bytes_in_trash <> 0 or x.largest <> 0;
  end if;
  return null;
end
$function$;
comment on function private.sum_media() is 'Adds what changed to the sums of memories.';

CREATE OR REPLACE FUNCTION public.storage_by_memory(already integer DEFAULT 0, most integer DEFAULT 20)
 RETURNS TABLE(memory_id uuid, name text, bytes bigint, items bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
begin
  if not private.has_required_aal() then
    raise exception 'This needs your second factor' using errcode = '42501';
  end if;
  return query
    with own as (
      -- From an index alone.
      select m.id from public.memories m where m.user_id = auth.uid() and m.deleted_at is null
    ), sums as (
      select s.memory_id, sum(s.bytes) as bytes, sum(s.images + s.videos + s.recordings) as items from private.media_sums s
      where s.account = auth.uid() group by s.memory_id
    ), first as (
      -- Names are read of these only: of all that may be on the page, whose order among equal sizes is that of their names.
      select own.id, coalesce(s.bytes, 0)::bigint as bytes, coalesce(s.items, 0)::bigint as items
      from own left join sums s on s.memory_id = own.id
      order by 2 desc fetch first (greatest(already, 0) + greatest(least(most, 100), 0)) rows with ties
    )
    select m.id, m.person_name, f.bytes, f.items from first f join public.memories m on m.id = f.id
    order by 3 desc, m.person_name, m.id
    offset already limit least(most, 100);
end
$function$;
comment on function public.storage_by_memory(integer,integer) is 'Bytes and items of the signed-in person''s own memories, the largest first: at most 100 after an offset.';

CREATE OR REPLACE FUNCTION public.storage_stats()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me constant uuid := auth.uid();
  most constant integer := 20;
  memory record;
  largest bigint[] := '{}';
  candidates uuid[] := '{}';
  -- From an index alone.
  own constant uuid[] := array(select m.id from public.memories m where m.user_id = me and m.deleted_at is null);
  own_and_deleted constant uuid[] := array(select m.id from public.memories m where m.user_id = me);
begin
  for memory in
    select s.memory_id as id, max(s.largest) as largest from private.media_sums s
    where s.account = me and s.memory_id = any (own) group by s.memory_id order by 2 desc
  loop
    -- No item of the memories that follow is larger.
    exit when cardinality(largest) >= most and memory.largest < largest[most];
    select array_agg(c.size order by c.size desc, c.id), array_agg(c.id order by c.size desc, c.id) into largest, candidates from (
      select u.size, u.id from (
        select * from unnest(largest, candidates) k (size, id)
        union all
        (select x.size, x.id from public.media x where x.memory_id = memory.id and x.moderation not in ('deleted', 'attached')
          order by x.size desc, x.id limit most)) u
      order by u.size desc, u.id limit most) c;
    largest := coalesce(largest, '{}');
    candidates := coalesce(candidates, '{}');
  end loop;
  return public.storage_use() || (
    with sums as (
      select coalesce(sum(s.images) filter (where s.is_own), 0) as images, coalesce(sum(s.videos) filter (where s.is_own), 0) as videos,
        coalesce(sum(s.recordings) filter (where s.is_own), 0) as recordings,
        coalesce(sum(s.bytes_in_trash), 0) + coalesce(sum(s.bytes) filter (where not s.is_own), 0) as trash
      from (select l.*, l.memory_id = any (own) as is_own from private.media_sums l
        where l.account = me and l.memory_id = any (own_and_deleted)) s
    ), items as (
      select x.id, x.memory_id, m.person_name as memory_name, x.type, x.size, x.object_name,
        x.poster_name, x.placeholder, x.width, x.height, x.duration, x.created_at, d.mime_type, d.file_name
      from public.media x join public.memories m on m.id = x.memory_id
      join public.media_details d on d.media_id = x.id where x.id = any (candidates)
    ), of_others as (
      select case t.kind
        when 'media' then (select sum(x.size + x.poster_size) from public.media x where x.id = t.id or x.motion_of = t.id)
        when 'memory' then (select sum(s.bytes + s.bytes_in_trash) from private.media_sums s where s.memory_id = t.id)
        else 0 end as bytes
      from public.trash t join public.memories m on m.id = t.memory_id
      where t.account = me and (t.deleted_by < me or t.deleted_by > me or t.deleted_by is null) and (m.deleted_at is null or t.kind = 'memory')
    )
    select jsonb_build_object(
      'imageCount', (select images from sums),
      'videoCount', (select videos from sums),
      'recordingCount', (select recordings from sums),
      'trash', (select jsonb_build_object('bytes', (select trash from sums),
        'bytesOfOthers', coalesce(sum(bytes), 0), 'itemsOfOthers', count(*)) from of_others),
      'largest', (select coalesce(jsonb_agg(to_jsonb(l) order by l.size desc, l.id), '[]') from items l)
    )
  );
end
$function$;
comment on function public.storage_stats() is 'Storage used by the signed-in person''s own memories (Spec §3): bytes in total and in the trash, counts, and the twenty largest items. The trash is included only in the bytes.';

CREATE OR REPLACE FUNCTION public.set_cover(media_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  memory uuid := (select m.memory_id from public.media m
    where m.id = media_id and m.moderation not in ('deleted', 'attached') and m.type <> 'audio'
      and private.is_manager(m.memory_id));
begin
  if memory is null then
    raise exception 'This photo is not in one of your memories.' using errcode = 'PT404';
  end if;
  update public.media set is_cover = false where memory_id = memory and is_cover and id <> media_id;
  update public.media set is_cover = true where id = media_id;
  -- The focal point of the previous cover does not apply.
  update public.memories set cover_x = 0.5, cover_y = 0.5 where id = memory and (cover_x, cover_y) <> (0.5, 0.5);
end
$function$;
comment on function public.set_cover(uuid) is 'Makes a photo the cover of its memory. Only for managers.';
