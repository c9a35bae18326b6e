-- Letters: questions about up to ten photos to one person, who answers without an account (decision 0153).
set local check_function_bodies = off;

create table photo_letters (
  id uuid primary key default gen_random_uuid(),
  memory_id uuid not null references memories on delete cascade,
  asker_id uuid references auth.users on delete set null,
  recipient text not null check (length(recipient) between 1 and 100),
  note text not null default '' check (length(note) <= 1000),
  media_ids uuid[] not null check (cardinality(media_ids) between 1 and 10 and array_position(media_ids, null) is null),
  version integer not null default 1,
  changes integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '60 days'
    constraint expires_at_in_years_1_to_9999 check (expires_at between '0001-01-01T00:00:00Z' and '9999-12-31T00:00:00Z'),
  withdrawn_at timestamptz
    constraint withdrawn_at_in_years_1_to_9999 check (withdrawn_at between '0001-01-01T00:00:00Z' and '9999-12-31T00:00:00Z'),
  constraint photo_letters_id_memory_id_key unique (id, memory_id)
);
comment on table photo_letters is
  'Questions about up to ten photos to one person outside, who answers by a link of their own. Visible to the memory''s managers and to the member who asked. Whoever holds the link reads id and version, even after it has ended.';
comment on column photo_letters.asker_id is 'The member who asked; null after their account was deleted. The link opens while they may add to the memory.';
comment on column photo_letters.recipient is 'The name of the person who is asked, for example "Aunt May".';
comment on column photo_letters.media_ids is 'The photos in the order of the questions. Those that are hidden, deleted or moved are left out.';
comment on column photo_letters.version is 'Increased when access ends or the key changes. Tokens and media URLs of an older version are invalid.';
comment on column photo_letters.changes is 'Increased when something that the link shows may have changed, so that its page asks again.';
create index photo_letters_memory_id on photo_letters (memory_id, created_at desc);
create index photo_letters_asker_id on photo_letters (asker_id, created_at) where asker_id is not null;

create table private.letter_keys (
  letter_id uuid primary key references photo_letters on delete cascade,
  hash text not null unique check (hash ~ '^[0-9a-f]{64}$')
);
comment on table private.letter_keys is 'The keys of letters'' links, which have 244 random bits, as SHA-256. A new key ends the earlier one.';
alter table private.letter_keys enable row level security;

create table photo_answers (
  id uuid primary key default gen_random_uuid(),
  letter_id uuid not null,
  memory_id uuid not null,
  media_id uuid not null references media on delete cascade,
  about text not null check (about in ('who', 'when', 'where')),
  answer text not null check (length(answer) between 1 and 500),
  state text not null default 'new' check (state in ('new', 'kept', 'accepted', 'set_aside')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint one_answer_of_a_letter unique (letter_id, media_id, about),
  constraint of_a_letter_of_the_memory foreign key (letter_id, memory_id) references photo_letters (id, memory_id) on delete cascade
);
comment on table photo_answers is
  'Answers to letters: who is in a photo, when and where it was taken. Those of several people stay beside each other. Visible to the memory''s managers. answer_photo writes them.';
comment on column photo_answers.answer is 'As it was written, for example "about 1962".';
comment on column photo_answers.state is
  'What managers did with it: nothing yet, kept as an answer, accepted for the photo, or set aside. The person can change it until it is accepted.';
create index photo_answers_memory_id on photo_answers (memory_id, created_at);
create index photo_answers_media_id on photo_answers (media_id);

create function private.may_ask(memory uuid, person uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.memories m where m.id = memory and not m.draft and m.deleted_at is null
      and (m.user_id = person or exists (select from public.memory_members p
          where p.memory_id = m.id and p.user_id = person and p.role in ('co-owner', 'contributor'))
        and not exists (select from public.memory_blocks b where b.memory_id = m.id and b.user_id = person)))
    and exists (select from auth.users u where u.id = person and not private.is_suspended(u.banned_until))
$$;
comment on function private.may_ask is
  'Whether an account may ask people outside about photos of a memory: its owner, co-owners and contributors, unless they are blocked or suspended.';

create function private.is_open_letter(letter public.photo_letters) returns boolean
language sql stable security definer set search_path = '' as $$
  select letter.withdrawn_at is null and letter.expires_at > now() and coalesce(private.may_ask(letter.memory_id, letter.asker_id), false)
$$;
comment on function private.is_open_letter is 'Whether a letter''s link opens now.';

create function private.open_letter() returns setof public.photo_letters language sql stable security definer set search_path = '' as $$
  select l.* from public.photo_letters l
  where l.id = (auth.jwt() -> 'letter' ->> 'id')::uuid and l.version = (auth.jwt() -> 'letter' ->> 'version')::integer
    and auth.role() = 'anon' and private.is_open_letter(l)
$$;
comment on function private.open_letter is 'The letter by whose link the caller came, while it is open and the link is current.';

create function private.letter_media_ids() returns uuid[] language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(m.id order by array_position(l.media_ids, m.id)), '{}')
  from private.open_letter() l join public.media m on m.id = any (l.media_ids) and m.memory_id = l.memory_id
    and m.moderation = 'shown' and m.state = 'ready' and m.type = 'image' and m.pages is null and m.motion_of is null
