set local check_function_bodies = off;

create table comments (
  id uuid primary key default gen_random_uuid(),
  memory_id uuid not null references memories on delete cascade,
  media_id uuid,
  parent_id uuid,
  user_id uuid default auth.uid() references auth.users on delete set null,
  body text not null check (length(body) <= 5000),
  mentions uuid[] not null default '{}' check (cardinality(mentions) <= 20),
  moderation text not null default 'shown' check (moderation in ('shown', 'held', 'hidden', 'deleted')),
  created_at timestamptz not null default now(),
  edited_at timestamptz,
  deleted_at timestamptz,
  guest_id uuid default private.guest_id() references guests on delete set null,
  -- For the foreign keys that keep replies and comments on photos in one memory.
  unique (id, memory_id),
  constraint answers_in_the_same_memory foreign key (parent_id, memory_id) references comments (id, memory_id) on update cascade on delete cascade,
  constraint says_something check (deleted_at is not null or body ~ '\S'),
  constraint says_nothing_more check (deleted_at is null or body = ''),
  constraint about_a_photo_of_the_memory
  foreign key (media_id, memory_id) references media (id, memory_id) on update cascade on delete cascade
);
comment on table comments is
  'Comments on a memory or one of its photos, in plain text. Visible to everybody who can see the memory.';
comment on column comments.parent_id is
  'The comment it replies to. Replies have no replies, so that a conversation has two levels.';
comment on column comments.user_id is 'The author, who may change or delete it; null after their account was deleted.';
comment on column comments.mentions is 'Members whom it mentions.';
comment on column comments.deleted_at is
  'When it was deleted while it had replies: its text is in the trash or deleted, and the empty row is kept.';
comment on column comments.moderation is 'As media.moderation.';
comment on column comments.guest_id is 'As media_details.guest_id.';
create index comments_memory_id on comments (memory_id, created_at, id);
create index comments_media_id on comments (media_id) where media_id is not null;
create index comments_parent_id on comments (parent_id) where parent_id is not null;
create index comments_user_id on comments (user_id);
create index comments_guest_id on comments (guest_id) where guest_id is not null;
create index comments_moderation on comments (memory_id, moderation) where moderation <> 'shown';
alter table comments enable row level security;

create table reactions (
  id uuid primary key default gen_random_uuid(),
  memory_id uuid not null references memories on delete cascade,
  media_id uuid,
  comment_id uuid,
  user_id uuid default auth.uid() references auth.users on delete cascade,
  kind text not null check (kind in ('candle', 'heart', 'flower', 'hug', 'smile')),
  created_at timestamptz not null default now(),
  guest_id uuid default private.guest_id() references guests on delete set null,
  moderation text not null default 'shown' check (moderation in ('shown', 'held', 'hidden', 'deleted')),
  constraint about_one_thing check (num_nonnulls(media_id, comment_id) <= 1),
  constraint to_a_photo_of_the_memory foreign key (media_id, memory_id) references media (id, memory_id) on update cascade on delete cascade,
  constraint to_a_comment_of_the_memory foreign key (comment_id, memory_id) references comments (id, memory_id) on update cascade on delete cascade,
  unique (id, memory_id)
);
comment on table reactions is 'Candles for a memory, hearts and the like for photos and comments. One of each kind per person.';
comment on column reactions.guest_id is 'As media_details.guest_id.';
comment on column reactions.moderation is 'As media.moderation.';
create index reactions_media_id on reactions (media_id) where media_id is not null;
create index reactions_comment_id on reactions (comment_id) where comment_id is not null;
create index reactions_user_id on reactions (user_id);
create unique index one_of_a_kind on reactions (memory_id, kind, user_id, media_id, comment_id)
  nulls not distinct where user_id is not null;
create unique index one_of_a_kind_of_a_guest on reactions (memory_id, kind, guest_id, media_id, comment_id)
  nulls not distinct where guest_id is not null;
create index reactions_guest_id on reactions (guest_id) where guest_id is not null;
create index reactions_moderation on reactions (memory_id, moderation) where moderation <> 'shown';
alter table reactions enable row level security;

create table comment_credits (
  comment_id uuid,
  memory_id uuid,
  name text not null check (length(name) <= 200),
  words text check (length(words) <= 5000),
  primary key (comment_id, memory_id),
  foreign key (comment_id, memory_id) references comments (id, memory_id) on update cascade on delete cascade
);
comment on table comment_credits is
  'The author''s name of each comment, and the original text with mentions; visible as in story_credits. Deleted with the comment.';
comment on column comment_credits.words is
  'The original text of a comment with mentions; in the comment itself "@…" replaces each name. Null without mentions.';
create index comment_credits_memory_id on comment_credits (memory_id);
alter table comment_credits enable row level security;

create table reaction_credits (
  reaction_id uuid,
  memory_id uuid,
  name text not null check (length(name) <= 200),
  primary key (reaction_id, memory_id),
  foreign key (reaction_id, memory_id) references reactions (id, memory_id) on update cascade on delete cascade
);
comment on table reaction_credits is 'The author''s name of each reaction; visible as in story_credits.';
create index reaction_credits_memory_id on reaction_credits (memory_id);
alter table reaction_credits enable row level security;

