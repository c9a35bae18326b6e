-- The words on a memory's printed cards and signs, kept for the next time (decision 0128).
set local check_function_bodies = off;

create table memory_prints (
  memory_id uuid primary key references memories on delete cascade,
  title text check (length(title) <= 120),
  words text check (length(words) <= 300),
  hint text check (length(hint) <= 120),
  place_words text check (length(place_words) <= 120),
  design text not null default 'plain' check (design in ('plain', 'frame', 'tint')),
  extra_names text[] not null default '{}' check (cardinality(extra_names) <= 500 and array_position(extra_names, null) is null
    and length(array_to_string(extra_names, '')) <= 50000),
  left_out text[] not null default '{}' check (cardinality(left_out) <= 1000 and array_position(left_out, null) is null
    and length(array_to_string(left_out, '')) <= 250000),
  revision integer not null default 1
);
comment on table memory_prints is
  'The words on a memory''s printed cards, signs and place cards. Only its managers see and change them.';
comment on column memory_prints.title is 'Null until somebody has written it: the name of the memory is printed then.';
comment on column memory_prints.words is 'Null until somebody has written it: words in the reader''s language are offered then.';
comment on column memory_prints.hint is 'How to use the code; null like words.';
comment on column memory_prints.place_words is 'The line under the names of place cards; null like title.';
comment on column memory_prints.design is 'The ground of the cards: nothing, a double line, or a tint up to the edge.';
comment on column memory_prints.extra_names is 'Names for place cards that are in no reply.';
comment on column memory_prints.left_out is 'Persons of replies who get no place card: the id of the reply, a space and the name, which a number follows if several persons have the same.';
comment on column memory_prints.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
create trigger t15_revise before update on memory_prints for each row
  when ((old.title, old.words, old.hint, old.place_words, old.design, old.extra_names, old.left_out, old.revision)
    is distinct from (new.title, new.words, new.hint, new.place_words, new.design, new.extra_names, new.left_out, new.revision))
  execute function private.revise();

alter table memory_prints enable row level security;
grant select on memory_prints to authenticated;
grant insert (memory_id, title, words, hint, place_words, design, extra_names, left_out),
  update (title, words, hint, place_words, design, extra_names, left_out, revision) on memory_prints to authenticated;
create policy "required authentication level" on memory_prints as restrictive for all to authenticated
  using ((select private.has_required_aal()));
create policy "managers read" on memory_prints for select to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));
create policy "managers add" on memory_prints for insert to authenticated with check (private.is_manager(memory_id));
create policy "managers change" on memory_prints for update to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));
