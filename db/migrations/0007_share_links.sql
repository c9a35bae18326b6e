set local check_function_bodies = off;

-- 22 characters of base 62 carry 130 bits, which cannot be guessed.
create function private.new_share_id() returns text language plpgsql volatile set search_path = '' as $$
declare
  alphabet constant text := '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  random bytea;
  made text := '';
begin
  while length(made) < 22 loop
    random := uuid_send(gen_random_uuid());
    -- Bytes 6 and 8 of a version 4 UUID are partly fixed; values over 247 would favour the first letters.
    for i in 9..15 loop
      if get_byte(random, i) < 248 and length(made) < 22 then
        made := made || substr(alphabet, get_byte(random, i) % 62 + 1, 1);
      end if;
    end loop;
  end loop;
  return made;
end
$$;

create table share_links (
  id uuid primary key default gen_random_uuid(),
  memory_id uuid references memories on delete cascade,
  share_id text not null unique default private.new_share_id(),
  is_first boolean not null default false,
  shared_at timestamptz default now(),
  version integer not null default 1,
  locked_until timestamptz,
  created_at timestamptz not null default now(),
  album_id uuid references albums on delete cascade,
  label text not null default '' check (length(label) <= 100),
  rights text not null default 'view' check (rights in ('view', 'comment', 'contribute', 'upload')),
  expires_at timestamptz,
  revoked_at timestamptz,
  allows_download boolean not null default true,
  asks text check (asks in ('pin', 'passphrase')),
  admitted_since_version integer not null default 1,
  moderated boolean not null default false,
  shows_names boolean not null default true,
  has_pin boolean generated always as (asks is not null) stored,
  invitation_id uuid unique references invitations on delete cascade,
  for_card boolean not null default false,
  grown integer not null default 0,
  constraint opens_one_thing check (num_nonnulls(memory_id, album_id) = 1)
);
comment on table share_links is 'Share links to a memory or an album. Only its managers can read the rows.';
comment on column share_links.share_id is 'The identifier in /shared/{shareId}. Only managers can read it.';
comment on column share_links.is_first is 'Whether it was created together with its memory.';
comment on column share_links.shared_at is
  'When a manager first shared it. Before that it does not work: the first link is created automatically.';
comment on column share_links.version is
  'Increased whenever access through the link changes. Tokens and media URLs of an older version are invalid.';
comment on column share_links.locked_until is 'Set while the link is locked after wrong PINs.';
comment on column share_links.rights is 'What visitors may do; "upload" allows adding without viewing.';
comment on column share_links.revoked_at is 'The link does not work from this time on.';
comment on column share_links.allows_download is 'Whether visitors may download copies.';
comment on column share_links.asks is 'The secret that visitors must enter; null for none.';
comment on column share_links.admitted_since_version is
  'The version in which the secret or the share id last changed. Visitors who were admitted since then need not enter the secret again.';
comment on column share_links.moderated is 'Whether content from visitors is held until a manager approves it.';
comment on column share_links.shows_names is 'Whether visitors see the names of authors.';
comment on column share_links.invitation_id is
  'The invitation whose emails contain it. Such a link requires the token of an email, and works while the invitation is open or accepted.';
comment on column share_links.for_card is
  'Created for a metal card. A memory can have a hundred of them, so they are listed separately.';
comment on column share_links.grown is
  'How many versions only added a memory to the album. Every other version invalidates downloads that were prepared before it.';
create index share_links_memory_id on share_links (memory_id, created_at, id);
create unique index one_first_link on share_links (memory_id) where is_first;
create index share_links_album_id on share_links (album_id, created_at, id) where album_id is not null;
alter table share_links enable row level security;

create table share_pins (
  link_id uuid primary key references share_links on delete cascade,
  -- The cost is part of the hash. A higher cost, written past the server, would make every attempt expensive.
  hash text not null check (hash ~ '^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$'),
  kind text not null default 'pin' check (kind in ('pin', 'passphrase'))
);
comment on table share_pins is
  'The PIN or passphrase of a link, as a keyed argon2id hash that no caller can read. No row means no secret.';
create index share_pins_hash on share_pins (hash);
alter table share_pins enable row level security;

-- Notifies pages that were opened by a link about its changes. Visitors who lose access to a row are not told about its
-- change; this row stays visible to everybody who came by the link and contains nothing else.
create table link_versions (
  link_id uuid primary key references share_links on delete cascade,
  version integer not null,
  shows_names boolean not null default true,
  moderated boolean not null default false
);
comment on table link_versions is
  'The current version of each link and the settings that its visitors'' pages need. Visible to everybody who came by the link, even after it was closed.';
comment on column link_versions.shows_names is 'As in share_links.';
comment on column link_versions.moderated is 'As in share_links.';
alter table link_versions enable row level security;

create table share_openings (
  id bigint generated always as identity primary key,
  link_id uuid not null references share_links on delete cascade,
  -- Deleted together with the visitor's account.
  user_id uuid references auth.users on delete cascade,
  device text not null default '' check (device in ('', 'phone', 'tablet', 'computer')),
  opened_at timestamptz not null default date_trunc('hour', now()),
  times integer not null default 1,
  constraint one_row_an_hour unique nulls not distinct (link_id, opened_at, device, user_id)
);
comment on table share_openings is
  'When links were opened, by the hour, for 180 days. Visible to the link''s managers and to the visitor if they were signed in.';
comment on column share_openings.user_id is 'The visitor, if they were signed in.';
comment on column share_openings.times is 'How often in that hour, with the same kind of device.';
create index share_openings_opened_at on share_openings (opened_at);
create index share_openings_user_id on share_openings (user_id);
alter table share_openings enable row level security;

