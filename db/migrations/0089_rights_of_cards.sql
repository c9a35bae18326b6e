-- A card at a grave gave only a look, so that visitors met a refusal when they wanted to write. It gives what the memory's main link
-- gives once that is shared, and otherwise what is usual for its kind.
create or replace function private.link_for_card(memory uuid, code text, language text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  made uuid;
begin
  if not exists (select from public.memories where id = memory and not draft) then
    raise exception 'A card opens memories that are published.' using errcode = 'PT409', hint = 'draft';
  end if;
  insert into public.share_links (memory_id, for_card, label, rights)
  select m.id, true, (case language when 'it' then 'Carta ' else 'Card ' end) || right(code, 4),
    case when l.shared_at is not null and l.rights <> 'upload' then l.rights when m.kind = 'event' then 'contribute' else 'comment' end
  from public.memories m left join public.share_links l on l.memory_id = m.id and l.is_first
  where m.id = memory returning id into made;
  -- The card has the same secret as the memory's first link. Locks that link, so that a concurrent change of the secret
  -- waits.
  perform from public.share_links l where l.memory_id = memory and l.is_first for share of l;
  insert into public.share_pins (link_id, hash, kind, sealed)
  select made, p.hash, p.kind, p.sealed from public.share_links l join public.share_pins p on p.link_id = l.id
  where l.memory_id = memory and l.is_first;
  return made;
end
$$;