create function private.people_named(memory uuid, mentions uuid[]) returns uuid[] language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(p.id order by p.id), '{}') from public.memory_people(memory) p where p.id = any (mentions)
$$;
comment on function private.people_named is 'Those of these people who are members, as far as the caller may see the members.';

create function private.prepare_comment() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  parent public.comments;
begin
  if auth.role() in ('anon', 'authenticated') then
    new.moderation := private.initial_moderation(new.memory_id);
    new.mentions := private.people_named(new.memory_id, new.mentions);
  end if;
  if new.guest_id is not null then
    perform private.rate_limit_guest('comments', 60);
  end if;
  select * into parent from public.comments where id = new.parent_id;
  if auth.role() in ('anon', 'authenticated') and new.parent_id is not null and (parent.id is null or parent.memory_id <> new.memory_id
    or parent.moderation = 'deleted'
    or parent.moderation <> 'shown' and not private.is_own(parent.user_id, parent.guest_id)
      and not private.is_manager(parent.memory_id)) then
    raise exception 'What this answers is not there any more.' using errcode = 'PT404', hint = 'not_there';
  end if;
  -- A reply to a reply joins the same thread, and all of a thread is about the same photo.
  new.parent_id := coalesce(parent.parent_id, new.parent_id);
  if parent.id is not null then
    new.media_id := parent.media_id;
  end if;
  return new;
end
$$;
create trigger t10_prepare_comment before insert on comments for each row execute function private.prepare_comment();

create function private.validate_comment() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- No caller can set deleted_at; withdraw_comment() does, and checks the caller. Row policies refuse every caller a change
  -- into or out of the trash.
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
    if new.moderation = 'shown' and private.initial_moderation(new.memory_id) = 'held' then
      new.moderation := 'held';
      return new;
    end if;
  end if;
  if new.moderation is distinct from old.moderation and not private.is_manager(old.memory_id) then
    raise exception 'Only managers of the memory can hide its comments.' using errcode = '42501';
  end if;
  return new;
end
$$;
create trigger t20_validate_comment before update on comments for each row execute function private.validate_comment();

create function withdraw_comment(comment_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  comment public.comments;
begin
  select * into comment from public.comments c where c.id = comment_id for update;
  -- A signed-in author can delete their comment even if they can no longer see the memory; a guest only through their link.
  if comment.id is null or not (coalesce(comment.user_id = auth.uid() and private.has_required_aal(), false)
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
  'Moves a comment of the caller, or of a memory they manage, to the trash. A comment with replies keeps an empty row.';

create function private.prepare_reaction() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if auth.role() in ('anon', 'authenticated') then
    new.moderation := private.initial_moderation(new.memory_id);
  end if;
  return new;
end
$$;
create trigger prepare_reaction before insert on reactions for each row execute function private.prepare_reaction();

create function private.record_author() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  name constant text := private.name_of_author(new.user_id, new.guest_id);
begin
  if name <> '' then
    execute format('insert into public.%I values ($1, $2, $3)', tg_argv[0]) using new.id, new.memory_id, name;
  end if;
  return null;
end
$$;
comment on function private.record_author is 'Inserts the author''s name into the credits table that the trigger names.';
-- Numbered before the triggers that create notices, which read the author's name.
create trigger t20_record_author after insert on stories for each row execute function private.record_author('story_credits');
create trigger t20_record_author after insert on comments for each row execute function private.record_author('comment_credits');
create trigger t20_record_author after insert on reactions for each row execute function private.record_author('reaction_credits');

create function private.mask_mentions(body text, people uuid[]) returns text language plpgsql stable security definer set search_path = '' as $$
declare
  person text;
begin
  -- The longest first, because one name may begin with another.
  for person in select p.full_name from public.profiles p where p.id = any (people) and p.full_name <> ''
    order by length(p.full_name) desc, p.full_name loop
    body := replace(body, '@' || person, '@…');
  end loop;
  return body;
end
$$;
comment on function private.mask_mentions is 'The text with "@…" in place of every mention of these people.';

-- A credit can be inserted only after its row. Until then the original text is kept, by comment, in a setting of the
-- transaction.
create function private.set_original_text_aside() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  aside constant jsonb := coalesce(nullif(current_setting('skies.words', true), ''), '{}')::jsonb - new.id::text;
  unnamed constant text := private.mask_mentions(new.body, new.mentions);
begin
  perform set_config('skies.words',
    (case when unnamed <> new.body then aside || jsonb_build_object(new.id, new.body) else aside end)::text, true);
  new.body := unnamed;
  return new;
end
$$;
create trigger t20_set_original_text_aside before insert on comments
  for each row when (new.mentions <> '{}') execute function private.set_original_text_aside();
create trigger t30_set_changed_text_aside before update of body, mentions on comments
  for each row execute function private.set_original_text_aside();

create function private.record_original_text() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  written constant text := current_setting('skies.words')::jsonb ->> new.id::text;
begin
  update public.comment_credits n set words = written where n.comment_id = new.id;
  if not found and written is not null then
    insert into public.comment_credits (comment_id, memory_id, name, words) values (new.id, new.memory_id, '', written);
  end if;
  return null;
end
$$;
create trigger t30_record_original_text after insert on comments
  for each row when (new.mentions <> '{}') execute function private.record_original_text();
create trigger t10_record_changed_text after update of body, mentions on comments
  for each row execute function private.record_original_text();

-- When a row becomes visible, open pages need its author as well.
create function private.republish_author() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  execute format('update public.%I set name = name where %I = $1 and memory_id = $2', tg_argv[0], tg_argv[1]) using new.id, new.memory_id;
  return null;
end
$$;
create trigger t20_republish_author after update on stories for each row
  when (old.moderation <> new.moderation and new.moderation = 'shown') execute function private.republish_author('story_credits', 'story_id');
create trigger t30_republish_author after update on comments for each row
  when (old.moderation <> new.moderation and new.moderation = 'shown') execute function private.republish_author('comment_credits', 'comment_id');
create trigger t20_republish_author after update on reactions for each row
  when (old.moderation <> new.moderation and new.moderation = 'shown') execute function private.republish_author('reaction_credits', 'reaction_id');

grant select, insert (id, memory_id, media_id, parent_id, body, mentions), update (body, mentions) on comments to anon;
grant select, insert (id, memory_id, media_id, parent_id, body, mentions), update (body, mentions, moderation)
  on comments to authenticated;
create policy "viewers read" on comments for select to anon, authenticated
  using ((exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('view'))::uuid[]))
      and (moderation = 'shown' and (parent_id is null or private.is_shown_comment(parent_id)) or user_id = (select auth.uid()))
      and (media_id is null or exists (select from media m where m.id = media_id))
    or exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));
