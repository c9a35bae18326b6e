set local check_function_bodies = off;

create function private.share_id_from(secret text) returns text language plpgsql immutable set search_path = '' as $$
declare
  alphabet constant text := '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  bytes bytea;
  made text := '';
begin
  for round in 1..1000 loop
    bytes := sha256(convert_to(round || ' ' || secret, 'UTF8'));
    for i in 0..31 loop
      -- Values over 247 would favour the first letters.
      if get_byte(bytes, i) < 248 then
        made := made || substr(alphabet, get_byte(bytes, i) % 62 + 1, 1);
        if length(made) = 22 then return made; end if;
      end if;
    end loop;
  end loop;
end
$$;
comment on function private.share_id_from is
  'The share id that follows from a secret: 22 characters of base 62 carry 130 bits, which cannot be guessed.';

-- As its owner, so that callers need no right to choose share ids themselves.
create or replace function private.new_share_id() returns text language sql volatile security definer set search_path = '' as $$
  select private.share_id_from(gen_random_uuid()::text || gen_random_uuid()::text)
$$;

-- A memory's first link is inserted after the memory, but `returning share_id` is evaluated before that. Both compute the
-- share id from the memory's id and a random secret of the transaction, so that nothing is stored for each memory.
drop trigger choose_share_id on memories;
drop function private.choose_share_id();
create function private.prepare_share_ids() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(current_setting('skies.share_secret', true), '') = '' then
    perform set_config('skies.share_secret', gen_random_uuid()::text || gen_random_uuid()::text, true);
  end if;
  return null;
end
$$;
create trigger prepare_share_ids before insert on memories for each statement execute function private.prepare_share_ids();

create function private.chosen_share_id(memory uuid) returns text language sql stable security definer set search_path = '' as $$
  select private.share_id_from(s.secret || memory)
  from (select nullif(current_setting('skies.share_secret', true), '') as secret) s
  where s.secret is not null
    and not exists (select from public.share_links l where l.memory_id = chosen_share_id.memory and l.is_first)
$$;
comment on function private.chosen_share_id is
  'The share id that the first link of a memory of this transaction will have; null once the memory has its first link.';

create or replace function private.make_first_link() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.share_links (memory_id, share_id, is_first, shared_at)
  values (new.id, private.chosen_share_id(new.id), true, null);
  return null;
end
$$;

create or replace function share_id(memory memories) returns text language sql stable set search_path = '' as $$
  select coalesce(
    (select l.share_id from public.share_links l where l.memory_id = memory.id and l.is_first),
    private.chosen_share_id(memory.id))
$$;

revoke execute on function private.share_id_from, private.prepare_share_ids, private.chosen_share_id from public;
grant execute on function private.chosen_share_id to authenticated, service_role;