$$;
comment on function private.letter_media_ids is 'The photos that the caller''s letter asks about, without those that are hidden, deleted or moved.';

create function private.answers_of(letter uuid, photo uuid) returns jsonb language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_object_agg(a.about, jsonb_build_object('text', a.answer, 'accepted', a.state = 'accepted')), '{}')
  from public.photo_answers a where a.letter_id = letter and a.media_id = photo
$$;
comment on function private.answers_of is 'The answers of a letter about a photo, by what they are about.';

create function letter_contents() returns jsonb language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('memory', m.person_name, 'asker', private.name_of(l.asker_id), 'recipient', l.recipient, 'note', l.note,
    'now', now(), 'ends_at', l.expires_at, 'photos', coalesce((
      select jsonb_agg(jsonb_build_object('id', x.id, 'object_name', x.object_name, 'width', x.width, 'height', x.height,
        'colour', x.colour, 'placeholder', x.placeholder, 'answers', private.answers_of(l.id, x.id)) order by array_position(l.media_ids, x.id))
      from public.media x where x.id = any (private.letter_media_ids())), '[]'))
  from private.open_letter() l join public.memories m on m.id = l.memory_id
$$;
comment on function letter_contents is
  'What the link of a letter shows: the memory''s name, who asks whom, and the photos with the answers so far. Null for every other caller.';