create policy "commenters add" on comments for insert to authenticated
  with check (user_id = (select auth.uid()) and private.can_comment(memory_id)
    and (media_id is null or exists (select from media m where m.id = media_id)));
create policy "author and managers change" on comments for update to authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[])
    or user_id = (select auth.uid()) and private.can_comment(memory_id));
create policy "guest reads own" on comments for select to anon
  using (guest_id = (select private.guest_id()) and memory_id = any ((select private.shared_memory_ids('view'))::uuid[]));
create policy "guest adds" on comments for insert to anon
  with check (guest_id = (select private.guest_id()) and user_id is null
    and private.can_comment(memory_id)
    and (media_id is null or exists (select from media m where m.id = media_id)));
create policy "guest changes own" on comments for update to anon
  using (guest_id = (select private.guest_id()) and memory_id = any ((select private.linked_memory_ids('{comment,contribute}'))::uuid[]));

grant select, insert (id, memory_id, media_id, comment_id, kind), delete on reactions to anon, authenticated;
create policy "commenters add" on reactions for insert to authenticated
  with check (user_id = (select auth.uid()) and private.can_comment(memory_id)
    and (media_id is null or exists (select from media m where m.id = media_id))
    and (comment_id is null or exists (select from comments c where c.id = comment_id)));
create policy "author and managers delete" on reactions for delete to authenticated
  using (user_id = (select auth.uid())
    or exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));
create policy "viewers read" on reactions for select to anon, authenticated
  using ((exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('view'))::uuid[]))
    and (moderation = 'shown' or user_id = (select auth.uid()) or guest_id = (select private.guest_id())
      or exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
      or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]))
    and (media_id is null or exists (select from media m where m.id = media_id))
    and (comment_id is null or exists (select from comments c where c.id = comment_id)));
create policy "guest adds" on reactions for insert to anon
  with check (guest_id = (select private.guest_id()) and user_id is null
    and private.can_comment(memory_id)
    and (media_id is null or exists (select from media m where m.id = media_id))
    and (comment_id is null or exists (select from comments c where c.id = comment_id)));
create policy "guest deletes own" on reactions for delete to anon
  using (guest_id = (select private.guest_id()) and memory_id = any ((select private.linked_memory_ids('{comment,contribute}'))::uuid[]));

grant select on comment_credits to anon, authenticated;
create policy "people who see names, and the author, read" on comment_credits for select to anon, authenticated
  using (exists (select from comments c where c.id = comment_id and (exists (select from memories own where own.id = c.memory_id and own.user_id = (select auth.uid()))
    or c.memory_id = any ((select private.shared_credited_memory_ids())::uuid[])
    or c.user_id = (select auth.uid()) or c.guest_id = (select private.guest_id()))));

grant select on reaction_credits to anon, authenticated;
create policy "people who see names, and the author, read" on reaction_credits for select to anon, authenticated
  using (exists (select from reactions r where r.id = reaction_id and (exists (select from memories own where own.id = r.memory_id and own.user_id = (select auth.uid()))
    or r.memory_id = any ((select private.shared_credited_memory_ids())::uuid[])
    or r.user_id = (select auth.uid()) or r.guest_id = (select private.guest_id()))));

revoke execute on all functions in schema private from public;
revoke execute on function withdraw_comment from public, anon, authenticated;
grant execute on function withdraw_comment to anon, authenticated;
