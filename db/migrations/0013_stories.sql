set local check_function_bodies = off;

create table stories (
  id uuid primary key default gen_random_uuid(),
  memory_id uuid not null references memories on delete cascade,
  user_id uuid default auth.uid() references auth.users on delete set null,
  title text not null default '' check (length(title) <= 200),
  body html not null check (length(body) between 1 and 200000),
  position integer not null default 0,
  moderation text not null default 'shown' check (moderation in ('shown', 'held', 'hidden', 'deleted')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  guest_id uuid default private.guest_id() references guests on delete set null,
  unique (id, memory_id)
);
comment on table stories is
  'What people tell of a memory, beside its own description. Seen by whoever sees the memory, written by whoever may add to it.';
comment on column stories.user_id is 'Who wrote it and may change or withdraw it; null once their account is gone: the story stays, as photos do.';
comment on column stories.position is 'Its place among the memory''s stories; a new one comes last.';
comment on column stories.moderation is
  'Shown to everyone, held until a manager says yes, or hidden by one. Those two are seen by managers and their author alone. Deleted: in the trash, seen by nobody.';
comment on column stories.guest_id is 'As for media.';
create index stories_memory_id on stories (memory_id, position, created_at);
create index stories_user_id on stories (user_id);
create index stories_guest_id on stories (guest_id) where guest_id is not null;
create index stories_moderation on stories (memory_id, moderation) where moderation <> 'shown';
create trigger touch_updated_at before update on stories for each row
  when ((old.title, old.body) is distinct from (new.title, new.body)) execute function private.touch_updated_at();
alter table stories enable row level security;

create table memory_entries (
  id uuid primary key default gen_random_uuid(),
  memory_id uuid not null references memories on delete cascade,
  on_date approximate_date,
  starts_at time(0),
  title text not null check (length(btrim(title)) between 1 and 200),
  place text not null default '' check (length(place) <= 200),
  note text not null default '' check (length(note) <= 2000),
  media_id uuid references media on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table memory_entries is
  'The moments of a life on a tribute''s timeline, or the parts of an event''s programme. Seen by whoever sees the memory.';
comment on column memory_entries.on_date is 'As exactly as it is known; a part of a programme has one only where its day is not the event''s.';
comment on column memory_entries.starts_at is 'The clock on the wall where it happens.';
comment on column memory_entries.media_id is 'A photo of the same memory to stand beside it.';
create index memory_entries_memory_id on memory_entries (memory_id, on_date, starts_at);
create index memory_entries_media_id on memory_entries (media_id) where media_id is not null;
create trigger touch_updated_at before update on memory_entries for each row execute function private.touch_updated_at();
alter table memory_entries enable row level security;

-- Author names are in a table of their own, as in media_credits: a policy can withhold rows, but not a column.
create table story_credits (
  story_id uuid,
  memory_id uuid,
  name text not null check (length(name) <= 200),
  primary key (story_id, memory_id),
  foreign key (story_id, memory_id) references stories (id, memory_id) on update cascade on delete cascade
);
comment on table story_credits is
  'Under what name each story was told: its author''s on that day. Seen, of the stories that they see, by the memory''s people, by whoever came by a link that shows names, and by its author.';
create index story_credits_memory_id on story_credits (memory_id);
alter table story_credits enable row level security;

create function private.prepare_story() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if auth.role() in ('anon', 'authenticated') then
    new.moderation := private.initial_moderation(new.memory_id);
  end if;
  if new.guest_id is not null then
    perform private.rate_limit_guest('stories', 30);
  end if;
  new.position := coalesce((select max(s.position) from public.stories s where s.memory_id = new.memory_id), 0) + 1;
  return new;
end
$$;
create trigger prepare_story before insert on stories for each row execute function private.prepare_story();

-- Nobody puts words into another's mouth, and nobody decides for a memory that they do not keep.
create function private.validate_story() returns trigger language plpgsql set search_path = '' as $$
begin
  -- Into and out of the trash: row policies refuse that to every caller, so the functions of the trash do it.
  if coalesce(auth.role(), '') not in ('anon', 'authenticated') or 'deleted' in (old.moderation, new.moderation) then
    return new;
  end if;
  if (new.position, new.moderation) is distinct from (old.position, old.moderation)
    and not private.is_manager(old.memory_id) then
    raise exception 'Only those who keep the memory can order and hide its stories.' using errcode = '42501';
  end if;
  if (new.title, new.body) is distinct from (old.title, old.body) then
    if not private.is_own(old.user_id, old.guest_id) then
      raise exception 'Only its author can change the words of a story.' using errcode = '42501';
    end if;
    if old.moderation = 'shown' and private.initial_moderation(old.memory_id) = 'held' then
      new.moderation := 'held';
    end if;
  end if;
  return new;
end
$$;
create trigger t20_validate_story before update on stories for each row execute function private.validate_story();

create function arrange_stories(memory_id uuid, ids uuid[]) returns void language sql volatile set search_path = '' as $$
  update public.stories s set position = wanted.place
  from unnest(ids) with ordinality as wanted (id, place)
  where s.id = wanted.id and s.memory_id = arrange_stories.memory_id and s.position is distinct from wanted.place
$$;
comment on function arrange_stories is 'Gives a memory''s stories the order of these ids. Only its managers can; for others they are not there.';

grant select, insert (id, memory_id, title, body), update (title, body), delete on stories to anon;
grant select, insert (id, memory_id, title, body), update (title, body, position, moderation), delete
  on stories to authenticated;
create policy "whoever may see the memory" on stories for select to anon, authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[])
    or moderation = 'shown' and memory_id = any ((select private.shared_memory_ids('view'))::uuid[])
    or user_id = (select auth.uid()) and memory_id = any ((select private.shared_memory_ids('contribute'))::uuid[]));
