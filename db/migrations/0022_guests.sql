-- Whoever adds to a memory by its link without an account: a name, and keys that only they and their letters know.
create table guests (
  id uuid primary key default gen_random_uuid(),
  link_id uuid not null references share_links on delete cascade,
  name text not null check (name ~ '\S' and length(name) <= 100 and name !~ '[[:cntrl:]]'),
  email text check (length(email) <= 320 and email !~ '[[:cntrl:]]'),
  language text not null default 'en',
  time_zone text not null default 'UTC' check (length(time_zone) <= 100),
  site text not null default '',
  created_at timestamptz not null default now(),
  last_seen timestamptz not null default now(),
  blocked_at timestamptz
);
comment on table guests is
  'People without an account who signed a link with their name. Seen by the link''s keepers, and each by themselves; they go with the link.';
comment on column guests.email is 'Where their receipts go, as they gave it: nobody has confirmed it. Seen by themselves alone.';
comment on column guests.site is 'The address of the site they signed at, where their letters lead back to.';
comment on column guests.last_seen is 'When they last came by the link.';
comment on column guests.blocked_at is 'From then on they are nobody here.';
create index guests_link_id on guests (link_id, created_at);

create table private.guest_keys (
  hash text primary key,
  guest_id uuid not null references guests on delete cascade,
  created_at timestamptz not null default now()
);
comment on table private.guest_keys is
  'Hashes of what proves somebody to be a guest: the secret of their browser, keyed by the server, and those of their letters.';
create index guest_keys_guest_id on private.guest_keys (guest_id);
alter table private.guest_keys enable row level security;

create function private.guest_id() returns uuid language sql stable security definer set search_path = '' as $$
  select g.id from private.open_link() l join public.guests g on g.link_id = l.id
  where auth.role() = 'anon' and g.id = (auth.jwt() -> 'share' ->> 'guest')::uuid and g.blocked_at is null
$$;
comment on function private.guest_id is
  'Which guest the caller is, while their link opens what it opened and nobody has blocked them; null for everyone else.';

