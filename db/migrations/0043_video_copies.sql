alter table media add column visitor_copy text check (visitor_copy in ('waiting', 'ready', 'failed'));
comment on column media.visitor_copy is
  'Of a video: whether those who do not get its original can play it: waiting until a copy without private data is made, ready, or failed because none can be made. Null for photos.';

create table private.video_copies (
  media_id uuid primary key references media on delete cascade,
  attempts integer not null default 0,
  until timestamptz not null default '-infinity'
);
comment on table private.video_copies is
  'Videos whose streams are still to be copied into a file without private data. A worker claims a row until a time and deletes it when the copy is made.';
alter table private.video_copies enable row level security;
create index video_copies_until on private.video_copies (until);

create function private.enqueue_video_copy() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into private.video_copies (media_id) values (new.id);
  perform pg_notify('video_stored', '');
  return null;
end
$$;
comment on function private.enqueue_video_copy is 'Enqueues the copying of a new video''s streams.';
revoke execute on function private.enqueue_video_copy from public;
create trigger enqueue_video_copy after insert on media for each row
  when (new.type = 'video') execute function private.enqueue_video_copy();
