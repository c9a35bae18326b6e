-- One function writes replies to a memory's day, behind a lock, so that limits and waiting lists are exact (decision 0127).
set local check_function_bodies = off;

create function private.fill_day_places(of_memory uuid) returns void language plpgsql security definer set search_path = '' as $$
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
    update public.day_replies r set waiting_since = null where r.id = waiting.id;
    taken := taken + waiting.persons;
  end loop;
end
$$;
comment on function private.fill_day_places is
  'Gives free places to the replies that wait, in the order of the list: a household moves up as a whole, and nobody overtakes it.';

create function private.fill_changed_places() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.fill_day_places(new.memory_id);
  return null;
end
$$;
comment on function private.fill_changed_places is 'Gives places that a higher limit has made free.';
create trigger fill_changed_places after update of places on day_reply_settings for each row
  when (old.places is distinct from new.places) execute function private.fill_changed_places();

create function private.fill_left_places() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform private.fill_day_places(l.memory_id)
  from (select distinct o.memory_id from old_rows o where o.answer = 'yes' order by o.memory_id) l;
  return null;
end
$$;
comment on function private.fill_left_places is 'Gives the places of deleted replies to those that wait.';
create trigger fill_left_places after delete on day_replies referencing old table as old_rows
  for each statement execute function private.fill_left_places();

create function private.asked_part_ids(of_memory uuid) returns uuid[] language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(e.id), '{}') from public.memory_entries e
  join public.memories m on m.id = e.memory_id and m.deleted_at is null
  where e.memory_id = of_memory and e.asks_replies
    and (private.is_manager(of_memory) or of_memory = any (private.joined_memory_ids())
      or e.audience = 'all' and of_memory = any (private.shared_memory_ids('view')))
$$;
comment on function private.asked_part_ids is 'The parts of a memory''s day that ask the caller for a reply.';

create function private.checked_day_answers(questions jsonb, answers jsonb) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  question jsonb;
  given jsonb;
  checked jsonb := '{}';
begin
  if jsonb_typeof(answers) <> 'object' then
    raise exception 'The answers have the wrong shape.' using errcode = 'PT400', hint = 'wrong_answers';
  end if;
  -- An answer to a question that is gone is left out.
  for question in select * from jsonb_array_elements(questions) loop
    given := answers -> (question ->> 'id');
    continue when given is null or given = '[]'::jsonb;
    if jsonb_typeof(given) <> 'array' or question ->> 'kind' <> 'several' and jsonb_array_length(given) > 1
      or exists (select from jsonb_array_elements(given) a where jsonb_typeof(a) <> 'string')
      or (select count(distinct a) from jsonb_array_elements(given) a) <> jsonb_array_length(given) then
      raise exception 'The answers have the wrong shape.' using errcode = 'PT400', hint = 'wrong_answers';
    end if;
    if question ->> 'kind' = 'text' then
      if length(given ->> 0) > 500 then
        raise exception 'An answer has at most 500 characters.' using errcode = 'PT400', hint = 'answer_too_long';
      end if;
      continue when btrim(given ->> 0) = '';
    elsif not question -> 'choices' @> given then
      raise exception 'The choices of this question were changed. Please choose again.' using errcode = 'PT409', hint = 'choice_gone';
    end if;
    checked := checked || jsonb_build_object(question ->> 'id', given);
  end loop;
  return checked;
end
$$;
comment on function private.checked_day_answers is 'Returns the answers to questions that exist; refuses those that do not fit their question.';

create function private.day_reply_result(reply public.day_replies) returns jsonb language sql immutable set search_path = '' as $$
  select jsonb_build_object('id', reply.id, 'waiting', reply.waiting_since is not null, 'revision', reply.revision)
$$;
comment on function private.day_reply_result is 'What save_day_reply answers.';

