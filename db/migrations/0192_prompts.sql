-- Prompts: hosts ask for photos, voices and words, and the answers gather on the prompt's card.
set local check_function_bodies = off;

create table prompts (
  id uuid primary key default gen_random_uuid(),
  memory_id uuid not null references memories on delete cascade,
  text text not null check (length(btrim(text)) between 1 and 200 and text !~ '[[:cntrl:]]'),
  suggestion text check (suggestion ~ '^[a-z][A-Za-z]{0,39}$'),
  position integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  revision integer not null default 1,
  constraint prompts_id_memory_id_key unique (id, memory_id)
);
comment on table prompts is
  'Questions and challenges of a memory''s hosts, which guests answer with photos, videos, recordings and words. Visible to everybody who can see the memory.';
comment on column prompts.text is 'The question as its host wrote or chose it.';
comment on column prompts.suggestion is 'The suggestion of the app that it was chosen from, which pages show in the reader''s language; null for own words.';
comment on column prompts.position is 'Order among the memory''s prompts; a new one is last.';
comment on column prompts.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
create index prompts_memory_id on prompts (memory_id, position, created_at);

create function private.prepare_prompt() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.text := auth.typed_line(new.text);
  if tg_op = 'INSERT' then
    new.position := coalesce((select max(p.position) from public.prompts p where p.memory_id = new.memory_id), 0) + 1;
  end if;
  return new;
end
$$;
comment on function private.prepare_prompt is 'Cleans the text of a prompt; a new one is last.';
create trigger t05_prepare_prompt before insert or update of text on prompts for each row
  when (current_setting('skies.importing', true) is distinct from 'on') execute function private.prepare_prompt();
create trigger t15_revise before update on prompts for each row
  when ((old.text, old.suggestion, old.revision) is distinct from (new.text, new.suggestion, new.revision)) execute function private.revise();
create trigger touch_updated_at before update on prompts for each row execute function private.touch_updated_at();

alter table prompts enable row level security;
grant select on prompts to anon, authenticated;
grant insert (id, memory_id, text, suggestion), update (text, suggestion, position, revision), delete on prompts to authenticated;
create policy "required authentication level" on prompts as restrictive for all to authenticated using ((select private.has_required_aal()));
create policy "viewers of the memory read" on prompts for select to anon, authenticated
  using (exists (select from memories m where m.id = memory_id));
create policy "managers add" on prompts for insert to authenticated with check (private.is_manager(memory_id));
create policy "managers change" on prompts for update to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));
create policy "managers delete" on prompts for delete to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));
alter publication supabase_realtime add table prompts;

create function arrange_prompts(memory_id uuid, ids uuid[]) returns void language sql volatile set search_path = '' as $$
  update public.prompts p set position = wanted.place
  from unnest(ids) with ordinality as wanted (id, place)
  where p.id = wanted.id and p.memory_id = arrange_prompts.memory_id and p.position is distinct from wanted.place
$$;
comment on function arrange_prompts is 'Orders a memory''s prompts by these ids. For callers who are not managers nothing changes.';
revoke execute on function arrange_prompts from public, anon;
grant execute on function arrange_prompts to authenticated, service_role;

-- Answers are ordinary photos and comments.
alter table media
  add column prompt_id uuid,
  add constraint answers_a_prompt_of_the_memory foreign key (prompt_id, memory_id) references prompts (id, memory_id) on delete set null (prompt_id);
comment on column media.prompt_id is 'The prompt that it answers; null for most.';
create index media_prompt_id on media (prompt_id) where prompt_id is not null;
alter table comments
  add column prompt_id uuid,
  add constraint answers_a_prompt_of_the_memory foreign key (prompt_id, memory_id) references prompts (id, memory_id) on delete set null (prompt_id),
  add constraint a_prompt_is_answered_first check (prompt_id is null or media_id is null and parent_id is null);
comment on column comments.prompt_id is 'The prompt that it answers; null for most. Not for comments on photos and replies.';
create index comments_prompt_id on comments (prompt_id, created_at) where prompt_id is not null;
grant insert (prompt_id), select (prompt_id) on comments to anon;
grant insert (prompt_id) on comments to authenticated;

create function private.leave_prompt() returns trigger language plpgsql set search_path = '' as $$
begin
  new.prompt_id := null;
  return new;
end
$$;
comment on function private.leave_prompt is 'A photo that moves to another memory answers no prompt there.';
create trigger t10_leave_prompt before update of memory_id on media for each row
  when (old.memory_id <> new.memory_id and new.prompt_id is not null) execute function private.leave_prompt();

create function private.answer_prompt() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.prompt_id := (select p.id from public.prompts p join storage.objects o on o.id = new.id
    where p.memory_id = new.memory_id and p.id::text = o.user_metadata ->> 'prompt');
  return new;
end
$$;
comment on function private.answer_prompt is 'Notes the prompt that an uploaded file answers, if it is one of the memory.';
create trigger t10_answer_prompt before insert on media for each row
  when (current_setting('skies.importing', true) is distinct from 'on') execute function private.answer_prompt();

revoke execute on function private.prepare_prompt, private.leave_prompt, private.answer_prompt from public, anon, authenticated, service_role;