-- The link is inserted after its memory, but `returning share_id` is evaluated before that. Until then the identifier is kept
-- in a setting of the transaction.
create function private.choose_share_id() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform set_config('skies.share_ids', (coalesce(nullif(current_setting('skies.share_ids', true), ''), '{}')::jsonb
    || jsonb_build_object(new.id, private.new_share_id()))::text, true);
  return new;
end
$$;
create trigger choose_share_id before insert on memories for each row execute function private.choose_share_id();

create function private.make_first_link() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.share_links (memory_id, share_id, is_first, shared_at)
  values (new.id, current_setting('skies.share_ids')::jsonb ->> new.id::text, true, null);
  return null;
end
$$;
create trigger make_first_link after insert on memories for each row execute function private.make_first_link();

-- Not a column, because viewers can read the row of a memory and a policy cannot hide a column. Runs as its caller; only
-- managers can read links.
create function share_id(memory memories) returns text language sql stable set search_path = '' as $$
  select coalesce(
    (select l.share_id from public.share_links l where l.memory_id = memory.id and l.is_first),
    nullif(current_setting('skies.share_ids', true), '')::jsonb ->> memory.id::text)
$$;
comment on function share_id is
  'The share id of a memory''s first link, as a computed column; null unless the caller manages the memory.';

create function private.renew_link() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  link constant uuid := coalesce(new.link_id, old.link_id);
begin
  update public.share_links
  set version = version + 1, admitted_since_version = version + 1, locked_until = null,
    asks = (select kind from public.share_pins where link_id = link),
    shared_at = coalesce(shared_at, case when tg_op <> 'DELETE' then now() end)
  where id = link;
  return null;
end
$$;
create trigger t20_renew_link after insert or update or delete on share_pins
  for each row execute function private.renew_link();

-- Tokens contain the version of the link, so this invalidates those of earlier versions.
create function private.raise_link_version() returns trigger language plpgsql set search_path = '' as $$
begin
  new.version := old.version + 1;
  if new.share_id <> old.share_id then
    new.admitted_since_version := new.version;
    new.locked_until := null;
  end if;
  return new;
end
$$;
create trigger t20_raise_link_version before update on share_links for each row
  when ((old.rights, old.expires_at, old.revoked_at, old.allows_download, old.share_id)
    is distinct from (new.rights, new.expires_at, new.revoked_at, new.allows_download, new.share_id))
  execute function private.raise_link_version();

create function private.validate_link() returns trigger language plpgsql set search_path = '' as $$
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
create trigger t10_validate_link before insert or update on share_links for each row execute function private.validate_link();

-- When a memory is deleted, its row is gone before its links are.
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
  'Gives a link a new share id and returns it. The old one no longer works. Only for managers.';

create function private.publish_link_version() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.link_versions (link_id, version, shows_names, moderated)
  values (new.id, new.version, new.shows_names, new.moderated)
  on conflict (link_id) do update
  set version = excluded.version, shows_names = excluded.shows_names, moderated = excluded.moderated;
  return null;
end
$$;
create trigger publish_new_link_version after insert on share_links
  for each row execute function private.publish_link_version();
create trigger publish_link_version after update on share_links
  for each row when ((new.version, new.shows_names, new.moderated) <> (old.version, old.shows_names, old.moderated))
  execute function private.publish_link_version();

-- A link also changes when its memory is withdrawn or published, or when a memory is added to or removed from its album.
create function private.raise_versions_of_links() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  was constant uuid := case when tg_op <> 'INSERT' then old.album_id end;
  is_in constant uuid := case when tg_op <> 'DELETE' then new.album_id end;
  grows constant boolean := tg_op <> 'DELETE' and not new.draft;
begin
  if tg_op = 'UPDATE' and new.draft <> old.draft then
    update public.share_links set version = version + 1 where memory_id = new.id;
  end if;
  update public.share_links
  set version = version + 1, grown = grown + case when grows and album_id = is_in then 1 else 0 end
  where album_id = any (array[was, is_in])
    -- When an account is deleted, several memories of a deleted album reach this trigger, and a row cannot be changed twice
    -- by one command.
    and exists (select from public.albums a where a.id = share_links.album_id);
  return null;
end
$$;
create trigger raise_versions_of_links_new after insert on memories
  for each row when (new.album_id is not null and not new.draft) execute function private.raise_versions_of_links();
create trigger raise_versions_of_links_changed after update on memories
  for each row when ((new.album_id, new.draft) is distinct from (old.album_id, old.draft))
  execute function private.raise_versions_of_links();
create trigger raise_versions_of_links_deleted after delete on memories
  for each row when (old.album_id is not null) execute function private.raise_versions_of_links();

create function link_openings(link_id uuid)
returns table (opened_at timestamptz, times integer, device text, person text)
language sql stable security definer set search_path = '' as $$
  select o.opened_at, o.times, o.device, p.full_name
  from public.share_openings o left join public.profiles p on p.id = o.user_id
  where o.link_id = link_openings.link_id and private.is_link_manager(link_openings.link_id)
  order by o.opened_at desc, o.id desc limit 1000
$$;
comment on function link_openings is
  'When a link was opened, newest first, and by whom if they were signed in. Empty unless the caller manages the link.';

revoke execute on all functions in schema private from public;
revoke execute on function share_id, remake_link, link_openings from public, anon, authenticated;
grant execute on function share_id, remake_link, link_openings to authenticated;
-- Column defaults run as the caller who inserts.
grant execute on function private.new_share_id to authenticated, service_role;