create function save_day_reply(memory_id uuid, answer text, names text[], part_ids uuid[] default '{}', note text default '',
  answers jsonb default '{}', revision integer default null, reply_id uuid default null, most integer default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  memory constant uuid := save_day_reply.memory_id;
  is_host constant boolean := reply_id is not null;
  guest constant uuid := case when not is_host then private.guest_id() end;
  person constant uuid := case when not is_host then auth.uid() end;
  asked constant uuid[] := private.asked_part_ids(memory);
  settings public.day_reply_settings;
  stored public.day_replies;
  saved public.day_replies;
  persons integer;
  before integer;
  taken integer;
  others_wait boolean;
begin
  if not private.has_required_aal() then
    raise exception 'This needs your second factor.' using errcode = '42501';
  end if;
  if is_host and not private.is_manager(memory) or not is_host and cardinality(asked) = 0 then
    raise exception 'There is nothing to reply to.' using errcode = 'PT404', hint = 'not_found';
  end if;
  if not is_host and num_nonnulls(guest, person) = 0 then
    raise exception 'Please give your name first.' using errcode = 'PT403', hint = 'no_name';
  end if;

  -- The memory is locked before its settings, as by its deletion; the settings before any reply.
  perform from public.memories m where m.id = memory and m.deleted_at is null for key share;
  select * into settings from public.day_reply_settings s where s.memory_id = memory for update;
  if settings.memory_id is null then
    raise exception 'There is nothing to reply to.' using errcode = 'PT404', hint = 'not_found';
  end if;
  select * into stored from public.day_replies r where r.memory_id = memory
    and (is_host and r.id = save_day_reply.reply_id or r.guest_id = guest or r.user_id = person);
  if is_host and stored.id is null and exists (select from public.day_replies r where r.id = save_day_reply.reply_id) then
    raise exception 'There is nothing to reply to.' using errcode = 'PT404', hint = 'not_found';
  end if;

  saved := stored;
  saved.memory_id := memory;
  saved.answer := save_day_reply.answer;
  saved.names := array(select auth.typed_line(coalesce(n, '')) from unnest(save_day_reply.names) with ordinality u (n, i) order by i);
  saved.note := btrim(coalesce(save_day_reply.note, ''));
  saved.most := case when is_host then coalesce(save_day_reply.most, stored.most) else stored.most end;
  if saved.answer is null and not is_host or saved.answer not in ('yes', 'no', 'maybe') then
    raise exception 'Please answer yes, no or maybe.' using errcode = 'PT400', hint = 'no_answer';
  end if;
  if saved.answer = 'no' then
    saved.names := saved.names[1:1];
  end if;
  if cardinality(saved.names) = 0 or saved.names[1] = '' then
    raise exception 'Please enter who replies.' using errcode = 'PT400', hint = 'name_missing';
  end if;
  if exists (select from unnest(saved.names) n where length(n) > 100) then
    raise exception 'A name has at most 100 characters.' using errcode = 'PT400', hint = 'name_too_long';
  end if;
  if cardinality(saved.names) > coalesce(saved.most, 20) then
    raise exception 'This reply is for at most % persons.', coalesce(saved.most, 20)
      using errcode = 'PT400', hint = 'too_many_persons', detail = coalesce(saved.most, 20)::text;
  end if;
  if length(saved.note) > 1000 then
    raise exception 'A note has at most 1000 characters.' using errcode = 'PT400', hint = 'note_too_long';
  end if;
  if not coalesce(save_day_reply.part_ids, '{}') <@ asked then
    raise exception 'A part of the day was changed. Please choose again.' using errcode = 'PT409', hint = 'part_gone';
  end if;
  -- Parts that the caller is not asked about stay as they are.
  saved.part_ids := case when saved.answer in ('yes', 'maybe') then array(
    select distinct p from (
      select unnest(save_day_reply.part_ids) union select unnest(coalesce(stored.part_ids, '{}')) except (select unnest(asked) except select unnest(save_day_reply.part_ids))
    ) u (p) order by p) else '{}' end;
  if saved.answer in ('yes', 'maybe') and not is_host and not saved.part_ids && asked then
    raise exception 'Please choose at least one part of the day.' using errcode = 'PT400', hint = 'no_part';
  end if;
  saved.answers := private.checked_day_answers(settings.questions, coalesce(save_day_reply.answers, '{}'));

  -- A repeated request, for example after a double click or a lost answer.
  if stored.id is not null and (stored.answer, stored.names, stored.part_ids, stored.note, stored.answers, stored.most)
      is not distinct from (saved.answer, saved.names, saved.part_ids, saved.note, saved.answers, saved.most) then
    return private.day_reply_result(stored);
  end if;
  if not is_host and settings.closes_at <= now() then
    raise exception 'Replies are closed.' using errcode = 'PT403', hint = 'closed';
  end if;
  if stored.id is not null and save_day_reply.revision is distinct from stored.revision then
    raise exception 'This was changed in the meantime.' using errcode = 'PT409', hint = 'conflict';
  end if;
  if stored.id is null and (save_day_reply.revision is not null) then
    raise exception 'There is no such reply.' using errcode = 'PT404', hint = 'reply_gone';
  end if;
  if stored.id is null and (select count(*) from public.day_replies r where r.memory_id = memory) >= 1000 then
    raise exception 'There are too many replies.' using errcode = 'PT409', hint = 'too_many_replies';
  end if;

  persons := case when saved.answer = 'yes' then cardinality(saved.names) else 0 end;
  before := case when stored.answer = 'yes' then cardinality(stored.names) else 0 end;
  if persons = 0 or settings.places is null then
    saved.waiting_since := null;
  elsif before > 0 and persons <= before then
    -- They keep their place or their turn.
    saved.waiting_since := stored.waiting_since;
  else
    select coalesce(sum(cardinality(r.names)) filter (where r.waiting_since is null), 0), coalesce(bool_or(r.waiting_since is not null), false)
    into taken, others_wait from public.day_replies r
    where r.memory_id = memory and r.answer = 'yes' and r.id is distinct from stored.id;
    if not others_wait and taken + persons <= settings.places then
      saved.waiting_since := null;
    elsif settings.waiting_list and persons <= settings.places and (before = 0 or stored.waiting_since is not null) then
      saved.waiting_since := clock_timestamp();
    else
      raise exception 'There are not enough places left.' using errcode = 'PT409', hint = 'full',
        detail = case when others_wait then 0 else greatest(settings.places - taken - before, 0) end::text;
    end if;
  end if;

  if stored.id is null then
    insert into public.day_replies (id, memory_id, guest_id, user_id, answer, names, part_ids, note, answers, most, waiting_since)
    values (coalesce(save_day_reply.reply_id, gen_random_uuid()), memory, guest, person, saved.answer, saved.names, saved.part_ids,
      saved.note, saved.answers, saved.most, saved.waiting_since)
    returning * into saved;
  else
    update public.day_replies r set answer = saved.answer, names = saved.names, part_ids = saved.part_ids, note = saved.note,
      answers = saved.answers, most = saved.most, waiting_since = saved.waiting_since, updated_at = now(), revision = stored.revision + 1
    where r.id = stored.id returning * into saved;
  end if;
  perform private.fill_day_places(memory);
  select * into saved from public.day_replies r where r.id = saved.id;
  return private.day_reply_result(saved);
end
$$;
comment on function save_day_reply is
  'Saves the caller''s reply to a memory''s day, or with reply_id, for managers, any reply or a new one, over the revision that the change is based on (PT409 if it has another one). The same reply again changes nothing. Resolves to its id, its revision and whether it waits for places.';

create function delete_day_reply(reply_id uuid) returns void language plpgsql volatile security definer set search_path = '' as $$
declare
  memory constant uuid := (select r.memory_id from public.day_replies r where r.id = delete_day_reply.reply_id
    and (private.is_manager(r.memory_id)
      or (r.guest_id = private.guest_id() or r.user_id = auth.uid()) and cardinality(private.asked_part_ids(r.memory_id)) > 0));
begin
  if memory is null or not private.has_required_aal() then
    raise exception 'There is no such reply.' using errcode = 'PT404', hint = 'reply_gone';
  end if;
  perform from public.memories m where m.id = memory for key share;
  perform from public.day_reply_settings s where s.memory_id = memory for update;
  delete from public.day_replies r where r.id = delete_day_reply.reply_id;
end
$$;
comment on function delete_day_reply is 'Deletes a reply: for managers, and for the guest or account that gave it. Its places go to those that wait.';

revoke execute on function private.fill_day_places, private.fill_changed_places, private.fill_left_places, private.asked_part_ids,
  private.checked_day_answers, private.day_reply_result from public, anon, authenticated, service_role;
revoke execute on function save_day_reply, delete_day_reply from public;
grant execute on function save_day_reply, delete_day_reply to anon, authenticated, service_role;
