set local check_function_bodies = off;

create table private.job_states (
  process text not null,
  job text not null,
  status text not null,
  started_at timestamptz,
  succeeded_at timestamptz,
  failures integer not null,
  error_at timestamptz,
  error text,
  seen_at timestamptz not null default now(),
  primary key (process, job)
);
comment on table private.job_states is
  'What the jobs of each process of the server do, written by the processes themselves every few seconds. Rows of a process that is gone are deleted after an hour.';
alter table private.job_states enable row level security;

create table private.refusals (
  day date not null default (now() at time zone 'utc')::date,
  area text not null,
  count bigint not null,
  primary key (day, area)
);
comment on table private.refusals is 'Requests that a limit refused (429), by day and part of the server. Each process adds its own from time to time.';
alter table private.refusals enable row level security;

create function private.report_process(process text, states jsonb, refused jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.job_states (process, job, status, started_at, succeeded_at, failures, error_at, error)
  select report_process.process, s.name, s.status, s."startedAt", s."succeededAt", s.failures,
    (s.error ->> 'at')::timestamptz, left(s.error ->> 'message', 1000)
  from jsonb_to_recordset(states) s (name text, status text, "startedAt" timestamptz, "succeededAt" timestamptz, failures integer, error jsonb)
  on conflict on constraint job_states_pkey do update set status = excluded.status, started_at = excluded.started_at, succeeded_at = excluded.succeeded_at,
    failures = excluded.failures, error_at = excluded.error_at, error = excluded.error, seen_at = now();
  insert into private.refusals as known (area, count) select r.key, r.value::bigint from jsonb_each_text(refused) r
  on conflict (day, area) do update set count = known.count + excluded.count;
  delete from private.job_states s where s.seen_at < now() - interval '1 hour';
  delete from private.refusals r where r.day < current_date - 400;
end
$$;
comment on function private.report_process is 'Keeps what a process of the server tells of its jobs and of the requests that its limits refused since it last told.';

create function desk_system() returns jsonb language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_role('admin');
  return jsonb_build_object(
    'jobs', (
      select coalesce(jsonb_agg(to_jsonb(s) order by s.failures > 0 desc, s.job, s.process), '[]')
      from private.job_states s where s.seen_at > now() - interval '1 hour'),
    'refusals', (select coalesce(jsonb_object_agg(r.area, r.count), '{}') from private.refusals r where r.day = (now() at time zone 'utc')::date),
    'outbox', jsonb_build_object(
      'waiting', (select count(*) from private.outbox o where o.state = 'waiting'),
      'dead', (select count(*) from private.outbox o where o.state = 'dead')),
    'database_bytes', pg_database_size(current_database()),
    'database_version', current_setting('server_version'),
    'tables', (
      select jsonb_agg(to_jsonb(t)) from (
        select c.oid::regclass::text as name, pg_total_relation_size(c.oid) as bytes, greatest(c.reltuples, 0)::bigint as rows
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'r' and n.nspname in ('public', 'private', 'auth', 'storage') order by 2 desc, 1 limit 8) t),
    'storage', jsonb_build_object(
      'stored', (select coalesce(sum(u.stored), 0) from private.account_use u),
      'uploads', (select count(*) from storage.uploads u where u.finished_at is null),
      'upload_bytes', (select coalesce(sum(u.size), 0) from storage.uploads u where u.finished_at is null),
      'discarded', (select count(*) from storage.discarded),
      'orphans', (select count(*) from storage.objects o where o.bucket_id = 'media' and o.created_at < now() - interval '1 day'
        and not exists (select from public.media m where m.id = o.id))),
    'schema', (select max(m.name) from migrations.applied m where m.name like 'product/%'));
end
$$;
comment on function desk_system is
  'The state of the installation: jobs of every process, refusals of today, emails, and the sizes of database and storage. For administrators.';

create function desk_outbox(kind text default 'dead', before_at timestamptz default null, before_id uuid default null)
returns table (id uuid, medium text, template text, language text, recipient text, attempts integer, created_at timestamptz, due_at timestamptz,
  expired boolean, last_error text)
language plpgsql stable security definer set search_path = '' as $$
declare
  last_id constant uuid := coalesce(before_id, case when kind = 'dead' then 'ffffffff-ffff-ffff-ffff-ffffffffffff' else '00000000-0000-0000-0000-000000000000' end::uuid);
begin
  perform private.require_role('admin');
  if kind = 'dead' then
    return query select o.id, o.kind, o.template, o.language, o.recipient, o.attempts, o.created_at, o.settled_at,
        coalesce(o.expires_at < now(), false), o.last_error
      from private.outbox o where o.state = 'dead' and (o.settled_at, o.id) < (coalesce(before_at, 'infinity'), last_id)
      order by o.settled_at desc, o.id desc limit 50;
  else
    return query select o.id, o.kind, o.template, o.language, o.recipient, o.attempts, o.created_at, o.next_attempt_at,
        coalesce(o.expires_at < now(), false), o.last_error
      from private.outbox o where o.state = 'waiting' and o.next_attempt_at >= coalesce(before_at, '-infinity')
        and (o.next_attempt_at, o.id) > (coalesce(before_at, '-infinity'), last_id)
      order by o.next_attempt_at, o.id limit 50;
  end if;
end
$$;
comment on function desk_outbox is
  'Fifty emails and text messages: those that were given up, the newest first, or those that wait, the next first. Never what is in them. For administrators.';

create function retry_message(message uuid, reason text default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  found_one private.outbox;
begin
  perform private.require_role('admin');
  select * into found_one from private.outbox o where o.id = message and o.state in ('dead', 'waiting') for update;
  if not found then
    raise exception 'There is no such message to send again.' using errcode = 'PT404', hint = 'not_found';
  end if;
  if found_one.expires_at < now() then
    raise exception 'What this message holds has expired.' using errcode = 'PT410', hint = 'expired';
  end if;
  update private.outbox o set state = 'waiting', settled_at = null, attempts = 0, next_attempt_at = now() where o.id = message;
  perform pg_notify('outbox', '');
  perform private.record_action('outbox.retry', message::text, jsonb_build_object('state', found_one.state),
    jsonb_build_object('template', found_one.template), reason);
  return jsonb_build_object('id', message, 'template', found_one.template);
end
$$;
comment on function retry_message is 'Sends a message again that was given up, or one that waits, at once. For administrators and the command line.';

-- The log is read by day, and so are the parts of it that somebody looks for.
drop index audit_log_action;
drop index audit_log_subject;
drop index audit_log_actor;
create index audit_log_newest on audit_log (happened_at desc, id desc);
create index audit_log_action on audit_log (action, happened_at desc, id desc);
create index audit_log_subject on audit_log (subject, happened_at desc, id desc);
create index audit_log_actor on audit_log (actor, happened_at desc, id desc);

revoke execute on function private.report_process from public, anon, authenticated, service_role;
revoke execute on function desk_system, desk_outbox, retry_message from public, anon;
grant execute on function desk_system, desk_outbox, retry_message to authenticated, service_role;
