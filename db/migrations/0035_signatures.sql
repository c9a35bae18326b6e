-- Who told, said and gave what, apart from it as in media_credits: a policy withholds rows, and no column of one.
alter table stories add unique (id, memory_id);
alter table reactions add unique (id, memory_id);

create table story_credits (
  story_id uuid,
  memory_id uuid,
  name text not null check (length(name) <= 200),
  primary key (story_id, memory_id),
  foreign key (story_id, memory_id) references stories (id, memory_id) on update cascade on delete cascade
);
create table comment_credits (
  comment_id uuid,
  memory_id uuid,
  name text not null check (length(name) <= 200),
  words text check (length(words) <= 5000),
  primary key (comment_id, memory_id),
  foreign key (comment_id, memory_id) references comments (id, memory_id) on update cascade on delete cascade
);
create table reaction_credits (
  reaction_id uuid,
  memory_id uuid,
  name text not null check (length(name) <= 200),
  primary key (reaction_id, memory_id),
  foreign key (reaction_id, memory_id) references reactions (id, memory_id) on update cascade on delete cascade
);
comment on table story_credits is
  'Under what name each story was told: its author''s on that day. Seen, of the stories that they see, by the memory''s people, by whoever came by a link that shows names, and by its author.';
comment on table comment_credits is 'Under what name each comment was said, and whom it names, as for story_credits. None once it is withdrawn.';
comment on column comment_credits.words is
  'Its words as they were written, where they mention somebody: in the comment itself "@…" stands for each name. Null where that says all.';
comment on table reaction_credits is 'Under what name each candle was lit and each heart given, as for story_credits.';
comment on column share_links.shows_names is 'Whether its holders are told who added, told, said and gave what.';
create index story_credits_memory_id on story_credits (memory_id);
create index comment_credits_memory_id on comment_credits (memory_id);
create index reaction_credits_memory_id on reaction_credits (memory_id);

insert into story_credits (story_id, memory_id, name) select id, memory_id, author_name from stories where author_name <> '';
insert into comment_credits (comment_id, memory_id, name) select id, memory_id, author_name from comments where author_name <> '';
insert into reaction_credits (reaction_id, memory_id, name) select id, memory_id, name from reactions where name <> '';
alter table stories drop column author_name;
alter table comments drop column author_name;
alter table reactions drop column name;

create function private.sign() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  name constant text := private.name_of_either(new.user_id, new.guest_id);
begin
  if name <> '' then
    execute format('insert into public.%I values ($1, $2, $3)', tg_argv[0]) using new.id, new.memory_id, name;
  end if;
  return null;
end
$$;
comment on function private.sign is 'Writes into the table it is told under what name something was just added.';
-- What they are called puts them before those of the triggers that tell of what was added, which look for the signature.
create trigger signed after insert on stories for each row execute function private.sign('story_credits');
create trigger signed after insert on comments for each row execute function private.sign('comment_credits');
create trigger signed after insert on reactions for each row execute function private.sign('reaction_credits');

create function private.unnamed(body text, people uuid[]) returns text language plpgsql stable security definer set search_path = '' as $$
declare
  person text;
begin
  -- The longest first: one name may begin with another.
  for person in select p.full_name from public.profiles p where p.id = any (people) and p.full_name <> ''
    order by length(p.full_name) desc, p.full_name loop
    body := replace(body, '@' || person, '@…');
  end loop;
  return body;
end
$$;
comment on function private.unnamed is 'A text in which "@…" stands for every mention of these people.';

insert into comment_credits (comment_id, memory_id, name, words)
select c.id, c.memory_id, '', c.body from comments c where private.unnamed(c.body, c.mentions) <> c.body
on conflict (comment_id, memory_id) do update set words = excluded.words;
update comments c set body = private.unnamed(c.body, c.mentions) where private.unnamed(c.body, c.mentions) <> c.body;

-- A row takes a signature only once it is there: until then the words wait, by comment, in a setting of the transaction.
create function private.set_words_aside() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  aside constant jsonb := coalesce(nullif(current_setting('skies.words', true), ''), '{}')::jsonb - new.id::text;
  unnamed constant text := private.unnamed(new.body, new.mentions);