create function answer_photo(media_id uuid, who text, taken text, place text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  letter constant public.photo_letters := (select l from private.open_letter() l);
  given record;
begin
  if letter.id is null then
    raise exception 'This question has ended.' using errcode = 'PT410', hint = 'letter_ended';
  end if;
  if media_id <> all (private.letter_media_ids()) then
    raise exception 'There is no such photo.' using errcode = 'PT404', hint = 'not_found';
  end if;
  for given in
    select g.about, coalesce(auth.typed_line(g.answer), '') as answer
    from (values ('who', who), ('when', taken), ('where', place)) g (about, answer)
  loop
    if length(given.answer) > 500 then
      raise exception 'An answer has at most 500 characters.' using errcode = 'PT400', hint = 'answer_too_long';
    end if;
    if given.answer = '' then
      delete from public.photo_answers a
      where a.letter_id = letter.id and a.media_id = answer_photo.media_id and a.about = given.about and a.state <> 'accepted';
    else
      insert into public.photo_answers as a (letter_id, memory_id, media_id, about, answer)
      values (letter.id, letter.memory_id, media_id, given.about, given.answer)
      on conflict on constraint one_answer_of_a_letter do update set answer = excluded.answer, state = 'new', updated_at = now()
      where a.state <> 'accepted' and a.answer <> excluded.answer;
    end if;
  end loop;
  return private.answers_of(letter.id, media_id);
end
$$;
comment on function answer_photo is
  'Saves what the person who was asked says about a photo; an empty text removes an answer. The same again changes nothing, and accepted answers stay as they are. Returns the stored answers.';

create function private.new_letter_key(letter uuid) returns text language plpgsql volatile security definer set search_path = '' as $$
declare
  key constant text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
begin
  update public.photo_letters l set version = l.version + 1 where l.id = letter;
  insert into private.letter_keys (letter_id, hash) values (letter, encode(sha256(convert_to(key, 'utf8')), 'hex'))
  on conflict (letter_id) do update set hash = excluded.hash;
  return key;
end
$$;
comment on function private.new_letter_key is 'Gives a letter a new key, which is stored only as a hash, and returns it. Its earlier link ends.';

create function ask_about_photos(letter_id uuid, memory_id uuid, media_ids uuid[], recipient text, note text) returns text
language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_variable
declare
  me constant uuid := auth.uid();
  wait integer;
begin
  if not private.is_manager(memory_id) and coalesce(private.member_role(memory_id) <> 'contributor', true)
    or not private.may_ask(memory_id, me) then
    raise exception 'There is no such memory.' using errcode = 'PT404', hint = 'not_found';
  end if;
  -- One question at a time, so that the limit is exact.
  perform from auth.users u where u.id = me for no key update;
  -- The same question again, for example after a lost answer.
  if exists (select from public.photo_letters l where l.id = letter_id and l.asker_id = me and l.memory_id = ask_about_photos.memory_id) then
    return private.new_letter_key(letter_id);
  end if;
  select ceil(extract(epoch from l.created_at + interval '1 day' - now())) into wait from public.photo_letters l
  where l.asker_id = me and l.created_at > now() - interval '1 day' order by l.created_at desc offset 29 limit 1;
  if wait is not null then
    raise exception 'You can ask 30 times a day.' using errcode = 'PT429', hint = 'too_many_letters', detail = wait;
  end if;
  if coalesce(cardinality(media_ids), 0) not between 1 and 10
    or cardinality(media_ids) <> (select count(*) from public.media m where m.id = any (media_ids) and m.memory_id = ask_about_photos.memory_id
      and m.moderation = 'shown' and m.state = 'ready' and m.type = 'image' and m.pages is null and m.motion_of is null
      -- Before a reveal, contributors see only their own photos.
      and (m.memory_id <> all (private.covered_memory_ids()) or m.id = any (private.added_media_ids()))) then
    raise exception 'Please choose one to ten photos of this memory.' using errcode = 'PT400', hint = 'letter_photos';
  end if;
  insert into public.photo_letters (id, memory_id, asker_id, recipient, note, media_ids)
  values (letter_id, memory_id, me, left(auth.typed_line(recipient), 100), left(btrim(coalesce(note, '')), 1000), media_ids);
  return private.new_letter_key(letter_id);
end
$$;
comment on function ask_about_photos is
  'Asks one person about one to ten photos of a memory and returns the key of the link, which is told only once. For owner, co-owners and contributors, 30 times a day. The same id again gives the question a new key.';

create function renew_letter(letter_id uuid) returns text language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_variable
begin
  update public.photo_letters l set expires_at = now() + interval '60 days', withdrawn_at = null,
    asker_id = case when private.may_ask(l.memory_id, l.asker_id) then l.asker_id else auth.uid() end
  where l.id = letter_id and private.may_ask(l.memory_id, auth.uid())
    and (private.is_manager(l.memory_id) or l.asker_id = auth.uid() and private.member_role(l.memory_id) = 'contributor');
  if not found then
    raise exception 'There is no such question among yours.' using errcode = 'PT404', hint = 'not_found';
  end if;
  return private.new_letter_key(letter_id);
end
$$;
comment on function renew_letter is
  'Gives a question a new link for 60 days and returns its key; the earlier link ends. For the member who asked and managers.';

create function asked_by(letter photo_letters) returns text language sql stable security definer set search_path = '' as $$
  select private.name_of(l.asker_id) from public.photo_letters l where l.id = letter.id
    and (l.asker_id = auth.uid() and (select private.has_required_aal()) or private.is_manager(l.memory_id))
$$;
comment on function asked_by is 'The name of the member who asked, for those who may read the letter.';

create function is_open(letter photo_letters) returns boolean language sql stable security definer set search_path = '' as $$
  select private.is_open_letter(l) from public.photo_letters l where l.id = letter.id
    and (l.asker_id = auth.uid() and (select private.has_required_aal()) or private.is_manager(l.memory_id))
$$;
comment on function is_open is 'Whether the letter''s link opens now, for those who may read the letter.';

create function private.follow_letter() returns trigger language plpgsql set search_path = '' as $$
begin
  if new.withdrawn_at is not null then
    new.withdrawn_at := coalesce(old.withdrawn_at, now());
  end if;
  if (new.withdrawn_at is null) <> (old.withdrawn_at is null) or new.asker_id is distinct from old.asker_id then
    new.version := new.version + 1;
  end if;
  return new;
end
$$;
comment on function private.follow_letter is 'Increases the version of a letter whose access changes.';
create trigger t30_follow_letter before update on photo_letters for each row execute function private.follow_letter();

create function private.follow_photo_in_letters() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.photo_letters l set changes = l.changes + 1 where l.memory_id = old.memory_id and old.id = any (l.media_ids);
  return null;
end
$$;
comment on function private.follow_photo_in_letters is 'Tells the pages of letters that one of their photos was hidden, shown, moved or deleted.';
create trigger follow_photo_in_letters after update of moderation, memory_id on media for each row
  when ((old.moderation, old.memory_id) is distinct from (new.moderation, new.memory_id)) execute function private.follow_photo_in_letters();
create trigger follow_deleted_photo_in_letters after delete on media for each row execute function private.follow_photo_in_letters();

create function private.follow_memory_in_letters() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.photo_letters l set changes = l.changes + 1,
    version = l.version + case when new.deleted_at is distinct from old.deleted_at then 1 else 0 end
  where l.memory_id = new.id;
  return null;
end
$$;
comment on function private.follow_memory_in_letters is 'Tells the pages of letters that their memory has another name or owner, or was deleted.';
create trigger follow_memory_in_letters after update of person_name, user_id, draft, deleted_at on memories for each row
  when ((old.person_name, old.user_id, old.draft, old.deleted_at) is distinct from (new.person_name, new.user_id, new.draft, new.deleted_at))
  execute function private.follow_memory_in_letters();

create function private.follow_asker_in_letters() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_table_name = 'users' then
    update public.photo_letters l set changes = l.changes + 1 where l.asker_id = new.id;
  elsif tg_op = 'INSERT' then
    update public.photo_letters l set changes = l.changes + 1 where l.memory_id = new.memory_id and l.asker_id = new.user_id;
  else
    update public.photo_letters l set changes = l.changes + 1 where l.memory_id = old.memory_id and l.asker_id = old.user_id;
  end if;
  return null;
end
$$;
comment on function private.follow_asker_in_letters is
  'Tells the pages of letters that the rights of the member who asked have changed, by their role, a block or a suspension.';
create trigger follow_asker_in_letters after update of role or delete on memory_members for each row execute function private.follow_asker_in_letters();
create trigger follow_asker_in_letters after insert or delete on memory_blocks for each row execute function private.follow_asker_in_letters();
create trigger follow_asker_in_letters after update of banned_until on auth.users for each row
  when (old.banned_until is distinct from new.banned_until) execute function private.follow_asker_in_letters();

alter table photo_letters enable row level security;
alter table photo_answers enable row level security;
grant select on photo_letters to authenticated;
grant select (id, version, changes) on photo_letters to anon;
grant update (withdrawn_at) on photo_letters to authenticated;
grant select on photo_answers to authenticated;
grant update (state) on photo_answers to authenticated;

create policy "service" on photo_letters to service_role using (true) with check (true);
create policy "service" on photo_answers to service_role using (true) with check (true);
create policy "required authentication level" on photo_letters as restrictive for all to authenticated
  using ((select private.has_required_aal()));
create policy "required authentication level" on photo_answers as restrictive for all to authenticated
  using ((select private.has_required_aal()));
create policy "managers and the member who asked read" on photo_letters for select to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[])
    or asker_id = (select auth.uid()) and memory_id = any ((select private.shared_memory_ids('read details'))::uuid[]));
