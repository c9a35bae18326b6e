-- Guests who left an email address are reminded of the day and of the closing time, and told of places and changes (decision 0127).
set local check_function_bodies = off;

alter table day_replies add column admitted_at timestamptz;
comment on column day_replies.admitted_at is 'When it last moved up from the waiting list.';
alter table memory_entries add column revised_at timestamptz;
comment on column memory_entries.revised_at is 'When its content last changed; null if it never did.';
create function private.note_revision() returns trigger language plpgsql set search_path = '' as $$
begin
  new.revised_at := now();
  return new;
end
$$;
comment on function private.note_revision is 'Notes when the content of an entry changes.';
create trigger t16_note_revision before update on memory_entries for each row when (old.revision <> new.revision)
  execute function private.note_revision();
create index memory_entries_revised on memory_entries (revised_at) where part is not null and revised_at is not null;
create index day_replies_admitted on day_replies (admitted_at) where admitted_at is not null;
create index day_reply_settings_closing on day_reply_settings (closes_at) where closes_at is not null;
create index memory_entries_asking on memory_entries (on_date) where asks_replies;

create or replace function private.fill_day_places(of_memory uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  settings public.day_reply_settings;
  taken integer;
  waiting record;
begin
  select * into settings from public.day_reply_settings s where s.memory_id = of_memory for update;
  if settings.memory_id is null then
    return;
  end if;
  select coalesce(sum(cardinality(r.names)), 0) into taken from public.day_replies r
  where r.memory_id = of_memory and r.answer = 'yes' and r.waiting_since is null;
  for waiting in
    -- A locked one is being deleted with its account or link.
    select r.id, cardinality(r.names) as persons from public.day_replies r
    where r.memory_id = of_memory and r.waiting_since is not null order by r.waiting_since, r.id for update skip locked
  loop
    -- A household for which there will never be room does not block the others.
    continue when waiting.persons > settings.places;
    exit when taken + waiting.persons > settings.places;
    update public.day_replies r set waiting_since = null, admitted_at = now() where r.id = waiting.id;
    taken := taken + waiting.persons;
  end loop;
end
$$;

create function private.due_reply_mails(at timestamptz)
returns table (kind text, dedupe_key text, guest_id uuid, email text, language text, name text, memory text, time_zone text, url text,
  closes_at timestamptz, closes_zone text, parts jsonb)
language sql stable security definer set search_path = '' as $$
  with due as (
    select r.id, 'closing' as kind, s.closes_at::text as moment from public.day_reply_settings s
    join public.day_replies r on r.memory_id = s.memory_id
    where s.closes_at > at and s.closes_at <= at + interval '3 days' and (r.answer is null or r.answer = 'maybe')
      and r.updated_at <= s.closes_at - interval '3 days'
    union all
    select distinct r.id, 'coming', e.on_date::text from public.memory_entries e
    join public.day_replies r on r.memory_id = e.memory_id and e.id = any (r.part_ids)
    where e.asks_replies and e.on_date between (at - interval '1 day')::date::text and (at + interval '2 days')::date::text
      and public.begins_at(e) > at and public.begins_at(e) <= at + interval '1 day'
      and (r.answer = 'maybe' or r.answer = 'yes' and r.waiting_since is null)
      and r.updated_at <= public.begins_at(e) - interval '1 day'
    union all
    select r.id, 'place', r.admitted_at::text from public.day_replies r
    where r.admitted_at > at - interval '1 day' and r.answer = 'yes' and r.waiting_since is null
    union all
    -- Half an hour after the last of several changes.
    select r.id, 'changed', max(e.revised_at)::text from public.memory_entries e
    join public.day_replies r on r.memory_id = e.memory_id and e.id = any (r.part_ids) and r.answer in ('yes', 'maybe')
    where e.part is not null and e.revised_at > at - interval '1 day' and e.revised_at > r.updated_at and e.audience = 'all'
      and public.begins_at(e) > at
    group by r.id having max(e.revised_at) <= at - interval '30 minutes'
  )
  select d.kind, k.key, g.id, g.email, g.language, r.names[1], m.person_name, g.time_zone, g.site || '/shared/' || l.share_id,
    s.closes_at, s.time_zone, p.parts
  from due d
  cross join lateral (select 'day-reply:' || d.kind || ':' || d.id || ':' || d.moment as key) k
  join public.day_replies r on r.id = d.id
  join public.day_reply_settings s on s.memory_id = r.memory_id
  join public.memories m on m.id = r.memory_id and m.deleted_at is null and not m.draft
  join public.guests g on g.id = r.guest_id and g.email is not null and g.blocked_at is null
  join public.share_links l on l.id = g.link_id and l.shared_at is not null and l.revoked_at is null and l.rights <> 'upload'
    and coalesce(l.expires_at > at, true) and (l.memory_id = m.id or l.album_id = m.album_id)
  cross join lateral (
    -- As the guest sees them.
    select jsonb_agg(jsonb_build_object('title', e.title, 'place', e.place, 'day', e.on_date, 'time', e.starts_at, 'timeZone', e.time_zone)
      order by public.begins_at(e), e.id) as parts
    from public.memory_entries e where e.memory_id = m.id and e.asks_replies and e.audience = 'all'
      and (d.kind = 'closing' or e.id = any (r.part_ids)) and (d.kind <> 'coming' or e.on_date::text = d.moment)
  ) p
  where p.parts is not null and not exists (select from private.outbox o where o.dedupe_key = k.key)
$$;
comment on function private.due_reply_mails is
  'Emails to guests about a day: three days before replies close, a day before the day, when they have moved up from the waiting list, and after changes of parts to which they come. Each once, and only while their link shows the memory.';
revoke execute on function private.due_reply_mails, private.note_revision from public, anon, authenticated, service_role;