begin
  perform set_config('skies.words',
    (case when unnamed <> new.body then aside || jsonb_build_object(new.id, new.body) else aside end)::text, true);
  new.body := unnamed;
  return new;
end
$$;
create function private.sign_words() returns trigger language plpgsql security definer set search_path = '' as $$
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
create trigger words_set_aside before insert on comments
  for each row when (new.mentions <> '{}') execute function private.set_words_aside();
create trigger words_set_aside_anew before update of body, mentions on comments
  for each row execute function private.set_words_aside();
create trigger signed_words after insert on comments
  for each row when (new.mentions <> '{}') execute function private.sign_words();
create trigger signed_words_anew after update of body, mentions on comments
  for each row execute function private.sign_words();

-- What is shown from now on is news to open pages, and so is who it was.
create function private.tell_signature() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  execute format('update public.%I set name = name where %I = $1 and memory_id = $2', tg_argv[0], tg_argv[1]) using new.id, new.memory_id;
  return null;
end
$$;
create trigger tell_signature after update on stories for each row
  when (old.moderation <> new.moderation and new.moderation = 'shown') execute function private.tell_signature('story_credits', 'story_id');
create trigger tell_signature after update on comments for each row
  when (old.moderation <> new.moderation and new.moderation = 'shown') execute function private.tell_signature('comment_credits', 'comment_id');
create trigger tell_signature after update on reactions for each row
  when (old.moderation <> new.moderation and new.moderation = 'shown') execute function private.tell_signature('reaction_credits', 'reaction_id');

create function moderation_queue(memory_id uuid, state text)
returns table (kind text, id uuid, created_at timestamptz, name text, user_id uuid, guest_id uuid, link_id uuid, link_label text,
  title text, words text, media jsonb)
language sql stable security definer set search_path = '' as $$
  with items as (
    select 'media' as kind, m.id, m.created_at, private.name_of_either(d.user_id, d.guest_id) as name, d.user_id, d.guest_id,
      d.file_name as title, m.caption as words, m.id as about, a.link_id
    from public.media m left join public.media_details d on d.media_id = m.id left join private.arrivals a on a.media_id = m.id
    where m.memory_id = moderation_queue.memory_id and m.moderation = moderation_queue.state
    union all
    select 'story', s.id, s.created_at, coalesce(n.name, ''), s.user_id, s.guest_id, s.title, left(s.body, 20000), null, a.link_id
    from public.stories s left join private.arrivals a on a.story_id = s.id
      left join public.story_credits n on n.story_id = s.id
    where s.memory_id = moderation_queue.memory_id and s.moderation = moderation_queue.state
    union all
    select 'comment', c.id, c.created_at, coalesce(n.name, ''), c.user_id, c.guest_id, '', coalesce(n.words, c.body), c.media_id, a.link_id
    from public.comments c left join private.arrivals a on a.comment_id = c.id
      left join public.comment_credits n on n.comment_id = c.id
    where c.memory_id = moderation_queue.memory_id and c.moderation = moderation_queue.state and c.deleted_at is null
    union all
    select 'reaction', r.id, r.created_at, coalesce(n.name, ''), r.user_id, r.guest_id, r.kind, '', r.media_id, a.link_id
    from public.reactions r left join private.arrivals a on a.reaction_id = r.id
      left join public.reaction_credits n on n.reaction_id = r.id
    where r.memory_id = moderation_queue.memory_id and r.moderation = moderation_queue.state
  )
  select i.kind, i.id, i.created_at, i.name, i.user_id, i.guest_id, l.id, l.label, i.title, i.words,
    case when x.id is not null then jsonb_build_object('id', x.id, 'type', x.type, 'object_name', x.object_name,
      'poster_name', x.poster_name, 'placeholder', x.placeholder, 'colour', x.colour, 'width', x.width, 'height', x.height,
      'state', x.state) end
  from items i
  left join public.guests g on g.id = i.guest_id
  left join public.share_links l on l.id = coalesce(i.link_id, g.link_id)
  left join public.media x on x.id = i.about
  where private.is_manager(moderation_queue.memory_id) and moderation_queue.state in ('held', 'hidden')
  order by case when moderation_queue.state = 'held' then i.created_at end, i.created_at desc, i.id limit 500