create policy "managers and the member who asked withdraw" on photo_letters for update to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[])
    or asker_id = (select auth.uid()) and memory_id = any ((select private.shared_memory_ids('read details'))::uuid[]));
create policy "holder of the link reads versions" on photo_letters for select to anon
  using (id = ((select auth.jwt()) -> 'letter' ->> 'id')::uuid);
create policy "managers who see the photo read" on photo_answers for select to authenticated
  using ((exists (select from private.own_memories own where own.id = photo_answers.memory_id)
      or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]))
    and exists (select from media m where m.id = media_id and m.memory_id = photo_answers.memory_id));
create policy "managers decide" on photo_answers for update to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));
alter publication supabase_realtime add table photo_letters, photo_answers;

-- The link of a letter opens these photos, only for viewing. Rows of photos stay closed, because they contain captions and dates.
create policy "media: letter shows" on storage.objects for select to anon
  using (bucket_id = 'media' and id = any ((select private.letter_media_ids())::uuid[]));
create policy "only photos for a letter" on storage.objects as restrictive for all to anon
  using (not (select auth.jwt()) ? 'letter' or bucket_id = 'media');

create or replace function private.access_to_object(object storage.objects) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when auth.role() = 'service_role' or object.owner = auth.uid()
      or private.is_manager(private.memory_of(object.name))
      or auth.role() = 'anon' and exists (select from public.media_details d where d.media_id = object.id and d.guest_id = private.guest_id())
      then 'original'
    when auth.jwt() ? 'share' and not exists (select from private.open_link() where allows_download)
      and coalesce(private.member_role(private.memory_of(object.name)), '') not in ('contributor', 'viewer') then 'view'
    when auth.jwt() ? 'wall' or auth.jwt() ? 'letter' then 'view'
    else 'copy'
  end
$$;

revoke execute on function private.may_ask, private.is_open_letter, private.open_letter, private.letter_media_ids, private.answers_of,
  private.new_letter_key, private.follow_letter, private.follow_photo_in_letters, private.follow_memory_in_letters,
  private.follow_asker_in_letters from public, anon, authenticated, service_role;
revoke execute on function letter_contents, answer_photo, ask_about_photos, renew_letter, asked_by, is_open from public, anon, authenticated;
-- What a policy calls.
grant execute on function private.letter_media_ids to anon, service_role;
grant execute on function letter_contents, answer_photo to anon, service_role;
grant execute on function ask_about_photos, renew_letter, asked_by, is_open to authenticated, service_role;
