-- Papers: PDFs and scans with several pages are pictures with pages. Their first page is their picture.
update storage.buckets set allowed_mime_types = allowed_mime_types || '{application/pdf}' where id = 'media';

alter table media add column pages smallint constraint media_pages_check check (pages is null or pages between 1 and 500 and type = 'image');
comment on column media.pages is 'Of a paper: the number of its pages that are shown, 1 until they are counted. Null for all others.';
alter table media drop constraint media_alt_text_check;
alter table media add constraint media_alt_text_check check (length(alt_text) <= case type when 'video' then 1000 else 20000 end);
comment on column media.alt_text is 'Description for people who cannot see it; of a recording, the words that are said; of a paper, its text.';
comment on table media is 'A photo, video, recording or paper of a memory, with the columns that every viewer may read: one row for each stored object. Visible to everybody who can see the memory.';

CREATE OR REPLACE FUNCTION private.make_media()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  is_pdf constant boolean := new.metadata ->> 'mimetype' = 'application/pdf';
  kind constant text := case when is_pdf then 'image' else split_part(new.metadata ->> 'mimetype', '/', 1) end;
  memory constant uuid := (storage.foldername(new.name))[1]::uuid;
  guest constant uuid := private.guest_id();
  name constant text := private.name_of_author(new.owner, guest);
  taken record;
begin
  select * into taken from private.date_of_evidence(
    private.evidence_of_upload(new.metadata ->> 'recorded', new.user_metadata ->> 'taken'),
    coalesce(new.user_metadata ->> 'filename', ''), (new.metadata ->> 'duration')::double precision);
  insert into public.media (id, memory_id, type, size, object_name, width, height, duration, taken_at, state, moderation, visitor_copy, pages)
  values (
    new.id, memory, kind, (new.metadata ->> 'size')::bigint, new.name,
    (new.metadata ->> 'width')::integer, (new.metadata ->> 'height')::integer, (new.metadata ->> 'duration')::real,
    taken.taken_at, case when kind in ('video', 'audio') then 'ready' else 'waiting' end,
    case when auth.role() in ('anon', 'authenticated') then private.initial_moderation(memory) else 'shown' end,
    case when kind in ('video', 'audio') then 'waiting' end, case when is_pdf then 1 end
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

drop trigger limit_images on storage.objects;
create trigger limit_images before insert on storage.objects for each row
when (new.bucket_id = 'media' and (new.metadata ->> 'size')::bigint
  > case when new.metadata ->> 'mimetype' like 'image/%' then 50 when new.metadata ->> 'mimetype' = 'application/pdf' then 100 end::bigint * 1024 * 1024)
execute function private.limit_images();
comment on function private.limit_images() is 'Refuses a photo or paper that is too large. The limit of the bucket is that of videos.';
