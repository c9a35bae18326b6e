set local check_function_bodies = off;

-- A manager may read a PIN again, so it is kept twice: as a hash that is checked, and sealed under a key that is not in the
-- database. No API role can select the sealed text, and only the server can open it.
alter table share_pins add column sealed text check (length(sealed) <= 512);
comment on column share_pins.sealed is
  'The PIN or passphrase, encrypted under a key of the server and bound to the hash. Null where it was set before this was kept.';
comment on table share_pins is
  'The PIN or passphrase of a link, as a keyed argon2id hash and encrypted. No caller can read either. No row means no secret.';

revoke select on share_pins from service_role;
grant select (link_id, hash, kind) on share_pins to service_role;
grant insert (sealed), update (sealed) on share_pins to authenticated;

create or replace function private.link_for_card(memory uuid, code text, language text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  made uuid;
begin
  if not exists (select from public.memories where id = memory and not draft) then
    raise exception 'A card opens memories that are published.' using errcode = 'PT409', hint = 'draft';
  end if;
  insert into public.share_links (memory_id, for_card, label)
  values (memory, true, (case language when 'it' then 'Carta ' else 'Card ' end) || right(code, 4)) returning id into made;
  -- The card has the same secret as the memory's first link. Locks that link, so that a concurrent change of the secret
  -- waits.
  perform from public.share_links l where l.memory_id = memory and l.is_first for share of l;
  insert into public.share_pins (link_id, hash, kind, sealed)
  select made, p.hash, p.kind, p.sealed from public.share_links l join public.share_pins p on p.link_id = l.id
  where l.memory_id = memory and l.is_first;
  return made;
end
$$;

create or replace function private.copy_secret_to_cards() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  cards constant uuid[] := (select array_agg(c.id) from public.share_links l
    join public.share_links c on c.memory_id = l.memory_id and c.for_card
    where l.id = coalesce(new.link_id, old.link_id) and l.is_first);
begin
  if tg_op = 'DELETE' then
    delete from public.share_pins where link_id = any (cards);
  elsif cards is not null then
    insert into public.share_pins (link_id, hash, kind, sealed) select card, new.hash, new.kind, new.sealed from unnest(cards) card
    on conflict (link_id) do update set hash = excluded.hash, kind = excluded.kind, sealed = excluded.sealed;
  end if;
  return null;
end
$$;