create function private.is_own(by_user uuid, by_guest uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select coalesce(by_user = auth.uid(), false) or coalesce(by_guest = private.guest_id(), false)
$$;
comment on function private.is_own is 'Whether something is the caller''s own, be they signed in or a guest.';

create function private.name_of_either(person uuid, guest uuid) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce((select g.name from public.guests g where g.id = guest), private.name_of(person))
$$;

create function private.sign_guest(
  of_link uuid, of_version integer, hashes text[], as_name text, at_email text, in_language text, in_zone text, at_site text
) returns setof public.guests language plpgsql security definer set search_path = '' as $$
declare
  link public.share_links;
  found uuid;
begin
  -- Whoever else signs the same link waits: so a day's guests are counted right, and one key makes one guest.
  select * into link from public.share_links l where l.id = of_link for no key update;
  if link.id is null or link.version <> of_version or link.revoked_at is not null or link.expires_at <= now() then
    raise exception 'This link is not open any more.' using errcode = 'PT410', hint = 'revoked';
  end if;
  if link.rights = 'view' then
    raise exception 'This link is for looking only.' using errcode = 'PT403', hint = 'view_only';
  end if;
  select g.id into found from public.guests g join private.guest_keys k on k.guest_id = g.id
  where k.hash = any (hashes) and g.link_id = of_link;
  if found is null then
    if (select count(*) from public.guests g where g.link_id = of_link and g.created_at > now() - interval '1 day') >= 300 then
      raise exception 'Too many people have signed here today.' using errcode = 'PT429', hint = 'too_many_guests';
    end if;
    insert into public.guests (link_id, name, email, language, time_zone, site)
    values (of_link, as_name, at_email, in_language, in_zone, at_site) returning id into found;
    insert into private.guest_keys (hash, guest_id) values (hashes[1], found);
  else
    update public.guests g set name = as_name, email = at_email, language = in_language, time_zone = in_zone,
      site = at_site, last_seen = now()
    where g.id = found and g.blocked_at is null;
  end if;
  return query select * from public.guests g where g.id = found and g.blocked_at is null;
end
$$;
comment on function private.sign_guest is
  'Signs a link with a name under a key, whose hash comes first of those it may be known by, or says what that key''s guest is called from now on; no row for who is blocked. The server alone calls it.';

create function private.known_guest(of_link uuid, hashes text[]) returns setof public.guests
language sql volatile security definer set search_path = '' as $$
  update public.guests g set last_seen = now() from private.guest_keys k
  where k.guest_id = g.id and k.hash = any (hashes) and g.link_id = of_link and g.blocked_at is null
  returning g.*
$$;
comment on function private.known_guest is 'The guest of a link who has one of these keys.';

alter table media_details add column guest_id uuid references guests on delete set null;
alter table stories add column guest_id uuid default private.guest_id() references guests on delete set null;
alter table comments add column guest_id uuid default private.guest_id() references guests on delete set null;
alter table reactions
  add column guest_id uuid default private.guest_id() references guests on delete set null,
  add column moderation text not null default 'shown' check (moderation in ('shown', 'held', 'hidden', 'deleted'));
comment on column media_details.guest_id is 'Which guest added it; null for who is signed in, and once the guest''s link is gone.';
comment on column stories.guest_id is 'As for media.';
comment on column comments.guest_id is 'As for media.';
comment on column reactions.guest_id is 'As for media.';
comment on column reactions.moderation is 'As for media.';
create index media_details_guest_id on media_details (guest_id) where guest_id is not null;
create index stories_guest_id on stories (guest_id) where guest_id is not null;
create index comments_guest_id on comments (guest_id) where guest_id is not null;
drop index one_of_a_kind;
create unique index one_of_a_kind on reactions (memory_id, kind, user_id, media_id, comment_id)
  nulls not distinct where user_id is not null;
create unique index one_of_a_kind_of_a_guest on reactions (memory_id, kind, guest_id, media_id, comment_id)
  nulls not distinct where guest_id is not null;
create index reactions_guest_id on reactions (guest_id) where guest_id is not null;

create or replace function private.make_media() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  kind constant text := split_part(new.metadata ->> 'mimetype', '/', 1);
  memory constant uuid := (storage.foldername(new.name))[1]::uuid;
  guest constant uuid := private.guest_id();
  name constant text := private.name_of_either(new.owner, guest);
  taken record;
begin
  select * into taken
  from private.date_of_file(new.metadata ->> 'recorded', new.user_metadata ->> 'taken', new.user_metadata ->> 'filename');
  insert into public.media (id, memory_id, type, size, object_name, width, height, duration, taken_at, state, moderation, visitor_copy)
  values (
    new.id, memory, kind, (new.metadata ->> 'size')::bigint, new.name,
    (new.metadata ->> 'width')::integer, (new.metadata ->> 'height')::integer, (new.metadata ->> 'duration')::real,
    taken.taken_at, case kind when 'video' then 'ready' else 'waiting' end,
    case when auth.role() in ('anon', 'authenticated') then private.arriving_state(memory) else 'shown' end,
    case kind when 'video' then 'waiting' end
  );
  insert into public.media_details (media_id, memory_id, user_id, guest_id, file_name, mime_type,
    taken_at, taken_source, file_taken_at, file_taken_source, content_hash, content_identifier)
  values (
    new.id, memory, new.owner, guest, left(coalesce(new.user_metadata ->> 'filename', ''), 255), new.metadata ->> 'mimetype',
    taken.taken_at, taken.source, taken.taken_at, taken.source, new.metadata ->> 'sha256',
    new.metadata ->> 'contentIdentifier'
  );
  if name <> '' then
    insert into public.media_credits (media_id, memory_id, name) values (new.id, memory, name);
  end if;
  if guest is not null then
    perform private.note_receipt(guest, new.id);
  end if;
  return null;
end
$$;

-- Other words than those that a keeper said yes to wait for another yes.
create function private.mind_media() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if auth.role() in ('anon', 'authenticated') and private.arriving_state(new.memory_id) = 'held' then
    new.moderation := 'held';
  end if;
  return new;
end
$$;
create trigger mind_media before update on media for each row
  when ((old.caption, old.alt_text) is distinct from (new.caption, new.alt_text) and old.moderation = 'shown')
  execute function private.mind_media();

create function private.calm_guest(in_table text, most integer) returns void language plpgsql security definer set search_path = '' as $$
declare
  many integer;
begin
  execute format('select count(*) from public.%I where guest_id = $1 and created_at > now() - interval ''1 hour''', in_table)
    into many using private.guest_id();
  if many >= most then
    raise exception 'So much was written within an hour that the next has to wait a little.' using errcode = 'PT429', hint = 'too_fast';
  end if;
end
$$;
comment on function private.calm_guest is 'Refuses when a guest has written so many within an hour.';

create or replace function private.sign_story() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if auth.role() in ('anon', 'authenticated') then
    new.moderation := private.arriving_state(new.memory_id);
  end if;
  if new.guest_id is not null then
    perform private.calm_guest('stories', 30);
  end if;
  new.position := coalesce((select max(s.position) from public.stories s where s.memory_id = new.memory_id), 0) + 1;
  return new;
end
$$;

create or replace function private.part_story() returns trigger language plpgsql set search_path = '' as $$
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
    if old.moderation = 'shown' and private.arriving_state(old.memory_id) = 'held' then
      new.moderation := 'held';
    end if;
  end if;
  return new;
end
$$;

create or replace function private.sign_comment() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  parent public.comments;
begin
  if auth.role() in ('anon', 'authenticated') then
    new.moderation := private.arriving_state(new.memory_id);
    new.mentions := private.people_named(new.memory_id, new.mentions);
  end if;
  if new.guest_id is not null then
    perform private.calm_guest('comments', 60);
  end if;
  select * into parent from public.comments where id = new.parent_id;
  if auth.role() in ('anon', 'authenticated') and new.parent_id is not null and (parent.id is null or parent.memory_id <> new.memory_id
    or parent.moderation = 'deleted'
    or parent.moderation <> 'shown' and not private.is_own(parent.user_id, parent.guest_id)
      and not private.is_manager(parent.memory_id)) then
    raise exception 'What this answers is not there any more.' using errcode = 'PT404', hint = 'not_there';
  end if;
  -- An answer to an answer joins the same thread, and all of a thread is about the same photo.
  new.parent_id := coalesce(parent.parent_id, new.parent_id);
  if parent.id is not null then
    new.media_id := parent.media_id;
  end if;
  return new;
end
$$;

create or replace function private.mind_comment() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- No caller can set deleted_at: withdraw_comment() does, and has asked who they are.
  -- Row policies refuse every caller what goes into the trash or comes out of it.
  if coalesce(auth.role(), '') not in ('anon', 'authenticated') or new.deleted_at is distinct from old.deleted_at
    or 'deleted' in (old.moderation, new.moderation) then
    return new;
  end if;
  if (new.body, new.mentions) is distinct from (old.body, old.mentions) then
    if not private.is_own(old.user_id, old.guest_id) or old.deleted_at is not null then
      raise exception 'Only its author can change a comment.' using errcode = '42501';
    end if;
    new.edited_at := now();
    new.mentions := private.people_named(new.memory_id, new.mentions);
    if new.moderation = 'shown' and private.arriving_state(new.memory_id) = 'held' then
      new.moderation := 'held';
      return new;
    end if;
  end if;
  if new.moderation is distinct from old.moderation and not private.is_manager(old.memory_id) then
    raise exception 'Only those who keep the memory can hide its comments.' using errcode = '42501';
  end if;
  return new;
end
$$;

create or replace function withdraw_comment(comment_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  comment public.comments;
begin
  select * into comment from public.comments c where c.id = comment_id for update;
  -- Who is signed in can take back what they said also where they can not see the memory any more; a guest only by their link.
  if comment.id is null or not (coalesce(comment.user_id = auth.uid() and private.fully_signed_in(), false)
    or coalesce(comment.guest_id = private.guest_id(), false) and private.can_comment(comment.memory_id)
    or private.is_manager(comment.memory_id)) then
    raise exception 'There is no such comment of yours.' using errcode = 'PT404', hint = 'not_there';
  end if;
  if comment.deleted_at is null and comment.moderation <> 'deleted' then
    perform private.move_comment_to_trash(comment);
  end if;
end
$$;
comment on function withdraw_comment is
  'Moves a comment of one''s own, or of a memory one manages, to the trash; with answers under it, its words and its name go and its row stays.';

create or replace function private.sign_reaction() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if auth.role() in ('anon', 'authenticated') then
    new.moderation := private.arriving_state(new.memory_id);
  end if;
  return new;
end
$$;

revoke execute on function private.guest_id, private.is_own, private.name_of_either, private.sign_guest, private.known_guest,
  private.mind_media, private.calm_guest from public;
grant execute on function private.guest_id, private.is_own, private.arriving_state
  to anon, authenticated, service_role;
grant execute on function withdraw_comment to anon;

alter table guests enable row level security;
grant select (id, link_id, name, created_at, last_seen, blocked_at) on guests to anon, authenticated;
grant select (email) on guests to anon;
create policy "themselves" on guests for select to anon using (id = (select private.guest_id()));
create policy "who keeps the link" on guests for select to authenticated
  using (exists (select from share_links l where l.id = link_id));
create policy "after the second step" on guests as restrictive to authenticated using ((select private.fully_signed_in()));

grant update (caption, alt_text) on media to anon;
create or replace function private.added_media_ids() returns uuid[] language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(added.media_id), '{}') from (
    select d.media_id from public.media_details d
    where d.user_id = auth.uid() and d.memory_id = any (private.shared_memory_ids('contribute'))
    union all
    select d.media_id from public.media_details d
    where d.guest_id = private.guest_id() and d.memory_id = any (private.linked_memory_ids('{contribute,upload}'))
  ) added
$$;
create function private.is_own_media(media uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from public.media_details d where d.media_id = media and private.is_own(d.user_id, d.guest_id))
$$;
comment on function private.is_own_media is 'Whether the caller added a photo or video, be they signed in or a guest.';
revoke execute on function private.is_own_media from public;
grant execute on function private.is_own_media to anon, authenticated, service_role;

alter table media_details enable row level security;
grant select on media_details to anon, authenticated;
create policy "the memory's people but viewers, and who added it" on media_details for select to anon, authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or (memory_id = any ((select private.shared_memory_ids('read details'))::uuid[])
        or user_id = (select auth.uid()) or guest_id = (select private.guest_id()))
      and exists (select from media m where m.id = media_id));
