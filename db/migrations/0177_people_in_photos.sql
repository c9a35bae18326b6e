-- People in photos: a memory's list of people, and their names on its photos and videos. docs/decisions/0125-people-in-photos.md.
set local check_function_bodies = off;

create function private.are_names(names text[]) returns boolean language sql immutable parallel safe strict set search_path = '' as $$
  select cardinality(names) <= 20 and coalesce(bool_and(coalesce(length(name) between 1 and 200, false)), true) from unnest(names) name
$$;
comment on function private.are_names is 'Whether these are at most 20 names, none of them empty or too long.';

create table pictured_people (
  id uuid primary key default gen_random_uuid(),
  memory_id uuid not null references memories on delete cascade,
  name text not null check (length(name) between 1 and 200),
  other_names text[] not null default '{}' check (private.are_names(other_names)),
  born_year integer check (born_year between 1 and 9999),
  died_year integer check (died_year between 1 and 9999),
  merged_into uuid,
  deleted boolean not null default false,
  deleted_at timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  constraint born_before_they_died check (died_year >= born_year),
  constraint not_merged_into_itself check (merged_into <> id),
  unique (id, memory_id),
  unique (id, memory_id, deleted),
  constraint merged_into_a_person_of_the_memory foreign key (merged_into, memory_id) references pictured_people (id, memory_id) on delete set null (merged_into)
);
comment on table pictured_people is
  'The people of a memory''s photos. Visible to members who may edit, and to everybody who can see a photo with the person''s name.';
comment on column pictured_people.other_names is 'Other names of the person, for example "Aunt May".';
comment on column pictured_people.merged_into is
  'The entry of the same person that shows the names of this one. The names themselves stay with this entry, so that both can be split again.';
comment on column pictured_people.deleted is 'Whether the person and their names are in the trash: hidden until restored, for 30 days.';
comment on column pictured_people.deleted_at is 'Since when. A trigger sets it.';
comment on column pictured_people.revision is 'As media.revision.';
create index pictured_people_memory_id on pictured_people (memory_id, name, id);
create index pictured_people_merged_into on pictured_people (merged_into, memory_id) where merged_into is not null;
create index pictured_people_deleted_at on pictured_people (deleted_at) where deleted_at is not null;

create table media_names (
  media_id uuid not null,
  person_id uuid not null,
  memory_id uuid not null,
  x real check (x between 0 and 1),
  y real check (y between 0 and 1),
  person_deleted boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (media_id, person_id),
  constraint point_has_both check ((x is null) = (y is null)),
  constraint of_a_photo_of_the_memory foreign key (media_id, memory_id) references media (id, memory_id) on update cascade on delete cascade,
  constraint of_a_person_of_the_memory foreign key (person_id, memory_id, person_deleted)
    references pictured_people (id, memory_id, deleted) on update cascade on delete cascade
);
comment on table media_names is
  'Names of people on photos and videos, each once. Visible to everybody who can see the photo or video.';
comment on column media_names.x is 'Where the person is, as a fraction of the upright picture''s width from the left; null without a point.';
comment on column media_names.y is 'As x, of the height from the top.';
comment on column media_names.person_deleted is 'As pictured_people.deleted, which sets it.';
create index media_names_memory_id on media_names (memory_id, media_id, person_id);
create index media_names_person_id on media_names (person_id, memory_id, person_deleted);

create table pictured_identities (
  person_id uuid primary key references pictured_people on delete cascade,
  memory_id uuid not null references memories on delete cascade
);
comment on table pictured_identities is
  'The memory that is about a pictured person. Visible to everybody who can see both the person and that memory.';
create index pictured_identities_memory_id on pictured_identities (memory_id);

create function private.merged_people(person uuid) returns uuid[] language sql stable security definer set search_path = '' as $$
  with recursive family (id) as (
    select person union select p.id from public.pictured_people p join family f on p.merged_into = f.id
  ) select array_agg(id) from family
$$;
comment on function private.merged_people is 'A person and all entries that are merged into it.';

alter table pictured_people enable row level security;
alter table media_names enable row level security;
alter table pictured_identities enable row level security;
grant select on pictured_people, media_names, pictured_identities to anon, authenticated;
grant insert (id, memory_id, name) on pictured_people to anon;
grant insert (id, memory_id, name, other_names, born_year, died_year),
  update (name, other_names, born_year, died_year, merged_into, deleted, revision) on pictured_people to authenticated;
grant insert (media_id, person_id, memory_id, x, y), update (x, y), delete on media_names to anon, authenticated;
grant insert (person_id, memory_id), delete on pictured_identities to authenticated;

create policy "required authentication level" on pictured_people as restrictive for all to authenticated
  using ((select private.has_required_aal()));
create policy "required authentication level" on media_names as restrictive for all to authenticated
  using ((select private.has_required_aal()));
create policy "required authentication level" on pictured_identities as restrictive for all to authenticated
  using ((select private.has_required_aal()));

