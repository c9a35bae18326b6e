create table comments (
  id uuid primary key default gen_random_uuid(),
  memory_id uuid not null references memories on delete cascade,
  media_id uuid,
  parent_id uuid,
  user_id uuid default auth.uid() references auth.users on delete set null,
  author_name text not null default '' check (length(author_name) <= 200),
  body text not null check (length(body) <= 5000),
  mentions uuid[] not null default '{}' check (cardinality(mentions) <= 20),
  moderation text not null default 'shown' check (moderation in ('shown', 'held', 'hidden', 'deleted')),
  created_at timestamptz not null default now(),
  edited_at timestamptz,
  deleted_at timestamptz,
  -- For the keys by which an answer, and what is said about a photo, stay in one memory.
  unique (id, memory_id),
  constraint answers_in_the_same_memory foreign key (parent_id, memory_id) references comments (id, memory_id) on update cascade on delete cascade,
  constraint says_something check (deleted_at is not null or body ~ '\S'),
  constraint says_nothing_more check (deleted_at is null or body = '')
);
alter table comments add constraint about_a_photo_of_the_memory
  foreign key (media_id, memory_id) references media (id, memory_id) on update cascade on delete cascade;
comment on table comments is 'What people say about a memory or one of its photos. Plain text; seen by whoever sees the memory.';
comment on column comments.parent_id is 'The comment it answers: always one that answers none itself, so that a conversation has two levels.';
comment on column comments.user_id is 'Who wrote it and may change or withdraw it; null once their account is gone.';
comment on column comments.author_name is 'The name it was signed with: the profile''s on the day it was written.';
comment on column comments.mentions is 'The people of the memory whom it names.';
comment on column comments.deleted_at is 'Withdrawn while it had answers: its words are in the trash or gone, its place stays.';
comment on column comments.moderation is 'As for media.';
create index comments_memory_id on comments (memory_id, created_at, id);
create index comments_media_id on comments (media_id) where media_id is not null;
create index comments_parent_id on comments (parent_id) where parent_id is not null;
create index comments_user_id on comments (user_id);

create table reactions (
  id uuid primary key default gen_random_uuid(),
  memory_id uuid not null references memories on delete cascade,
  media_id uuid,
  comment_id uuid,
  user_id uuid default auth.uid() references auth.users on delete cascade,
  name text not null default '' check (length(name) <= 200),
  kind text not null check (kind in ('candle', 'heart', 'flower', 'hug', 'smile')),
  created_at timestamptz not null default now(),
  constraint about_one_thing check (num_nonnulls(media_id, comment_id) <= 1),
  constraint to_a_photo_of_the_memory foreign key (media_id, memory_id) references media (id, memory_id) on update cascade on delete cascade,
  constraint to_a_comment_of_the_memory foreign key (comment_id, memory_id) references comments (id, memory_id) on update cascade on delete cascade
);
comment on table reactions is 'A candle lit for a memory, a heart for a photo or a comment. One of a kind from each person.';
comment on column reactions.name is 'The name it was given under.';
create unique index one_of_a_kind on reactions (memory_id, kind, user_id, media_id, comment_id) nulls not distinct;
create index reactions_media_id on reactions (media_id) where media_id is not null;
create index reactions_comment_id on reactions (comment_id) where comment_id is not null;
create index reactions_user_id on reactions (user_id);

create function private.name_of(person uuid) returns text language sql stable security definer set search_path = '' as $$
  select coalesce((select p.full_name from public.profiles p where p.id = person), '')
$$;

create function private.arriving_state(memory uuid) returns text language sql stable security definer set search_path = '' as $$
  select case
    when private.is_owner(memory) or private.member_role(memory) in ('co-owner', 'contributor') then 'shown'
    when exists (select from private.open_link() where moderated) then 'held'
    else 'shown'
  end
$$;
comment on function private.arriving_state is 'Whether what the caller adds to a memory is shown at once, or held until a keeper says yes.';

create function private.is_shown_comment(comment_id uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from public.comments c where c.id = comment_id and c.moderation = 'shown')
$$;
comment on function private.is_shown_comment is 'Whether what a comment answers is shown: with the head of a thread, all of it is hidden.';

create function memory_people(memory_id uuid) returns table (id uuid, name text, role text)
language sql stable security definer set search_path = '' as $$
  select people.id, private.name_of(people.id), people.role
  from (
    select m.user_id as id, 'owner' as role, 0 as rank from public.memories m where m.id = memory_people.memory_id
    union all
    select p.user_id, p.role, case p.role when 'co-owner' then 1 when 'contributor' then 2 else 3 end
    from public.memory_members p where p.memory_id = memory_people.memory_id
  ) people
  where (private.is_owner(memory_people.memory_id) or private.member_role(memory_people.memory_id) is not null)
    and private.fully_signed_in()
  order by people.rank, 2, people.id
$$;
comment on function memory_people is
  'The people of a memory with their names, for those who belong to it themselves; whoever only came by a link learns none.';

create function private.people_named(memory uuid, mentions uuid[]) returns uuid[] language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(p.id order by p.id), '{}') from public.memory_people(memory) p where p.id = any (mentions)
$$;
comment on function private.people_named is 'Those of these people who are the memory''s, as far as the caller may know its people.';

