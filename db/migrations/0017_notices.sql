set local check_function_bodies = off;

create table notices (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  memory_id uuid references memories on delete cascade,
  kind text not null check (kind in ('comment', 'answer', 'mention', 'added', 'story', 'held', 'accepted', 'declined',
    'offered', 'offer-declined', 'taken-over', 'locked', 'storage-75', 'storage-90', 'storage-full',
    'birthday', 'passing', 'event')),
  comment_id uuid references comments on delete cascade,
  story_id uuid references stories on delete cascade,
  link_id uuid references share_links on delete cascade,
  media_id uuid references media on delete set null,
  actor_name text not null default '' check (length(actor_name) <= 254),
  actor_key text not null default '',
  count integer not null default 1 check (count >= 0),
  on_date date,
  since timestamptz not null default now(),
  created_at timestamptz not null default now(),
  read_at timestamptz,
  email_due_since timestamptz default now(),
  mailed_at timestamptz,
  mailed_count integer not null default 0
);
comment on table notices is
  'Notifications, inserted in the transaction that causes them. Visible to the recipient while they can see the subject.';
comment on column notices.media_id is 'The photo it links to: the one commented on, or the first of the latest uploads.';
comment on column notices.actor_name is 'Name of the acting person at that time; for an invitation without a name its address.';
comment on column notices.actor_key is
  'Identifies the person who adds, also without an account: their uploads are one notice until it is read.';
comment on column notices.count is 'Number of uploads, of consecutive locks, or of years since the remembered day.';
comment on column notices.on_date is 'The day of a reminder, one per year.';
comment on column notices.since is 'Time of the first event it counts; created_at is the last.';
comment on column notices.email_due_since is 'Since when an email about it is due; null if none is.';
comment on column notices.mailed_at is
  'When it was last included in an email, in the transaction that adds the email to the outbox.';
comment on column notices.mailed_count is 'How much of its count earlier emails included.';
create index notices_user_id on notices (user_id, created_at desc, id);
create index notices_unread on notices (user_id) where read_at is null;
create index notices_email_due on notices (user_id, email_due_since) where email_due_since is not null;
create index notices_created_at on notices (created_at);
create index notices_memory_id on notices (memory_id, kind);
create index notices_comment_id on notices (comment_id) where comment_id is not null;
create index notices_story_id on notices (story_id) where story_id is not null;
create index notices_link_id on notices (link_id) where link_id is not null;
create index notices_media_id on notices (media_id) where media_id is not null;
create unique index one_notice_for_what_one_adds on notices (user_id, memory_id, actor_key) where kind = 'added' and read_at is null;
create unique index one_notice_of_what_waits on notices (user_id, memory_id) where kind = 'held' and read_at is null;
create unique index one_reminder_a_year on notices (user_id, memory_id, kind, on_date) where on_date is not null;
alter table notices enable row level security;

create table notice_settings (
  user_id uuid primary key default auth.uid() references auth.users on delete cascade,
  mail text check (mail in ('instantly', 'daily', 'weekly', 'never')),
  time_zone text check (time_zone ~ '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$'),
  language text check (language in ('en', 'it')),
  paused_until date,
  updated_at timestamptz not null default now()
);
comment on table notice_settings is
  'Notification settings of a person for all of their memories. Only the person can read them.';
comment on column notice_settings.mail is 'How often notices are emailed; null: daily, and never for viewers.';
comment on column notice_settings.time_zone is
  'IANA name of the time zone of the person''s browser, for emails in the morning.';
comment on column notice_settings.language is
  'Language of the person''s browser. A language chosen for the account takes precedence.';
comment on column notice_settings.paused_until is
  'No reminders and no emails about notices until this day, in the person''s time zone.';
create trigger touch_updated_at before update on notice_settings for each row execute function private.touch_updated_at();
alter table notice_settings enable row level security;

create table notice_preferences (
  user_id uuid not null default auth.uid() references auth.users on delete cascade,
  memory_id uuid not null references memories on delete cascade,
  mail text check (mail in ('instantly', 'daily', 'weekly', 'never')),
  paused_until date,
  updated_at timestamptz not null default now(),
  primary key (user_id, memory_id)
);
comment on table notice_preferences is 'Settings for one memory, which take precedence. Only the person can read them.';
create index notice_preferences_memory_id on notice_preferences (memory_id);
create trigger touch_updated_at before update on notice_preferences for each row execute function private.touch_updated_at();
alter table notice_preferences enable row level security;