create policy "editors, and viewers of a photo with the name, read" on pictured_people for select to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('read details'))::uuid[])
    or not deleted and exists (select from media_names n where n.person_id = any (private.merged_people(pictured_people.id))));
create policy "visitors who see a photo with the name read" on pictured_people for select to anon
  using (not deleted and exists (select from media_names n where n.person_id = any (private.merged_people(pictured_people.id))));
create policy "contributors add" on pictured_people for insert to authenticated
  with check (private.can_contribute(memory_id));
create policy "guest adds" on pictured_people for insert to anon
  with check ((select private.guest_id()) is not null and private.can_contribute(memory_id));
create policy "editors change" on pictured_people for update to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('read details'))::uuid[]));

create policy "viewers of the photo read" on media_names for select to anon, authenticated
  using (not person_deleted and exists (select from media m where m.id = media_id));
create policy "editors, and the person who added the photo, add" on media_names for insert to authenticated
  with check ((exists (select from private.own_memories own where own.id = memory_id)
      or memory_id = any ((select private.shared_memory_ids('read details'))::uuid[])
      or media_id = any ((select private.added_media_ids())::uuid[]))
    and exists (select from media m where m.id = media_id));
create policy "editors, and the person who added the photo, change" on media_names for update to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('read details'))::uuid[])
    or media_id = any ((select private.added_media_ids())::uuid[]));
create policy "editors, and the person who added the photo, delete" on media_names for delete to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('read details'))::uuid[])
    or media_id = any ((select private.added_media_ids())::uuid[]));
create policy "guest adds to own photos" on media_names for insert to anon
  with check (media_id = any ((select private.added_media_ids())::uuid[]));
create policy "guest changes on own photos" on media_names for update to anon
  using (media_id = any ((select private.added_media_ids())::uuid[]));
create policy "guest deletes from own photos" on media_names for delete to anon
  using (media_id = any ((select private.added_media_ids())::uuid[]));

create policy "viewers of both read" on pictured_identities for select to anon, authenticated
  using (exists (select from memories m where m.id = memory_id) and exists (select from pictured_people p where p.id = person_id));
create policy "editors who see the memory add" on pictured_identities for insert to authenticated
  with check (exists (select from memories m where m.id = memory_id)
    and exists (select from pictured_people p where p.id = person_id
      and (exists (select from private.own_memories own where own.id = p.memory_id)
        or p.memory_id = any ((select private.shared_memory_ids('read details'))::uuid[]))));
create policy "editors delete" on pictured_identities for delete to authenticated
  using (exists (select from pictured_people p where p.id = person_id
    and (exists (select from private.own_memories own where own.id = p.memory_id)
      or p.memory_id = any ((select private.shared_memory_ids('read details'))::uuid[]))));

create function private.type_person() returns trigger language plpgsql set search_path = '' as $$
begin
  new.name := auth.typed_line(new.name);
  new.other_names := array(select distinct auth.typed_line(n) from unnest(new.other_names) n where n is null or auth.typed_line(n) <> new.name);
  if new.deleted then
    new.deleted_at := coalesce(case when tg_op = 'UPDATE' then old.deleted_at end, new.deleted_at, now());
  else
    new.deleted_at := null;
  end if;
  return new;
end
$$;
comment on function private.type_person is 'Stores names in their typed form, and since when a person is in the trash.';
create trigger t05_type_person before insert or update on pictured_people for each row execute function private.type_person();
create trigger t15_revise before update on pictured_people for each row
  when ((old.name, old.other_names, old.born_year, old.died_year, old.revision)
    is distinct from (new.name, new.other_names, new.born_year, new.died_year, new.revision))
  execute function private.revise();

-- Merging, splitting, deleting and restoring of one memory's people run one after the other: two merges at once could
-- otherwise merge two people into each other.
create function private.guard_merge() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform from public.memories m where m.id = new.memory_id for no key update;
  if new.merged_into is not null and new.merged_into is distinct from old.merged_into then
    if new.merged_into = any (private.merged_people(new.id)) then
      raise exception 'Two people cannot be merged into each other.' using errcode = '23514';
    end if;
    if exists (select from public.pictured_people p where p.id = new.merged_into and p.deleted) then
      raise exception 'This person was deleted.' using errcode = '23514';
    end if;
  end if;
  return new;
end
$$;
comment on function private.guard_merge is 'Refuses merges into each other and into deleted people, one change of a memory''s people after the other.';
create trigger t20_guard_merge before update on pictured_people for each row
  when ((old.merged_into, old.deleted) is distinct from (new.merged_into, new.deleted)) execute function private.guard_merge();

create function private.delete_merged() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.pictured_people p set deleted = new.deleted where p.merged_into = new.id and p.deleted <> new.deleted;
  return null;
end
$$;
comment on function private.delete_merged is 'Deletes and restores the entries that are merged into a person together with it.';
create trigger delete_merged after update of deleted on pictured_people for each row
  when (old.deleted <> new.deleted) execute function private.delete_merged();

