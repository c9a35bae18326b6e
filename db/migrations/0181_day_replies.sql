-- Replies: people say whether they come to the parts of a memory's day, also without an account (decision 0127).
set local check_function_bodies = off;

alter table memory_entries
  add column asks_replies boolean not null default false,
  add constraint replies_to_a_part check (not asks_replies or part is not null);
comment on column memory_entries.asks_replies is
  'Whether people are asked if they come to this part of the day. Replies are on while any part asks for them.';
grant update (asks_replies) on memory_entries to authenticated;

create table day_reply_settings (
  memory_id uuid primary key references memories on delete cascade,
  closes_at timestamptz constraint closes_at_in_years_1_to_9999 check (closes_at between '0001-01-01 00:00+00' and '9999-12-31 00:00+00'),
  time_zone text not null default 'UTC' check (time_zone ~ '^(UTC|Etc/(UTC|GMT|GMT[+-](\d|1[0-4]))|(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)(/[A-Za-z_-]+){1,2})$'
    and timezone(time_zone, timestamp '2000-01-01 00:00') is not null),
  places integer check (places between 1 and 100000),
  waiting_list boolean not null default true,
  questions jsonb not null default '[]' check (pg_column_size(questions) <= 20000),
  revision integer not null default 1
);
comment on table day_reply_settings is
  'How people reply to the parts of a memory''s day. Visible to everybody who can see a part that asks for replies. Its row is locked by every change of the memory''s replies, so that limits are exact.';
comment on column day_reply_settings.closes_at is 'From this time on only managers change replies; null for no closing time.';
comment on column day_reply_settings.time_zone is 'IANA name of the time zone in which closes_at was chosen.';
comment on column day_reply_settings.places is 'For how many persons there are places; null for no limit.';
comment on column day_reply_settings.waiting_list is 'Whether replies that find no place wait for one. Otherwise they are refused.';
comment on column day_reply_settings.questions is
  'The hosts'' own questions: {id, kind, text, choices}, of the kinds text, one and several.';
comment on column day_reply_settings.revision is
  'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
create trigger t15_revise before update on day_reply_settings for each row
  when ((old.closes_at, old.time_zone, old.places, old.waiting_list, old.questions, old.revision)
    is distinct from (new.closes_at, new.time_zone, new.places, new.waiting_list, new.questions, new.revision))
  execute function private.revise();

create table day_replies (
  id uuid primary key default gen_random_uuid(),
  memory_id uuid not null references memories on delete cascade,
  guest_id uuid references guests on delete set null,
  user_id uuid references auth.users on delete cascade,
  answer text check (answer in ('yes', 'no', 'maybe')),
  names text[] not null check (cardinality(names) between 1 and 20 and array_position(names, null) is null),
  part_ids uuid[] not null default '{}',
  note text not null default '' check (length(note) <= 1000),
  answers jsonb not null default '{}' check (pg_column_size(answers) <= 30000),
  most integer check (most between 1 and 20),
  waiting_since timestamptz check (waiting_since is null or answer = 'yes'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  revision integer not null default 1,
  constraint of_one_person check (num_nonnulls(guest_id, user_id) <= 1),
  constraint one_reply_of_a_guest unique (memory_id, guest_id),
  constraint one_reply_of_an_account unique (memory_id, user_id)
);
comment on table day_replies is
  'Replies of persons and households to the parts of a memory''s day. Visible to the memory''s managers and to the guest or account that gave it. save_day_reply writes them.';
comment on column day_replies.guest_id is 'The guest of a link who gave it; null for accounts, for replies that managers wrote, and after the guest was deleted.';
comment on column day_replies.user_id is 'The account that gave it.';
comment on column day_replies.answer is 'Null for an invitation without an answer.';
comment on column day_replies.names is
  'Who comes, the person who replies first; the others may be blank. With no, only who replied.';
comment on column day_replies.part_ids is 'The parts of the day that they come to.';
comment on column day_replies.answers is 'Answers to the hosts'' questions: lists of texts by the id of the question.';
comment on column day_replies.most is 'The largest number of persons that an invitation is for; null for no limit of its own.';
comment on column day_replies.waiting_since is 'When it joined the waiting list; null for all that have a place or need none.';
comment on column day_replies.revision is 'Counts changes by people. Moving up from the waiting list is none.';
create index day_replies_guest_id on day_replies (guest_id) where guest_id is not null;
create index day_replies_user_id on day_replies (user_id) where user_id is not null;

alter table day_reply_settings enable row level security;
alter table day_replies enable row level security;
grant select on day_reply_settings to anon, authenticated;
grant insert (memory_id, closes_at, time_zone, places, waiting_list, questions),
  update (closes_at, time_zone, places, waiting_list, questions, revision) on day_reply_settings to authenticated;
grant select (id, memory_id, guest_id, answer, names, part_ids, note, answers, most, waiting_since, created_at, updated_at, revision)
  on day_replies to anon;
grant select on day_replies to authenticated;

create policy "required authentication level" on day_reply_settings as restrictive for all to authenticated
  using ((select private.has_required_aal()));
create policy "viewers of a part that asks read" on day_reply_settings for select to anon, authenticated
  using (exists (select from memory_entries e where e.memory_id = day_reply_settings.memory_id and e.asks_replies));
create policy "managers read" on day_reply_settings for select to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));
create policy "managers add" on day_reply_settings for insert to authenticated with check (private.is_manager(memory_id));
create policy "managers change" on day_reply_settings for update to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));

