-- Hosts invite households to a memory's day by links of their own, with the names filled in (decision 0127).
set local check_function_bodies = off;

alter table day_replies add column invited_at timestamptz;
comment on column day_replies.invited_at is
  'When managers last made the personal link of the household; null for people who came by themselves.';

create function invite_to_day(reply_id uuid, link_id uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  memory constant uuid := (select r.memory_id from public.day_replies r
    where r.id = invite_to_day.reply_id and private.is_manager(r.memory_id));
  reply public.day_replies;
  guest uuid;
  token constant text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
begin
  -- In the same order of locks as saving.
  perform from public.memories m where m.id = memory for key share;
  perform from public.day_reply_settings s where s.memory_id = memory for update;
  select * into reply from public.day_replies r where r.id = invite_to_day.reply_id and r.memory_id = memory;
  if reply.id is null then
    raise exception 'There is no such reply.' using errcode = 'PT404', hint = 'reply_gone';
  end if;
  if reply.user_id is not null or reply.guest_id is not null and reply.invited_at is null then
    raise exception 'Who replied by themselves has a link of their own.' using errcode = 'PT409', hint = 'own_link';
  end if;
  update public.share_links l set shared_at = coalesce(l.shared_at, now())
  where l.id = invite_to_day.link_id and l.memory_id = memory and l.rights <> 'upload' and l.invitation_id is null and not l.for_card
    and l.revoked_at is null and coalesce(l.expires_at > now(), true);
  if not found then
    raise exception 'This link is not open any more.' using errcode = 'PT410', hint = 'revoked';
  end if;
  if reply.guest_id is null then
    insert into public.guests (link_id, name) values (invite_to_day.link_id, reply.names[1]) returning id into guest;
  else
    guest := reply.guest_id;
    delete from private.guest_keys k where k.guest_id = guest;
    update public.guests g set link_id = invite_to_day.link_id where g.id = guest and g.link_id <> invite_to_day.link_id;
  end if;
  -- The token has 244 random bits, so its hash needs no key.
  insert into private.guest_keys (hash, guest_id) values (encode(sha256(convert_to(token, 'utf8')), 'hex'), guest);
  update public.day_replies r set guest_id = guest, invited_at = now() where r.id = reply.id;
  return token;
end
$$;
comment on function invite_to_day is
  'Makes the personal link of a household that managers have written down, by one of the memory''s links, and returns its key, which is stored only as a hash. Earlier keys of the household end.';
revoke execute on function invite_to_day from public, anon;
grant execute on function invite_to_day to authenticated, service_role;
