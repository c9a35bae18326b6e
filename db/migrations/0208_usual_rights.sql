-- A memory's first link could only look, unless the share window of the web app turned it on: other clients that set its PIN got another
-- right than the app, and their guests met a refusal. The usual right is now that of the row itself.

create function private.usual_rights(kind text) returns text
language sql immutable set search_path to '' as $$
  select case when kind = 'event' then 'contribute' else 'comment' end
$$;
comment on function private.usual_rights(text) is 'What visitors of a memory''s links may do unless a manager chooses otherwise: add to an event, comment on a tribute.';
revoke execute on function private.usual_rights(text) from public, anon, authenticated, service_role;

create or replace function private.make_first_link() returns trigger
language plpgsql security definer set search_path to '' as $$
begin
  insert into public.share_links (memory_id, share_id, is_first, shared_at, rights)
  values (new.id, private.chosen_share_id(new.id), true, null, private.usual_rights(new.kind));
  return null;
end
$$;

create function private.follow_kind() returns trigger
language plpgsql security definer set search_path to '' as $$
begin
  update public.share_links l set rights = private.usual_rights(new.kind)
  where l.memory_id = new.id and l.is_first and l.shared_at is null and l.rights = private.usual_rights(old.kind);
  return null;
end
$$;
comment on function private.follow_kind() is 'Gives a first link that nobody has shared yet the usual right of the memory''s new kind.';
revoke execute on function private.follow_kind() from public, anon, authenticated, service_role;
create trigger follow_kind after update of kind on public.memories for each row when (old.kind is distinct from new.kind)
  execute function private.follow_kind();

create or replace function private.link_for_card(memory uuid, code text, language text) returns uuid
language plpgsql security definer set search_path to '' as $$
declare
  made uuid;
begin
  if not exists (select from public.memories where id = memory and not draft) then
    raise exception 'A card opens memories that are published.' using errcode = 'PT409', hint = 'draft';
  end if;
  insert into public.share_links (memory_id, for_card, label, rights)
  select m.id, true, (case language when 'it' then 'Carta ' else 'Card ' end) || right(code, 4),
    case when l.shared_at is not null and l.rights <> 'upload' then l.rights else private.usual_rights(m.kind) end
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
