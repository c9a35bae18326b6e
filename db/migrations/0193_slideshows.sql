-- Slideshows of a memory's photos with music, and their films (decision 0132).
set local check_function_bodies = off;

create table slideshows (
  id uuid primary key default gen_random_uuid(),
  memory_id uuid not null references memories on delete cascade,
  title text not null check (length(btrim(title)) between 1 and 120 and title !~ '[[:cntrl:]]'),
  pace smallint not null default 6 check (pace between 3 and 30),
  shows_captions boolean not null default true,
  music_id uuid references media on delete set null,
  music_is_allowed boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  revision integer not null default 1,
  arranged integer not null default 0,
  changes integer not null default 0,
  constraint music_needs_permission check (music_id is null or music_is_allowed)
);
create index slideshows_memory_id on slideshows (memory_id, created_at);
create index slideshows_music_id on slideshows (music_id) where music_id is not null;
comment on table slideshows is
  'Slideshows of a memory: photos in an order, with music. Everybody who sees the memory''s photos sees them; its managers make them.';
comment on column slideshows.pace is 'Seconds for which a photo is shown.';
comment on column slideshows.music_id is 'The recording of the memory that is played with it; null for none.';
comment on column slideshows.music_is_allowed is 'Whether a manager has said that the family may use this music.';
comment on column slideshows.revision is 'Counts changes of the content. An update that names it is refused (PT409) if the row has another one.';
comment on column slideshows.arranged is 'Counts changes of the photos and their order.';
comment on column slideshows.changes is 'Increased by everything that a film of it shows: settings, photos, their order and their captions.';

create table slideshow_items (
  slideshow_id uuid not null references slideshows on delete cascade,
  media_id uuid not null references media on delete cascade,
  position smallint not null check (position > 0),
  primary key (slideshow_id, media_id)
);
create index slideshow_items_media_id on slideshow_items (media_id);
comment on table slideshow_items is
  'The photos of a slideshow. A row is visible while its photo is shown: hidden and deleted ones keep their place and are in no slideshow.';

create table slideshow_films (
  slideshow_id uuid primary key references slideshows on delete cascade,
  memory_id uuid not null references memories on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'making', 'ready', 'failed', 'withdrawn')),
  progress real check (progress between 0 and 1),
  failure text check (failure in ('empty', 'unavailable', 'music', 'failed')),
  requested_at timestamptz not null default now(),
  object_name text unique,
  size bigint check (size >= 0),
  seconds real check (seconds >= 0),
  made_at timestamptz,
  made_of integer,
  expires_at timestamptz,
  constraint a_ready_film_has_a_file check (state <> 'ready' or object_name is not null)
);
create index slideshow_films_memory_id on slideshow_films (memory_id);
create index slideshow_films_waiting on slideshow_films (requested_at) where state in ('waiting', 'making');
create index slideshow_films_expires_at on slideshow_films (expires_at) where expires_at is not null;
comment on table slideshow_films is
  'The film of a slideshow, which a job makes when a manager requests it. Only the memory''s managers see it.';
comment on column slideshow_films.state is
  'Waiting or being made; ready; failed; or withdrawn, because a photo or the music in it was hidden, deleted or moved.';
comment on column slideshow_films.progress is 'Progress while it is made, from 0 to 1.';
comment on column slideshow_films.failure is 'Why none could be made: no photo is shown, the server has no ffmpeg, the music cannot be played, or another reason.';
comment on column slideshow_films.object_name is 'The object in the bucket films: the last film, also while the next one is made; null for none.';
comment on column slideshow_films.made_of is 'The slideshow''s number of changes when the film was made. If it has another one, the film is out of date.';
comment on column slideshow_films.expires_at is 'When the film is deleted. It can be made again.';

create table private.film_claims (
  slideshow_id uuid primary key references slideshow_films on delete cascade,
  claim uuid not null default gen_random_uuid(),
  attempts integer not null default 1,
  until timestamptz not null
);
alter table private.film_claims enable row level security;
comment on table private.film_claims is 'Claims on films that are made. A claim ends at its time, or when its row is deleted.';

create table private.film_media (
  slideshow_id uuid not null references slideshow_films on delete cascade,
  media_id uuid not null,
  primary key (slideshow_id, media_id)
);
create index film_media_media_id on private.film_media (media_id);
alter table private.film_media enable row level security;
comment on table private.film_media is 'The photos and the music in a film, also in one that is being made.';

