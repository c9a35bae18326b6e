-- "That is me, please not": somebody in a picture asks for blurring or hiding it, and the managers decide (decision 0156).
create table picture_requests (
  id uuid primary key default gen_random_uuid(),
  media_id uuid not null,
  memory_id uuid not null,
  wish text not null check (wish in ('blur', 'hide')),
  words text not null default '' check (length(words) <= 500),
  name text not null default '' check (length(name) <= 100),
  email text check (length(email) <= 254),
  user_id uuid references auth.users on delete cascade,
  guest_id uuid references guests on delete cascade,
  state text not null default 'open' check (state in ('open', 'done', 'declined')),
  answer text not null default '' check (length(answer) <= 500),
  created_at timestamptz not null default now(),
  decided_at timestamptz
    constraint decided_at_in_years_1_to_9999 check (decided_at between '0001-01-01T00:00:00Z' and '9999-12-31T00:00:00Z'),
  decided_by uuid references auth.users on delete set null,
  constraint decided_or_open check ((state = 'open') = (decided_at is null)),
  constraint picture_requests_media_id_memory_id_fkey foreign key (media_id, memory_id) references media (id, memory_id) on update cascade on delete cascade
);
comment on table picture_requests is
  'Wishes of people in a picture that it is blurred or hidden. They change nothing by themselves. Visible to the memory''s managers who see the picture, and to the account that asked. Only the server inserts and withdraws.';
comment on column picture_requests.name is 'Who asks: the name of an account or guest, or what was typed.';
comment on column picture_requests.email is 'Address for an answer, not confirmed.';
comment on column picture_requests.answer is 'The managers'' words about their decision.';
create index picture_requests_media_id on picture_requests (media_id, memory_id);
create index picture_requests_memory_id on picture_requests (memory_id, created_at);
create index picture_requests_user_id on picture_requests (user_id, created_at) where user_id is not null;
create index picture_requests_guest_id on picture_requests (guest_id) where guest_id is not null;
create index picture_requests_decided_by on picture_requests (decided_by) where decided_by is not null;

alter table picture_requests enable row level security;
grant select on picture_requests to authenticated;
grant update (state, answer) on picture_requests to authenticated;
create policy "service" on picture_requests to service_role using (true) with check (true);
create policy "required authentication level" on picture_requests as restrictive for all to authenticated
  using ((select private.has_required_aal()));
create policy "who asked reads" on picture_requests for select to authenticated
  using (user_id = (select auth.uid()));
create policy "managers who see the picture read" on picture_requests for select to authenticated
  using ((exists (select from private.own_memories own where own.id = picture_requests.memory_id)
      or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]))
    and exists (select from media m where m.id = media_id and m.memory_id = picture_requests.memory_id));
create policy "managers decide" on picture_requests for update to authenticated
  using (exists (select from private.own_memories own where own.id = memory_id)
    or memory_id = any ((select private.shared_memory_ids('manage'))::uuid[]));
alter publication supabase_realtime add table picture_requests;

create function private.decide_request() returns trigger language plpgsql set search_path = '' as $$
begin
  if new.state <> old.state then
    new.decided_at := case when new.state <> 'open' then now() end;
    new.decided_by := case when new.state <> 'open' then auth.uid() end;
  end if;
  return new;
end
$$;
comment on function private.decide_request is 'Notes when and by whom a request about a picture was decided.';
create trigger t30_decide_request before update on picture_requests for each row execute function private.decide_request();

-- Notifications: managers learn that something waits, and the account that asked what was decided.
alter table notices drop constraint notices_kind_check, add constraint notices_kind_check check (kind in ('comment', 'answer', 'mention',
  'added', 'story', 'held', 'accepted', 'declined', 'offered', 'offer-declined', 'taken-over', 'locked', 'storage-75', 'storage-90',
  'storage-full', 'birthday', 'passing', 'event', 'file-lost', 'revealed', 'request-done', 'request-declined'));

create or replace function private.clear_held_notice(memory uuid) returns void language sql security definer set search_path = '' as $$
  delete from public.notices n where n.memory_id = memory and n.kind = 'held' and n.read_at is null
    and not exists (select from public.comments c where c.memory_id = memory and c.moderation = 'held')
    and not exists (select from public.stories s where s.memory_id = memory and s.moderation = 'held')
    and not exists (select from public.media m where m.memory_id = memory and m.moderation = 'held')
    and not exists (select from public.reactions r where r.memory_id = memory and r.moderation = 'held')
    and not exists (select from public.picture_requests p where p.memory_id = memory and p.state = 'open')
$$;
comment on function private.clear_held_notice(uuid) is 'Deletes the notice about held items and open requests if none is left.';

create function private.notify_of_request() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    if new.state = 'open' then
      perform private.notify_held(new.memory_id, new.user_id);
    end if;
    return null;
  end if;
  perform private.clear_held_notice(old.memory_id);
  if tg_op = 'UPDATE' and new.state <> old.state and new.user_id is not null then
    delete from public.notices n where n.user_id = new.user_id and n.media_id = new.media_id and n.read_at is null
      and n.kind in ('request-done', 'request-declined');
    insert into public.notices (user_id, memory_id, kind, media_id, actor_name)
    select new.user_id, new.memory_id, 'request-' || new.state, new.media_id, private.name_of(auth.uid())
    where new.state <> 'open' and new.user_id is distinct from auth.uid();
  end if;
  return null;
end
$$;
comment on function private.notify_of_request is 'Tells managers of a request about a picture, and the account that asked what was decided.';
create trigger notify_of_request after insert or delete or update of state on picture_requests for each row
  execute function private.notify_of_request();

create or replace function public.waiting_counts() returns table (memory_id uuid, count bigint)
language sql stable security definer set search_path = '' as $$
  select held.memory_id, count(*) from (
    select m.memory_id from public.media m where m.moderation = 'held' and m.memory_id = any ((select private.managed_memory_ids())::uuid[])
    union all
    select s.memory_id from public.stories s where s.moderation = 'held' and s.memory_id = any ((select private.managed_memory_ids())::uuid[])
    union all
    select c.memory_id from public.comments c where c.moderation = 'held' and c.memory_id = any ((select private.managed_memory_ids())::uuid[])
    union all
    select r.memory_id from public.reactions r where r.moderation = 'held' and r.memory_id = any ((select private.managed_memory_ids())::uuid[])
    union all
    select p.memory_id from public.picture_requests p join public.media m on m.id = p.media_id
    where p.state = 'open' and m.moderation not in ('deleted', 'attached') and p.memory_id = any ((select private.managed_memory_ids())::uuid[])
  ) held group by held.memory_id
$$;
comment on function public.waiting_counts() is
  'The number of held items and open requests about pictures in each memory that the caller manages, without memories that have none.';

revoke execute on function private.decide_request, private.notify_of_request from public, anon, authenticated, service_role;
