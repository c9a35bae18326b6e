set local check_function_bodies = off;

alter table contact_messages add column language text not null default 'en' check (language in ('en', 'it'));
comment on column contact_messages.language is 'Of the browser that sent it: answers are framed in it.';
alter table reports add column language text not null default 'en' check (language in ('en', 'it'));
alter table reports add column site text not null default '' check (length(site) <= 200);
comment on column reports.site is 'The address of this site when it was sent. Emails to the owner link to it.';
create index reports_item_id on reports (item_id);

create table inbox_items (
  -- The id of the message or report.
  id uuid primary key check (id = coalesce(message_id, report_id)),
  message_id uuid unique references contact_messages on delete cascade,
  report_id uuid unique references reports on delete cascade,
  kind text not null generated always as (case when report_id is null then 'message' else 'report' end) stored,
  state text not null default 'new' check (state in ('new', 'open', 'answered', 'closed')),
  assignee uuid references auth.users on delete set null,
  search tsvector not null default '',
  created_at timestamptz not null default now(),
  check (num_nonnulls(message_id, report_id) = 1)
);
comment on table inbox_items is
  'Messages of the contact form and reports, as work for staff. Rows are added with what they are about. Administrators and support read and change them.';
comment on column inbox_items.state is 'new until somebody takes it, notes or answers something; a report is closed while it has an outcome.';
create index inbox_items_newest on inbox_items (created_at desc, id desc);
create index inbox_items_unsettled on inbox_items (created_at desc, id desc) where state <> 'closed';
create index inbox_items_state on inbox_items (state, created_at desc, id desc);
create index inbox_items_assignee on inbox_items (assignee, created_at desc, id desc) where assignee is not null;
create index inbox_items_search on inbox_items using gin (search);
alter table inbox_items enable row level security;
revoke all on inbox_items from service_role;
grant select on inbox_items to service_role;
grant select, update (state, assignee) on inbox_items to authenticated;
create policy "administrators and support read" on inbox_items for select to authenticated
  using ((select private.has_role('admin', 'support')));
create policy "administrators and support change" on inbox_items for update to authenticated
  using ((select private.has_role('admin', 'support'))) with check ((select private.has_role('admin', 'support')));
create policy "required authentication level" on inbox_items as restrictive to authenticated
  using ((select private.has_required_aal()));
create trigger z90_audit_change after update on inbox_items for each row execute function private.audit_change('id', 'personal');

create table inbox_entries (
  id uuid primary key default gen_random_uuid(),
  item_id uuid not null references inbox_items on delete cascade,
  kind text not null check (kind in ('answer', 'note')),
  body text not null check (length(btrim(body)) between 1 and 10000),
  author uuid default auth.uid() references auth.users on delete set null,
  created_at timestamptz not null default now()
);
comment on table inbox_entries is
  'What staff wrote about an item of the inbox: answers, which are emailed to the person, and notes, which only staff read. Deleted with the item.';
create index inbox_entries_item_id on inbox_entries (item_id, created_at, id);
create index inbox_entries_author on inbox_entries (author);
alter table inbox_entries enable row level security;
grant select, insert (id, item_id, kind, body) on inbox_entries to authenticated;
create policy "administrators and support read" on inbox_entries for select to authenticated
  using ((select private.has_role('admin', 'support')));
create policy "administrators and support add" on inbox_entries for insert to authenticated
  with check ((select private.has_role('admin', 'support')) and author = (select auth.uid()));
create policy "required authentication level" on inbox_entries as restrictive to authenticated
  using ((select private.has_required_aal()));
create trigger z90_audit_change after insert on inbox_entries for each row execute function private.audit_change('item_id', 'personal');

create function private.add_to_inbox() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'reports' then
    insert into public.inbox_items (id, report_id, created_at, state, search)
    values (new.id, new.id, new.created_at, case when new.outcome is null then 'new' else 'closed' end,
      private.search_words(concat_ws(' ', new.kind, new.reason, new.email, new.words)));
  else
    insert into public.inbox_items (id, message_id, created_at, search)
    values (new.id, new.id, new.created_at, private.search_words(concat_ws(' ', new.name, new.email, new.subject)));
  end if;
  return null;
end
$$;
create trigger add_to_inbox after insert on contact_messages for each row execute function private.add_to_inbox();
create trigger add_to_inbox after insert on reports for each row execute function private.add_to_inbox();

