-- Names of people that a photo's file brings: suggestions to those who may name on it, until they are taken or declined.
-- docs/decisions/0125-people-in-photos.md.
create table media_name_suggestions (
  media_id uuid not null,
  name text not null check (length(name) between 1 and 200),
  memory_id uuid not null,
  x real check (x between 0 and 1),
  y real check (y between 0 and 1),
  settled boolean not null default false,
  primary key (media_id, name),
  constraint point_has_both check ((x is null) = (y is null)),
  constraint of_a_photo_of_the_memory foreign key (media_id, memory_id) references media (id, memory_id) on update cascade on delete cascade
);
comment on table media_name_suggestions is
  'Names of people in a photo''s file. Visible to those who may name people on the photo; nothing else shows them before somebody takes them.';
comment on column media_name_suggestions.x is 'As media_names.x.';
comment on column media_name_suggestions.y is 'As media_names.y.';
comment on column media_name_suggestions.settled is 'Whether somebody has taken or declined the name, so that reading the file again does not bring it back.';
create index media_name_suggestions_memory_id on media_name_suggestions (memory_id, media_id, name) where not settled;

alter table media_name_suggestions enable row level security;
grant select on media_name_suggestions to anon, authenticated;
grant update (settled) on media_name_suggestions to anon, authenticated;
create policy "required authentication level" on media_name_suggestions as restrictive for all to authenticated
  using ((select private.has_required_aal()));
create policy "editors, and the person who added the photo, read" on media_name_suggestions for select to authenticated
  using ((exists (select from private.own_memories own where own.id = memory_id)
      or memory_id = any ((select private.shared_memory_ids('read details'))::uuid[])
      or media_id = any ((select private.added_media_ids())::uuid[]))
    and exists (select from media m where m.id = media_id));
create policy "guest reads of own photos" on media_name_suggestions for select to anon
  using (media_id = any ((select private.added_media_ids())::uuid[]) and exists (select from media m where m.id = media_id));
create policy "editors, and the person who added the photo, settle" on media_name_suggestions for update to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('read details'))::uuid[])
    or media_id = any ((select private.added_media_ids())::uuid[]));
create policy "guest settles of own photos" on media_name_suggestions for update to anon
  using (media_id = any ((select private.added_media_ids())::uuid[]));

create function private.suggest_names(photo uuid, names jsonb) returns void language sql security definer set search_path = '' as $$
  insert into public.media_name_suggestions (media_id, memory_id, name, x, y)
  select distinct on (n.name) m.id, m.memory_id, n.name, n.x, n.y
  from public.media m
  join storage.objects o on o.id = m.id
  cross join lateral (
    select auth.typed_line(f.name) as name, f.x, f.y from jsonb_to_recordset(names) as f (name text, x real, y real)
    union all
    select auth.typed_line(p.name #>> '{}'), null, null
    from jsonb_array_elements(case jsonb_typeof(o.user_metadata -> 'people') when 'array' then o.user_metadata -> 'people' else '[]' end)
      with ordinality as p (name, place)
    where p.place <= 100 and jsonb_typeof(p.name) = 'string') n
  where m.id = photo and length(n.name) between 1 and 200
  order by n.name, n.x nulls last
  on conflict do nothing
$$;
comment on function private.suggest_names is
  'Stores the names in a photo''s file, and those of the export that it came with, as suggestions.';
revoke execute on function private.suggest_names from public, anon, authenticated, service_role;
