-- The live wall of a memory: a link of its own for a screen, that reads only what the wall shows (decision 0129).
set local check_function_bodies = off;

create table walls (
  id uuid primary key default gen_random_uuid(),
  memory_id uuid not null unique references memories on delete cascade,
  wall_id text not null unique default private.new_share_id(),
  link_id uuid references share_links on delete set null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz constraint revoked_at_in_years_1_to_9999
    check (revoked_at between '0001-01-01T00:00:00Z' and '9999-12-31T00:00:00Z'),
  expires_at timestamptz constraint expires_at_in_years_1_to_9999
    check (expires_at between '0001-01-01T00:00:00Z' and '9999-12-31T00:00:00Z'),
  version integer not null default 1,
  changes integer not null default 0,
  shows_pictures boolean not null default true,
  shows_words boolean not null default true,
  shows_candles boolean not null default true,
  shows_names boolean not null default true,
  layout text not null default 'one' check (layout in ('one', 'mosaic')),
  pace smallint not null default 10 check (pace between 5 and 120),
  is_dark boolean not null default true,
  plays_sound boolean not null default false,
  is_paused boolean not null default false,
  step integer not null default 0 check (step between -1000000 and 1000000),
  anchor_tick integer not null default 0,
  anchored_at timestamptz not null default now()
);
create index walls_link_id on walls (link_id) where link_id is not null;
comment on table walls is
  'The live wall of a memory: its link, what it may show, and its remote control. Managers read and change it. A screen reads the settings of its own wall, even after it was turned off.';
comment on column walls.wall_id is 'The identifier in /wall/{wallId}. Only managers can read it.';
comment on column walls.link_id is 'The share link to which the QR code leads; null for no QR code.';
comment on column walls.revoked_at is 'The wall is off from this time on.';
comment on column walls.version is 'Increased when access ends or the address changes. Tokens and media URLs of an older version are invalid.';
comment on column walls.changes is 'Increased when something that wall_head answers has changed, so that screens ask again.';
comment on column walls.shows_pictures is 'Whether photos and videos appear. In a tribute off until a manager allows it.';
comment on column walls.shows_words is 'Whether comments on the memory appear.';
comment on column walls.shows_names is 'Whether the names of authors appear.';
comment on column walls.pace is 'Seconds for which a picture is shown.';
comment on column walls.step is 'Increased by the remote control to show the next picture, and decreased for the previous one.';
comment on column walls.anchor_tick is 'The position in the sequence of pictures at anchored_at. Screens and remote controls compute the present one from it.';

create function private.prepare_wall() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- The family allows pictures of a person by a step of its own.
  if exists (select from public.memories m where m.id = new.memory_id and m.kind = 'tribute') then
    new.shows_pictures := false;
  end if;
  return new;
end
$$;
comment on function private.prepare_wall is 'Leaves out the pictures on a new wall of a tribute.';

create function private.follow_wall() returns trigger language plpgsql set search_path = '' as $$
declare
  present constant integer := old.anchor_tick + case when old.is_paused then 0
    else floor(extract(epoch from greatest(now() - old.anchored_at, interval '0')) / old.pace)::integer end;
begin
  if new.revoked_at is not null then
    new.revoked_at := coalesce(old.revoked_at, now());
  end if;
  if new.wall_id <> old.wall_id or (new.revoked_at is null) <> (old.revoked_at is null) then
    new.version := old.version + 1;
  end if;
  if new.link_id is distinct from old.link_id or new.expires_at is distinct from old.expires_at then
    new.changes := old.changes + 1;
  end if;
  if new.step <> old.step or new.pace <> old.pace or new.is_paused <> old.is_paused then
    new.anchor_tick := present + sign(new.step - old.step);
    new.anchored_at := now();
  end if;
  return new;
end
$$;
comment on function private.follow_wall is
  'Increases the version of a wall whose access changes, and continues the sequence of pictures from the present one after the remote control was used.';

create function private.validate_wall() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.link_id is not null and (tg_op = 'INSERT' or new.link_id is distinct from old.link_id) and not exists (
    select from public.share_links l where l.id = new.link_id and l.memory_id = new.memory_id
      and l.rights in ('contribute', 'upload') and l.invitation_id is null) then
    raise exception 'The QR code leads to a link of this memory that allows adding.' using errcode = 'PT400', hint = 'wall_link';
  end if;
  if new.expires_at <= now() and coalesce(auth.role(), '') in ('anon', 'authenticated')
    and (tg_op = 'INSERT' or new.expires_at is distinct from old.expires_at) then
    raise exception 'A link can not end in the past.' using errcode = 'PT400', hint = 'ends_in_the_past';
  end if;
  return new;