create policy "after the second step" on media_details as restrictive to authenticated
  using ((select private.fully_signed_in()));

create policy "media of a guest" on storage.objects for insert to anon
  with check (bucket_id = 'media' and (select private.guest_id()) is not null and owner is null and cardinality(storage.foldername(name)) = 1
    and private.can_contribute(private.memory_of(name)));
create policy "media a guest takes back" on storage.objects for delete to anon
  using (bucket_id = 'media' and private.can_contribute(private.memory_of(name))
    and (select private.guest_id()) is not null and objects.id = any ((select private.added_media_ids())::uuid[]));
create policy "posters of a guest's videos" on storage.objects for insert to anon
  with check (bucket_id = 'posters' and (select private.guest_id()) is not null and exists (select from public.media m
    where m.object_name = left(objects.name, -4) and objects.name like '%.jpg' and m.type = 'video'
      and m.id = any ((select private.added_media_ids())::uuid[])));

create policy "what a guest told" on stories for select to anon
  using (guest_id = (select private.guest_id()) and memory_id = any ((select private.linked_memory_ids('{contribute,upload}'))::uuid[]));
grant insert (id, memory_id, title, body), update (title, body), delete on stories to anon;
create policy "a guest tells" on stories for insert to anon
  with check (guest_id = (select private.guest_id()) and user_id is null
    and private.can_contribute(memory_id));
