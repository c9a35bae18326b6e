alter table share_links
  add column asks text check (asks in ('pin', 'passphrase')),
  add column entered_since integer not null default 1,
  add column moderated boolean not null default false,
  add column shows_names boolean not null default true;
comment on column share_links.asks is 'What its door asks for; null where it stands open.';
comment on column share_links.entered_since is
  'The version under which its secret or its share id last changed: who entered since then is let in again without being asked.';
comment on column share_links.moderated is 'Whether what its holders add waits for a keeper''s yes.';
comment on column share_links.shows_names is 'Whether its holders are told who added what.';
update share_links set asks = case when has_pin then 'pin' end, entered_since = version;
alter table share_links drop column has_pin;
alter table share_links add column has_pin boolean generated always as (asks is not null) stored;

alter table share_pins add column kind text not null default 'pin' check (kind in ('pin', 'passphrase'));
comment on table share_pins is 'The PIN or passphrase of a link, as a keyed argon2id hash that no caller can read. No row, none.';
grant insert (kind), update (kind) on share_pins to authenticated;

create or replace function private.renew_link() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  link constant uuid := coalesce(new.link_id, old.link_id);
begin
  update public.share_links
  set version = version + 1, entered_since = version + 1, locked_until = null,
    asks = (select kind from public.share_pins where link_id = link),
    shared_at = coalesce(shared_at, case when tg_op <> 'DELETE' then now() end)
  where id = link;
  return null;
end
$$;

create or replace function private.raise_link_version() returns trigger language plpgsql set search_path = '' as $$
begin
  new.version := old.version + 1;
  if new.share_id <> old.share_id then
    new.entered_since := new.version;
    new.locked_until := null;
  end if;
  return new;
end
$$;

create function private.mind_link() returns trigger language plpgsql set search_path = '' as $$
begin
  if coalesce(auth.role(), '') not in ('anon', 'authenticated') then
    return new;
  end if;
  if new.expires_at <= now() and (tg_op = 'INSERT' or new.expires_at is distinct from old.expires_at) then
    raise exception 'A link can not end in the past.' using errcode = 'PT400', hint = 'ends_in_the_past';
  end if;
  if tg_op = 'UPDATE' and new.revoked_at is not null then
    new.revoked_at := coalesce(old.revoked_at, now());
  end if;
  if tg_op = 'UPDATE' then
    new.shared_at := coalesce(old.shared_at, case when new.shared_at is not null then now() end);
  end if;
  return new;
end
$$;
create trigger mind_link before insert or update on share_links for each row execute function private.mind_link();

-- When the memory itself goes, it is gone before its links are.
create function private.keep_first_link() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if old.is_first and exists (select from public.memories where id = old.memory_id) then
    raise exception 'The first link of a memory can be revoked or made anew, not deleted.'
      using errcode = 'PT409', hint = 'first_link';
  end if;
  return old;
end
$$;
create trigger keep_first_link before delete on share_links for each row execute function private.keep_first_link();

grant insert (moderated, shows_names), update (moderated, shows_names, shared_at), delete on share_links to authenticated;

create function private.is_link_manager(link uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from public.share_links l left join public.albums a on a.id = l.album_id
    where l.id = link and (private.is_manager(l.memory_id) or a.user_id = auth.uid() and a.deleted_at is null and private.fully_signed_in()))
$$;
comment on function private.is_link_manager is 'Whether the caller may change a link.';

create function remake_link(link_id uuid) returns text language plpgsql security definer set search_path = '' as $$
declare
  new_share constant text := private.new_share_id();
begin
  update public.share_links set share_id = new_share where id = link_id and private.is_link_manager(id);
  if not found then
    raise exception 'There is no such link among yours.' using errcode = 'PT404';
  end if;
  return new_share;
end
$$;
comment on function remake_link is
  'Gives a link another share id, which is returned: whoever holds the old one holds nothing. Only its keepers can.';

-- What tells whoever opened a link that it changed. A row that a change closes is not told to those it is closed to;
-- this one is seen by whoever came by the link, whatever became of it since, and holds nothing else.
create table link_versions (
  link_id uuid primary key references share_links on delete cascade,
  version integer not null
);
comment on table link_versions is 'How often each link has changed. Seen by whoever came by it, also after it closed.';
insert into link_versions select id, version from share_links;