end
$$;
comment on function private.validate_wall is 'Refuses a QR code that leads elsewhere, and an end in the past.';
create trigger t10_prepare_wall before insert on walls for each row execute function private.prepare_wall();
create trigger t20_validate_wall before insert or update on walls for each row execute function private.validate_wall();
create trigger t30_follow_wall before update on walls for each row execute function private.follow_wall();

create function private.follow_memory_on_wall() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.walls w set changes = w.changes + 1,
    version = w.version + case when new.deleted_at is distinct from old.deleted_at then 1 else 0 end,
    shows_pictures = w.shows_pictures and (new.kind <> 'tribute' or old.kind = 'tribute')
  where w.memory_id = new.id;
  return null;
end
$$;
comment on function private.follow_memory_on_wall is
  'Tells screens that the name of their memory has changed, or that it was deleted. A memory that becomes a tribute shows no pictures until its family allows it.';
create trigger follow_memory_on_wall after update of person_name, kind, draft, deleted_at on memories for each row
  when (old.person_name is distinct from new.person_name or old.kind is distinct from new.kind or old.draft is distinct from new.draft
    or old.deleted_at is distinct from new.deleted_at)
  execute function private.follow_memory_on_wall();

create function private.follow_link_on_wall() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.walls w set changes = w.changes + 1 where w.link_id = new.id;
  return null;
end
$$;
comment on function private.follow_link_on_wall is 'Tells screens that the link of their QR code has changed.';
create trigger follow_link_on_wall after update on share_links for each row
  when (old.version is distinct from new.version or old.asks is distinct from new.asks)
  execute function private.follow_link_on_wall();

create function private.open_wall() returns setof public.walls language sql stable security definer set search_path = '' as $$
  select w.* from public.walls w join public.memories m on m.id = w.memory_id and not m.draft and m.deleted_at is null
  where w.id = (auth.jwt() -> 'wall' ->> 'id')::uuid and w.version = (auth.jwt() -> 'wall' ->> 'version')::integer
    and auth.role() = 'anon' and w.revoked_at is null and coalesce(w.expires_at > now(), true)
$$;
comment on function private.open_wall is 'The wall whose screen the caller is, while its version is current and it is on.';

create function private.waits_for_reveal(memory uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from public.reveals r where r.memory_id = memory and not r.revealed and coalesce(r.reveal_at > now(), true))
$$;
comment on function private.waits_for_reveal is 'Whether guests see only their own contributions to a memory until its reveal. A wall then shows nothing.';

create function private.wall_memory_id(to_show text) returns uuid language sql stable security definer set search_path = '' as $$
  select w.memory_id from private.open_wall() w where case to_show
    when 'pictures' then w.shows_pictures when 'words' then w.shows_words when 'candles' then w.shows_candles
    when 'names' then w.shows_names when 'anything' then true end
    and not private.waits_for_reveal(w.memory_id)
$$;
comment on function private.wall_memory_id is 'The memory whose wall the caller is, if the wall shows this: pictures, words, candles, names or anything.';

create function wall_head() returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('name', m.person_name, 'kind', m.kind, 'now', now(), 'ends_at', w.expires_at, 'share_id', l.share_id,
    'asks', l.asks, 'waits', private.waits_for_reveal(m.id),
    'candles', case when w.shows_candles and not private.waits_for_reveal(m.id) then (select count(*) from public.reactions r where r.memory_id = m.id
      and r.kind = 'candle' and r.media_id is null and r.comment_id is null and r.moderation = 'shown') end)
  from private.open_wall() w join public.memories m on m.id = w.memory_id
  left join public.share_links l on l.id = w.link_id and l.shared_at is not null and l.revoked_at is null
    and coalesce(l.expires_at > now(), true) and l.rights in ('contribute', 'upload')
$$;
comment on function wall_head is
  'What a screen shows beside pictures and words: the memory''s name and kind, the link for adding, and the number of candles. Null for every other caller.';

create function remake_wall(wall uuid) returns text language plpgsql security definer set search_path = '' as $$
declare
  address constant text := private.new_share_id();
begin
  update public.walls w set wall_id = address where w.id = remake_wall.wall and private.is_manager(w.memory_id);
  if not found then
    raise exception 'There is no such wall among yours.' using errcode = 'PT404';
  end if;
  return address;
end
$$;
comment on function remake_wall is 'Gives a wall a new address and returns it. The old one no longer works. Only for managers.';

