-- One queue for the work that jobs do item by item. server/jobs/queue.ts claims its rows.
create table private.work (
  kind text not null,
  subject uuid not null,
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  seconds real not null default 0,
  claim uuid,
  primary key (subject, kind)
);
comment on table private.work is 'Work that jobs do item by item: a row until it is done or given up. A claim is a lease, which ends when the row is due again.';
comment on column private.work.kind is 'The job.';
comment on column private.work.subject is 'What the job works on, e.g. the id of a photo.';
comment on column private.work.attempts is 'Attempts that have begun, without those whose failures are counted elsewhere.';
comment on column private.work.due_at is 'When it is done next: since when it waits, the end of a pause, or the end of a claim.';
comment on column private.work.seconds is 'The length of a video or recording. Short ones come first.';
comment on column private.work.claim is 'The claim of the process that works on it, or did until it ended.';
create index work_due_at on private.work (kind, due_at);
alter table private.work enable row level security;

create function private.notify_work() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pg_notify('work', new.kind);
  return null;
end
$$;
create trigger notify after insert on private.work for each row execute function private.notify_work();

create function private.enqueue_work() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  item constant jsonb := to_jsonb(new);
begin
  insert into private.work (kind, subject, due_at, seconds)
  values (tg_argv[0], (item ->> tg_argv[1])::uuid, (item ->> tg_argv[2])::timestamptz,
    case tg_argv[0] when 'video-copies' then coalesce((item ->> 'duration')::real, (item ->> 'size')::real / 1e6) else 0 end)
  on conflict (subject, kind) do nothing;
  return null;
end
$$;
comment on function private.enqueue_work() is 'Enqueues a row whose state is "waiting". Arguments: the kind of work, the columns of the id and of the time since when it waits. A container that was not read yet has about a megabyte for each second.';

create function private.end_work() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from private.work w where w.subject = (to_jsonb(old) ->> tg_argv[0])::uuid;
  return null;
end
$$;
comment on function private.end_work() is 'Deletes the work on a deleted row. Argument: the column of its id.';
create trigger end_work after delete on media for each row execute function private.end_work('id');

-- The version before claims in tables of its own. While it still runs, its claims and those in private.work exclude each other.
create function private.follow_earlier_claim() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  existing boolean;
begin
  if tg_op = 'DELETE' then
    delete from private.work w where w.kind = tg_argv[0] and w.subject = old.media_id;
    return null;
  end if;
  if tg_op = 'INSERT' then
    -- Its statement updates an existing row, which is followed then. A row of the queue itself is no claim.
    execute format('select exists (select from %s where media_id = $1)', tg_relid::regclass) into existing using new.media_id;
    if existing or new.until = '-infinity' then
      return new;
    end if;
  end if;
  if tg_op = 'UPDATE' and new.attempts <= old.attempts then
    update private.work w set due_at = new.until, attempts = w.attempts + new.attempts - old.attempts
    where w.kind = tg_argv[0] and w.subject = new.media_id and w.claim is null;
  else
    update private.work w set due_at = new.until, attempts = w.attempts + 1, claim = null
    where w.kind = tg_argv[0] and w.subject = new.media_id and w.due_at <= now();
  end if;
  return case when found then new end;
end
$$;
comment on function private.follow_earlier_claim() is 'For the version before, until the next one: its claim takes a row of private.work, and is refused while another process holds that. Argument: the kind of work.';

create function private.show_to_earlier_version() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    execute format('insert into private.%I (media_id) values ($1) on conflict do nothing', tg_argv[0]) using new.subject;
  else
    execute format('delete from private.%I where media_id = $1', tg_argv[0]) using old.subject;
  end if;
  return null;
end
$$;
comment on function private.show_to_earlier_version() is 'For the version before, until the next one: keeps its queue like private.work. Argument: its table.';

-- The videos of photos.
insert into private.work (kind, subject, attempts, due_at)
select 'motions', c.media_id, c.attempts, greatest(c.until, m.created_at) from private.motion_claims c join media m on m.id = c.media_id;
drop trigger enqueue_motion on media;
drop function private.enqueue_motion();
create trigger enqueue_motion after insert or update of motion on media
  for each row when (new.motion = 'waiting') execute function private.enqueue_work('motions', 'id', 'created_at');
create trigger follow_earlier_claim before insert or update on private.motion_claims
  for each row execute function private.follow_earlier_claim('motions');
create trigger follow_earlier_end after delete on private.motion_claims
  for each row execute function private.follow_earlier_claim('motions');
create trigger show_new_motion after insert on private.work
  for each row when (new.kind = 'motions') execute function private.show_to_earlier_version('motion_claims');
create trigger show_ended_motion after delete on private.work
  for each row when (old.kind = 'motions') execute function private.show_to_earlier_version('motion_claims');

revoke execute on function private.notify_work, private.enqueue_work, private.end_work, private.follow_earlier_claim,
  private.show_to_earlier_version from public, anon, authenticated, service_role;