create policy "required authentication level" on day_replies as restrictive for all to authenticated
  using ((select private.has_required_aal()));
create policy "guest reads own" on day_replies for select to anon
  using (guest_id = (select private.guest_id()) and memory_id = any ((select private.shared_memory_ids('view'))::uuid[]));
create policy "managers and the account read" on day_replies for select to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[])
    or user_id = (select auth.uid()) and memory_id = any ((select private.shared_memory_ids('view'))::uuid[]));

alter publication supabase_realtime add table day_reply_settings, day_replies;

create function private.check_day_questions() returns trigger language plpgsql set search_path = '' as $$
declare
  question jsonb;
  ids text[] := '{}';
begin
  if jsonb_typeof(new.questions) <> 'array' or jsonb_array_length(new.questions) > 8 then
    raise exception 'Please ask at most 8 questions.' using errcode = 'PT400', hint = 'too_many_questions';
  end if;
  for question in select * from jsonb_array_elements(new.questions) loop
    if coalesce(question ->> 'id', '') !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' or question ->> 'id' = any (ids)
      or coalesce(question ->> 'kind', '') not in ('text', 'one', 'several')
      or jsonb_typeof(question -> 'text') <> 'string' or length(btrim(question ->> 'text')) not between 1 and 200
      or coalesce(jsonb_typeof(question -> 'choices'), '') <> 'array'
      or question - '{id,kind,text,choices}'::text[] <> '{}'::jsonb then
      raise exception 'A question needs a text of 1 to 200 characters.' using errcode = 'PT400', hint = 'wrong_question';
    end if;
    ids := array_append(ids, question ->> 'id');
    if question ->> 'kind' = 'text' and question -> 'choices' <> '[]'::jsonb
      or question ->> 'kind' <> 'text' and (jsonb_array_length(question -> 'choices') not between 2 and 12
        or exists (select from jsonb_array_elements(question -> 'choices') c
          where jsonb_typeof(c) <> 'string' or length(btrim(c #>> '{}')) not between 1 and 100)
        or (select count(distinct c) from jsonb_array_elements_text(question -> 'choices') c) <> jsonb_array_length(question -> 'choices')) then
      raise exception 'A question with choices needs 2 to 12 different ones.' using errcode = 'PT400', hint = 'wrong_choices';
    end if;
  end loop;
  return new;
end
$$;
comment on function private.check_day_questions is 'Refuses questions that no reply could answer.';
create trigger t10_check_questions before insert or update of questions on day_reply_settings
  for each row execute function private.check_day_questions();

create function private.remove_part_from_replies() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.day_replies r set part_ids = array_remove(r.part_ids, old.id)
  where r.memory_id = old.memory_id and old.id = any (r.part_ids);
  return null;
end
$$;
comment on function private.remove_part_from_replies is 'Removes a deleted part of the day from the replies.';
create trigger remove_part_from_replies after delete on memory_entries for each row when (old.part is not null)
  execute function private.remove_part_from_replies();

create function save_day_reply_settings(memory_id uuid, part_ids uuid[], closes_at timestamptz, time_zone text, places integer,
  waiting_list boolean, questions jsonb, revision integer default null) returns void
language plpgsql volatile set search_path = '' as $$
#variable_conflict use_column
begin
  if save_day_reply_settings.revision is null then
    insert into public.day_reply_settings (memory_id, closes_at, time_zone, places, waiting_list, questions)
    values (save_day_reply_settings.memory_id, save_day_reply_settings.closes_at, save_day_reply_settings.time_zone,
      save_day_reply_settings.places, save_day_reply_settings.waiting_list, save_day_reply_settings.questions)
    on conflict do nothing;
  end if;
  if save_day_reply_settings.revision is not null or not found then
    update public.day_reply_settings s
    set closes_at = save_day_reply_settings.closes_at, time_zone = save_day_reply_settings.time_zone, places = save_day_reply_settings.places,
      waiting_list = save_day_reply_settings.waiting_list, questions = save_day_reply_settings.questions,
      revision = coalesce(save_day_reply_settings.revision, 0)
    where s.memory_id = save_day_reply_settings.memory_id
      -- The same settings again, for example after a double click.
      and (s.closes_at, s.time_zone, s.places, s.waiting_list, s.questions) is distinct from (save_day_reply_settings.closes_at,
        save_day_reply_settings.time_zone, save_day_reply_settings.places, save_day_reply_settings.waiting_list, save_day_reply_settings.questions);
    if not found and not exists (select from public.day_reply_settings s where s.memory_id = save_day_reply_settings.memory_id) then
      raise exception 'There are no such replies.' using errcode = 'PT404', hint = 'not_found';
    end if;
  end if;
  update public.memory_entries e set asks_replies = e.id = any (save_day_reply_settings.part_ids)
  where e.memory_id = save_day_reply_settings.memory_id and e.part is not null
    and e.asks_replies <> (e.id = any (save_day_reply_settings.part_ids));
end
$$;
comment on function save_day_reply_settings is
  'Saves how people reply to a memory''s day and which parts ask for replies, over the revision that the change is based on (PT409 if it has another one). Row policies decide who may.';

-- A link for looking only admits guests while a part of the day asks its visitors for a reply.
CREATE OR REPLACE FUNCTION private.register_guest(of_link uuid, of_version integer, hashes text[], as_name text, at_email text, in_language text, in_zone text, at_site text)
 RETURNS SETOF public.guests
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  link public.share_links;
  found uuid;
  wait integer;
begin
  -- Locks the link, so that the number of guests per day is exact and one key creates one guest.
  select * into link from public.share_links l where l.id = of_link for no key update;
  if link.id is null or link.version <> of_version or link.revoked_at is not null or link.expires_at <= now() then
    raise exception 'This link is not open any more.' using errcode = 'PT410', hint = 'revoked';
  end if;
  if link.rights = 'view' and not exists (select from public.memories m join public.memory_entries e on e.memory_id = m.id
      where (m.id = link.memory_id or m.album_id = link.album_id) and not m.draft and e.asks_replies and e.audience = 'all') then
    raise exception 'This link is for looking only.' using errcode = 'PT403', hint = 'view_only';
  end if;
  select g.id into found from public.guests g join private.guest_keys k on k.guest_id = g.id
  where k.hash = any (hashes) and g.link_id = of_link;
  if found is null then
    select ceil(extract(epoch from g.created_at + interval '1 day' - now())) into wait from public.guests g
    where g.link_id = of_link and g.created_at > now() - interval '1 day' order by g.created_at desc offset 299 limit 1;
    if wait is not null then
      raise exception 'Too many people have signed here today.' using errcode = 'PT429', hint = 'too_many_guests', detail = wait;
    end if;
    insert into public.guests (link_id, name, email, language, time_zone, site)
    values (of_link, as_name, at_email, in_language, in_zone, at_site) returning id into found;
    insert into private.guest_keys (hash, guest_id) values (hashes[1], found);
  else
    update public.guests g set name = as_name, email = at_email, language = in_language, time_zone = in_zone,
      site = at_site, last_seen = now()
    where g.id = found and g.blocked_at is null;
  end if;
  return query select * from public.guests g where g.id = found and g.blocked_at is null;
end
$function$;

revoke execute on function private.check_day_questions, private.remove_part_from_replies
  from public, anon, authenticated, service_role;
revoke execute on function save_day_reply_settings from public, anon;
grant execute on function save_day_reply_settings to authenticated, service_role;
