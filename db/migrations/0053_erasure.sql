set local check_function_bodies = off;

-- Rows of an account go by their foreign keys. These know it by its address or by a name, or belong to others.
create function private.erase_traces() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  address constant text := lower(old.email);
  names constant text[] := array_remove(array[(select nullif(p.full_name, '') from public.profiles p where p.id = old.id), address], null);
begin
  -- First, so that no change below touches a row whose account is about to go.
  delete from public.notices n where n.user_id = old.id;
  -- What was added to the memories of others belongs to these memories, and stays there without a name.
  update public.media_credits c set name = '' from public.media_details d
  where d.media_id = c.media_id and d.user_id = old.id and c.name <> '' and not private.owns_memory(old.id, c.memory_id);
  update public.story_credits c set name = '' from public.stories s
  where s.id = c.story_id and s.user_id = old.id and c.name <> '' and not private.owns_memory(old.id, c.memory_id);
  update public.comment_credits c set name = '' from public.comments s
  where s.id = c.comment_id and s.user_id = old.id and c.name <> '' and not private.owns_memory(old.id, c.memory_id);
  update public.reaction_credits c set name = '' from public.reactions s
  where s.id = c.reaction_id and s.user_id = old.id and c.name <> '' and not private.owns_memory(old.id, c.memory_id);
  update storage.objects o set owner = null, owner_id = null from public.media x join public.media_details d on d.media_id = x.id
  where d.user_id = old.id and o.owner_id = old.id::text and not private.owns_memory(old.id, x.memory_id)
    and (o.id = x.id or o.bucket_id = 'posters' and o.name = x.poster_name);
  update public.notices n set actor_name = '', actor_key = case when n.actor_key = '' then '' else gen_random_uuid()::text end
  where n.actor_key = old.id::text
    or n.comment_id in (select c.id from public.comments c where c.user_id = old.id)
    or n.story_id in (select s.id from public.stories s where s.user_id = old.id)
    or n.media_id in (select d.media_id from public.media_details d where d.user_id = old.id)
    or n.actor_name = any (names) and (n.memory_id in (select m.memory_id from public.memory_members m where m.user_id = old.id)
      or exists (select from public.memories m where m.id = n.memory_id and m.user_id = old.id));
  delete from public.invitations i where i.email = address or i.accepted_by = old.id;
  delete from private.correspondents c where c.email = address;
  -- The wish to get no emails outlives the account: it is about the address.
  delete from public.email_preferences e where e.email = address and not e.unsubscribed;
  delete from public.contact_messages c where lower(c.email) = address;
  update public.inbox_items i set search = private.search_words(concat_ws(' ', r.kind, r.reason, r.words)) from public.reports r
  where r.id = i.report_id and (r.user_id = old.id or lower(r.email) = address);
  update public.reports r set email = null where r.user_id = old.id or lower(r.email) = address;
  -- The law asks for sales. An order that was not paid is none; one that may still be paid goes when its time is over.
  delete from public.orders o where o.user_id = old.id and o.status in ('failed', 'expired');
  delete from private.outbox o where lower(o.recipient) = address or o.recipient = '+' || old.phone;
  update private.outbox o set bcc = null where lower(o.bcc) = address;
  -- The hosted platform keeps uploads elsewhere. Without their row the bytes are removed within the hour.
  if to_regclass('storage.uploads') is not null then
    delete from storage.uploads u where u.caller ->> 'sub' = old.id::text;
  end if;
  return old;
end
$$;
comment on function private.erase_traces is
  'Removes a deleted account from rows that do not belong to it: names at contributions, messages to it, what knows it by its address.';

create function private.owns_memory(person uuid, memory uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from public.memories m where m.id = memory and m.user_id = person)
$$;
comment on function private.owns_memory is 'Whether a memory belongs to this account.';

create trigger erase_traces before delete on auth.users for each row execute function private.erase_traces();
revoke execute on function private.erase_traces, private.owns_memory from public;