create table memory_reminders (
  memory_id uuid not null references memories on delete cascade,
  occasion text not null check (occasion in ('birthday', 'passing', 'event')),
  created_at timestamptz not null default now(),
  primary key (memory_id, occasion)
);
comment on table memory_reminders is
  'The days of which the members of a memory are reminded each year. Set by the owner; without rows there are none.';
alter table memory_reminders enable row level security;

create table private.notice_mail (
  user_id uuid not null references auth.users on delete cascade,
  memory_id uuid not null references memories on delete cascade,
  mailed_at timestamptz not null,
  letter text not null,
  primary key (user_id, memory_id)
);
comment on table private.notice_mail is
  'When each person last got an instant email about a memory, and which: at most one in 15 minutes.';
create index notice_mail_memory_id on private.notice_mail (memory_id);
alter table private.notice_mail enable row level security;

create function private.people_of(memory uuid) returns setof uuid language sql stable security definer set search_path = '' as $$
  select m.user_id from public.memories m where m.id = memory
  union all
  select p.user_id from public.memory_members p join public.memories m on m.id = p.memory_id and not m.draft where p.memory_id = memory
$$;
comment on function private.people_of is 'The owner and all members of a memory; for a draft only the owner.';

create function private.managers_of(memory uuid) returns setof uuid language sql stable security definer set search_path = '' as $$
  select m.user_id from public.memories m where m.id = memory
  union all
  select p.user_id from public.memory_members p join public.memories m on m.id = p.memory_id and not m.draft
  where p.memory_id = memory and p.role = 'co-owner'
$$;

create function private.mail_cadence(person uuid, memory uuid) returns text language sql stable security definer set search_path = '' as $$
  select case
    -- Nothing to an address that is not confirmed or has unsubscribed.
    when u.email is null or u.email_confirmed_at is null
      or exists (select from public.email_preferences e where e.email = lower(u.email) and e.unsubscribed) then 'never'
    when memory is null then coalesce(s.mail, 'daily')
    -- No longer a member.
    when m.user_id is distinct from person and p.role is null then 'never'
    else coalesce(w.mail, s.mail, case when p.role = 'viewer' and m.user_id <> person then 'never' else 'daily' end)
  end
  from auth.users u
  left join public.notice_settings s on s.user_id = u.id
  left join public.notice_preferences w on w.user_id = u.id and w.memory_id = memory
  left join public.memories m on m.id = memory
  left join public.memory_members p on p.memory_id = memory and p.user_id = u.id
  where u.id = person
$$;
comment on function private.mail_cadence is
  'How often a person gets emails about a memory, or about their account if the memory is null: instantly, daily, weekly or never.';

create function private.notify_new_notices() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_notify('notices', '');
  return null;
end
$$;
create trigger notify_new_notices after insert on notices for each statement execute function private.notify_new_notices();

grant select, update (read_at) on notices to authenticated;
create policy "recipient, while they see the subject" on notices to authenticated
  using (user_id = (select auth.uid())
    and (memory_id is null or exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
      or memory_id = any ((select private.shared_memory_ids('view'))::uuid[]))
    and (memory_id is null or kind not in ('held', 'locked', 'accepted', 'declined')
      or exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
      or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]))
    and (comment_id is null or exists (select from comments c where c.id = comment_id))
    and (story_id is null or exists (select from stories s where s.id = story_id)))
  with check (user_id = (select auth.uid()));

grant select, insert (user_id, mail, time_zone, language, paused_until),
  update (mail, time_zone, language, paused_until), delete on notice_settings to authenticated;
create policy "own rows" on notice_settings to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

grant select, insert (user_id, memory_id, mail, paused_until), update (mail, paused_until), delete
  on notice_preferences to authenticated;
create policy "own rows" on notice_preferences to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()) and private.can_view(memory_id));

grant select, insert (memory_id, occasion), delete on memory_reminders to authenticated;
create policy "members read" on memory_reminders for select to authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('view'))::uuid[]));
create policy "owner adds" on memory_reminders for insert to authenticated
  with check (private.is_owner(memory_id));
create policy "owner deletes" on memory_reminders for delete to authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid())));

revoke execute on all functions in schema private from public;
