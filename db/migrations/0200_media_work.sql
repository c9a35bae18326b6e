-- Photos, the streams of videos and their copies that play everywhere are work of the queue, too.
insert into private.work (kind, subject, attempts, due_at)
select 'photos', m.id, coalesce(c.attempts, 0), greatest(c.until, m.created_at)
from media m left join private.media_claims c on c.media_id = m.id where m.state = 'waiting';
insert into private.work (kind, subject, attempts, due_at)
select 'video-streams', m.id, c.attempts, greatest(c.until, m.created_at) from private.video_copies c join media m on m.id = c.media_id;
insert into private.work (kind, subject, attempts, due_at, seconds)
select 'video-copies', m.id, coalesce(c.attempts, 0), greatest(c.until, m.created_at), coalesce(m.duration, m.size / 1e6)
from media m left join private.playback_claims c on c.media_id = m.id
where m.type in ('video', 'audio') and m.moderation <> 'attached' and m.playback in ('waiting', 'making');

drop trigger enqueue_video_copy on media;
drop function private.enqueue_video_copy();
create trigger enqueue_photo after insert or update of state on media
  for each row when (new.state = 'waiting') execute function private.enqueue_work('photos', 'id', 'created_at');
create trigger enqueue_streams after insert or update of visitor_copy on media
  for each row when (new.visitor_copy = 'waiting') execute function private.enqueue_work('video-streams', 'id', 'created_at');
create trigger enqueue_copy after insert or update of playback on media
  for each row when (new.playback = 'waiting') execute function private.enqueue_work('video-copies', 'id', 'created_at');

create trigger follow_earlier_claim before insert or update on private.media_claims
  for each row execute function private.follow_earlier_claim('photos');
create trigger follow_earlier_end after delete on private.media_claims
  for each row execute function private.follow_earlier_claim('photos');
create trigger follow_earlier_claim before insert or update on private.playback_claims
  for each row execute function private.follow_earlier_claim('video-copies');
create trigger follow_earlier_end after delete on private.playback_claims
  for each row execute function private.follow_earlier_claim('video-copies');
create trigger follow_earlier_claim before insert or update on private.video_copies
  for each row execute function private.follow_earlier_claim('video-streams');
create trigger follow_earlier_end after delete on private.video_copies
  for each row execute function private.follow_earlier_claim('video-streams');
create trigger show_new_streams after insert on private.work
  for each row when (new.kind = 'video-streams') execute function private.show_to_earlier_version('video_copies');
create trigger show_ended_streams after delete on private.work
  for each row when (old.kind = 'video-streams') execute function private.show_to_earlier_version('video_copies');

create or replace function private.join_to_photo(item uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  own public.media_details;
  kind text;
  other uuid;
  photo uuid;
  part public.media;
begin
  select * into own from public.media_details d where d.media_id = item;
  select case when own.mime_type like 'image/x-%' then 'raw' else m.type end into kind from public.media m where m.id = item;
  -- Of two that arrive at once the second finds the first. One lock for this and for times, so that no two wait in a circle.
  perform pg_advisory_xact_lock(hashtextextended('media of a day ' || own.memory_id, 0));
  select c.media_id into other from (
    select d.media_id, 1 as rank from public.media_details d
    where d.memory_id = own.memory_id and d.content_identifier = own.content_identifier
    union all
    select d.media_id, 2 from public.media_details d
    where d.memory_id = own.memory_id and private.name_stem(d.file_name) = private.name_stem(own.file_name)
  ) c join public.media m on m.id = c.media_id
  where case kind when 'image' then private.are_one_item(item, c.media_id) else private.are_one_item(c.media_id, item) end
  order by c.rank, m.created_at, m.id limit 1;
  if other is null then
    return;
  end if;
  photo := case kind when 'image' then item else other end;
  select * into part from public.media m where m.id = case kind when 'image' then other else item end for update;
  perform from public.media m where m.id = photo for update;
  if not private.are_one_item(photo, part.id) then
    return;
  end if;
  update public.media m set motion_of = photo, moderation = 'attached', is_cover = false, position = null where m.id = part.id;
  update public.media m set motion = case part.type when 'video' then 'waiting' else m.motion end, is_cover = m.is_cover or part.is_cover,
    position = coalesce(m.position, part.position),
    caption = coalesce(nullif(m.caption, ''), part.caption), alt_text = coalesce(nullif(m.alt_text, ''), part.alt_text)
  where m.id = photo;
  if part.taken_at is not null and exists (select from public.media m where m.id = photo and m.taken_at is null) then
    update public.media_details d set taken_source = v.taken_source, file_taken_at = v.file_taken_at, file_taken_source = v.file_taken_source
    from public.media_details v where d.media_id = photo and v.media_id = part.id;
    update public.media m set taken_at = (select d.taken_at from public.media_details d where d.media_id = part.id) where m.id = photo;
  end if;
  -- What was said and made of the other file is the item's.
  update public.comments c set media_id = photo where c.media_id = part.id;
  update public.reactions r set media_id = photo where r.media_id = part.id and not exists (select from public.reactions x
    where x.media_id = photo and x.kind = r.kind and x.user_id is not distinct from r.user_id and x.guest_id is not distinct from r.guest_id);
  update public.memory_entries e set media_id = photo where e.media_id = part.id;
  update public.albums a set cover_media_id = photo where a.cover_media_id = part.id;
  update public.notices n set media_id = photo where n.media_id = part.id;
  delete from private.work w where w.subject = part.id and w.kind in ('video-streams', 'video-copies');
end
$$;

create or replace function public.retry_file(object uuid, job text, reason text default null) returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  failure private.file_failures;
begin
  perform private.require_role('admin');
  delete from private.file_failures f where f.object_id = object and f.job = retry_file.job and f.given_up_at is not null
  returning * into failure;
  if failure.object_id is null then
    raise exception 'There is no such file to prepare again.' using errcode = 'PT404', hint = 'not_found';
  end if;
  -- Triggers enqueue what waits.
  case retry_file.job
    when 'photos' then
      update public.media m set state = 'waiting' where m.id = object and m.type = 'image';
    when 'video-copies' then
      update public.media m set playback = 'waiting', playback_progress = null,
        visitor_copy = case m.visitor_copy when 'failed' then 'waiting' else m.visitor_copy end,
        state = case m.state when 'broken' then 'ready' else m.state end
      where m.id = object and m.playback = 'failed';
    when 'video-streams' then
      insert into private.work (kind, subject) values ('video-streams', object) on conflict (subject, kind) do nothing;
      update public.media m set visitor_copy = 'waiting' where m.id = object and m.visitor_copy = 'failed';
    when 'motions' then
      update public.media m set motion = 'waiting' where m.id = object and m.motion = 'failed';
    else
      update public.blog_posts p set cover_placeholder = null
      where p.cover = (select o.name from storage.objects o where o.id = object) and p.cover_placeholder = '';
      perform pg_notify('cover_waiting', '');
  end case;
  perform private.record_action('file.retry', object::text, jsonb_build_object('job', failure.job, 'reason', failure.reason), null, reason);
  return jsonb_build_object('id', object, 'job', failure.job);
end
$$;