insert into inbox_items (id, message_id, created_at, search)
select m.id, m.id, m.created_at, private.search_words(concat_ws(' ', m.name, m.email, m.subject)) from contact_messages m;
insert into inbox_items (id, report_id, created_at, state, search)
select r.id, r.id, r.created_at, case when r.outcome is null then 'new' else 'closed' end,
  private.search_words(concat_ws(' ', r.kind, r.reason, r.email, r.words)) from reports r;

create function private.close_with_outcome() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.inbox_items i set state = case when new.outcome is null then 'open' else 'closed' end where i.report_id = new.id;
  return null;
end
$$;
create trigger close_with_outcome after update of outcome on reports for each row
  when (old.outcome is distinct from new.outcome) execute function private.close_with_outcome();

create function private.validate_inbox_item() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.report_id is not null and (new.state = 'closed') is distinct from
    (select r.outcome is not null from public.reports r where r.id = new.report_id) then
    raise exception 'A report is closed by a decision.' using errcode = 'PT409', hint = 'undecided';
  end if;
  if new.assignee is distinct from old.assignee and new.assignee is not null then
    if not exists (select from auth.users u where u.id = new.assignee and u.raw_app_meta_data ->> 'role' in ('admin', 'support')) then
      raise exception 'Administrators and support take messages.' using errcode = '22023', hint = 'validation_failed';
    end if;
    if new.state = 'new' then
      new.state := 'open';
    end if;
  end if;
  return new;
end
$$;
create trigger validate_inbox_item before update on inbox_items for each row execute function private.validate_inbox_item();

