-- The one letter a visit that tells a guest what of theirs has arrived. What writes into it is called as a file arrives.
create table private.guest_letters (
  guest_id uuid primary key references guests on delete cascade,
  outbox_id uuid not null
);
comment on table private.guest_letters is 'The receipt that still gathers what a guest adds, until ten minutes have passed since the last.';
alter table private.guest_letters enable row level security;

create function private.note_receipt(guest uuid, media uuid) returns void language plpgsql security definer set search_path = '' as $$
declare
  of_guest public.guests;
  item constant jsonb := (select jsonb_build_object('id', m.id, 'name', left(m.file_name, 120), 'at', m.created_at,
    'memory', r.person_name) from public.media m join public.memories r on r.id = m.memory_id where m.id = media);
  letter uuid;
  token text;
begin
  select * into of_guest from public.guests g where g.id = guest for update;
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

create function private.strike_receipt() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update private.outbox o set props = jsonb_set(o.props, '{files}', coalesce(
    (select jsonb_agg(f) from jsonb_array_elements(o.props -> 'files') f where f ->> 'id' <> old.id::text), '[]'))
  from private.guest_letters l where l.guest_id = old.guest_id and o.id = l.outbox_id and o.state = 'waiting' and o.attempts = 0;
  delete from private.outbox o using private.guest_letters l
  where l.guest_id = old.guest_id and o.id = l.outbox_id and o.state = 'waiting' and o.props -> 'files' = '[]';
  return null;
end
$$;
comment on function private.strike_receipt is 'What is withdrawn before its receipt went out is not in it.';
create trigger strike_receipt after delete on media
  for each row when (old.guest_id is not null) execute function private.strike_receipt();

revoke execute on function private.note_receipt, private.strike_receipt from public;