create function private.prepare_slideshow() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.title := auth.typed_line(new.title);
  if new.music_id is not null and (tg_op = 'INSERT' or new.music_id is distinct from old.music_id) and not exists (
    select from public.media m where m.id = new.music_id and m.memory_id = new.memory_id and m.type = 'audio' and m.moderation = 'shown') then
    raise exception 'The music is a recording of this memory.' using errcode = 'PT400', hint = 'slideshow_music';
  end if;
  if tg_op = 'INSERT' and (select count(*) from public.slideshows s where s.memory_id = new.memory_id) >= 50 then
    raise exception 'A memory has at most 50 slideshows.' using errcode = 'PT400', hint = 'too_many_slideshows';
  end if;
  if tg_op = 'UPDATE' and (old.pace, old.shows_captions, old.music_id) is distinct from (new.pace, new.shows_captions, new.music_id) then
    new.changes := old.changes + 1;
  end if;
  return new;
end
$$;
comment on function private.prepare_slideshow is
  'Cleans the title, refuses music of another memory and too many slideshows, and counts changes that a film would show.';
create trigger t10_prepare_slideshow before insert or update on slideshows for each row execute function private.prepare_slideshow();
create trigger t15_revise before update on slideshows for each row
  when ((old.title, old.pace, old.shows_captions, old.music_id, old.music_is_allowed, old.arranged, old.revision)
    is distinct from (new.title, new.pace, new.shows_captions, new.music_id, new.music_is_allowed, new.arranged, new.revision))
  execute function private.revise();
create trigger touch_updated_at before update on slideshows for each row execute function private.touch_updated_at();

create function private.count_slideshow_items() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' and exists (select from public.slideshow_items i
    where i.slideshow_id in (select r.slideshow_id from changed r) group by i.slideshow_id having count(*) > 300) then
    raise exception 'A slideshow has at most 300 photos.' using errcode = 'PT400', hint = 'too_many_pictures';
  end if;
  update public.slideshows s set changes = s.changes + 1 where s.id in (select r.slideshow_id from changed r);
  return null;
end
$$;
comment on function private.count_slideshow_items is 'Counts a change of the photos of a slideshow, and refuses more than 300.';
create trigger count_new_items after insert on slideshow_items referencing new table as changed
  for each statement execute function private.count_slideshow_items();
create trigger count_deleted_items after delete on slideshow_items referencing old table as changed
  for each statement execute function private.count_slideshow_items();

create function private.follow_media_in_slideshows() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' then
    update public.slideshows s set changes = s.changes + 1
      where s.id in (select i.slideshow_id from public.slideshow_items i where i.media_id = new.id);
    if new.memory_id <> old.memory_id then
      delete from public.slideshow_items i where i.media_id = new.id;
      update public.slideshows s set music_id = null where s.music_id = new.id;
    end if;
    if new.memory_id = old.memory_id and new.moderation = 'shown' then
      return null;
    end if;
  end if;
  with gone as (delete from private.film_media f where f.media_id = old.id returning f.slideshow_id),
  ended as (delete from private.film_claims c using gone where c.slideshow_id = gone.slideshow_id)
  update public.slideshow_films f set state = 'withdrawn', progress = null, failure = null, object_name = null, size = null,
    seconds = null, made_at = null, made_of = null, expires_at = null
  from gone where f.slideshow_id = gone.slideshow_id;
  return null;
end
$$;
comment on function private.follow_media_in_slideshows is
  'Removes every film with a photo or music that was hidden, deleted or moved, and counts a changed caption as a change of its slideshows. What moves to another memory leaves them.';
create trigger t80_follow_in_slideshows after update of moderation, memory_id, caption on media for each row
  when (old.moderation is distinct from new.moderation or old.memory_id <> new.memory_id or old.caption <> new.caption)
  execute function private.follow_media_in_slideshows();
create trigger t80_withdraw_films after delete on media for each row execute function private.follow_media_in_slideshows();

create function private.delete_film() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from storage.objects where bucket_id = 'films' and name = old.object_name;
  return null;
end
$$;
comment on function private.delete_film is 'Deletes the file of a film that was replaced, withdrawn or deleted.';
create trigger delete_replaced_film after update of object_name on slideshow_films for each row
  when (old.object_name is not null and old.object_name is distinct from new.object_name) execute function private.delete_film();
create trigger delete_film after delete on slideshow_films for each row
  when (old.object_name is not null) execute function private.delete_film();

create function arrange_slideshow(slideshow uuid, pictures uuid[], revision integer) returns integer
language plpgsql set search_path = '' as $$
begin
  update public.slideshows s set arranged = s.arranged + 1, revision = arrange_slideshow.revision where s.id = slideshow;
  if not found then
    raise exception 'There is no such slideshow among yours.' using errcode = 'PT404';
  end if;
  delete from public.slideshow_items i where i.slideshow_id = slideshow;
  insert into public.slideshow_items (slideshow_id, media_id, position)
  select slideshow, m.id, min(p.place) from unnest(pictures) with ordinality as p (id, place)
  join public.media m on m.id = p.id
  join public.slideshows s on s.id = slideshow and s.memory_id = m.memory_id
  where m.type = 'image' and m.pages is null and m.state <> 'broken' and m.moderation = 'shown'
  group by m.id on conflict do nothing;
  return arrange_slideshow.revision + 1;