create function private.sign_comment() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  parent public.comments;
begin
  if auth.role() in ('anon', 'authenticated') then
    new.author_name := private.name_of(new.user_id);
    new.moderation := private.arriving_state(new.memory_id);
    new.mentions := private.people_named(new.memory_id, new.mentions);
  end if;
  select * into parent from public.comments where id = new.parent_id;
  if auth.role() in ('anon', 'authenticated') and new.parent_id is not null and (parent.id is null or parent.memory_id <> new.memory_id
    or parent.moderation <> 'shown' and parent.user_id is distinct from auth.uid() and not private.is_manager(parent.memory_id)) then
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
create trigger sign_comment before insert on comments for each row execute function private.sign_comment();

create function private.mind_comment() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- No caller can set deleted_at: withdraw_comment() does, and has asked who they are.
  if coalesce(auth.role(), '') not in ('anon', 'authenticated') or new.deleted_at is distinct from old.deleted_at then
    return new;
  end if;
  if (new.body, new.mentions) is distinct from (old.body, old.mentions) then
    if old.user_id is distinct from auth.uid() or old.deleted_at is not null then
      raise exception 'Only its author can change a comment.' using errcode = '42501';
    end if;
    new.edited_at := now();
    new.mentions := private.people_named(new.memory_id, new.mentions);
    -- Other words than those that a keeper said yes to.
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
create trigger mind_comment before update on comments for each row execute function private.mind_comment();

create function withdraw_comment(comment_id uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  comment public.comments;
begin
  select * into comment from public.comments c where c.id = comment_id for update;
  -- Whoever can not see the memory any more can still take back what they said there.
  if comment.id is null or not private.fully_signed_in()
    or not (comment.user_id is not distinct from auth.uid() or private.is_manager(comment.memory_id)) then
    raise exception 'There is no such comment of yours.' using errcode = 'PT404', hint = 'not_there';
  end if;
  if exists (select from public.comments c where c.parent_id = comment_id) then
    update public.comments set body = '', author_name = '', mentions = '{}', deleted_at = now() where id = comment_id and deleted_at is null;
    delete from public.reactions r where r.comment_id = withdraw_comment.comment_id;
  else
    delete from public.comments where id = comment_id;
    -- A place that was only kept for this answer goes with it.
    delete from public.comments c where c.id = comment.parent_id and c.deleted_at is not null
      and not exists (select from public.comments a where a.parent_id = c.id);
  end if;
end
$$;

create function private.sign_reaction() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.user_id is not null then
    new.name := private.name_of(new.user_id);
  end if;
  return new;
end
$$;
create trigger sign_reaction before insert on reactions for each row execute function private.sign_reaction();

revoke execute on function private.name_of, private.arriving_state, private.is_shown_comment, private.people_named,
  private.sign_comment, private.mind_comment, private.sign_reaction from public;
revoke execute on function withdraw_comment, memory_people from public, anon;
grant execute on function withdraw_comment, memory_people to authenticated, service_role;
-- Nobody, to whoever is nobody: a page may ask before it knows that it has become somebody.
grant execute on function memory_people to anon;
grant execute on function private.is_shown_comment to anon, authenticated;

alter table comments enable row level security;
grant select on comments to anon, authenticated;
grant insert (id, memory_id, media_id, parent_id, body, mentions), update (body, mentions, moderation) on comments to authenticated;
create policy "whoever may see the memory" on comments for select to anon, authenticated
  using ((exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('view'))::uuid[]))
      and (moderation = 'shown' and (parent_id is null or private.is_shown_comment(parent_id)) or user_id = (select auth.uid()))
      and (media_id is null or exists (select from media m where m.id = media_id))
    or exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));
create policy "whoever may comment" on comments for insert to authenticated
  with check (user_id = (select auth.uid()) and private.can_comment(memory_id)
    and (media_id is null or exists (select from media m where m.id = media_id)));
create policy "its author and the keepers change" on comments for update to authenticated
  using (exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[])
    or user_id = (select auth.uid()) and private.can_comment(memory_id));
create policy "after the second step" on comments as restrictive to authenticated
  using ((select private.fully_signed_in()));

alter table reactions enable row level security;
grant select on reactions to anon, authenticated;
grant insert (id, memory_id, media_id, comment_id, kind), delete on reactions to authenticated;
create policy "whoever may see the memory" on reactions for select to anon, authenticated
  using ((exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('view'))::uuid[]))
    and (media_id is null or exists (select from media m where m.id = media_id))
    and (comment_id is null or exists (select from comments c where c.id = comment_id)));
create policy "whoever may comment" on reactions for insert to authenticated
  with check (user_id = (select auth.uid()) and private.can_comment(memory_id)
    and (media_id is null or exists (select from media m where m.id = media_id))
    and (comment_id is null or exists (select from comments c where c.id = comment_id)));
create policy "takes back their own" on reactions for delete to authenticated
  using (user_id = (select auth.uid())
    or exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));
create policy "after the second step" on reactions as restrictive to authenticated
  using ((select private.fully_signed_in()));

alter publication supabase_realtime add table comments, reactions;