create function read_at(wall walls) returns timestamptz language sql stable set search_path = '' as $$ select now() $$;
comment on function read_at is 'The server''s time, from which a remote control computes what screens show.';

alter table walls enable row level security;
grant select on walls to authenticated;
grant select (id, memory_id, version, changes, shows_pictures, shows_words, shows_candles, shows_names, layout, pace, is_dark,
  plays_sound, is_paused, step, anchor_tick, anchored_at) on walls to anon;
grant insert (memory_id, link_id),
  update (link_id, revoked_at, expires_at, shows_pictures, shows_words, shows_candles, shows_names, layout, pace, is_dark,
    plays_sound, is_paused, step) on walls to authenticated;
create policy "required authentication level" on walls as restrictive for all to authenticated
  using ((select private.has_required_aal()));
create policy "managers read" on walls for select to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));
create policy "managers add" on walls for insert to authenticated with check (private.is_manager(memory_id));
create policy "managers change" on walls for update to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));
create policy "screen reads own settings" on walls for select to anon
  using (id = ((select auth.jwt()) -> 'wall' ->> 'id')::uuid);
alter publication supabase_realtime add table walls;

-- A screen reads these rows only. Papers and recordings are not for a screen, and replies belong to a conversation.
create policy "wall shows" on media for select to anon using (case
  when memory_id = (select private.wall_memory_id('pictures'))
    then moderation = 'shown' and state = 'ready' and type in ('image', 'video') and pages is null
  else false end);
create policy "wall shows" on comments for select to anon using (case
  when memory_id = (select private.wall_memory_id('words'))
    then moderation = 'shown' and media_id is null and parent_id is null and deleted_at is null
  else false end);
create policy "wall shows" on reactions for select to anon using (case
  when memory_id = (select private.wall_memory_id('candles'))
    then moderation = 'shown' and kind = 'candle' and media_id is null and comment_id is null
  else false end);
create policy "wall shows" on media_credits for select to anon
  using (memory_id = (select private.wall_memory_id('names')) and exists (select from media m where m.id = media_id));
create policy "wall shows" on comment_credits for select to anon
  using (memory_id = (select private.wall_memory_id('names')) and exists (select from comments c where c.id = comment_id));
create policy "wall shows" on reaction_credits for select to anon
  using (memory_id = (select private.wall_memory_id('names')) and exists (select from reactions r where r.id = reaction_id));
create policy "wall shows" on memory_withdrawals for select to anon
  using (memory_id = (select private.wall_memory_id('anything')));

-- What others may read because they see a photo or a name is not for a screen.
create policy "not for a wall" on media_names as restrictive for all to anon using (not (select auth.jwt()) ? 'wall');
create policy "not for a wall" on who_questions as restrictive for all to anon using (not (select auth.jwt()) ? 'wall');
create policy "not for a wall" on pictured_people as restrictive for all to anon using (not (select auth.jwt()) ? 'wall');
create policy "not for a wall" on pictured_identities as restrictive for all to anon using (not (select auth.jwt()) ? 'wall');
create policy "not for a wall" on media_name_suggestions as restrictive for all to anon using (not (select auth.jwt()) ? 'wall');
create policy "not for a wall" on media_details as restrictive for all to anon using (not (select auth.jwt()) ? 'wall');
create policy "only pictures for a wall" on storage.objects as restrictive for all to anon
  using (not (select auth.jwt()) ? 'wall' or bucket_id in ('media', 'posters'));

create or replace function private.access_to_object(object storage.objects) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when auth.role() = 'service_role' or object.owner = auth.uid()
      or private.is_manager(private.memory_of(object.name))
      or auth.role() = 'anon' and exists (select from public.media_details d where d.media_id = object.id and d.guest_id = private.guest_id())
      then 'original'
    when auth.jwt() ? 'share' and not exists (select from private.open_link() where allows_download)
      and coalesce(private.member_role(private.memory_of(object.name)), '') not in ('contributor', 'viewer') then 'view'
    when auth.jwt() ? 'wall' then 'view'
    else 'copy'
  end
$$;

revoke execute on function private.prepare_wall, private.follow_wall, private.validate_wall, private.follow_memory_on_wall,
  private.follow_link_on_wall, private.open_wall, private.wall_memory_id, private.waits_for_reveal, wall_head, remake_wall,
  read_at from public, anon, authenticated, service_role;
grant execute on function private.wall_memory_id, wall_head to anon, service_role;
grant execute on function remake_wall, read_at to authenticated, service_role;