create policy "whoever may add to it" on stories for insert to authenticated
  with check (user_id = (select auth.uid()) and private.can_contribute(memory_id));
create policy "its author and the managers change" on stories for update to authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[])
    or user_id = (select auth.uid()) and memory_id = any ((select private.shared_memory_ids('contribute'))::uuid[]));
create policy "its author and the managers withdraw" on stories for delete to authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[])
    or user_id = (select auth.uid()) and memory_id = any ((select private.shared_memory_ids('contribute'))::uuid[]));
create policy "what a guest told" on stories for select to anon
  using (guest_id = (select private.guest_id()) and memory_id = any ((select private.linked_memory_ids('{contribute,upload}'))::uuid[]));
create policy "a guest tells" on stories for insert to anon
  with check (guest_id = (select private.guest_id()) and user_id is null
    and private.can_contribute(memory_id));
create policy "a guest changes their own" on stories for update to anon
  using (guest_id = (select private.guest_id()) and memory_id = any ((select private.linked_memory_ids('{contribute,upload}'))::uuid[]));
create policy "a guest takes back their own" on stories for delete to anon
  using (guest_id = (select private.guest_id()) and memory_id = any ((select private.linked_memory_ids('{contribute,upload}'))::uuid[]));

grant select on memory_entries to anon;
grant select, insert (id, memory_id, on_date, starts_at, title, place, note, media_id),
  update (on_date, starts_at, title, place, note, media_id), delete on memory_entries to authenticated;
create policy "whoever may see the memory" on memory_entries for select to anon, authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('view'))::uuid[]));
create policy "its managers add" on memory_entries for insert to authenticated
  with check (private.is_manager(memory_id)
    and (media_id is null or exists (select from media m where m.id = media_id and m.memory_id = memory_entries.memory_id)));
create policy "its managers change" on memory_entries for update to authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]))
  with check (media_id is null or exists (select from media m where m.id = media_id and m.memory_id = memory_entries.memory_id));
create policy "its managers delete" on memory_entries for delete to authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));

grant select on story_credits to anon, authenticated;
create policy "whoever is told names, and whose it is" on story_credits for select to anon, authenticated
  using (exists (select from stories s where s.id = story_id and (exists (select from memories own where own.id = s.memory_id and own.user_id = (select auth.uid()))
    or s.memory_id = any ((select private.shared_credited_memory_ids())::uuid[])
    or s.user_id = (select auth.uid()) or s.guest_id = (select private.guest_id()))));

revoke execute on all functions in schema private from public;
revoke execute on function arrange_stories from public, anon, authenticated;
grant execute on function arrange_stories to authenticated;
