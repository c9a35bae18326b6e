set local check_function_bodies = off;

create table private.file_failures (
  object_id uuid not null references storage.objects on delete cascade,
  job text not null check (job in ('photos', 'covers', 'video-streams', 'video-copies', 'motions')),
  reason text not null check (length(reason) <= 500),
  same integer not null default 1,
  failures integer not null default 1,
  first_failed_at timestamptz not null default now(),
  failed_at timestamptz not null default now(),
  given_up_at timestamptz,
  primary key (object_id, job)
);
comment on table private.file_failures is
  'Jobs that failed for a file and have not succeeded since: how often, how often in the same way, and when they were given up. Deleted when the job succeeds.';
create index file_failures_given_up_at on private.file_failures (given_up_at desc) where given_up_at is not null;
alter table private.file_failures enable row level security;

create function desk_file_failures() returns jsonb language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role('admin');
  return jsonb_build_object(
    'given_up', (select count(*) from private.file_failures f where f.given_up_at is not null),
    'retried', (select count(*) from private.file_failures f where f.given_up_at is null),
    'files', (
      select coalesce(jsonb_agg(to_jsonb(l)), '[]') from (
        select f.object_id, f.job, f.reason, f.failures, f.failed_at, f.given_up_at, o.metadata ->> 'mimetype' as mime_type,
          (o.metadata ->> 'size')::bigint as size
        from private.file_failures f join storage.objects o on o.id = f.object_id
        order by f.given_up_at is null, f.failed_at desc, f.object_id limit 50) l));
end
$$;
comment on function desk_file_failures is
  'How many files could not be prepared, and the newest fifty: those that were given up first, then those that are tried again. Never a name or a memory. For administrators.';

create function retry_file(object uuid, job text, reason text default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  failure private.file_failures;
begin
  perform private.require_role('admin');
  delete from private.file_failures f where f.object_id = object and f.job = retry_file.job and f.given_up_at is not null
  returning * into failure;
  if failure.object_id is null then
    raise exception 'There is no such file to prepare again.' using errcode = 'PT404', hint = 'not_found';
  end if;
  case retry_file.job
    when 'photos' then
      delete from private.media_claims c where c.media_id = object;
      update public.media m set state = 'waiting' where m.id = object and m.type = 'image';
      perform pg_notify('media_waiting', '');
    when 'video-copies' then
      delete from private.playback_claims c where c.media_id = object;
      update public.media m set playback = 'waiting', playback_progress = null,
        visitor_copy = case m.visitor_copy when 'failed' then 'waiting' else m.visitor_copy end,
        state = case m.state when 'broken' then 'ready' else m.state end
      where m.id = object and m.playback = 'failed';
      perform pg_notify('media_waiting', '');
    when 'video-streams' then
      insert into private.video_copies (media_id) values (object)
      on conflict (media_id) do update set attempts = 0, until = '-infinity';
      update public.media m set visitor_copy = 'waiting' where m.id = object and m.visitor_copy = 'failed';
      perform pg_notify('video_stored', '');
    when 'motions' then
      -- A trigger adds it to the queue.
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
comment on function retry_file is 'Prepares a file again that a job had given up. For administrators.';

revoke execute on function desk_file_failures, retry_file from public, anon;
grant execute on function desk_file_failures, retry_file to authenticated, service_role;