$$;
comment on function moderation_queue is
  'What waits in a memory, oldest first, or with "hidden" what is hidden, newest first: 500 at most, with who added it and by which link. Empty for all but keepers.';

create or replace function recent_activity()
returns table (kind text, memory_id uuid, memory_name text, mine boolean, author text, items bigint, at timestamptz)
language sql stable set search_path = '' as $$
  with own as (select m.id, m.person_name, m.created_at from public.memories m where m.user_id = auth.uid())
  (select 'added', own.id, own.person_name, coalesce(d.user_id = auth.uid(), false), null, count(*), max(x.created_at)
    from own join public.media x on x.memory_id = own.id and x.moderation <> 'attached' left join public.media_details d on d.media_id = x.id
    -- What one person adds in a day is one line.
    group by own.id, own.person_name, d.user_id, (x.created_at at time zone 'utc')::date)
  union all
  select 'told', own.id, own.person_name, coalesce(s.user_id = auth.uid(), false), n.name, 1, s.created_at
    from own join public.stories s on s.memory_id = own.id left join public.story_credits n on n.story_id = s.id
  union all
  select 'joined', own.id, own.person_name, false, null, 1, p.created_at
    from own join public.memory_members p on p.memory_id = own.id
  union all
  select 'began', own.id, own.person_name, true, null, 1, own.created_at from own
  order by 7 desc, 1, 2 limit 8
$$;

revoke execute on function private.sign, private.unnamed, private.set_words_aside, private.sign_words, private.tell_signature, moderation_queue from public;
revoke execute on function moderation_queue from anon;
grant execute on function moderation_queue to authenticated, service_role;

drop policy "whoever is told names" on media_credits;
create policy "whoever is told names, and whose it is" on media_credits for select to anon, authenticated
  using (exists (select from media m where m.id = media_id and (exists (select from memories own where own.id = m.memory_id and own.user_id = (select auth.uid()))
    or m.memory_id = any ((select private.shared_credited_memory_ids())::uuid[])
    or private.is_own_media(m.id))));

alter table story_credits enable row level security;
grant select on story_credits to anon, authenticated;
create policy "whoever is told names, and whose it is" on story_credits for select to anon, authenticated
  using (exists (select from stories s where s.id = story_id and (exists (select from memories own where own.id = s.memory_id and own.user_id = (select auth.uid()))
    or s.memory_id = any ((select private.shared_credited_memory_ids())::uuid[])
    or s.user_id = (select auth.uid()) or s.guest_id = (select private.guest_id()))));
create policy "after the second step" on story_credits as restrictive to authenticated
  using ((select private.fully_signed_in()));

alter table comment_credits enable row level security;
grant select on comment_credits to anon, authenticated;
create policy "whoever is told names, and whose it is" on comment_credits for select to anon, authenticated
  using (exists (select from comments c where c.id = comment_id and (exists (select from memories own where own.id = c.memory_id and own.user_id = (select auth.uid()))
    or c.memory_id = any ((select private.shared_credited_memory_ids())::uuid[])
    or c.user_id = (select auth.uid()) or c.guest_id = (select private.guest_id()))));
create policy "after the second step" on comment_credits as restrictive to authenticated
  using ((select private.fully_signed_in()));

alter table reaction_credits enable row level security;
grant select on reaction_credits to anon, authenticated;
create policy "whoever is told names, and whose it is" on reaction_credits for select to anon, authenticated
  using (exists (select from reactions r where r.id = reaction_id and (exists (select from memories own where own.id = r.memory_id and own.user_id = (select auth.uid()))
    or r.memory_id = any ((select private.shared_credited_memory_ids())::uuid[])
    or r.user_id = (select auth.uid()) or r.guest_id = (select private.guest_id()))));
create policy "after the second step" on reaction_credits as restrictive to authenticated
  using ((select private.fully_signed_in()));

alter publication supabase_realtime add table story_credits, comment_credits, reaction_credits;