-- A text as paragraphs of HTML.
create function private.paragraphs(words text) returns text language sql immutable strict set search_path = '' as $$
  select '<p>' || regexp_replace(regexp_replace(replace(replace(replace(replace(btrim(words), '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;'),
    '\s*\n\s*\n\s*', '</p><p>', 'g'), '\n', '<br>', 'g') || '</p>'
$$;

create function private.send_entry() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  item public.inbox_items;
  message public.contact_messages;
  report public.reports;
  recipient text;
begin
  select * into item from public.inbox_items i where i.id = new.item_id for update;
  if new.kind = 'note' then
    update public.inbox_items i set state = 'open' where i.id = item.id and i.state = 'new';
    return null;
  end if;
  select * into message from public.contact_messages m where m.id = item.message_id;
  select * into report from public.reports r where r.id = item.report_id;
  recipient := coalesce(message.email, report.email);
  if recipient is null then
    raise exception 'They left no address for an answer.' using errcode = 'PT409', hint = 'no_address';
  end if;
  insert into private.outbox (kind, template, language, recipient, props, dedupe_key)
  values ('mail', 'note', coalesce(message.language, report.language), recipient,
    jsonb_build_object('sort', 'answer',
      'subject', case when message.id is not null then 'Re: ' || message.subject
        when report.language = 'it' then 'La tua segnalazione a Skies' else 'Your report to Skies' end,
      'html', private.paragraphs(new.body) || '<blockquote>'
        || coalesce(message.message, private.paragraphs(nullif(btrim(report.words), '')), '') || '</blockquote>'),
    'answer ' || new.id);
  update public.inbox_items i set state = 'answered' where i.id = item.id and i.state in ('new', 'open');
  return null;
end
$$;
create trigger send_entry after insert on inbox_entries for each row execute function private.send_entry();

create function desk_inbox(find text default '', stage text default 'unsettled', about text default '', taken text default '',
  before_at timestamptz default null, before_id uuid default null)
returns table (id uuid, kind text, state text, assignee uuid, assignee_name text, sender text, subject text, created_at timestamptz)
-- As in desk_people: one page never needs the whole table.
language plpgsql stable security definer set search_path = '' set enable_seqscan = off as $$
begin
  perform private.require_role('admin', 'support');
  -- Written anew for each call, so that the planner sees which index fits.
  return query execute
    'select i.id, i.kind, i.state, i.assignee, coalesce(nullif(private.name_of(i.assignee), ''''), a.email::text), coalesce(m.name, r.email, ''''),
       coalesce(m.subject, r.reason), i.created_at
     from (select * from public.inbox_items i where (i.created_at, i.id) < ($1, $2)'
    || case stage when 'all' then '' when 'unsettled' then ' and i.state <> ''closed''' else ' and i.state = $3' end
    || case when about = '' then '' else ' and i.kind = $4' end
    || case taken when '' then '' when 'nobody' then ' and i.assignee is null' else ' and i.assignee = auth.uid()' end
    || case when find ~* '^\s*[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\s*$' then ' and i.id = btrim($6)::uuid'
      when private.search_query(find) is not null then ' and i.search @@ $5' else '' end
    || ' order by i.created_at desc, i.id desc limit 50) i
     left join public.contact_messages m on m.id = i.message_id left join public.reports r on r.id = i.report_id
     left join auth.users a on a.id = i.assignee
     order by i.created_at desc, i.id desc'
  using coalesce(before_at, 'infinity'), coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
    stage, about, private.search_query(find), find;
end
$$;
comment on function desk_inbox is
  'Fifty messages and reports, the newest first: of a state (or unsettled, all), about message or report, taken by me or nobody, and with find those with words that begin so, or the one of an id. For administrators and support.';

create function private.account_label(person uuid) returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', u.id, 'name', coalesce(nullif(private.name_of(u.id), ''), u.email, '+' || u.phone))
  from auth.users u where u.id = person
$$;

-- Whose a reported item is, and how it stands: nothing of what is in it.
create function private.reported_item(report public.reports) returns table (state text, owner uuid, author uuid)
language sql stable security definer set search_path = '' as $$
  select coalesce(x.moderation, 'gone'), m.user_id, x.author
  from (select 1) always
  left join public.memories m on m.id = report.memory_id
  left join lateral (
    select case when m.deleted_at is null then 'shown' else 'deleted' end as moderation, m.user_id as author where report.kind = 'memory' and m.id is not null
    union all
    select o.moderation, d.user_id from public.media o left join public.media_details d on d.media_id = o.id
    where report.kind = 'media' and o.id = report.item_id
    union all
    select s.moderation, s.user_id from public.stories s where report.kind = 'story' and s.id = report.item_id
    union all
    select c.moderation, c.user_id from public.comments c where report.kind = 'comment' and c.id = report.item_id
  ) x on true
$$;

create function desk_inbox_item(item uuid) returns jsonb language plpgsql stable security definer set search_path = '' as $$
declare
  found_one jsonb;
begin
  perform private.require_role('admin', 'support');
  select jsonb_build_object('id', i.id, 'kind', i.kind, 'state', i.state, 'assignee', i.assignee, 'created_at', i.created_at,
    'message', (select jsonb_build_object('name', m.name, 'email', m.email, 'subject', m.subject, 'html', m.message)
      from public.contact_messages m where m.id = i.message_id),
    'report', (
      select jsonb_build_object('kind', r.kind, 'reason', r.reason, 'words', r.words, 'email', r.email, 'outcome', r.outcome,
        'settled_at', r.settled_at, 'settled_by', private.account_label(r.settled_by),
        'reporter', private.account_label(r.user_id), 'guest', r.guest_id is not null,
        'item_state', x.state, 'owner', private.account_label(x.owner), 'author', private.account_label(x.author),
        'of_item', (select count(*) from public.reports o where o.item_id = r.item_id),
        'of_memory', (select count(*) from public.reports o where o.memory_id = r.memory_id),
        'of_owner', (select count(*) from public.reports o join public.memories m on m.id = o.memory_id where m.user_id = x.owner))
      from public.reports r cross join lateral private.reported_item(r) x where r.id = i.report_id),
    'entries', (
      select coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'kind', e.kind, 'body', e.body, 'created_at', e.created_at,
        'author', private.account_label(e.author), 'mail', o.state) order by e.created_at, e.id), '[]')
      from public.inbox_entries e left join private.outbox o on o.dedupe_key = 'answer ' || e.id where e.item_id = i.id),
    'staff', (
      select coalesce(jsonb_agg(private.account_label(u.id) order by u.created_at, u.id), '[]')
      from auth.users u where u.raw_app_meta_data ? 'role' and u.raw_app_meta_data ->> 'role' in ('admin', 'support')))
  into found_one from public.inbox_items i where i.id = item;
  if found_one is null then
    raise exception 'There is nothing here.' using errcode = 'PT404', hint = 'not_found';
  end if;
  return found_one;
end
$$;
comment on function desk_inbox_item is
  'A message or a report with answers, notes and who can take it. Of what was reported only its kind and state, how often, and whose it is. For administrators and support.';

create function settle_report(report uuid, decision text, reason text, words text default '', person uuid default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  settled public.reports;
  item record;
  memory public.memories;
  told boolean := false;
  claims constant text := current_setting('request.jwt.claims', true);
begin
  perform private.require_role('admin', 'support');
  if decision = 'suspend' then
    perform private.require_role('admin');
  elsif decision is null or decision not in ('hide', 'ask', 'nothing', 'reopen') then
    raise exception 'A decision is hide, ask, suspend, nothing or reopen.' using errcode = '22023', hint = 'validation_failed';
  end if;
  if nullif(btrim(reason), '') is null then
    raise exception 'Say why.' using errcode = 'PT400', hint = 'validation_failed';
  end if;
  select * into settled from public.reports r where r.id = settle_report.report for update;
  if not found then
    raise exception 'There is nothing here.' using errcode = 'PT404', hint = 'not_found';
  end if;
  if (settled.outcome is not null) is distinct from (decision = 'reopen') then
    raise exception 'Somebody else has decided meanwhile.' using errcode = 'PT409', hint = 'conflict';
  end if;
  select * into item from private.reported_item(settled);
  select * into memory from public.memories m where m.id = settled.memory_id;
  if decision = 'hide' then
    if settled.kind = 'memory' then
      raise exception 'A whole memory is not hidden.' using errcode = 'PT409', hint = 'not_hidden';
    end if;
    -- As a manager of the memory would: they see it under hidden items, and open pages withdraw it. Triggers let only managers and
    -- the server do this, so it is done as the server.
    perform set_config('request.jwt.claims', '{"role": "service_role"}', true);
    execute format('update public.%I t set moderation = ''hidden'' where t.id = $1 and t.memory_id = $2
      and t.moderation not in (''hidden'', ''deleted'', ''attached'') returning true',
      case settled.kind when 'story' then 'stories' when 'comment' then 'comments' else 'media' end)
    into told using settled.item_id, settled.memory_id;
    perform set_config('request.jwt.claims', claims, true);
  elsif decision = 'suspend' then
    if person is null or person is distinct from item.owner and person is distinct from item.author then
      raise exception 'The account is of neither the owner nor the author.' using errcode = '22023', hint = 'validation_failed';
    end if;
    perform public.suspend_person(person::text, reason);
  elsif decision = 'ask' then
    if item.owner is null then
      raise exception 'Nobody has this memory any more.' using errcode = 'PT409', hint = 'no_owner';
    end if;
    told := true;
  end if;
  if told then
    insert into private.outbox (kind, template, language, recipient, props)
    select 'mail', 'content-reported', case when coalesce(u.raw_user_meta_data ->> 'language', s.language) = 'it' then 'it' else 'en' end, u.email,
      jsonb_build_object('decision', decision, 'item', settled.kind, 'memory', memory.person_name, 'reason', settled.reason,
        'words', left(btrim(coalesce(words, '')), 5000),
        'url', case when settled.site = '' then '' else settled.site || '/memory/' || memory.id || case when decision = 'hide' then '/waiting' else '' end end)
    from auth.users u left join public.notice_settings s on s.user_id = u.id
    where u.id = item.owner and u.email is not null;
  end if;
  if decision = 'ask' then
    update public.inbox_items i set state = 'answered' where i.report_id = settled.id and i.state in ('new', 'open');
  else
    update public.reports r set outcome = case decision when 'reopen' then null when 'nothing' then 'nothing' else 'acted' end
    where r.id = settled.id;
  end if;
  perform private.record_action('report.' || decision, settled.id::text, jsonb_build_object('outcome', settled.outcome),
    jsonb_strip_nulls(jsonb_build_object('item', settled.item_id, 'kind', settled.kind, 'person', person)), reason);
end
$$;
comment on function settle_report is
  'Decides about a report, with a reason for the audit log: hide the item and email its owner, ask the owner (the report stays open), suspend the owner or author (administrators only), nothing, or reopen. For administrators and support.';

revoke execute on all functions in schema private from public;
revoke execute on function private.add_to_inbox, private.close_with_outcome, private.validate_inbox_item, private.paragraphs, private.send_entry,
  private.account_label, private.reported_item
  from anon, authenticated, service_role;
revoke execute on function desk_inbox, desk_inbox_item, settle_report from public, anon;
grant execute on function desk_inbox, desk_inbox_item, settle_report to authenticated, service_role;