create function private.tell_link_version() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.link_versions (link_id, version) values (new.id, new.version)
  on conflict (link_id) do update set version = excluded.version;
  return null;
end
$$;
create trigger tell_new_link_version after insert on share_links
  for each row execute function private.tell_link_version();
create trigger tell_link_version after update on share_links
  for each row when (new.version <> old.version) execute function private.tell_link_version();

-- A link also opens something else when its memory is withdrawn or published, or when one comes into or out of its album.
create function private.raise_versions_beside() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and new.draft <> old.draft then
    update public.share_links set version = version + 1 where memory_id = new.id;
  end if;
  update public.share_links set version = version + 1 where album_id = any (array[
    case when tg_op <> 'INSERT' then old.album_id end, case when tg_op <> 'DELETE' then new.album_id end]);
  return null;
end
$$;
create trigger raise_versions_beside_new after insert on memories
  for each row when (new.album_id is not null and not new.draft) execute function private.raise_versions_beside();
create trigger raise_versions_beside_changed after update on memories
  for each row when ((new.album_id, new.draft) is distinct from (old.album_id, old.draft))
  execute function private.raise_versions_beside();
create trigger raise_versions_beside_gone after delete on memories
  for each row when (old.album_id is not null) execute function private.raise_versions_beside();

alter table link_versions enable row level security;
grant select on link_versions to anon, authenticated;
create policy "who came by the link" on link_versions for select to anon, authenticated
  using (link_id = ((select auth.jwt()) -> 'share' ->> 'link')::uuid);
create policy "after the second step" on link_versions as restrictive to authenticated
  using ((select private.fully_signed_in()));

create table share_openings (
  id bigint generated always as identity primary key,
  link_id uuid not null references share_links on delete cascade,
  -- Who deletes their account takes their trace with them.
  user_id uuid references auth.users on delete cascade,
  device text not null default '' check (device in ('', 'phone', 'tablet', 'computer')),
  opened_at timestamptz not null default date_trunc('hour', now()),
  times integer not null default 1,
  constraint one_row_an_hour unique nulls not distinct (link_id, opened_at, device, user_id)
);
comment on table share_openings is
  'When links were opened, to the hour, for 180 days. Seen by the link''s keepers, and by whoever opened it signed in.';
comment on column share_openings.user_id is 'Who opened it, where they were signed in; never guessed.';
comment on column share_openings.times is 'How often in that hour, by the same kind of device.';
create index share_openings_opened_at on share_openings (opened_at);
create index share_openings_user_id on share_openings (user_id);

alter table share_openings enable row level security;
grant select on share_openings to authenticated;
create policy "the link's keepers and who opened it" on share_openings for select to authenticated
  using (user_id = (select auth.uid()) or exists (select from share_links l where l.id = link_id));
create policy "after the second step" on share_openings as restrictive to authenticated
  using ((select private.fully_signed_in()));

create function link_openings(link_id uuid)
returns table (opened_at timestamptz, times integer, device text, person text)
language sql stable security definer set search_path = '' as $$
  select o.opened_at, o.times, o.device, p.full_name
  from public.share_openings o left join public.profiles p on p.id = o.user_id
  where o.link_id = link_openings.link_id and private.is_link_manager(link_openings.link_id)
  order by o.opened_at desc, o.id desc limit 1000
$$;
comment on function link_openings is
  'When a link was opened, newest first, and by whom where they were signed in. Empty for all but its keepers.';

-- Functions that run with their maker's rights go by these sets alone: before the second step they are empty.
create or replace function private.owned_memory_ids() returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(id), '{}') from public.memories
  where user_id = auth.uid() and deleted_at is null and (select private.fully_signed_in())
$$;
create or replace function private.member_memory_ids(wanted text[]) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(p.memory_id), '{}') from public.memory_members p
  join public.memories m on m.id = p.memory_id and not m.draft
  where p.user_id = auth.uid() and p.role = any (wanted) and (select private.fully_signed_in())
$$;

revoke execute on function private.raise_link_version, private.mind_link, private.keep_first_link, private.is_link_manager,
  private.tell_link_version, private.raise_versions_beside, remake_link, link_openings from public;
revoke execute on function remake_link, link_openings from anon;
grant execute on function remake_link, link_openings to authenticated;

alter publication supabase_realtime add table link_versions, share_openings;