create function private.limit_people() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'pictured_people' then
    if (select count(*) from (select from public.pictured_people p where p.memory_id = new.memory_id limit 5000) p) >= 5000 then
      raise exception 'A memory can have 5000 people.' using errcode = '23514';
    end if;
  elsif (select count(*) from (select from public.media_names n where n.media_id = new.media_id limit 100) n) >= 100 then
    raise exception 'A photo can have 100 names.' using errcode = '23514';
  end if;
  return new;
end
$$;
comment on function private.limit_people is 'Refuses more than 5000 people of a memory and 100 names on a photo.';
create trigger t30_limit_people before insert on pictured_people for each row execute function private.limit_people();
create trigger t30_limit_names before insert on media_names for each row execute function private.limit_people();

create function private.hold_named_media() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.media m set moderation = 'held'
  where m.id in (select n.media_id from new_rows n where private.initial_moderation(n.memory_id) = 'held') and m.moderation = 'shown';
  return null;
end
$$;
comment on function private.hold_named_media is 'A name on a photo awaits approval where a caption does.';
create trigger hold_named_media after insert on media_names referencing new table as new_rows
  for each statement when (current_setting('skies.importing', true) is distinct from 'on') execute function private.hold_named_media();

create function private.person_in(memory uuid, person uuid, photo uuid) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  from_entry public.pictured_people;
  entry uuid;
begin
  with recursive roots as (
    select p.* from public.pictured_people p where p.id = person
    union select p.* from public.pictured_people p join roots r on p.id = r.merged_into
  ) select * into from_entry from roots where merged_into is null;
  select p.id into entry from public.pictured_people p
  where p.memory_id = memory and p.merged_into is null and p.deleted = from_entry.deleted
    and private.search_key(p.name) = private.search_key(from_entry.name)
    and (p.born_year, p.died_year) is not distinct from (from_entry.born_year, from_entry.died_year)
    and not exists (select from public.media_names n where n.media_id = photo and n.person_id = p.id)
  order by p.created_at, p.id limit 1;
  if entry is null then
    insert into public.pictured_people (memory_id, name, other_names, born_year, died_year, deleted)
    values (memory, from_entry.name, from_entry.other_names, from_entry.born_year, from_entry.died_year, from_entry.deleted)
    returning id into entry;
    insert into public.pictured_identities (person_id, memory_id)
    select entry, i.memory_id from public.pictured_identities i where i.person_id = from_entry.id;
  end if;
  return entry;
end
$$;
comment on function private.person_in is 'The entry of a person in another memory''s list: one with the same name and years, or a new one.';

create function private.follow_moved_photo() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.person_id := private.person_in(new.memory_id, old.person_id, new.media_id);
  select p.deleted into new.person_deleted from public.pictured_people p where p.id = new.person_id;
  return new;
end
$$;
comment on function private.follow_moved_photo is 'Names on a photo that moves to another memory become names of people in that memory''s list.';
create trigger follow_moved_photo before update of memory_id on media_names for each row
  when (old.memory_id <> new.memory_id) execute function private.follow_moved_photo();

create function name_people(
  memory_id uuid, media_ids uuid[], person_id uuid, name text default null, x real default null, y real default null) returns setof uuid
language plpgsql volatile set search_path = '' as $$
#variable_conflict use_column
begin
  if name_people.name is not null then
    insert into public.pictured_people (id, memory_id, name)
    values (name_people.person_id, name_people.memory_id, name_people.name) on conflict do nothing;
  end if;
  if name_people.x is not null then
    update public.media_names n set x = name_people.x, y = name_people.y
    where n.media_id = any (name_people.media_ids) and n.person_id = name_people.person_id
      and (n.x, n.y) is distinct from (name_people.x, name_people.y);
  end if;
  return query
    insert into public.media_names (media_id, person_id, memory_id, x, y)
    select m.id, name_people.person_id, m.memory_id, name_people.x, name_people.y from public.media m
    where m.id = any (name_people.media_ids) and m.memory_id = name_people.memory_id
    order by m.id
    on conflict do nothing returning media_id;
end
$$;
comment on function name_people is
  'Names a person on photos and videos of a memory, and adds the person to its list if there is a name and no such person. Row policies decide who may. Returns the ids of those that did not have the name.';

-- Names are seen as others give them.
alter publication supabase_realtime add table pictured_people, media_names;

create function private.purge_people() returns void language sql security definer set search_path = '' as $$
  delete from public.pictured_people where deleted_at < now() - interval '30 days'
$$;
comment on function private.purge_people is 'Permanently deletes people that have been in the trash for 30 days.';

revoke execute on function private.are_names, private.merged_people, private.type_person, private.guard_merge, private.delete_merged,
  private.limit_people, private.hold_named_media, private.person_in, private.follow_moved_photo, private.purge_people
  from public, anon, authenticated, service_role;
-- What checks and policies call.
grant execute on function private.are_names to authenticated, service_role;
grant execute on function private.are_names, private.merged_people to anon, authenticated;
revoke execute on function name_people from public;
grant execute on function name_people to anon, authenticated, service_role;
