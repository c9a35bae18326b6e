-- Both are written as a file arrives, by private.make_media().

-- Apart from the photos, so that a policy of its own decides who is told.
create table media_credits (
  media_id uuid primary key,
  memory_id uuid not null,
  name text not null check (length(name) <= 200),
  foreign key (media_id, memory_id) references media (id, memory_id) on update cascade on delete cascade
);
comment on table media_credits is
  'Under what name each photo and video was added. Seen by the memory''s people, and by whoever came by a link that shows names.';
create index media_credits_memory_id on media_credits (memory_id);
create index media_credits_media_memory on media_credits (media_id, memory_id);
insert into media_credits (media_id, memory_id, name)
select d.media_id, d.memory_id, p.full_name from media_details d join profiles p on p.id = d.user_id where p.full_name <> '';

create function private.shared_credited_memory_ids() returns uuid[] language sql stable security definer set search_path = '' as $$
  select private.member_memory_ids('{co-owner,contributor,viewer}') || coalesce((
    select array_agg(m.id) from private.open_link() l
    join public.memories m on (m.id = l.memory_id or m.album_id = l.album_id) and not m.draft
    where l.shows_names and l.rights <> 'upload'), '{}')
$$;
comment on function private.shared_credited_memory_ids is 'The memories of other people of which the caller may read who added what.';

create function private.can_read_credits(memory uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select private.is_owner(memory) or private.member_role(memory) is not null or exists (
    select from private.open_link() l
    join public.memories m on m.id = memory and (m.id = l.memory_id or m.album_id = l.album_id) and not m.draft
    where l.shows_names and l.rights <> 'upload')
$$;
comment on function private.can_read_credits is 'Whether the caller may read who added what to a memory.';

alter table media_credits enable row level security;
grant select on media_credits to anon, authenticated;
create policy "whoever is told names" on media_credits for select to anon, authenticated
  using ((exists (select from memories own where own.id = memory_id and own.user_id = (select auth.uid()))
      or memory_id = any ((select private.shared_credited_memory_ids())::uuid[]))
    and exists (select from media m where m.id = media_id));
create policy "after the second step" on media_credits as restrictive to authenticated
  using ((select private.fully_signed_in()));

-- The one letter of a visit that tells a guest what of theirs has arrived.
create table private.guest_letters (
  guest_id uuid primary key references guests on delete cascade,
  outbox_id uuid not null
);
comment on table private.guest_letters is 'The receipt that still gathers what a guest adds, until ten minutes have passed since the last.';
alter table private.guest_letters enable row level security;

create function private.note_receipt(guest uuid, media uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  of_guest public.guests;
  item constant jsonb := (select jsonb_build_object('id', m.id, 'name', left(d.file_name, 120), 'at', m.created_at,
    'memory', r.person_name) from public.media m join public.media_details d on d.media_id = m.id
    join public.memories r on r.id = m.memory_id where m.id = media);
  letter uuid;
  token text;
begin
  -- Every row that names the guest has locked the guest's key already, for which two such locks would wait for each other.
  select * into of_guest from public.guests g where g.id = guest for no key update;
  if of_guest.email is null then
    return;
  end if;
  update private.outbox o set props = jsonb_set(o.props, '{files}', (o.props -> 'files') || item),
    next_attempt_at = now() + interval '10 minutes'
  from private.guest_letters l where l.guest_id = guest and o.id = l.outbox_id and o.state = 'waiting' and o.attempts = 0;
  if found then
    return;
  end if;
  token := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  insert into private.guest_keys (hash, guest_id) values (encode(sha256(convert_to(token, 'utf8')), 'hex'), guest);
  insert into private.outbox (kind, template, language, recipient, props, next_attempt_at)
  select 'mail', 'guest-receipt', of_guest.language, of_guest.email,
    jsonb_build_object('name', of_guest.name, 'timeZone', of_guest.time_zone, 'files', jsonb_build_array(item),
      'url', of_guest.site || '/shared/' || s.share_id || '#guest=' || token, 'until', s.expires_at),
    now() + interval '10 minutes'
  from public.share_links s where s.id = of_guest.link_id returning id into letter;
  insert into private.guest_letters (guest_id, outbox_id) values (guest, letter)
  on conflict (guest_id) do update set outbox_id = excluded.outbox_id;
end
$$;
comment on function private.note_receipt is
  'Writes a file into the letter that a guest with an address gets ten minutes after the last one, with a way back of its own.';

create function private.strike_from_receipt(media uuid, guest uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.outbox o set props = jsonb_set(o.props, '{files}', coalesce(
    (select jsonb_agg(f) from jsonb_array_elements(o.props -> 'files') f where f ->> 'id' <> media::text), '[]'))
  from private.guest_letters l where l.guest_id = guest and o.id = l.outbox_id and o.state = 'waiting' and o.attempts = 0;
  delete from private.outbox o using private.guest_letters l
  where l.guest_id = guest and o.id = l.outbox_id and o.state = 'waiting' and o.props -> 'files' = '[]';
end
$$;
comment on function private.strike_from_receipt is 'What is withdrawn before its receipt went out is not in it.';

create function private.strike_receipt() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    perform private.strike_from_receipt(old.media_id, old.guest_id);
  else
    perform private.strike_from_receipt(d.media_id, d.guest_id) from public.media_details d
    where d.media_id = new.id and d.guest_id is not null;
  end if;
  return null;
end
$$;
create trigger strike_receipt after delete on media_details
  for each row when (old.guest_id is not null) execute function private.strike_receipt();
create trigger strike_deleted_from_receipt after update of moderation on media
  for each row when (old.moderation <> 'deleted' and new.moderation = 'deleted') execute function private.strike_receipt();

revoke execute on function private.shared_credited_memory_ids, private.can_read_credits, private.note_receipt, private.strike_from_receipt, private.strike_receipt from public;
grant execute on function private.shared_credited_memory_ids, private.can_read_credits to anon, authenticated, service_role;
alter publication supabase_realtime add table media_credits;
