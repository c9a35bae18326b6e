set local check_function_bodies = off;

-- The job of the notices read every unsent notice with a function for each row, and every reminder. Both have due times now.
create table private.notice_emails (
  notice_id uuid primary key references notices on delete cascade,
  user_id uuid not null references auth.users on delete cascade,
  due_at timestamptz not null default '-infinity'
);
comment on table private.notice_emails is
  'When the email about each unsent notice is due. Rows exist while notices.email_due_since is set; triggers insert and delete them.';
comment on column private.notice_emails.due_at is '-infinity until the job has computed it, and again when settings of its person change.';
create index notice_emails_due_at on private.notice_emails (due_at) include (user_id);
create index notice_emails_user_id on private.notice_emails (user_id, due_at);
alter table private.notice_emails enable row level security;

lock table notices in share row exclusive mode;
insert into private.notice_emails (notice_id, user_id) select n.id, n.user_id from notices n where n.email_due_since is not null;

create function private.schedule_new_notices() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into private.notice_emails (notice_id, user_id)
  select n.id, n.user_id from new_rows n where n.email_due_since is not null on conflict do nothing;
  return null;
end
$$;
comment on function private.schedule_new_notices is 'Adds new notices to those whose email is due.';
create trigger schedule_new_notices after insert on notices referencing new table as new_rows
  for each statement execute function private.schedule_new_notices();

create function private.reschedule_notice() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.email_due_since is null then
    delete from private.notice_emails e where e.notice_id = new.id;
  else
    insert into private.notice_emails (notice_id, user_id) values (new.id, new.user_id) on conflict do nothing;
  end if;
  return null;
end
$$;
comment on function private.reschedule_notice is 'Adds a notice to those whose email is due, or removes it.';
create trigger reschedule_notice after update of email_due_since on notices for each row
  when ((old.email_due_since is null) <> (new.email_due_since is null)) execute function private.reschedule_notice();

create function private.reschedule_notices_of() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  person constant uuid := case tg_op when 'DELETE' then old.user_id else new.user_id end;
begin
  -- Not those of a job that has locked them, which could otherwise wait for this transaction.
  update private.notice_emails e set due_at = '-infinity' where e.notice_id in (
    select l.notice_id from private.notice_emails l where l.user_id = person and l.due_at > '-infinity' for update skip locked);
  return null;
end
$$;
comment on function private.reschedule_notices_of is 'Has the due times of a person''s emails computed again after their settings changed.';
create trigger reschedule_notices after insert or delete on notice_settings for each row
  execute function private.reschedule_notices_of();
create trigger reschedule_changed_notices after update on notice_settings for each row
  when ((old.mail, old.time_zone, old.paused_until) is distinct from (new.mail, new.time_zone, new.paused_until))
  execute function private.reschedule_notices_of();
create trigger reschedule_notices after insert or delete on notice_preferences for each row
  execute function private.reschedule_notices_of();
create trigger reschedule_changed_notices after update on notice_preferences for each row
  when ((old.mail, old.paused_until) is distinct from (new.mail, new.paused_until))
  execute function private.reschedule_notices_of();

alter table memory_reminders add column due_at timestamptz not null default '-infinity';
comment on column memory_reminders.due_at is 'When the job looks at it next; -infinity after a change of the date, infinity for a date without a day.';
create index memory_reminders_due_at on memory_reminders (due_at);

create function private.reschedule_reminders() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.memory_reminders r set due_at = '-infinity' where r.memory_id = new.id;
  return null;
end
$$;
comment on function private.reschedule_reminders is 'Has the due times of a memory''s reminders computed again after its dates changed.';
create trigger reschedule_reminders after update on memories for each row
  when ((old.birth_date, old.passing_date, old.event_date) is distinct from (new.birth_date, new.passing_date, new.event_date))
  execute function private.reschedule_reminders();

revoke execute on all functions in schema private from public;
revoke execute on function private.schedule_new_notices, private.reschedule_notice, private.reschedule_notices_of, private.reschedule_reminders
  from anon, authenticated, service_role;

-- Other jobs read all photos and videos to find few.
create index media_prepared on media (id) where playback = 'ready' or motion = 'ready';
create index media_visitor_copies on media (id) where type = 'video' and visitor_copy = 'waiting';