create policy "a guest changes their own" on stories for update to anon
  using (guest_id = (select private.guest_id()) and memory_id = any ((select private.linked_memory_ids('{contribute,upload}'))::uuid[]));
create policy "a guest takes back their own" on stories for delete to anon
  using (guest_id = (select private.guest_id()) and memory_id = any ((select private.linked_memory_ids('{contribute,upload}'))::uuid[]));

create policy "what a guest said" on comments for select to anon
  using (guest_id = (select private.guest_id()) and memory_id = any ((select private.shared_memory_ids('view'))::uuid[]));
grant insert (id, memory_id, media_id, parent_id, body, mentions), update (body, mentions) on comments to anon;
create policy "a guest comments" on comments for insert to anon
  with check (guest_id = (select private.guest_id()) and user_id is null
    and private.can_comment(memory_id)
    and (media_id is null or exists (select from media m where m.id = media_id)));
create policy "a guest changes their own" on comments for update to anon
  using (guest_id = (select private.guest_id()) and memory_id = any ((select private.linked_memory_ids('{comment,contribute}'))::uuid[]));

drop policy "whoever may see the memory" on reactions;
create policy "whoever may see the memory" on reactions for select to anon, authenticated
  using ((exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('view'))::uuid[]))
    and (moderation = 'shown' or user_id = (select auth.uid()) or guest_id = (select private.guest_id())
      or exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
      or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]))
    and (media_id is null or exists (select from media m where m.id = media_id))
    and (comment_id is null or exists (select from comments c where c.id = comment_id)));
grant insert (id, memory_id, media_id, comment_id, kind), delete on reactions to anon;
create policy "a guest gives" on reactions for insert to anon
  with check (guest_id = (select private.guest_id()) and user_id is null
    and private.can_comment(memory_id)
    and (media_id is null or exists (select from media m where m.id = media_id))
    and (comment_id is null or exists (select from comments c where c.id = comment_id)));
create policy "a guest takes back their own" on reactions for delete to anon
  using (guest_id = (select private.guest_id()) and memory_id = any ((select private.linked_memory_ids('{comment,contribute}'))::uuid[]));

-- A guest has their own files back as they sent them.
create or replace function private.access_to_object(object storage.objects) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when auth.role() = 'service_role' or object.owner = auth.uid()
      or private.is_manager(private.memory_of(object.name))
      or auth.role() = 'anon' and exists (select from public.media_details d where d.media_id = object.id and d.guest_id = private.guest_id())
      then 'original'
    when auth.jwt() ? 'share' and not exists (select from private.open_link() where allows_download)
      and coalesce(private.member_role(private.memory_of(object.name)), '') not in ('contributor', 'viewer') then 'view'
    else 'copy'
  end
$$;

alter publication supabase_realtime add table guests;