end
$$;
comment on function arrange_slideshow is
  'Sets the photos of a slideshow and their order, and returns its new revision. Photos that are not shown now keep their place. Only for managers.';

create function request_film(slideshow uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  memory constant uuid := (select s.memory_id from public.slideshows s where s.id = slideshow and private.is_manager(s.memory_id));
begin
  if memory is null then
    raise exception 'There is no such slideshow among yours.' using errcode = 'PT404';
  end if;
  if (select count(*) from public.slideshow_films f where f.memory_id = memory and f.slideshow_id <> slideshow
    and f.state in ('waiting', 'making')) >= 3 then
    raise exception 'Three films of this memory are being made.' using errcode = 'PT400', hint = 'too_many_films';
  end if;
  insert into public.slideshow_films as f (slideshow_id, memory_id) values (slideshow, memory)
  on conflict (slideshow_id) do update set state = 'waiting', progress = null, failure = null, requested_at = now()
    where f.state not in ('waiting', 'making');
  perform pg_notify('film_requested', '');
end
$$;
comment on function request_film is 'Has the film of a slideshow made. The film before stays until the new one is ready. Only for managers.';

create function discard_film(slideshow uuid) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.slideshows s where s.id = slideshow and private.is_manager(s.memory_id)) then
    raise exception 'There is no such slideshow among yours.' using errcode = 'PT404';
  end if;
  delete from private.film_claims c where c.slideshow_id = slideshow;
  update public.slideshow_films f set state = 'ready', progress = null, failure = null
    where f.slideshow_id = slideshow and f.state in ('waiting', 'making') and f.object_name is not null;
  if not found then
    delete from public.slideshow_films f where f.slideshow_id = slideshow;
  end if;
end
$$;
comment on function discard_film is
  'Cancels the making of a film, which leaves the film before; or deletes a film that is not being made. Only for managers.';

alter table slideshows enable row level security;
alter table slideshow_items enable row level security;
alter table slideshow_films enable row level security;
grant select on slideshows, slideshow_items to anon, authenticated;
grant select on slideshow_films to authenticated;
grant insert (id, memory_id, title, pace, shows_captions, music_id, music_is_allowed),
  update (title, pace, shows_captions, music_id, music_is_allowed, arranged, revision), delete on slideshows to authenticated;
grant insert (slideshow_id, media_id, position), delete on slideshow_items to authenticated;

create policy "required authentication level" on slideshows as restrictive for all to authenticated using ((select private.has_required_aal()));
create policy "required authentication level" on slideshow_items as restrictive for all to authenticated using ((select private.has_required_aal()));
create policy "required authentication level" on slideshow_films as restrictive for all to authenticated using ((select private.has_required_aal()));

create policy "viewers of the memory read" on slideshows for select to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('view'))::uuid[]));
create policy "visitors of the memory read" on slideshows for select to anon
  using (memory_id = any ((select private.shared_memory_ids('view'))::uuid[]));
create policy "managers add" on slideshows for insert to authenticated with check (private.is_manager(memory_id));
create policy "managers change" on slideshows for update to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));
create policy "managers delete" on slideshows for delete to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));

create policy "viewers of the photo read" on slideshow_items for select to anon, authenticated
  using (exists (select from slideshows s where s.id = slideshow_id)
    and exists (select from media m where m.id = media_id and m.moderation = 'shown'));
create policy "managers add photos of the memory" on slideshow_items for insert to authenticated
  with check (exists (select from slideshows s join media m on m.memory_id = s.memory_id
    where s.id = slideshow_id and m.id = media_id and m.type = 'image' and m.pages is null and m.state <> 'broken' and m.moderation = 'shown'
      and private.is_manager(s.memory_id)));
create policy "managers remove" on slideshow_items for delete to authenticated
  using (exists (select from slideshows s where s.id = slideshow_id and private.is_manager(s.memory_id)));

create policy "managers read" on slideshow_films for select to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));
alter publication supabase_realtime add table slideshows, slideshow_films;

-- A film is stored like other files, and only the job adds one. It counts towards nobody's storage.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('films', 'films', false, 4294967296, '{video/mp4}');
create policy "films: managers read" on storage.objects for select to authenticated
  using (bucket_id = 'films' and exists (select from slideshow_films f where f.object_name = name));

revoke execute on function private.prepare_slideshow, private.count_slideshow_items, private.follow_media_in_slideshows,
  private.delete_film, arrange_slideshow, request_film, discard_film from public, anon, authenticated, service_role;
grant execute on function arrange_slideshow, request_film, discard_film to authenticated, service_role;
