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
  'Stories about a memory, besides its description. Visible to everybody who can see the memory; written by contributors.';
comment on column stories.user_id is
  'The author, who may change or delete it; null after their account was deleted. The story is kept.';
comment on column stories.position is 'Order among the memory''s stories; a new one is last.';
comment on column stories.moderation is 'As media.moderation.';
comment on column stories.guest_id is 'As media_details.guest_id.';
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
  'Entries of a tribute''s timeline or of an event''s programme. Visible to everybody who can see the memory.';
comment on column memory_entries.on_date is
  'With the precision that is known. An entry of a programme has one only if its day differs from the event''s.';
comment on column memory_entries.starts_at is 'Local time.';
comment on column memory_entries.media_id is 'A photo of the same memory to show with it.';
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
  'The author''s name on the day of writing. Visible, for stories they can see, to members, visitors of a link that shows names, and the author.';
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

-- Only authors change the text of a story, and only managers order and hide stories.
create function private.validate_story() returns trigger language plpgsql set search_path = '' as $$
begin
  -- Row policies refuse every caller a change into or out of the trash; the functions of the trash do that.
  if coalesce(auth.role(), '') not in ('anon', 'authenticated') or 'deleted' in (old.moderation, new.moderation) then
    return new;
  end if;
  if (new.position, new.moderation) is distinct from (old.position, old.moderation)
    and not private.is_manager(old.memory_id) then
    raise exception 'Only managers of the memory can order and hide its stories.' using errcode = '42501';
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
comment on function arrange_stories is
  'Orders a memory''s stories by these ids. For callers who are not managers nothing changes.';

grant select, insert (id, memory_id, title, body), update (title, body), delete on stories to anon;
grant select, insert (id, memory_id, title, body), update (title, body, position, moderation), delete
  on stories to authenticated;
create policy "viewers read" on stories for select to anon, authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[])
    or moderation = 'shown' and memory_id = any ((select private.shared_memory_ids('view'))::uuid[])
    or user_id = (select auth.uid()) and memory_id = any ((select private.shared_memory_ids('contribute'))::uuid[]));
create policy "contributors add" on stories for insert to authenticated
  with check (user_id = (select auth.uid()) and private.can_contribute(memory_id));
create policy "author and managers change" on stories for update to authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[])
    or user_id = (select auth.uid()) and memory_id = any ((select private.shared_memory_ids('contribute'))::uuid[]));
create policy "author and managers delete" on stories for delete to authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[])
    or user_id = (select auth.uid()) and memory_id = any ((select private.shared_memory_ids('contribute'))::uuid[]));
create policy "guest reads own" on stories for select to anon
  using (guest_id = (select private.guest_id()) and memory_id = any ((select private.linked_memory_ids('{contribute,upload}'))::uuid[]));
create policy "guest adds" on stories for insert to anon
  with check (guest_id = (select private.guest_id()) and user_id is null
    and private.can_contribute(memory_id));
create policy "guest changes own" on stories for update to anon
  using (guest_id = (select private.guest_id()) and memory_id = any ((select private.linked_memory_ids('{contribute,upload}'))::uuid[]));
create policy "guest deletes own" on stories for delete to anon
  using (guest_id = (select private.guest_id()) and memory_id = any ((select private.linked_memory_ids('{contribute,upload}'))::uuid[]));

grant select on memory_entries to anon;
grant select, insert (id, memory_id, on_date, starts_at, title, place, note, media_id),
  update (on_date, starts_at, title, place, note, media_id), delete on memory_entries to authenticated;
create policy "viewers read" on memory_entries for select to anon, authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('view'))::uuid[]));
create policy "managers add" on memory_entries for insert to authenticated
  with check (private.is_manager(memory_id)
    and (media_id is null or exists (select from media m where m.id = media_id and m.memory_id = memory_entries.memory_id)));
create policy "managers change" on memory_entries for update to authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]))
  with check (media_id is null or exists (select from media m where m.id = media_id and m.memory_id = memory_entries.memory_id));
create policy "managers delete" on memory_entries for delete to authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));

grant select on story_credits to anon, authenticated;
create policy "people who see names, and the author, read" on story_credits for select to anon, authenticated
  using (exists (select from stories s where s.id = story_id and (exists (select from memories own where own.id = s.memory_id and own.user_id = (select auth.uid()))
    or s.memory_id = any ((select private.shared_credited_memory_ids())::uuid[])
    or s.user_id = (select auth.uid()) or s.guest_id = (select private.guest_id()))));

revoke execute on all functions in schema private from public;
revoke execute on function arrange_stories from public, anon, authenticated;
grant execute on function arrange_stories to authenticated;
